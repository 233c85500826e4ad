"""The chart that is dragged: what it says is what its lines say."""

import math
from collections.abc import Iterator
from typing import cast

import msgspec
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.pages.options.cost_card import CostCard
from advisor.gui.pages.options.cost_chart import CostChart
from advisor.gui.pages.options.cost_lines import KINDS_OF_ROLES, buying_phrase, costs_at, lines_of, runs_phrase
from advisor.locale import language
from advisor.report.charts.cost_lines import money_at
from tests.gui.conftest import settle
from tests.unit.report import samples

EN = language("en")
REPORT = samples.rent()


@pytest.fixture
def card(qapp: QApplication, qtbot: QtBot) -> Iterator[CostCard]:
    """Return the card over a report whose answer is to rent."""
    made = CostCard(Context(qapp, EN, "light"))
    qtbot.addWidget(made)
    assert made.show_report(REPORT)
    made.resize(600, 400)
    made.show()
    settle()
    yield made
    made.hide()


def _plot(card: CostCard) -> CostChart:
    return cast(CostChart, card.chart.plot)


def test_it_begins_where_the_user_is(card: CostCard) -> None:
    """At the runs that were asked, with the costs for them, also for who does not see the chart."""
    assert _plot(card).runs == REPORT.circumstances.runs_per_month
    assert card.said.text() == runs_phrase(REPORT.circumstances.runs_per_month, EN)
    said = _plot(card).accessibleDescription()
    assert said.startswith(card.said.text())
    assert all(cost.text in said for cost in costs_at(REPORT, REPORT.circumstances.runs_per_month, EN))


def test_who_trains_seldom_stands_where_they_said(card: CostCard) -> None:
    """A sentence for 1.2 runs a month, with other sums than the answer's, met people who had asked for one."""
    asked = msgspec.structs.replace(REPORT.circumstances, runs_per_month=1 / 24)
    report = msgspec.structs.replace(REPORT, circumstances=asked)
    assert card.show_report(report)
    assert _plot(card).runs == 1 / 24
    assert card.said.text() == runs_phrase(1 / 24, EN)


def test_the_handle_follows_pointer_keys_and_the_wheel_of_a_chosen_chart(card: CostCard, qtbot: QtBot) -> None:
    """A press brings it there; End is the last place; the wheel moves it only where the chart has the focus."""
    plot = _plot(card)
    middle = plot.mapFromScene(plot.view.mapViewToScene(QPointF(plot._most / 2, 1.0)))
    qtbot.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert plot.runs == pytest.approx(plot._most / 2, rel=0.02)
    qtbot.keyClick(plot, Qt.Key.Key_End)
    assert plot.runs == plot._most
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert plot.runs == pytest.approx(0.99 * plot._most)
    qtbot.keyClick(plot, Qt.Key.Key_End)
    before = plot.runs
    QApplication.sendEvent(plot, QEvent(QEvent.Type.Leave))  # on the way to "As a table"
    card.chart.switch()
    card.chart.switch()
    assert plot.runs == before, "it was forgotten"
    assert card.said.text() == runs_phrase(before, EN)
    assert card.show_report(REPORT), "a filter or another language leaves the handle where it is"
    assert plot.runs == before
    plot.clearFocus()
    plot.wheelEvent(_turned())
    assert plot.runs == before


def _turned() -> QWheelEvent:
    none = Qt.KeyboardModifier.NoModifier
    place, still = QPointF(9, 9), Qt.ScrollPhase.NoScrollPhase
    return QWheelEvent(place, place, QPoint(0, 0), QPoint(0, -120), Qt.MouseButton.NoButton, none, still, False)


def test_every_line_is_named_with_what_it_costs(card: CostCard) -> None:
    """The lines had no names; behind its mark each has one, the cheapest first, and where the time is too short."""
    names = {line.name for line in lines_of(REPORT, EN)}
    shown = [made.text.text() for made in card.costs if made.isVisibleTo(card)]
    assert {text.split(":")[0] for text in shown} == names
    over_time = REPORT.advice.cost_over_time
    assert over_time is not None
    cheapest = min(over_time.lines, key=lambda line: money_at(line, 1.0) or math.inf)
    assert costs_at(REPORT, 1.0, EN)[0].kind == KINDS_OF_ROLES[cheapest.role]
    assert all("no time" in text for _kind, text in costs_at(REPORT, 1e9, EN)[-1:])


def test_what_costs_far_more_is_said_to_lie_above_the_chart() -> None:
    """Its line is not drawn; as part of the axis' title it pushed the end of the axis out of a narrow chart."""
    over_time = REPORT.advice.cost_over_time
    assert over_time is not None
    bought, rented = over_time.lines
    keep = msgspec.structs.replace(rented, role="keep", points=((0.0, 0.0), (4.0, 3.0)))
    lines = (
        keep,
        msgspec.structs.replace(bought, points=((0.0, 290.0), (4.0, 290.0))),
        msgspec.structs.replace(rented, points=((0.0, 0.0), (4.0, 4.0))),
    )
    found = msgspec.structs.replace(over_time, lines=lines, crossings=(), most_runs_per_month=4.0)
    report = msgspec.structs.replace(REPORT, advice=msgspec.structs.replace(REPORT.advice, cost_over_time=found))
    said = costs_at(report, 1.0, EN)
    assert [cost.kind for cost in said] == ["here", "rent", "buy"]
    assert [cost.text.endswith(" (off the chart)") for cost in said] == [False, False, True]


def test_without_lines_there_is_no_card(qapp: QApplication, qtbot: QtBot) -> None:
    """An answer without alternatives has nothing to compare."""
    made = CostCard(Context(qapp, EN, "light"))
    qtbot.addWidget(made)
    advice = msgspec.structs.replace(REPORT.advice, cost_over_time=None)
    assert not made.show_report(msgspec.structs.replace(REPORT, advice=advice))


def test_one_run_a_month_is_said_as_one() -> None:
    """The number one has its own word, in both languages."""
    assert runs_phrase(1.0, EN) == "At 1 run a month:"
    assert runs_phrase(1.0, language("es")) == "Con 1 entrenamiento al mes:"
    assert runs_phrase(2.0, language("es")) == "Con 2 entrenamientos al mes:"


def test_what_a_way_costs_goes_on_in_a_second_line(card: CostCard, qtbot: QtBot) -> None:
    """In the largest letters the longest of them, above the chart, made the page wider than the window."""
    card.resize(480, 700)
    cost = next(one for one in card.costs if one.isVisible())
    cost.text.setText("Buy GeForce RTX 3050 6GB and a new power supply: $6,300 (off the chart), told once")
    qtbot.waitUntil(lambda: cost.text.height() >= 2 * cost.text.fontMetrics().height())
    assert card.width() == 480
    assert card.rect().contains(cost.geometry())


def test_what_has_the_room_of_a_line_stands_in_one(card: CostCard) -> None:
    """A width in whole pixels was one short of some texts: what they cost went into a second line, unseen."""
    marked = card.costs[0]
    for cents in range(100):
        marked.text.setText(f"Rent RTX A4000 at Hyperstack: ${cents / 100:.2f}{' (off the chart)' * (cents % 5)}")
        assert marked.sizeHint().height() < 2 * marked.text.fontMetrics().height(), marked.text.text()


def test_elsewhere_it_says_of_how_many_runs_the_list_is(card: CostCard) -> None:
    """$0.50 at 3.3 runs stood beside $0.15 in the list, which was still of one run a month."""
    asked = msgspec.structs.replace(REPORT.circumstances, runs_per_month=1.0)
    over_time = REPORT.advice.cost_over_time
    assert over_time is not None
    never = msgspec.structs.replace(over_time, crossings=())
    advice = msgspec.structs.replace(REPORT.advice, cost_over_time=never)
    assert card.show_report(msgspec.structs.replace(REPORT, circumstances=asked, advice=advice))
    assert "In the list" not in card.more.text()
    height = card.minimumSizeHint().height()
    _plot(card).move_to(3.0)
    assert card.more.text() == "In the list and the details: once a month."
    assert card.minimumSizeHint().height() == height, "the handle moves what stands below"


def test_where_buying_pays_is_said() -> None:
    """Its line lies above the chart, and so nobody saw from where on it is the cheapest."""
    over_time = REPORT.advice.cost_over_time
    assert over_time is not None
    first = next(one for one in over_time.crossings if one.above == "buy")
    assert buying_phrase(REPORT, EN) == f"Buying pays from {EN.number(round(first.runs_per_month))} runs a month on."
    never = msgspec.structs.replace(over_time, crossings=())
    assert not buying_phrase(
        msgspec.structs.replace(REPORT, advice=msgspec.structs.replace(REPORT.advice, cost_over_time=never)), EN
    )
