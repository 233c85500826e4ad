"""A sign and its money are one word."""

import pytest
from PySide6.QtCore import QTextBoundaryFinder

from advisor.gui.models.verdict import signed
from advisor.locale import language


@pytest.mark.parametrize("region", ["en_US", "es_ES", "es_MX", "es_AR", "en_GB"])
@pytest.mark.parametrize("currency", ["USD", "EUR", "MXN"])
@pytest.mark.parametrize("is_more", [True, False])
def test_no_line_breaks_between_a_sign_and_its_money(region: str, currency: str, *, is_more: bool) -> None:
    """A narrow column had the sign alone at the end of a line: “− | $143”."""
    said = signed(language(region[:2], region).money(143.0, currency), is_more=is_more)
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Line, said)
    assert finder.toNextBoundary() == len(said)
    assert said[0] in "+−"
