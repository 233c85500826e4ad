"""Sample NVIDIA cards through NVML, without waking those that sleep."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from advisor.monitor.card_sleep import PowerState, RestPolicy, may_power_down, power_state
from advisor.monitor.nvml import DEVICE_LOST_CODES, error_code, gap_reason, system_address, throttle_names
from advisor.monitor.processes import CardUser, ProcessNames
from advisor.monitor.source import (
    HIGHEST_CELSIUS,
    HIGHEST_W,
    LOWEST_CELSIUS,
    AcceleratorReading,
    Files,
    Missing,
    Missings,
)
from advisor.nvml_trial import nvml_tried
from advisor.records.base import GapReason
from advisor.records.hardware.telemetry import AcceleratorSample

_PCI = "sys/bus/pci/devices"
_NVIDIA = "0x10de"
_DISPLAY_CLASSES = ("0x0300", "0x0302")
_TEMPERATURE_GPU = 0  # NVML_TEMPERATURE_GPU
_CLOCK_SM, _CLOCK_MEMORY = 1, 2  # NVML_CLOCK_SM, NVML_CLOCK_MEM
_RETRY_S = 30.0
_ANSWER_S = 30.0
_HIGHEST_HZ = 2e10
_UNNAMED = "NVIDIA"
_MIG_ENABLED = 1  # NVML_DEVICE_MIG_ENABLE
_KERNEL = "proc/sys/kernel/osrelease"
_HIGHEST_BYTES = 2**53


@dataclass
class _Device:
    """An open card: NVML's handle and what never changes.

    Attributes:
        obstacle: Why NVML does not tell what it tells of other cards: ``mig``, ``wsl`` or empty.
    """

    handle: Any
    index: int
    name: str
    address: str
    obstacle: str = ""
    unsupported: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Card:
    """A card as the kernel lists it."""

    address: str
    state: PowerState
    can_sleep: bool


class NvidiaSource:
    """Reads every NVIDIA card; one that was read once keeps its place even when it falls off the bus.

    Source: NVML API reference, "nvmlDeviceGetUtilizationRates": not for a card that is divided into instances (MIG).

    Check: ``nvidia-smi --query-gpu=utilization.gpu,memory.used,temperature.gpu,power.draw,clocks.sm --format=csv``
    """

    def __init__(self, library: Any = None, files: Files | None = None, names: ProcessNames | None = None) -> None:
        self._library = library
        self._files = files or Files()
        self._process_names = names or ProcessNames()
        self._is_wsl = "microsoft" in (self._files.text(_KERNEL) or "").lower()
        self._places: list[str] = []
        self._others: set[str] = set()
        self._is_open = False
        self._devices: list[_Device] = []
        self._names: dict[str, str] = {}
        self._rest = RestPolicy()
        self._not_before_s = float("-inf")
        self._trouble: Missing | None = None

    def sample(self, now_s: float, *, may_rest: bool) -> tuple[AcceleratorReading, ...]:
        """Read every card; nothing is touched while all of them sleep."""
        found = self._found(now_s, may_rest=may_rest)
        if not self._places:
            return tuple(found.values())
        return tuple(found.get(address) or self._lost(place, address) for place, address in enumerate(self._places))

    def _found(self, now_s: float, *, may_rest: bool) -> dict[str, AcceleratorReading]:
        """Return the cards that are there, by PCI address."""
        cards = self._cards()
        if cards is not None and not cards:
            return {}
        if cards is not None and self._leaves_alone(now_s, cards, may_rest=may_rest):
            self.close()
            return {card.address: self._asleep(position, card) for position, card in enumerate(cards)}
        if not self._open(now_s):
            return self._unopened(cards)
        readings = {device.address: self._read(device, cards) for device in self._devices}
        self._after_reading(now_s, tuple(readings.values()), cards, may_rest=may_rest)
        return readings

    def users(self) -> tuple[CardUser, ...]:
        """Return the programs on the cards that are being read; none of a card that is left alone.

        Check: ``nvidia-smi --query-compute-apps=name,used_memory --format=csv``
        """
        if not self._is_open:
            return ()
        found = {
            (self._places.index(device.address), one.pid): one for device in self._devices for one in self._on(device)
        }
        names = self._process_names.of({pid for _place, pid in found})
        return tuple(
            CardUser(position=place, name=names[pid], memory_bytes=_bytes_of(one))
            for (place, pid), one in found.items()
        )

    def _on(self, device: _Device) -> list[Any]:
        """Return NVML's entries of the programs on a card, those that draw and those that compute."""
        rows: list[Any] = []
        for kind in ("Graphics", "Compute"):
            call = getattr(self._library, f"nvmlDeviceGet{kind}RunningProcesses")
            rows.extend(self._ask(device, Missings(), kind, partial(call, device.handle)) or ())
        return rows

    def close(self) -> None:
        """Let go of the driver, so that it can power the cards down."""
        if self._is_open:
            self._is_open = False
            self._devices = []
            try:
                self._library.nvmlShutdown()
            except self._library.NVMLError as error:
                self._trouble = Missing(field="is_asleep", reason=gap_reason(error), detail=str(error))

    # --- the cards ---

    def _cards(self) -> list[_Card] | None:
        """Return the cards the kernel lists; None where it lists none of them (Windows, WSL)."""
        if self._is_wsl or not self._files.exists(_PCI):
            return None
        found = []
        addresses = self._files.names(_PCI)
        self._others.intersection_update(addresses)
        for address in addresses:
            if self._is_card(address):
                state = power_state(self._files, address)
                found.append(_Card(address, state, may_power_down(self._files, address)))
        return found

    def _is_card(self, address: str) -> bool:
        """Return whether a PCI device is a card of NVIDIA's; what is none stays none while it is there."""
        if address in self._others:
            return False
        vendor = self._files.text(f"{_PCI}/{address}/vendor")
        kind = self._files.text(f"{_PCI}/{address}/class") or ""
        is_card = vendor == _NVIDIA and kind.startswith(_DISPLAY_CLASSES)
        if not is_card:
            self._others.add(address)
        return is_card

    def _leaves_alone(self, now_s: float, cards: list[_Card], *, may_rest: bool) -> bool:
        """Return whether to touch nothing now: all cards sleep, or are given the chance to."""
        if all(card.state == "asleep" for card in cards):
            self._rest.is_resting(now_s, "asleep")
            return True
        if not may_rest:
            self._rest.wake()
            return False
        return self._rest.is_resting(now_s, "awake")

    def _asleep(self, position: int, card: _Card) -> AcceleratorReading:
        detail = "" if card.state == "asleep" else "left alone so that it can fall asleep"
        return AcceleratorReading(
            sample=AcceleratorSample(
                vendor="nvidia", index=position, name=self._names.get(card.address, _UNNAMED), is_asleep=True
            ),
            missing=_all_missing("asleep", detail),
        )

    # --- opening ---

    def _open(self, now_s: float) -> bool:
        """Open NVML and every card; after a failure, not again for a while."""
        if self._is_open:
            return True
        if now_s < self._not_before_s:
            return False
        try:
            self._start()
            self._is_open = True
            self._devices = [self._device(index) for index in range(self._library.nvmlDeviceGetCount())]
        except ImportError as error:
            self._fail(now_s, "not_installed", str(error))
        except TimeoutError as error:
            self._fail(now_s, "timeout", str(error))
        except ChildProcessError as error:
            self._fail(now_s, "unreadable", str(error))
        except self._library.NVMLError as error:
            self._fail(now_s, gap_reason(error), str(error))
        return self._is_open

    def _start(self) -> None:
        """Open the library; at the first time another process has tried it before."""
        if self._library is not None:
            self._library.nvmlInit()
            return
        library = _load_library()
        with nvml_tried(_ANSWER_S, attach=True):
            self._library = library
            library.nvmlInit()

    def _device(self, index: int) -> _Device:
        handle = self._library.nvmlDeviceGetHandleByIndex(index)
        name = _text(self._library.nvmlDeviceGetName(handle))
        address = system_address(self._library.nvmlDeviceGetPciInfo(handle).busId)
        self._names[address] = name
        if address not in self._places:
            self._places.append(address)
        obstacle = "wsl" if self._is_wsl else ("mig" if self._is_divided(handle) else "")
        return _Device(handle=handle, index=index, name=name, address=address, obstacle=obstacle)

    def _is_divided(self, handle: Any) -> bool:
        """Return whether a card is divided into instances, of which NVML tells less."""
        try:
            return bool(self._library.nvmlDeviceGetMigMode(handle)[0] == _MIG_ENABLED)
        except self._library.NVMLError:  # most cards do not know the question
            return False

    def _fail(self, now_s: float, reason: GapReason, detail: str) -> None:
        self.close()
        self._not_before_s = now_s + _RETRY_S
        self._trouble = Missing(field="is_asleep", reason=reason, detail=detail)

    def _unopened(self, cards: list[_Card] | None) -> dict[str, AcceleratorReading]:
        """Return the cards the kernel lists, with the reason why nothing can be read from them."""
        reason = self._trouble.reason if self._trouble else "unreadable"
        detail = self._trouble.detail if self._trouble else ""
        addresses = [card.address for card in cards or ()]
        return {address: self._unread(place, address, reason, detail) for place, address in enumerate(addresses)}

    def _lost(self, place: int, address: str) -> AcceleratorReading:
        """Return a card that was read before and is no longer there."""
        return self._unread(place, address, "device_lost")

    def _unread(self, place: int, address: str, reason: GapReason, detail: str = "") -> AcceleratorReading:
        sample = AcceleratorSample(vendor="nvidia", index=place, name=self._names.get(address, _UNNAMED))
        return AcceleratorReading(sample=sample, missing=_all_missing(reason, detail))

    # --- reading ---

    def _read(self, device: _Device, cards: list[_Card] | None) -> AcceleratorReading:
        missings = Missings()
        if any(card.address == device.address and card.state == "asleep" for card in cards or ()):
            sample = AcceleratorSample(vendor="nvidia", index=device.index, name=device.name, is_asleep=True)
            return AcceleratorReading(sample=sample, missing=_all_missing("asleep"))
        nvml, handle = self._library, device.handle

        def ask(name: str, call: Callable[[], Any]) -> Any:
            return self._ask(device, missings, name, call)

        utilisation = ask("utilisation_ratio", lambda: nvml.nvmlDeviceGetUtilizationRates(handle).gpu)
        memory = ask("memory_used_bytes", lambda: nvml.nvmlDeviceGetMemoryInfo(handle))
        celsius = ask("temperature_celsius", lambda: nvml.nvmlDeviceGetTemperature(handle, _TEMPERATURE_GPU))
        power = ask("power_w", lambda: nvml.nvmlDeviceGetPowerUsage(handle) / 1000)
        limit = ask("power_limit_w", lambda: nvml.nvmlDeviceGetEnforcedPowerLimit(handle) / 1000)
        clock = ask("clock_hz", lambda: nvml.nvmlDeviceGetClockInfo(handle, _CLOCK_SM) * 1e6)
        memory_clock = ask("memory_clock_hz", lambda: nvml.nvmlDeviceGetClockInfo(handle, _CLOCK_MEMORY) * 1e6)
        throttle = ask("throttle_reasons", lambda: nvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle))
        percent = missings.plausible("utilisation_ratio", utilisation, 0, 100)
        total = None if memory is None else int(memory.total)
        used = (
            None if memory is None else missings.plausible("memory_used_bytes", int(memory.used), 0, int(memory.total))
        )
        sample = AcceleratorSample(
            vendor="nvidia",
            index=device.index,
            name=device.name,
            utilisation_ratio=None if percent is None else percent / 100,
            memory_used_bytes=None if used is None else int(used),
            memory_total_bytes=total,
            temperature_celsius=missings.plausible("temperature_celsius", celsius, LOWEST_CELSIUS, HIGHEST_CELSIUS),
            power_w=missings.plausible("power_w", power, 0.0, HIGHEST_W),
            power_limit_w=missings.plausible("power_limit_w", limit, 0.0, HIGHEST_W),
            clock_hz=missings.plausible("clock_hz", clock, 0.0, _HIGHEST_HZ),
            memory_clock_hz=missings.plausible("memory_clock_hz", memory_clock, 0.0, _HIGHEST_HZ),
            throttle_reasons=() if throttle is None else throttle_names(int(throttle)),
        )
        return AcceleratorReading(sample=sample, missing=tuple(missings.found))

    def _ask(self, device: _Device, missings: Missings, name: str, call: Callable[[], Any]) -> Any:
        """Return what NVML says, or None and the reason; what is not supported is not asked again."""
        if name in device.unsupported:
            missings.add(name, "not_supported", device.obstacle)
            return None
        try:
            return call()
        except self._library.NVMLError as error:
            reason = gap_reason(error)
            if reason == "not_supported":
                device.unsupported.add(name)
            if error_code(error) in DEVICE_LOST_CODES:
                reason = "device_lost"
            missings.add(name, reason, device.obstacle if reason == "not_supported" else str(error))
            return None

    def _after_reading(
        self, now_s: float, readings: tuple[AcceleratorReading, ...], cards: list[_Card] | None, *, may_rest: bool
    ) -> None:
        """Close a driver whose card is lost, and begin to rest when every card idles."""
        if any(missing.reason == "device_lost" for reading in readings for missing in reading.missing):
            self._fail(now_s, "device_lost", "")
            return
        is_idle = all(reading.sample.is_asleep or reading.sample.utilisation_ratio == 0 for reading in readings)
        can_sleep = may_rest and any(card.can_sleep for card in cards or ())
        if self._rest.note(now_s, is_idle=is_idle, can_sleep=can_sleep):
            self.close()


_SENSORS = ("utilisation_ratio", "memory_used_bytes", "temperature_celsius", "power_w", "clock_hz")


def _all_missing(reason: GapReason, detail: str = "") -> tuple[Missing, ...]:
    return tuple(Missing(field=name, reason=reason, detail=detail) for name in _SENSORS)


def _bytes_of(entry: Any) -> int | None:
    """Return the memory a program holds; drivers that do not tell say nothing, or all bits set."""
    amount = getattr(entry, "usedGpuMemory", None)
    return int(amount) if isinstance(amount, int) and 0 <= amount < _HIGHEST_BYTES else None


def _text(value: str | bytes) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _load_library() -> Any:
    import pynvml

    return pynvml
