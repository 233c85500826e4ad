"""What the tests under Wine share: its environment, and how a program for Windows is started in it."""

import os
import shutil
import subprocess
from pathlib import Path

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
PYTHON = FOLDER / "python" / "python.exe"
IS_READY = (FOLDER / "ready").exists() and Path(WINE).exists()
USERS = FOLDER / "prefix" / "drive_c" / "users"


def running() -> list[str]:
    """Return the command lines of programs of Wine's that are this one and still run."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has just ended
        if "advisor" in line and ("python.exe" in line or "advisor.exe" in line):
            lines.append(line)
    return lines


def start(folder: Path, *command: str, program: Path = PYTHON) -> subprocess.Popen[str]:
    """Start a program; its streams must be pipes (Wine hands on no others here), to which Windows writes cp1252."""
    pipe = subprocess.PIPE
    environment = ENVIRONMENT if program == PYTHON else ENVIRONMENT | {"PYTHONPATH": ""}
    return subprocess.Popen(
        [WINE, str(program), *command],
        cwd=folder, env=environment, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, encoding="cp1252",
    )  # fmt: skip


def answer(folder: Path, *command: str, status: int = 0, program: Path = PYTHON) -> str:
    """Return what a program writes; it must end with the status and without a traceback."""
    process = start(folder, *command, program=program)
    try:
        text, _ = process.communicate(timeout=600)
    finally:
        process.kill()
    assert "Traceback" not in text, text
    assert process.returncode == status, text
    return text
