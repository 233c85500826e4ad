"""Every theme follows the same rules."""

import pytest

from advisor.gui.base.theme import THEMES, load_theme
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


@pytest.mark.parametrize("name", NAMED)
def test_the_four_answers_differ_without_colour_too(name: str) -> None:
    """No two of the four answers share a colour, nor their lightness and their shape at once."""
    theme = load_theme(name)
    assert len({theme.colours[kind] for kind in KINDS}) == 4
