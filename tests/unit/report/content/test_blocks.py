"""The parts a report is made of, whatever its format."""

from advisor.report.content.blocks import Table


def test_empty_columns_are_left_out() -> None:
    """A column in which nothing stands takes no room; alignment follows."""
    table = Table(("a", "b", "c"), (("1", "", "3"),), numeric=frozenset({2}), minor=frozenset({0}))
    kept = table.without_empty()
    assert kept.header == ("a", "c")
    assert kept.rows == (("1", "3"),)
    assert kept.numeric == {1}
    assert kept.minor == {0}
