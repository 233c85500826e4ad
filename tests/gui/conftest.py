"""A window over a backend that measures nothing, and a check that no test leaves anything running."""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt, QThread, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from advisor.gui.app.main_window import PAGES, MainWindow
from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings
from advisor.locale import Language, language
from tests.conftest import is_whole
from tests.gui.samples import FakeBackend

WAIT_MS = 60_000
"""How long something may take that is waited for; a busy computer needs long for what an idle one does at once."""


def settle() -> None:
    """Let pending layouts happen and widgets that were taken away go."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


@cache
def opens_windows(path: Path) -> bool:
    """Return whether a file is among the window's tests."""
    return "gui" in path.parts and is_whole(path)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let every warning that Qt logs fail its test."""
    for item in items:
        if opens_windows(item.path):
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))


@pytest.fixture(autouse=True)
def no_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread, a timer or a window behind."""
    if not opens_windows(request.path):
        yield
        return
    if "visited" in request.fixturenames:  # which sees to it when its window is closed
        yield
        return
    qapp: QApplication = request.getfixturevalue("qapp")
    threads_before = set(threading.enumerate())
    yield
    assert_nothing_left(qapp, threads_before)


def assert_nothing_left(qapp: QApplication, threads_before: set[threading.Thread]) -> None:
    """Fail where a thread, a timer or a window is left."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # The type, not isinstance: that asks each object for its class, and some of torch's answer with a warning.
    objects = [one for one in gc.get_objects() if issubclass(type(one), (QThread, QTimer)) and isValid(one)]
    running = [one.objectName() for one in objects if isinstance(one, QThread) and one.isRunning()]
    ticking = [repr(one.parent()) for one in objects if isinstance(one, QTimer) and one.isActive()]
    assert not running, f"threads still running: {running}"
    assert not ticking, f"timers still active: {ticking}"
    assert not [widget for widget in qapp.topLevelWidgets() if widget.isVisible()], "windows still open"
    # What Python calls a dummy is the mark of a thread of Qt that began one of Python's; it stays when that has ended.
    left = [one for one in threading.enumerate() if not isinstance(one, threading._DummyThread)]
    assert not set(left) - threads_before, "Python threads still running"


class PseudoLanguage(Language):
    """A language that marks and lengthens every translated text, to find those that are not."""

    @property
    def gettext(self) -> Callable[[str], str]:
        """Return the text between marks, longer by a third."""
        return pseudo

    @property
    def ngettext(self) -> Callable[[str, str, int], str]:
        """Return the right form between marks."""
        return lambda one, many, count: pseudo(one if count == 1 else many)


def pseudo(text: str) -> str:
    """Return a text as if translated into a language with longer words."""
    return f"⟦{text}{'~' * (len(text) // 3)}⟧"


def find_language(code: str) -> Language:
    """Return English, or for ``es`` the pseudo-language."""
    return PseudoLanguage("es") if code == "es" else language("en")


Opener = Callable[..., MainWindow]


@pytest.fixture
def backend() -> FakeBackend:
    """Return a backend that replays a session and answers at once."""
    made = FakeBackend()
    made.hold.set()
    return made


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings kept in a file of this test; a check begins at once, whatever the computer is doing."""
    return Settings(path=tmp_path / "window.ini", language_code="en", theme="light", warns_before=False)


@pytest.fixture
def open_window(qapp: QApplication, qtbot: QtBot, backend: FakeBackend, settings: Settings) -> Iterator[Opener]:
    """Return a function that opens a window; it is closed after the test."""
    with window_opener(qapp, qtbot, backend, settings) as open_one:
        yield open_one


@contextmanager
def window_opener(qapp: QApplication, qtbot: QtBot, backend: FakeBackend, settings: Settings) -> Iterator[Opener]:
    """Yield a function that opens a window; at the end all are closed."""
    opened: list[tuple[MainWindow, Context]] = []
    qapp.setStyle("Fusion")

    def open_one(code: str = "en", theme: str = "light", size: tuple[int, int] = (1200, 800)) -> MainWindow:
        context = Context(qapp, find_language(code), theme, find_language)
        qapp.setStyleSheet("")  # of the test before, which would be worked out for every widget that gets a parent
        window = MainWindow(backend, context, settings)
        opened.append((window, context))
        context.apply_theme()
        window.resize(*size)
        with qtbot.waitExposed(window, timeout=WAIT_MS):
            window.show()
        qtbot.keyRelease(window, Qt.Key.Key_Control)  # which a test before may have left pressed: it adds to selections
        qtbot.waitUntil(
            lambda: window.controllers.machine.machine is not None or window.advice.problem.isVisible(), timeout=WAIT_MS
        )
        qtbot.waitUntil(lambda: window.controllers.question.workload is not None, timeout=WAIT_MS)
        return window

    yield open_one
    for window, context in opened:
        window.close()
        window.deleteLater()
        context.deleteLater()


@pytest.fixture
def window(open_window: Opener) -> MainWindow:
    """Return an open window that knows its computer."""
    return open_window()


@pytest.fixture
def answered(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Return a window that shows an answer."""
    return answer(window, qtbot)


def answer(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """Check in a window, and return it when it shows the answer."""
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    for _turn in range(10):  # the answer comes card by card
        settle()
    return window


def visit_all(window: MainWindow) -> None:
    """Make every page and show it once."""
    for name in PAGES:
        window.stack.open(name)
    window.advice.question_panel.job.open_form(is_open=True)


@pytest.fixture(scope="module")
def visited(
    qapp: QApplication, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    """Return one window for all tests of a file, with an answer, every page shown once; they only look at it."""
    backend = FakeBackend()
    backend.hold.set()
    kept = tmp_path_factory.mktemp("visited") / "window.ini"
    settings = Settings(path=kept, language_code="en", theme="light", warns_before=False)
    threads_before = set(threading.enumerate())
    bot = QtBot(request)
    with window_opener(qapp, bot, backend, settings) as open_one:
        window = answer(open_one(), bot)
        visit_all(window)
        yield window
    assert_nothing_left(qapp, threads_before)
