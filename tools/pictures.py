"""Take pictures of every page of the window with the answer of a report, for the README and to be looked at.

    make pictures PICTURES_ARGS="report.json build/pictures"          # every page, language, theme and size
    make pictures PICTURES_ARGS="report.json packaging/screenshots --readme"

Nothing is measured: the window shows what the report holds, as if its check had just ended. With a screen (Xvfb too)
the letters are those of the desktop; without one they are Qt's own.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("QT_QPA_PLATFORM", "xcb" if os.environ.get("DISPLAY") else "offscreen")
FOLDER = tempfile.TemporaryDirectory(prefix="pictures")
for _name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
    os.environ[_name] = FOLDER.name

from PySide6.QtWidgets import QApplication  # noqa: E402 - the folders count from the first import on

from advisor.benchmark.running.control import Control  # noqa: E402
from advisor.gui.app.application import make_application, open_window  # noqa: E402
from advisor.gui.app.main_window import PAGES, MainWindow  # noqa: E402
from advisor.gui.backend import Backend  # noqa: E402
from advisor.gui.base.settings import load_settings  # noqa: E402
from advisor.records.events import Event, StepStarted  # noqa: E402
from advisor.records.hardware.interference import Interference  # noqa: E402
from advisor.records.hardware.machine import Machine  # noqa: E402
from advisor.records.request import Request  # noqa: E402
from advisor.records.results.report import Report  # noqa: E402
from advisor.wire import read_report  # noqa: E402

LANGUAGES, THEMES = ("en", "es"), ("light", "dark", "contrast")
SIZES = ((1200, 800, 100), (1024, 700, 175), (1600, 1000, 100))
"""Width, height, and letters in per cent."""
README = {"advice": "verdict", "options": "options"}
_SETTLED_S = 0.6
_WAIT_S = 60.0


class ReplayingBackend(Backend):
    """Answers every check with one report, and finds its computer."""

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report

    def probe_machine(self) -> Machine:
        """Return the report's computer."""
        return self._report.machine

    def run_session(self, request: Request, announce: Callable[[Event], None], control: Control) -> Report:
        """Return the report."""
        announce(StepStarted(step="report"))
        return self._report

    def find_interference(self) -> Interference:
        """Return that nothing is in the way."""
        return Interference(conditions=())


def wait(application: QApplication, seconds: float = _SETTLED_S, until: Callable[[], bool] = lambda: False) -> None:
    """Let the window work for some time, or until something is so."""
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s and not until():
        application.processEvents()
        time.sleep(0.01)


def take(
    application: QApplication, window: MainWindow, folder: Path, names: Callable[[str, str, str, int], str]
) -> Iterator[Path]:
    """Take a picture of every page in every language, theme and size, and yield where each was written."""
    for code, theme, (width, height, percent) in itertools.product(LANGUAGES, THEMES, SIZES):
        window.context.set_language(code)
        window.context.set_theme(theme)
        window.context.set_text_percent(percent)
        window.resize(width, height)
        for page in PAGES:
            name = names(page, code, theme, width)
            if not name:
                continue
            window.stack.open(page)
            wait(application)
            path = folder / f"{name}.png"
            window.grab().save(str(path))
            yield path


def _every(page: str, code: str, theme: str, width: int) -> str:
    return f"{code}-{theme}-{width}-{page}"


def _of_readme(page: str, code: str, theme: str, width: int) -> str:
    is_wanted = theme == THEMES[0] and width == SIZES[0][0] and page in README
    return f"{README[page]}-{code}" if is_wanted else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("report", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--readme", action="store_true", help="only those that the README shows")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    application = make_application([])
    settings = load_settings(Path(FOLDER.name) / "window.ini")
    settings.notifies = False
    report = read_report(arguments.report)
    window = open_window(application, ReplayingBackend(report), settings)
    wait(application, 3.0)
    ended = []
    window.check_flow.ended.connect(lambda *_ended: ended.append(True))
    window.check_flow.start_quick()
    wait(application, _WAIT_S, lambda: bool(ended))
    wait(application, 2.0)
    for path in take(application, window, arguments.folder, _of_readme if arguments.readme else _every):
        print(path)
    window.end()
    return 0 if ended else 1


if __name__ == "__main__":
    sys.exit(main())
