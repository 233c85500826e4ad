"""Run uv, which resolves, downloads and installs; nothing here knows what a pack is.

Source: https://docs.astral.sh/uv/reference/cli/ (uv 0.13), "uv venv", "uv pip compile", "uv pip sync".
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from advisor.errors import PackError, system_reason
from advisor.resource import system_environment

_LAST_LINES = 20
_POLL_S = 0.2
_STOP_S = 5.0


class StoppedError(Exception):
    """The user no longer wants it; what was done so far stays."""


def find_uv() -> Path:
    """Return uv: the one in this program, one in its Python, or one of the system.

    Raises:
        PackError: There is none.
    """
    name = "uv.exe" if sys.platform == "win32" else "uv"
    bundled = getattr(sys, "_MEIPASS", None)
    if bundled is not None and (path := Path(bundled, "tools", name)).is_file():
        return path
    beside = Path(sys.executable).with_name(name)  # where pip puts it in a virtual environment
    found = str(beside) if beside.is_file() else shutil.which("uv")
    if found is None:
        raise PackError("uv, which downloads the measuring pack, is not installed. Install it with: pip install uv")
    return Path(found)


class Uv:
    """Runs uv's commands, each of which can be stopped from another thread.

    Attributes:
        cancel_requested: Set by whoever no longer wants it.
    """

    def __init__(self, executable: Path, downloads: Path) -> None:
        self._executable = executable
        self._downloads = downloads
        self.cancel_requested = threading.Event()

    def run(self, arguments: Sequence[str], heard: Callable[[str], None] = lambda line: None) -> None:
        """Run a command to its end, handing on each line it says.

        Raises:
            StoppedError: It was stopped.
            PackError: It failed; the last lines say why.
        """
        lines: list[str] = []

        def listen() -> None:
            for line in process.stderr or ():
                if text := line.strip():
                    lines.append(text)
                    del lines[:-_LAST_LINES]
                    heard(text)

        process = self._start(arguments)
        listener = threading.Thread(target=listen, name="uv", daemon=True)
        listener.start()
        try:
            while process.poll() is None:
                if self.cancel_requested.wait(_POLL_S):
                    _stop(process)
        finally:  # also where this program itself is to end, as with its session
            if process.poll() is None:
                _stop(process)
            _hear_out(process, listener)
        if self.cancel_requested.is_set():
            raise StoppedError
        if process.returncode != 0:
            raise PackError("The download failed: {reason}", reason=_reason(lines))

    def _start(self, arguments: Sequence[str]) -> "subprocess.Popen[str]":
        environment = system_environment() | {
            "UV_CACHE_DIR": str(self._downloads),
            "UV_NO_CONFIG": "1",  # a configuration of the folder the user happens to be in is not about us
            "NO_COLOR": "1",
        }
        for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME"):
            environment.pop(name, None)
        if "sync" in arguments:  # the list is final; uv refuses to narrow it again
            for name in ("UV_CONSTRAINT", "UV_OVERRIDE"):
                environment.pop(name, None)
        options: dict[str, object] = {"start_new_session": True}
        if sys.platform == "win32":
            options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        try:
            return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
                [str(self._executable), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                env=environment,
                **options,
            )
        except OSError as error:
            raise PackError("uv cannot be started: {reason}.", reason=system_reason(error)) from error


def _stop(process: "subprocess.Popen[str]") -> None:
    """Ask, then force; uv starts an interpreter to ask it for its version, so the whole group is meant."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.terminate()
        else:
            os.killpg(process.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_STOP_S)
        return
    process.kill()
    process.wait()


def _hear_out(process: "subprocess.Popen[str]", listener: threading.Thread) -> None:
    """Let the last lines be heard; what uv started and left may hold the other end, and is ended."""
    listener.join(_STOP_S)
    if listener.is_alive():
        _end_group(process)
        listener.join(_STOP_S)
    if process.stderr is not None and not listener.is_alive():
        process.stderr.close()


def _end_group(process: "subprocess.Popen[str]") -> None:
    """End what a process that is gone has left; on Windows it has no group that could be named."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _reason(lines: Sequence[str]) -> str:
    """Return the lines that name the causes, shortened."""
    told = [line for line in lines if line.startswith(("error:", "×", "Caused by:", "╰─▶"))] or list(lines[-3:])
    return " ".join(line.removeprefix("error:").strip(" ×╰─▶") for line in told)[:600] or "uv said nothing"
