"""The real headless program, as a user or a script starts it."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import psutil
import pytest

from advisor import wire
from advisor.catalog import presets
from advisor.records.results.report import Report
from tests.fakes.program import run, run_here

PRESETS = tuple(preset.workload.id for preset in presets())
CHECKED = "article_cnn"
"""Whose report is checked against the schema, which takes two seconds; small ones of all kinds are in
``tests/contract/test_report_schema.py``, and each is read by types as strict."""


@pytest.fixture(scope="module")
def preset_reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    """One report for each preset."""
    folder = tmp_path_factory.mktemp("presets")
    reports = {}
    for name in PRESETS:
        path = folder / f"{name}.json"
        done = run_here("--report", str(path), "--workload", name, "--suite", "none")
        assert done.returncode == 0, done.stderr
        reports[name] = wire.read_report(path)
        if name == CHECKED:
            jsonschema.Draft202012Validator(wire.report_schema()).validate(json.loads(path.read_bytes()))
    return reports


def test_every_preset_gets_an_answer(preset_reports: dict[str, Report]) -> None:
    """Each report says a tier, reasons and options, and is for the job asked."""
    for name, report in preset_reports.items():
        assert report.workload.id == name
        assert report.advice.reasons
        assert report.advice.options


def test_presets_do_not_all_end_in_the_same_tier(preset_reports: dict[str, Report]) -> None:
    """Small work stays here, training the largest networks from scratch needs a cluster."""
    tiers = {name: report.advice.tier for name, report in preset_reports.items()}

    assert tiers["classical_ml"] == "this_computer"
    assert tiers["simple_cnn"] == "this_computer"
    assert tiers["llm_70b_scratch"] == "cluster"
    assert len(set(tiers.values())) >= 3, tiers


def test_the_articles_network_has_its_parameters(preset_reports: dict[str, Report]) -> None:
    """The article prints 42,520,584."""
    network = preset_reports["article_cnn"].network

    assert network is not None
    assert network.parameters == 42_520_584


def test_the_result_is_on_stdout_and_the_progress_is_not() -> None:
    """A pipe gets the report alone."""
    done = run("--report", "--suite", "none", "--format", "json")

    assert json.loads(done.stdout)["schema_version"] == 1
    assert "Looking at this computer" in done.stderr


@pytest.mark.parametrize("ending", ["txt", "md", "html", "json"])
@pytest.mark.parametrize("code", ["en", "es"])
def test_every_form_in_every_language(tmp_path: Path, ending: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file's ending decides its form, the languages differ where people read, and nothing says whose it is."""
    home = tmp_path / "home-of-somebody"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LOGNAME", "user-somebody")
    path = tmp_path / f"report.{ending}"
    done = run_here("--report", str(path), "--suite", "none", "--lang", code)

    assert done.returncode == 0, done.stderr
    content = path.read_text(encoding="utf-8")
    if ending != "json":
        assert ("basta" in content) == (code == "es")
    assert home.name not in content
    assert "user-somebody" not in content


def test_a_report_goes_to_paper(tmp_path: Path) -> None:
    """As a file by its ending, and down a pipe by --format; the program itself never loads Qt."""
    path = tmp_path / "report.pdf"
    done = run("--report", str(path), "--suite", "none", "--gpu", "RTX 3060:12GB")
    assert done.returncode == 0, done.stderr
    assert path.read_bytes().startswith(b"%PDF-")

    command = [sys.executable, "-m", "advisor", "--report", "--suite", "none", "--format", "pdf"]
    piped = subprocess.run(command, capture_output=True, timeout=240, check=False)
    assert piped.returncode == 0, piped.stderr
    assert piped.stdout.startswith(b"%PDF-")


def test_how_sure_are_we() -> None:
    """In plain words first; in every format that is text."""
    assert "the program was typically" in " ".join(run_here("--how-sure").stdout.split())
    assert "el programa se desvió por lo general" in " ".join(run_here("--how-sure", "--lang", "es").stdout.split())
    assert run_here("--how-sure", "--format", "html").stdout.startswith("<!DOCTYPE html>")
    assert json.loads(run_here("--how-sure", "--format", "json").stdout)["rows"]
    refused = run_here("--how-sure", "--format", "pdf")
    assert refused.returncode == 2
    assert "html" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["--no-such-option"], "--no-such-option"),
        (["--report", "--workload", "no_such_network", "--suite", "none"], "no_such_network"),
        (["--report", "--workload", "missing.toml", "--suite", "none"], "missing.toml"),
        (["--report", "--machine", "missing.json"], "missing.json"),
        (["--report", "--gpu", "nonsense", "--suite", "none"], "nonsense"),
        (["--report", "--currency", "XXX", "--suite", "none"], "XXX"),
        (["--predict", "resnet50", "--on", "RTX 9999"], "RTX 9999"),
        (["--report", "--lang", "fr"], "fr"),
    ],
)
def test_wrong_input_gets_one_sentence_and_status_2(arguments: list[str], hint: str) -> None:
    """The sentence names what is wrong; nothing is on stdout, no traceback anywhere."""
    done = run(*arguments) if "--no-such-option" in arguments else run_here(*arguments)

    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_report_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    """A missing folder is said before anything is measured."""
    done = run("--report", str(tmp_path / "no" / "folder.json"))

    assert done.returncode in (1, 2)
    assert "folder" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_heavy_libraries_stay_out_of_the_headless_face() -> None:
    """The headless program loads neither torch, the worker's, nor Qt, the window's."""
    code = (
        "import sys; from advisor.cli import main; main(['--report', '--suite', 'none']);"
        "sys.exit(any(name.split('.')[0] in ('torch', 'PySide6', 'pyqtgraph') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=False)

    assert done.returncode == 0, done.stderr


def test_advice_for_a_machine_from_a_report(tmp_path: Path) -> None:
    """A report is advised upon elsewhere, for another job, and says that nothing was measured here."""
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    run_here("--report", str(first), "--suite", "none", "--gpu", "RTX 3060:12GB")
    done = run_here("--report", str(second), "--machine", str(first), "--workload", "bert_finetuning")

    assert done.returncode == 0, done.stderr
    report = wire.read_report(second)
    assert report.is_simulated
    assert [card.name for card in report.machine.accelerators if card.trains] == ["RTX 3060"]


@pytest.mark.torch
def test_an_interrupt_ends_the_worker_and_writes_nothing(tmp_path: Path) -> None:
    """Ctrl-C in mid-measurement: status 130, no report, no process left."""
    path = tmp_path / "report.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "advisor", "--report", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    family = _wait_for_children(process.pid)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=240)

    assert process.returncode == 130, said
    assert not path.exists()
    gone, alive = psutil.wait_procs(family, timeout=60)
    assert not alive, gone


def _wait_for_children(pid: int) -> list[psutil.Process]:
    deadline_s = time.monotonic() + 240
    while time.monotonic() < deadline_s:
        children = psutil.Process(pid).children(recursive=True)
        if children:
            return children
        time.sleep(0.05)
    raise AssertionError("the worker did not start")
