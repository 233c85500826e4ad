"""Sample AMD and Intel graphics through the kernel's files (Linux), without waking cards that sleep."""

from dataclasses import dataclass, field

from advisor.monitor.card_sleep import RestPolicy, may_power_down, power_state
from advisor.monitor.processes import CardUser
from advisor.monitor.source import (
    HIGHEST_BYTES,
    HIGHEST_CELSIUS,
    HIGHEST_W,
    LOWEST_CELSIUS,
    AcceleratorReading,
    Files,
    Missing,
    Missings,
)
from advisor.records.hardware.machine import Vendor
from advisor.records.hardware.telemetry import AcceleratorSample

_DRM = "sys/class/drm"
_HIGHEST_HZ = 2e10
_SENSORS = ("utilisation_ratio", "memory_used_bytes", "temperature_celsius", "power_w", "clock_hz")


@dataclass
class _Card:
    """A card as the kernel lists it."""

    folder: str
    address: str
    index: int
    name: str
    sensors: str
    rest: RestPolicy = field(default_factory=RestPolicy)
    energy_uj: float | None = None
    energy_at_s: float | None = None


class _SysfsSource:
    """Finds the cards of one vendor, lets sleeping ones sleep, and reads the others."""

    vendor: Vendor
    vendor_code: str
    unnamed: str

    def __init__(self, files: Files | None = None) -> None:
        self._files = files or Files()
        self._cards: list[_Card] | None = None

    def sample(self, now_s: float, *, may_rest: bool) -> tuple[AcceleratorReading, ...]:
        """Read every card that is awake."""
        if self._cards is None:
            self._cards = self._find()
        return tuple(self._sample_card(card, now_s, may_rest=may_rest) for card in self._cards)

    def users(self) -> tuple[CardUser, ...]:
        """Return nothing: the kernel tells of other people's programs only to the administrator."""
        return ()

    def close(self) -> None:
        """Nothing is kept open."""

    def _find(self) -> list[_Card]:
        found: list[_Card] = []
        for name in self._files.names(_DRM):
            folder = f"{_DRM}/{name}/device"
            if not name.startswith("card") or "-" in name or self._files.text(f"{folder}/vendor") != self.vendor_code:
                continue
            address = (self._files.root / folder).resolve().name
            title = self._files.text(f"{folder}/product_name") or self._unnamed(address)
            found.append(_Card(folder, address, len(found), title, self._sensor_folder(folder)))
        return found

    def _unnamed(self, address: str) -> str:
        """Return what a card without a name of its own is called."""
        return self.unnamed

    def _sensor_folder(self, folder: str) -> str:
        chips = self._files.names(f"{folder}/hwmon")
        return f"{folder}/hwmon/{chips[0]}" if chips else f"{folder}/hwmon/none"

    def _sample_card(self, card: _Card, now_s: float, *, may_rest: bool) -> AcceleratorReading:
        if not self._files.exists(card.folder):
            return self._unread(card, "device_lost")
        state = power_state(self._files, card.address)
        if state != "asleep" and not may_rest:
            card.rest.wake()
        if card.rest.is_resting(now_s, state):
            return self._unread(card, "asleep")
        missings = Missings()
        sample = self._read(card, now_s, missings)
        can_sleep = may_rest and may_power_down(self._files, card.address)
        card.rest.note(now_s, is_idle=_is_idle(sample), can_sleep=can_sleep)
        return AcceleratorReading(sample=sample, missing=tuple(missings.found))

    def _unread(self, card: _Card, reason: str) -> AcceleratorReading:
        is_asleep = reason == "asleep"
        sample = AcceleratorSample(vendor=self.vendor, index=card.index, name=card.name, is_asleep=is_asleep)
        why: tuple[Missing, ...] = tuple(
            Missing(field=name, reason="asleep" if is_asleep else "device_lost") for name in _SENSORS
        )
        return AcceleratorReading(sample=sample, missing=why)

    def _read(self, card: _Card, now_s: float, missings: Missings) -> AcceleratorSample:
        raise NotImplementedError

    def _temperature(self, card: _Card, missings: Missings) -> float | None:
        value = self._files.number(f"{card.sensors}/temp1_input", "temperature_celsius", missings)
        celsius = None if value is None else value / 1000
        return missings.plausible("temperature_celsius", celsius, LOWEST_CELSIUS, HIGHEST_CELSIUS)


class AmdSource(_SysfsSource):
    """Reads AMD cards and processors' graphics.

    Source: Linux kernel, Documentation/gpu/amdgpu/thermal.rst and driver-misc.rst.

    Check: ``rocm-smi`` or ``cat /sys/class/drm/card0/device/gpu_busy_percent``
    """

    vendor: Vendor = "amd"
    vendor_code = "0x1002"
    unnamed = "AMD Radeon"

    def _read(self, card: _Card, now_s: float, missings: Missings) -> AcceleratorSample:
        files = self._files
        busy = files.number(f"{card.folder}/gpu_busy_percent", "utilisation_ratio", missings)
        percent = missings.plausible("utilisation_ratio", busy, 0.0, 100.0)
        total = files.number(f"{card.folder}/mem_info_vram_total", "memory_total_bytes", missings)
        total = missings.plausible("memory_total_bytes", total, 0.0, HIGHEST_BYTES)
        used = files.number(f"{card.folder}/mem_info_vram_used", "memory_used_bytes", missings)
        used = missings.plausible("memory_used_bytes", used, 0.0, HIGHEST_BYTES if total is None else total)
        limit = files.number(f"{card.sensors}/power1_cap", "power_limit_w", Missings())
        clock = files.number(f"{card.sensors}/freq1_input", "clock_hz", missings)
        memory_clock = files.number(f"{card.sensors}/freq2_input", "memory_clock_hz", Missings())
        return AcceleratorSample(
            vendor="amd",
            index=card.index,
            name=card.name,
            utilisation_ratio=None if percent is None else percent / 100,
            memory_used_bytes=None if used is None else int(used),
            memory_total_bytes=None if total is None else int(total),
            temperature_celsius=self._temperature(card, missings),
            power_w=self._power(card, missings),
            power_limit_w=Missings().plausible("power_limit_w", _scaled(limit, 1e-6), 0.0, HIGHEST_W),
            clock_hz=missings.plausible("clock_hz", clock, 0.0, _HIGHEST_HZ),
            memory_clock_hz=Missings().plausible("memory_clock_hz", memory_clock, 0.0, _HIGHEST_HZ),
        )

    def _power(self, card: _Card, missings: Missings) -> float | None:
        """Return the power; newer kernels name it ``power1_input`` where there is no average."""
        tried = Missings()
        for name in ("power1_average", "power1_input"):
            value = self._files.number(f"{card.sensors}/{name}", "power_w", tried)
            if value is not None:
                return missings.plausible("power_w", value * 1e-6, 0.0, HIGHEST_W)
        missings.found.append(tried.found[0])
        return None


class IntelSource(_SysfsSource):
    """Reads Intel cards and processors' graphics.

    The kernel offers no utilisation and no memory in use without the right to watch the whole system.
    Source: Linux kernel, Documentation/ABI/testing/sysfs-driver-intel-i915-hwmon and -xe-hwmon.

    Check: ``sudo intel_gpu_top``
    """

    vendor: Vendor = "intel"
    vendor_code = "0x8086"
    unnamed = "Intel Graphics"

    def _unnamed(self, address: str) -> str:
        """Return the name; a processor's graphics are device 2 of the first bus.

        Source: QEMU, docs/igd-assign.txt ("IGD is assigned to BDF 00:02.0").
        """
        return "Intel integrated graphics" if address == "0000:00:02.0" else self.unnamed

    def _read(self, card: _Card, now_s: float, missings: Missings) -> AcceleratorSample:
        missings.add("utilisation_ratio", "permission_denied", "perf_event")
        missings.add("memory_used_bytes", "not_supported", "i915, xe")
        return AcceleratorSample(
            vendor="intel",
            index=card.index,
            name=card.name,
            temperature_celsius=self._temperature(card, missings),
            power_w=self._power(card, now_s, missings),
            clock_hz=self._clock(card, missings),
        )

    def _clock(self, card: _Card, missings: Missings) -> float | None:
        drm = card.folder.removesuffix("/device")
        tried = Missings()
        for path in (f"{drm}/gt_act_freq_mhz", f"{card.folder}/tile0/gt0/freq0/act_freq"):
            value = self._files.number(path, "clock_hz", tried)
            if value is not None:
                return missings.plausible("clock_hz", value * 1e6, 0.0, _HIGHEST_HZ)
        missings.found.append(tried.found[0])
        return None

    def _power(self, card: _Card, now_s: float, missings: Missings) -> float | None:
        """Return the mean power since the call before, from the energy counter."""
        energy_uj = self._files.number(f"{card.sensors}/energy1_input", "power_w", missings)
        before, before_s = card.energy_uj, card.energy_at_s
        card.energy_uj, card.energy_at_s = energy_uj, now_s
        if energy_uj is None or before is None or before_s is None or energy_uj < before or now_s <= before_s:
            return None
        return missings.plausible("power_w", (energy_uj - before) * 1e-6 / (now_s - before_s), 0.0, HIGHEST_W)


def _is_idle(sample: AcceleratorSample) -> bool:
    """Return whether a card does nothing; where its use is unknown, by its clock, which reads 0 while it is gated.

    Source: Linux kernel, drivers/gpu/drm/xe/xe_guc_pc.c ("When in RC6, actual frequency reported will be 0").
    """
    return sample.utilisation_ratio == 0 or (sample.utilisation_ratio is None and sample.clock_hz == 0)


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor
