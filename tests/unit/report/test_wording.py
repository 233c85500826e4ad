"""The one door to the words."""

from advisor.report import wording


def test_all_that_is_promised_is_there_and_nothing_more() -> None:
    """The list of names is exact, so that other modules know what they may use."""
    offered = {name for name, value in vars(wording).items() if callable(value) and not name.startswith("_")}
    assert offered == set(wording.__all__)
