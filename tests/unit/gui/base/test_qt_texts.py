"""Qt's own words in the language of the window."""

import os
import subprocess
import sys

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from advisor.gui.base.context import Context
from advisor.locale import language


def test_the_dialog_for_files_speaks_the_language(qapp: QApplication) -> None:
    """Also where Qt's own translation lacks a text; what nobody translated stays as it is, and is no empty text."""
    context = Context(qapp, language("es"), "light")
    say = QCoreApplication.translate
    assert say("QFileDialog", "&Look in:") == "Buscar en:"
    assert say("QAbstractFileIconProvider", "Folder") == "Carpeta"
    assert say("QPlatformTheme", "Cancel") == "Cancelar"
    assert "archivo" in say("QFileDialog", "File &name:")
    assert "fichero" not in say("QFileDialog", "File &name:")
    assert say("QFileDialog", "Never heard of") == "Never heard of"

    context.set_language("en")
    assert say("QFileDialog", "&Look in:") in {"&Look in:", "Look in:"}


_COLLECTED_WHILE_QT_ASKS = """
import gc
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication
from advisor.gui.base import context
from advisor.locale import language

application = QApplication([])
old = context.Context(application, language("es"), "light")
old.itself = old  # garbage, not gone at once
gc.disable()
del old
asked = context._QtTexts.translate


def translate(self, *arguments):
    gc.collect()
    return asked(self, *arguments)


context._QtTexts.translate = translate
made = context.Context(application, language("es"), "light")
print(QCoreApplication.translate("QPlatformTheme", "Cancel"))
"""


def test_garbage_that_is_collected_while_qt_asks_for_a_text_stops_nothing() -> None:
    """The translator of a context that was gone waited for the lock of the one that was asked, for ever."""
    said = subprocess.run(
        [sys.executable, "-c", _COLLECTED_WHILE_QT_ASKS],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert said.stdout.strip() == "Cancelar"
