"""Reports from elsewhere may hold any number: each is refused in a sentence, or everything made of it is made."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import wire
from advisor.cli import main
from advisor.errors import AdvisorError, InputError
from advisor.gui.models.verdict import verdict_view
from advisor.locale import language
from advisor.records.request import Observation
from advisor.records.results.history_entry import summarise
from advisor.records.results.measured.measurement import Benchmark
from advisor.records.results.report import Report
from advisor.report.documents.comparison import comparison_text
from advisor.report.formats.text import text_report
from advisor.session.forecast import conclude
from advisor.session.run import compare_reports
from tests.unit.report.samples import enough

RECORDED = Path(__file__).parents[2] / "data" / "sessions" / "full_two_cores.json"
ENGLISH = language("en")
Place = tuple[str | int, ...]


def recorded() -> Report:
    """Return a report with one measurement of each kind, as a real computer made them."""
    benchmark = msgspec.json.decode(RECORDED.read_bytes(), type=Benchmark)
    of_kinds = {one.case.program: one for one in benchmark.measurements}
    benchmark = msgspec.structs.replace(benchmark, measurements=tuple(of_kinds.values()))
    return msgspec.structs.replace(enough(), benchmark=benchmark)


REPORT = recorded()
DOCUMENT: dict[str, Any] = json.loads(wire.encode(REPORT))


def places(node: Any, place: Place = ()) -> Iterator[Place]:
    """Yield where the numbers of a document are, those that are not known among them."""
    if isinstance(node, dict):
        for name, value in node.items():
            yield from places(value, (*place, name))
    elif isinstance(node, list):
        for index, value in enumerate(node[:2]):
            yield from places(value, (*place, index))
    elif node is None or (isinstance(node, (int, float)) and not isinstance(node, bool)):
        yield place


def changed(place: Place, value: object) -> bytes:
    """Return the report with another value in one place."""
    document = json.loads(json.dumps(DOCUMENT))
    node: Any = document
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    return json.dumps(document).encode()


PLACES = [*places(DOCUMENT["benchmark"], ("benchmark",)), *places(DOCUMENT["machine"], ("machine",))]
ASKED_AND_ANSWERED = [
    place for part in ("workload", "circumstances", "advice") for place in places(DOCUMENT[part], (part,))
]
NONSENSE = st.sampled_from([0, -1, 5e-324, 1e-12, 9e20, 1e308, 2**53]) | st.floats(
    allow_nan=False, allow_infinity=False
)
ANSWER: Place = ("advice", "options", 0)
FIRST: Place = ("benchmark", "measurements", 0)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(PLACES), NONSENSE)
def test_any_number_is_refused_or_reckoned_with(place: Place, value: float) -> None:
    """Comparing, advising for the computer of the report, and printing end in nothing but a sentence."""
    with suppress(AdvisorError):
        report = wire.decode_report(changed(place, value))
        for first, second in ((REPORT, report), (report, REPORT)):
            comparison_text(first, second, compare_reports(first, second), ENGLISH)
        seen = Observation(machine=report.machine, benchmark=report.benchmark, is_simulated=True)
        assert text_report(conclude(seen, REPORT.workload, REPORT.circumstances), ENGLISH)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(ASKED_AND_ANSWERED), NONSENSE)
def test_any_number_of_the_answer_is_refused_or_shown(place: Place, value: float) -> None:
    """In a terminal, in the window and in the list of past checks, in both languages."""
    with suppress(AdvisorError):
        report = wire.decode_report(changed(place, value))
        for spoken in (ENGLISH, language("es")):
            assert text_report(report, spoken)
            assert verdict_view(report, spoken).answer.headline.text
        assert summarise(report).created_at


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((*FIRST, "median_s"), 0),
        ((*FIRST, "median_s"), -0.5),
        ((*FIRST, "median_s"), 1e10),
        ((*FIRST, "samples_s"), []),
        ((*FIRST, "samples_s", 0), 0),
        ((*FIRST, "iqr_s"), -1),
        ((*FIRST, "pace_s"), 0),
        ((*FIRST, "case", "batch_size"), 0),
        ((*FIRST, "items_per_iteration"), 0),
        ((*FIRST, "flop_per_s"), 1e308),
        (("currency_per_usd",), 0),
        (("circumstances", "budget_usd"), -5),
        (("circumstances", "budget_usd"), 1e308),
        (("circumstances", "budget_usd"), "NaN"),
        (("circumstances", "budget_usd"), 10**4000),
        (("circumstances", "deadline_s"), 0),
        (("circumstances", "runs_per_month"), 5e-324),
        (("circumstances", "horizon_months"), 1e308),
        (("circumstances", "currency"), "euros"),
        (("circumstances", "currency"), "EUR\n"),
        (("circumstances", "country"), "es"),
        (("workload", "epochs"), 1e308),
        (("workload", "batch_size"), 0),
        ((*ANSWER, "purchase_usd"), -1),
        ((*ANSWER, "run_s"), 5e-324),
        ((*ANSWER, "horizon_usd"), 1e308),
        ((*ANSWER, "prediction", "time_per_step_s"), 0),
    ],
)
@pytest.mark.parametrize("option", ["--compare", "--machine"])
def test_a_nonsensical_measurement_is_wrong_input(
    option: str, place: Place, value: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2 and one line that names the file; nothing on stdout."""
    path = tmp_path / "foreign.json"
    path.write_bytes(changed(place, value))
    argv = [option, str(path), *([str(path)] if option == "--compare" else ["--report"])]
    assert main(argv) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("foreign.json is not a valid report: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("written", ["NaN", "Infinity", "1e999999", "1" * 5000, "-" + "9" * 5000])
@pytest.mark.parametrize("field", ["budget_usd", "deadline_s", "units_per_usd"])
def test_what_no_number_holds_is_wrong_input(
    field: str, written: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as one of 5,000 digits, which Python itself refuses to read."""
    path = tmp_path / "foreign.json"
    path.write_bytes(changed(("circumstances", field), "here").replace(b'"here"', written.encode()))
    assert main(["--compare", str(path), str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("foreign.json is not a ")
    assert said.err.count("\n") == 1
    assert len(said.err) < 300


@pytest.mark.parametrize("line", ['"\\u001b[2J\\n" = 1', 'precision = "\\u009b2J\\nfp32"', 'title = "\\u001b]0;x"'])
def test_no_sentence_commands_the_terminal(line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It repeats what is wrong in a file of settings, in one line."""
    path = tmp_path / "foreign.toml"
    path.write_text(f'[workload]\nnetwork = "resnet50"\nsamples = 10\nbatch_size = 2\n{line}\n', encoding="utf-8")
    assert main(["--report", "--suite", "none", "--workload", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("foreign.toml: ")
    assert said.removesuffix("\n").isprintable()


@pytest.mark.parametrize("is_most", [True, False])
def test_a_question_at_its_limits_makes_a_report_that_opens(*, is_most: bool) -> None:
    """The limits of answers leave alone what the limits of questions lead to."""
    workload = {"samples": 10**13, "epochs": 1e6, "batch_size": 1} if is_most else {"samples": 1, "epochs": 0.001}
    circumstances = (
        {"runs_per_month": 1e5, "horizon_months": 600, "deadline_s": 1e10, "budget_usd": 1e12}
        if is_most
        else {"runs_per_month": 0.001, "horizon_months": 0.1, "deadline_s": 1, "budget_usd": 0}
    )
    report = conclude(
        Observation(machine=REPORT.machine, benchmark=REPORT.benchmark),
        msgspec.structs.replace(REPORT.workload, steps_per_epoch=None, **workload),
        msgspec.structs.replace(REPORT.circumstances, **circumstances),
    )
    assert wire.decode_report(wire.encode(report)) == report
    assert text_report(report, ENGLISH)


def test_what_was_recorded_opens() -> None:
    """The limits leave alone what real computers measured, and reports without what later versions add."""
    benchmark = msgspec.json.decode(RECORDED.read_bytes(), type=Benchmark)
    whole = msgspec.structs.replace(REPORT, benchmark=benchmark)
    assert wire.decode_report(wire.encode(whole)) == whole
    older = json.loads(wire.encode(whole))
    for measured in older["benchmark"]["measurements"]:
        del measured["pace_s"], measured["telemetry"], measured["series"]
    assert wire.decode_report(json.dumps(older).encode()).benchmark is not None
    with pytest.raises(InputError):
        wire.decode_report(changed(FIRST, None))
