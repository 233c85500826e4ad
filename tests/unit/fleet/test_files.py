"""Files from many hands: what is a report counts, everything else is named and left out."""

import json
import os
import zipfile
from pathlib import Path

import msgspec
import pytest

from advisor import wire
from advisor.catalog import find_workload, network_of
from advisor.errors import InputError
from advisor.fleet import read_fleet
from advisor.fleet.matrix import cell
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.fleet import FleetJob, FleetMember
from advisor.records.results.measured.measurement import Benchmark
from advisor.session.forecast import conclude
from tests.unit.fleet.build import machine

RECORDED = Path(__file__).parents[2] / "data" / "sessions" / "full_two_cores.json"


@pytest.fixture(scope="module")
def report() -> bytes:
    """A report as the program writes it, its options left out."""
    made = conclude(Observation(machine=machine()), find_workload("simple_cnn").workload, Circumstances())
    return wire.encode(made)


def _labelled(report: bytes, label: str, created_at: str = "2026-11-22T10:00:00+00:00") -> bytes:
    return json.dumps({**json.loads(report), "label": label, "created_at": created_at}).encode()


def test_folder_archive_and_lines_say_the_same(tmp_path: Path, report: bytes) -> None:
    """Reports merge by copying, whatever holds them."""
    contents = {f"{n}.json": _labelled(report, f"pc {n}") for n in range(3)}
    folder = tmp_path / "room"
    (folder / "below").mkdir(parents=True)
    for name, content in contents.items():
        (folder / ("below" if name == "1.json" else "") / name).write_bytes(content)
    with zipfile.ZipFile(tmp_path / "room.zip", "w") as archive:
        for name, content in contents.items():
            archive.writestr(f"room/{name}", content)
    (tmp_path / "room.jsonl").write_bytes(b"\n".join(reversed([*contents.values(), b""])))
    found = [read_fleet(path).members for path in (folder, tmp_path / "room.zip", tmp_path / "room.jsonl")]
    assert found[0] == found[1] == found[2]
    assert sorted(one.label for one in found[0]) == ["pc 0", "pc 1", "pc 2"]


def test_each_bad_file_is_named_and_the_others_stand(tmp_path: Path, report: bytes) -> None:
    """Cut, nested, newer, huge, broken, linked, doubled: one of each, and the good one counts."""
    room = tmp_path / "room"
    room.mkdir()
    (room / "good.json").write_bytes(report)
    (room / "same.json").write_bytes(report)
    (room / "cut.json").write_bytes(report[: len(report) // 2])
    (room / "nested.json").write_bytes(b"[" * 100_000)
    (room / "newer.json").write_bytes(json.dumps({**json.loads(report), "schema_version": 99}).encode())
    with (room / "huge.json").open("wb") as file:
        file.truncate(2**30)
    (room / "broken.zip").write_bytes(b"PK\x03\x04 no archive")
    (room / "link.json").symlink_to(tmp_path / "elsewhere.json")
    (room / "loop").symlink_to(room)
    (room / "notes.txt").write_text("not looked at")
    odd = json.loads(report)
    odd["machine"]["host"]["memory"]["total_bytes"] = "1e308"
    (room / "odd.json").write_text(json.dumps(odd))
    found = read_fleet(room)
    assert len(found.members) == 1
    assert {(one.name, one.file.reason) for one in found.refused} == {
        ("same.json", "duplicate"),
        ("cut.json", "not_a_report"),
        ("nested.json", "not_a_report"),
        ("newer.json", "other_version"),
        ("huge.json", "too_large"),
        ("broken.zip", "unreadable"),
        ("link.json", "link"),
        ("loop", "link"),
        ("odd.json", "not_a_report"),
    }


def test_reports_one_after_the_other_in_one_file(tmp_path: Path, report: bytes) -> None:
    """`cat *.json > all.jsonl`, and the same by PowerShell, which writes UTF-16; what is between them is named."""
    reports = [msgspec.json.format(_labelled(report, f"pc {n}"), indent=2) + b"\n" for n in range(3)]
    (tmp_path / "plain.jsonl").write_bytes(b"".join([*reports, b"no report\n", reports[0][:-9]]))
    (tmp_path / "power.jsonl").write_bytes(b"".join(reports).decode().replace("\n", "\r\n").encode("utf-16"))
    plain, power = read_fleet(tmp_path / "plain.jsonl"), read_fleet(tmp_path / "power.jsonl")
    assert sorted(one.label for one in plain.members) == sorted(one.label for one in power.members)
    assert sorted(one.label for one in plain.members) == ["pc 0", "pc 1", "pc 2"]
    assert [one.file.reason for one in plain.refused] == ["not_a_report"] * 2
    assert not power.refused


def test_a_report_that_was_cut_off_takes_no_other_with_it(tmp_path: Path, report: bytes) -> None:
    """What follows it in a file of many begins anew."""
    reports = [msgspec.json.format(_labelled(report, f"pc {n}"), indent=2) + b"\n" for n in range(3)]
    cut = reports[1][: reports[1].rindex(b"\n", 0, len(reports[1]) // 2) + 1]
    (tmp_path / "all.jsonl").write_bytes(reports[0] + cut + reports[2])
    found = read_fleet(tmp_path / "all.jsonl")
    assert sorted(one.label for one in found.members) == ["pc 0", "pc 2"]
    assert [one.file.reason for one in found.refused] == ["not_a_report"]


def test_an_archive_with_a_damaged_file_gives_the_others(tmp_path: Path, report: bytes) -> None:
    """Packed data that were changed are found out by whoever unpacks them, in words of their own."""
    room = tmp_path / "room.zip"
    with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", _labelled(report, "a"))
        archive.writestr("b.json", _labelled(report, "b"))
        archive.writestr("c.json", _labelled(report, "c"), zipfile.ZIP_LZMA)
    content = bytearray(room.read_bytes())
    content[60:220] = bytes((7 * sign + 3) % 256 for sign in content[60:220])
    room.write_bytes(content)
    found = read_fleet(room)
    assert [one.label for one in found.members] == ["b"]
    assert {(one.name, one.file.reason) for one in found.refused} == {
        ("room.zip/a.json", "unreadable"),
        ("room.zip/c.json", "unreadable"),
    }


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="everything is open to root")
def test_a_folder_that_is_closed_is_named(tmp_path: Path, report: bytes) -> None:
    """Reports in it would be missing without a word."""
    (tmp_path / "a.json").write_bytes(report)
    (tmp_path / "closed").mkdir(mode=0)
    found = read_fleet(tmp_path)
    assert [(one.name, one.file.reason) for one in found.refused] == [("closed", "unreadable")]


def test_of_one_label_the_newest_counts(tmp_path: Path, report: bytes) -> None:
    """Whoever checks a computer again replaces its report."""
    for day in (21, 23, 22):
        (tmp_path / f"{day}.json").write_bytes(_labelled(report, "pc", f"2026-11-{day}T10:00:00+00:00"))
    found = read_fleet(tmp_path)
    assert [one.created_at[:10] for one in found.members] == ["2026-11-23"]
    assert [one.file.reason for one in found.refused] == ["duplicate", "duplicate"]


def test_a_check_that_was_judged_again_is_the_same_computer(tmp_path: Path, report: bytes) -> None:
    """Its advice for another job makes no second computer of it; the advice is not looked at."""
    begin, end = report.index(b'\n  "advice": '), report.index(b'\n  "findings": ')
    (tmp_path / "a.json").write_bytes(report)
    (tmp_path / "b.json").write_bytes(report[:begin] + b'\n  "advice": {},' + report[end:])
    found = read_fleet(tmp_path)
    assert len(found.members) == 1
    assert [one.file.reason for one in found.refused] == ["duplicate"]


def test_what_a_room_takes_of_a_report_tells_as_much_as_the_whole(tmp_path: Path) -> None:
    """Samples, sensors and profiles are nine tenths of a suite, and no part of a prediction."""
    benchmark = msgspec.json.decode(RECORDED.read_bytes(), type=Benchmark)
    jobs = [
        FleetJob(title=name, workload=find_workload(name).workload, runs_per_month=1.0, deadline_s=1e6)
        for name in ("article_cnn", "resnet50", "bert_finetuning")
    ]
    whole = FleetMember(digest="x", created_at="2026-11-22", machine=machine(), benchmark=benchmark)
    seen = Observation(machine=machine(), benchmark=benchmark)
    made = conclude(seen, find_workload("simple_cnn").workload, Circumstances())
    (tmp_path / "a.json").write_bytes(wire.encode(made))
    [taken] = read_fleet(tmp_path).members
    for job in jobs:
        network = network_of(job.workload)
        assert cell(taken, job, network) == cell(whole, job, network)
    assert taken.benchmark is not None
    assert not any(one.telemetry or one.profile or len(one.samples_s) > 1 for one in taken.benchmark.measurements)


def test_a_machine_alone_is_a_computer_that_nobody_measured(tmp_path: Path) -> None:
    """What ``--doctor --format json`` writes will do."""
    (tmp_path / "doctor.json").write_bytes(wire.encode(machine()))
    [found] = read_fleet(tmp_path).members
    assert found.benchmark is None


def test_no_command_to_a_terminal_passes(tmp_path: Path, report: bytes) -> None:
    """A label is text of others."""
    (tmp_path / "a.json").write_bytes(_labelled(report, "\x1b[31mpc"))
    [found] = read_fleet(tmp_path).members
    assert "\x1b" not in found.label


@pytest.mark.parametrize("name", ["missing", "empty", "file.txt"])
def test_nothing_to_read_is_one_sentence(tmp_path: Path, name: str) -> None:
    """No folder, an empty one, and a file of another kind."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file.txt").write_text("no report")
    with pytest.raises(InputError, match="report"):
        read_fleet(tmp_path / name)
