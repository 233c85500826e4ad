"""Every figure of a report says where it comes from: in HTML, on paper and as data."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import wire
from advisor.catalog import find_workload, load_validation
from advisor.locale import Language, language
from advisor.records.base import Evidence, Gap
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.content.document_builder import document
from advisor.report.content.source_notes import Notes
from advisor.report.formats.html import html_report
from advisor.report.formats.print_html import printed_report
from advisor.report.formats.write import render
from advisor.session.forecast import conclude
from tests.unit.report import samples
from tests.unit.report.content.measured.results import full, recorded

EN, ES = language("en"), language("es")


@cache
def concluded() -> Report:
    """Return an answer as the program gives it, with the whole catalogue and everything measured."""
    observation = Observation(machine=samples.laptop(card=False), benchmark=recorded())
    return conclude(observation, find_workload("article_cnn").workload, Circumstances())


REPORTS = {**samples.every(), "full": msgspec.structs.replace(full(), validation=load_validation())}

QUANTITY = re.compile(
    r"\d[\d.,½]*\s?(%|[mµ]?s|min|h|seconds?|minutes?|hours?|days?|months?|segundos?|minutos?|horas?|días?|mes(es)?|"
    r"[kMGT]i?B(/s)?|k?Wh?|g|°C|[MG]Hz|[GT]FLOP/s|×|veces|times|€|US\$)(?!\w)|[$€]\d"
)
NAME = re.compile(r"(RTX|GTX|GeForce|Quadro|Tesla|A100|H100|Radeon|PCIe|SXM4?)[\w ]* \d+ ?GB")
"""The memory in a card's name is no number of ours."""
EXCEPTIONS = frozenset({"reading", "gaps"})
"""Sections without figures of this report: the first defines units and words, the second names what is not known."""


class Page(HTMLParser):
    """Collects every text of a page outside its charts and notes, with the notes that its place opens."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.texts: list[tuple[str, str, set[str]]] = []
        self.notes: set[str] = set()
        self._open: list[tuple[str, str]] = []
        self._section = ""
        self._text: list[str] = []
        self._asked: set[str] = set()
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember what is open, and what a button opens."""
        known = dict(attrs)
        if tag == "section":
            self._section = known.get("id") or ""
        if tag in {"p", "h1", "li", "td", "dd", "figcaption"}:
            self._text, self._asked = [], set()
        if "popover" in known:
            self.notes.add(known.get("id") or "")
        if tag == "button" and "source" in (known.get("class") or "").split():
            assert known.get("aria-label")
            self._asked.add(known.get("popovertarget") or "")
        self._open.append((tag, self._section))

    def handle_endtag(self, tag: str) -> None:
        """Keep the text that ends here."""
        if tag in {"p", "h1", "li", "td", "dd", "figcaption"}:
            self.texts.append((self._section, "".join(self._text), self._asked))
        while self._open and self._open.pop()[0] != tag:
            pass  # void elements have no end
        if tag == "section":
            self._section = ""

    def handle_data(self, data: str) -> None:
        """Read on."""
        inside = {tag for tag, _section in self._open}
        if not inside & {"svg", "style", "cite", "strong"} or "td" in inside:
            self._text.append(data)


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
@pytest.mark.parametrize("name", [*REPORTS, "concluded"])
def test_every_figure_opens_its_note(name: str, spoken: Language) -> None:
    """Each number with a unit, in a sentence, a list, a table or a pair, has a note that is on the page."""
    page = Page(html_report(concluded() if name == "concluded" else REPORTS[name], spoken))
    told = [one for one in page.texts if one[0] not in {*EXCEPTIONS, "notes"}]
    assert sum(1 for _section, _text, asked in told if asked) >= 20
    assert [text for _section, text, asked in told if QUANTITY.search(NAME.sub("", text)) and not asked] == []
    assert {note for _section, _text, asked in told for note in asked} == page.notes


def test_a_figure_without_origin_is_found() -> None:
    """The walker above sees what has no note."""
    page = Page('<main><section id="x"><p>It takes 3 minutes.</p></section></main>')
    assert [text for _section, text, asked in page.texts if QUANTITY.search(text) and not asked] == [
        "It takes 3 minutes."
    ]


def test_a_note_says_all_that_is_known() -> None:
    """Of the time of the answer: what it rests on, band, inputs, method, date and, for this computer, the command."""
    report = concluded()
    [origin] = [one for one in Notes(document(report, EN)).origins if one.figure == "/advice/options/0/run_s"]
    assert origin.low is not None
    assert origin.high is not None
    assert origin.low < (report.advice.options[0].run_s or 0.0) < origin.high
    assert all((origin.basis, origin.band, origin.inputs, origin.method, origin.date))
    assert origin.check == "advisor --report --workload article_cnn"
    source = html_report(report, EN)
    for text in (origin.value, origin.method.split(";")[0], origin.check):
        assert text in source


@pytest.mark.parametrize("name", REPORTS)
def test_paper_has_the_same_notes(name: str) -> None:
    """As a numbered list at the end, but for those of the table that paper leaves out."""
    html = printed_report(REPORTS[name], EN).html
    notes = Notes(document(REPORTS[name], EN), has_folds=False)
    assert html.count('<p class="note">') == len(notes.origins)
    assert {int(number) for number in re.findall(r'<sup class="mark">(\d+)</sup>', html)} == set(
        range(1, len(notes.origins) + 1)
    )


def resolved(content: object, pointer: str) -> object:
    """Return what a JSON Pointer (RFC 6901) leads to."""
    found: Any = content
    for part in pointer.split("/")[1:]:
        found = found[int(part)] if isinstance(found, list) else found[part]
    return found


@pytest.mark.parametrize("name", [*REPORTS, "concluded"])
def test_json_says_the_same_of_figures_that_are_in_it(name: str) -> None:
    """Each record points to a figure of the same document, inside its band where there is one; reading drops them."""
    report = concluded() if name == "concluded" else REPORTS[name]
    content = render(report, "json", EN)
    parsed = json.loads(content)
    assert len(parsed["provenance"]) == len(Notes(document(report, EN)).origins)
    for one in parsed["provenance"]:
        value = resolved(parsed, one["figure"])
        assert one["figure"].startswith("/")
        if one["low"] is not None and isinstance(value, int | float):
            assert one["low"] <= value <= one["high"], one
    assert wire.decode_report(content) == report
    assert wire.decode_report(content).provenance == ()


WORD = st.text("abcdefghijklmnopqrstuvwxyz", min_size=8, max_size=12).map("zq".__add__)


@settings(max_examples=20, deadline=None)
@given(user=WORD, host=WORD)
def test_no_note_names_the_user(user: str, host: str) -> None:
    """What the system said in its own words may hold home folder, user and host; provenance quotes none of it."""
    words = f"/home/{user}/.venv on {host}"
    report = REPORTS["full"]
    machine = msgspec.structs.replace(
        report.machine,
        evidence=(Evidence(field="framework.version", how=words, check=words),),
        gaps=(Gap(field="host.cpu.name", reason="unreadable", detail=words),),
    )
    report = msgspec.structs.replace(report, machine=machine, gaps=machine.gaps)
    told = json.dumps(msgspec.to_builtins(Notes(document(report, EN)).origins))
    assert user not in told
    assert host not in told
