"""Settings and corrections: what is asked before it is done, what is kept, and what a person says is wrong."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.errors import InputError
from advisor.gui.pages.computer import ComputerPage
from advisor.gui.pages.live import LivePage
from advisor.gui.pages.settings import SettingsPage
from advisor.gui.settings import load_settings
from advisor.gui.widgets import settings_cards
from advisor.gui.widgets.settings_cards import AboutCard, AskFirst, KeepingCard, PricesCard, licence_files
from advisor.gui.window import MainWindow
from advisor.records.device import RefreshProblem, RefreshResult
from advisor.records.machine import Machine
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeCore, sample_machine
from tests.gui.test_pages import labels, page


def card_of(window: MainWindow, kind: type) -> object:
    """Open the settings and return a card of them."""
    settings = cast(SettingsPage, page(window, "settings"))
    return settings.findChild(kind)


def say_yes(asking: AskFirst, qtbot: QtBot) -> None:
    """Ask for something and agree."""
    assert asking.yes.isHidden()
    qtbot.mouseClick(asking.offer, Qt.MouseButton.LeftButton)
    assert asking.question.text()
    qtbot.mouseClick(asking.yes, Qt.MouseButton.LeftButton)


def test_prices_are_renewed_only_when_agreed(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """The age is shown; a connection is opened after the person agreed, and what was refused is said."""
    fetched: list[int] = []
    dates = {"aws": "2026-11-02", "gcp": "2026-11-20"}

    def refresh() -> RefreshResult:
        fetched.append(1)
        dates["aws"] = "2026-11-21"
        problem = RefreshProblem(provider="gcp", code="too_few", detail="3 of 900")
        return RefreshResult(renewed=("aws",), problems=(problem,), offer_count=9)

    plain = core.services
    core.services = lambda: dataclasses.replace(  # type: ignore[method-assign]
        plain(), price_dates=lambda: dict(dates), refresh_prices=refresh
    )
    window = open_window()
    prices = cast(PricesCard, card_of(window, PricesCard))
    qtbot.waitUntil(lambda: "Nov 2, 2026" in prices.age.text(), timeout=WAIT_MS)
    qtbot.mouseClick(prices.asking.offer, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(prices.asking.no, Qt.MouseButton.LeftButton)
    assert fetched == []

    say_yes(prices.asking, qtbot)
    qtbot.waitUntil(lambda: "Nov 21, 2026" in prices.age.text(), timeout=WAIT_MS)
    assert prices.outcome.text().startswith("The prices of 1 provider are new.")
    assert "gcp is too short (3 of 900)" in prices.outcome.text()


def test_deleting_the_history_is_asked_first(answered: MainWindow, qtbot: QtBot, core: FakeCore) -> None:
    """Every check is gone for good after agreeing, and the history's page shows it."""
    qtbot.waitUntil(lambda: len(core.history.entries()) == 1, timeout=WAIT_MS)
    keeping = cast(KeepingCard, card_of(answered, KeepingCard))
    say_yes(keeping.asking, qtbot)
    qtbot.waitUntil(lambda: keeping.outcome.text() == "The history is deleted.", timeout=WAIT_MS)
    answered.background.wait(WAIT_MS)
    settle()

    assert core.history.entries() == ()


def test_folders_open_in_the_desktops_program(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder of the data is opened; where it is not there yet, the nearest one above."""
    opened: list[str] = []

    class Desktop:
        """Takes note instead of opening."""

        @staticmethod
        def openUrl(url: object) -> None:  # noqa: N802 - Qt's own name
            """Note what is opened."""
            opened.append(url.toLocalFile())  # type: ignore[attr-defined]  # a QUrl

    monkeypatch.setattr(settings_cards, "QDesktopServices", Desktop)
    keeping = cast(KeepingCard, card_of(window, KeepingCard))
    keeping.open_folder(tmp_path / "not" / "there")
    qtbot.mouseClick(keeping.data, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(keeping.logs, Qt.MouseButton.LeftButton)

    assert opened[0] == str(tmp_path)
    assert len(opened) == 3
    assert all(Path(each).is_dir() for each in opened)


def test_licences_are_shown_where_there_are_some(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The installed program carries its licences; a checkout has none, and says only its own."""
    (tmp_path / "Qt.txt").write_text("GNU LESSER …", encoding="utf-8")
    monkeypatch.setattr(settings_cards, "resource_path", lambda *parts: tmp_path)
    assert [path.stem for path in licence_files()] == ["Qt"]
    about = AboutCard(window.context)
    qtbot.addWidget(about)
    assert not about.toggle.isHidden()
    about.toggle.click()
    assert about.texts.toPlainText() == "Qt\n\nGNU LESSER …"

    monkeypatch.setattr(settings_cards, "resource_path", lambda *parts: tmp_path / "none")
    assert licence_files() == []


def test_electricity_notices_and_rate_are_kept(window: MainWindow, qtbot: QtBot) -> None:
    """The person's own price counts in their currency, and each choice takes effect at once."""
    settings = cast(SettingsPage, page(window, "settings"))
    settings.currency.setCurrentIndex(settings.currency.findData("EUR"))
    settings.currency.activated.emit(settings.currency.currentIndex())
    settings.electricity.setValue(0.2)
    settings.electricity.editingFinished.emit()
    settings.notifies.setChecked(False)
    settings.warns.setChecked(False)
    live = cast(LivePage, page(window, "live"))
    settings.interval.setCurrentIndex(settings.interval.findData("5"))
    settings.interval.activated.emit(settings.interval.currentIndex())

    assert window.question.circumstances.electricity_usd_per_kwh == pytest.approx(0.25)
    assert (window.monitor.interval_s, live.interval.currentData()) == (5.0, 5.0)
    kept = load_settings(window.settings.path)
    assert kept.electricity_usd_per_kwh == pytest.approx(0.25)
    assert (kept.notifies, kept.warns_before, kept.interval_s) == (False, False, 5.0)

    settings.electricity.setValue(0.0)
    settings.electricity.editingFinished.emit()
    assert window.question.circumstances.electricity_usd_per_kwh is None
    assert load_settings(window.settings.path).electricity_usd_per_kwh is None


# --- a computer that was not read right ---


def correcting(core: FakeCore, asked: list[Sequence[str]]) -> None:
    """Let a core take corrections of names; a name such as ``?`` is none."""

    def correct(overrides: Sequence[str]) -> Machine:
        asked.append(tuple(overrides))
        if any("?" in one for one in overrides):
            raise InputError("'{text}' describes no graphics card.", text=overrides[-1])
        machine = sample_machine()
        if not overrides:
            return machine
        card = msgspec.structs.replace(machine.accelerators[0], name=overrides[-1].partition("=")[2].partition(":")[0])
        return msgspec.structs.replace(machine, accelerators=(card, *machine.accelerators[1:]))

    plain = core.services
    core.services = lambda: dataclasses.replace(plain(), correct=correct)  # type: ignore[method-assign]


def test_a_card_can_be_set_right(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """Name and memory by hand reach the pages and the next check, are kept, and can be taken back."""
    asked: list[Sequence[str]] = []
    correcting(core, asked)
    window = open_window()
    computer = cast(ComputerPage, page(window, "computer"))
    card = computer.correction
    qtbot.mouseClick(card.toggle, Qt.MouseButton.LeftButton)
    assert card.name.text() == "NVIDIA GeForce RTX 2060 Laptop GPU"
    card.name.setText("GeForce RTX 3060")
    card.memory.setValue(12.0)
    qtbot.mouseClick(card.use, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "GeForce RTX 3060" in labels(computer), timeout=WAIT_MS)

    assert asked == [("0=GeForce RTX 3060:12GB",)]
    assert load_settings(window.settings.path).overrides == ("0=GeForce RTX 3060:12GB",)
    assert "Set by hand: GeForce RTX 3060:12GB." in card.state.text()
    with qtbot.waitSignal(window.stopped, timeout=WAIT_MS):
        window.start_check()
    assert core.requests[-1].overrides == ("0=GeForce RTX 3060:12GB",)

    qtbot.mouseClick(card.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: load_settings(window.settings.path).overrides == (), timeout=WAIT_MS)


def test_a_correction_that_makes_no_sense_is_a_sentence(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """What is not understood is said beside the field and not kept."""
    correcting(core, [])
    window = open_window()
    computer = cast(ComputerPage, page(window, "computer"))
    qtbot.mouseClick(computer.correction.toggle, Qt.MouseButton.LeftButton)
    computer.correction.name.setText("?")
    qtbot.mouseClick(computer.correction.use, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not computer.correction.trouble.isHidden(), timeout=WAIT_MS)

    assert computer.correction.trouble.text().endswith("describes no graphics card.")
    assert load_settings(window.settings.path).overrides == ()


def test_a_kept_correction_holds_from_the_start(open_window: Opener, core: FakeCore, settings: object) -> None:
    """At the next start the computer is the corrected one."""
    correcting(core, [])
    settings.overrides = ("0=GeForce RTX 3060:12GB",)  # type: ignore[attr-defined]  # the fixture's settings
    window = open_window()

    assert window.machine is not None
    assert window.machine.accelerators[0].name == "GeForce RTX 3060"


def test_settings_that_cannot_be_kept_are_said_once(window: MainWindow) -> None:
    """A file that cannot be written is a sentence, at the first choice and not at each."""
    window.settings.path = Path("/proc/nowhere/window.ini")
    for interval_s in (2.0, 5.0):
        window.settings.interval_s = interval_s
        window.settings.save()
        assert window.problem.isHidden() is (interval_s == 5.0)
        text = window.problem.sentence.text()
        window.problem.dismiss()

    assert text == "Your settings are not kept: their file cannot be written."


def test_nothing_of_a_damaged_file_is_carried_along(tmp_path: Path) -> None:
    """What was never a choice is gone after the next save; what can be read stays."""
    path = tmp_path / "window.ini"
    path.write_bytes(b"[General]\ntheme=dark\n\x00\xff\x13garbage=\x80\x81\n[\xfe]\nmore=1\n")
    settings = load_settings(path)
    settings.save()

    assert settings.theme == load_settings(path).theme == "dark"
    assert "garbage" not in path.read_text(encoding="utf-8")
    assert "more" not in path.read_text(encoding="utf-8")
