"""The full suite in a report: each group with its chart, its table and what both mean."""

import msgspec
import pytest

from advisor.locale import language
from advisor.report.content.blocks import Figure
from advisor.report.content.document_builder import document
from advisor.report.content.measured import measured_groups
from advisor.report.formats.html import html_report
from advisor.report.formats.markdown import markdown_report
from advisor.report.formats.text import text_report
from tests.unit.report.content.measured.results import full, recorded, words

EN, ES = language("en"), language("es")


def test_every_case_of_the_suite_is_in_a_group() -> None:
    """Nothing that was measured is left out of the tables of people."""
    programs = {measured.case.program for measured in recorded().measurements}
    assert programs == {
        "matmul", "train", "infer", "bandwidth", "launch", "threads", "disk", "input", "sweep", "profile", "sustained"
    }  # fmt: skip
    text = words(measured_groups(recorded(), EN))
    for title in (
        "Training networks", "The best batch size", "Number formats and layouts", "Waiting for an answer",
        "Who waits for whom?", "Where the time goes: training CNN", "A minute at full load",
        "Use, memory, temperature and power", "Moving data and starting operations", "More and more threads",
    ):  # fmt: skip
        assert title in text


def test_one_network_is_not_told_again_beside_its_test() -> None:
    """Measure showed the same CNN twice in its list and once more in a table of one row; several are compared in it."""
    every = recorded()
    trained = [one for one in every.measurements if one.case.program == "train"]
    one = msgspec.structs.replace(every, measurements=tuple(trained[:1]))
    assert "Training networks" in words(measured_groups(one, EN))
    assert "Training networks" not in words(measured_groups(one, EN, beside_tests=True))
    assert len({case.case.network for case in trained}) > 1
    assert "Training networks" in words(measured_groups(every, EN, beside_tests=True))


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_every_layout_carries_it(spoken: object) -> None:
    """Text at two widths stays inside its lines; Markdown and HTML have every chart's numbers."""
    chosen = EN if spoken is EN else ES
    for width in (80, 120):
        lines = text_report(full(), chosen, width=width).splitlines()
        assert max(map(len, lines)) <= width
    figures = [b for section in document(full(), chosen).sections for b in section.blocks if isinstance(b, Figure)]
    assert len(figures) >= 7
    source = html_report(full(), chosen)
    assert source.count("<svg") == len(figures)
    assert markdown_report(full(), chosen).count("###") >= 10
