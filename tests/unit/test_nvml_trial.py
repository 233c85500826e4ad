"""A driver's library that crashes or hangs does so in another process, and is not asked again."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor import nvml_trial
from advisor.monitor.nvidia import NvidiaSource
from advisor.monitor.source import Files
from advisor.nvml_trial import LIBRARY, nvml_tried

ANSWERS = "import os; os.write(1, b'answered\\n'); os.read(0, 1)"
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the library is tried on Linux alone")


@pytest.fixture(autouse=True)
def _untried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let there be a library that the system's loader would find, and nothing be known of it."""
    (tmp_path / LIBRARY).touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    nvml_trial._failed.clear()
    yield
    nvml_trial._failed.clear()


def trial_is(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Let the other process run this code."""
    monkeypatch.setattr(nvml_trial, "program_command", lambda *_: (sys.executable, "-S", "-c", code))


def test_a_library_that_answers_is_held_open_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """And let go after that."""
    trial_is(monkeypatch, ANSWERS)
    started: list[subprocess.Popen[bytes]] = []
    real = subprocess.Popen

    def start(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(real(*arguments, **options))  # type: ignore[call-overload]  # whatever the module gives
        return started[0]

    monkeypatch.setattr(subprocess, "Popen", start)
    with nvml_tried(60.0, attach=True):
        assert started[0].poll() is None
    assert started[0].poll() is not None


def test_a_library_that_crashes_is_named_with_the_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once for the whole run: the next question starts no process."""
    trial_is(monkeypatch, "import os; os.abort()")
    with pytest.raises(ChildProcessError, match=f"{LIBRARY} ends the program that loads it: SIGABRT"):
        nvml_tried(60.0, attach=True).__enter__()

    trial_is(monkeypatch, ANSWERS)
    with pytest.raises(ChildProcessError):
        nvml_tried(60.0, attach=True).__enter__()


def test_a_library_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process goes with it."""
    trial_is(monkeypatch, "import time; time.sleep(1000)")
    with pytest.raises(TimeoutError, match=r"no answer within 0\.1 s"):
        nvml_tried(0.1, attach=False).__enter__()


def test_what_fails_inside_is_not_taken_for_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that takes too long once may be asked again."""
    trial_is(monkeypatch, ANSWERS)
    with pytest.raises(TimeoutError), nvml_tried(60.0, attach=True):
        raise TimeoutError
    with nvml_tried(60.0, attach=True):
        assert not nvml_trial._failed


def test_without_the_library_no_process_is_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Most computers have none."""
    (tmp_path / LIBRARY).unlink()
    monkeypatch.setattr(nvml_trial, "_CACHE", tmp_path / "cache")
    (tmp_path / "cache").write_bytes(b"libc.so.6\0")
    monkeypatch.setattr(nvml_trial, "_USUAL", ())
    monkeypatch.setattr(subprocess, "Popen", pytest.fail)
    with nvml_tried(60.0, attach=True):
        pass


def test_the_live_page_says_that_the_library_is_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And goes on without it."""
    card = tmp_path / "sys/bus/pci/devices/0000:01:00.0"
    card.mkdir(parents=True)
    (card / "vendor").write_text("0x10de\n", encoding="ascii")
    (card / "class").write_text("0x030000\n", encoding="ascii")
    trial_is(monkeypatch, "import os; os.abort()")

    (reading,) = NvidiaSource(files=Files(tmp_path)).sample(0.0, may_rest=False)

    assert {missing.reason for missing in reading.missing} == {"unreadable"}
