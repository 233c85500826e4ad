"""The sensors' numbers as a table for other programs: SI units, one row a sample, the names of the records' fields."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from typing import TextIO

from advisor.gui.models.phases import PhaseModel
from advisor.monitor.timeline import Strip

_DIGITS = 7  # what the columns hold


def csv_bytes(strip: Strip, phases: PhaseModel) -> bytes:
    """Return the samples of a strip as the content of a file."""
    file = io.StringIO(newline="")
    write_csv(file, strip, phases)
    return file.getvalue().encode()


def write_csv(file: TextIO, strip: Strip, phases: PhaseModel) -> None:
    """Write the samples of a strip; empty where a sensor said nothing.

    Args:
        file: Opened for text, without translation of line ends.
        strip: What to write.
        phases: Which test ran when.
    """
    writer = csv.writer(file)
    fields = sorted(strip.columns)
    cores = max(map(len, strip.cores), default=0)
    writer.writerow(("time_s", *fields, *(f"host.cores_ratio.{core}" for core in range(cores)), "case"))
    columns = [strip.columns[name] for name in fields]
    start_s = strip.times_s[0] if strip.times_s else 0.0
    for position, time_s in enumerate(strip.times_s):
        phase = phases.at(time_s)
        writer.writerow(
            (
                f"{time_s - start_s:.3f}",
                *(_text(column[position]) for column in columns),
                *_core_texts(strip.cores[position], cores),
                "" if phase is None else phase.case.id,
            )
        )


def _text(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.{_DIGITS}g}"


def _core_texts(percents: bytes, cores: int) -> Iterator[str]:
    yield from (f"{percent / 100:.2f}" for percent in percents)
    yield from ("" for _core in range(cores - len(percents)))
