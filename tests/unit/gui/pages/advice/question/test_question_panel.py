"""The question: its cards, and the answer of an earlier start."""

import msgspec
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.history import History
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, sample_report


def test_the_card_goes_with_the_job(window: MainWindow) -> None:
    """A network of other samples makes it something else; another for photos is still the card that was chosen."""
    panel, question = window.advice.question_panel, window.controllers.question
    photos, other = panel.presets[1], panel.presets[-1]
    assert photos.isChecked()
    question.change_network("resnet50")
    panel.show_question()
    assert photos.isChecked()
    question.change_network("bert_base")
    panel.show_question()
    assert other.isChecked()
    question.choose("article_cnn")
    panel.show_question()
    assert photos.isChecked()


def test_arrow_keys_choose_no_card(window: MainWindow, qtbot: QtBot) -> None:
    """They move the keyboard alone; Space chooses, and only then are the other jobs unfolded."""
    panel = window.advice.question_panel
    asked = window.controllers.question.workload
    panel.presets[1].setFocus()
    for _step in range(4):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    assert window.focusWidget() is panel.presets[-1]
    assert panel.presets[1].isChecked()
    assert not panel.more_panel.isVisible()
    assert window.controllers.question.workload == asked

    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Up)
    assert window.focusWidget() is panel.presets[2]
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Down)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    assert panel.more_panel.isVisible()


def test_tab_reaches_the_cards_before_what_stands_below_them(window: MainWindow) -> None:
    """They came after the button that starts the check; so did the further jobs, which are made later."""
    panel = window.advice.question_panel
    reached: list[QWidget] = [panel]
    while (following := reached[-1].nextInFocusChain()) is not None and following is not panel:
        reached.append(following)
    order = [*panel.presets, panel.more_jobs.search, *panel.more, panel.open_file, panel.job.samples, panel.start]
    places = [reached.index(one) for one in order]
    assert panel.more
    assert places == sorted(places)


def test_the_last_answer_is_there_after_a_start(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """The newest check that came to its end is offered, and opened at a click, in the currency of today."""
    kept.add(sample_report())
    kept.add(msgspec.structs.replace(sample_report(), created_at="2020-01-01T00:00:00Z"))
    window = open_window()
    card = window.advice.question_panel.last
    qtbot.waitUntil(card.isVisible, timeout=WAIT_MS)
    assert card.title.text().startswith("Your last answer, Nov 21, 2026")
    assert card.line.text().startswith("Classify my photos")

    window.answer_flow.set_region("EUR", "ES")
    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        qtbot.mouseClick(card.show_button, Qt.MouseButton.LeftButton)
    settle()

    assert window.advice.shows_answer
    assert window.answer_flow.report is not None
    assert window.answer_flow.report.circumstances.currency == "EUR"
    assert window.answer_flow.report.currency_per_usd == 0.8


def test_a_start_asks_what_was_asked_last(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """The form holds the question of the last answer, told from the job's own numbers, and that line names it."""
    report = sample_report()
    kept.add(msgspec.structs.replace(report, workload=msgspec.structs.replace(report.workload, samples=20_000)))
    window = open_window()
    panel = window.advice.question_panel
    qtbot.waitUntil(lambda: panel.job.samples.value() == 20_000, timeout=WAIT_MS)
    assert not panel.form.marks.by_field[panel.job.samples].isHidden()
    assert panel.last.line.text().startswith("Classify my photos · 20,000 photos: ")


def test_a_question_answered_without_a_check_is_asked_again(
    kept: History, open_window: Opener, backend: FakeBackend, qtbot: QtBot
) -> None:
    """Its numbers were gone after a start: only those of checks were kept. What is newer counts."""
    window = open_window()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert window.advice.verdict is not None
    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        window.advice.verdict.job.samples.setValue(7_000)
    qtbot.waitUntil(lambda: (asked := kept.question()) is not None and asked.workload.samples == 7_000, timeout=WAIT_MS)
    window.close()

    again = open_window()
    panel = again.advice.question_panel
    qtbot.waitUntil(lambda: panel.job.samples.value() == 7_000, timeout=WAIT_MS)
    assert panel.last.isVisible()
    assert "7,000" not in panel.last.line.text(), "the answer that can be opened is of the check"
    again.close()

    report = msgspec.structs.replace(sample_report(), created_at="2999-01-01T00:00:00+00:00")
    kept.add(msgspec.structs.replace(report, workload=msgspec.structs.replace(report.workload, samples=20_000)))
    newest = open_window().advice.question_panel
    qtbot.waitUntil(lambda: newest.job.samples.value() == 20_000, timeout=WAIT_MS)


def test_what_is_asked_already_stays(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """Whoever was faster than the reading of the history keeps what they wrote."""
    window = open_window()
    panel = window.advice.question_panel
    panel.job.samples.setValue(5_000)
    with qtbot.waitSignal(window.controllers.history.recalled, timeout=WAIT_MS):
        kept.add(sample_report())
        window.controllers.history.load()
    assert panel.job.samples.value() == 5_000


def test_there_is_no_last_answer_where_there_is_none(kept: History, window: MainWindow) -> None:
    """A first start shows the question alone."""
    settle()
    assert not window.advice.question_panel.last.isVisible()


def test_large_letters_have_two_cards_side_by_side(window: MainWindow, qtbot: QtBot) -> None:
    """Of three, words were cut; the arrow keys go to the card that is seen below, and the number stays whole."""
    ask = window.advice.question_panel
    window.resize(1200, 800)
    for percent, columns in ((100, 3), (175, 2), (100, 3)):
        window.context.set_text_percent(percent)
        settle()
        first, below = ask.presets[0], ask.presets[columns]
        assert (first.x(), first.y() < below.y()) == (below.x(), True)
        first.setFocus(Qt.FocusReason.TabFocusReason)
        qtbot.keyClick(first, Qt.Key.Key_Down)
        assert below.hasFocus()
        needed = ask.job.samples.fontMetrics().horizontalAdvance(ask.job.samples.text())
        assert ask.job.samples.lineEdit().width() >= needed


def test_a_first_start_fills_the_height_there_is(kept: History, window: MainWindow) -> None:
    """The lower half was empty: cards are larger, and what an answer tells stands below; a low window stays dense."""
    ask = window.advice.question_panel
    window.resize(1200, 640)
    settle()
    low = ask.presets[0].height()
    assert not ask.outlook.isVisible()
    window.resize(1200, 830)
    settle()
    assert ask.outlook.isVisible()
    assert ask.presets[0].height() > low
    ask.show_measured(is_measured=True)
    assert not ask.outlook.isVisible(), "who has had an answer knows"


def test_the_first_change_moves_nothing_below_it(window: MainWindow) -> None:
    """The dot and Reset pushed the button that asks from under the pointer."""
    ask = window.advice.question_panel
    window.resize(1200, 800)
    settle()
    before = ask.start.mapTo(ask, ask.start.rect().topLeft())
    ask.job.samples.setValue(5000)
    settle()
    assert ask.job.reset.isVisible()
    assert ask.start.mapTo(ask, ask.start.rect().topLeft()) == before


def test_a_job_of_the_long_list_is_seen_by_its_name_and_first_fields(window: MainWindow, qtbot: QtBot) -> None:
    """The page went to its end, past the name and the numbers, where the fields of renting stood."""
    window.resize(1024, 700)
    panel = window.advice.question_panel
    panel.presets[-1].click()
    panel.form.renting.toggle.click()
    chosen = panel.more[0]
    chosen.click()

    def assert_seen() -> None:
        shown = window.advice.viewport()
        for widget in (panel.job.summary, panel.job.samples, panel.form.network):
            top = widget.mapTo(shown, QPoint(0, 0)).y()
            assert 0 <= top <= shown.height() - widget.height()

    qtbot.waitUntil(assert_seen, timeout=WAIT_MS)
    assert panel.job.summary.text().startswith(f"{chosen._title.text()} · ")
    panel.presets[1].click()
    assert panel.job.summary.text().startswith("8 categories")


def test_a_new_question_has_its_button_in_sight(answered: MainWindow, qtbot: QtBot) -> None:
    """The fields that were opened for the last one kept it screens below."""
    panel = answered.advice.question_panel
    panel.job.open_form(is_open=True)
    for folded in (panel.form.software, panel.form.renting):
        folded.toggle.click()
    answered.advice.ensure_verdict().again.click()

    def assert_seen() -> None:
        shown = answered.advice.viewport()
        top = panel.start.mapTo(shown, QPoint(0, 0)).y()
        assert panel.start.isVisible()
        assert 0 <= top <= shown.height() - panel.start.height()

    qtbot.waitUntil(assert_seen, timeout=WAIT_MS)
    assert panel.job.change.text() == "Change"
    panel.job.change.click()
    assert not panel.form.software.fields.isVisible()


def test_the_button_that_asks_stays_in_sight_while_the_form_is_open(window: MainWindow, qtbot: QtBot) -> None:
    """It was two screens down below 24 fields, with the time that it takes; what is pressed does not move."""
    panel, page = window.advice.question_panel, window.advice
    window.resize(1200, 700)
    settle()
    before = panel.job.change.mapTo(window, QPoint(0, 0))
    qtbot.mouseClick(panel.job.change, Qt.MouseButton.LeftButton)
    panel.form.software.toggle.click()
    settle()
    assert page.verticalScrollBar().maximum() > 0
    for place in (0, page.verticalScrollBar().maximum()):
        page.verticalScrollBar().setValue(place)
        settle()
        for shown in (panel.start, panel.hint):
            assert shown.isVisible()
            assert page.viewport().geometry().bottom() < shown.mapTo(page, QPoint(0, 0)).y()
            assert page.rect().contains(shown.mapTo(page, shown.rect().bottomRight()))
    page.verticalScrollBar().setValue(0)
    assert panel.job.change.mapTo(window, QPoint(0, 0)) == before

    qtbot.mouseClick(panel.job.change, Qt.MouseButton.LeftButton)
    settle()
    assert panel.isAncestorOf(panel.start)
    assert page.viewport().height() == page.height()


def test_what_may_stay_as_it_is_is_said_once(window: MainWindow) -> None:
    """The sentence stood in both Advanced parts; money for renting makes no range wider."""
    form = window.advice.question_panel.form
    window.advice.question_panel.job.open_form(is_open=True)
    for part in (form.software, form.renting):
        part.toggle.click()
    assert form.software.lead.isVisible()
    assert not form.renting.lead.isVisible()
