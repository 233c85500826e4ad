"""Qt's own words in the language of the window."""

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
