"""Keep or share: what is written is shown first, nothing in it names the user, and what goes wrong is a sentence."""

import json
import re
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from pypdf import PdfReader
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPageSize
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from advisor import wire
from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import BackgroundTasks
from advisor.gui.dialogs.export_dialog import ExportDialog
from advisor.gui.dialogs.paper import chosen_paper
from advisor.gui.models.export import contents, draft, file_name, forms, free_path
from advisor.gui.models.privacy_check import Identity
from advisor.gui.pdf_layout import drawn, png
from advisor.locale import language
from advisor.records.results.report import Report
from advisor.report.formats.pdf import print_report
from advisor.report.formats.write import render
from tests.gui.conftest import WAIT_MS, find_language
from tests.gui.samples import sample_report
from tests.unit.report.content.measured.results import full

EN, ES = language("en"), language("es")
NOBODY = Identity()


@pytest.fixture
def dialog(qapp: QApplication, qtbot: QtBot) -> ExportDialog:
    """Return the dialog over the sample's report, with its first preview there."""
    return opened(qapp, qtbot, sample_report(), NOBODY)


def opened(qapp: QApplication, qtbot: QtBot, report: Report, identity: Identity) -> ExportDialog:
    """Return a dialog that shows its first preview."""
    made = ExportDialog(Context(qapp, EN, "light", find_language), BackgroundTasks(), report, identity=identity)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(made)
    made.open()
    qtbot.waitUntil(lambda: bool(made._drafts), timeout=WAIT_MS)
    return made


def choose(dialog: ExportDialog, form_id: str, qtbot: QtBot) -> None:
    """Choose a form and wait for its preview."""
    ids = [form.id for form in dialog._forms]
    dialog.list.setCurrentRow(ids.index(form_id))
    qtbot.waitUntil(lambda: form_id in dialog._drafts, timeout=WAIT_MS)


def save(dialog: ExportDialog, path: Path, qtbot: QtBot) -> None:
    """Write the chosen form and wait for what came of it."""
    dialog.save_to(path)
    qtbot.waitUntil(dialog.save.isEnabled, timeout=WAIT_MS)


def test_every_form_has_a_name_in_both_languages() -> None:
    """Each form of a report and each of its charts is offered by a name of its own."""
    for spoken in (EN, ES):
        found = forms(sample_report(), spoken)
        assert [form.id for form in found][:6] == ["html", "sheet", "pdf", "md", "text", "json"]
        assert {"time_and_cost", "matrix_rates"} <= {form.id for form in found}
        assert len({form.title for form in found}) == len(found)


def test_every_form_says_what_it_is_good_for(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Nobody has to know what Markdown or JSON is."""
    said = set()
    for form in dialog._forms:
        choose(dialog, form.id, qtbot)
        said.add(dialog.use.text())
    assert "" not in said
    assert len(said) == 7, "six forms and the pictures"


def test_a_chart_that_cannot_be_drawn_is_not_offered() -> None:
    """Without measurements there is no picture of them."""
    found = forms(msgspec.structs.replace(sample_report(), benchmark=None), EN)

    assert "matrix_rates" not in {form.id for form in found}


@pytest.mark.parametrize("form_id", ["md", "text", "json"])
def test_the_preview_is_the_file_itself(form_id: str) -> None:
    """What is shown of a text is, letter by letter, what is written."""
    report = sample_report()
    form = next(form for form in forms(report, EN) if form.id == form_id)

    assert draft(report, form, EN).text.encode() == render(report, form_id, EN)  # type: ignore[arg-type]  # a form


def test_file_names_say_the_day_and_nobody() -> None:
    """A file is named by its day and form, in the language of the window, also for a report with a strange date."""
    report = msgspec.structs.replace(sample_report(), created_at="../../etc/passwd")
    names = [file_name(sample_report(), form, EN) for form in forms(sample_report(), EN)]
    spanish = [file_name(sample_report(), form, ES) for form in forms(sample_report(), ES)]

    assert names[0] == "advisor-2026-11-21.html"
    assert "advisor-2026-11-21-time-and-cost.png" in names
    assert "advisor-2026-11-21-summary.pdf" in names
    assert "advisor-2026-11-21-resumen.pdf" in spanish
    assert len(set(spanish)) == len(spanish)
    assert file_name(report, forms(report, EN)[0], EN) == "advisor-.html"


def test_a_second_answer_of_a_day_takes_another_name(tmp_path: Path) -> None:
    """The same was offered as for the first, so that it had to be typed or the first one lost."""
    wanted = tmp_path / "advisor-2026-11-21-summary.pdf"
    offered = []
    for _answer in range(3):
        offered.append(free_path(wanted).name)
        free_path(wanted).touch()
    assert offered == [wanted.name, "advisor-2026-11-21-summary-2.pdf", "advisor-2026-11-21-summary-3.pdf"]


def test_what_is_inside_is_said() -> None:
    """Measurements are named only where there are some; a picture holds less."""
    report = sample_report()
    whole, picture = forms(report, EN)[0], forms(report, EN)[-1]
    unmeasured = msgspec.structs.replace(report, benchmark=None)

    assert "the results of 14 tests, and why 1 more has none" in contents(report, whole, EN)
    assert not any("test" in part for part in contents(unmeasured, whole, EN))
    assert len(contents(report, picture, EN)) == 1


def test_all_forms_can_be_looked_at(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Each form has a preview: a page, the text itself, or the picture."""
    for form in dialog._forms:
        choose(dialog, form.id, qtbot)
        shown = dialog.preview.currentIndex()
        if form.is_picture:
            assert shown == 2
            assert dialog.picture.pixmap().width() >= 320
        elif form.id in {"html", "pdf", "sheet"}:
            assert shown == 0
            assert "This laptop is enough." in dialog.page.toPlainText()
        else:
            assert shown == 1
            assert dialog.text.toPlainText()


@pytest.mark.parametrize("form_id", ["html", "md", "text", "json", "time_and_cost"])
def test_a_form_is_written(dialog: ExportDialog, form_id: str, tmp_path: Path, qtbot: QtBot) -> None:
    """The file holds the report in its form, and its name is said."""
    choose(dialog, form_id, qtbot)
    path = tmp_path / "mine"
    save(dialog, path, qtbot)
    written = path.with_suffix(dialog.form.suffix)

    assert dialog.said.text() == f"Saved as {written.name}."
    if form_id == "json":
        assert wire.decode_report(written.read_bytes()) == sample_report()
    elif dialog.form.is_picture:
        assert QImage(str(written)).width() > 600
    else:
        assert "This laptop is enough." in written.read_text(encoding="utf-8")
    assert list(tmp_path.iterdir()) == [written]


def test_a_pdf_is_written_by_a_process_of_its_own(dialog: ExportDialog, tmp_path: Path, qtbot: QtBot) -> None:
    """A PDF is a PDF; laying out its pages does not hold up the window."""
    choose(dialog, "pdf", qtbot)
    save(dialog, tmp_path / "mine.pdf", qtbot)

    assert (tmp_path / "mine.pdf").read_bytes().startswith(b"%PDF")


def test_what_cannot_be_written_is_said(dialog: ExportDialog, tmp_path: Path, qtbot: QtBot) -> None:
    """A folder that is not there, and one in the place of the file, are sentences; nothing is left behind."""
    choose(dialog, "text", qtbot)
    save(dialog, tmp_path / "nowhere" / "mine.txt", qtbot)
    assert "the folder does not exist" in dialog.problem.sentence.text()

    (tmp_path / "taken.txt").mkdir()
    save(dialog, tmp_path / "taken.txt", qtbot)
    assert "it is a folder" in dialog.problem.sentence.text()
    assert [path.name for path in tmp_path.iterdir()] == ["taken.txt"]


def test_an_earlier_file_is_replaced_whole(dialog: ExportDialog, tmp_path: Path, qtbot: QtBot) -> None:
    """Writing over a file leaves the new report and nothing of the old."""
    path = tmp_path / "mine.json"
    path.write_text("old " * 100_000)
    choose(dialog, "json", qtbot)
    save(dialog, path, qtbot)

    assert json.loads(path.read_bytes())["program_version"] == "0.1.0"


@pytest.mark.parametrize(
    ("typed", "written"),
    [("results 1.5", "results 1.5.txt"), ("mine.text", "mine.text"), ("mine.html", "mine.html.txt")],
)
def test_a_name_ends_as_its_form_does(
    dialog: ExportDialog, typed: str, written: str, tmp_path: Path, qtbot: QtBot
) -> None:
    """What only looks like an ending is none."""
    choose(dialog, "text", qtbot)
    save(dialog, tmp_path / typed, qtbot)

    assert [path.name for path in tmp_path.iterdir()] == [written]


@pytest.mark.parametrize("may", [True, False])
def test_the_file_that_would_be_replaced_is_asked_about(
    dialog: ExportDialog, may: bool, tmp_path: Path, qtbot: QtBot
) -> None:
    """Where the ending makes another name of the typed one, that file is asked about before it goes."""
    choose(dialog, "text", qtbot)
    path = tmp_path / "results 1.5.txt"
    path.write_text("old")
    asked: list[str] = []
    dialog.ask_name = lambda suggested, form: str(tmp_path / "results 1.5")  # type: ignore[method-assign]  # no dialog
    dialog.may_replace = lambda path: asked.append(path.name) or may  # type: ignore[method-assign,func-returns-value]
    qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(dialog.save.isEnabled, timeout=WAIT_MS)

    assert asked == ["results 1.5.txt"]
    assert (path.read_text(encoding="utf-8") == "old") is not may


def test_the_question_for_a_name_offers_one(
    dialog: ExportDialog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The name is there already, its ending is added before the question whether to replace a file."""
    asked: list[tuple[str, bool]] = []

    def accept(question: QFileDialog) -> int:
        is_saving = question.acceptMode() == QFileDialog.AcceptMode.AcceptSave
        asked.append((question.defaultSuffix(), is_saving))
        return 1

    monkeypatch.setattr(QFileDialog, "exec", accept)

    assert dialog.ask_name(str(tmp_path / "advisor.html"), dialog.form) == str(tmp_path / "advisor.html")
    assert asked == [("html", True)]
    monkeypatch.setattr(QFileDialog, "exec", lambda _question: 0)
    assert dialog.ask_name(str(tmp_path / "advisor.html"), dialog.form) == ""


def test_what_could_not_be_shown_is_not_written(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """Without a preview there is nothing to save: no empty picture."""

    def fail(*_arguments: object) -> None:
        raise ValueError("no picture")

    monkeypatch.setattr("advisor.gui.dialogs.export_dialog.draft", fail)
    ids = [form.id for form in dialog._forms]
    dialog.list.setCurrentRow(ids.index("time_and_cost"))
    qtbot.waitUntil(dialog.problem.isVisible, timeout=WAIT_MS)

    assert dialog.problem.sentence.text() == "The preview could not be made."
    assert not dialog.save.isEnabled()
    assert not dialog.copy.isEnabled()
    dialog.save_to(tmp_path / "picture.png")
    assert list(tmp_path.iterdir()) == []
    dialog.list.setCurrentRow(0)
    assert dialog.save.isEnabled()


def test_the_answer_can_be_copied(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Copy gives the report as text, or the picture where one is shown."""
    choose(dialog, "html", qtbot)
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert "This laptop is enough." in QGuiApplication.clipboard().text()

    choose(dialog, "time_and_cost", qtbot)
    qtbot.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().image().width() > 600


def test_the_short_answer_can_be_copied(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Whatever form is shown, a message gets the answer in a few lines, as text and as HTML."""
    qtbot.mouseClick(dialog.copy_short, Qt.MouseButton.LeftButton)
    data = QGuiApplication.clipboard().mimeData()

    assert "This laptop is enough." in data.text()
    assert len(data.text().splitlines()) < 15
    assert "<b>This laptop is enough.</b>" in data.html()
    assert dialog.said.text() == "Copied"


def test_the_answer_is_copied_by_key(answered: MainWindow, qtbot: QtBot) -> None:
    """Ctrl+C anywhere on the answer, but not where a word of it is selected."""
    verdict = answered.advice.verdict
    assert verdict is not None
    QGuiApplication.clipboard().clear()
    verdict.all_options.setFocus()
    qtbot.keyClick(verdict.all_options, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "This laptop is enough." in QGuiApplication.clipboard().text()
    assert verdict.copy.text() == "Copied"

    verdict.headline.setFocus()
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(verdict.headline, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "How sure" in QGuiApplication.clipboard().text()

    verdict.headline.setSelection(0, 4)
    qtbot.keyClick(verdict.headline, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "This"


def test_the_answer_is_copied_where_nothing_was_pressed_yet(answered: MainWindow, qtbot: QtBot) -> None:
    """The key works as soon as the answer is there."""
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(answered, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert "This laptop is enough." in QGuiApplication.clipboard().text()


def test_what_was_written_can_be_opened(
    dialog: ExportDialog, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the word that it is saved: the file, and the folder it lies in."""
    shown: list[str] = []
    monkeypatch.setattr(dialog._opener, "open", shown.append)
    choose(dialog, "text", qtbot)
    assert not dialog.open_file.isVisible()
    save(dialog, tmp_path / "answer.txt", qtbot)
    for pressed in (dialog.open_file, dialog.open_folder):
        qtbot.mouseClick(pressed, Qt.MouseButton.LeftButton)
    assert shown == [str(tmp_path / "answer.txt"), str(tmp_path)]

    choose(dialog, "md", qtbot)
    assert not dialog.open_file.isVisible()
    dialog._opener.unopened.emit("/somewhere")
    assert "/somewhere" in dialog.said.text()


def test_the_picture_of_the_answer_has_the_size_of_a_preview(
    dialog: ExportDialog, tmp_path: Path, qtbot: QtBot
) -> None:
    """1200 x 630, as is usual for links."""
    choose(dialog, "answer", qtbot)
    save(dialog, tmp_path / "answer.png", qtbot)
    image = QImage(str(tmp_path / "answer.png"))

    assert (image.width(), image.height()) == (1200, 630)


def test_it_says_what_is_not_inside(dialog: ExportDialog) -> None:
    """Before anything is written stands what is in it and what is not."""
    assert "Does not include: your name" in dialog.contents.text()
    assert not dialog.warning.isVisible()


def test_a_name_in_it_is_a_warning(qapp: QApplication, qtbot: QtBot) -> None:
    """Where a word could name the user, the promise is withdrawn and the word shown."""
    report = sample_report()
    workload = msgspec.structs.replace(report.workload, title="Marta's photos")
    dialog = opened(qapp, qtbot, msgspec.structs.replace(report, workload=workload), Identity(user="marta"))

    assert "Does not include" not in dialog.contents.text()
    assert dialog.warning.isVisible()
    assert "marta" in dialog.warning.text()


def test_hostile_names_are_text_in_every_preview(qapp: QApplication, qtbot: QtBot) -> None:
    """A name that is HTML neither becomes a picture nor a script in the preview."""
    report = sample_report()
    cpu = msgspec.structs.replace(report.machine.host.cpu, name="<img src=x onerror=alert(1)><script>1</script>")
    host = msgspec.structs.replace(report.machine.host, cpu=cpu)
    machine = msgspec.structs.replace(report.machine, host=host)
    dialog = opened(qapp, qtbot, msgspec.structs.replace(report, machine=machine), NOBODY)

    assert "<img src=x" in dialog.page.toPlainText()


def test_it_speaks_another_language_at_once(dialog: ExportDialog, qtbot: QtBot) -> None:
    """Switching the language renews names and preview."""
    dialog._context.set_language("es")
    qtbot.waitUntil(lambda: bool(dialog._drafts), timeout=WAIT_MS)

    assert dialog.windowTitle().startswith("⟦")
    assert dialog.list.item(0).text().startswith("⟦")
    metrics = dialog.list.fontMetrics()
    widest = max(metrics.horizontalAdvance(dialog.list.item(row).text()) for row in range(dialog.list.count()))
    assert dialog.list.viewport().width() >= min(widest, 280), "names are cut"


def test_names_of_charts_are_whole_in_spanish(qapp: QApplication, qtbot: QtBot) -> None:
    """The longest take two lines: a wider list would leave the page no room."""
    context = Context(qapp, ES, "light")
    context.apply_theme()
    made = ExportDialog(context, BackgroundTasks(), sample_report(), identity=NOBODY)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    qtbot.addWidget(made)
    made.open()
    qtbot.waitUntil(lambda: bool(made._drafts), timeout=WAIT_MS)

    heights = [made.list.visualItemRect(made.list.item(row)).height() for row in range(made.list.count())]
    assert heights[-1] > 1.4 * heights[0]


def test_pictures_are_drawn_on_white() -> None:
    """A picture has a ground of its own, whatever it is pasted on."""
    image = drawn('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>')

    assert (image.width(), image.pixelColor(3, 3).name()) == (20, "#ffffff")
    assert png('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"></svg>').startswith(b"\x89PNG")


def test_sharing_from_the_answer(answered: MainWindow, qtbot: QtBot) -> None:
    """The answer has a way to the dialog."""
    assert answered.advice.verdict is not None
    qtbot.mouseClick(answered.advice.verdict.share, Qt.MouseButton.LeftButton)
    dialog = answered.findChild(ExportDialog)

    assert dialog is not None
    qtbot.waitUntil(lambda: bool(dialog._drafts), timeout=WAIT_MS)
    dialog.close()


@pytest.mark.parametrize("code", ["en", "es"])
def test_the_page_scrolls_downwards_only(qapp: QApplication, qtbot: QtBot, code: str) -> None:
    """Wide tables and long words are broken so that they fit, also when the dialog is made narrower later."""
    benchmark = full().benchmark
    card = msgspec.structs.replace(sample_report().machine.accelerators[0], name="GeForce" + "x" * 200)
    machine = msgspec.structs.replace(full().machine, accelerators=(card,))
    dialog = opened(qapp, qtbot, msgspec.structs.replace(full(), machine=machine, benchmark=benchmark), NOBODY)
    dialog._context.set_language(code)
    qtbot.waitUntil(lambda: bool(dialog._drafts), timeout=WAIT_MS)
    room = dialog.page.viewport

    def fits() -> bool:
        return not dialog._fitting.isActive() and dialog.page.document().size().width() <= room().width() + 1

    for width in (1120, 760, 600):
        dialog.resize(width, 560)
        qtbot.waitUntil(fits, timeout=WAIT_MS)
        assert dialog.width() == max(width, 760)
        assert dialog.page.verticalScrollBar().maximum() > 0


def printed(dialog: ExportDialog, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, pages: int = 0) -> bytes:
    """Print into a file as the print dialog does it, the first pages only or all, and return what came."""

    def choose_file(printer: QPrinter) -> bool:
        printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        printer.setOutputFileName(str(path))
        printer.setFromTo(min(1, pages), pages)
        return True

    monkeypatch.setattr(dialog, "ask_printer", choose_file)
    qtbot.mouseClick(dialog.paper, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.paper.isEnabled() and not dialog._background.is_running(), timeout=WAIT_MS)
    return path.read_bytes() if path.exists() else b""


def test_a_report_is_printed(
    dialog: ExportDialog, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All pages on the printer's paper, or those that were asked for."""
    whole = printed(dialog, tmp_path / "whole.pdf", qtbot, monkeypatch)
    assert dialog.said.text() == "Saved as whole.pdf."
    assert dialog.open_file.isVisible()
    assert whole.startswith(b"%PDF")
    pages = len(re.findall(rb"/Type /Page\b", whole))
    assert pages >= 3
    assert len(re.findall(rb"/Type /Page\b", printed(dialog, tmp_path / "two.pdf", qtbot, monkeypatch, 2))) == 2


def test_what_was_chosen_reaches_the_process_that_prints(qapp: QApplication, tmp_path: Path) -> None:
    """Sheet, side, copies, colour and pages, through the process's arguments and back."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(tmp_path / "año 1.pdf"))
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A5))
    printer.setPageOrientation(QPageLayout.Orientation.Landscape)
    printer.setCopyCount(3)
    printer.setColorMode(QPrinter.ColorMode.GrayScale)
    printer.setFromTo(1, 1)
    print_report(full(), chosen_paper(printer), language("en"))
    made = (tmp_path / "año 1.pdf").read_bytes()
    (page,) = PdfReader(BytesIO(made)).pages
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (595, 420)
    assert (chosen_paper(printer).copies, chosen_paper(printer).is_grey) == (3, True)


def test_what_cannot_be_printed_is_said(
    dialog: ExportDialog, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that cannot be written is no printer that takes nothing; what lay there stays."""
    printed(dialog, tmp_path / "no folder" / "x.pdf", qtbot, monkeypatch)
    assert dialog.problem.isVisible()
    assert "x.pdf' could not be written: the folder does not exist" in dialog.problem.sentence.text()
    assert dialog.said.text() == ""


def test_a_printer_that_takes_nothing_is_said(
    dialog: ExportDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is not there is no crash, and no "handed to the printer"."""

    def choose(printer: QPrinter) -> bool:
        printer.setOutputFormat(QPrinter.OutputFormat.NativeFormat)
        printer.setPrinterName("nobody's")
        return True

    monkeypatch.setattr(dialog, "ask_printer", choose)
    qtbot.mouseClick(dialog.paper, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.paper.isEnabled() and not dialog._background.is_running(), timeout=WAIT_MS)
    assert "printer does not respond" in dialog.problem.sentence.text()
    assert dialog.said.text() == ""


def test_who_changes_their_mind_prints_nothing(dialog: ExportDialog, monkeypatch: pytest.MonkeyPatch) -> None:
    """The print dialog was cancelled."""
    monkeypatch.setattr(dialog, "ask_printer", lambda _printer: False)
    dialog._print()
    assert dialog.paper.isEnabled()
    assert dialog.said.text() == ""
