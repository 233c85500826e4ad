"""What a check from the command line leaves in the history."""

from pathlib import Path

import msgspec
import pytest

from advisor.cli import report as report_command
from advisor.cli.arguments import parse_arguments
from advisor.history import History, history_path
from advisor.locale import language
from advisor.records.results.report import Report
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
