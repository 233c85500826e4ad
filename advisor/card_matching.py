"""Which card is meant: torch counts those it can use, driver and bus count all there are.

CUDA's own order is the fastest first; the worker runs with ``CUDA_DEVICE_ORDER=PCI_BUS_ID`` and so counts as the driver
does, but not the cards that ``CUDA_VISIBLE_DEVICES`` and its relatives hide. torch for Intel leaves the processor's
graphics out where there is a card. One machine may hold cards of several makers, of which a torch uses one maker's.
Source: CUDA C++ Programming Guide, "CUDA Environment Variables"; pytorch, c10/xpu/XPUFunctions.cpp.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import msgspec

from advisor.records.hardware.machine import Accelerator, Framework, Machine, Vendor
from advisor.records.hardware.telemetry import TelemetrySummary
from advisor.records.results.measured.measurement import Benchmark

SEEN = "devices"
"""Key of a benchmark's environment that holds what the worker's torch could use."""
THROTTLE = "throttle_"
"""Beginning of the metrics that say for which share of the time a card gave a reason for a clock held down."""
_BETWEEN = "; "
_SAY_NOTHING = frozenset({"amd", "corporation", "geforce", "gpu", "graphics", "intel", "nvidia", "r", "radeon", "tm"})
_KINDS = {"apple": "mps", "intel": "xpu"}


def withhold_names(machine: Machine) -> Machine:
    """Return a machine as a report holds it: how many programs use a card, without their names.

    Which programs a user runs is for the user's own screen.
    """
    if not any(any(card.used_by) for card in machine.accelerators):
        return machine
    cards = (msgspec.structs.replace(card, used_by=("",) * len(card.used_by)) for card in machine.accelerators)
    return msgspec.structs.replace(machine, accelerators=tuple(cards))


class Card(Protocol):
    """A card of the machine, or one that sensors watch."""

    @property
    def vendor(self) -> Vendor:
        """Return its maker."""

    @property
    def index(self) -> int:
        """Return its position among the maker's, as the driver or the bus counts."""

    @property
    def name(self) -> str:
        """Return the maker's name for it."""


class Seen(NamedTuple):
    """A device as torch sees it.

    Attributes:
        name: torch's name, such as ``cuda:0``.
        title: The driver's name for it; empty where it was not told.
        position: Of the card among the maker's, where the worker could tell.
    """

    name: str
    title: str = ""
    position: int | None = None

    def spelled(self) -> str:
        """Return it as ``Framework.visible_devices`` holds it, such as ``cuda:0 NVIDIA GeForce RTX 4090 #1``."""
        position = "" if self.position is None else f" #{self.position}"
        return f"{self.name} {self.title}".strip() + position


def seen_devices(framework: Framework) -> tuple[Seen, ...]:
    """Return what torch can use, in its own order."""
    return tuple(_read(text) for text in framework.visible_devices)


def spelled_cards(framework: Framework) -> str:
    """Return what torch can use, for a user."""
    return ", ".join(f"{one.name} {one.title}".strip() for one in seen_devices(framework))


def _read(text: str) -> Seen:
    name, _space, rest = text.partition(" ")
    found = re.fullmatch(r"(?:(.*) )?#(\d{1,3})", rest)
    return Seen(name, rest) if found is None else Seen(name, found.group(1) or "", int(found.group(2)))


def torch_names(cards: Sequence[Card], framework: Framework) -> tuple[str, ...]:
    """Return torch's name of each card; a guess where torch did not say what it sees, and never one name twice.

    A device of torch is the card with the likest name; among equal ones that of its position, else the first that is
    left. What torch does not see counts on behind what it does.
    """
    found: dict[int, str] = {}
    for kind in ("cuda", "xpu", "mps"):
        places = sorted((n for n, card in enumerate(cards) if _kind(card) == kind), key=lambda n: _turn(cards[n]))
        maker = _maker(framework) if kind == "cuda" else None
        places.sort(key=lambda n: cards[n].vendor != maker)
        for seen in seen_devices(framework):
            if seen.name.partition(":")[0] == kind and places:
                place = max(places, key=lambda n: _likeness(cards[n], seen, maker))
                found[place] = seen.name
                places.remove(place)
        numbers = (n for n in range(len(cards)) if _numbered(kind, n) not in found.values())
        found |= {place: _numbered(kind, number) for place, number in zip(places, list(numbers), strict=False)}
    return tuple(found[place] for place in range(len(cards)))


def _numbered(kind: str, number: int) -> str:
    return kind if kind == "mps" and number == 0 else f"{kind}:{number}"


def _kind(card: Card) -> str:
    """Return what torch calls a maker's cards: AMD's answer to ``cuda`` as well."""
    return _KINDS.get(card.vendor, "cuda")


def _maker(framework: Framework) -> Vendor:
    return "amd" if framework.built_for == "rocm" else "nvidia"


def _turn(card: Card) -> tuple[bool, str, int]:
    """Return where a card comes in a guess: those that train first, the processor's graphics last."""
    is_aside = not getattr(card, "trains", "integrated" not in card.name.lower())
    return is_aside, card.vendor, card.index


def _likeness(card: Card, seen: Seen, maker: Vendor | None) -> tuple[bool, float, bool]:
    one, other = (set(re.findall("[a-z0-9]+", name.lower())) - _SAY_NOTHING for name in (card.name, seen.title))
    shared = len(one & other) / max(len(one | other), 1)
    return maker in {None, card.vendor}, shared, card.index == seen.position


def training_cards(machine: Machine) -> Iterator[tuple[str, int, Accelerator]]:
    """Yield the cards that train networks: torch's name, position in the machine, card."""
    names = torch_names(machine.accelerators, machine.framework)
    for position, (name, card) in enumerate(zip(names, machine.accelerators, strict=True)):
        if card.trains:
            yield name, position, card


def place_of(device: str, cards: Sequence[Card], framework: Framework) -> int | None:
    """Return the place of a device of torch among cards; None for the processor and where it is not among them."""
    names = torch_names(cards, framework)
    return names.index(device) if device in names else None


def framework_of(benchmark: Benchmark) -> Framework:
    """Return what a benchmark tells of the torch that measured, as far as names of cards hang on it."""
    seen = benchmark.environment.get(SEEN, "")
    built_for = "rocm" if "rocm" in benchmark.environment.get("torch", "") else None
    return Framework(built_for=built_for, visible_devices=tuple(seen.split(_BETWEEN)) if seen else ())


def spelled_devices(framework: Framework) -> dict[str, str]:
    """Return what ``framework_of`` reads, as an environment's entry; empty where torch sees no card."""
    return {SEEN: _BETWEEN.join(framework.visible_devices)} if framework.visible_devices else {}


def sensor_prefix(device: str, seen: TelemetrySummary, framework: Framework) -> str:
    """Return under which name the sensors know a device's card; empty for the processor and unwatched cards."""
    place = place_of(device, seen.accelerators, framework)
    return "" if place is None else f"accelerators.{place}"


def throttle_reasons(device: str, seen: TelemetrySummary, framework: Framework) -> tuple[str, ...]:
    """Return why the clock of this very card was held down; of the processor nothing is known."""
    prefix = sensor_prefix(device, seen, framework)
    if not prefix:
        return ()
    start = f"{prefix}.{THROTTLE}"
    told = [
        name.removeprefix(start) for name, one in seen.metrics.items() if name.startswith(start) and one is not None
    ]
    # Older reports hold the reasons of all cards together.
    return tuple(sorted(told)) or (seen.throttle_reasons if len(seen.accelerators) == 1 else ())
