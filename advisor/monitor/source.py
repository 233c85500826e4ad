"""What a source of samples looks like, and how it says that a value is missing."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from advisor.monitor.processes import CardUser
from advisor.records.base import GapReason
from advisor.records.telemetry import AcceleratorSample, HostSample

# No computer part reports honestly outside these; what lies beyond is a broken sensor.
LOWEST_CELSIUS, HIGHEST_CELSIUS = -40.0, 150.0
HIGHEST_W = 5_000.0
HIGHEST_BYTES = 2.0**50
HIGHEST_BYTES_PER_S = 1e13


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
    """Reads small system files under a root that a test can replace; every failure becomes a reason."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def text(self, path: str) -> str | None:
        """Return a file's content without surrounding blanks; None where it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None

    def number(self, path: str, name: str, missings: Missings) -> float | None:
        """Return the number in a file, or None and the reason."""
        try:
            text = (self.root / path).read_text(encoding="utf-8", errors="replace").strip()
            return float(text)
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
            return sorted(entry.name for entry in (self.root / path).iterdir())
        except OSError:
            return []

    def exists(self, path: str) -> bool:
        """Say whether a path is there."""
        return (self.root / path).exists()


Clock = Callable[[], float]
