"""A card that folds."""

from PySide6.QtCore import QPoint, Qt
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


def test_a_click_beside_the_title_opens_too(window: MainWindow, qtbot: QtBot) -> None:
    """At the right of the words and at the lower edge nothing happened; a click on what is inside changes nothing."""
    card = FoldedCard(window.context)
    qtbot.addWidget(card)
    card.inside.addWidget(label("body"))
    card.name("What the articles say")
    card.resize(600, card.sizeHint().height())
    card.show()
    beside, inside = QPoint(card.width() - 5, 5), QPoint(card.width() - 5, card.height() - 5)

    for place, is_open in ((inside, True), (beside, False), (beside, True)):
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=place)
        assert card.toggle.isChecked() == is_open
    card.resize(600, card.sizeHint().height())
    qtbot.mouseClick(card._contents, Qt.MouseButton.LeftButton)
    assert card.toggle.isChecked()
