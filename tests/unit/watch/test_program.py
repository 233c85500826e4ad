"""A watched program is started, and ended where watching cannot begin."""

import os
import subprocess
import sys
import threading
from typing import Any

import pytest

from advisor.errors import InputError
from advisor.watch.channel import Channel
from advisor.watch.program import watch


def test_without_a_thread_for_its_output_it_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system may have no thread left to give; the program was started by then."""
    started = []

    def no_thread(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    def noted(*arguments: Any, **options: Any) -> "subprocess.Popen[bytes]":
        started.append(popen(*arguments, **options))
        return started[0]

    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", noted)
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    with Channel() as channel, pytest.raises(InputError, match="cannot be run: the system has none left to give"):
        watch([sys.executable, "-c", "input()"], channel, output=lambda _piece: None)
    assert started[0].poll() is not None


@pytest.mark.parametrize("env", [[], ["env"]], ids=["as a shell takes them", "by env"])
def test_variables_before_the_program_are_its_own_and_hide_nothing(env: list[str]) -> None:
    """Also the PYTHONPATH by which what watches it is found: that comes first, as it does before any other."""
    code = "import os; print(os.environ['PYTHONPATH'], os.environ['A'], sep=chr(10))"
    pieces: list[bytes] = []
    with Channel() as channel:
        command = [*env, "PYTHONPATH=x", "A=b=c", sys.executable, "-c", code]
        found = watch(command, channel, output=pieces.append)
        assert b"".join(pieces).decode().split() == [f"{channel.folder}{os.pathsep}x", "b=c"]
    assert (found.status, found.unseen) == (0, None)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that sets variables")
def test_why_nothing_was_seen_is_told() -> None:
    """A shell script that sets the path anew starts a Python that lasts longer than a look, and then has more to do."""
    python = f"{sys.executable} -c 'import time; time.sleep(1.5)'"
    with Channel() as channel:
        found = watch(["sh", "-c", f"PYTHONPATH=x {python}; sleep 1; true"], channel, output=lambda _piece: None)
    assert (found.status, found.unseen) == (0, "path")
