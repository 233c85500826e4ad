"""The report as one HTML file that needs nothing else: style and charts inside, no script, printable."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from advisor.locale import language
from advisor.report.formats.html import html_report
from tests.unit.report import samples

EN = language("en")
REPORTS = samples.every()


class _Page(HTMLParser):
    """Collects what a browser would fetch or run, and whether tags nest."""

    _VOID = frozenset({"meta", "br", "hr", "img", "link", "input"})

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self._open: list[str] = []
        self.feed(source)
        assert not self._open, self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in {"src", "href", "xlink:href", "data", "action"}]
        assert not [name for name, _value in attrs if name.startswith("on")]
        if tag not in self._VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


@pytest.mark.parametrize("name", REPORTS)
def test_html_is_self_contained_and_well_formed(name: str) -> None:
    """No script, nothing fetched from anywhere, every tag closed."""
    source = html_report(REPORTS[name], EN)
    page = _Page(source)
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert all(link.startswith("#") for link in page.links)
    assert "@import" not in source
    assert "url(" not in source


def test_html_escapes_what_is_not_its_own() -> None:
    """Markup from a file becomes text, in charts as well."""
    source = html_report(samples.hostile(), EN)
    _Page(source)
    assert "<script" not in source
    assert source.count("&lt;script&gt;") > 3


def test_html_says_its_language_and_serves_light_dark_and_print() -> None:
    """Read aloud in the right language, at night, and on paper."""
    source = html_report(samples.enough(), EN)
    assert '<html lang="en">' in source
    for wanted in ("prefers-color-scheme: dark", "@media print", "color-scheme"):
        assert wanted in source


@pytest.mark.parametrize("name", REPORTS)
def test_each_chart_is_a_picture_with_its_table(name: str) -> None:
    """Valid SVG with a title for readers who do not see it, and the same numbers as a table beside it."""
    source = html_report(REPORTS[name], EN)
    charts = re.findall(r"<svg.*?</svg>", source, re.DOTALL)
    for chart in charts:
        root = ET.fromstring(chart)
        assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert source.count("<details>") == len(charts)


def test_anchors_lead_somewhere() -> None:
    """Each link of the contents has its section."""
    source = html_report(samples.enough(), EN)
    anchors = re.findall(r'href="#(\w+)"', source)
    assert len(anchors) >= 8
    assert all(f'id="{anchor}"' in source for anchor in anchors)
