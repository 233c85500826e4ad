"""The program for Windows under Wine: what it answers there, and that it leaves nothing behind.

Wine is not Windows: what fails here may be Wine's, and what passes may fail there. `make test-wine` makes the Python.
"""

import contextlib
import json
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from tests.wine import harness
from tests.wine.harness import IS_READY, USERS, running

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        not IS_READY,
        reason="there is no Python for Wine: `make test-wine` makes one, on Debian, as root",
    ),
]


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """No check finds what an earlier one kept, and none leaves a process."""
    for folder in USERS.glob("*/AppData/Local/advisor"):
        shutil.rmtree(folder)
    yield
    deadline = time.monotonic() + 20  # Wine itself takes a moment to end a process
    while (left := running()) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not left


def _start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return harness.start(folder, "-m", "advisor", *arguments)


def _answer(folder: Path, *arguments: str, status: int = 0) -> str:
    return harness.answer(folder, "-m", "advisor", *arguments, status=status)


def test_doctor(tmp_path: Path) -> None:
    """The probe names the processor, the memory and PyTorch, each with its source, in the words of Windows."""
    text = _answer(tmp_path, "--doctor", "--lang", "en")
    assert "System: Windows" in text
    assert "GetLogicalProcessorInformation" in text or "caches" in text
    assert "PyTorch version: torch 2" in text
    assert "HKLM" in text
    assert "(0 bytes)" not in text


@pytest.mark.parametrize("what", ["workloads", "devices", "offers"])
def test_lists(tmp_path: Path, what: str) -> None:
    """What is known is listed, and Windows' line ends are not doubled."""
    text = _answer(tmp_path, "--list", what, "--lang", "es")
    assert len(text.splitlines()) > 10
    assert "\r\r" not in text


def test_prediction(tmp_path: Path) -> None:
    """A network is predicted on a device that is not there."""
    assert "RTX 4090" in _answer(tmp_path, "--predict", "resnet50", "--on", "NVIDIA GeForce RTX 4090", "--lang", "en")


def test_wrong_input(tmp_path: Path) -> None:
    """A file that is not there is said in one sentence with status 2."""
    assert "missing.json" in _answer(tmp_path, "--compare", "missing.json", "missing.json", status=2)


@pytest.mark.parametrize("name", ["ñandú größe.json", "with space.json"])
def test_report_without_measuring(tmp_path: Path, name: str) -> None:
    """The advice is written to a file whatever its name, and nothing else beside it."""
    _answer(tmp_path, "--report", name, "--suite", "none", "--label", "año")
    report = json.loads((tmp_path / name).read_bytes())
    assert report["machine"]["host"]["os_name"] == "Windows"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_real_check(tmp_path: Path) -> None:
    """The worker measures with the same PyTorch as on Linux, and the history keeps it where Windows keeps data."""
    _answer(tmp_path, "--report", "measured.json", "--max-minutes", "3")
    report = json.loads((tmp_path / "measured.json").read_bytes())
    assert any(one["items_per_s"] for one in report["benchmark"]["measurements"])
    (history,) = USERS.glob("*/AppData/Local/advisor/history.sqlite3")
    with contextlib.closing(sqlite3.connect(history)) as database:
        assert database.execute("SELECT count(*) FROM report").fetchone() == (1,)


def test_killed_while_measuring(tmp_path: Path) -> None:
    """Ended like from the task manager, nothing half written stays; the fixture sees that the worker ends too."""
    with _start(tmp_path, "--report", "never.json", "--max-minutes", "3", "--lang", "en") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(("Measuring", "Still starting")):
                break
        process.kill()
    assert list(tmp_path.iterdir()) == []


def test_window(tmp_path: Path) -> None:
    """Qt for Windows draws the window's pages; how it ends is not judged, for under Wine it does not end by itself."""
    pages = ("advice", "live", "history")
    script = "Z:" + str(Path(__file__).with_name("open_window.py")).replace("/", "\\")
    process = harness.start(tmp_path, script, *pages)
    deadline_s = time.monotonic() + 300
    while not (tmp_path / f"{pages[-1]}.png").exists() and process.poll() is None and time.monotonic() < deadline_s:
        time.sleep(0.5)
    time.sleep(3)  # until it is written
    process.kill()
    said, _ = process.communicate()
    for page in pages:
        with Image.open(tmp_path / f"{page}.png") as picture:
            assert len(set(picture.convert("L").tobytes())) > 20, said  # letters, lines and icons, not one empty field
