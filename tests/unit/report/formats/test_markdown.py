"""The report as Markdown, for notes, issues and chats. Texts of unknown origin are escaped."""

import re

from advisor.locale import language
from advisor.report.formats.markdown import markdown_report
from tests.unit.report import samples

EN = language("en")


def test_markdown_tables_have_equal_columns() -> None:
    """Each row of a table has as many cells as its header, whatever the texts contain."""
    blocks = re.findall(r"(?:^\|.*\n)+", markdown_report(samples.hostile(), EN), re.MULTILINE)
    assert len(blocks) >= 4
    for block in blocks:
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


def test_markdown_escapes_what_is_not_its_own() -> None:
    """Markup from a file becomes text."""
    text = markdown_report(samples.hostile(), EN)
    assert "<script>" not in text
    assert r"\[d\]" in text
