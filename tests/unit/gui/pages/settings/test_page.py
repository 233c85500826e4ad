"""Settings take effect at once and are kept."""

from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import TEXT_PERCENTS, Settings, load_settings
from advisor.gui.pages.live.page import LivePage
from advisor.gui.pages.settings.page import AS_SYSTEM, SettingsPage
from tests.gui.conftest import Opener, settle
from tests.gui.test_pages import page
from tests.unit.gui.widgets.test_fields import write


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

    write(settings.electricity, "0", qtbot)
    assert window.controllers.question.circumstances.electricity_usd_per_kwh == 0.0, "who pays nothing"
    assert load_settings(window.settings.path).electricity_usd_per_kwh == 0.0
    write(settings.electricity, "-5", qtbot)
    assert (settings.electricity.value(), settings.electricity.note) == (0.0, "At least 0.")

    settings.electricity.selectAll()
    qtbot.keyClick(settings.electricity, Qt.Key.Key_Delete)
    qtbot.keyClick(settings.electricity, Qt.Key.Key_Return)
    assert settings.electricity.text().startswith("the country's price (€0."), "which that is was told nowhere"
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
    assert (kept.currency, kept.country) == ("EUR", "ES")


def _choose(box: QComboBox, code: str) -> None:
    box.setCurrentIndex(box.findData(code))
    box.activated.emit(box.currentIndex())


def test_money_follows_the_country_until_it_is_chosen(window: MainWindow) -> None:
    """Whoever says to be in Spain counts in euros, unless they said in which money they count."""
    shown = cast(SettingsPage, page(window, "settings"))
    found = []
    for box, code in (
        (shown.country, "ES"),
        (shown.country, "BG"),
        (shown.country, "US"),
        (shown.currency, "EUR"),
        (shown.country, "ES"),
        (shown.currency, "USD"),
        (shown.country, "US"),
    ):
        _choose(box, code)
        kept = load_settings(window.settings.path)
        found.append((shown.currency.currentData(), kept.currency, kept.country))
    assert found == [
        ("EUR", "EUR", "ES"),
        ("EUR", "EUR", "BG"),
        ("USD", "USD", "US"),
        ("EUR", "EUR", "US"),
        ("EUR", "EUR", "ES"),
        ("USD", "USD", "ES"),
        ("USD", "USD", "US"),
    ]


def test_countries_are_sorted_in_each_language(window: MainWindow) -> None:
    """Another language puts them in another order; the one that was chosen stays."""
    shown = cast(SettingsPage, page(window, "settings"))
    _choose(shown.country, "ES")
    names = []
    for code in ("en", "es"):
        _choose(shown.language, code)
        names.append([shown.country.itemText(place) for place in range(shown.country.count())])
        assert shown.country.currentData() == "ES"
    assert names == [["Bulgaria", "Spain", "United States"], ["Bulgaria", "España", "Estados Unidos"]]


def test_the_language_can_follow_the_system_again(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has chosen a language can leave the choice to the system once more."""
    monkeypatch.setenv("LANGUAGE", "es_MX")
    shown = cast(SettingsPage, page(window, "settings"))
    assert shown.language.currentData() == "en"
    shown.language.setCurrentIndex(shown.language.findData(AS_SYSTEM))
    shown.language.activated.emit(shown.language.currentIndex())

    assert window.context.language.code == "es"
    assert shown.language.itemText(0).startswith("⟦Same as the system")
    assert load_settings(window.settings.path).language_code is None


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


def test_the_fields_of_all_cards_stand_below_each_other(window: MainWindow, qtbot: QtBot) -> None:
    """In large letters, too, and where they stood before once the letters are small again."""
    settings = cast(SettingsPage, page(window, "settings"))
    fields = (settings.language, settings.currency, settings.electricity, settings.interval)

    def places() -> set[int]:
        return {one.mapTo(settings, one.rect().topLeft()).x() for one in fields}

    qtbot.waitUntil(lambda: len(places()) == 1)
    before = places()
    for _again in range(2):  # once does not show it each time
        window.context.set_text_percent(175)
        qtbot.waitUntil(lambda: len(places()) == 1 and places() != before)
        window.context.set_text_percent(100)
        qtbot.waitUntil(lambda: places() == before)


def test_the_price_of_electricity_is_whole_in_the_largest_letters(window: MainWindow, qtbot: QtBot) -> None:
    """The field was as wide as for small ones: "untry's price ($0.18)"."""
    settings = cast(SettingsPage, page(window, "settings"))
    window.context.set_text_percent(TEXT_PERCENTS[-1])
    for size in ((1280, 800), (1024, 700)):
        window.resize(*size)
        qtbot.wait(30)
        line = settings.electricity.lineEdit()
        needed = line.fontMetrics().horizontalAdvance(settings.electricity.text())
        assert needed < line.width() - line.textMargins().left()
    window.context.set_text_percent(100)


def test_settings_open_at_their_top(window: MainWindow, qtbot: QtBot) -> None:
    """They opened where the last visit had ended."""
    settings = cast(SettingsPage, page(window, "settings"))
    settle()
    bar = settings.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    window.stack.open("advice")
    window.stack.open("settings")
    settle()
    assert bar.value() == 0


def test_choices_have_room_for_their_longest_words(window: MainWindow) -> None:
    """In large letters a currency and "the system's" were cut beside captions that left room below them."""
    settings = cast(SettingsPage, page(window, "settings"))
    window.resize(1024, 700)
    window.context.set_text_percent(175)
    for _turn in range(3):
        settle()
    boxes = [box for box in settings.findChildren(QComboBox) if box.isVisible()]
    cut = [box.currentText() for box in boxes if box.width() < min(box.sizeHint().width(), 42 * 8 * 1.75)]
    window.context.set_text_percent(100)  # the application keeps its letters for the tests that follow
    assert boxes
    assert not cut
