"""How the worker is started."""

import sys
from pathlib import Path

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
