"""Where the values of the live page come from: what is read for each sensor, and a command that shows the same."""

import sys

from advisor.gui.models.live import words
from advisor.gui.models.live.model import Curve, Graph
from advisor.locale import N_, Language
from advisor.records.hardware.telemetry import TelemetrySample
from advisor.report.provenance.record import Provenance

_SINCE = N_("what was counted since the sample before, divided by the time between")
_AT_ONCE = N_("read once a sample; shown as it is")
# Field: what is read on Linux, how the value is made of it, a command that shows the same.
_HOST: dict[str, tuple[str, str, str]] = {
    "host.cpu_ratio": ("/proc/stat", N_("time the cores were busy since the sample before"), "top"),
    "host.memory_used_bytes": ("/proc/meminfo", N_("all memory less what is available"), "free -h"),
    "host.cpu_temperature_celsius": ("/sys/class/hwmon", _AT_ONCE, "sensors"),
    "host.cpu_power_w": ("/sys/class/powercap", _SINCE, "cat /sys/class/powercap/*/energy_uj"),
    "host.disk_read_bytes_per_s": ("/proc/diskstats", _SINCE, "iostat -d 1"),
    "host.disk_written_bytes_per_s": ("/proc/diskstats", _SINCE, "iostat -d 1"),
    "host.network_received_bytes_per_s": ("/proc/net/dev", _SINCE, "ip -s link"),
    "host.network_sent_bytes_per_s": ("/proc/net/dev", _SINCE, "ip -s link"),
}
# Vendor: who answers, a command that shows the same.
_CARDS: dict[str, tuple[str, str]] = {
    "nvidia": (N_("NVIDIA's management library (NVML)"), "nvidia-smi"),
    "amd": (N_("files of the driver amdgpu in /sys/class/drm"), "rocm-smi"),
    "intel": (N_("files of the driver in /sys/class/drm"), "intel_gpu_top"),
}
CARD_FIELDS = ("", "utilisation_ratio", "memory_used_bytes", "temperature_celsius", "power_w", "clock_hz")
"""The sensor behind each column of the table of cards; the first names the card."""


def of_curve(graph: Graph, curve: Curve, latest: TelemetrySample, language: Language) -> Provenance:
    """Return where the value of a curve comes from."""
    return of_sensor(f"{graph.title}, {curve.label}", curve.now_text, curve.key, latest, language)


def of_card(row: int, column: int, value: str, latest: TelemetrySample, language: Language) -> Provenance | None:
    """Return where a value of the table of cards comes from; None for names and states."""
    if not 0 < column < len(CARD_FIELDS) or row >= len(latest.accelerators):
        return None
    title = f"{words.card_name(row, latest, language)}, {words.card_header(language)[column]}"
    return of_sensor(title, value, f"accelerators.{row}.{CARD_FIELDS[column]}", latest, language)


def of_sensor(title: str, value: str, field: str, latest: TelemetrySample, language: Language) -> Provenance:
    """Return where the value of a sensor comes from."""
    _ = language.gettext
    how, method, check = _read(field, latest, language)
    return Provenance(
        title=title,
        value=value,
        basis=_("read from this computer"),
        method=_(method),
        source=how,
        date=_("now"),
        band=_("none is known: sensors do not report their own error"),
        check=check,
    )


def of_cost(text: str, language: Language) -> Provenance:
    """Return how what the monitor itself costs was measured."""
    _ = language.gettext
    return Provenance(
        title=_("What this page costs"),
        value=text,
        basis=_("measured here"),
        method=_("processor time of the reading thread, and of the whole program, divided by the time that went by"),
        date=_("now"),
        check="top -p $(pgrep -f advisor | head -1)",
    )


def _read(field: str, latest: TelemetrySample, language: Language) -> tuple[str, str, str]:
    """Return what is read for a field, how its value is made of that, and the command."""
    if field in _HOST:
        how, method, check = _HOST[field]
        return (
            (how, method, check) if sys.platform == "linux" else (language.gettext("the system, by psutil"), method, "")
        )
    vendor = latest.accelerators[int(field.split(".")[1])].vendor
    how, check = _CARDS.get(vendor, (N_("the card's driver"), ""))
    return language.gettext(how), _AT_ONCE, check
