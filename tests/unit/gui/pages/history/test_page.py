"""The history in the window: what is looked back at, named, deleted and read from elsewhere."""

import re
from pathlib import Path
from typing import cast

import msgspec
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel
from pytestqt.qtbot import QtBot

from advisor import wire
from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.history.page import HistoryPage
from advisor.gui.widgets.table import RowsModel
from advisor.history import History
from advisor.locale import language
from advisor.report.words.labels import spoken_moment
from tests.gui.conftest import WAIT_MS, Opener, answer, settle
from tests.gui.samples import FakeBackend, sample_report
from tests.unit.gui.pages.history.opened import open_history, slower
from tests.unit.session.test_receipt import made

REPORT = wire.encode(sample_report())
MOMENT = spoken_moment(sample_report().created_at, language("en"))


def column(page: HistoryPage, number: int) -> list[str]:
    """Return a column's texts from top to bottom."""
    texts = [str(page.rows.data(page.rows.index(row, number))) for row in range(page.rows.rowCount())]
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in texts]


def read_texts(page: HistoryPage) -> str:
    """Return everything that can be read beside the tables."""
    return "\n".join(each.text() for each in page.findChildren(QLabel) if each.isVisible())


def test_a_finished_check_is_kept(kept: History, answered: MainWindow, qtbot: QtBot) -> None:
    """The check that was just made stands in the list with computer, job and answer."""
    page = open_history(answered, qtbot, 1)

    assert column(page, 2) == ["Intel Core i7-10750H · RTX 2060 Laptop GPU"]
    assert column(page, 3) == ["Classify my photos · 18,687 photos"]
    assert column(page, 4) == ["Enough · 3½ minutes"]
    assert column(page, 5) == ["14 of 15 tests"]
    expected = sample_report()
    asked = msgspec.structs.replace(expected.workload, steps_per_epoch=None)  # chosen in the window, by its photos
    assert [kept.report(entry.id) for entry in kept.entries()] == [msgspec.structs.replace(expected, workload=asked)]


def test_before_the_first_check_the_page_says_so(kept: History, window: MainWindow, qtbot: QtBot) -> None:
    """An empty history is no empty page, and makes no file."""
    page = open_history(window, qtbot, 0)

    assert "The history is empty." in read_texts(page)
    assert not page.table.isVisible()
    assert not kept.path.exists()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(page.check, Qt.MouseButton.LeftButton)


def test_looking_back_at_a_check(kept: History, backend: FakeBackend, open_window: Opener, qtbot: QtBot) -> None:
    """An earlier answer of other parts is shown under its date and name, and the way back is one click."""
    report = sample_report()
    workload = msgspec.structs.replace(report.workload, samples=777)
    machine = msgspec.structs.replace(report.machine, accelerators=())
    kept.add(msgspec.structs.replace(report, workload=workload, machine=machine), label="before the new card")
    window = open_window()
    page = open_history(window, qtbot, 1)
    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        qtbot.keyClick(page.table, Qt.Key.Key_Return)

    assert window.advice.verdict is not None
    assert window.advice.verdict.isVisible()
    assert window.advice.computer.title.text() == f"From the history: before the new card, {MOMENT}"
    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.samples == 777
    assert backend.requests == []

    qtbot.mouseClick(window.advice.computer.back, Qt.MouseButton.LeftButton)
    assert window.advice.computer.title.text() == "Your computer"
    assert window.advice.question_panel.isVisible()


def test_an_earlier_answer_of_this_computer_is_its_own(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """Same parts, checked here: the answer opens as that of this computer, which then needs no new check."""
    kept.add(sample_report())
    window = open_window()
    page = open_history(window, qtbot, 1)
    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        qtbot.keyClick(page.table, Qt.Key.Key_Return)

    computer = window.advice.computer
    assert computer.title.text() == f"Your computer, measured on {MOMENT}"
    assert computer.objectName() == "card"
    assert not computer.back.isVisible()
    assert window.controllers.advice.needs_no_check


def test_a_report_from_elsewhere_is_not_of_this_computer(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """An equal computer of somebody else is not this one."""
    kept.add(sample_report(), origin="imported")
    window = open_window()
    page = open_history(window, qtbot, 1)
    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        qtbot.keyClick(page.table, Qt.Key.Key_Return)

    assert window.advice.computer.title.text() == f"From the history: {MOMENT}"


def test_deleting_can_be_undone(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """Del takes a check out of the list and Undo brings it back; a new window deletes it for good."""
    kept.add(sample_report())
    kept.add(slower(sample_report(), 2.0))
    window = open_window()
    page = open_history(window, qtbot, 2)
    page.table.selectAll()
    qtbot.keyClick(page.table, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: page.rows.rowCount() == 0, timeout=WAIT_MS)
    assert page.undo_text.text() == "2 checks were deleted."
    qtbot.mouseClick(page.undo, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.rows.rowCount() == 2, timeout=WAIT_MS)
    assert not page.undo_card.isVisible()

    page.table.selectRow(0)
    page.delete.click()
    qtbot.waitUntil(lambda: page.rows.rowCount() == 1, timeout=WAIT_MS)
    again = open_history(open_window(), qtbot, 1)
    kept.restore([1, 2])
    again._history.load()
    qtbot.wait(20)
    assert again.rows.rowCount() == 1


def test_a_check_can_be_named(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """F2 asks for a name; it stands in the list and stays in the file."""
    kept.add(sample_report())
    page = open_history(open_window(), qtbot, 1)
    qtbot.keyClick(page.table, Qt.Key.Key_F2)
    page.name_field.setText("quiet night")
    qtbot.keyClick(page.name_field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: column(page, 1) == ["quiet night"], timeout=WAIT_MS)

    assert kept.entries()[0].label == "quiet night"
    qtbot.keyClick(page.table, Qt.Key.Key_F2)
    page.name_field.setText("another")
    qtbot.keyClick(page.name_field, Qt.Key.Key_Escape)
    assert not page.name_card.isVisible()
    assert column(page, 1) == ["quiet night"]


def test_the_list_needs_no_scrolling_sideways(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """All its columns may wrap, so that they share what width there is in a small window."""
    kept.add(sample_report())
    page = open_history(open_window(size=(1024, 640)), qtbot, 1)

    def fits() -> bool:
        widths = map(page.table.columnWidth, range(page.rows.columnCount()))
        return sum(widths) <= page.table.viewport().width()

    qtbot.waitUntil(fits, timeout=WAIT_MS)
    page.table.setFixedWidth(700)
    qtbot.waitUntil(fits, timeout=WAIT_MS)


def test_many_columns_leave_the_date_its_room(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """With a name and a receipt the date was "24 nov 2026, …" in a small window."""
    entry = kept.add(sample_report(), label="quiet night")
    page = open_history(open_window(size=(1024, 640)), qtbot, 1)
    page.table.setFixedWidth(730)
    qtbot.waitUntil(lambda: not page.table.isColumnHidden(5), timeout=WAIT_MS)
    kept.keep_receipt(entry, made(1.1))
    page._history.load()
    qtbot.waitUntil(lambda: page.table.isColumnHidden(5), timeout=WAIT_MS)
    assert not page.table.isColumnHidden(6)


def test_a_report_of_another_computer_is_read(kept: History, open_window: Opener, tmp_path: Path, qtbot: QtBot) -> None:
    """A report file stands in the list, said to be from a file, and is chosen."""
    file = tmp_path / "theirs.json"
    file.write_bytes(wire.encode(sample_report()))
    page = open_history(open_window(), qtbot, 0)
    page.import_file(file)
    qtbot.waitUntil(lambda: page.rows.rowCount() == 1, timeout=WAIT_MS)

    assert column(page, 2) == ["Intel Core i7-10750H · RTX 2060 Laptop GPU (from a file)"]
    assert len(page.chosen()) == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1, 2]", b'{"schema_version": 99}', b"\xff\xfe\x00", b'{"schema_version": 1, "machine": 5}'],
)
def test_a_hostile_file_is_one_sentence(
    kept: History, open_window: Opener, tmp_path: Path, qtbot: QtBot, content: bytes
) -> None:
    """What is no report is refused by its name; the list stays as it was."""
    file = tmp_path / "evil.json"
    file.write_bytes(content)
    page = open_history(open_window(), qtbot, 0)
    page.import_file(file)
    qtbot.waitUntil(page.problem.isVisible, timeout=WAIT_MS)

    assert page.problem.sentence.text().startswith("evil.json ")
    assert page.problem.advice.text() == "We couldn't use this file."
    assert "Traceback" not in page.problem.sentence.text()
    assert page.rows.rowCount() == 0


@pytest.mark.parametrize("written", [b"-5", b"1e999999", b"1e300", b"NaN", b"9" * 5000, b'"a lot"'])
def test_nonsense_in_a_file_is_one_sentence(
    kept: History, open_window: Opener, tmp_path: Path, qtbot: QtBot, written: bytes
) -> None:
    """Such a deadline is no fault of the program; what was kept before stays."""
    kept.add(sample_report())
    file = tmp_path / "theirs.json"
    content, count = re.subn(rb'"deadline_s": [^,]+,', b'"deadline_s": %s,' % written, REPORT, count=1)
    assert count == 1
    file.write_bytes(content)
    page = open_history(open_window(), qtbot, 1)
    page.import_file(file)
    qtbot.waitUntil(page.problem.isVisible, timeout=WAIT_MS)

    assert page.problem.sentence.text().startswith("theirs.json is not a ")
    assert page.problem.advice.text() == "We couldn't use this file."
    assert page.rows.rowCount() == 1


def test_a_huge_file_is_not_read(kept: History, open_window: Opener, tmp_path: Path, qtbot: QtBot) -> None:
    """A file beyond the limit is refused without being taken into memory."""
    file = tmp_path / "huge.json"
    with file.open("wb") as sparse:
        sparse.truncate(20 * 1024**3)
    page = open_history(open_window(), qtbot, 0)
    page.import_file(file)
    qtbot.waitUntil(page.problem.isVisible, timeout=WAIT_MS)

    assert page.problem.sentence.text() == "huge.json is larger than 16 MiB."


def test_html_in_names_is_shown_as_it_is(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """Names that look like HTML are text: in the list, in its tips and above the answer."""
    report = sample_report()
    evil = '<img src="http://example.org/x.png"><b>RTX</b>'
    card = msgspec.structs.replace(report.machine.accelerators[0], name=evil)
    machine = msgspec.structs.replace(report.machine, accelerators=(card,))
    kept.add(msgspec.structs.replace(report, machine=machine), "imported", label="<h1>big</h1>")
    window = open_window()
    page = open_history(window, qtbot, 1)
    assert column(page, 1) == ["<h1>big</h1>"]
    tip = page.rows.data(page.rows.index(0, 2), Qt.ItemDataRole.ToolTipRole)
    assert "<img" not in tip
    assert "&lt;img" in tip

    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        page.open.click()
    assert evil in window.advice.computer.line.text()
    assert window.advice.computer.line.textFormat() == Qt.TextFormat.PlainText


def test_a_damaged_history_is_said(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """A damaged file is kept aside, said at the start, and a new history begun."""
    kept.path.write_bytes(b"no database at all " * 100)
    window = open_window()
    qtbot.waitUntil(lambda: "history" in window.stack.pages, timeout=WAIT_MS)
    page = cast(HistoryPage, window.stack.pages["history"])

    assert "The history was damaged. It is kept as history.sqlite3.damaged-" in page.notice.text()
    assert page.notice.isVisible()


def test_sorting_follows_the_numbers(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """The dates are sorted as dates, and what is chosen stays chosen."""
    for day in ("2026-02-01", "2025-12-31", "2026-10-03"):
        kept.add(msgspec.structs.replace(sample_report(), created_at=f"{day}T10:00:00+00:00"))
    page = open_history(open_window(), qtbot, 3)
    [before] = page.chosen()
    assert page.table.currentIndex().row() == 0
    page.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)

    model: RowsModel = page.rows
    assert [model.source_of(row) for row in range(3)] == [2, 1, 0]
    assert page.chosen() == [before]
    assert [index.row() for index in page.table.selectionModel().selectedRows()] == [2]
    assert page.table.currentIndex().row() == 2


def test_a_name_belongs_to_the_check_it_was_begun_for(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """Choosing another check, or none, puts the field away; nothing else is named."""
    kept.add(sample_report())
    kept.add(slower(sample_report(), 2.0))
    page = open_history(open_window(), qtbot, 2)
    for choose in (lambda: page.table.selectRow(1), page.table.clearSelection):
        page.table.selectRow(0)
        qtbot.keyClick(page.table, Qt.Key.Key_F2)
        assert page.name_card.isVisible()
        page.name_field.setText("mine")
        choose()
        assert not page.name_card.isVisible()
        page.name_save.click()
    page.table.selectRow(0)
    page.name.click()
    page.name_field.setText("mine")
    page.name_save.click()
    qtbot.waitUntil(lambda: "mine" in column(page, 1), timeout=WAIT_MS)

    assert column(page, 1) == ["mine", ""]


def test_a_short_list_is_no_empty_table(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """Below few checks stood a white card of half the window; a long list still ends with the page."""
    kept.add(sample_report())
    page = open_history(open_window(), qtbot, 1)
    settle()
    last = page.table.visualRect(page.rows.index(0, 0))
    assert page.table.viewport().height() - last.bottom() <= 2
    for day in range(1, 29):
        kept.add(msgspec.structs.replace(sample_report(), created_at=f"2026-02-{day:02}T10:00:00+00:00"))
    page._history.load()
    qtbot.waitUntil(lambda: page.rows.rowCount() == 29, timeout=WAIT_MS)
    settle()
    assert page.table.height() > 300
    assert page.verticalScrollBar().maximum() == 0


def test_large_letters_make_the_history_no_wider(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """The numbers below the list did not wrap, and all that is above them was cut."""
    kept.add(sample_report())
    window = open_window(size=(1024, 640))
    window.context.set_text_percent(175)
    page = open_history(window, qtbot, 1)
    settle()
    assert page.horizontalScrollBar().maximum() == 0
    assert page.table.isColumnHidden(5), "the others were cut; it stands below the list"
    window.context.set_text_percent(100)


def test_the_check_just_made_is_the_chosen_one(kept: History, answered: MainWindow, qtbot: QtBot) -> None:
    """The older one, chosen before, stayed so."""
    page = open_history(answered, qtbot, 1)
    first = page.chosen()[0].id
    with qtbot.waitSignal(answered.check_flow.ended, timeout=WAIT_MS):
        answered.check_flow.start_quick()
    qtbot.waitUntil(lambda: page.rows.rowCount() == 2, timeout=WAIT_MS)
    assert [entry.id for entry in page.chosen()] == [max(entry.id for entry in kept.entries())] != [first]


def test_no_check_is_offered_while_one_runs(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """The empty list offered to start another."""
    page = open_history(window, qtbot, 0)
    assert page.check.isVisible()
    backend.hold.clear()
    with qtbot.waitSignal(window.controllers.check_runner.progressed, timeout=WAIT_MS):
        window.check_flow.start_quick()
    qtbot.waitUntil(lambda: not page.check.isVisibleTo(page), timeout=WAIT_MS)
    assert page.empty.text() == "A check is running; it will stand here when it is done."
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        backend.hold.set()
    assert not page.check.isHidden()


def test_the_arrow_beside_the_dates_points_down_where_the_newest_comes_first(
    answered: MainWindow, qtbot: QtBot
) -> None:
    """It pointed up."""
    page = open_history(answered, qtbot, 1)
    header = page.table.horizontalHeader()

    def widths() -> tuple[int, int]:
        """Return how wide the arrow is in its upper and its lower half."""
        settle()
        picture = header.grab(QRect(0, 0, header.sectionSize(0), header.height())).toImage()
        ground = picture.pixelColor(picture.width() // 2, 4).name()
        text_end = 11 + header.fontMetrics().horizontalAdvance("Date") + 8
        dark = [
            [x for x in range(text_end, picture.width()) if picture.pixelColor(x, y).name() != ground]
            for y in range(6, picture.height() - 6)
        ]
        rows = [max(row) - min(row) for row in dark if row]
        return sum(rows[: len(rows) // 2]), sum(rows[(len(rows) + 1) // 2 :])

    upper, lower = widths()
    assert upper > lower > 0
    page.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    upper, lower = widths()
    assert lower > upper > 0


def test_an_earlier_answer_is_shown_from_its_top(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """It opened where the answer before it had been scrolled to: its headline and whose it is were out of sight."""
    kept.add(sample_report(), label="before the new card", origin="imported")
    window = answer(open_window(), qtbot)
    bar = window.advice.verticalScrollBar()
    verdict = window.advice.ensure_verdict()
    low = next(one for one in verdict.findChildren(QAbstractButton) if one.text().endswith("options compared"))
    bar.setValue(bar.maximum())
    assert bar.value() > 200
    qtbot.mouseClick(low, Qt.MouseButton.LeftButton)  # leads away, and keeps the keyboard for who comes back
    page = open_history(window, qtbot, 2)
    imported = next(row for row in range(2) if "before the new card" in _line_of(page, row))
    place = page.table.visualRect(page.table.model().index(imported, 1)).center()
    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        qtbot.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.mouseDClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        qtbot.mouseRelease(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)  # a real one comes by itself
    for _turn in range(10):  # the answer comes card by card
        settle()
    assert bar.value() == 0
    for seen in (window.advice.computer.title, verdict.headline):
        assert seen.visibleRegion().boundingRect() == seen.rect()


def _line_of(page: HistoryPage, row: int) -> str:
    model = page.table.model()
    return " ".join(str(model.index(row, column).data()) for column in range(model.columnCount()))
