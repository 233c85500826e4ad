"""The first page on paper: it does for whoever reads no further."""

import msgspec
import pytest

from advisor.locale import language
from advisor.report.content.blocks import Figure, Table
from advisor.report.content.document_builder import document
from advisor.report.content.options.best import best_options
from advisor.report.content.paper_front_page import front_page, title_block
from advisor.report.formats.html import html_report
from advisor.report.formats.print_html import printed_report
from tests.unit.report.samples import every

EN, ES = language("en"), language("es")


def test_the_options_and_their_cost_stand_there() -> None:
    """The best of each answer, the recommended one marked, and the lines over the runs a month."""
    report = every()["rent"]
    table, figure = front_page(report, EN)

    assert isinstance(table, Table)
    assert isinstance(figure, Figure)
    assert len(table.rows) == len(best_options(report))
    assert table.marked == 0
    assert figure.chart.title == "Keep, buy or rent"


@pytest.mark.parametrize("name", sorted(every()))
def test_any_answer_has_a_first_page(name: str) -> None:
    """Also where there is nothing to compare; what it shows is not drawn a second time."""
    printed = printed_report(every()[name], ES)

    assert printed.html.count("page-break-before") <= 1
    assert printed.html.count("<img ") == len(printed.pictures)
    assert printed.html.count("<h4>Seguir, comprar o alquilar</h4>") in {
        0,
        2,
    }  # the picture, and its numbers at the end


def test_it_says_which_computer_and_when() -> None:
    """By its parts and the label it was given, in a page for the browser too."""
    report = msgspec.structs.replace(every()["enough"], label="room-3-pc-07")
    (computer, parts), (date, day) = title_block(report, EN)

    assert (computer, date) == ("Computer", "Date")
    assert parts.startswith("room-3-pc-07 · Intel")
    assert "2026" in day
    assert parts in html_report(report, EN)


def test_plain_text_has_none() -> None:
    """Text has no pages."""
    assert document(every()["rent"], EN, is_plain=True).front == ()
