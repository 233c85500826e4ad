"""The grid of the form's fields."""

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.pages.advice.question.field_grid import FieldGrid, Shape


class Ground(QWidget):
    """A widget with so many fields."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.grid = FieldGrid()
        self.setLayout(self.grid)
        for _number in range(count):
            self.grid.add(QLabel("Name"), QLineEdit())

    def turn(self, *shapes: Shape) -> int:
        """Let the fields stand in one shape after the other, and return the height of the last."""
        for shape in shapes:
            self.grid.set_shape(shape, [0] * shape.sides)
        return self.grid.sizeHint().height()


def test_a_grid_that_was_longer_leaves_no_gap(qtbot: QtBot) -> None:
    """Below the last field 50 pixels were empty: the rows of fields below each other kept their height."""
    fresh, turned = Ground(8), Ground(8)
    for ground in (fresh, turned):
        qtbot.addWidget(ground)
    assert turned.turn(Shape.BELOW, Shape.SINGLES, Shape.PAIRS) == fresh.turn(Shape.PAIRS)


@pytest.mark.parametrize("shape", [Shape.PAIRS, Shape.SINGLES])
def test_fields_that_go_leave_no_gap(qtbot: QtBot, shape: Shape) -> None:
    """Such as those of transformers, in a job of photos."""
    few, many = Ground(4), Ground(8)
    for ground in (few, many):
        qtbot.addWidget(ground)
    many.turn(shape)
    for box in many.grid.boxes()[4:]:
        many.grid.offer(box, is_asked=False)
    assert many.turn() == few.turn(shape)
