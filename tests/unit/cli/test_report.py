"""What a check from the command line leaves in the history."""

from pathlib import Path

import msgspec
import pytest

from advisor.cli import report as report_command
from advisor.cli.arguments import parse_arguments
from advisor.errors import OutputError
from advisor.history import History, history_path
from advisor.locale import language
from advisor.records.results.report import Report
from advisor.wire import read_report
from tests.unit.report.samples import every

EN = language("en")
CHECK: Report = next(report for report in every().values() if report.benchmark is not None and not report.is_simulated)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a data folder of its own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def report_with(monkeypatch: pytest.MonkeyPatch, report: Report, *options: str) -> int:
    """Run ``advisor --report`` as if measuring had given this report, and return the exit status."""
    monkeypatch.setattr(report_command, "run_session", lambda *_arguments: report)
    return report_command.run_report_command(parse_arguments(["--report", *options], EN), EN)


def test_a_check_of_this_computer_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window lists it, whole."""
    assert report_with(monkeypatch, CHECK) == 0
    history = History(history_path())
    [entry] = history.entries()
    assert entry.origin == "here"
    assert history.report(entry.id) == CHECK


@pytest.mark.parametrize(
    ("report", "options"),
    [
        (CHECK, ["--no-history"]),
        (msgspec.structs.replace(CHECK, is_simulated=True), []),
        (msgspec.structs.replace(CHECK, benchmark=None), []),
    ],
    ids=["not wanted", "another machine", "nothing measured"],
)
def test_what_is_no_check_is_not_kept(monkeypatch: pytest.MonkeyPatch, report: Report, options: list[str]) -> None:
    """Nor does the file of the history come into being."""
    assert report_with(monkeypatch, report, *options) == 0
    assert not history_path().exists()


def test_a_history_that_cannot_be_written_costs_a_sentence(
    monkeypatch: pytest.MonkeyPatch, data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report is made all the same, and the exit status is that of the report."""
    (data_folder / "advisor").write_text("in the way")
    assert report_with(monkeypatch, CHECK) == 0
    said = capsys.readouterr()
    assert "history" in said.err
    assert said.out


def test_a_failure_of_the_history_does_not_cost_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever the failure is, the report is in its file."""

    def fail(*_arguments: object) -> None:
        raise RuntimeError("a fault of the history")

    monkeypatch.setattr(History, "add", fail)
    with pytest.raises(RuntimeError):
        report_with(monkeypatch, CHECK, str(tmp_path / "out.json"))
    assert read_report(tmp_path / "out.json").created_at == CHECK.created_at


def test_a_report_that_cannot_be_written_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The disk may fill up while it is measured."""

    def fail(*_arguments: object) -> None:
        raise OutputError("The disk is full.")

    monkeypatch.setattr(report_command, "write_report", fail)
    with pytest.raises(OutputError):
        report_with(monkeypatch, CHECK, str(tmp_path / "out.json"))
    assert len(History(history_path()).entries()) == 1
