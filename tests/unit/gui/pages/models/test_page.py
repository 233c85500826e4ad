"""Which language models run on this computer: the list, its filters, and the measurement."""

from collections.abc import Callable

import msgspec
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from advisor.catalog.language.models import language_models
from advisor.errors import InputError
from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import BackgroundTasks
from advisor.gui.pages.models.page import ModelsPage, ModelTasks
from advisor.gui.widgets.table import CELL_PADDING
from advisor.locale import language
from advisor.records.hardware.machine import Machine
from advisor.records.job.serving_advice import ServingAdvice, ServingQuestion
from advisor.records.job.workload import Circumstances
from advisor.records.results.measured.measurement import DECODE_PROGRAM, Case, Condition, Measurement
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.samples import sample_machine
from tests.gui.test_pages import cells

MEASURED = Measurement(
    case=Case(id="decode", program=DECODE_PROGRAM),
    samples_s=(0.1,),
    median_s=0.1,
    iqr_s=0.0,
    details={"read_bytes_per_s": 400e9},
)


def shown(page: ModelsPage) -> list[list[str]]:
    """Return the rows of the table."""
    return cells(page.table)


def made(context: Context, measure: Callable[[Machine], tuple[Measurement, ...]]) -> ModelsPage:
    """Return the page over the whole program, but for the measurement."""
    backend = Backend()

    def ways(machine: Machine, question: ServingQuestion, measured: tuple[Measurement, ...]) -> ServingAdvice:
        return backend.ways_to_run(machine, question, Circumstances(), measured)

    return ModelsPage(context, ModelTasks(find=backend.models_here, measure=measure, ways=ways), BackgroundTasks())


@pytest.fixture
def context(qapp: QApplication) -> Context:
    """Return texts in English and the light theme."""
    return Context(qapp, language("en"), "light")


@pytest.fixture
def models(qtbot: QtBot, context: Context) -> ModelsPage:
    """Return the page of a laptop with a card of 6 GB, whose processor is fast when it is measured."""
    page = made(context, lambda _machine: (MEASURED,))
    qtbot.addWidget(page)
    page.show_machine(sample_machine())
    return page


def test_the_best_that_is_fast_enough_comes_first(models: ModelsPage) -> None:
    """What does not fit comes last, and says what it needs."""
    rows = shown(models)
    assert len(rows) == len(language_models())
    assert "you read" in rows[0][-1]
    assert rows[-1][-1].startswith("does not fit: needs several cards")


def test_words_bits_and_fit_narrow_the_list(models: ModelsPage) -> None:
    """Each by itself; a name that is none is said."""
    models.search.setText("llama 70b")
    assert {row[0] for row in shown(models)} >= {"Llama 3 70B"}
    four = shown(models)[0][2]
    models.weights.setCurrentIndex(2)
    assert shown(models)[0][2] != four
    models.fitting.setChecked(True)
    assert not models.table.isVisibleTo(models)
    assert not models.chosen_card.isVisibleTo(models)
    models.search.setText("")
    assert all("does not fit" not in row[-1] for row in shown(models))


def test_a_measured_processor_changes_the_list(models: ModelsPage, qtbot: QtBot) -> None:
    """A memory of 400 GB/s writes faster."""
    models.show_machine(msgspec.structs.replace(sample_machine(), accelerators=()))
    models.search.setText("tinyllama")
    before = shown(models)
    assert models.basis.text().endswith("from published specifications and rates, not from your check.")
    models.measure.click()
    qtbot.waitUntil(lambda: models.measure.isEnabled() and shown(models) != before, timeout=WAIT_MS)
    assert models.basis.text().startswith("Speeds on the processor rest on how fast it wrote here")


def test_others_beside_the_measurement_are_said(qtbot: QtBot, context: Context) -> None:
    """Speeds of a disturbed measurement stood there without a word; one that nothing disturbed need not be repeated."""
    load = Condition(kind="other_load", value=0.6, unit="ratio")
    found = [(msgspec.structs.replace(MEASURED, conditions=(load,)),), (MEASURED,)]
    page = made(context, lambda _machine: found.pop(0))
    qtbot.addWidget(page)
    page.show_machine(sample_machine())
    assert page.measure.isVisibleTo(page)
    assert not page.doubt.isVisibleTo(page)
    page.measure.click()
    qtbot.waitUntil(lambda: page.doubt.isVisibleTo(page), timeout=WAIT_MS)
    assert page.doubt.text().startswith("Other programs used 60% of the processor while its speed was measured")
    page.measure.click()
    qtbot.waitUntil(lambda: not page.measure.isVisibleTo(page), timeout=WAIT_MS)
    assert not page.doubt.isVisibleTo(page)


def test_a_measurement_that_fails_is_said(qtbot: QtBot, context: Context) -> None:
    """With the button to try again."""

    def fail(_machine: Machine) -> tuple[Measurement, ...]:
        raise InputError("There is no torch.")

    page = made(context, fail)
    qtbot.addWidget(page)
    page.show_machine(sample_machine())
    page.measure.click()
    qtbot.waitUntil(lambda: page.problem.isVisibleTo(page), timeout=WAIT_MS)
    assert page.measure.isEnabled()


@pytest.mark.parametrize("width", [760, 820, 900, 990])
def test_no_word_of_the_list_is_cut(models: ModelsPage, qapp: QApplication, width: int) -> None:
    """A row is as high as its words need within the style's edges: "does not" without "fit" says something else."""
    models._context.apply_theme()
    models._context.set_language("es")
    models.resize(width, 700)
    models.show()
    for _turn in range(5):
        qapp.processEvents()
    table = models.table
    rows = table.model()
    for row in range(rows.rowCount()):
        for column in range(rows.columnCount()):
            if table.isColumnHidden(column):
                continue
            index = rows.index(row, column)
            room = QRect(0, 0, table.columnWidth(column) - CELL_PADDING, 10_000)
            needed = table.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, index.data()).height()
            assert table.rowHeight(row) >= needed, index.data()
    assert sum(table.columnWidth(column) for column in range(rows.columnCount())) <= table.viewport().width()
    models.hide()


def test_the_fields_stand_in_one_line_of_a_usual_window(models: ModelsPage) -> None:
    """The button that measures was alone in a second one; it stands beside what the speeds rest on."""
    models.resize(1070, 700)
    models.show()
    settle()
    fields = (models.search, models.weights, models.prompt, models.fitting)
    assert len({field.geometry().center().y() // 8 for field in fields}) == 1
    assert models.measure.parentWidget() is models.basis.parentWidget()
    models.hide()


def test_the_chosen_model_can_be_asked_about(models: ModelsPage, qtbot: QtBot) -> None:
    """What it takes to run it is said below the list; what it takes to adapt it is asked on the first page."""
    assert models.chosen.text().startswith(shown(models)[0][0])
    models.choose("qwen2.5_7b")
    assert models.chosen.text().startswith("Qwen2.5 7B takes")
    with qtbot.waitSignal(models.tuning_wanted) as wanted:
        models.tune.click()
    assert wanted.args == ["qwen2.5_7b"]
    models.run.click()
    assert models.run.isEnabled(), "else the focus leaps to the next button"
    qtbot.waitUntil(lambda: models.ways.isVisibleTo(models), timeout=10_000)
    assert "Qwen2.5 7B" in models.ways.verdict.text()
    said = [one.text() for one in models.ways.answer.findChildren(QLabel)]
    assert said.count("•") > 1
    assert not [text for text in said if "\n" in text], "a line that goes on began below its mark"
    assert "answers a month" in models.ways.asked.text(), "a price a month of how many was not said"
    models.choose("llama3.1_8b")
    assert not models.ways.isVisibleTo(models), "what was said is of another model"
    models.choose("qwen2.5_7b")
    models.run.click()
    qtbot.waitUntil(lambda: models.ways.isVisibleTo(models), timeout=10_000)
    models.ways.close_button.click()
    assert not models.ways.isVisibleTo(models)


def test_a_row_that_is_clicked_while_an_answer_is_open_stays_in_sight(models: ModelsPage, qtbot: QtBot) -> None:
    """The answer is put away, the list takes its place, and showed other rows than the one that was clicked."""
    models.resize(1070, 700)
    models.show()
    settle()
    models.choose("qwen2.5_7b")
    models.run.click()
    qtbot.waitUntil(lambda: models.ways.isVisibleTo(models), timeout=10_000)
    settle()
    view, last = models.table.viewport(), models.table.model().index(models.table.model().rowCount() - 1, 0)
    models.table.scrollTo(last)
    settle()
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=models.table.visualRect(last).center())
    settle()
    assert not models.ways.isVisibleTo(models)
    assert models.table.currentIndex().row() == last.row()
    seen = models.table.visualRect(models.table.currentIndex())
    assert view.rect().contains(seen.center())
    assert not view.visibleRegion().intersected(seen).isEmpty()
    models.hide()


def test_the_choice_outlives_another_list(models: ModelsPage) -> None:
    """Who weighs bits for one model keeps it."""
    models.choose("qwen2.5_7b")
    models.weights.setCurrentIndex(2)
    assert models.chosen.text().startswith("Qwen2.5 7B takes")


def test_the_search_is_as_wide_as_its_letters_ask_from_the_first_look_on(qtbot: QtBot, context: Context) -> None:
    """Made in large letters, it was as wide as small ones ask, and its own name was cut."""
    context.set_text_percent(175)
    page = made(context, lambda _machine: ())
    qtbot.addWidget(page)
    page.show()
    at_first = page.search.width()
    context.set_text_percent(100)  # the application keeps its letters for the tests that follow
    assert at_first > 1.4 * page.search.width()


def test_titles_stand_on_one_line_where_there_is_room(models: ModelsPage, qtbot: QtBot) -> None:
    """The title "In practice" was on two lines beside half an empty column; in a narrow window long ones still are."""

    def titles() -> list[str]:
        header = models.table.horizontalHeader()
        return [str(header.model().headerData(n, Qt.Orientation.Horizontal)) for n in range(header.count())]

    models.show()
    models.resize(1300, 700)
    qtbot.waitUntil(lambda: {"In practice", "Tokens a second"} < set(titles()))
    models.resize(700, 700)
    qtbot.waitUntil(lambda: "Tokens a\nsecond" in titles())
    assert "In practice" in titles(), "its column is wide"
    models.hide()
