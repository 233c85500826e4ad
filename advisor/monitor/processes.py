"""Which programs use a graphics card just now. Only their names are asked for, and nothing is kept.

Must not know the rest of the monitor: who uses a card is no sensor and goes into no history and no report.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class CardUser:
    """A program on a card.

    Attributes:
        position: The card's place among the accelerators of a sample.
        name: Of the program's file, without folder and arguments; empty where the system does not tell.
        memory_bytes: Of the card, that it holds; None where the driver does not tell.
    """

    position: int
    name: str
    memory_bytes: int | None = None


class ProcessNames:
    """Names of processes, asked for once while they live."""

    def __init__(self, system: Any = None) -> None:
        self._system = system
        self._names: dict[int, str] = {}

    def of(self, pids: Collection[int]) -> dict[int, str]:
        """Return the name of each process; those that are no longer asked about are forgotten."""
        known = {pid: name for pid, name in self._names.items() if pid in pids}
        self._names = known | {pid: self._ask(pid) for pid in pids if pid not in known}
        return dict(self._names)

    def _ask(self, pid: int) -> str:
        if self._system is None:
            import psutil

            self._system = psutil
        try:
            return str(self._system.Process(pid).name())
        except self._system.Error:  # it has ended, belongs to another container, or may not be looked at
            return ""
