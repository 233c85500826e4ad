"""Accelerators a user sets by hand, because detection failed or because they want to know "what if"."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

import msgspec

from advisor.errors import InputError, Phrase
from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.gpu.nvidia_card import kind_of as nvidia_kind_of
from advisor.records.hardware.machine import Accelerator, AcceleratorKind, Vendor
from advisor.units import GIB, MIB

_UNITS = {"G": GIB, "GB": GIB, "GIB": GIB, "M": MIB, "MB": MIB, "MIB": MIB, "T": 1024 * GIB, "TB": 1024 * GIB}
_MOST_BYTES = 1024 * GIB
_FORM = Phrase("write NAME:MEMORY, such as 'RTX 3060:12GB', or 0=NAME:MEMORY to correct the first one")

# What the user's words say about the maker, most telling first.
_VENDOR_WORDS: tuple[tuple[Vendor, str], ...] = (
    ("google", r"\btpu\b"),
    ("apple", r"\bapple\b|\bm[1-9]\b( (pro|max|ultra))?"),
    ("nvidia", r"nvidia|geforce|quadro|tesla|titan|\brtx\b|\bgtx\b|\bmx\d{3}|jetson|\bgb10\b|\bg[hb][23]00\b"),
    ("amd", r"\bamd\b|radeon|instinct|\brx\b|\bmi\d{2,3}|firepro|\bvega\b"),
    ("intel", r"\bintel\b|\barc\b|gaudi|\bflex\b|\bmax 1\d{3}"),
    ("nvidia", r"\b[ablhvpt]\d{1,3}[gs]?\b"),  # data centre cards are mostly called by letter and number alone
)  # fmt: skip
_DATACENTER_WORDS = r"instinct|\bmi\d{2,3}|gaudi|\bflex\b|\bmax 1\d{3}"
_BY_HAND, _USUAL = "set by hand", "catalogue of devices"
_FILLERS = {"nvidia", "amd", "intel", "geforce", "radeon", "graphics", "gpu", "card", "series"}


@dataclass(frozen=True, kw_only=True)
class Override:
    """One accelerator as the user describes it.

    Attributes:
        name: Empty to keep the name found.
        memory_bytes: None to keep the memory found.
        usual_bytes: Memory that cards of this name have, for one that is added without a word on it; None: not known.
        index: Which of the accelerators found is corrected; None means the one of that name, else a further one.
    """

    name: str = ""
    memory_bytes: int | None = None
    usual_bytes: int | None = None
    index: int | None = None


def parse_override(text: str) -> Override:
    """Return the override a text such as ``RTX 3060:12GB``, ``0=RTX 3060:12GB`` or ``0=:12GB`` describes.

    Memory counts in steps of 1024, as makers of cards do; GB and GiB mean the same here.

    Raises:
        InputError: It does not describe an accelerator.
    """
    head, has_index, rest = text.partition("=")
    index = _parse_index(head, text) if has_index else None
    name, _, size = (rest if has_index else text).partition(":")
    name = " ".join(name.split())
    memory = _parse_memory(size, text) if size.strip() else None
    if not name and (index is None or memory is None):
        raise InputError("'{text}' names no accelerator; {form}.", text=text, form=_FORM)
    if name and not re.search(r"[A-Za-z]", name):
        raise InputError("'{name}' is not the name of an accelerator; {form}.", name=name, form=_FORM)
    if name and memory is None and vendor_of(name) == "other":
        raise InputError("No maker of accelerators is known by the name '{name}'; {form}.", name=name, form=_FORM)
    if len(name) > 80:
        raise InputError("The accelerator's name is longer than 80 signs; {form}.", form=_FORM)
    return Override(name=name, memory_bytes=memory, index=index)


def _parse_index(head: str, text: str) -> int:
    if not re.fullmatch(r"\s*\d{1,3}\s*", head):
        raise InputError(
            "'{head}' in '{text}' is not the number of an accelerator; {form}.", head=head, text=text, form=_FORM
        )
    return int(head)


def _parse_memory(size: str, text: str) -> int:
    match = re.fullmatch(r"\s*(\d{1,6}(?:[.,]\d+)?)\s*([A-Za-z]+)\s*", size)
    factor = _UNITS.get(match.group(2).upper()) if match else None
    if match is None or factor is None:
        raise InputError(
            "'{size}' in '{text}' is not an amount of memory; {form}.", size=size.strip(), text=text, form=_FORM
        )
    memory = round(float(match.group(1).replace(",", ".")) * factor)
    if not 0 < memory <= _MOST_BYTES:
        raise InputError(
            "'{size}' in '{text}' is not a possible amount of memory; {form}.", size=size.strip(), text=text, form=_FORM
        )
    return memory


def apply_overrides(found: Sequence[FoundAccelerator], overrides: Sequence[Override]) -> list[FoundAccelerator]:
    """Return the accelerators with the user's corrections and additions.

    Raises:
        InputError: A correction names a number that no accelerator has.
    """
    result = list(found)
    untouched = set(range(len(found)))  # who names one card twice has two of them
    for override in overrides:
        place = _place(result, override, untouched)
        untouched.discard(-1 if place is None else place)
        if place is None:
            result.append(_added(override, sum(one.accelerator.vendor == vendor_of(override.name) for one in result)))
        else:
            result[place] = _corrected(result[place], override)
    return result


def _place(found: Sequence[FoundAccelerator], override: Override, untouched: Set[int]) -> int | None:
    if override.index is not None:
        if override.index >= len(found):
            raise InputError(
                "There is no accelerator number {index}; {count} were found.", index=override.index, count=len(found)
            )
        return override.index
    wanted = _plain(override.name)
    for place in sorted(untouched):
        if _plain(found[place].accelerator.name) == wanted:
            return place
    vendor = vendor_of(override.name)
    unsure = [i for i in sorted(untouched) if found[i].accelerator.vendor == vendor and _is_unsure(found[i])]
    return unsure[0] if len(unsure) == 1 else None


def _is_unsure(one: FoundAccelerator) -> bool:
    """Return whether it is a card whose exact name could not be told, so that the user means this one."""
    is_card = one.accelerator.kind in {"discrete", "datacenter"}
    return is_card and any(gap.field in {"name", ""} for gap in one.log.gaps)


def _plain(name: str) -> str:
    """Return a name without maker and filler words, to compare names strictly."""
    words = re.sub(r"[^a-z0-9]+", " ", name.lower().replace("mobile", "laptop")).split()
    return " ".join(word for word in words if word not in _FILLERS)


def _corrected(one: FoundAccelerator, override: Override) -> FoundAccelerator:
    card = one.accelerator
    log = EvidenceLog()
    replaced = {"name": _BY_HAND} if override.name else {}
    memory = override.memory_bytes if override.memory_bytes is not None else card.memory_bytes
    if override.memory_bytes is not None:
        replaced["memory_bytes"] = _BY_HAND
    elif memory is None and override.usual_bytes is not None:
        memory = override.usual_bytes
        replaced["memory_bytes"] = _USUAL
    log.evidence = [note for note in one.log.evidence if note.field not in replaced]
    log.gaps = [gap for gap in one.log.gaps if gap.field not in {*replaced, ""}]
    for field, how in replaced.items():
        log.found(field, how)
    changed = msgspec.structs.replace(
        card,
        name=override.name or card.name,
        vendor=vendor_of(override.name) if override.name else card.vendor,
        kind=_kind_of(override.name) if override.name else card.kind,
        trains=True,
        memory_bytes=memory,
        is_overridden=True,
    )
    return FoundAccelerator(changed, log)


def _added(override: Override, index: int) -> FoundAccelerator:
    log = EvidenceLog()
    log.found("name", _BY_HAND)
    memory = override.memory_bytes if override.memory_bytes is not None else override.usual_bytes
    if memory is None:
        log.missing("memory_bytes", "not_found", "not given", "set_by_hand")
    else:
        log.found("memory_bytes", _BY_HAND if override.memory_bytes is not None else _USUAL)
    vendor = vendor_of(override.name)
    accelerator = Accelerator(
        vendor=vendor,
        index=index,
        name=override.name,
        kind=_kind_of(override.name),
        trains=True,
        memory_bytes=memory,
        unified_memory=vendor == "apple",
        is_overridden=True,
    )
    return FoundAccelerator(accelerator, log)


def vendor_of(name: str) -> Vendor:
    """Return the maker a card's name speaks of; ``other`` where it names none."""
    lower = name.lower()
    return next((vendor for vendor, words in _VENDOR_WORDS if re.search(words, lower)), "other")


def _kind_of(name: str) -> AcceleratorKind:
    vendor = vendor_of(name)
    if vendor == "google":
        return "tpu"
    if vendor == "apple":
        return "integrated"
    if vendor == "nvidia":
        return nvidia_kind_of(name)
    return "datacenter" if re.search(_DATACENTER_WORDS, name.lower()) else "discrete"
