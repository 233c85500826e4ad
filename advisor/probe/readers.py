"""How the probe reads the computer: files, commands, the Windows registry, libraries. It must not know what they mean.

Everything the probe touches goes through one ``Readers``, so that a recorded machine can be probed like the real one.
"""

import importlib
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from platform import machine as machine_architecture
from typing import Any, Literal, Protocol

from advisor.nvml_trial import nvml_tried
from advisor.resource import system_environment
from advisor.waiting import within

Platform = Literal["linux", "windows", "macos"]
DiskKind = Literal["nvme", "ssd", "hdd", "network", "virtual"]
_MAX_TEXT_BYTES = 4 * 1024**2
_COMMAND_TIMEOUT_S = 10.0
_DISK_TIMEOUT_S = 5.0


class Files(Protocol):
    """Read-only view of a file tree; paths are absolute POSIX paths of the probed machine."""

    def text(self, path: str) -> str | None:
        """Return the stripped content, or None where it cannot be read."""

    def names(self, path: str) -> tuple[str, ...]:
        """Return the sorted names in a folder, none where it cannot be read."""

    def exists(self, path: str) -> bool:
        """Return whether there is such a file or folder."""

    def target(self, path: str) -> str | None:
        """Return the absolute path a link leads to in the end, or None where there is nothing."""


def _without_waiting(path: str, flags: int) -> int:
    """Open a file, or a pipe that nobody writes into, which would hold whoever opens it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


class RealFiles:
    """The file tree below a root folder of this computer."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def _at(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str | None:
        """Return the stripped content, or None where it cannot be read."""
        try:
            with open(self._at(path), "rb", opener=_without_waiting) as file:
                return file.read(_MAX_TEXT_BYTES).decode("utf-8", "replace").strip(" \t\r\n\0")
        except (OSError, ValueError):  # sysfs answers EINVAL, ENODEV or EIO for what a device does not have
            return None

    def names(self, path: str) -> tuple[str, ...]:
        """Return the sorted names in a folder, none where it cannot be read."""
        try:
            return tuple(sorted(os.listdir(self._at(path))))  # noqa: PTH208 - names are wanted, not paths
        except OSError:
            return ()

    def exists(self, path: str) -> bool:
        """Return whether there is such a file or folder."""
        try:
            return self._at(path).exists()
        except OSError:
            return False

    def target(self, path: str) -> str | None:
        """Return the absolute path a link leads to in the end, or None where there is nothing."""
        try:
            real = self._at(path).resolve(strict=True)
            return "/" + real.relative_to(self.root.resolve()).as_posix()
        except (OSError, ValueError):
            return None


def number(text: str | None, base: int = 10) -> int | None:
    """Return the whole number a text holds, or None where it holds none."""
    try:
        return int(text.split()[0], base) if text and text.strip() else None
    except ValueError:
        return None


class CommandError(Exception):
    """A system command is missing, failed or took too long."""


class Registry(Protocol):
    """The part of the Windows registry below HKEY_LOCAL_MACHINE."""

    def values(self, key: str) -> Mapping[str, Any]:
        """Return the values of a key, none where it does not exist or must not be read."""

    def keys(self, key: str) -> tuple[str, ...]:
        """Return the names of the sub-keys."""


class NoRegistry:
    """Stands for the registry on systems that have none."""

    def values(self, key: str) -> Mapping[str, Any]:
        """Return nothing."""
        return {}

    def keys(self, key: str) -> tuple[str, ...]:
        """Return nothing."""
        return ()


def run_command(arguments: Sequence[str]) -> str:
    """Return what a system command prints.

    Raises:
        CommandError: It is not there, fails, or takes more than ten seconds.
    """
    program = shutil.which(arguments[0])
    if program is None:
        raise CommandError(f"{arguments[0]}: not found")
    try:
        with subprocess.Popen(
            [program, *arguments[1:]], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, errors="replace", env=system_environment(), start_new_session=True,
        ) as process:  # fmt: skip
            try:
                printed, _nothing = process.communicate(timeout=_COMMAND_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                _end_family(
                    process
                )  # what it has started would hold the pipe, and this program, for as long as it likes
                raise CommandError(f"{arguments[0]}: no answer within {_COMMAND_TIMEOUT_S:g} s") from None
    except OSError as error:
        raise CommandError(f"{arguments[0]}: {type(error).__name__}") from error
    if process.returncode:
        raise CommandError(f"{arguments[0]}: exit status {process.returncode}")
    return printed


def _end_family(process: subprocess.Popen[str]) -> None:
    """End a command and what it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def import_pynvml() -> Any:
    """Return the NVML binding (package nvidia-ml-py)."""
    return importlib.import_module("pynvml")


def import_psutil() -> Any:
    """Return psutil; only systems without /proc need it, so that Linux saves its 20 ms."""
    return importlib.import_module("psutil")


@dataclass(frozen=True, kw_only=True)
class ProcessorFacts:
    """What a system tells of its processor by calls instead of files.

    Attributes:
        instruction_sets: Those that matter for training, by our names.
        caches_bytes: All caches of one kind together, such as L2.
    """

    instruction_sets: tuple[str, ...] = ()
    caches_bytes: Mapping[str, int] = field(default_factory=dict)


def disk_free_bytes(folder: str) -> int:
    """Return the free space of the disk that holds a folder; a server that went away answers nobody.

    Raises:
        OSError: There is no answer, or none in time.
    """
    return within(_DISK_TIMEOUT_S, lambda: shutil.disk_usage(folder).free)


def find_torch() -> Path | None:
    """Return the folder torch is installed in for this interpreter, without importing it."""
    spec = importlib.util.find_spec("torch")
    return Path(spec.origin).parent if spec and spec.origin else None


def _this_platform() -> Platform:
    known: dict[str, Platform] = {"win32": "windows", "darwin": "macos"}
    return known.get(sys.platform, "linux")  # the BSDs have /proc and /sys at best in part; the gaps say so


if sys.platform == "win32":  # pragma: no cover - runs on Windows only

    def windows_drive_kind(folder: str) -> DiskKind | None:
        """Return how the drive of a folder is attached."""
        from advisor.probe.windows_registry import drive_kind

        return drive_kind(folder)

    def windows_processor() -> ProcessorFacts:
        """Return what the kernel tells of the processor."""
        from advisor.probe.windows_processor import read_processor

        return read_processor()

    def _this_registry() -> Registry:
        from advisor.probe.windows_registry import WindowsRegistry

        return WindowsRegistry()

else:

    def windows_drive_kind(folder: str) -> DiskKind | None:
        """Return nothing: only Windows is asked this way."""
        return None

    def windows_processor() -> ProcessorFacts:
        """Return nothing: the others have files and sysctl."""
        return ProcessorFacts()

    def _this_registry() -> Registry:
        return NoRegistry()


def _working_folder() -> str:
    """Return the folder in which the program was started, or the root where it has been removed since."""
    try:
        return os.getcwd()  # noqa: PTH109 - a text is wanted
    except OSError:
        return os.sep


@dataclass(frozen=True, kw_only=True)
class Readers:
    """Everything the probe reads through; the defaults read this computer.

    Attributes:
        architecture: As ``platform.machine()`` says, such as ``x86_64``, ``arm64`` or ``AMD64``.
        working_folder: The folder whose disk counts.
        process_id: Of this program, which is no foreign user of a card.
        torch_folder: Where torch is installed; None where it is not.
    """

    platform: Platform = field(default_factory=_this_platform)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    architecture: str = field(default_factory=machine_architecture)
    files: Files = field(default_factory=RealFiles)
    registry: Registry = field(default_factory=_this_registry)
    run: Callable[[Sequence[str]], str] = run_command
    nvml: Callable[[], Any] = import_pynvml
    nvml_tried: Callable[..., AbstractContextManager[None]] = nvml_tried
    psutil: Callable[[], Any] = import_psutil
    processor: Callable[[], ProcessorFacts] = windows_processor
    free_bytes: Callable[[str], int] = disk_free_bytes
    drive_kind: Callable[[str], DiskKind | None] = windows_drive_kind
    working_folder: str = field(default_factory=_working_folder)
    process_id: int = field(default_factory=os.getpid)
    torch_folder: Callable[[], Path | None] = find_torch
