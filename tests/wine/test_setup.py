"""The installer for Windows under Wine: installed, used and removed, without a question."""

import json
import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from advisor import __version__
from tests.wine.harness import ENVIRONMENT, FOLDER, IS_READY, ROOT, USERS, WINE, answer, start

SETUP = ROOT / os.environ.get("ADVISOR_SETUP", f"dist/advisor-{__version__}-setup.exe")
KEY = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\advisor"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(
        not IS_READY or not SETUP.is_file(), reason="`make test-wine` makes Wine's parts and the installer"
    ),
]


def _run(*command: str, status: int = 0) -> str:
    done = subprocess.run(
        [WINE, *command], env=ENVIRONMENT, capture_output=True, encoding="cp1252", timeout=1500, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed() -> Iterator[Path]:
    """The folder of the program, for all tests; then all of it is removed, and what is not its own stays."""
    _run(str(SETUP), "/S")
    (folder,) = USERS.glob("*/AppData/Local/Programs/advisor")
    own = folder / "own.txt"
    own.write_text("mine", "utf-8")
    yield folder
    kept = _histories()
    _run(str(folder / "uninstall.exe"), "/S")  # goes on from a copy of itself
    deadline_s = time.monotonic() + 120
    while (left := [path.name for path in folder.iterdir()]) != [own.name] and time.monotonic() < deadline_s:
        time.sleep(0.5)
    own.unlink()
    shutil.rmtree(folder)
    assert left == [own.name]
    assert not list(USERS.rglob("advisor.lnk"))
    _run("reg", "query", KEY, status=1)
    assert _histories() == kept


def _histories() -> list[Path]:
    return list(USERS.glob("*/AppData/Local/advisor/history.sqlite3"))


def _windows(path: Path) -> str:
    """Return the name that Windows has for a path of the prefix."""
    return "C:\\" + str(path.relative_to(FOLDER / "prefix" / "drive_c")).replace("/", "\\")


def test_it_is_known_to_the_system(installed: Path) -> None:
    """Its version and how to remove it stand where Windows looks, and a menu entry opens the window."""
    told = _run("reg", "query", KEY)
    assert __version__ in told
    assert "uninstall.exe" in told
    assert list(USERS.rglob("advisor.lnk"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--version",), f"advisor {__version__}"),
        (("--doctor", "--lang", "en"), "System: Windows"),
        (("--predict", "resnet50", "--on", "NVIDIA GeForce RTX 4090", "--lang", "es"), "RTX 4090"),
    ],
    ids=["version", "doctor", "predict"],
)
def test_it_answers(installed: Path, tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    """From a folder that holds files named like its own modules."""
    (tmp_path / "advisor.py").write_text("raise SystemExit(9)", "utf-8")
    assert said in answer(tmp_path, *arguments, program=installed / "advisor.exe")


def test_it_measures(installed: Path, tmp_path: Path) -> None:
    """The measuring process begins from the installed Python, and the report is kept."""
    answer(tmp_path, "--report", "out.json", "--max-minutes", "3", program=installed / "advisor.exe")
    report = json.loads((tmp_path / "out.json").read_bytes())
    assert any(one["items_per_s"] for one in report["benchmark"]["measurements"])
    (history,) = _histories()
    with closing(sqlite3.connect(history)) as database:
        assert database.execute("SELECT count(*) FROM report").fetchone() >= (1,)


def test_the_window_opens(installed: Path, tmp_path: Path) -> None:
    """By the program that the menu starts, which has no console; its record of crashes is begun when it stands."""
    process = start(tmp_path, program=installed / "advisor-window.exe")
    try:
        deadline_s = time.monotonic() + 300
        while not (found := list(USERS.glob("*/AppData/Local/advisor/**/fault-*"))) and process.poll() is None:
            assert time.monotonic() < deadline_s
            time.sleep(0.5)
    finally:
        process.kill()
        process.communicate()
    assert found, process.returncode


def test_a_newer_one_is_not_replaced(installed: Path) -> None:
    """Nothing is touched, and the status says so."""
    _run("reg", "add", KEY, "/v", "DisplayVersion", "/d", "99.0.0", "/f")
    try:
        _run(str(SETUP), "/S", status=2)
    finally:
        _run("reg", "add", KEY, "/v", "DisplayVersion", "/d", __version__, "/f")
    assert (installed / "advisor.exe").is_file()


def test_another_folder_is_left_alone(installed: Path) -> None:
    """A folder with files of others is refused, since what is replaced is removed whole."""
    other = FOLDER / "prefix" / "drive_c" / "other"
    other.mkdir(exist_ok=True)
    (other / "Lib").write_text("mine", "utf-8")
    _run(str(SETUP), "/S", f"/D={_windows(other)}", status=2)
    assert [path.name for path in other.iterdir()] == ["Lib"]
