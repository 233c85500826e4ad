"""The first picture of the window: what is loaded for it, and that everything in it stays where it is."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.app import application
from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import Settings
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.samples import FakeBackend

_LOOK = """
import json, sys
from pathlib import Path
from advisor.gui.app import application
from advisor.gui.app.main_window import MainWindow
from advisor.gui.backend import Backend
from advisor.gui.base.settings import Settings

class Window(MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        if not seen:
            seen.update(modules=sorted(sys.modules), is_busy=self.controllers.background.is_running())

    def _start_background(self):
        super()._start_background()
        seen["is_begun"] = self.controllers.background.is_running()
        self.end()

seen = {}
application.MainWindow = Window
app = application.make_application([])
settings = Settings(path=Path(sys.argv[1], "window.ini"), language_code="es")
window = application.open_window(app, Backend(), settings)
app.exec()
print(json.dumps(seen))
"""
_STEPS = {"benchmark", "gui", "monitor", "records", "report"}
"""Packages whose plain records and words the first page speaks with."""
_LIBRARIES = {"PySide6", "babel", "msgspec", "shiboken6"}
_OF_OTHERS = {"jinja2", "numpy", "platformdirs", "psutil", "pyqtgraph", "torch"} | _LIBRARIES
_LATER = {"advisor.monitor.monitor", "advisor.records.channel", "secrets", "sqlite3", "urllib.request"}


class Recorded(MainWindow):
    """A window that keeps where everything was in its first picture, and begins nothing behind it."""

    wanted = QSize()

    def __init__(self, *arguments: Any) -> None:
        self.first: dict[QWidget, QRect] = {}
        super().__init__(*arguments)
        self.resize(self.wanted)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Keep what is seen."""
        super().paintEvent(event)
        self.first = self.first or self.places()

    def _start_background(self) -> None:
        """Nothing comes that could change the page."""

    def places(self) -> dict[QWidget, QRect]:
        """Return where all that is seen stands in the window."""
        seen = [one for one in self.findChildren(QWidget) if one.isVisible()]
        return {one: QRect(one.mapTo(self, QPoint()), one.size()) for one in seen}


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what a window of the real program had loaded and begun at its first picture."""
    command = [sys.executable, "-c", _LOOK, str(tmp_path_factory.mktemp("first"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_only_what_it_shows_is_loaded_before_the_first_picture(seen: dict[str, Any]) -> None:
    """No catalogue, no probe, nothing that predicts, measures or draws: each would hold the window up."""
    modules = set(seen["modules"])
    steps = {name.split(".")[1] for name in modules if name.startswith("advisor.") and _is_package(name)}
    assert steps <= _STEPS
    assert {name.partition(".")[0] for name in modules} & _OF_OTHERS <= _LIBRARIES
    assert not modules & _LATER


def _is_package(name: str) -> bool:
    import advisor

    return Path(advisor.__file__).with_name(name.split(".")[1]).is_dir()


def test_the_work_behind_the_window_begins_after_the_first_picture(seen: dict[str, Any]) -> None:
    """What threads import meanwhile would take the interpreter from the one that paints."""
    assert not seen["is_busy"]
    assert seen["is_begun"]


@pytest.mark.parametrize("shape", [(1200, 800, 100), (960, 600, 100), (1200, 800, 150), (960, 600, 150)])
def test_everything_stays_where_the_first_picture_has_it(
    shape: tuple[int, int, int], qapp: QApplication, qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing moves a moment later, such as the page beside a navigation that grows as wide as its words."""
    qapp.setStyle("Fusion")
    qapp.setStyleSheet("")
    *size, settings.text_percent = shape
    monkeypatch.setattr(Recorded, "wanted", QSize(*size))
    monkeypatch.setattr(application, "MainWindow", Recorded)
    window = application.open_window(qapp, FakeBackend(), settings)
    assert isinstance(window, Recorded)
    qtbot.waitUntil(lambda: bool(window.first), timeout=WAIT_MS)
    for _turn in range(10):
        settle()
    later = window.places()
    moved = {
        type(one).__name__: (place, later.get(one)) for one, place in window.first.items() if later.get(one) != place
    }
    window.close()
    window.deleteLater()
    window.context.deleteLater()
    assert window.first
    assert not moved
