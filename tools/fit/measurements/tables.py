"""Reads the files of public measurements; each row a dict, numbers converted."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

USUAL_EDGE = 224
LEAST_EDGE = 140
"""In names such as ``lcnet_100`` the number is a width, not an edge ..."""
NAMED_BY_WIDTH = ("levit",)
"""... and in all of these models'."""


def rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a file, packed or not; empty where the folder lacks it."""
    packed = folder / f"{name}.csv.gz"
    if packed.exists():
        with gzip.open(packed, "rt", newline="", encoding="utf-8") as file:
            yield from csv.DictReader(file)
        return
    plain = folder / f"{name}.csv"
    with plain.open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def number(text: str | None) -> float | None:
    """Return the number in a cell, or None."""
    try:
        return float(text) if text not in (None, "") else None
    except ValueError:
        return None


def extras(row: dict[str, str]) -> dict[str, str]:
    """Return the column ``extra`` (k=v;…) as a dict."""
    pairs = (part.split("=", 1) for part in row.get("extra", "").split(";") if "=" in part)
    return {key.strip(): value.strip() for key, value in pairs}


def memory_edge(row: dict[str, str]) -> int:
    """Return the image edge of a row of ``training_memory``, whose source read it off the model's name."""
    edge = number(row["image_or_seq"]) or USUAL_EDGE
    is_width = edge < LEAST_EDGE or row["model"].startswith(NAMED_BY_WIDTH)
    return USUAL_EDGE if is_width else int(edge)
