"""A fake NVML, a fake psutil and small trees of system files."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

GIB = 1024**3


class NVMLError(Exception):
    """An error with NVML's number."""

    def __init__(self, value: int) -> None:
        super().__init__(f"NVML error {value}")
        self.value = value


class FakeNvml:
    """NVML with cards as dictionaries; a value that is an exception is raised.

    Attributes:
        opened: How often it was opened.
        is_open: Whether it is open now.
        calls: Names of the device calls made.
    """

    NVMLError = NVMLError

    def __init__(self, *cards: dict[str, Any], init_error: int | None = None) -> None:
        self.cards = list(cards)
        self.init_error = init_error
        self.opened = 0
        self.is_open = False
        self.calls: list[str] = []

    def nvmlInit(self) -> None:  # noqa: N802 - NVML's own name
        """Open."""
        self.opened += 1
        if self.init_error is not None:
            raise NVMLError(self.init_error)
        self.is_open = True

    def nvmlShutdown(self) -> None:  # noqa: N802 - NVML's own name
        """Close."""
        self.is_open = False

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802 - NVML's own name
        """Count the cards."""
        return len(self.cards)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> dict[str, Any]:  # noqa: N802 - NVML's own name
        """Return a card as its own handle."""
        return self.cards[index]

    def __getattr__(self, name: str) -> Any:
        """Answer every other device call from the card's dictionary."""
        if not name.startswith("nvmlDeviceGet"):
            raise AttributeError(name)

        def ask(handle: dict[str, Any], kind: int | None = None) -> Any:
            key = name.removeprefix("nvmlDeviceGet") + ("" if kind is None or "Temp" in name else str(kind))
            self.calls.append(key)
            if key not in handle:
                raise NVMLError(3)
            value = handle[key]
            if isinstance(value, Exception):
                raise value
            return value

        return ask


def nvidia_card(**changes: Any) -> dict[str, Any]:
    """Return a busy card."""
    card = {
        "Name": "NVIDIA GeForce RTX 2060",
        "PciInfo": SimpleNamespace(busId=b"00000000:01:00.0"),
        "UtilizationRates": SimpleNamespace(gpu=70),
        "MemoryInfo": SimpleNamespace(total=6 * GIB, used=2 * GIB),
        "Temperature": 64,
        "PowerUsage": 82_500,
        "EnforcedPowerLimit": 90_000,
        "ClockInfo1": 1_650,
        "ClockInfo2": 7_001,
        "CurrentClocksThrottleReasons": 0x4 | 0x40,
    }
    return {**card, **changes}


def write(root: Path, path: str, text: str) -> None:
    """Write a system file."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def nvidia_tree(root: Path, status: str = "active", control: str = "on", address: str = "0000:01:00.0") -> None:
    """Write what the kernel says about one NVIDIA card."""
    folder = f"sys/bus/pci/devices/{address}"
    write(root, f"{folder}/vendor", "0x10de\n")
    write(root, f"{folder}/class", "0x030000\n")
    write(root, f"{folder}/power/runtime_status", f"{status}\n")
    write(root, f"{folder}/power/control", f"{control}\n")


def times(busy: float, idle: float, iowait: float = 0.0) -> Any:
    """Return a core's count of time as psutil gives it."""
    return _Times((busy, idle, iowait))


class _Times(tuple[float, ...]):
    """A row of times with names."""

    @property
    def idle(self) -> float:
        """Return the idle time."""
        return self[1]

    @property
    def iowait(self) -> float:
        """Return the time spent waiting for disks."""
        return self[2]


class FakeSystem(SimpleNamespace):
    """psutil with settable answers; one that is an exception is raised."""

    def __init__(self, **answers: Any) -> None:
        defaults = {
            "cpu_times": [times(0, 0), times(0, 0)],
            "virtual_memory": SimpleNamespace(total=16 * GIB, available=10 * GIB),
            "disk_io_counters": SimpleNamespace(read_bytes=0, write_bytes=0),
            "net_io_counters": {
                "lo": SimpleNamespace(bytes_recv=10**9, bytes_sent=10**9),
                "eth0": SimpleNamespace(bytes_recv=0, bytes_sent=0),
            },
        }
        super().__init__()
        self.answers: dict[str, Any] = {**defaults, **answers}

    def _answer(self, name: str) -> Any:
        value = self.answers[name]
        if isinstance(value, Exception):
            raise value
        return value

    def cpu_times(self, percpu: bool = False) -> Any:
        """Answer."""
        assert percpu
        return self._answer("cpu_times")

    def virtual_memory(self) -> Any:
        """Answer."""
        return self._answer("virtual_memory")

    def disk_io_counters(self, nowrap: bool = True) -> Any:
        """Answer."""
        return self._answer("disk_io_counters")

    def net_io_counters(self, pernic: bool = False, nowrap: bool = True) -> Any:
        """Answer."""
        assert pernic
        return self._answer("net_io_counters")
