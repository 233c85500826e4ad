"""The look: colours from resources/style/themes.toml put into a Qt palette and a style sheet.

Must not know any page. Sizes follow the user's own font size.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication

from advisor.resource import resource_path

THEMES = ("system", "light", "dark", "contrast")
_REFERENCE_FONT_PX = 14
_MIDDLE_LIGHTNESS = 128


@dataclass(frozen=True, kw_only=True)
class Theme:
    """One set of colours.

    Attributes:
        name: ``light``, ``dark`` or ``contrast`` (white and yellow on black).
        colours: Hex colours by purpose, such as ``surface`` or ``here``.
        series: Colours of curves that stand for no option.
    """

    name: str
    colours: dict[str, str]
    series: tuple[str, ...]

    @property
    def is_dark(self) -> bool:
        """Whether light words stand on a dark ground."""
        return self.colour("window").lightness() < _MIDDLE_LIGHTNESS

    def colour(self, purpose: str) -> QColor:
        """Return a colour by its purpose."""
        return QColor(self.colours[purpose])

    def colour_of(self, code: str) -> QColor:
        """Return a colour by its hex code."""
        return QColor(code)


@cache
def load_theme(name: str) -> Theme:
    """Return the theme ``light``, ``dark`` or ``contrast``."""
    with resource_path("style", "themes.toml").open("rb") as file:
        rows = tomllib.load(file)[name]
    series = tuple(rows.pop("series"))
    return Theme(name=name, colours=rows, series=series)


def resolve_theme(choice: str) -> Theme:
    """Return the theme of a choice; ``system`` follows the desktop, its wish for high contrast first."""
    if choice == "system":
        hints = QApplication.styleHints()
        if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
            return load_theme("contrast")
        choice = "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"
    return load_theme(choice)


def apply_theme(application: QApplication, theme: Theme, font: QFont, text_scale: float = 1.0) -> None:
    """Dress the application in a theme, at the size of the user's own font, or so many times as large.

    A sheet in place of another makes Qt work out every widget several times; taking the old one off first, a quarter.
    """
    application.setStyleSheet("")
    application.setPalette(_palette(theme))
    application.setStyleSheet(_style_sheet(theme, font_pixels(font), text_scale))


def font_pixels(font: QFont) -> int:
    """Return the height of the user's font in pixels, never less than 12."""
    return max(12, QFontInfo(font).pixelSize())


def _style_sheet(theme: Theme, body_px: int, text_scale: float) -> str:
    scale = max(1.0, body_px / _REFERENCE_FONT_PX) * text_scale
    sizes = {"small": 12, "body": 14, "title": 18, "display": 28, "arrow": 12, "small_arrow": 10, "mark": 16}
    values = {name: str(round(size * scale)) for name, size in sizes.items()}
    for drawing in ("chevron", "chevron-up", "tick"):
        values[drawing.replace("-", "_")] = resource_path("icons", f"{drawing}-{theme.name}.svg").as_posix()
    template = Template(resource_path("style", "window.qss").read_text(encoding="utf-8"))
    return template.substitute(theme.colours, **values)


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: "window",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "sunken",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.Button: "raised",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "on_accent",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.ToolTipBase: "raised",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.PlaceholderText: "muted",
        QPalette.ColorRole.Accent: "accent",
    }
    for role, purpose in roles.items():
        palette.setColor(role, theme.colour(purpose))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, theme.colour("muted"))
    return palette
