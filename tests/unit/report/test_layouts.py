"""The same content as text, Markdown and HTML: complete, safe, self-contained."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import msgspec
import pytest

from advisor.locale import LANGUAGES, catalogue_path, language
from advisor.records.job.advice import Condition
from advisor.records.results.report import Report
from advisor.report import html_report, markdown_report, text_report
from advisor.report.content.blocks import Table
from advisor.report.content.document_builder import document
from advisor.report.content.option_rows import option_rows
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
        for part in (content.verdict, *content.lead, *(section.title for section in content.sections)):
            assert _comparable(part) in _comparable(plain)


def _comparable(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&"))


def test_the_answer_comes_first() -> None:
    """Nothing but the question stands before the verdict."""
    lines = text_report(samples.enough(), EN).splitlines()
    assert "Your laptop is enough." in lines[:4]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("name", REPORTS)
def test_text_keeps_to_its_width(name: str, width: int) -> None:
    """No line is wider than the terminal, from narrow to wide."""
    text = text_report(REPORTS[name], EN, width=width)
    assert max(len(line) for line in text.splitlines()) <= width


def test_a_row_of_unknowns_is_its_name_and_kind() -> None:
    """In a narrow terminal, dashes are not worth a line."""
    report = samples.cluster()
    one = next(option for option in report.advice.options if option.id == "here/cpu")
    bare = msgspec.structs.replace(one, obstacle=None)
    advice = msgspec.structs.replace(report.advice, options=(bare,), chosen=None)
    text = text_report(msgspec.structs.replace(report, advice=advice), EN, width=40)
    assert "  Intel Xeon Gold 6256\n    This computer\n\n" in text


def test_a_narrow_option_says_all_of_itself() -> None:
    """Every column and its second line, where there is no room for columns."""
    text = " ".join(text_report(samples.rent(), EN, width=50).split())
    assert "L4 at RunPod Rent; Time of a run: 1½ hours (80 minutes to 2 hours); Memory: 9 of 24 GB;" in text


def test_text_has_no_colour_unless_asked() -> None:
    """Escape sequences only for a terminal that shows them."""
    assert "\x1b" not in text_report(samples.enough(), EN)
    coloured = text_report(samples.enough(), EN, is_coloured=True)
    assert "\x1b[1mYour laptop is enough.\x1b[0m" in coloured


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


def test_empty_columns_are_left_out() -> None:
    """A column in which nothing stands takes no room; alignment follows."""
    table = Table(("a", "b", "c"), (("1", "", "3"),), numeric=frozenset({2}), minor=frozenset({0}))
    kept = table.without_empty()
    assert kept.header == ("a", "c")
    assert kept.rows == (("1", "3"),)
    assert kept.numeric == {1}
    assert kept.minor == {0}


def test_a_simulated_machine_is_said() -> None:
    """A report about a machine given by file says so under its verdict."""
    report = msgspec.structs.replace(samples.enough(), is_simulated=True)
    assert any("by a file or by hand." in note for note in document(report, EN).notes)
    assert document(samples.enough(), EN).notes == ()
    assert any("Nothing was measured" in note for note in document(samples.buy(), EN).notes)


def _near(condition: Condition, value: object) -> Report:
    near = next(one for one in samples.rent().advice.nearly if one.rule.tier is not None)
    one = msgspec.structs.replace(near, missing=condition, facts={condition.fact: value})
    advice = msgspec.structs.replace(samples.rent().advice, nearly=(one,))
    return msgspec.structs.replace(samples.rent(), advice=advice)


@pytest.mark.parametrize(
    ("condition", "value", "told"),
    [
        (Condition(fact="is_company", operator="==", value=True), False, True),
        (Condition(fact="fits_one_node", operator="==", value=False), True, False),
        (Condition(fact="time_on_one_gpu_s", operator="<=", value=86400), 100000.0, True),
        (Condition(fact="time_on_one_gpu_s", operator="<=", value=86400), 1e7, False),
        (Condition(fact="time_on_one_gpu_s", operator="<=", value=86400), None, False),
    ],
)
def test_only_what_is_near_is_told(condition: Condition, value: object, told: bool) -> None:
    """A rule that misses by far, or by what nobody can change, is not worth a line."""
    assert ("Nearly:" in text_report(_near(condition, value), EN)) is told


def test_a_rule_without_a_missing_condition_is_not_near() -> None:
    """A near rule of an odd file does no harm."""
    near = next(one for one in samples.rent().advice.nearly if one.rule.tier is not None)
    advice = msgspec.structs.replace(samples.rent().advice, nearly=(msgspec.structs.replace(near, missing=None),))
    assert "Nearly:" not in text_report(msgspec.structs.replace(samples.rent(), advice=advice), EN)


def test_without_options_there_is_no_table_of_them() -> None:
    """A report about nothing still reads well."""
    empty = msgspec.structs.replace(
        samples.buy().advice, options=(), reasons=(), fired=(), nearly=(), flips=(), chosen=None, disagreement=None
    )
    report = msgspec.structs.replace(samples.buy(), advice=empty)
    titles = {section.id for section in document(report, EN).sections}
    assert not titles & {"options", "why", "rules", "changes", "certainty"}
    assert "{" not in text_report(report, EN)


def test_many_options_are_counted() -> None:
    """What is left out of the table is said."""
    report = samples.enough()
    options = tuple(
        msgspec.structs.replace(one, id=f"{one.id}{n}", device=f"{one.device}{n}")
        for n in range(3)
        for one in report.advice.options
    )
    advice = msgspec.structs.replace(report.advice, options=options, chosen=options[0].id)
    text = text_report(msgspec.structs.replace(report, advice=advice), EN)
    assert "12 of 36 options" in text


@pytest.mark.parametrize("name", REPORTS)
def test_each_option_of_the_text_says_all_of_itself(name: str) -> None:
    """Interval, memory, electricity and CO2 stand under its row where there is no room for columns."""
    text = " ".join(text_report(REPORTS[name], EN, width=88).split())
    for row in option_rows(REPORTS[name], EN):
        for said in (row.interval, row.memory, row.energy, row.co2, row.cost, row.remark.split()[0]):
            assert said in {"", "–"} or " ".join(said.split()) in text, (row.title, said)
