"""The answer's parts: what is long leaves room."""

import dataclasses

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.models.job.question import Question
from advisor.gui.models.verdict import verdict_view
from advisor.gui.pages.advice.verdict_panel import VerdictPanel
from advisor.gui.widgets.charts.tier_marks import ShareBar
from advisor.gui.widgets.command_line import CommandLine
from advisor.gui.widgets.number_label import Figure, Statement
from advisor.locale import language
from advisor.records.base import Interval
from advisor.records.request import observation_of
from advisor.records.results.diagnosis import Finding
from advisor.records.results.own_computer import is_untrusted, rests_on_tests
from advisor.report.content.short_answer import short_answer
from advisor.session.forecast import conclude
from tests.unit.report import samples


@pytest.fixture
def panel(qapp: QApplication, qtbot: QtBot) -> VerdictPanel:
    """Return a panel without an answer."""
    made = VerdictPanel(Context(qapp, language("en"), "light"), Question())
    qtbot.addWidget(made)
    return made


def test_no_bar_stands_where_there_is_no_time(panel: VerdictPanel, qtbot: QtBot) -> None:
    """Of a computer that cannot do the job."""
    chip = verdict_view(samples.rent(), language("en")).chips[0]
    for time, bars in (("2 hours", 1), ("", 0)):
        made = panel._chip(dataclasses.replace(chip, time=time))
        qtbot.addWidget(made)
        assert len(made.findChildren(ShareBar)) == bars


def test_the_start_of_a_rented_machine_is_a_lighter_part_of_its_bar(panel: VerdictPanel, qtbot: QtBot) -> None:
    """Left the run in its colour, then the start, then the empty rest."""
    made = ShareBar(panel._context, "rent", 0.3, 0.3)
    qtbot.addWidget(made)
    made.resize(200, made.height())
    picture = made.grab().toImage()
    run, start, rest = (picture.pixelColor(x, made.height() // 2) for x in (30, 90, 160))
    theme = panel._context.theme
    assert run == theme.colour("rent")
    assert rest == theme.colour("grid")
    assert min(run.lightness(), rest.lightness()) < start.lightness() < max(run.lightness(), rest.lightness())


def test_what_was_assumed_stands_with_the_answer(panel: VerdictPanel) -> None:
    """The friend's text said "no deadline (1 week assumed)" and which network; the page said "no deadline"."""
    report = samples.enough()
    panel.show_report(report, verdict_view(report, language("en")))
    assert panel.asked.text() == short_answer(report, language("en")).text.splitlines()[0]
    assert not panel.asked.isHidden()


@pytest.mark.parametrize("left", ["nothing", "other tests"])
def test_what_rests_on_no_test_was_disturbed_by_nothing(panel: VerdictPanel, left: str) -> None:
    """A check that was stopped before the job's test answered from specifications, and still blamed other programs and
    offered another check in a quiet moment.
    """
    report = samples.slowed(0.9, 0.9)
    assert report.benchmark is not None
    test = report.benchmark.measurements[0]
    other = msgspec.structs.replace(test, case=msgspec.structs.replace(test.case, id="disk", program="disk"))
    kept = () if left == "nothing" else (other,)
    observation = msgspec.structs.replace(
        observation_of(report), benchmark=msgspec.structs.replace(report.benchmark, measurements=kept)
    )
    stopped = conclude(observation, report.workload, report.circumstances)
    assert not rests_on_tests(stopped)
    view = verdict_view(stopped, language("en"))
    panel.show_report(stopped, view, ("python",))
    panel.offer_measuring(is_offered=False, is_again=False, is_own=True)
    assert "other programs" not in panel.notes.text().lower()
    assert "python" not in panel.notes.text()
    assert not any("quiet" in step.text or "lose" in step.text for step in view.steps)
    assert panel.when_quiet.isHidden()
    assert not is_untrusted(stopped)


def test_the_table_beside_the_reasons_has_the_columns_that_there_is_room_for(panel: VerdictPanel) -> None:
    """Time and cost could not be seen without a scroll bar that nothing showed."""
    report = samples.rent()
    panel.show_report(report, verdict_view(report, language("en")))
    panel._show_chart(report)
    table = panel.chart.table
    shown = [n for n in range(table.model().columnCount()) if not table.isColumnHidden(n)]
    header = [table.model().headerData(n, Qt.Orientation.Horizontal) for n in shown]
    assert header == ["Option", "Time with start", "Cost in 1 year"]


def test_tab_and_screen_readers_go_from_the_top_down(panel: VerdictPanel) -> None:
    """What is made anew with each answer was read and reached after the buttons below it."""
    report = samples.rent()
    view = verdict_view(report, language("en"))
    panel.show_report(report, view)
    while panel._pending:
        panel._show_next()
    reached: list[QWidget] = [panel]
    while (following := reached[-1].nextInFocusChain()) is not None and following is not panel:
        reached.append(following)
    hero = panel.share.parentWidget()
    assert hero is not None
    said = {one.shown(): one for one in hero.findChildren(Figure)}
    order = [said[view.answer.facts[0].text], said[view.chips[0].time], panel.share]
    order.append(panel.why_card.findChildren(Figure)[0])
    places = [reached.index(one) for one in order]
    assert places == sorted(places)

    parts = [part for part in hero.children() if isinstance(part, QWidget)]
    holders = [next(part for part in parts if part is one or part.isAncestorOf(one)) for one in order[:3]]
    read = [parts.index(one) for one in holders]
    assert read == sorted(read)


def test_a_long_price_goes_on_in_further_lines(qapp: QApplication, qtbot: QtBot) -> None:
    """An option in short asks for no more width where its price has many words, so that three stand side by side."""
    panel = VerdictPanel(Context(qapp, language("en"), "light"), Question())
    qtbot.addWidget(panel)
    chip = verdict_view(samples.rent(), language("en")).chips[0]
    short, long = (
        panel._chip(dataclasses.replace(chip, title="A", cost=cost))
        for cost in ("$3", "$1,130 once, with a new PC of 12 threads and a power supply")
    )
    for made in (short, long):
        qtbot.addWidget(made)
        made.ensurePolished()
    assert long.minimumSizeHint().width() <= short.minimumSizeHint().width() + 60
    assert long.sizeHint().height() > short.sizeHint().height()


def test_how_sure_it_is_goes_under_the_verdict_where_letters_have_little_room(panel: VerdictPanel) -> None:
    """In the largest letters the verdict had three lines beside it."""
    report = samples.enough()
    panel.show_report(report, verdict_view(report, language("en")))
    panel.resize(900, 800)
    panel.show()
    assert panel.confidence.geometry().top() < panel.headline.geometry().bottom()
    panel._context.text_scale = 1.75
    panel.resize(899, 800)
    QApplication.processEvents()
    assert panel.confidence.geometry().top() >= panel.headline.geometry().bottom()
    panel.hide()


def test_whether_an_earlier_answer_was_true_is_asked_right_below_it(panel: VerdictPanel) -> None:
    """The history says: open it and say how long a run took; what for stood two screens further down."""
    column = panel.layout()
    assert column is not None
    places = [column.indexOf(part) for part in (panel.job, panel.receipt, panel.place_card)]
    assert places[1] == places[0] + 2 < places[2]


def test_options_stand_below_each_other_in_large_letters(panel: VerdictPanel) -> None:
    """Side by side the third was cut; each stays as it is when the window is wide again."""
    report = samples.enough()
    panel.show_report(report, verdict_view(report, language("en")))
    count = panel._chips.count()
    for width, places in ((1000, [(0, n) for n in range(count)]), (600, [(n, 0) for n in range(count)])) * 2:
        panel.resize(width, 900)
        panel._turn()
        assert [panel._chips.getItemPosition(n)[:2] for n in range(count)] == places  # type: ignore[index]


def test_a_button_keeps_no_width_of_another_language(panel: VerdictPanel) -> None:
    """The Spanish text left its 166 pixels to the English one."""
    report = samples.enough()
    panel.show_report(report, verdict_view(report, language("en")))
    panel.copy_answer()
    assert panel.copy.minimumWidth() > 0, "its neighbours stay under the pointer meanwhile"
    panel.retranslate()
    assert panel.copy.minimumWidth() == 0


def test_how_sure_it_is_takes_no_room_from_a_long_verdict(panel: VerdictPanel) -> None:
    """The verdict broke at the left of an empty half of the card; beside a short one it stands as ever."""
    panel._context.apply_theme()
    report = samples.rent()
    view = verdict_view(report, language("en"))
    said = "With an RTX 5060 Ti in this computer it would be enough."
    panel.resize(980, 700)
    panel.show()
    for headline, is_below in (("Rent it.", False), (said, True)):
        answer = view.answer._replace(headline=view.answer.headline._replace(text=headline))
        panel.show_report(report, dataclasses.replace(view, answer=answer))
        QApplication.processEvents()
        assert (panel.confidence.geometry().top() >= panel.headline.geometry().bottom()) == is_below


def test_what_to_do_next_begins_in_plain_words_and_its_command_is_copied(panel: VerdictPanel, qtbot: QtBot) -> None:
    """A student's first line was "Set MALLOC_MMAP_MAX_=0 and …", with nothing to copy."""
    gain = Interval(low=1.0, high=1.7, coverage_ratio=0.8)
    one = Finding(
        kind="page_faults", device="cpu", severity="moderate", evidence=(), gain=gain, remedies=("keep_freed_memory",)
    )
    report = msgspec.structs.replace(samples.enough(), findings=(one,))
    panel._show_why(verdict_view(report, language("en")))
    said = [made.text() for made in panel.why_card.findChildren(Statement)]
    assert "Let PyTorch keep its memory between steps. Could be up to about 1.7 times as fast." in said
    [line] = panel.why_card.findChildren(CommandLine)
    qtbot.mouseClick(line.copy, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=-1"
    assert line.copy.text() == "Copied"


def test_what_is_free_leads_to_the_line_that_is_copied(panel: VerdictPanel, qtbot: QtBot) -> None:
    """It said "let PyTorch keep its memory" told a novice nothing, and did not say how."""
    gain = Interval(low=1.0, high=1.7, coverage_ratio=0.8)
    one = Finding(
        kind="page_faults", device="cpu", severity="moderate", evidence=(), gain=gain, remedies=("keep_freed_memory",)
    )
    report = msgspec.structs.replace(samples.slowed(0.565, 0.0), findings=(one,))
    page = QScrollArea()
    qtbot.addWidget(page)
    page.setWidgetResizable(True)
    page.setWidget(panel)
    page.resize(900, 300)
    page.show()
    panel.show_report(report, verdict_view(report, language("en")))
    QApplication.processEvents()
    [link] = [made for made in panel.twice.findChildren(QPushButton) if made.text() == "Show the line"]
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    [line] = panel.why_card.findChildren(CommandLine)
    qtbot.waitUntil(lambda: page.verticalScrollBar().value() > 0)
    assert panel.why_card.isVisible()
    assert line.copy.isVisible()
    page.takeWidget()  # the panel is closed by itself


def test_why_a_time_is_not_surer_is_read_below_it(panel: VerdictPanel) -> None:
    """A rough time had no cause, then one under the pointer alone; what the amber note says is not said twice."""
    told = []
    for report in (samples.enough(), samples.slowed(0.3, 0.3)):
        view = verdict_view(report, language("en"))
        doubted = view.answer._replace(doubt="The computer did not keep one pace.")
        panel.show_report(report, dataclasses.replace(view, answer=doubted))
        assert panel.doubt.text() == doubted.doubt
        panel.show_report(report, view)
        assert panel.doubt.isVisibleTo(panel) == bool(panel.doubt.text())
        told.append((view.answer.doubt, panel.doubt.text(), panel.notes.text()))
    assert any(doubt and not below and doubt in notes for doubt, below, notes in told)


def test_the_time_of_what_has_no_room_was_disturbed_by_nothing() -> None:
    """A model that no memory here holds was answered with a rented card, and "Check again when it's quiet"."""
    report = samples.slowed(0.9, 0.9)
    assert rests_on_tests(report)
    options = (
        msgspec.structs.replace(one, obstacle="does_not_fit") if one.tier == "this_computer" else one
        for one in report.advice.options
    )
    crowded = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=tuple(options)))
    assert not rests_on_tests(crowded)
