"""Which options are shown: by kind, maker, memory, money and name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from advisor.gui.models.verdict import KINDS
from advisor.locale import Language
from advisor.records.hardware.device import Device
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.words.labels import option_title, tier_name

_NEARLY = 0.93  # firmware keeps a little: a card sold with 16 GB has 15 or more


@dataclass(frozen=True, kw_only=True)
class OptionFilter:
    """Which options are shown; what is None or empty lets all through.

    Attributes:
        kind: ``here``, ``buy``, ``rent`` or ``cluster``.
        vendor: Maker of the device, such as ``nvidia``.
        for_whom: ``consumer``, ``professional`` or ``datacenter``.
        least_bytes: Memory of one device.
        most_usd: Cost over the horizon.
        words: Each must be in the option's name, in any order.
        is_feasible: Only what meets the user's wishes.
    """

    kind: str | None = None
    vendor: str | None = None
    for_whom: str | None = None
    least_bytes: float | None = None
    most_usd: float | None = None
    words: str = ""
    is_feasible: bool = False


def options_of(report: Report, wanted: OptionFilter, language: Language) -> list[Option]:
    """Return the options a filter lets through, best first."""
    return [option for option in report.advice.options if _passes(option, wanted, language)]


def _passes(option: Option, wanted: OptionFilter, language: Language) -> bool:
    if wanted.kind is not None and KINDS[option.tier] != wanted.kind:
        return False
    if wanted.is_feasible and not option.feasible:
        return False
    if wanted.most_usd is not None and (option.horizon_usd is None or option.horizon_usd > wanted.most_usd):
        return False
    if wanted.least_bytes is not None and (memory_bytes(option) or 0.0) < wanted.least_bytes * _NEARLY:
        return False
    return _is_made_so(option, wanted) and _is_named_so(option, wanted.words, language)


def _is_made_so(option: Option, wanted: OptionFilter) -> bool:
    if wanted.vendor is None and wanted.for_whom is None:
        return True
    device = device_of(option)
    if device is None:
        return False
    return wanted.vendor in {None, device.vendor} and wanted.for_whom in {None, device.for_whom}


def _is_named_so(option: Option, words: str, language: Language) -> bool:
    if not words.strip():
        return True
    name = f"{option_title(option, language)} {tier_name(option.tier, language)} {option.id}".casefold()
    return all(word in name for word in words.casefold().split())


def memory_bytes(option: Option) -> float | None:
    """Return the memory of one device of an option; None where unknown."""
    memory = option.prediction.memory if option.prediction is not None else None
    return None if memory is None else memory.available_bytes


@cache
def _in_catalogue(name: str) -> Device | None:
    from advisor.catalog import known_device

    return known_device(name)


def device_of(option: Option) -> Device | None:
    """Return the catalogue's row of an option's device; None for a device no catalogue has."""
    return _in_catalogue(option.device)


def vendors_of(report: Report) -> tuple[str, ...]:
    """Return the makers of the options' devices, in alphabetical order."""
    found = {device.vendor for option in report.advice.options if (device := device_of(option)) is not None}
    return tuple(sorted(found))
