"""The program for Windows under Wine: what it answers there, and that it leaves nothing behind.

Wine is not Windows: what fails here may be Wine's, and what passes may fail there. `make test-wine` makes the Python.
"""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = Path(os.environ.get("ADVISOR_WINE", ROOT / "build" / "wine")).resolve()
WINE = shutil.which("wine64") or "/usr/lib/wine/wine64"
# Of Wine alone: Intel's OpenMP asks for a call it lacks (GetNumaNodeProcessorMaskEx).
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", os.defpath),
    "HOME": os.environ.get("HOME", "/"),
    "WINEPREFIX": str(FOLDER / "prefix"),
    "WINEDEBUG": "-all",
    "LC_ALL": "C.UTF-8",  # in which Wine reads the arguments
    "KMP_AFFINITY": "disabled",
    "PYTHONPATH": "Z:" + str(ROOT).replace("/", "\\"),
}
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.skipif(
        not (FOLDER / "ready").exists() or not Path(WINE).exists(),
        reason="there is no Python for Wine: `make test-wine` makes one, on Debian, as root",
    ),
]


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """No check finds what an earlier one kept, and none leaves a process."""
    for folder in (FOLDER / "prefix" / "drive_c" / "users").glob("*/AppData/Local/advisor"):
        shutil.rmtree(folder)
    yield
    deadline = time.monotonic() + 20  # Wine itself takes a moment to end a process
    while (left := _running()) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not left


def _running() -> list[str]:
    """Return the command lines of this Python that still run."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has just ended
        if "advisor" in line and "python.exe" in line and str(FOLDER).replace("/", "\\") in line.replace("/", "\\"):
            lines.append(line)
    return lines


def _start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start the program; its streams must be pipes (Wine hands on no others here), to which Windows writes cp1252."""
    command = [WINE, str(FOLDER / "python" / "python.exe"), "-m", "advisor", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, encoding="cp1252"
    )


def _answer(folder: Path, *arguments: str, status: int = 0) -> str:
    """Return what the program writes; it must end with the status and without a traceback."""
    process = _start(folder, *arguments)
    try:
        text, _ = process.communicate(timeout=600)
    finally:
        process.kill()
    assert "Traceback" not in text, text
    assert process.returncode == status, text
    return text


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
    (history,) = (FOLDER / "prefix" / "drive_c" / "users").glob("*/AppData/Local/advisor/history.sqlite3")
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
