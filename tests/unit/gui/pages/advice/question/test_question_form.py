"""The numbers of a job: other networks, sizes, optimizers, and layers of one's own."""

import threading
from pathlib import Path
from typing import cast

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.benchmark.running.control import Control
from advisor.catalog.networks.tables import network
from advisor.gui.app.main_window import MainWindow
from advisor.gui.models.job.layers_text import EXAMPLE
from advisor.gui.pages.advice.question.question_form import QuestionForm
from advisor.predict.timing.step_work import trained_parameters
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, sample_machine


def opened(window: MainWindow) -> QuestionForm:
    """Return the form, open."""
    window.advice.question_panel.job.open_form(is_open=True)
    return window.advice.question_panel.form


def choose(form: QuestionForm, network: str) -> None:
    """Choose a network by its name."""
    form.network.setCurrentIndex(form.network.findData(network))
    settle()


def test_another_network(window: MainWindow) -> None:
    """A network of the catalogue takes the place of the job's, with the words of its samples."""
    form = opened(window)
    choose(form, "bert_base")
    workload = window.controllers.question.workload

    assert workload is not None
    assert (workload.network, workload.image_size, workload.input_kind) == ("bert_base", None, "text")
    assert form.sample_size.accessibleName() == "Text length"
    assert form.sample_size.text() == "default"
    form.sample_size.setValue(256)
    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.sequence_length == 256


def test_attention_is_asked_of_what_has_it(window: MainWindow) -> None:
    """A photo CNN has none; whichever network, no cell between two fields is empty."""
    form = opened(window)
    software, grid = form.software, form.software.grid
    software.toggle.click()
    for network_id, has_attention in (("resnet50", False), ("bert_base", True)):
        choose(form, network_id)
        settle()
        assert software.attention.isVisible() == has_attention
        filled = set()
        for place in range(grid.count()):
            item = grid.itemAt(place)
            widget = None if item is None else item.widget()
            if widget is not None and widget.isVisible():
                row, column, _rows, columns = cast(tuple[int, int, int, int], grid.getItemPosition(place))
                filled |= {(row, one) for one in range(column, column + columns)}
        assert {(row, column) for row in (1, 4, 7) for column in (0, 1, 3, 4)} <= filled


def test_how_it_learns(window: MainWindow) -> None:
    """Method and optimizer reach the question."""
    form = opened(window)
    form.method.setCurrentIndex(form.method.findData("lora"))
    form.optimizer.setCurrentIndex(form.optimizer.findData("sgd"))

    assert window.controllers.question.workload is not None
    assert (window.controllers.question.workload.method, window.controllers.question.workload.optimizer) == (
        "lora",
        "sgd",
    )


def test_what_is_trained_is_said_as_it_is_predicted(window: MainWindow) -> None:
    """Transfer learning is predicted with every parameter trained, and the form does not say otherwise."""
    form = opened(window)
    known = network("resnet50")
    said = form.method.itemText(form.method.findData("transfer"))

    assert trained_parameters(known, "transfer") == trained_parameters(known, "full")
    assert said == "fine-tune all of it, with a new last layer"


def test_how_the_program_runs(window: MainWindow) -> None:
    """Loaders, year, attention, layout and compiling reach the question; what a file says is shown, whatever it is."""
    form = opened(window)
    panel = form.software
    assert not panel.loaders.isVisible()
    assert not panel.lead.isVisible()
    panel.toggle.click()
    assert panel.loaders.isVisible()
    assert panel.lead.isVisible(), "most do not know these, and nobody said that they may stay"
    panel.loaders.setCurrentIndex(panel.loaders.findData(4))
    panel.year.setCurrentIndex(panel.year.findData(2020))
    panel.attention.setCurrentIndex(panel.attention.findData("decomposed"))
    panel.channels_last.setChecked(True)
    panel.compiled.setChecked(True)
    job = window.controllers.question.workload
    assert job is not None
    assert (job.loaders, job.framework_year, job.attention) == (4, 2020, "decomposed")
    assert (job.channels_last, job.compiled) == (True, True)

    for year, text in ((None, "not known"), (2025, "2022 or later"), (2018, "2018 to 2021"), (2015, "2017 or before")):
        panel.fill(msgspec.structs.replace(job, loaders=6, framework_year=year))
        assert (panel.year.currentText(), panel.loaders.currentText()) == (text, "6 processes")
    assert window.controllers.question.workload == job, "showing a job must not change it"
    panel.fill(msgspec.structs.replace(job, input_kind="memory"))
    assert not panel.loaders.isVisible()


def test_no_more_processes_load_here_than_there_are_threads(window: MainWindow) -> None:
    """An article's twelve stood there as what loads the photos of a computer with two."""
    machine = sample_machine()
    host = machine.host
    two = msgspec.structs.replace(host, cpu=msgspec.structs.replace(host.cpu, usable_cores=2.0))
    window.controllers.machine.set_machine(msgspec.structs.replace(machine, host=two))
    form = opened(window)
    window.controllers.question.change_workload(loaders=12)
    form.fill()
    assert form.software.loaders.currentText() == "12 processes (only 2 help here)"
    assert form.software.loaders.itemText(form.software.loaders.findData(2)).startswith("2 ")
    assert "2)" not in form.software.loaders.itemText(form.software.loaders.findData(2))


def test_layers_of_ones_own(window: MainWindow, qtbot: QtBot) -> None:
    """Chosen, the lines to begin with are there; used, they are the job's network."""
    form = opened(window)
    choose(form, "own")
    assert form.layers_panel.isVisible()
    assert form.layers.toPlainText()
    form.layers.setPlainText("conv 16\nglobal_pool\ndense 3")
    qtbot.mouseClick(form.use_layers, Qt.MouseButton.LeftButton)

    workload = window.controllers.question.workload
    assert workload is not None
    assert [layer.kind for layer in workload.layers] == ["conv", "global_pool", "dense"]
    assert form.network.currentData() == "own"

    choose(form, "resnet50")
    assert not form.layers_panel.isVisible()
    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.layers == ()


def test_a_mistake_in_the_layers_is_said_beside_them(window: MainWindow, qtbot: QtBot) -> None:
    """A line that is not understood changes nothing and is named."""
    form = opened(window)
    before = window.controllers.question.workload
    choose(form, "own")
    form.layers.setPlainText("conv 16\nmagic 3")
    qtbot.mouseClick(form.use_layers, Qt.MouseButton.LeftButton)

    assert form.layers_fault.isVisible()
    assert form.layers_fault.text().startswith("Line 2: 'magic' is not a layer")
    assert window.controllers.question.workload is before


def test_a_job_that_cannot_be_is_said_before_measuring(window: MainWindow, backend: FakeBackend) -> None:
    """Layers that do not fit each other are said at once, not after a minute of measuring."""
    form = opened(window)
    choose(form, "own")
    form.layers.setPlainText("flatten\nconv 16")
    form.use_layers.click()
    window.check_flow.start_quick()

    assert window.advice.problem.isVisible()
    assert backend.requests == []


def test_naming_a_file_runs_nothing(window: MainWindow, backend: FakeBackend) -> None:
    """The warning stands there before, and a file that was only chosen has not been run."""
    form = opened(window)
    choose(form, "own_program")

    assert form.program.isVisible()
    assert "code is run on this computer" in form.program.warning.text()
    assert not form.program.run.isEnabled()
    form.program.set_file(Path("/somewhere/model.py"))
    assert form.program.run.text() == "Run model.py"
    assert backend.ran == []


def test_the_network_of_ones_own_file_is_asked_about(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Once the user runs the file, its network is the job's, and the check and later answers are about it."""
    form = opened(window)
    choose(form, "own_program")
    form.program.set_file(Path("/somewhere/model.py"))
    qtbot.mouseClick(form.program.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.controllers.question.own_network is not None, timeout=WAIT_MS)

    assert backend.ran == [("/somewhere/model.py:build", "image", 224)]
    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.network == "model.py:build"
    assert form.network.currentText() == "model.py:build"
    assert not form.sample_size.isEnabled()
    assert form.program.state.text() == "Done: this job trains the network of this file."
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert backend.requests[-1].network is window.controllers.question.own_network

    choose(form, "resnet50")
    assert window.controllers.question.own_network is None
    assert form.sample_size.isEnabled()


def test_no_check_begins_while_ones_own_file_runs(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Both would be slower, and the file's network would take the place of the job that is being answered."""
    may_end = threading.Event()
    plain = backend.trace_program

    def trace(reference: str, kind: str, size: int, control: Control) -> tuple[Network, Workload]:
        assert may_end.wait(WAIT_MS / 1000)
        return plain(reference, kind, size, control)

    backend.trace_program = trace  # type: ignore[method-assign]
    window = open_window()
    form = opened(window)
    choose(form, "own_program")
    form.program.set_file(Path("/somewhere/model.py"))
    qtbot.mouseClick(form.program.run, Qt.MouseButton.LeftButton)
    window.check_flow.start_quick()
    settle()
    assert backend.requests == []
    assert window.advice.problem.sentence.text() == "Your own file is being run; wait for its end."
    assert window.advice.problem.advice.text() == "The check does not begin."

    may_end.set()
    qtbot.waitUntil(lambda: window.controllers.question.own_network is not None, timeout=WAIT_MS)
    assert form.program.state.text() == "Done: this job trains the network of this file."
    assert window.advice.problem.isHidden()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert backend.requests[-1].network is window.controllers.question.own_network
    assert window.answer_flow.report is not None
    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.network == "model.py:build"


def test_ones_own_file_can_be_stopped(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """A file that hangs has a clock, its limit and a button that ends it; asking meanwhile changes nothing of that."""
    form = opened(window)
    choose(form, "own_program")
    program = form.program
    program.set_file(Path("/somewhere/slow.py"))
    qtbot.mouseClick(program.run, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(window.advice.question_panel.start, Qt.MouseButton.LeftButton)
    assert program.state.text() == "Running it in a process of its own: 0 s. It is ended after 120 s at most."
    qtbot.waitUntil(lambda: ": 1 s." in program.state.text(), timeout=WAIT_MS)

    qtbot.mouseClick(program.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(program.run.isEnabled, timeout=WAIT_MS)

    assert program.state.text() == "Stopped. Run it again, or choose another file."
    assert not program.stop.isVisible()
    assert program.problem.isHidden()


def test_a_file_that_was_chosen_is_kept_in_another_language(window: MainWindow) -> None:
    """Changing the language changes words, nothing that was chosen."""
    form = opened(window)
    choose(form, "own_program")
    form.program.set_file(Path("/somewhere/model.py"))
    window.context.set_language("es")

    assert form.network.currentData() == "own_program"
    assert form.program.isVisible()
    assert form.program.chosen.text() == "model.py"


def test_no_answer_for_a_file_that_was_not_run(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Whoever chose a file of their own and presses the button hears what is missing, not about another network."""
    form = opened(window)
    choose(form, "own_program")
    form.program.set_file(Path("/somewhere/model.py"))
    qtbot.mouseClick(window.advice.question_panel.start, Qt.MouseButton.LeftButton)
    settle()

    assert form.program.state.text() == "Run your file first, or choose another network above."
    assert form.program.run.visibleRegion().boundingRect().size() == form.program.run.size()
    assert backend.requests == []
    choose(form, "resnet50")
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(window.advice.question_panel.start, Qt.MouseButton.LeftButton)


def test_layers_that_were_written_are_taken_by_the_button(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """Whoever forgets to say "use these" is asked about the layers all the same; a fault in them is said."""
    form = opened(window)
    choose(form, "own")
    form.layers.setPlainText("nonsense 3")
    qtbot.mouseClick(window.advice.question_panel.start, Qt.MouseButton.LeftButton)
    assert form.layers_fault.isVisible()
    assert backend.requests == []

    form.layers.setPlainText(EXAMPLE)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(window.advice.question_panel.start, Qt.MouseButton.LeftButton)
    assert backend.requests[0].workload.layers


def test_whole_numbers_have_no_decimals(window: MainWindow) -> None:
    """Five passes are 5, and two and a half 2.5."""
    form = opened(window)
    form.epochs.setValue(5.0)
    assert form.epochs.text() == "5"
    form.epochs.setValue(2.5)
    assert form.epochs.text() == "2.5"
    form.months.setValue(240.0)
    assert form.months.text() == "240"


def test_a_file_without_a_network_is_one_sentence(window: MainWindow, qtbot: QtBot) -> None:
    """Why the file gives no network is said, the job stays, and another file can be chosen."""
    form = opened(window)
    before = window.controllers.question.workload
    choose(form, "own_program")
    form.program.set_file(Path("wrong.py"))
    qtbot.mouseClick(form.program.run, Qt.MouseButton.LeftButton)
    problem = form.program.problem
    qtbot.waitUntil(problem.isVisible, timeout=WAIT_MS)

    assert "wrong.py has no build" in problem.sentence.text()
    settle()
    assert problem.visibleRegion().boundingRect().height() == problem.height()
    assert window.controllers.question.workload is before
    assert form.program.run.isEnabled()


def test_numbers_of_any_size_are_shown_as_they_are(window: MainWindow) -> None:
    """A file or a report may hold more than a form usually does; nothing is cut off, and showing changes nothing."""
    form = opened(window)
    job = window.controllers.question.workload
    assert job is not None
    window.controllers.question.workload = job = msgspec.structs.replace(
        job, samples=5_000_000_000, epochs=200_000.5, batch_size=4_000_000, precision="tf32"
    )
    window.controllers.question.circumstances = msgspec.structs.replace(
        window.controllers.question.circumstances, horizon_months=1200.0
    )
    form.fill()

    samples = window.advice.question_panel.job.samples
    window.advice.question_panel.job.show_question()
    assert [box.text() for box in (samples, form.epochs, form.batch, form.months)] == [
        "5,000,000,000\N{NO-BREAK SPACE}photos",
        "200,000.5",
        "4,000,000",
        "1,200",
    ]
    assert form.precision.currentText() == "tf32"
    assert window.controllers.question.workload == job, "showing a job must not change it"
    samples.setValue(6_000_000_000)
    assert window.controllers.question.workload.samples == 6_000_000_000
    assert type(window.controllers.question.workload.samples) is int


def test_the_fields_of_all_groups_stand_below_each_other(window: MainWindow) -> None:
    """Four groups had four left edges; and a size says what it counts in."""
    form = opened(window)
    for group in (form.software, form.renting):
        group.toggle.click()
    settle()
    for column in (
        (form.method, form.classes, form.budget, form.batch, form.software.year, form.renting.setup),
        (form.epochs, form.sample_size, form.months, form.precision, form.software.loaders, form.renting.upload),
    ):
        edges = {(box.mapTo(form, QPoint()).x(), box.mapTo(form, QPoint(box.width(), 0)).x()) for box in column}
        assert len(edges) == 1, edges
    assert form.sample_size.text() == "150\N{NO-BREAK SPACE}pixels"


@pytest.mark.parametrize("code", ["en", "es"])
def test_what_a_field_asks_is_said_while_the_keyboard_is_in_it(window: MainWindow, code: str) -> None:
    """Below every field it made the form two screens long; only who pointed at a name had read it before."""
    window.context.set_language(code)
    form = opened(window)
    for group in (form.software, form.renting):
        group.toggle.click()
    for _turn in range(4):
        settle()
    grids = form._grids
    for grid in grids:
        for box in grid.boxes():
            said = box.accessibleDescription()
            assert said
            assert bool(grid.hint_of(box)) == (box is form.epochs), "whose usual number decides what to put in"
            place = box.y() - grid.boxes()[0].y()
            box.setFocus()
            for _turn in range(3):
                settle()
            assert grid.asked.text() == f"{box.accessibleName()}: {said.partition(chr(10))[0]}"
            if code == "en":  # of one line; only longer texts need more room than is kept
                assert box.y() - grid.boxes()[0].y() == place, "no field of a group moves away from the pointer"
            assert not any(other.asked.text().strip() for other in grids if other is not grid)
    tops = [max(box.mapTo(form, QPoint()).y() for box in grid.boxes()) for grid in grids]
    assert tops == sorted(tops)
    assert {form.budget, form.months, form.who, form.stays} == set(grids[1].boxes())


def test_the_name_of_a_network_is_not_cut(window: MainWindow) -> None:
    """«Red sencilla para fotos (CNN) · 43 M» lost its last letters in half a row."""
    window.resize(1280, 800)  # two fields stand side by side
    form = opened(window)
    settle()
    text = form.network.currentText()
    assert form.network.fontMetrics().horizontalAdvance(text) < form.network.width() - 60
    assert form.network.width() > 1.5 * form.method.width()


def test_a_form_that_could_not_be_filled_can_still_be_used(window: MainWindow) -> None:
    """After a number no field can hold, what the user changes counts again."""
    form = opened(window)
    job = window.controllers.question.workload
    assert job is not None
    window.controllers.question.workload = msgspec.structs.replace(job, epochs=10**400)
    with pytest.raises(OverflowError):
        form.fill()
    window.controllers.question.workload = job
    form.fill()
    form.batch.setValue(77)

    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.batch_size == 77


def test_once_stays_once_when_the_time_of_use_changes(window: MainWindow) -> None:
    """The list says the same for three years as for two."""
    form = opened(window)
    frequency = window.advice.question_panel.job.frequency
    frequency.setCurrentIndex(frequency.findText("just once"))
    frequency.activated.emit(frequency.currentIndex())
    form.months.setValue(36)

    assert frequency.currentText() == "just once"
    assert window.controllers.question.circumstances.runs_per_month == pytest.approx(1 / 36)


def test_what_the_form_says_follows_the_language(window: MainWindow) -> None:
    """A fault in the layers and the state of one's own file are said in the language of the moment."""
    form = opened(window)
    choose(form, "own")
    form.layers.setPlainText("magic 3")
    form.use_layers.click()
    form.program.set_file(Path("model.py"))
    form.program.ask_for_run()
    window.context.set_language("es")

    assert form.layers_fault.text().startswith("⟦Line ")
    assert form.program.state.text().startswith("⟦Run your file first")


def test_usual_epochs_stand_beside_the_field(window: MainWindow) -> None:
    """Another network, another range; both with who publishes it."""
    form = opened(window)
    choose(form, "bert_base")
    assert "2 to 4 are usual (Devlin" in form.epochs.toolTip()
    choose(form, "resnet50")
    assert "10 to 25 are usual" in form.epochs.accessibleDescription()


def test_why_so_many_epochs_stand_there_is_said_beside_the_field(window: MainWindow) -> None:
    """Until the user says another number."""
    form = opened(window)
    assert "5 come with this example" in form.epochs.accessibleDescription()
    form.epochs.setValue(12)
    settle()
    assert "ready-made" not in form.epochs.accessibleDescription()


def test_no_number_takes_its_own_field_away(window: MainWindow, qtbot: QtBot) -> None:
    """No category, written or reached by the arrow, hid the field, and nothing in the form led back."""
    form = opened(window)
    for job in ("bert_finetuning", "article_cnn"):  # one without categories, and back
        window.controllers.question.choose(job)
        window.advice.question_panel.show_question()
    form.classes.selectAll()
    qtbot.keyClicks(form.classes, "-5")
    qtbot.keyClick(form.classes, Qt.Key.Key_Return)
    settle()
    assert (form.classes.isVisible(), form.classes.value(), form.classes.note) == (True, 1, "At least 1.")


@pytest.mark.parametrize(
    ("written", "taken", "said"),
    [("99999", 2048, "At most 2,048."), ("5", 32, "At least 32."), ("0", 0, ""), ("", 0, ""), ("160", 160, "")],
)
def test_a_size_that_the_network_cannot_take_is_put_right_in_its_field(
    window: MainWindow, qtbot: QtBot, written: str, taken: int, said: str
) -> None:
    """It was refused above the page, as "The image_size of article_cnn must be from 32 to 2048"."""
    form = opened(window)
    form.sample_size.selectAll()
    qtbot.keyClick(form.sample_size, Qt.Key.Key_Delete)
    qtbot.keyClicks(form.sample_size, written)
    qtbot.keyClick(form.sample_size, Qt.Key.Key_Return)
    assert (form.sample_size.value(), form.sample_size.note) == (taken, said)
    assert window.controllers.question.size == (taken or None)


def test_the_arrows_of_a_size_step_over_what_the_network_cannot_take(window: MainWindow) -> None:
    """From the usual one up to the least, and from there down to the usual one again."""
    form = opened(window)
    form.sample_size.setValue(0)
    form.sample_size.stepUp()
    assert form.sample_size.value() == 32
    form.sample_size.stepDown()
    assert form.sample_size.text() == "default"


def test_no_field_stands_there_that_the_job_has_not(window: MainWindow) -> None:
    """Texts had an order of pixels and photos that are loaded, tables had epochs and 0 categories."""
    form = opened(window)
    panel, question = form.software, window.controllers.question
    panel.toggle.click()

    def asked(job: str) -> list[bool]:
        question.choose(job)
        window.advice.question_panel.show_question()
        return [
            box.isVisible() and form.network.isVisible()
            for box in (form.classes, form.epochs, form.method, panel.loaders, panel.channels_last)
        ]

    assert asked("article_cnn") == [True, True, True, True, True]
    assert asked("bert_finetuning") == [False, True, True, False, False]
    assert asked("classical_ml") == [False, False, False, False, False]
    captions = [text.text() for text in form.findChildren(QLabel) if text.isVisible()]
    assert "Epochs" not in captions
    assert "Categories" not in captions
    assert not any("through all your examples" in text for text in captions)


def test_what_is_clicked_to_open_more_fields_stays_under_the_pointer(window: MainWindow, qtbot: QtBot) -> None:
    """The page scrolled until all the new fields were seen, and the words that had been clicked were elsewhere."""
    form = opened(window)
    settle()
    for folded in (form.software, form.renting):
        window.advice.ensureWidgetVisible(folded.toggle)
        settle()
        place = folded.toggle.mapTo(window, QPoint(0, 0))
        qtbot.mouseClick(folded.toggle, Qt.MouseButton.LeftButton)
        settle()
        assert folded.fields.isVisible()
        assert folded.toggle.mapTo(window, QPoint(0, 0)) == place
