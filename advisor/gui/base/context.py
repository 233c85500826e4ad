"""What every widget is given: the language and theme of the moment, and news when they change."""

import re
from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QLibraryInfo, QObject, QTranslator, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from advisor.gui.base.theme import Theme, apply_theme, resolve_theme
from advisor.locale import N_, Language
from advisor.locale import language as find_language

_QT_TEXTS = (N_("Look in:"), N_("Files of type:"), N_("Folder"), N_("File"), N_("%1 File"))
"""What Qt's own dialog for files says and Qt's own translations lack, without the marks of keys."""


_ONLY_OF_SPAIN = re.compile("fichero", re.IGNORECASE)


class _QtTexts(QTranslator):
    """Qt's own texts as Qt translates them, and ours where it does not; one for as long as the application lives.

    Qt locks its translators while it asks one, and this one is asked in Python, where garbage may be collected at any
    step: one that was collected there would wait for that lock, and the program for ever.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._language = find_language("en")

    def speak(self, language: Language) -> None:
        """Translate into another language from now on."""
        QApplication.removeTranslator(self)
        self._language = language
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if self.load(f"qtbase_{language.code}", folder):
            QApplication.installTranslator(self)

    def translate(self, context: str, text: str, about: str | None = None, n: int = -1) -> str | None:
        """Return a text of Qt in the language; None where nobody has it: an empty text would be shown as such."""
        found = super().translate(context, text, about or "", n)
        plain = text.replace("&", "")
        if found and self._language.code == "es":  # Qt's word is Spain's alone, and the one of its next line is not
            found = _ONLY_OF_SPAIN.sub(lambda word: "archivo" if word[0].islower() else "archivo".title(), found)
        return found or (self._language.gettext(plain) if plain in _QT_TEXTS and context.startswith("Q") else None)


class Context(QObject):
    """Language, theme and size of texts of the window.

    Attributes:
        text_scale: How many times as large as the desktop's texts those of the window are.

    Signals:
        language_changed: Texts must be set again.
        theme_changed: What is painted by hand must be painted again.
    """

    language_changed = Signal()
    theme_changed = Signal()

    def __init__(
        self,
        application: QApplication,
        spoken: Language,
        theme_choice: str = "system",
        find: Callable[[str], Language] = find_language,
        text_percent: int = 100,
    ) -> None:
        super().__init__()
        self._find = find
        self._application = application
        self._font = QFont(application.font())
        self._qt_texts = cast(_QtTexts | None, application.findChild(_QtTexts)) or _QtTexts(application)
        self.language = spoken
        self.theme_choice = theme_choice
        self.text_scale = text_percent / 100
        self.theme: Theme = resolve_theme(theme_choice)
        self._qt_texts.speak(spoken)
        hints = application.styleHints()
        hints.colorSchemeChanged.connect(self._on_scheme_changed)
        hints.accessibility().contrastPreferenceChanged.connect(self._on_scheme_changed)

    @property
    def gettext(self) -> Callable[[str], str]:
        """The translating function of the moment; bind it to ``_``."""
        return self.language.gettext

    def apply_theme(self) -> None:
        """Put the theme on everything there is.

        Called once the window is built: a style sheet that is there earlier is worked out again for every widget that
        gets a parent, which trebles the time to the first picture.
        """
        apply_theme(self._application, self.theme, self._font, self.text_scale)

    def set_language(self, code: str) -> None:
        """Speak another language from now on, or the same as it is written in another country."""
        found = self._find(code)
        if found is self.language:
            return
        self.language = found
        self._qt_texts.speak(found)
        self.language_changed.emit()

    def set_theme(self, choice: str) -> None:
        """Wear ``light``, ``dark``, ``contrast`` or the ``system``'s colours from now on."""
        self.theme_choice = choice
        theme = resolve_theme(choice)
        if theme is not self.theme:
            self.theme = theme
            self.apply_theme()
            self.theme_changed.emit()

    def set_text_percent(self, percent: int) -> None:
        """Write in another size from now on, in hundredths of the desktop's."""
        if percent / 100 != self.text_scale:
            self.text_scale = percent / 100
            self.apply_theme()
            self.theme_changed.emit()

    def _on_scheme_changed(self) -> None:
        if self.theme_choice == "system":
            self.set_theme("system")
