"""What the program is made of, and the licences of what it brings along."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

from advisor import __version__
from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, Card, button, label
from advisor.resource import resource_path

_TEXT_HEIGHT = 26 * GRID


class AboutCard(Card):
    """The program, and the licences of what it brings along."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.title = label("title")
        self.version = label("body", selectable=True)
        self.licence = label("body")
        self.toggle = button("link", self._on_toggle)
        self.texts = QPlainTextEdit()
        self.texts.setReadOnly(True)
        self.texts.setFixedHeight(_TEXT_HEIGHT)
        self.texts.hide()
        for widget in (self.title, self.version, self.licence):
            self.body.addWidget(widget)
        self.body.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.texts)
        self.toggle.setVisible(bool(licence_files()))
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _on_toggle(self) -> None:
        if not self.texts.toPlainText():
            parts = (f"{path.stem}\n\n{path.read_text('utf-8', 'replace')}" for path in licence_files())
            self.texts.setPlainText("\n\n\n".join(parts))
        self.texts.setVisible(self.texts.isHidden())
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.title.setText(_("About"))
        self.version.setText(
            _("Version {version}. It sends nothing about you or this computer.").format(version=__version__)
        )
        self.licence.setText(_("Licence: MIT. Qt for Python is used under the LGPL."))
        self.toggle.setText(_("Hide the licences") if not self.texts.isHidden() else _("Licences of what is included"))
        self.toggle.setAccessibleDescription(_("Shows the texts of the licences here, or hides them"))
        self.texts.setAccessibleDescription(_("Texts of the licences, to be read"))
        self.texts.setAccessibleName(_("Licences of what is included"))


def licence_files() -> list[Path]:
    """Return the licences that the installed program carries; none in a checkout."""
    folder = resource_path("licences")
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
