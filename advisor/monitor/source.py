"""What a source of samples looks like, and how it says that a value is missing."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from advisor.monitor.processes import CardUser
from advisor.records.base import GapReason
from advisor.records.hardware.telemetry import AcceleratorSample, HostSample

# No computer part reports honestly outside these; what lies beyond is a broken sensor.
LOWEST_CELSIUS, HIGHEST_CELSIUS = -40.0, 150.0
HIGHEST_W = 5_000.0
HIGHEST_BYTES = 2.0**50
HIGHEST_BYTES_PER_S = 1e13
LOOK_AGAIN_S = 30.0
_MOST_BYTES = 65_536

_T = TypeVar("_T")


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A value that could not be read: its field within the record, and why."""

    field: str
    reason: GapReason
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class HostReading:
    """The host's sample and what is missing from it."""

    sample: HostSample
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AcceleratorReading:
    """One accelerator's sample and what is missing from it."""

    sample: AcceleratorSample
    missing: tuple[Missing, ...] = ()


class HostSource(Protocol):
    """Reads the computer itself."""

    def sample(self, now_s: float) -> HostReading:
        """Read everything; rates are against the call before."""


class AcceleratorSource(Protocol):
    """Reads the accelerators of one kind."""

    def sample(self, now_s: float, *, may_rest: bool) -> tuple[AcceleratorReading, ...]:
        """Read every accelerator; with ``may_rest`` an idle one is left alone at times so that it can fall asleep."""

    def users(self) -> tuple[CardUser, ...]:
        """Return the programs on the cards; nothing where the system does not tell."""

    def close(self) -> None:
        """Let go of drivers and files."""


@dataclass
class Missings:
    """Collects what is missing while a record is filled."""

    found: list[Missing] = field(default_factory=list)

    def add(self, name: str, reason: GapReason, detail: str = "") -> None:
        """Note that a field is missing."""
        self.found.append(Missing(field=name, reason=reason, detail=detail))

    def plausible(self, name: str, value: float | None, low: float, high: float) -> float | None:
        """Return a value within its bounds, or None and a note that the sensor talks nonsense."""
        if value is None or low <= value <= high:
            return value
        self.add(name, "unreadable", f"{value:g}")
        return None


class Files:
    """Reads small system files under a root that a test can replace; every failure becomes a reason.

    Paths are joined as text and files read in one call: through ``pathlib`` a sample cost three times as much.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root
        self._prefix = "/" if root == Path("/") else f"{root}/"

    def text(self, path: str) -> str | None:
        """Return a file's content without surrounding blanks; None where it cannot be read."""
        try:
            return self._read(path)
        except OSError:
            return None

    def number(self, path: str, name: str, missings: Missings) -> float | None:
        """Return the number in a file, or None and the reason."""
        try:
            return float(self._read(path))
        except PermissionError:
            missings.add(name, "permission_denied", path)
        except FileNotFoundError:
            missings.add(name, "not_supported", path)
        except (OSError, ValueError):
            missings.add(name, "unreadable", path)
        return None

    def names(self, path: str) -> list[str]:
        """Return the names in a folder, sorted; none where it cannot be read."""
        try:
            return sorted(os.listdir(f"{self._prefix}{path}"))  # noqa: PTH208 - asked every second
        except OSError:
            return []

    def exists(self, path: str) -> bool:
        """Return whether a path is there."""
        return os.access(f"{self._prefix}{path}", os.F_OK)

    def _read(self, path: str) -> str:
        descriptor = os.open(f"{self._prefix}{path}", os.O_RDONLY)
        try:
            return os.read(descriptor, _MOST_BYTES).decode("utf-8", "replace").strip()
        finally:
            os.close(descriptor)


class Seldom(Generic[_T]):
    """What is looked for once in a while only, because it hardly changes: which sensors there are."""

    def __init__(self, look: Callable[[], _T]) -> None:
        self._look = look
        self._found: _T | None = None
        self._at_s = 0.0

    def at(self, now_s: float) -> _T:
        """Return what there is; looked for again where that was more than ``LOOK_AGAIN_S`` ago."""
        if self._found is None or not 0.0 <= now_s - self._at_s < LOOK_AGAIN_S:
            self._found, self._at_s = self._look(), now_s
        return self._found


Clock = Callable[[], float]
