"""Every theme follows the same rules."""

from unittest import mock

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QLabel

from advisor.gui.base.context import Context
from advisor.gui.base.theme import THEMES, apply_theme, font_pixels, load_theme, resolve_theme
from advisor.locale import language
from tests.gui.test_window import contrast

NAMED = tuple(name for name in THEMES if name != "system")
KINDS = ("here", "buy", "rent", "cluster")


@pytest.mark.parametrize("name", NAMED)
def test_every_theme_names_the_same_colours(name: str) -> None:
    """A colour that one theme lacks would be found only by whoever uses that theme."""
    assert load_theme(name).colours.keys() == load_theme("light").colours.keys()
    assert len(load_theme(name).series) == len(load_theme("light").series)


def test_high_contrast_is_high() -> None:
    """Text stands out by 7 to 1 on every ground, edges and marks by 3 to 1 (WCAG 2.2, 1.4.6 and 1.4.11)."""
    theme = load_theme("contrast")
    grounds = ("window", "surface", "raised", "sunken", "accent_soft", "warning_soft", "error_soft")
    texts = ("text", "muted", "accent", "error", "warning", "good")
    weak = [
        (text, ground)
        for text in texts
        for ground in grounds
        if contrast(theme.colours[text], theme.colours[ground]) < 7.0
    ]
    assert weak == []
    assert contrast(theme.colours["on_accent"], theme.colours["accent"]) >= 7.0
    for edge in ("border", "strong_border", *KINDS):
        assert contrast(theme.colours[edge], theme.colours["surface"]) >= 3.0


@pytest.mark.parametrize("name", ["light", "dark"])
def test_words_and_marks_stand_out_in_every_theme(name: str) -> None:
    """Text by 4.5 to 1 on every ground it is written on, marks, curves and edges of fields by 3 to 1.

    WCAG 2.2, 1.4.3 and 1.4.11.
    """
    theme = load_theme(name)
    grounds = ("window", "surface", "raised", "sunken", "accent_soft", "warning_soft", "error_soft")
    pairs = {(text, ground): 4.5 for text in ("text", "muted") for ground in grounds}
    pairs |= {("accent", ground): 4.5 for ground in ("window", "surface", "raised", "sunken", "accent_soft")}
    pairs |= {("accent_hover", ground): 4.5 for ground in ("surface", "accent_soft")}
    pairs |= {(one, ground): 4.5 for one in ("warning", "error", "good") for ground in ("window", "surface")}
    pairs |= {("warning", "warning_soft"): 4.5, ("error", "error_soft"): 4.5}
    pairs |= {("on_accent", "accent"): 4.5, ("on_accent", "accent_hover"): 4.5}
    pairs |= {(mark, "surface"): 3.0 for mark in KINDS}
    pairs |= {("strong_border", ground): 3.0 for ground in ("window", "surface", "raised")}
    colours = theme.colours
    assert [
        (*pair, least) for pair, least in pairs.items() if contrast(colours[pair[0]], colours[pair[1]]) < least
    ] == []
    assert [code for code in theme.series if contrast(code, colours["surface"]) < 3.0] == []


@pytest.mark.parametrize("name", NAMED)
def test_the_four_answers_differ_without_colour_too(name: str) -> None:
    """No two of the four answers share a colour, nor their lightness and their shape at once."""
    theme = load_theme(name)
    assert len({theme.colours[kind] for kind in KINDS}) == 4


def test_texts_grow_with_the_users_choice(qapp: QApplication) -> None:
    """Half as large again is that for words of every kind, and nothing else changes the size."""
    before = qapp.styleSheet()
    context = Context(qapp, language("en"), "light", text_percent=150)
    try:
        context.apply_theme()
        large = QLabel("advisor")
        large.ensurePolished()
        large_px = large.font().pixelSize()
        assert "QCheckBox::indicator { width: 24px" in qapp.styleSheet()  # a box to tick, as its words
        context.set_text_percent(100)
        usual = QLabel("advisor")
        usual.ensurePolished()
        assert large_px == pytest.approx(1.5 * usual.font().pixelSize(), abs=1)
    finally:
        qapp.setStyleSheet(before)


def test_a_theme_colours_what_no_sheet_reaches(qapp: QApplication) -> None:
    """Windows, texts and what is chosen, and quiet words where a control is off."""
    sheet, palette = qapp.styleSheet(), QPalette(qapp.palette())
    theme = load_theme("dark")
    try:
        apply_theme(qapp, theme, QFont())
        worn = qapp.palette()
        assert worn.color(QPalette.ColorRole.Window) == theme.colour("window")
        assert worn.color(QPalette.ColorRole.Highlight) == theme.colour("accent")
        assert worn.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text) == theme.colour("muted")
    finally:
        qapp.setPalette(palette)
        qapp.setStyleSheet(sheet)


@pytest.mark.parametrize(
    ("contrasts", "scheme", "name"),
    [
        (Qt.ContrastPreference.NoPreference, Qt.ColorScheme.Dark, "dark"),
        (Qt.ContrastPreference.NoPreference, Qt.ColorScheme.Light, "light"),
        (Qt.ContrastPreference.NoPreference, Qt.ColorScheme.Unknown, "light"),
        (Qt.ContrastPreference.HighContrast, Qt.ColorScheme.Dark, "contrast"),
    ],
)
def test_the_desktops_wish_is_followed(
    monkeypatch: pytest.MonkeyPatch, contrasts: Qt.ContrastPreference, scheme: Qt.ColorScheme, name: str
) -> None:
    """High contrast comes before dark; a theme chosen here before both."""
    hints = mock.Mock()
    hints.accessibility().contrastPreference.return_value = contrasts
    hints.colorScheme.return_value = scheme
    monkeypatch.setattr(QApplication, "styleHints", lambda: hints)
    assert resolve_theme("system").name == name
    assert resolve_theme("light").name == "light"


def test_texts_have_a_least_size(qapp: QApplication) -> None:
    """A desktop set to tiny letters still gets 12 pixels."""
    font = QFont(qapp.font())
    font.setPixelSize(5)
    assert font_pixels(font) == 12
    font.setPixelSize(30)
    assert font_pixels(font) == 30
