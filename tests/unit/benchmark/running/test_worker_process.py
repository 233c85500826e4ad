"""How the worker is started."""

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import advisor
from advisor.benchmark.running.worker_process import Graces, WorkerProcess, _environment, worker_command
from advisor.errors import WorkerError


def test_the_command_is_this_program() -> None:
    """In a run from source it is this Python with the same package, safe from files in the working folder."""
    assert worker_command() == (sys.executable, "-P", "-m", "advisor", "--worker")


def test_the_frozen_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen program has no Python to call."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    assert worker_command() == (sys.executable, "--worker")


def test_no_such_program() -> None:
    """A command that cannot be started is said in a sentence."""
    with pytest.raises(WorkerError, match="could not be started"):
        WorkerProcess(("/nonexistent/program",), Graces())


def test_no_thread_to_hear_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system has no thread left to give, that is said, and the process does not stay."""
    started = []

    def no_thread(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    def noted(*arguments: Any, **options: Any) -> "subprocess.Popen[bytes]":
        started.append(popen(*arguments, **options))
        return started[0]

    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", noted)
    monkeypatch.setattr(threading.Thread, "start", no_thread)
    with pytest.raises(WorkerError, match="could not be started: the system has none left to give"):
        WorkerProcess((sys.executable, "-c", "input()"), Graces())
    assert started[0].poll() is not None


def test_cuda_counts_cards_as_the_driver_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """By bus and not the fastest first; what the user has set stays."""
    monkeypatch.delenv("CUDA_DEVICE_ORDER", raising=False)
    assert _environment(worker_command())["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"
    assert _environment(("other",))["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"
    monkeypatch.setenv("CUDA_DEVICE_ORDER", "FASTEST_FIRST")
    assert _environment(worker_command())["CUDA_DEVICE_ORDER"] == "FASTEST_FIRST"


def test_the_worker_finds_this_very_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is started without the folder it is in, and another copy may be installed."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert _environment(worker_command())["PYTHONPATH"] == str(Path(advisor.__file__).parents[1])
