"""What spoiled one case, beyond what the computer as a whole shows: the slowdown of its card, and its own helpers."""

import sys
from collections.abc import Iterable, Iterator

from advisor.card_matching import sensor_prefix, throttle_reasons
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import TelemetrySummary
from advisor.records.results.measured.measurement import Case, Condition

SLOWDOWNS = frozenset({"heat", "hardware_slowdown", "power_brake"})
"""Reasons that speak of heat or of a failing supply. The ordinary power limit is none: cards run at it all the time."""


def slowed_card(device: str, seen: TelemetrySummary | None, framework: Framework) -> Iterator[Condition]:
    """Yield that the card a case ran on was slowed down, with its highest temperature; of no other card.

    Args:
        device: torch's name of the case's device.
        seen: What the sensors said during the case.
        framework: The torch that measured.
    """
    if seen is None or not SLOWDOWNS & set(throttle_reasons(device, seen, framework)):
        return
    heat = seen.metrics.get(f"{sensor_prefix(device, seen, framework)}.temperature_celsius")
    yield Condition(kind="throttled", value=None if heat is None else heat.peak, unit="celsius", when="during")


def by_others(case: Case, found: Iterable[Condition], platform: str = sys.platform) -> tuple[Condition, ...]:
    """Return the conditions without the load of others where that may be the case's own helping processes.

    Only Linux keeps the processor time of processes that have ended.
    Source: psutil documentation, "Process.cpu_times" (children_user is always 0 on Windows and macOS).
    """
    if platform == "linux" or not case.options.get("workers"):
        return tuple(found)
    return tuple(one for one in found if one.kind not in {"other_load", "few_free_cores"})
