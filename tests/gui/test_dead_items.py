"""What Qt's binding must not know any longer when Qt has deleted it."""

import gc

import pytest
import shiboken6
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget, QWidgetItem
from pytestqt.qtbot import QtBot

from advisor.gui.widgets.basic import FlowLayout, button, put_in_reading_order


def known_items() -> list[QWidgetItem]:
    """Return the items of layouts that shiboken would still find by their address."""
    return [one for one in shiboken6.getAllValidWrappers() if type(one) is QWidgetItem]


@pytest.mark.parametrize("kind", [QVBoxLayout, FlowLayout])
def test_reading_order_leaves_no_item_behind(qtbot: QtBot, kind: type[QLayout]) -> None:
    """Else the next widget at the address of an item that Qt deleted ends the program when it is deleted."""
    whole, inner = QWidget(), QFrame()
    qtbot.addWidget(whole)
    layout, row = kind(), QHBoxLayout(inner)
    whole.setLayout(layout)
    for _number in range(3):
        row.addWidget(button("plain"))
    layout.addWidget(QLabel())
    layout.addWidget(inner)
    gc.collect()
    before = known_items()

    put_in_reading_order(whole)

    assert len(known_items()) == len(before)
