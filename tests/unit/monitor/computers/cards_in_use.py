"""Samples shared by the tests of nvml, processes, source."""

from pathlib import Path
from types import SimpleNamespace

from advisor.monitor.nvidia import NvidiaSource
from advisor.monitor.processes import ProcessNames
from advisor.monitor.source import Files
from tests.unit.monitor.computers.fakes import FakeNvml

GIB = 1024**3


class GoneError(Exception):
    """A process that has ended."""


class Processes:
    """A psutil that knows two processes.

    Attributes:
        asked: Process ids, in order.
    """

    Error = GoneError

    def __init__(self) -> None:
        self.asked: list[int] = []

    def Process(self, pid: int) -> SimpleNamespace:  # noqa: N802 - psutil's own name
        """Return a process, or say that it has ended."""
        self.asked.append(pid)
        if pid not in {11, 12}:
            raise GoneError(pid)
        return SimpleNamespace(name=lambda: f"program{pid}")


def on_card(pid: int, used: object = GIB) -> SimpleNamespace:
    """Return NVML's entry of a program on a card."""
    return SimpleNamespace(pid=pid, usedGpuMemory=used)


def make(root: Path, *cards: dict[str, object]) -> tuple[NvidiaSource, FakeNvml, Processes]:
    """Return a source over a fake library and a fake list of processes."""
    library, processes = FakeNvml(*cards), Processes()
    return NvidiaSource(library, Files(root), ProcessNames(processes)), library, processes
