"""The head of a ``.safetensors`` file: how many numbers it holds, in which formats. Weights themselves are not read.

Format: https://huggingface.co/docs/safetensors (read 2026-11-23): eight bytes of length, little-endian, then JSON.
"""

import json
import math
import struct
from collections import Counter
from pathlib import Path

from advisor.errors import InputError, system_reason

_MOST_BYTES = 100_000_000
"""The library itself refuses a longer head."""
_MOST_DIMENSIONS, _MOST_NUMBERS = 64, 2**63
"""Torch itself allows no tensor more of either."""


def tensor_counts(path: Path) -> Counter[str]:
    """Return how many numbers a file holds in each format, such as ``BF16``.

    Raises:
        InputError: It cannot be read, or is no such file.
    """
    try:
        with path.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            if length > _MOST_BYTES:
                raise ValueError("its head is too long")
            head = json.loads(file.read(length))
            counts: Counter[str] = Counter()
            for name, tensor in head.items():
                if name != "__metadata__":
                    counts[str(tensor["dtype"])] += _count(tensor["shape"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error, RecursionError) as error:
        raise InputError(
            "{name} is not a .safetensors file, or is damaged: {detail}",
            name=path.name,
            detail=system_reason(error) if isinstance(error, OSError) else str(error)[:120] or type(error).__name__,
        ) from error
    return counts


def _count(shape: list[object]) -> int:
    """Return how many numbers a tensor has; what no tensor can have is refused, and not multiplied for minutes."""
    extents = [extent for extent in shape[:_MOST_DIMENSIONS] if isinstance(extent, int)]
    count = math.prod(extents)
    if len(extents) < len(shape) or not 0 <= count < _MOST_NUMBERS:
        raise ValueError("it has a tensor of a shape that makes no sense")
    return count


def lacks_description(paths: list[Path], place: str) -> InputError:
    """Return the sentence on weights that lie without the description of their model."""
    counts: Counter[str] = Counter()
    for path in paths:
        counts += tensor_counts(path)
    return InputError(
        "{place} holds weights, {count} million numbers ({formats}), but no config.json, which says how they are "
        "connected. Put the model's config.json beside them; it is a small text file on the page the weights are from.",
        place=place,
        count=f"{counts.total() / 1e6:.0f}",
        formats=", ".join(sorted(counts)),
    )
