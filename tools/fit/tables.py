"""Reads the files of public measurements; each row a dict, numbers converted."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path


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
