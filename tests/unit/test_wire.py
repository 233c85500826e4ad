"""Records to JSON and back; what comes back in is not trusted."""

import json
import os
import threading
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import wire
from advisor.card_matching import withhold_names
from advisor.errors import InputError
from advisor.locale import language
from advisor.records.base import Gap
from advisor.records.events import Event, SampleTaken
from advisor.records.results.report import Report
from tests.unit.benchmark.diagnosed import CARD
from tests.unit.report.samples import enough, every

REPORT = wire.encode(enough())


def _with(part: str, field: str, value: object) -> bytes:
    """Return the report with another value in one field of the job, or of itself."""
    report = json.loads(REPORT)
    (report[part] if part else report)[field] = value
    return json.dumps(report).encode()


@pytest.mark.parametrize("report", every().values(), ids=every().keys())
def test_reports_come_back_equal(report: object) -> None:
    """Nothing is lost between a record and its JSON."""
    assert report == wire.decode_report(wire.encode(report))  # type: ignore[arg-type]


@given(st.text(max_size=40), st.floats(allow_nan=False, allow_infinity=False))
def test_lines_come_back_equal(case_id: str, sample_s: float) -> None:
    """A line holds one record whatever its text, and one newline at its end."""
    event = SampleTaken(case_id=case_id, sample_s=sample_s)
    line = wire.encode_line(event)

    assert line.count(b"\n") == 1
    assert event == wire.decode_line(line, Event)


@given(st.binary(max_size=300))
def test_garbage_is_refused_with_a_sentence(content: bytes) -> None:
    """No bytes raise anything but the sentence for the user."""
    with pytest.raises(InputError):
        wire.decode_report(content)


def test_names_of_programs_in_a_report_are_not_read() -> None:
    """Earlier versions wrote who used a card; who reads such a report and writes it again passes on how many."""
    report = enough()
    card = msgspec.structs.replace(CARD, used_by=("game", "browser"))
    old = msgspec.structs.replace(report, machine=msgspec.structs.replace(report.machine, accelerators=(card,)))
    read = wire.decode_report(wire.encode(old))
    assert read.machine.accelerators[0].used_by == ("", "")
    assert wire.decode_report(wire.encode(read)) == read
    assert withhold_names(report.machine) is report.machine


@given(st.integers(min_value=0, max_value=len(REPORT) - 2))
def test_truncated_reports_are_refused(length: int) -> None:
    """A report cut anywhere is no report."""
    with pytest.raises(InputError):
        wire.decode_report(REPORT[:length])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_a_file_as_windows_writes_it_is_read(tmp_path: Path, encoding: str) -> None:
    """PowerShell's ``advisor ... > report.json`` is UTF-16; what is cut within a sign is refused with a sentence."""
    text, path = REPORT.decode(), tmp_path / "report.json"
    mark = "\N{ZERO WIDTH NO-BREAK SPACE}" if encoding == "utf-16-be" else ""
    path.write_bytes((mark + text).encode(encoding))
    assert wire.read_report(path) == wire.decode_report(REPORT)
    path.write_bytes((mark + text).encode(encoding)[:-3])
    with pytest.raises(InputError):
        wire.read_report(path)


def test_unknown_fields_are_refused() -> None:
    """A field this version does not know may mean something else."""
    with pytest.raises(InputError, match="surprise"):
        wire.decode_report(REPORT.replace(b'"is_simulated"', b'"surprise": 1, "is_simulated"', 1))


def test_less_memory_than_none_is_refused() -> None:
    """A computer with -5 bytes was once called enough."""
    report = json.loads(REPORT)
    report["machine"]["host"]["memory"]["total_bytes"] = -5
    with pytest.raises(InputError, match="total_bytes"):
        wire.decode_report(json.dumps(report).encode())


@pytest.mark.parametrize(("version", "sentence"), [(b"99", r"newer version .*schema 99"), (b"0", "schema version 0")])
def test_another_version_is_refused_by_its_number(version: bytes, sentence: str) -> None:
    """The sentence names both versions; a report of a newer one needs a newer program, an older one a new report."""
    with pytest.raises(InputError, match=sentence):
        wire.decode_report(REPORT.replace(b'"schema_version": 1', b'"schema_version": ' + version, 1))


def test_deep_nesting_is_refused() -> None:
    """A document made to exhaust the stack gets the same sentence."""
    with pytest.raises(InputError):
        wire.decode_report(b'{"schema_version":1,"machine":' + b"[" * 100_000)


@pytest.mark.parametrize(
    ("content", "english", "spanish"),
    [
        (b'{"a": 1}', "the field schema_version is missing", "falta el campo schema_version"),
        (b'{"schema_version": "x"}', "at $.schema_version stands str in place of int", "hay str en lugar de int"),
        (b'{"schema_version": ', "it ends in the middle", "termina a "),
        (b"{a}", "what begins at byte 1 is not JSON", "en el byte 1 no es JSON"),
        (REPORT.replace(b'"discrete"', b'"dis"', 1), "the value at $", "no se conoce el valor de $"),
        (_with("workload", "samples", 0), "samples must be at least 1", "samples debe ser al menos 1"),
        (_with("workload", "epochs", 1e308), "epochs must be at most 1000000", "epochs debe ser como máximo 1000000"),
        (_with("", "label", "x" * 999), "$.label is longer than", "$.label es más largo"),
        (_with("workload", "epochs", 7e7).replace(b"70000000.0", b"1e999"), "larger than any", "más grande de lo"),
        (REPORT[:-1] + b',"secret":1}', "no report has the field secret", "ningún informe tiene el campo secret"),
    ],
)
def test_why_a_file_is_no_report_is_said_in_the_users_language(content: bytes, english: str, spanish: str) -> None:
    """The reader of JSON speaks English only."""
    with pytest.raises(InputError) as refusal:
        wire.decode_report(content)
    assert english in str(refusal.value)
    assert spanish in refusal.value.sentence(language("es").gettext)


def test_large_files_are_refused(tmp_path: Path) -> None:
    """The size is checked before anything is parsed."""
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(wire.MAX_FILE_BYTES + 1)

    with pytest.raises(InputError, match="larger than 16 MiB"):
        wire.read_report(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_pipe_that_nobody_writes_into_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever opens it would never come back; one with a writer is read to its end, whatever time that takes."""
    monkeypatch.setattr(wire, "_WRITER_S", 0.2)
    pipe = tmp_path / "p.json"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match=r"^p\.json is a pipe that nobody writes into\.$"):
        wire.read_report(pipe)
    other = tmp_path / "q.json"
    os.mkfifo(other)

    def write() -> None:
        with other.open("wb") as file:
            time.sleep(0.5)
            file.write(REPORT)

    writer = threading.Thread(target=write)
    writer.start()
    assert wire.read_report(other) == wire.decode_report(REPORT)
    writer.join()


def test_missing_files_are_named(tmp_path: Path) -> None:
    """The sentence has the file's name, not its whole path."""
    with pytest.raises(InputError, match=r"^none\.json cannot be read"):
        wire.read_report(tmp_path / "none.json")


def test_overlong_lines_are_refused() -> None:
    """A worker that talks too much is not listened to."""
    with pytest.raises(InputError, match="longer"):
        wire.decode_line(b" " * (wire.MAX_LINE_BYTES + 1), Gap)


def test_the_schema_names_every_field_of_a_report() -> None:
    """The published schema is that of the record."""
    schema = wire.report_schema()

    assert set(schema["$defs"]["Report"]["properties"]) == {f.name for f in msgspec.structs.fields(Report)}


def test_a_machine_alone_is_recorded_as_well(tmp_path: Path) -> None:
    """What --doctor prints as JSON; anything else is refused as a report would be."""
    path = tmp_path / "machine.json"
    path.write_bytes(wire.encode(enough().machine))
    assert wire.read_recorded(path) == enough().machine
    for content in (b"[]", b"{", b'{"schema_version": 1}', b'{"host": 3}', b'{"schema_version": 99}'):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"machine\.json"):
            wire.read_recorded(path)


@pytest.mark.parametrize("sign", ["\\u001b", "\\u001B", "\\u0007", "\\u009b", "\\u007f", "\x7f", "\x9b"])
def test_no_text_of_a_file_commands_the_terminal(sign: str, tmp_path: Path) -> None:
    """A name could clear the screen or change the window's title; what it says otherwise stays."""
    name = enough().machine.host.cpu.name
    hostile = REPORT.replace(name.encode(), f"{name} {sign}[2J".encode())
    assert wire.decode_report(hostile).machine.host.cpu.name == f"{name} \ufffd[2J"
    path = tmp_path / "machine.json"
    path.write_bytes(wire.encode(enough().machine).replace(name.encode(), f"{name} {sign}[2J".encode()))
    assert wire.read_recorded(path).host.cpu.name == f"{name} \ufffd[2J"  # type: ignore[union-attr]


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=60) | st.just("C:\\u001b \t\n"))
def test_other_texts_of_a_file_stay(text: str) -> None:
    """Whatever script they are in; a folder that begins with u001b is none."""
    report = msgspec.structs.replace(enough(), program_version=text)
    assert wire.decode_report(wire.encode(report)) == report


def test_a_wrong_value_does_not_break_the_sentence() -> None:
    """It is repeated in one line."""
    hostile = REPORT.replace(b'"discrete"', b'"dis\\ncrete \\u001b[2J"')
    with pytest.raises(InputError) as refusal:
        wire.decode_report(hostile)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("sign", ["\\u202e", "\\u2066", "\\u200F", "\\u061c", "\u202e", "\u2069", "\u200e"])
def test_no_text_of_a_file_turns_the_direction_of_writing(sign: str) -> None:
    """What is read would be another text than what is there."""
    named = REPORT.replace(b'"title": "', f'"title": "{sign}'.encode(), 1)
    assert named != REPORT
    assert b'"title": "' + "\N{REPLACEMENT CHARACTER}".encode() in wire.encode(wire.decode_report(named))


def test_what_scaling_wrote_comes_back_and_nothing_else() -> None:
    """A file of another kind is refused in a sentence."""
    from tests.unit.options.test_site_cluster import scaling

    assert wire.decode_scaling(wire.encode(scaling()), "x.json") == scaling()
    with pytest.raises(InputError, match="is not what --scaling wrote"):
        wire.decode_scaling(b"{", "x.json")
