"""Settings and corrections: what is asked before it is done, what is kept, and what a user says is wrong."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import msgspec
import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.errors import InputError
from advisor.gui.app.main_window import MainWindow
from advisor.gui.base import desktop
from advisor.gui.base.settings import Settings, load_settings
from advisor.gui.base.tasks import Problem
from advisor.gui.pages.computer.page import ComputerPage
from advisor.gui.pages.live.page import LivePage
from advisor.gui.pages.settings import cards
from advisor.gui.pages.settings.cards import AboutCard, ConfirmButton, KeepingCard, PricesCard, licence_files
from advisor.gui.pages.settings.page import AS_SYSTEM, SettingsPage
from advisor.history import History
from advisor.records.hardware.device import RefreshProblem, RefreshResult
from advisor.records.hardware.machine import Machine
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, sample_machine
from tests.gui.test_pages import labels, page


def card_of(window: MainWindow, kind: type) -> object:
    """Open the settings and return a card of them."""
    settings = cast(SettingsPage, page(window, "settings"))
    return settings.findChild(kind)


def say_yes(asking: ConfirmButton, qtbot: QtBot) -> None:
    """Ask for something and agree."""
    assert asking.yes.isHidden()
    qtbot.mouseClick(asking.offer, Qt.MouseButton.LeftButton)
    assert asking.question.text()
    qtbot.mouseClick(asking.yes, Qt.MouseButton.LeftButton)


def test_prices_are_renewed_only_when_agreed(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """The age is shown; a connection is opened after the user agreed, and what was refused is said."""
    fetched: list[int] = []
    dates = {"aws": "2026-11-02", "gcp": "2026-11-20"}

    def refresh() -> RefreshResult:
        fetched.append(1)
        dates["aws"] = "2026-11-21"
        problem = RefreshProblem(provider="gcp", code="too_few", detail="3 of 900")
        return RefreshResult(renewed=("aws",), problems=(problem,), offer_count=9)

    backend.price_dates = lambda: dict(dates)  # type: ignore[method-assign]
    backend.refresh_prices = refresh  # type: ignore[method-assign]
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


def test_prices_that_cannot_be_used_are_named(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Beside the age of the prices: of whom, what is wrong, and what is used instead; nothing where all is well."""
    refused = {"gcp": "row 3 has no price"}
    backend.refused_prices = lambda: dict(refused)  # type: ignore[method-assign]

    def refresh() -> RefreshResult:
        refused.clear()
        return RefreshResult(renewed=("gcp",))

    backend.refresh_prices = refresh  # type: ignore[method-assign]
    window = open_window()
    prices = cast(PricesCard, card_of(window, PricesCard))
    qtbot.waitUntil(lambda: not prices.refused.isHidden(), timeout=WAIT_MS)
    assert prices.refused.text() == (
        "The prices of Google Cloud fetched earlier cannot be used (row 3 has no price); "
        "those that came with the program are."
    )
    said = prices.refused.text()
    window.context.set_language("es")
    assert said in prices.refused.text() != said  # what the tests take for Spanish adds signs to the English

    say_yes(prices.asking, qtbot)
    qtbot.waitUntil(prices.refused.isHidden, timeout=WAIT_MS)


def test_deleting_the_history_is_asked_first(answered: MainWindow, qtbot: QtBot, backend: FakeBackend) -> None:
    """Every check is gone for good after agreeing, and the history's page shows it."""
    qtbot.waitUntil(lambda: len(backend.history.entries()) == 1, timeout=WAIT_MS)
    keeping = cast(KeepingCard, card_of(answered, KeepingCard))
    say_yes(keeping.asking, qtbot)
    qtbot.waitUntil(lambda: keeping.outcome.text() == "The history is deleted.", timeout=WAIT_MS)
    answered.controllers.background.wait(WAIT_MS)
    settle()

    assert backend.history.entries() == ()


def test_folders_open_in_the_desktops_program(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder of the data is opened; where it is not there yet, the nearest one above."""
    opened: list[str] = []
    monkeypatch.setattr(desktop.Opener, "open", lambda _self, place: opened.append(place))
    keeping = cast(KeepingCard, card_of(window, KeepingCard))
    keeping.open_folder(tmp_path / "not" / "there")
    qtbot.mouseClick(keeping.data, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(keeping.logs, Qt.MouseButton.LeftButton)

    assert opened[0] == str(tmp_path)
    assert len(opened) == 3
    assert all(Path(each).is_dir() for each in opened)


@pytest.fixture
def opener(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Return what makes the desktop's own program a script."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")

    def make(script: str) -> None:
        path = tmp_path / "bin" / "xdg-open"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    return make


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt opens files")
@pytest.mark.parametrize("script", ["exit 3", "kill -9 $$"])
def test_a_folder_that_cannot_be_opened_is_named(
    window: MainWindow, qtbot: QtBot, opener: Callable[[str], None], tmp_path: Path, script: str
) -> None:
    """Where the desktop's program fails, the path stands there to be copied, also in another language."""
    opener(script)
    keeping = cast(KeepingCard, card_of(window, KeepingCard))
    keeping.open_folder(tmp_path)
    qtbot.waitUntil(lambda: not keeping.outcome.isHidden(), timeout=WAIT_MS)
    assert keeping.outcome.text() == f"It could not be opened; it is here: {tmp_path}"
    window.context.set_language("es")
    assert str(tmp_path) in keeping.outcome.text()

    opener(f'touch "{tmp_path}/opened"')
    keeping.open_folder(tmp_path)
    assert keeping.outcome.isHidden()
    qtbot.waitUntil((tmp_path / "opened").exists, timeout=WAIT_MS)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt opens files")
def test_a_desktop_without_such_a_program_is_named_at_once(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where there is no desktop at all, such as on a bare server, the path stands there too."""
    monkeypatch.setenv("PATH", str(tmp_path))
    keeping = cast(KeepingCard, card_of(window, KeepingCard))
    keeping.open_folder(tmp_path)
    assert str(tmp_path) in keeping.outcome.text()


def test_what_cannot_be_deleted_or_renewed_is_said_with_details(
    open_window: Opener, backend: FakeBackend, tmp_path: Path, qtbot: QtBot
) -> None:
    """Faults of both cards can be copied, and stay when the language changes."""

    def fail() -> RefreshResult:
        raise ValueError("no such list")

    backend.refresh_prices = fail  # type: ignore[method-assign]
    (tmp_path / "file").write_text("in the way")
    backend.history = History(tmp_path / "file" / "history.sqlite3")
    window = open_window()
    prices, keeping = cast(PricesCard, card_of(window, PricesCard)), cast(KeepingCard, card_of(window, KeepingCard))
    say_yes(prices.asking, qtbot)
    say_yes(keeping.asking, qtbot)
    qtbot.waitUntil(lambda: not prices.problem.isHidden() and not keeping.problem.isHidden(), timeout=WAIT_MS)
    assert prices.problem.sentence.text() == "The prices could not be renewed."
    assert keeping.problem.advice.text() == "The history could not be deleted."

    window.context.set_language("es")
    assert "The history could not be deleted." in keeping.problem.advice.text()
    prices.problem.copy_button.click()
    assert "ValueError: no such list" in QGuiApplication.clipboard().text()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt opens files")
def test_other_programs_do_not_inherit_our_libraries(
    monkeypatch: pytest.MonkeyPatch, opener: Callable[[str], None], tmp_path: Path, qtbot: QtBot
) -> None:
    """In the package, what opens a folder gets the library path the desktop has, not the package's."""
    noted = tmp_path / "noted"
    opener(f'echo "$1 <$LD_LIBRARY_PATH>" > "{noted}.part"; mv "{noted}.part" "{noted}"')
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/advisor/_internal")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/usr/local/lib")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    owner = QObject()
    unopened: list[str] = []
    opening = desktop.Opener(owner)
    opening.unopened.connect(unopened.append)

    opening.open("/some/folder")
    qtbot.waitUntil(noted.exists, timeout=WAIT_MS)
    assert noted.read_text() == "/some/folder </usr/local/lib>\n"
    qtbot.waitUntil(lambda: not opening.is_watching, timeout=WAIT_MS)
    assert unopened == []
    assert not desktop.start("no-such-program-at-all", [])


def test_elsewhere_qt_opens_files(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> None:
    """On Windows and macOS it knows at once whether it could."""
    could = iter([True, False])
    monkeypatch.setattr(desktop.QDesktopServices, "openUrl", lambda _url: next(could))
    owner = QObject()
    unopened: list[str] = []
    opening = desktop.Opener(owner, "win32")
    opening.unopened.connect(unopened.append)
    opening.open("/first")
    assert unopened == []
    opening.open("/second")
    assert unopened == ["/second"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt opens files")
def test_a_log_that_cannot_be_opened_is_named(window: MainWindow, qtbot: QtBot, opener: Callable[[str], None]) -> None:
    """Where the desktop opens no file, its path stands beside the problem until the next one."""
    opener("exit 4")
    window.problem.show_problem(Problem(error=None, details="x", file="/var/log/crash.txt"), "It went wrong.")
    assert window.problem.unopened.isHidden()
    window.problem.file_button.click()
    qtbot.waitUntil(lambda: not window.problem.unopened.isHidden(), timeout=WAIT_MS)
    assert window.problem.unopened.text().endswith("/var/log/crash.txt")
    window.problem.show_problem(Problem(error=None, details="y"), "Again.")
    assert window.problem.unopened.isHidden()


def test_licences_are_shown_where_there_are_some(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The installed program carries its licences; a checkout has none, and says only its own."""
    (tmp_path / "Qt.txt").write_text("GNU LESSER …", encoding="utf-8")
    monkeypatch.setattr(cards, "resource_path", lambda *parts: tmp_path)
    assert [path.stem for path in licence_files()] == ["Qt"]
    about = AboutCard(window.context)
    qtbot.addWidget(about)
    assert not about.toggle.isHidden()
    about.toggle.click()
    assert about.texts.toPlainText() == "Qt\n\nGNU LESSER …"

    monkeypatch.setattr(cards, "resource_path", lambda *parts: tmp_path / "none")
    assert licence_files() == []


def test_electricity_notices_and_rate_are_kept(window: MainWindow, qtbot: QtBot) -> None:
    """The user's own price counts in their currency, and each choice takes effect at once."""
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

    assert window.controllers.question.circumstances.electricity_usd_per_kwh == pytest.approx(0.25)
    assert (window.controllers.sensor_thread.interval_s, live.interval.currentData()) == (5.0, 5.0)
    kept = load_settings(window.settings.path)
    assert kept.electricity_usd_per_kwh == pytest.approx(0.25)
    assert (kept.notifies, kept.warns_before, kept.interval_s) == (False, False, 5.0)

    settings.electricity.setValue(0.0)
    settings.electricity.editingFinished.emit()
    assert window.controllers.question.circumstances.electricity_usd_per_kwh is None
    assert load_settings(window.settings.path).electricity_usd_per_kwh is None


def test_a_country_that_is_not_in_the_table_is_shown_as_what_is_counted_with(
    settings: Settings, open_window: Opener, qtbot: QtBot
) -> None:
    """Where currency and country are not known, dollars and the United States are shown, not nothing."""
    settings.currency, settings.country = "NGN", "NG"
    window = open_window()
    shown = cast(SettingsPage, page(window, "settings"))
    assert (shown.currency.currentData(), shown.country.currentData()) == ("USD", "US")
    assert shown.electricity.suffix().endswith("USD")

    shown.country.setCurrentIndex(shown.country.findData("ES"))
    shown.country.activated.emit(shown.country.currentIndex())

    kept = load_settings(settings.path)
    assert (kept.currency, kept.country) == ("USD", "ES")


def test_the_language_can_follow_the_system_again(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has chosen a language can leave the choice to the system once more."""
    monkeypatch.setenv("LANGUAGE", "es_MX")
    shown = cast(SettingsPage, page(window, "settings"))
    assert shown.language.currentData() == "en"
    shown.language.setCurrentIndex(shown.language.findData(AS_SYSTEM))
    shown.language.activated.emit(shown.language.currentIndex())

    assert window.context.language.code == "es"
    assert shown.language.itemText(0).startswith("⟦As the system")
    assert load_settings(window.settings.path).language_code is None


def test_first_settings_are_those_of_the_persons_country(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Germany the words are English, money and electricity German; a kept choice counts before that."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_MONETARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    settings = load_settings(tmp_path / "window.ini")
    assert (settings.currency, settings.country, settings.spoken().code) == ("EUR", "DE", "en")

    settings.language_code, settings.currency = "es", "USD"
    settings.save()
    again = load_settings(tmp_path / "window.ini")
    assert (again.currency, again.country, again.spoken().code) == ("USD", "DE", "es")


# --- a computer that was not read right ---


def correcting(backend: FakeBackend, asked: list[Sequence[str]]) -> None:
    """Let a backend take corrections of names; a name such as ``?`` is none."""

    def correct(overrides: Sequence[str]) -> Machine:
        asked.append(tuple(overrides))
        if any("?" in one for one in overrides):
            raise InputError("'{text}' describes no graphics card.", text=overrides[-1])
        machine = sample_machine()
        if not overrides:
            return machine
        card = msgspec.structs.replace(machine.accelerators[0], name=overrides[-1].partition("=")[2].partition(":")[0])
        return msgspec.structs.replace(machine, accelerators=(card, *machine.accelerators[1:]))

    backend.probe_corrected = correct  # type: ignore[method-assign]


def test_a_card_can_be_set_right(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Name and memory by hand reach the pages and the next check, are kept, and can be taken back."""
    asked: list[Sequence[str]] = []
    correcting(backend, asked)
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
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert backend.requests[-1].overrides == ("0=GeForce RTX 3060:12GB",)

    qtbot.mouseClick(card.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: load_settings(window.settings.path).overrides == (), timeout=WAIT_MS)


def test_a_correction_that_makes_no_sense_is_a_sentence(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot
) -> None:
    """What is not understood is said beside the field and not kept."""
    correcting(backend, [])
    window = open_window()
    computer = cast(ComputerPage, page(window, "computer"))
    qtbot.mouseClick(computer.correction.toggle, Qt.MouseButton.LeftButton)
    computer.correction.name.setText("?")
    qtbot.mouseClick(computer.correction.use, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not computer.correction.trouble.isHidden(), timeout=WAIT_MS)

    assert computer.correction.trouble.text().endswith("describes no graphics card.")
    assert load_settings(window.settings.path).overrides == ()


def test_a_kept_correction_holds_from_the_start(open_window: Opener, backend: FakeBackend, settings: object) -> None:
    """At the next start the computer is the corrected one."""
    correcting(backend, [])
    settings.overrides = ("0=GeForce RTX 3060:12GB",)  # type: ignore[attr-defined]  # the fixture's settings
    window = open_window()

    assert window.controllers.machine.machine is not None
    assert window.controllers.machine.machine.accelerators[0].name == "GeForce RTX 3060"


def test_settings_that_cannot_be_kept_are_said_once(window: MainWindow) -> None:
    """A file that cannot be written is a sentence, at the first choice and not at each."""
    window.settings.path = Path("/proc/nowhere/window.ini")
    for interval_s in (2.0, 5.0):
        window.settings.interval_s = interval_s
        window.settings.save()
        assert window.problem.isHidden() is (interval_s == 5.0)
        text, advice = window.problem.sentence.text(), window.problem.advice.text()
        window.problem.dismiss()

    assert text == "Your settings are not kept: their file cannot be written."
    assert advice == "What you choose holds until this window is closed."


def test_nothing_of_a_damaged_file_is_carried_along(tmp_path: Path) -> None:
    """What was never a choice is gone after the next save; what can be read stays."""
    path = tmp_path / "window.ini"
    path.write_bytes(b"[General]\ntheme=dark\n\x00\xff\x13garbage=\x80\x81\n[\xfe]\nmore=1\n")
    settings = load_settings(path)
    settings.save()

    assert settings.theme == load_settings(path).theme == "dark"
    assert "garbage" not in path.read_text(encoding="utf-8")
    assert "more" not in path.read_text(encoding="utf-8")
