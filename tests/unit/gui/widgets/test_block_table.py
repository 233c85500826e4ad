"""Titles of tables."""

import pytest

from advisor.gui.widgets.block_table import two_lines


@pytest.mark.parametrize(
    ("title", "split"),
    [("Error", "Error"), ("In the interval", "In the\ninterval"), ("Ununterbrochen", "Ununterbrochen")],
)
def test_long_titles_take_two_lines(title: str, split: str) -> None:
    """Columns are as wide as their numbers, not as their titles."""
    assert two_lines(title) == split
