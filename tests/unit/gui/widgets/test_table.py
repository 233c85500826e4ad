"""Texts of tables are shown as they are."""

import pytest
from PySide6.QtCore import QPersistentModelIndex, Qt

from advisor.gui.widgets.table import RowsModel, plain_tip
from advisor.report.provenance.record import Provenance


def test_a_tip_without_signs_of_html_stays_as_it_is() -> None:
    """Only what Qt could take for HTML is dressed."""
    assert plain_tip("3 minutes\n$5") == "3 minutes\n$5"
    assert plain_tip("a<b\nc") == "<span>a&lt;b<br>c</span>"


HEADER = ("Device", "Cost")
ROWS = (("B", "$2"), ("A", "$3"), ("C", "$1"))
KEYS = ((1.0, 2.0), (0.0, 3.0), (2.0, 1.0))


@pytest.fixture
def rows() -> RowsModel:
    """Return three rows whose second column holds numbers; where each comes from is named by its device."""
    made = RowsModel()
    made.show(
        HEADER,
        ROWS,
        numeric=frozenset({1}),
        keys=KEYS,
        origins=lambda row, _column: Provenance(title=ROWS[row][0], value=""),
    )
    return made


def test_numbers_stand_to_the_right(rows: RowsModel) -> None:
    """Their title as well; names stand to the left."""
    role = Qt.ItemDataRole.TextAlignmentRole
    sides = [Qt.AlignmentFlag(rows.data(rows.index(0, column), role)) for column in (0, 1)]
    titles = [Qt.AlignmentFlag(rows.headerData(column, Qt.Orientation.Horizontal, role)) for column in (0, 1)]
    assert [bool(side & Qt.AlignmentFlag.AlignRight) for side in sides] == [False, True]
    assert titles == sides


def test_what_is_chosen_and_where_a_number_comes_from_go_with_their_row(rows: RowsModel) -> None:
    """Sorted by cost, falling: a chosen cell, the row's source and its origin are those of the same device."""
    chosen = QPersistentModelIndex(rows.index(0, 0))
    rows.sort(1, Qt.SortOrder.DescendingOrder)
    assert [cells[0] for cells in rows.texts()[1:]] == ["A", "B", "C"]
    assert (chosen.row(), chosen.data()) == (1, "B")
    assert [rows.source_of(row) for row in range(3)] == [1, 0, 2]
    found = [rows.origin_at(rows.index(row, 1)) for row in range(3)]
    assert [one and one.title for one in found] == ["A", "B", "C"]


def test_new_texts_of_a_table_are_told_for_the_rows_that_stay(rows: RowsModel) -> None:
    """Rows that come are inserted, and no row that is not there is told of."""
    changed: list[tuple[int, int]] = []
    rows.dataChanged.connect(lambda first, last: changed.append((first.row(), last.row())))
    assert rows.renew(HEADER, (*ROWS, ("D", "$4")))
    assert rows.renew(HEADER, ROWS[:2])
    assert changed == [(0, 2), (0, 1)]
    assert not rows.renew(("Other",), ())
