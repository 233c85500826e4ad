"""``advisor --fleet`` from the folder to the page."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import jsonschema
import pytest

from advisor import wire
from advisor.cli import main
from tests.unit.fleet.build import machine


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder with one computer that nobody measured, and a file that is no report."""
    folder = tmp_path / "room"
    folder.mkdir()
    (folder / "pc-of-ana.json").write_bytes(wire.encode(machine()))
    (folder / "broken-\x1b.json").write_text("{")
    return folder


def test_a_page_on_the_screen(room: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The question comes first, and what was left out is named beside it."""
    assert main(["--lang", "en", "--fleet", str(room), "--workload", "simple_cnn"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("Are these computers enough? 1 computer, 1 job.")
    assert "broken-\N{REPLACEMENT CHARACTER}.json: not a report of this program" in err


def test_json_follows_its_schema_and_names_no_file(
    room: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """File names may be names of hosts and users, also those in an archive; so may what a damaged file says."""
    with zipfile.ZipFile(room / "more.zip", "w") as archive:
        archive.writestr("laptop-of-ana.json", b"{" + bytes(100))
    packed = (room / "more.zip").read_bytes()
    (room / "more.zip").write_bytes(packed.replace(b"{" + bytes(100), b"[" + bytes(100)))
    seen = json.loads(wire.encode(machine()))
    seen["host"]["form_factor"] = "laptop-of-ana"
    (room / "odd.json").write_text(json.dumps(seen))
    assert main(["--schema", "fleet"]) == 0
    schema = json.loads(capfd.readouterr().out)
    assert main(["--lang", "en", "--fleet", str(room), "--out", str(tmp_path / "fleet.json")]) == 0
    written = (tmp_path / "fleet.json").read_text()
    jsonschema.validate(json.loads(written), schema)
    assert "in it is pc-of-ana, which has no label." in capfd.readouterr().err
    assert "ana" not in written
    assert "broken" not in written


@pytest.mark.parametrize("ending", ["html", "md", "txt", "csv"])
def test_a_page_in_a_file(room: Path, tmp_path: Path, ending: str) -> None:
    """The ending of the name chooses the format."""
    target = tmp_path / f"fleet.{ending}"
    assert main(["--fleet", str(room), "--out", str(target)]) == 0
    assert target.stat().st_size > 100


@pytest.mark.slow
def test_a_page_for_paper(room: Path, tmp_path: Path) -> None:
    """A PDF is laid out by the process that prints reports."""
    assert main(["--fleet", str(room), "--out", str(tmp_path / "fleet.pdf")]) == 0
    assert (tmp_path / "fleet.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fleet", "nowhere"], "nowhere is not a folder"),
        (["--fleet", ".", "--out", "fleet.doc"], "does not say its format"),
        (["--fleet", ".", "--jobs", "none.toml"], "none.toml cannot be read"),
        (["--fleet", ".", "--format", "pdf"], "--out"),
        (["--jobs", "jobs.toml"], "belongs to --fleet"),
        (["--report", "--label", "x" * 101], "longer than 100"),
    ],
)
def test_a_mistake_is_one_sentence(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Status 2 or an InputError, and one line that says what is wrong."""
    monkeypatch.chdir(tmp_path)
    assert main(["--lang", "en", *arguments]) == 2
    err = capfd.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_why_no_report_is_left_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Reports of another version are none that could be made anew by another command."""
    (tmp_path / "new.json").write_text('{"schema_version": 99}')
    assert main(["--lang", "en", "--fleet", str(tmp_path)]) == 2
    err = capfd.readouterr().err.splitlines()
    assert err[0] == "new.json: a report of another version of this program"
    assert err[1].startswith("There is no report of this program in ")


@pytest.mark.parametrize("tool", ["ansible", "slurm", "windows"])
def test_what_collects_reports_calls_this_program(tool: str, capfd: pytest.CaptureFixture[str]) -> None:
    """Each file makes a report with a label, and takes a partly measured one."""
    assert main(["--collect", tool]) == 0
    text = capfd.readouterr().out
    assert "--report" in text
    assert "--label" in text
    assert "3: a test failed" in text


@pytest.mark.slow
def test_the_file_for_slurm_runs_where_there_is_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The number of the task is the label."""
    assert main(["--collect", "slurm"]) == 0
    script, program = tmp_path / "slurm.sh", tmp_path / "program"
    script.write_text(capfd.readouterr().out)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m advisor "$@"\n')
    program.chmod(0o755)
    settings = {"ADVISOR": str(program), "ADVISOR_SUITE": "none", "SLURM_ARRAY_TASK_ID": "3"}
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **settings}
    subprocess.run(["sh", str(script)], cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert wire.read_report(tmp_path / "reports" / "task-3.json").label == "task 3"


def test_a_label_is_kept(tmp_path: Path) -> None:
    """The administrator names the computer; the program finds no name out."""
    target = tmp_path / "pc.json"
    assert main(["--report", str(target), "--suite", "none", "--label", "room 3, pc 7"]) == 0
    assert wire.read_report(target).label == "room 3, pc 7"
