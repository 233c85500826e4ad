"""Every number can be asked where it comes from."""

from typing import cast

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.history.page import HistoryPage
from advisor.gui.pages.measure.page import MeasurePage
from advisor.gui.widgets.number_label import Explanation, Figure
from advisor.locale import language
from advisor.records.base import Interval
from advisor.records.hardware.device import Offer
from advisor.records.job.prediction import MemoryEstimate
from advisor.records.results.report import Report
from advisor.report.provenance.measurements import of_measurement
from advisor.report.provenance.money import of_cost
from advisor.report.provenance.predictions import of_memory, of_time
from advisor.report.provenance.record import Provenance, provenance_rows
from advisor.units import GIB
from tests.gui.conftest import WAIT_MS, settle

# The offscreen platform complains of every popup.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def figures(window: MainWindow) -> list[Figure]:
    """Return the figures of the open page that are on screen."""
    settle()
    page = window.stack.currentWidget()
    assert page is not None
    return [one for one in page.findChildren(Figure) if one.isVisible()]


def opened(figure: Figure) -> Explanation:
    """Return the explanation that a figure has opened."""
    return cast(Explanation, figure.findChild(Explanation))


def texts(explanation: Explanation) -> list[str]:
    """Return what an explanation says."""
    return [one.text() for one in explanation.findChildren(QLabel)]


@pytest.mark.parametrize("page", ["advice", "computer", "options"])
def test_every_figure_explains_itself(answered: MainWindow, qtbot: QtBot, page: str) -> None:
    """Each figure of a page opens an explanation that says what the number is and what it rests on."""
    answered.stack.open(page)
    found = figures(answered)
    assert len(found) >= 3
    for figure in found:
        qtbot.mouseClick(figure, Qt.MouseButton.LeftButton)
        explanation = opened(figure)
        assert figure.origin is not None
        assert (figure.origin.title or figure.origin.value) in texts(explanation)
        assert provenance_rows(figure.origin, answered.context.language) or figure.origin.check
        explanation.close()
        settle()


def test_the_numbers_of_an_earlier_check_are_asked_below_the_list(answered: MainWindow, qtbot: QtBot) -> None:
    """A click on a row chooses the check; its numbers stand below, each to be asked."""
    answered.stack.open("history")
    history = cast(HistoryPage, answered.stack.currentWidget())
    qtbot.waitUntil(lambda: bool(history.chosen()), timeout=WAIT_MS)

    shown = [one.shown().replace("\N{NO-BREAK SPACE}", " ") for one in figures(answered)]

    assert shown == [
        "Time of one run on GeForce RTX 2060 Laptop: 3½ minutes",
        "Tests with a result: 14 of 15",
    ]
    assert all(one.origin is not None and one.origin.method and one.origin.date for one in figures(answered))


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_a_cell_is_asked_by_the_keyboard(answered: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    """Space and Enter on a cell open what is known about it; a second time opens no second one."""
    answered.stack.open("measure")
    measure = cast(MeasurePage, answered.stack.currentWidget())
    measure.cases.setFocus()
    measure.cases.setCurrentIndex(measure.case_rows.index(0, 1))
    qtbot.keyClick(measure.cases, key)

    explanation = cast(Explanation, measure.cases.findChild(Explanation))

    assert "20\N{NO-BREAK SPACE}GFLOP/s" in texts(explanation)
    assert "measured here" in texts(explanation)
    explanation.close()
    settle()
    assert measure.cases.findChild(Explanation) is None


def test_a_cell_is_asked_by_a_click(answered: MainWindow, qtbot: QtBot) -> None:
    """A click on a test without result says why there is none."""
    answered.stack.open("measure")
    measure = cast(MeasurePage, answered.stack.currentWidget())
    view, last = measure.cases, measure.case_rows.rowCount() - 1
    view.scrollTo(measure.case_rows.index(last, 0))
    place = view.visualRect(measure.case_rows.index(last, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    explanation = cast(Explanation, view.findChild(Explanation))

    assert any("does not fit" in text for text in texts(explanation))
    explanation.close()
    settle()


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_the_keyboard_opens_and_closes_it(answered: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    """Space and Enter open an explanation, Esc closes it; nothing is left of it."""
    figure = figures(answered)[0]
    figure.setFocus()
    qtbot.keyClick(figure, key)
    explanation = opened(figure)
    assert explanation.isVisible()

    qtbot.keyClick(explanation, Qt.Key.Key_Escape)
    settle()

    assert opened(figure) is None


def test_it_can_be_copied(answered: MainWindow, qtbot: QtBot) -> None:
    """The clipboard holds the value, what it rests on and the command that checks it."""
    figure = next(one for one in figures(answered) if one.origin is not None and one.origin.check)
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton)
    explanation = opened(figure)

    qtbot.mouseClick(explanation.copy, Qt.MouseButton.LeftButton)

    copied = QGuiApplication.clipboard().text()
    assert figure.origin is not None
    assert figure.origin.value in copied
    assert "$ advisor" in copied
    explanation.close()
    settle()


def test_an_explanation_stays_on_the_screen(answered: MainWindow, qtbot: QtBot) -> None:
    """A figure at the very corner of the screen is explained on the screen."""
    room = answered.screen().availableGeometry()
    answered.move(room.bottomRight())
    figure = figures(answered)[-1]
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton)
    explanation = opened(figure)

    assert room.contains(explanation.geometry().center())
    assert explanation.geometry().bottom() <= room.bottom()
    assert explanation.geometry().right() <= room.right()
    explanation.close()
    settle()


@pytest.fixture
def report(answered: MainWindow) -> Report:
    """Return a report with measurements, options and prices."""
    assert answered.answer_flow.report is not None
    return answered.answer_flow.report


@pytest.mark.parametrize("code", ["en", "es"])
def test_a_time_names_basis_inputs_band_and_check(report: Report, code: str) -> None:
    """The time of every option says what it rests on and from what to what it may be."""
    for option in report.advice.options:
        origin = of_time(option, report, language(code))
        if option.prediction is not None:
            assert origin.basis
            assert origin.band
            assert len(origin.inputs) >= 4


def test_the_parts_of_memory_add_up(report: Report) -> None:
    """The memory of an option names its parts and its band."""
    memory = MemoryEstimate(
        parameters_bytes=1 * GIB,
        gradients_bytes=1 * GIB,
        optimizer_bytes=2 * GIB,
        activations_bytes=3 * GIB,
        temporary_bytes=0.5 * GIB,
        context_bytes=0.5 * GIB,
        total_bytes=8 * GIB,
        available_bytes=24 * GIB,
        fits=True,
        largest_batch=64,
        interval=Interval(low=7 * GIB, high=9 * GIB),
    )
    option = next(one for one in report.advice.options if one.prediction is not None)
    assert option.prediction is not None
    option = msgspec.structs.replace(option, prediction=msgspec.structs.replace(option.prediction, memory=memory))

    origin = of_memory(option, report, language("en"))

    sizes = [text.replace("\N{NO-BREAK SPACE}", " ") for _name, text in origin.inputs]
    assert sizes == ["4 GB", "3 GB", "0.5 GB", "0.5 GB"]
    assert origin.band.replace("\N{NO-BREAK SPACE}", " ") == "7 GB to 9 GB"


def test_a_price_carries_its_date_and_source(report: Report) -> None:
    """A rent names its provider and the day of its price."""
    offer = Offer(
        provider="lambda",
        instance="gpu_1x_l4",
        region="europe",
        device="L4",
        device_name="L4",
        device_count=1,
        device_memory_bytes=24 * GIB,
        cpu_cores=8,
        memory_bytes=32 * GIB,
        price_usd_per_h=0.7,
        spot=False,
        as_of="2026-10-30",
    )
    rented = next(one for one in report.advice.options if one.tier == "cloud")
    rented = msgspec.structs.replace(rented, offer=offer, price_as_of="2026-10-30")

    origin = of_cost(rented, report, language("en"))

    assert origin.source == "lambda, gpu_1x_l4, europe"
    assert "2026" in origin.date
    assert any(text == "$0.70" for _name, text in origin.inputs)


def test_a_measurement_says_how_it_was_taken(report: Report) -> None:
    """A measured number names its samples and their spread."""
    assert report.benchmark is not None
    one = report.benchmark.measurements[0]

    origin = of_measurement(one, report.benchmark.started_at, language("en"))

    assert origin.basis == "measured here"
    assert any("sample" in text for _name, text in origin.inputs)
    assert "±" in origin.band


def test_what_is_not_known_is_not_shown() -> None:
    """Empty parts of an origin make no rows."""
    assert provenance_rows(Provenance(title="x", value="1", source="a book"), language("en")) == (("Source", "a book"),)
