"""What a report says, in order, free of any format: the renderers only lay it out."""

import re

import msgspec
import pytest

from advisor.locale import LANGUAGES, catalogue_path, language
from advisor.report.content.document_builder import document
from advisor.report.formats.html import html_report
from advisor.report.formats.markdown import markdown_report
from advisor.report.formats.text import text_report
from tests.unit.report import samples

EN = language("en")
CODES = [code for code in LANGUAGES if code == "en" or catalogue_path(code).exists()]
REPORTS = samples.every()


@pytest.mark.parametrize("name", REPORTS)
@pytest.mark.parametrize("code", CODES)
def test_every_layout_says_the_whole_content(name: str, code: str) -> None:
    """Verdict, lead and every heading are in each format, in each language."""
    spoken = language(code)
    content = document(REPORTS[name], spoken)
    texts = [
        text_report(REPORTS[name], spoken),
        markdown_report(REPORTS[name], spoken),
        html_report(REPORTS[name], spoken),
    ]
    for text in texts:
        plain = re.sub(r"\s+", " ", re.sub(r"\\(.)", r"\1", text))
        said = (content.verdict.text, *(one.text for one in content.lead))
        for part in (*said, *(section.title for section in content.sections)):
            assert _comparable(part) in _comparable(plain)


def _comparable(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&"))


def test_a_simulated_machine_is_said() -> None:
    """A report about a machine given by file says so under its verdict."""
    report = msgspec.structs.replace(samples.enough(), is_simulated=True)
    assert any(note.text.startswith("Based on parts you entered") for note in document(report, EN).notes)
    assert document(samples.enough(), EN).notes == ()
    assert any("Nothing was measured" in note.text for note in document(samples.buy(), EN).notes)
