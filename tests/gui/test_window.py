"""The window as a whole: languages, themes, keyboard, names for screen readers, threads, closing."""

import gc
import subprocess
import sys
import threading
import time

import pytest
from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import PAGES, MainWindow
from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings
from advisor.gui.dialogs.shortcuts_dialog import SHORTCUTS
from advisor.locale import language
from tests.gui.conftest import WAIT_MS, Opener, settle, visit_all
from tests.gui.samples import FakeBackend

CONTROLS = (QAbstractButton, QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit, QPlainTextEdit, QProgressBar)


def is_inner(widget: QWidget) -> bool:
    """Return whether a widget is part of one of Qt's own, which names it."""
    name = widget.objectName()
    parent = widget.parentWidget()
    if parent is not None and parent.metaObject().className().startswith("QComboBoxPrivate"):
        return True
    return name.startswith("qt_") or isinstance(parent, (QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit))


# --- what changes by itself ---


# --- names and keyboard ---


def test_shortcuts_open_pages_and_start_the_check(window: MainWindow, qtbot: QtBot) -> None:
    """Ctrl+number opens a page, Ctrl+Enter starts the check."""
    qtbot.keyClick(window, Qt.Key.Key_4, Qt.KeyboardModifier.ControlModifier)
    assert window.stack.currentWidget() is window.stack.pages["live"]

    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.keyClick(window, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert window.answer_flow.report is not None


def test_escape_stops_the_check(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Esc is Cancel."""
    backend.hold.clear()
    window.check_flow.start_quick()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.keyClick(window, Qt.Key.Key_Escape)

    assert window.answer_flow.report is None


def test_a_card_is_chosen_with_the_space_key(window: MainWindow, qtbot: QtBot) -> None:
    """Cards are buttons: focus and space choose them."""
    card = window.advice.question_panel.presets[0]
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Space)

    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.id == card.preset_id


# --- languages ---

UNTRANSLATED_ON_PURPOSE = {"English", "Español", *(keys for keys, _meaning in SHORTCUTS)}


def spoken(window: MainWindow) -> list[tuple[str, str]]:
    """Return every text of labels and buttons with where it stands."""
    settle()
    return [
        (each.text().strip(), type(each.parentWidget()).__name__)
        for each in window.findChildren(QWidget)
        if isinstance(each, (QLabel, QAbstractButton)) and each.text().strip() and not is_inner(each)
    ]


def is_translated(text: str) -> bool:
    """Return whether a text came from the translation, or holds no words of ours."""
    words = "".join(each if each.isalpha() else " " for each in text).split()
    return "⟦" in text or text in UNTRANSLATED_ON_PURPOSE or not any(len(word) > 3 for word in words)


def test_switching_the_language_changes_every_text_at_once(answered: MainWindow) -> None:
    """No text of any page stays behind in the old language, and back again every text is as before."""
    visit_all(answered)
    answered.controllers.sensor_thread.stop()
    answered.controllers.sensor_thread.wait(WAIT_MS)
    answered.stack.pages["live"].refresh()  # type: ignore[attr-defined]  # the live page
    before = sorted(spoken(answered))
    answered.context.set_language("es")

    names = (
        "Intel Core",
        "GeForce",
        "Radeon",
        "AVX2",
        "/proc",
        "Linux",
        "A job without a card",
        "Stacked LSTM",
        "ResNet-50",
        "cuda",
        "2.13.0",
        "FLOP/s",
        "torch",
        "github.com",
        "TechPowerUp",
    )
    left = [row for row in spoken(answered) if not is_translated(row[0]) and not any(name in row[0] for name in names)]
    assert left == []
    assert answered.windowTitle().startswith("⟦")

    answered.context.set_language("en")
    assert sorted(spoken(answered)) == before


def cut_texts(window: MainWindow) -> list[str]:
    """Return the buttons and lines that are narrower than their words."""
    return [
        f"{each.text()} ({each.width()} < {each.sizeHint().width()})"
        for each in window.findChildren(QWidget)
        if isinstance(each, (QLabel, QAbstractButton))
        and each.isVisible()
        and not is_inner(each)
        and not (isinstance(each, QLabel) and each.wordWrap())
        and each.width() < each.minimumSizeHint().width()
    ]


@pytest.mark.parametrize("state", ["asking", "answered"])
def test_long_words_fit_a_small_window(open_window: Opener, state: str, qtbot: QtBot) -> None:
    """With texts longer by a third, at 1024 x 640, no button or line is cut off."""
    window = open_window("es", size=(1024, 640))
    if state == "answered":
        with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
            window.check_flow.start_quick()
    for name in PAGES:
        window.stack.open(name)
        qtbot.waitUntil(lambda: cut_texts(window) == [], timeout=WAIT_MS)


# --- themes ---


def test_both_themes_have_the_same_colours_by_name() -> None:
    """A colour that one theme lacks would be found only by whoever uses that theme."""
    from advisor.gui.base.theme import load_theme

    assert load_theme("light").colours.keys() == load_theme("dark").colours.keys()
    assert len(load_theme("light").series) == len(load_theme("dark").series)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_texts_can_be_read(name: str) -> None:
    """Text stands out from its ground by at least 4.5 to 1, marks by 3 to 1 (WCAG 2.2, 1.4.3 and 1.4.11)."""
    from advisor.gui.base.theme import load_theme

    theme = load_theme(name)
    grounds = ("window", "surface", "raised", "sunken")
    pairs = [(text, ground) for text in ("text", "muted") for ground in grounds]
    pairs += [("accent", "surface"), ("accent", "accent_soft"), ("on_accent", "accent"), ("error", "error_soft")]
    pairs += [("warning", "surface"), ("text", "accent_soft"), ("text", "error_soft")]

    weak = [(pair, contrast(theme.colours[pair[0]], theme.colours[pair[1]])) for pair in pairs]
    assert [row for row in weak if row[1] < 4.5] == []
    marks = [
        (kind, contrast(theme.colours[kind], theme.colours["surface"])) for kind in ("here", "buy", "rent", "cluster")
    ]
    assert [row for row in marks if row[1] < 3.0] == []


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours.

    Source: WCAG 2.2, definitions of contrast ratio and relative luminance.
    """

    def luminance(code: str) -> float:
        parts = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


# --- threads and the end ---


def test_the_face_never_loads_torch() -> None:
    """The window's process, pages, plots and core loaded, stays light: torch is for the worker."""
    code = (
        "import sys, advisor.gui.app.application, advisor.gui.app.main_window, advisor.session.run, advisor.monitor;"
        "import pyqtgraph;"
        "from advisor.gui.backend import Backend;"
        "Backend().probe_machine(); sys.exit('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr


def test_a_slow_session_does_not_hold_up_painting(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """While the session blocks its thread, the window's own timers go on."""
    backend.hold.clear()
    window = open_window()
    window.check_flow.start_quick()
    beats: list[float] = []
    timer = QTimer()
    timer.timeout.connect(lambda: beats.append(time.monotonic()))
    timer.start(5)
    qtbot.waitUntil(lambda: len(beats) > 20, timeout=WAIT_MS)
    timer.stop()
    backend.hold.set()
    qtbot.waitUntil(lambda: not window.controllers.check_runner.is_running, timeout=WAIT_MS)


def test_closing_in_mid_run_stops_everything(open_window: Opener, backend: FakeBackend) -> None:
    """A window closed during a check asks the session to end and waits for it."""
    backend.hold.clear()
    window = open_window()
    window.check_flow.start_quick()
    window.close()

    assert not window.controllers.background.is_running()


def test_a_session_that_will_not_end_loses_its_processes(open_window: Opener, backend: FakeBackend) -> None:
    """When a session does not end in time, the processes below it are ended by force."""
    import subprocess

    backend.ignores_cancel = True
    backend.hold.clear()
    window = open_window()
    window.controllers.stop_timeout_ms = 50
    sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
    child = subprocess.Popen(sleep, start_new_session=True)  # as workers are started
    helper = subprocess.Popen(sleep)  # as multiprocessing's own are
    window.check_flow.start_quick()
    window.close()

    assert child.wait(timeout=60) != 0
    if sys.platform != "win32":
        assert helper.poll() is None
    helper.kill()
    helper.wait()
    backend.hold.set()
    window.controllers.background.wait(WAIT_MS)


def test_only_one_check_runs_at_a_time(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """A second start while one runs does nothing."""
    backend.hold.clear()
    window.check_flow.start_quick()
    window.check_flow.start_quick()
    backend.hold.set()
    qtbot.waitUntil(lambda: not window.controllers.check_runner.is_running, timeout=WAIT_MS)

    assert len(backend.requests) == 1


def test_a_flood_of_events_does_not_block(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Fifty thousand events are taken in portions; none is lost."""
    from advisor.records.events import SampleTaken

    samples = tuple(SampleTaken(case_id="x", sample_s=0.001) for _ in range(50_000))
    backend.events = (*backend.events[:4], *samples, *backend.events[4:])
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()

    assert window.answer_flow.report is not None
    assert window.controllers.check_runner.progress.finished_count == 15


class Beeper(QObject):
    """A slot called by a timer, as a plain method and as a declared slot."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    @Slot()
    def beep(self) -> None:
        """Count a call."""
        self.count += 1


def test_slot_calls_keep_the_count_of_none(qtbot: QtBot) -> None:
    """PySide6 6.12.0 lost a reference to None in every slot call on Python below 3.12; five hundred calls show it."""
    beeper = Beeper()
    timer = QTimer()
    timer.timeout.connect(beeper.beep)
    gc.collect()
    gc.disable()  # what an earlier test left behind holds None as well
    try:
        before = sys.getrefcount(None)
        timer.start(0)
        qtbot.waitUntil(lambda: beeper.count >= 500, timeout=WAIT_MS)
        timer.stop()
        after = sys.getrefcount(None)
    finally:
        gc.enable()

    assert abs(after - before) < 100


@pytest.mark.parametrize("height", [800, 1080])
def test_the_window_at_start_leaves_room_for_its_title_bar(
    qapp: QApplication, backend: FakeBackend, settings: Settings, monkeypatch: pytest.MonkeyPatch, height: int
) -> None:
    """On a screen of 800 pixels its foot was cut off: the title bar was not counted."""
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: QSize(1280, height))
    context = Context(qapp, language("en"), "light")
    window = MainWindow(backend, context, settings)
    assert (window.width(), window.height()) == (1200, min(height - 40, 800))
    window.close()
    window.deleteLater()
    context.deleteLater()


def test_the_window_fits_the_smallest_size(open_window: Opener) -> None:
    """The window can be as small as 1024 x 640, and its start button is inside or can be scrolled to."""
    window = open_window(size=(1024, 640))

    assert window.minimumSize().width() <= 1024
    assert window.minimumSize().height() <= 640
    assert window.advice.horizontalScrollBar().maximum() == 0
    start = window.advice.question_panel.start
    window.advice.ensureWidgetVisible(start)
    shown = QRect(start.mapTo(window, QPoint(0, 0)), start.size())
    assert window.rect().contains(shown)


def test_the_session_runs_in_a_thread_of_its_own(answered: MainWindow, backend: FakeBackend) -> None:
    """Neither the session nor the making of the answer's words takes the painting thread."""
    assert backend.threads
    assert threading.get_ident() not in backend.threads


def test_no_word_of_a_new_answer_is_cut(window: MainWindow, qtbot: QtBot) -> None:
    """Each sentence has its height before it is painted, not only once the layouts have caught up."""
    short: list[str] = []

    def look(_report: object) -> None:
        labels = window.advice.verdict.findChildren(QLabel) if window.advice.verdict is not None else []
        seen = [one for one in labels if one.isVisible() and one.wordWrap() and one.text()]
        short.extend(one.text() for one in seen if one.height() < one.heightForWidth(one.width()))
        assert seen

    window.answer_flow.answered.connect(look)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert not short
    assert window.focusWidget() is not window.navigation.buttons["advice"]
