"""Where a number comes from: what it rests on, its inputs, method, source, date, error band, and how to check it."""

from advisor.records.base import Record


class Provenance(Record, frozen=True, kw_only=True):
    """All about one figure, in the user's language; what is not known of it is empty.

    Attributes:
        figure: JSON Pointer (RFC 6901) to the figure, or to the record it is of, in the JSON report.
        title: What the figure is.
        value: The figure with its unit.
        basis: What it rests on: measured here, scaled, modelled, published, or read from the system.
        inputs: What went into it: names and values.
        method: How it was made of them.
        source: Where published inputs are from.
        date: When it was taken, or of what day its source is.
        band: Between which values the true one lies, and how often.
        low, high: These values, in the unit of the figure that is pointed to; None where no band is known.
        check: A command that shows the same.
    """

    figure: str = ""
    title: str
    value: str
    basis: str = ""
    inputs: tuple[tuple[str, str], ...] = ()
    method: str = ""
    source: str = ""
    date: str = ""
    band: str = ""
    low: float | None = None
    high: float | None = None
    check: str = ""
