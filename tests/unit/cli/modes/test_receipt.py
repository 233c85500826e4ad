"""``advisor --was-it-true``: what came of an earlier answer is told, measured and listed."""

import json
from pathlib import Path

import pytest

from advisor.cli.arguments import parse_arguments
from advisor.cli.modes import receipt as command
from advisor.errors import InputError
from advisor.history import History, history_path
from advisor.locale import language
from tests.gui.samples import sample_report
from tests.unit.session.test_receipt import rerun

EN = language("en")


@pytest.fixture(autouse=True)
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    """Return a history of one answer in a folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    made = History(history_path())
    made.add(sample_report())
    return made


def run(*options: str) -> int:
    """Run the command."""
    return command.run_receipt_command(parse_arguments(["--was-it-true", *options], EN), EN)


def test_what_it_took_is_kept_and_listed(history: History, capsys: pytest.CaptureFixture[str]) -> None:
    """The answer of 215 s took 4 minutes."""
    assert run("last", "--took", "4 min") == 0
    assert "12% longer than said" in capsys.readouterr().out
    [entry] = history.entries()
    assert [one.true_s for one in entry.receipts] == [240.0]
    assert run() == 0
    assert "1 prediction held" in capsys.readouterr().out
    assert run("--format", "json") == 0
    assert json.loads(capsys.readouterr().out)["record"]["count"] == 1


def test_the_job_is_measured_again(
    history: History, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The later check is kept beside what it says of the answer."""
    monkeypatch.setattr(command, "run_session", lambda *_arguments: rerun(1.05, created_at="2026-12-01T08:00:00+00:00"))
    assert run("1") == 0
    assert "measured again" in capsys.readouterr().out
    assert {entry.id: len(entry.receipts) for entry in history.entries()} == {1: 1, 2: 0}


def test_another_option_can_be_meant(history: History) -> None:
    """Who bought what was not recommended says so."""
    other = next(one for one in sample_report().advice.options if one.tier == "cloud" and one.run_s is not None)
    assert run("1", "--took", "10 min", "--ran-on", other.title) == 0
    assert history.entries()[0].receipts[0].option == other.id


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("7",), "no answer 7"),
        (("1", "--took", "soon"), "not a duration"),
        (("1", "--took", "1 h", "--ran-on", "x y"), "x y"),
    ],
)
def test_what_is_not_there_is_said(options: tuple[str, ...], said: str) -> None:
    """Nothing is kept for it."""
    with pytest.raises(InputError) as caught:
        run(*options)
    assert said in caught.value.sentence(EN.gettext)


def test_an_empty_history_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And no file comes into being for it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "empty"))
    assert run() == 0
    assert "The history is empty." in capsys.readouterr().out
    assert not history_path().exists()


@pytest.mark.parametrize(
    "options", [["--took", "1 h"], ["--was-it-true", "--took", "1 h"], ["--was-it-true", "1", "--ran-on", "here"]]
)
def test_options_without_their_answer_are_refused(options: list[str]) -> None:
    """Each says what it belongs to."""
    with pytest.raises(InputError):
        parse_arguments(options, EN)
