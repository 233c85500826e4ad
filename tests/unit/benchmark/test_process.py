"""How the worker is started."""

import sys
from pathlib import Path

import pytest

from advisor.benchmark import process
from advisor.benchmark.process import Graces, WorkerProcess, worker_command
from advisor.errors import WorkerError


def test_the_command_is_this_program() -> None:
    """In a run from source it is this Python with the same package, safe from files in the working folder."""
    assert worker_command() == (sys.executable, "-P", "-m", "advisor", "--worker")


def test_the_frozen_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen program has no Python to call."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)

    assert worker_command() == (sys.executable, "--worker")


def test_the_worker_finds_the_same_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a checkout its folder comes first, and the person's own folders are kept."""
    monkeypatch.setenv("PYTHONPATH", "mine")
    root = str(Path(process.__file__).parents[2])

    assert process._environment()["PYTHONPATH"].split(process.os.pathsep) == [root, "mine"]


def test_an_installed_package_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies beside an installed package must not come before Python's own modules."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setattr(process.sysconfig, "get_path", lambda name: str(Path(process.__file__).parents[2]))

    assert "PYTHONPATH" not in process._environment()


def test_no_such_program() -> None:
    """A command that cannot be started is said in a sentence."""
    with pytest.raises(WorkerError, match="could not be started"):
        WorkerProcess(("/nonexistent/program",), Graces())
