"""Stands for a computer: recorded files, a registry in memory, and an NVML that answers as the real one would."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from advisor.probe.readers import CommandError, Readers

DATA = Path(__file__).parents[3] / "data" / "probe"
GIB = 1024**3


class RecordedFiles:
    """The files of a recorded machine; remembers which were read."""

    def __init__(self, files: Mapping[str, str], links: Mapping[str, str]) -> None:
        self.files = dict(files)
        self.links = dict(links)
        self.read: list[str] = []

    def _real(self, path: str) -> str:
        for _ in range(8):
            parts = path.split("/")
            for depth in range(len(parts), 1, -1):
                head = "/".join(parts[:depth])
                if head in self.links:
                    path = "/".join([self.links[head], *parts[depth:]])
                    break
            else:
                break
        return path

    def text(self, path: str) -> str | None:
        """Return the recorded content."""
        self.read.append(path)
        return self.files.get(self._real(path))

    def names(self, path: str) -> tuple[str, ...]:
        """Return the names recorded below a folder."""
        folder = self._real(path).rstrip("/") + "/"
        return tuple(
            sorted({p[len(folder) :].split("/")[0] for p in (*self.files, *self.links) if p.startswith(folder)})
        )

    def exists(self, path: str) -> bool:
        """Return whether the file or folder is recorded."""
        real = self._real(path)
        return real in self.files or any(p.startswith(real + "/") for p in (*self.files, *self.links))

    def target(self, path: str) -> str | None:
        """Return where a recorded path leads to."""
        real = self._real(path)
        return real if real != path or self.exists(path) else None


def recorded(name: str, **changes: str) -> RecordedFiles:
    """Return a machine of ``tests/data/probe``; ``changes`` replaces files, named with ``__`` instead of ``/``."""
    files: dict[str, str] = {}
    links: dict[str, str] = {}
    path = ""
    for line in (DATA / f"{name}.tree").read_text("utf-8").splitlines():
        if line.startswith("== ") and " -> " in line:
            path, _, target = line[3:].partition(" -> ")
            links[path] = target
        elif line.startswith("== "):
            path = line[3:]
            files[path] = ""
        else:
            files[path] = f"{files[path]}\n{line}" if files[path] else line
    return RecordedFiles(files | {"/" + key.replace("__", "/"): value for key, value in changes.items()}, links)


class FakeRegistry:
    """A registry in memory: values by key."""

    def __init__(self, content: Mapping[str, Mapping[str, Any]]) -> None:
        self.content = {key.lower(): dict(values) for key, values in content.items()}
        self.spelled = list(content)

    def values(self, key: str) -> Mapping[str, Any]:
        """Return the values of a key."""
        return self.content.get(key.lower(), {})

    def keys(self, key: str) -> tuple[str, ...]:
        """Return the names of the sub-keys."""
        head = key.lower() + "\\"
        below = (full[len(head) :].split("\\")[0] for full in self.spelled if full.lower().startswith(head))
        return tuple(dict.fromkeys(below))


class FakeNvml:
    """Module ``pynvml`` in small: the same names, codes and error behaviour (nvidia-ml-py 13.615.71)."""

    NVML_ERROR_UNINITIALIZED = 1
    NVML_ERROR_NOT_SUPPORTED = 3
    NVML_ERROR_NO_PERMISSION = 4
    NVML_ERROR_NOT_FOUND = 6
    NVML_ERROR_DRIVER_NOT_LOADED = 9
    NVML_ERROR_TIMEOUT = 10
    NVML_ERROR_LIBRARY_NOT_FOUND = 12
    NVML_ERROR_FUNCTION_NOT_FOUND = 13
    NVML_ERROR_GPU_IS_LOST = 15
    NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18
    NVML_ERROR_UNKNOWN = 999
    NVML_INIT_FLAG_NO_ATTACH = 2
    NVML_TEMPERATURE_GPU = 0
    nvmlMemory_v2 = 0x02000028  # noqa: N815 - pynvml's name
    nvmlClocksThrottleReasonHwSlowdown = 0x8  # noqa: N815
    nvmlClocksThrottleReasonSwThermalSlowdown = 0x20  # noqa: N815
    nvmlClocksThrottleReasonHwThermalSlowdown = 0x40  # noqa: N815
    nvmlClocksThrottleReasonHwPowerBrakeSlowdown = 0x80  # noqa: N815

    class NVMLError(Exception):
        """Carries NVML's code; compares by it and has no hash, like the real one."""

        __hash__ = None  # type: ignore[assignment]

        def __init__(self, value: int) -> None:
            super().__init__()
            self.value = value

        def __eq__(self, other: object) -> bool:
            return self.value == getattr(other, "value", None)

        def __str__(self) -> str:
            return {
                3: "Not Supported",
                9: "Driver Not Loaded",
                12: "NVML Shared Library Not Found",
                15: "GPU is lost",
                18: "RM has detected an NVML/RM version mismatch.",
            }.get(self.value, f"NVML Error with code {self.value}")

    class NVMLLibraryMismatchError(Exception):
        """Raised where a structure has changed; carries no code."""

    def __init__(
        self,
        *cards: Mapping[str, Any],
        init_error: int | None = None,
        system: Mapping[str, Any] | None = None,
    ) -> None:
        self.cards = list(cards)
        self.init_error = init_error
        self.system = {"nvmlSystemGetDriverVersion": "560.35.03", "nvmlSystemGetCudaDriverVersion_v2": 12060} | dict(
            system or {}
        )
        self.open_count = 0
        self.called: list[str] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if not name.startswith("nvml"):
            raise AttributeError(name)

        def function(*arguments: Any, **options: Any) -> Any:
            self.called.append(name)
            return self._answer(name, arguments, options)

        return function

    def _answer(self, name: str, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        if name in {"nvmlInit", "nvmlInitWithFlags"}:
            self._value(None if self.init_error is None else self.NVMLError(self.init_error))
            self.open_count += 1
        elif self.open_count < 1:
            raise self.NVMLError(self.NVML_ERROR_UNINITIALIZED)
        elif name == "nvmlShutdown":
            self.open_count -= 1
        else:
            return self._value(self._looked_up(name, arguments, options))
        return None

    def _looked_up(self, name: str, arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        card = arguments[0] if arguments and isinstance(arguments[0], dict) else {}
        special: dict[str, Callable[[], Any]] = {
            "nvmlDeviceGetCount": lambda: len(self.cards),
            "nvmlDeviceGetHandleByIndex": lambda: self._handle(self.cards[arguments[0]]),
            "nvmlDeviceGetHandleByPciBusId": lambda: self._handle(
                next(one for one in self.cards if one["address"] == arguments[0])
            ),
            "nvmlDeviceGetMigDeviceHandleByIndex": lambda: card["instances"][arguments[1]],
            "nvmlSystemGetProcessName": lambda: self.system.get(
                f"process {arguments[0]}", self.NVMLError(self.NVML_ERROR_NOT_FOUND)
            ),
        }
        if name in special:
            return special[name]()
        if name in self.system:
            return self.system[name]
        if name == "nvmlDeviceGetMemoryInfo" and options.get("version") and "old_library" in card:
            return self.NVMLError(self.NVML_ERROR_FUNCTION_NOT_FOUND)
        return card.get(name, self.NVMLError(self.NVML_ERROR_NOT_SUPPORTED))

    def _handle(self, card: Mapping[str, Any]) -> Mapping[str, Any]:
        self._value(card.get("handle"))
        return card

    @staticmethod
    def _value(value: Any) -> Any:
        if isinstance(value, Exception):
            raise value
        return value


def nvidia_card(name: str = "NVIDIA GeForce RTX 3060", **changes: Any) -> dict[str, Any]:
    """Return a card that answers everything a desktop card answers."""
    return {
        "address": "0000:01:00.0",
        "nvmlDeviceGetName": name,
        "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=12 * GIB, free=11 * GIB, used=GIB, reserved=0),
        "nvmlDeviceGetCudaComputeCapability": [8, 6],
        "nvmlDeviceGetPciInfo": SimpleNamespace(pciDeviceId=0x250310DE, busId=b"00000000:01:00.0"),
        "nvmlDeviceGetCurrPcieLinkGeneration": 1,
        "nvmlDeviceGetCurrPcieLinkWidth": 16,
        "nvmlDeviceGetMaxPcieLinkGeneration": 4,
        "nvmlDeviceGetMaxPcieLinkWidth": 16,
        "nvmlDeviceGetEnforcedPowerLimit": 170_000,
        "nvmlDeviceGetComputeRunningProcesses": [SimpleNamespace(pid=4711, usedGpuMemory=GIB)],
        "nvmlDeviceGetGraphicsRunningProcesses": [],
    } | changes


def error(code: int) -> FakeNvml.NVMLError:
    """Return NVML's error of a code."""
    return FakeNvml.NVMLError(code)


def no_library() -> FakeNvml:
    """Return an NVML whose shared library is not there."""
    return FakeNvml(init_error=FakeNvml.NVML_ERROR_LIBRARY_NOT_FOUND)


def no_command(arguments: Sequence[str]) -> str:
    """Stand for a system without the command."""
    raise CommandError(f"{arguments[0]}: not found")


@dataclass
class FakeProcess:
    """One process as psutil shows it; ``file`` None: it is somebody else's."""

    pid: int
    name: str
    used_s: float = 0.0
    parent: int = 1
    began_s: float = 1.0
    file: str | None = None
    is_readable: bool = True

    @property
    def info(self) -> dict[str, Any]:
        """What was asked for; None for what may not be read."""
        times = SimpleNamespace(user=self.used_s, system=0.0) if self.is_readable else None
        return {"pid": self.pid, "name": self.name, "create_time": self.began_s, "cpu_times": times}

    def exe(self) -> str:
        """Return the path of its file."""
        if self.file is None:
            raise FakePsutil.Error
        return self.file


class FakePsutil:
    """The part of psutil that other systems than Linux need, and the list of processes.

    Attributes:
        processes: Those that run; None where the system gives no list.
    """

    class Error(Exception):
        """Base of psutil's errors."""

    def __init__(
        self, *, logical: int = 8, physical: int | None = 4, battery: Any = None, total: int = 16 * GIB
    ) -> None:
        self._logical, self._physical, self._battery, self._total = logical, physical, battery, total
        self.busy_s, self.own_s = 100.0, 10.0
        self.processes: list[FakeProcess] | None = []

    def process_iter(self, attributes: Sequence[str]) -> list[FakeProcess]:
        """Return every process."""
        assert set(attributes) == {"pid", "name", "create_time", "cpu_times"}
        if self.processes is None:
            raise PermissionError
        return list(self.processes)

    def _below(self, pid: int) -> list[FakeProcess]:
        children = [one for one in self.processes or [] if one.parent == pid]
        return children + [below for child in children for below in self._below(child.pid)]

    def cpu_count(self, *, logical: bool) -> int | None:
        """Return threads or cores."""
        return self._logical if logical else self._physical

    def virtual_memory(self) -> Any:
        """Return a memory half free."""
        return SimpleNamespace(total=self._total, available=self._total // 2)

    def sensors_battery(self) -> Any:
        """Return the battery given."""
        return self._battery

    def cpu_times(self) -> Any:
        """Return the busy time given."""
        return SimpleNamespace(user=self.busy_s, system=0.0)

    def Process(self, pid: int = 1) -> Any:  # noqa: N802 - psutil's name
        """Return a process with the time given and the children that are listed."""
        times = SimpleNamespace(user=self.own_s, system=0.0)
        return SimpleNamespace(pid=pid, children=lambda recursive: self._below(pid), cpu_times=lambda: times)


def linux(name: str, nvml: Any = None, *, folder: str = "/home/user/work", **changes: str) -> Readers:
    """Return the readers of a recorded Linux machine."""
    return Readers(
        platform="linux",
        architecture="aarch64" if name == "vm_virtio" else "x86_64",
        files=recorded(name, **changes),
        nvml=lambda: nvml or no_library(),
        run=no_command,
        free_bytes=lambda _: 50 * GIB,
        working_folder=folder,
        process_id=1234,
        torch_folder=lambda: None,
    )
