"""The numbers of a job: other networks, sizes, optimizers, and layers of one's own."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.widgets.question_form import QuestionForm
from advisor.gui.window import MainWindow
from tests.gui.samples import FakeCore


def opened(window: MainWindow) -> QuestionForm:
    """Return the form, open."""
    window.advice.ask.job.open_form(is_open=True)
    return window.advice.ask.form


def choose(form: QuestionForm, network: str) -> None:
    """Choose a network by its name."""
    form.network.setCurrentIndex(form.network.findData(network))


def test_another_network(window: MainWindow) -> None:
    """A network of the catalogue takes the place of the job's, with the words of its samples."""
    form = opened(window)
    choose(form, "bert_base")
    workload = window.question.workload

    assert workload is not None
    assert (workload.network, workload.image_size, workload.input_kind) == ("bert_base", None, "text")
    assert form.sample_size.accessibleName() == "Length of a text"
    assert form.sample_size.text() == "as usual"
    form.sample_size.setValue(256)
    assert window.question.workload is not None
    assert window.question.workload.sequence_length == 256


def test_how_it_learns(window: MainWindow) -> None:
    """Method and optimizer reach the question."""
    form = opened(window)
    form.method.setCurrentIndex(form.method.findData("lora"))
    form.optimizer.setCurrentIndex(form.optimizer.findData("sgd"))

    assert window.question.workload is not None
    assert (window.question.workload.method, window.question.workload.optimizer) == ("lora", "sgd")


def test_layers_of_ones_own(window: MainWindow, qtbot: QtBot) -> None:
    """Chosen, the lines to begin with are there; used, they are the job's network."""
    form = opened(window)
    choose(form, "own")
    assert form.layers_panel.isVisible()
    assert form.layers.toPlainText()
    form.layers.setPlainText("conv 16\nglobal_pool\ndense 3")
    qtbot.mouseClick(form.use_layers, Qt.MouseButton.LeftButton)

    workload = window.question.workload
    assert workload is not None
    assert [layer.kind for layer in workload.layers] == ["conv", "global_pool", "dense"]
    assert form.network.currentData() == "own"

    choose(form, "resnet50")
    assert not form.layers_panel.isVisible()
    assert window.question.workload is not None
    assert window.question.workload.layers == ()


def test_a_mistake_in_the_layers_is_said_beside_them(window: MainWindow, qtbot: QtBot) -> None:
    """A line that is not understood changes nothing and is named."""
    form = opened(window)
    before = window.question.workload
    choose(form, "own")
    form.layers.setPlainText("conv 16\nmagic 3")
    qtbot.mouseClick(form.use_layers, Qt.MouseButton.LeftButton)

    assert form.layers_fault.isVisible()
    assert form.layers_fault.text().startswith("Line 2: 'magic' is no layer")
    assert window.question.workload is before


def test_a_job_that_cannot_be_is_said_before_measuring(window: MainWindow, core: FakeCore) -> None:
    """Layers that do not fit each other are said at once, not after a minute of measuring."""
    form = opened(window)
    choose(form, "own")
    form.layers.setPlainText("flatten\nconv 16")
    form.use_layers.click()
    window.start_check()

    assert window.advice.problem.isVisible()
    assert core.requests == []
