"""Around the window: errors nobody caught, icon and settings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.gui.app.application import application_icon, settings_path
from advisor.gui.app.crash_net import CrashNet
from advisor.gui.app.main_window import MainWindow

_ENDED_AMID_A_START = """
import signal, sys
from advisor.gui.app.application import run
from advisor.gui.base.tasks import BackgroundTasks

def watch(self, thread, watch=BackgroundTasks.watch):
    if not sent:
        sent.append(thread)
        signal.raise_signal(signal.SIGTERM)
    watch(self, thread)

sent = []
BackgroundTasks.watch = watch
status = run([])
assert sent
sys.exit(status)
"""


def test_the_window_is_no_larger_than_the_screen(window: MainWindow) -> None:
    """On a screen smaller than the window wants to be, all of it can be reached."""
    room = window.screen().availableSize()
    least = window.minimumSize()
    assert least.width() <= room.width()
    assert least.height() <= room.height()


def test_an_error_nobody_caught_is_logged_and_said_once(
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The log is written, the window says so with details to copy, and a repetition does not pile up."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    net = CrashNet(window)
    for _turn in range(3):
        try:
            raise LookupError("lost")
        except LookupError as error:
            net(type(error), error, error.__traceback__)

    problem = window.problem
    assert problem.sentence.text() == "Something in the window went wrong."
    assert "LookupError: lost" in problem.details.toPlainText()
    assert len(list(tmp_path.rglob("crash-*.txt"))) == 1
    assert capsys.readouterr().err.count("LookupError: lost") == 1


def test_a_part_that_cannot_be_loaded_is_a_sentence(
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A library that the system cannot map for a page: what to do about it; the traceback is in the log alone."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    error = ImportError("QtOpenGL.abi3.so: failed to map segment from shared object")
    CrashNet(window)(ImportError, error, None)

    said = capsys.readouterr().err
    assert said.startswith("A part of this program cannot be loaded: QtOpenGL.abi3.so")
    assert said.count("\n") == 1
    assert len(list(tmp_path.rglob("crash-*.txt"))) == 1
    assert "cannot be loaded" in window.problem.sentence.text()


def test_an_interrupt_closes_the_window(window: MainWindow) -> None:
    """Ctrl+C in the terminal is no error."""
    CrashNet(window)(KeyboardInterrupt, KeyboardInterrupt(), None)

    assert not window.isVisible()
    assert not window.controllers.background.is_running()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends a process without asking it")
def test_the_end_waits_for_what_is_just_being_started(tmp_path: Path) -> None:
    """A signal comes between any two steps: a thread begun right after its window had closed aborted the process."""
    folders = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")}
    command = [sys.executable, "-c", _ENDED_AMID_A_START]
    done = subprocess.run(
        command, env={**os.environ, **folders}, capture_output=True, text=True, timeout=240, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_icon_has_every_size() -> None:
    """Each picture of the icon is there."""
    assert len(application_icon().availableSizes()) == 7


def test_settings_are_kept_in_the_persons_folder() -> None:
    """The file is named for the window and lies in the folder for settings."""
    assert settings_path().name == "window.ini"
