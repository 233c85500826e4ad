"""Many computers: a folder chosen or dropped, the verdict shown and saved, mistakes said."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import msgspec
import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from advisor import wire
from advisor.fleet import Room
from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.fleet.page import FleetPage
from advisor.records.results.report import Report
from tests.gui.samples import FakeBackend
from tests.gui.test_pages import page
from tests.unit.fleet.build import machine

WAIT_MS = 20_000
JOBS = '[[job]]\nworkload = "simple_cnn"\ntitle = "First steps"\ndeadline_h = 24\n'


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """Two computers that nobody measured, and a file that is no report."""
    folder = tmp_path / "room"
    folder.mkdir()
    (folder / "a.json").write_bytes(wire.encode(machine()))
    (folder / "b.json").write_bytes(wire.encode(machine(card="NVIDIA GeForce RTX 3060")))
    (folder / "c.json").write_text("{")
    return folder


@pytest.fixture
def fleet(window: MainWindow) -> FleetPage:
    """The page as a visitor finds it."""
    return cast(FleetPage, page(window, "fleet"))


def test_a_folder_and_a_file_of_jobs_make_a_verdict(fleet: FleetPage, room: Path, qtbot: QtBot) -> None:
    """Whichever comes first; what was left out is named."""
    (room.parent / "jobs.toml").write_text(JOBS)
    fleet.take(room.parent / "jobs.toml")
    assert "jobs.toml" in fleet.state.text()
    fleet.take(room)
    qtbot.waitUntil(fleet.verdict.isVisible, timeout=WAIT_MS)
    assert fleet.verdict.text() == "They are enough: everybody gets every job done in time."
    assert fleet.lead.text().startswith("First steps: computers that are enough, 2 of 2")
    assert "c.json: not a report of this program" in fleet.notes.text()


def test_folder_and_jobs_dropped_together_both_count(fleet: FleetPage, room: Path, qtbot: QtBot) -> None:
    """Also where one of them comes while the other is judged; who has no label is called by the file on the screen."""
    (room.parent / "jobs.toml").write_text(JOBS)
    (room.parent / "others.toml").write_text(JOBS.replace("First steps", "Later steps"))
    fleet.take(room, room.parent / "jobs.toml")
    fleet.take(room.parent / "others.toml")
    qtbot.waitUntil(fleet.verdict.isVisible, timeout=WAIT_MS)
    assert fleet.lead.text().startswith("Later steps: computers that are enough, 2 of 2")
    assert fleet._room is not None
    assert {one.name for one in fleet._room.on_screen.computers} == {"a", "b"}
    assert {one.name for one in fleet._room.advice.computers} == {one.digest for one in fleet._room.advice.computers}


def test_without_jobs_everybody_has_the_usual_one(
    fleet: FleetPage, room: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The button asks for the folder; a cancelled question changes nothing."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "")
    fleet.choose.click()
    assert not fleet.verdict.isVisible()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(room))
    fleet.choose.click()
    assert not fleet.choose.isEnabled()
    qtbot.waitUntil(fleet.verdict.isVisible, timeout=WAIT_MS)
    assert fleet.choose.isEnabled()
    assert "2 computers" not in fleet.state.text()


@pytest.mark.parametrize("ending", ["html", "csv", "json"])
def test_the_page_is_saved(fleet: FleetPage, room: Path, qtbot: QtBot, ending: str) -> None:
    """The ending of the name says the format."""
    fleet.take(room)
    qtbot.waitUntil(fleet.save.isVisible, timeout=WAIT_MS)
    target = room.parent / f"page.{ending}"
    fleet.save_to(target)
    qtbot.waitUntil(target.exists, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: str(target) in fleet.state.text(), timeout=WAIT_MS)


def test_another_question_is_judged_at_the_next_visit(
    answered: MainWindow, room: Path, qtbot: QtBot, backend: FakeBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody does the job of the Advice page: of the one asked now, not of the one asked then."""
    fleet = cast(FleetPage, page(answered, "fleet"))
    asked: list[int] = []
    judge = backend.judge_room

    def counted(folder: Path, jobs: Path | None, like: Report | None, where: Mapping[str, str]) -> Room:
        asked.append(0 if like is None else like.workload.samples)
        return judge(folder, jobs, like, where)

    monkeypatch.setattr(backend, "judge_room", counted)
    fleet.take(room)
    qtbot.waitUntil(fleet.verdict.isVisible, timeout=WAIT_MS)
    answered.stack.open("advice")
    report = answered.answer_flow.report
    assert report is not None
    more = msgspec.structs.replace(report.workload, samples=report.workload.samples + 1)
    answered.answer_flow.answered.emit(msgspec.structs.replace(report, workload=more))
    assert len(asked) == 1
    answered.stack.open("fleet")
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=WAIT_MS)
    qtbot.waitUntil(fleet.choose.isEnabled, timeout=WAIT_MS)
    answered.stack.open("advice")
    answered.stack.open("fleet")
    assert len(asked) == 2


def test_an_empty_folder_is_said(fleet: FleetPage, tmp_path: Path, qtbot: QtBot) -> None:
    """The sentence says how to make reports."""
    fleet.take(tmp_path)
    qtbot.waitUntil(fleet.problem.isVisible, timeout=WAIT_MS)
    assert not fleet.verdict.isVisible()
    assert fleet.choose.isEnabled()


def test_another_language_rewrites_the_verdict(window: MainWindow, fleet: FleetPage, room: Path, qtbot: QtBot) -> None:
    """Nothing of it stays behind."""
    fleet.take(room)
    qtbot.waitUntil(fleet.verdict.isVisible, timeout=WAIT_MS)
    english = fleet.verdict.text()
    window.context.set_language("es")
    assert fleet.verdict.text() != english
