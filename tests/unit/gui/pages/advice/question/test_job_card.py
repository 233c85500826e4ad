"""The job in one line and its numbers: changes that are marked, taken back and made again."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.catalog import preset
from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.context import Context
from advisor.gui.base.settings import TEXT_PERCENTS
from advisor.gui.models.job.question import OWN_PROGRAM, Question
from advisor.gui.pages.advice.question.job_card import JobCard
from advisor.gui.widgets.number_label import Statement
from advisor.locale import language
from tests.gui.conftest import WAIT_MS, settle


@pytest.fixture
def card(qapp: QApplication, qtbot: QtBot) -> Iterator[JobCard]:
    """Return the card of a ready-made job with its numbers open, as it stands above an answer."""
    question = Question(presets=(preset("article_cnn"),), networks={"article_cnn": "image", "bert_base": "sequence"})
    question.choose("article_cnn")
    made = JobCard(Context(qapp, language("en"), "light"), question, has_jobs=True)
    qtbot.addWidget(made)
    made.show_question()
    made.open_form(is_open=True)
    made.resize(900, 500)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    settle()
    yield made
    made.hide()


def _question(card: JobCard) -> Question:
    return card.form._question


def _marked(card: JobCard) -> set[str]:
    """Return the names of the fields that have a dot."""
    return {box.accessibleName() for box, mark in card.form.marks.by_field.items() if not mark.isHidden()}


def _write(card: JobCard, qtbot: QtBot, text: str) -> None:
    card.form.epochs.setFocus()
    card.form.epochs.selectAll()
    qtbot.keyClicks(card.form.epochs, text)


def test_the_key_takes_a_change_back_while_its_field_has_the_keyboard(card: JobCard, qtbot: QtBot) -> None:
    """Ctrl+Z in the field that was changed goes back a step, Ctrl+Shift+Z forth, and each is told."""
    told: list[None] = []
    card.edited.connect(lambda: told.append(None))
    usual = card.form.epochs.value()
    _write(card, qtbot, "9")
    qtbot.keyClick(card.form.epochs, Qt.Key.Key_Return)
    assert (card.form.epochs.value(), _marked(card), len(told)) == (9.0, {"Epochs"}, 1)

    qtbot.keyClick(card.form.epochs, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (card.form.epochs.value(), _marked(card), len(told)) == (usual, set(), 2)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(card.form.epochs, Qt.Key.Key_Z, both)
    assert (card.form.epochs.value(), len(told)) == (9.0, 3)


def test_a_step_back_takes_the_word_of_another_field_along(card: JobCard, qtbot: QtBot) -> None:
    """It stayed and covered a link: its own number was at its end before, and no step of it was to take back."""
    card.form.batch.setValue(8)
    most = card.form.epochs.maximum()
    card.form.epochs.setValue(most)
    card.form.batch.setValue(16)
    _write(card, qtbot, "99999999")
    qtbot.keyClick(card.form.epochs, Qt.Key.Key_Return)
    assert card.form.epochs.note
    qtbot.keyClick(card.form.epochs, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert (card.form.batch.value(), card.form.epochs.value()) == (8.0, most)
    assert card.form.epochs.note == ""


def test_what_is_being_written_is_undone_by_the_field_itself(card: JobCard, qtbot: QtBot) -> None:
    """Letters that were not taken yet are the field's own; the change before stays."""
    _question(card).change_workload(batch_size=8)
    card.show_question()
    _write(card, qtbot, "77")
    qtbot.keyClick(card.form.epochs, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert _question(card).changed == {"batch_size"}
    assert "77" not in card.form.epochs.text()


def test_a_click_on_the_dot_takes_one_change_back(card: JobCard, qtbot: QtBot) -> None:
    """The others stay; the dot says what it does; "Reset" takes the rest back and goes."""
    card.form.batch.setValue(8)
    card.form.renting.upload.setValue(50)
    card.deadline.activated.emit(1)
    assert _question(card).circumstances.upload_bytes_per_s == 50e6 / 8
    card.form.renting.download.setValue(100)
    assert _question(card).circumstances.download_bytes_per_s == 100e6 / 8
    mark = card.form.marks.by_field[card.form.batch]
    assert mark.toolTip() == "Batch size was changed. Undoes this change."
    qtbot.mouseClick(mark, Qt.MouseButton.LeftButton)
    assert _marked(card) == {"Finished within", "Upload speed", "Download speed"}
    assert not card.reset.isHidden()
    assert not card.legend.isHidden(), "what the dots do stood in their tips alone"
    card.reset.click()
    assert (_question(card).changed, card.reset.isHidden()) == (frozenset(), True)


def test_another_network_is_one_change(card: JobCard) -> None:
    """What comes with it, such as the size of its samples, is no change of its own."""
    card.form.network.setCurrentIndex(card.form.network.findData("bert_base"))
    assert _marked(card) == {"Network"}
    workload = _question(card).workload
    assert workload is not None
    assert workload.epochs == 2.0  # the fewest that are usual for it, for nobody said how many
    card.form.marks.by_field[card.form.network].click()
    assert _question(card).changed == frozenset()


def test_a_python_file_can_be_wanted_beside_the_answer(card: JobCard, qtbot: QtBot) -> None:
    """It is offered there too; who chooses it is sent where it is run, and the job stays as it is."""
    with qtbot.waitSignal(card.form.program_wanted, timeout=WAIT_MS):
        card.form.network.setCurrentIndex(card.form.network.findData(OWN_PROGRAM))
    assert card.form.network.currentData() == "article_cnn"
    assert card.form.program.isHidden()


def test_nothing_moves_when_the_first_job_comes(qapp: QApplication, qtbot: QtBot) -> None:
    """Before the ready-made jobs are read the card is as high as after, and each list has its name beside it."""
    question = Question(presets=(preset("article_cnn"),))
    made = JobCard(Context(qapp, language("en"), "light"), question)
    qtbot.addWidget(made)
    made.resize(1200, 100)
    made.show()
    settle()
    before = made.heightForWidth(1200)
    question.choose("article_cnn")
    made.show_question()
    settle()
    assert made.heightForWidth(1200) == before
    assert made.within.isVisible()
    assert made.often.isVisible()


def test_the_place_kept_for_reset_is_no_empty_row(card: JobCard) -> None:
    """It stands beside the numbers of the job: in the first line it wrapped where words are long, hidden as it was."""
    settle()
    assert card.reset.isHidden()
    assert abs(card.summary.geometry().center().y() - card.reset.geometry().center().y()) <= 2


@pytest.mark.parametrize("code", ["en", "es"])
def test_the_first_number_does_not_push_what_is_below(qapp: QApplication, qtbot: QtBot, code: str) -> None:
    """A hint that grew pushed "undo all" into a row of its own, and the button of the check from under the pointer."""
    question = Question(presets=(preset("article_cnn"),))
    question.choose("article_cnn")
    made = JobCard(Context(qapp, language(code), "light"), question)
    qtbot.addWidget(made)
    made.show_question()
    before = made.hint.sizeHint().width()
    assert made.hint.text()
    question.change_workload(samples=6000)
    made.show_question()
    assert not made.reset.isHidden()
    assert made.legend.text() == {"en": "● undoes one change", "es": "● deshace un cambio"}[code]
    assert made.hint.text()
    assert made.hint.sizeHint().width() <= before


def test_nothing_moves_where_a_deadline_or_a_number_is_set(card: JobCard) -> None:
    """What stands behind stays where a click is aimed, as high as its neighbours; the number is never cut."""
    settle()
    widgets = (card.samples, card.within, card.deadline, card.change)

    def seen() -> list[QRect]:
        return [QRect(widget.mapTo(card, QPoint()), widget.size()) for widget in widgets]

    places = seen()
    card.deadline.activated.emit(1)
    for count in (1, 99_999_999):
        _question(card).change_workload(samples=count)
        card.show_question()
        settle()
        assert seen() == places
    line = card.samples.lineEdit()
    assert line.fontMetrics().horizontalAdvance(line.text()) < line.width()


def test_a_changed_deadline_and_frequency_have_their_dots(card: JobCard) -> None:
    """As every other field has; a click on the dot takes the one back."""
    card.deadline.activated.emit(1)
    card.frequency.activated.emit(0)
    assert _marked(card) == {"Finished within", "How often"}
    card.form.marks.by_field[card.deadline].click()
    assert (_marked(card), card.deadline.currentText()) == ({"How often"}, "no deadline")


def test_a_caption_stands_before_its_field_in_the_largest_letters(window: MainWindow, qtbot: QtBot) -> None:
    """However narrow the window: "How often" was the last of a line, its field the first of the next."""
    card = window.advice.question_panel.job
    window.context.set_text_percent(TEXT_PERCENTS[-1])
    for width in range(1024, 1500, 60):
        window.resize(width, 700)
        qtbot.wait(20)
        for caption, box in ((card.within, card.deadline), (card.often, card.frequency)):
            before, field = caption.mapTo(card, caption.rect().center()), box.mapTo(card, box.rect().center())
            assert abs(before.y() - field.y()) <= 2
            assert before.x() < field.x()
    window.context.set_text_percent(100)


def test_limits_are_named_where_the_form_is_closed(card: JobCard) -> None:
    """A budget and "no cloud" went on counting without any mark, also after a restart."""
    card.open_form(is_open=False)
    assert not card.limits.isVisible()
    card.form.stays.setChecked(True)
    assert card.limits.isVisible()
    assert card.limits.text() == "no cloud"
    card.form.stays.setChecked(False)
    assert not card.limits.isVisible()


def test_the_answers_question_is_one_line_in_large_letters(answered: MainWindow, qtbot: QtBot) -> None:
    """At 175 % in 1024 x 700 the time of a run was below the window; what was asked is told beside it anyway."""
    verdict = answered.advice.verdict
    assert verdict is not None
    job = verdict.job
    answered.context.set_text_percent(175)
    answered.resize(1024, 700)
    settle()
    assert job.title.isVisible()
    assert not any(one.isVisible() for one in (job.job, job.samples, job.deadline, job.frequency, job.summary))
    shown = next(one for one in verdict.findChildren(Statement) if one.text().startswith("One training takes"))
    assert shown.mapTo(answered, QPoint(0, 0)).y() < answered.height() - 2 * job.title.height()

    qtbot.mouseClick(job.change, Qt.MouseButton.LeftButton)
    assert job.samples.isVisible()
    assert job.frequency.isVisible()
    qtbot.mouseClick(job.change, Qt.MouseButton.LeftButton)
    assert not job.samples.isVisible()
    answered.context.set_text_percent(100)
    settle()
    assert job.samples.isVisible()


def test_captions_take_no_more_room_in_spanish(card: JobCard) -> None:
    """At the window's first width "Cada cuánto" stood alone in a second line, and what belongs to it in a third."""
    widths = []
    for code in ("en", "es"):
        card._context.set_language(code)
        widths.append(sum(one.fontMetrics().horizontalAdvance(one.text()) for one in (card.within, card.often)))
    assert widths[1] <= widths[0]
