"""Texts of tables are shown as they are."""

from advisor.gui.widgets.table import plain_tip


def test_a_tip_without_signs_of_html_stays_as_it_is() -> None:
    """Only what Qt could take for HTML is dressed."""
    assert plain_tip("3 minutes\n$5") == "3 minutes\n$5"
    assert plain_tip("a<b\nc") == "<span>a&lt;b<br>c</span>"
