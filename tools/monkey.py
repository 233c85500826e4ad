"""Click, type, turn the wheel, drop and resize at random in the window, and say what went wrong.

    make monkey MONKEY_ARGS="--events 20000 --seed 7"

Nothing is measured, downloaded or kept: checks answer from specifications, the history is in a folder that goes, and no
file dialog opens. Wrong is: an error that nobody caught, a warning of Qt's, a field that the wheel or a resize
changed, a process that is left. Without a screen it runs off-screen; with one it can be seen.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "xcb" if os.environ.get("DISPLAY") else "offscreen")
FOLDER = tempfile.TemporaryDirectory(prefix="monkey")
for _name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
    os.environ[_name] = FOLDER.name

from PySide6.QtCore import (  # noqa: E402 - the platform and the folders count from the first import on
    QMimeData,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QtMsgType,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent, QWheelEvent  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import (  # noqa: E402
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QWidget,
)

from advisor.benchmark.running.control import Control  # noqa: E402
from advisor.errors import CatalogError, TraceError  # noqa: E402
from advisor.gui.app.application import make_application, open_window  # noqa: E402
from advisor.gui.app.main_window import MainWindow  # noqa: E402
from advisor.gui.backend import Backend  # noqa: E402
from advisor.gui.base.settings import load_settings  # noqa: E402
from advisor.gui.dialogs.export_dialog import ExportDialog  # noqa: E402
from advisor.records.events import Event, StepStarted  # noqa: E402
from advisor.records.hardware.device import RefreshResult  # noqa: E402
from advisor.records.hardware.interference import Interference  # noqa: E402
from advisor.records.hardware.measuring_pack import PackPlan  # noqa: E402
from advisor.records.job.work import Network  # noqa: E402
from advisor.records.job.workload import Workload  # noqa: E402
from advisor.records.request import Observation, Request  # noqa: E402
from advisor.records.results.report import Report  # noqa: E402

CHECK_S = 0.5
_EACH = 1000
SIZES = ((960, 600), (1024, 700), (1200, 800), (1600, 1000))
KEYS = (
    *(Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right),
    *(Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Escape, Qt.Key.Key_Delete, Qt.Key.Key_Backspace),
    *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    *(Qt.Key.Key_F1, Qt.Key.Key_F2, Qt.Key.Key_F5, Qt.Key.Key_0, Qt.Key.Key_7, Qt.Key.Key_9, Qt.Key.Key_Minus),
    *(Qt.Key.Key_A, Qt.Key.Key_R, Qt.Key.Key_X, Qt.Key.Key_Comma, Qt.Key.Key_Period),
)
WITH_CONTROL = (*(Qt.Key(Qt.Key.Key_1 + number) for number in range(8)), Qt.Key.Key_T, Qt.Key.Key_F, Qt.Key.Key_A)


class StillBackend(Backend):
    """Everything but what takes minutes, opens a connection or runs somebody's code."""

    def run_session(self, request: Request, announce: Callable[[Event], None], control: Control) -> Report:
        """Return an answer from specifications after half a second, or as soon as it is cancelled."""
        from advisor.session.forecast import conclude

        announce(StepStarted(step="benchmark"))
        end_s = time.monotonic() + CHECK_S
        while time.monotonic() < end_s and not control.is_cancelled:
            time.sleep(0.01)
        return conclude(Observation(machine=self.probe_machine()), request.workload, request.circumstances)

    def find_interference(self) -> Interference:
        """Return that nothing is in the way."""
        return Interference(conditions=())

    def trace_program(self, reference: str, kind: str, size: int, control: Control) -> tuple[Network, Workload]:
        """Run nothing."""
        raise TraceError("no_file", file=Path(reference).name)

    def refresh_prices(self) -> RefreshResult:
        """Fetch nothing."""
        raise CatalogError("No connection is opened here.")

    def plan_pack(self) -> PackPlan | None:
        """Plan nothing."""
        return None


class Monkey:
    """Does one thing at random at each tick of a timer, which also ticks while a menu is open."""

    def __init__(self, window: MainWindow, events: int, seed: int) -> None:
        self._window = window
        self._left = events
        self._dice = random.Random(seed)
        self._drops = _files_to_drop()
        self.done: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self._last = ""
        self._timer = QTimer()
        self._timer.timeout.connect(self._act)

    def start(self) -> None:
        """Begin."""
        self._timer.start(0)

    def note(self, problem: str) -> None:
        """Keep a problem with what was done before it."""
        self.problems[f"{problem}\n    after: {self._last}"] += 1

    def _act(self) -> None:
        if self._left <= 0:
            self._timer.stop()
            self._window.end()
            QApplication.exit()
            return
        self._left -= 1
        if self._left % _EACH == 0:
            print(f"{self._left} events left, {sum(self.problems.values())} problems", file=sys.stderr, flush=True)
        acts = (self._click, self._key, self._wheel, self._drop, self._resize)
        act = self._dice.choices(acts, (50, 28, 16, 4, 2))[0]
        self.done[act.__name__.strip("_")] += 1
        try:
            act()
        except RuntimeError as error:  # a widget that went between choosing and clicking it
            if "already deleted" not in str(error):
                raise

    def _top(self) -> QWidget:
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._window

    def _target(self) -> tuple[QWidget, QPoint]:
        """Return a widget that is seen, and a point in it."""
        top = self._top()
        seen = [one for one in top.findChildren(QWidget) if one.isVisible() and not one.visibleRegion().isEmpty()]
        widget = self._dice.choice([*seen, top])
        area = widget.visibleRegion().boundingRect()
        place = QPoint(self._dice.randint(area.left(), area.right()), self._dice.randint(area.top(), area.bottom()))
        name = widget.accessibleName() or widget.objectName()
        self._last = f"{type(widget).__name__} {name!r} in {type(widget.parentWidget()).__name__}"
        return widget, place

    def _click(self) -> None:
        widget, place = self._target()
        self._last = f"click on {self._last}"
        button = Qt.MouseButton.RightButton if self._dice.random() < 0.05 else Qt.MouseButton.LeftButton
        QTest.mouseClick(widget, button, Qt.KeyboardModifier.NoModifier, place)

    def _key(self) -> None:
        target = QApplication.focusWidget() or self._top()
        has_control = self._dice.random() < 0.2
        key = self._dice.choice(WITH_CONTROL if has_control else KEYS)
        modifier = Qt.KeyboardModifier.ControlModifier if has_control else Qt.KeyboardModifier.NoModifier
        self._last = f"{modifier.name} {key.name} in {type(target).__name__} {target.accessibleName()!r}"
        QTest.keyClick(target, key, modifier)

    def _wheel(self) -> None:
        widget, place = self._target()
        self._last = f"wheel over {self._last}"
        before = self._fields()
        notches = QPoint(0, self._dice.choice((-120, 120)))
        event = QWheelEvent(
            QPointF(place),
            QPointF(widget.mapToGlobal(place)),
            QPoint(),
            notches,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
        self._compare(before)

    def _resize(self) -> None:
        self._last = "resize"
        before = self._fields()
        self._window.resize(*self._dice.choice(SIZES))
        self._compare(before)

    def _drop(self) -> None:
        target: QWidget | None = self._target()[0]
        while target is not None and not target.acceptDrops():
            target = target.parentWidget()
        if target is None or (target is not self._window and target.window() is not self._window):
            return
        path = self._dice.choice(self._drops)
        self._last = f"drop of {path.name}"
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path))])
        place, button, modifier = QPoint(5, 5), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        entering = QDragEnterEvent(place, Qt.DropAction.CopyAction, data, button, modifier)
        QApplication.sendEvent(target, entering)
        if entering.isAccepted():
            QApplication.sendEvent(target, QDropEvent(QPointF(place), Qt.DropAction.CopyAction, data, button, modifier))

    def _fields(self) -> dict[int, tuple[QWidget, str]]:
        found: dict[int, tuple[QWidget, str]] = {}
        for one in self._window.findChildren(QWidget):
            if isinstance(one, QComboBox):
                found[id(one)] = one, one.currentText()
            elif isinstance(one, (QAbstractSpinBox, QLineEdit)):
                found[id(one)] = one, one.text()
            elif isinstance(one, QCheckBox):
                found[id(one)] = one, str(one.isChecked())
        return found

    def _compare(self, before: dict[int, tuple[QWidget, str]]) -> None:
        after = self._fields()
        for place, (field, text) in before.items():
            if place in after and after[place][1] != text:
                self.note(f"{type(field).__name__} {field.accessibleName()!r}: {text!r} became {after[place][1]!r}")


def _files_to_drop() -> tuple[Path, ...]:
    folder = Path(FOLDER.name) / "drops"
    (folder / "photos").mkdir(parents=True)
    texts = {
        "model.py": "def build():\n    return None\n",
        "job.toml": '[workload]\nnetwork = "resnet50"\nsamples = 1000\nepochs = 2\n',
        "bad.toml": "[workload\n",
        "report.json": "{}",
        "config.json": '{"model_type": "llama", "hidden_size": 4096}',
        "notes.txt": "nothing",
        "photos/one.jpg": "no picture",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return (*(folder / name for name in texts), folder / "photos", folder / "not there")


def _stop_openers() -> None:
    """Let the desktop's own program for links and files be one that does nothing."""
    opener = Path(FOLDER.name) / "bin" / "xdg-open"
    opener.parent.mkdir(exist_ok=True)
    opener.write_text("#!/bin/sh\n", encoding="utf-8")
    opener.chmod(0o755)
    os.environ["PATH"] = f"{opener.parent}{os.pathsep}{os.environ['PATH']}"


def run(events: int, seed: int, language: str, size: tuple[int, int]) -> tuple[Monkey, list[str]]:
    """Open a window, let a monkey at it, and return it with the names of the processes that are left."""
    import psutil

    before = set(psutil.Process().children(recursive=True))
    QFileDialog.getOpenFileName = QFileDialog.getSaveFileName = lambda *_a, **_k: ("", "")  # type: ignore[method-assign]
    QFileDialog.getExistingDirectory = lambda *_a, **_k: ""  # type: ignore[method-assign]
    QFileDialog.exec = lambda *_a, **_k: 0  # type: ignore[method-assign]
    ExportDialog.ask_printer = lambda *_a: False  # type: ignore[method-assign]
    QDesktopServices.openUrl = lambda *_a, **_k: True  # type: ignore[method-assign]
    _stop_openers()
    application = make_application([])
    settings = load_settings(Path(FOLDER.name) / "window.ini")
    settings.language_code, settings.notifies = language, False
    window = open_window(application, StillBackend(), settings)
    window.resize(*size)
    monkey = Monkey(window, events, seed)

    def on_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        monkey.note("".join(traceback.format_exception(kind, error, trace)))

    def on_message(kind: QtMsgType, _context: object, text: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not text.startswith("This plugin does not support"):  # off-screen
            monkey.note(f"Qt: {text}")

    sys.excepthook = on_error
    qInstallMessageHandler(on_message)
    QTimer.singleShot(1500, monkey.start)
    application.exec()
    left = [one.name() for one in set(psutil.Process().children(recursive=True)) - before if one.is_running()]
    return monkey, left


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lang", choices=("en", "es"), default="en")
    arguments = parser.parse_args()
    began_s = time.monotonic()
    monkey, left = run(arguments.events, arguments.seed, arguments.lang, SIZES[2])
    done = ", ".join(f"{count} x {name}" for name, count in monkey.done.most_common())
    print(f"seed {arguments.seed}: {done} in {time.monotonic() - began_s:.0f} s")
    for problem, count in monkey.problems.most_common():
        print(f"{count} x {problem}")
    for name in left:
        print(f"left behind: {name}")
    print(f"{sum(monkey.problems.values())} problems, {len(left)} processes left")
    return 1 if monkey.problems or left else 0


if __name__ == "__main__":
    sys.exit(main())
