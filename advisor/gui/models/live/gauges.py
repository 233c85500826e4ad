"""What the sensors say beside a running check: a few values of now, each with how full its scale is."""

from collections.abc import Iterator
from typing import NamedTuple

from advisor.gui.models.live.words import total_gib, value_text
from advisor.locale import Language
from advisor.records.hardware.telemetry import TelemetrySample
from advisor.units import GIB

_HOTTEST_CELSIUS = 110.0
"""The end of the scale: processors and cards slow down some degrees below."""
_MOST_CARDS = 2
"""More have no room beside the list; the page Live has all."""


class Gauge(NamedTuple):
    """One value: what it is of, how full its scale is (0 to 1), and the value in words."""

    name: str
    share: float
    text: str


def gauges(latest: TelemetrySample, language: Language) -> tuple[Gauge, ...]:
    """Return what can be read of the processor, the memory and the first cards; what no sensor tells is left out."""
    return tuple(_gauges(latest, language))


def _gauges(latest: TelemetrySample, language: Language) -> Iterator[Gauge]:
    _, host = language.gettext, latest.host
    yield from _busy(_("Processor"), host.cpu_ratio, language)
    yield from _used(_("Memory"), host.memory_used_bytes, "host.memory_used_bytes", latest, language)
    yield from _heat(_("Processor temperature"), host.cpu_temperature_celsius, latest, language)
    for place, card in enumerate(latest.accelerators[:_MOST_CARDS]):
        number = f" {place + 1}" if len(latest.accelerators) > 1 else ""
        field = f"accelerators.{place}.memory_used_bytes"
        yield from _busy(_("Graphics card") + number, card.utilisation_ratio, language)
        yield from _used(_("Graphics memory") + number, card.memory_used_bytes, field, latest, language)
        yield from _heat(_("Card temperature") + number, card.temperature_celsius, latest, language)


def _busy(name: str, ratio: float | None, language: Language) -> Iterator[Gauge]:
    if ratio is not None:
        yield Gauge(name, ratio, language.percent(ratio))


def _used(
    name: str, used_bytes: int | None, field: str, latest: TelemetrySample, language: Language
) -> Iterator[Gauge]:
    whole = total_gib(field, latest)
    if used_bytes is not None and whole:
        used = used_bytes / GIB
        yield Gauge(name, used / whole, value_text("memory", field, used, latest, language))


def _heat(name: str, celsius: float | None, latest: TelemetrySample, language: Language) -> Iterator[Gauge]:
    if celsius is not None:
        yield Gauge(name, celsius / _HOTTEST_CELSIUS, value_text("temperature", "", celsius, latest, language))
