"""Instances of a card that is divided (MIG): what of the card one has.

Source: NVIDIA, Multi-Instance GPU User Guide, "Supported MIG Profiles" (A30 to B300): 1g, 2g … have so many sevenths
of the multiprocessors, of some cards quarters; the second number of a profile is its memory, which comes with its paths
in eighths of the card's. Instances exchange nothing with each other directly ("Deployment Considerations").
"""

import re
from typing import NamedTuple

import msgspec

from advisor.records.hardware.device import Device
from advisor.units import GIB

_SLICE = re.compile(
    r"(?P<card>.+?)\s+MIG\s+(?:(?P<own>\d)c\.)?(?P<compute>\d)g\.(?P<gib>\d+)gb(?:\+\S+)?", re.IGNORECASE
)
_COMPUTE_PARTS, _MEMORY_PARTS = 7, 8
_IN_QUARTERS = re.compile(r"\bA30\b|RTX PRO [56]000", re.IGNORECASE)


class Slice(NamedTuple):
    """An instance.

    Attributes:
        card: Name of the card it is part of.
        profile: What NVIDIA calls its size, such as ``3g.40gb``.
        compute_ratio: Share of the multiprocessors.
        memory_bytes: By its profile; a driver reports some percent less.
    """

    card: str
    profile: str
    compute_ratio: float
    memory_bytes: int


def read_slice(text: str) -> Slice | None:
    """Return the instance that drivers and PyTorch call so, such as ``NVIDIA A100-SXM4-40GB MIG 1g.5gb``."""
    found = _SLICE.fullmatch(text.strip())
    if found is None:
        return None
    parts = 4 if _IN_QUARTERS.search(found["card"]) else _COMPUTE_PARTS
    own = min(int(found["own"] or found["compute"]), parts)
    profile = text.strip().split()[-1]
    return Slice(found["card"], profile, own / parts, int(found["gib"]) * GIB)


def slice_of(whole: Device, part: Slice, memory_bytes: int | None = None) -> Device:
    """Return an instance of a card as a device.

    Args:
        whole: The card.
        part: The instance.
        memory_bytes: As the driver reports it; None: by its profile.
    """
    eighths = round(_MEMORY_PARTS * part.memory_bytes / (whole.memory_bytes or part.memory_bytes))
    share = min(max(eighths, 1), _MEMORY_PARTS) / _MEMORY_PARTS
    return msgspec.structs.replace(
        whole,
        name=f"{whole.name} MIG {part.profile}",
        aliases=(),
        peak_flop_per_s={kind: rate * part.compute_ratio for kind, rate in whole.peak_flop_per_s.items()},
        memory_bytes=memory_bytes or part.memory_bytes,
        bandwidth_bytes_per_s=None if whole.bandwidth_bytes_per_s is None else whole.bandwidth_bytes_per_s * share,
        power_w=None if whole.power_w is None else whole.power_w * part.compute_ratio,
        multiprocessors=None if whole.multiprocessors is None else round(whole.multiprocessors * part.compute_ratio),
        l2_bytes=None if whole.l2_bytes is None else round(whole.l2_bytes * share),
        interconnect=None,
        interconnect_bytes_per_s=None,
        price_usd=None,
        price_kind=None,
        price_as_of=None,
    )
