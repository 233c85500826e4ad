"""A watched program is started, and ended where watching cannot begin."""

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
