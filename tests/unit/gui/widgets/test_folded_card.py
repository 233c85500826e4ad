"""A card that folds."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.widgets.basic import label
from advisor.gui.widgets.folded_card import FoldedCard


def test_the_title_opens_and_closes_what_is_inside(window: MainWindow, qtbot: QtBot) -> None:
    """Folded at first; a click opens, the next one closes, and a screen reader hears the bare title."""
    card = FoldedCard(window.context)
    qtbot.addWidget(card)
    inside = label("body")
    card.inside.addWidget(inside)
    card.name("What would change this answer")
    card.show()

    assert not inside.isVisible()
    assert card.toggle.text() == "▸  What would change this answer"
    assert card.toggle.accessibleName() == "What would change this answer"
    qtbot.mouseClick(card.toggle, Qt.MouseButton.LeftButton)
    assert inside.isVisible()
    assert card.toggle.text().startswith("▾")
    qtbot.mouseClick(card.toggle, Qt.MouseButton.LeftButton)
    assert not inside.isVisible()
