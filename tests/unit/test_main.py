"""Which interface the arguments open."""

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import advisor.gui
from advisor import __main__ as program
from advisor.__main__ import _end_in_order


@pytest.fixture(autouse=True)
def _signals_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a signal does to the tests is not the program's to decide."""
    for name in ("_end_at_interrupts", "_end_in_order"):
        monkeypatch.setattr(program, name, lambda: None)
    monkeypatch.setattr(gc, "set_threshold", lambda _count: None)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems name the folder in ways of their own")
@pytest.mark.parametrize(("named", "expected"), [(None, "/"), ("/somewhere", "/somewhere"), ("", "")])
def test_who_has_neither_name_nor_home_lives_in_the_root(
    named: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a user of a container, whom the system knows by a number alone."""
    monkeypatch.setattr("os.getuid", lambda: 2**31 - 7)
    monkeypatch.setenv("HOME", named or "")
    if named is None:
        monkeypatch.delenv("HOME")
    program._give_a_home()
    assert os.environ["HOME"] == expected


@pytest.mark.slow
@pytest.mark.parametrize("path", ["advisor", "./advisor/", "advisor/__main__.py"])
def test_it_may_be_started_as_a_folder_or_a_file(path: str) -> None:
    """Python then looks for its own ``locale`` and ``resource`` in the package first."""
    root = Path(advisor.gui.__file__).parents[2]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, path, "--list", "devices"]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


class _Ending:
    """An object in whose end a signal comes."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __del__(self) -> None:
        signal.raise_signal(self._number)


def _end_an_object(number: int) -> None:
    _Ending(number)
    time.sleep(5)


@pytest.mark.skipif(sys.platform == "win32", reason="nobody is sent these signals there")
@pytest.mark.parametrize(("number", "raised"), [(signal.SIGTERM, SystemExit), (signal.SIGINT, KeyboardInterrupt)])
def test_a_signal_that_comes_in_the_end_of_an_object_is_not_lost(
    number: int, raised: type[BaseException], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python says what is raised there, and goes on."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    before = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)}
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job is begun with it ignored
        _end_in_order()
        with pytest.raises(raised):
            _end_an_object(number)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("arguments", [["--lang", "es"], ["--lang=es"]])
def test_a_language_alone_opens_the_window_in_it(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for Spanish, and for nothing else, wants the program in Spanish, not a report."""
    opened: list[str | None] = []

    def window(_argv: list[str], code: str | None) -> int:
        opened.append(code)
        return 0

    monkeypatch.setattr(advisor.gui, "main", window)
    assert program._run(arguments) == 0
    assert opened == ["es"]


@pytest.mark.parametrize("arguments", [["--lang", "es", "--version"], ["--lang", "xx"], ["--lang"]])
def test_with_anything_else_it_is_the_command_line(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A language that is not there, or none, is said; no window opens."""
    monkeypatch.setattr(advisor.gui, "main", lambda *_given: pytest.fail("a window was opened"))
    monkeypatch.setattr("advisor.cli.main", len)
    assert program._run(arguments) == len(arguments)


def test_a_command_is_loaded_without_looking_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    """What modules define stays: the collector waits until there are many objects, before the command is loaded."""
    counts: list[int] = []
    monkeypatch.setattr(gc, "set_threshold", counts.append)
    monkeypatch.setattr("advisor.cli.main", lambda _given: min(counts))
    assert program._run(["--report"]) > 10_000
