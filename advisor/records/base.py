"""What every record shares, and the small values used by several of them."""

from typing import Annotated, Literal

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=False):
    """Base of all records: immutable, keyword-only, strict when decoded."""


Amount = Annotated[float, msgspec.Meta(ge=0, le=1e40)]
"""Of what follows from a question; more than any question within its limits leads to is nonsense."""
Balance = Annotated[float, msgspec.Meta(ge=-1e40, le=1e40)]
"""An amount from which others are taken away."""
Bytes = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A size in memory or on a disk."""
Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
"""A number where other kinds of value may stand, too; one of hundreds of digits is none to reckon with."""
Duration = Annotated[float, msgspec.Meta(ge=1e-12, le=1e40)]
"""Seconds of something that takes time at all."""

Basis = Literal["measured", "scaled", "shared", "modelled", "published"]
"""Where a number comes from: measured here; scaled from a measurement here; from measurements of other computers with
such a device; modelled from published specifications; published by somebody else."""

Precision = Literal["fp64", "fp32", "tf32", "fp16", "bf16", "amp"]
"""Numeric format of the arithmetic. ``amp`` is automatic mixed precision: fp32 parameters, 16-bit products."""

GapReason = Literal[
    "asleep",
    "container",
    "device_lost",
    "driver_without_library",
    "library_mismatch",
    "no_driver",
    "not_applicable",
    "not_found",
    "not_installed",
    "not_supported",
    "permission_denied",
    "timeout",
    "unreadable",
    "virtual_machine",
]


class Gap(Record, frozen=True, kw_only=True):
    """A fact that could not be had, and why.

    Attributes:
        field: Dotted name of the missing field, such as ``accelerators.0.power_limit_w``.
        reason: Why, as a code that the report turns into a sentence.
        detail: What the system said, in its own words; never names the user.
        remedy: What the user can do about it, as a code the report knows, or None.
    """

    field: str
    reason: GapReason
    detail: str = ""
    remedy: str | None = None


class Evidence(Record, frozen=True, kw_only=True):
    """How a fact was read and how the user can check it.

    Attributes:
        field: Dotted name of the field.
        how: What was read, such as ``/proc/meminfo`` or ``nvmlDeviceGetMemoryInfo``.
        check: A command that shows the same number by another way.
    """

    field: str
    how: str
    check: str = ""


class Source(Record, frozen=True, kw_only=True):
    """Where a published figure comes from.

    Attributes:
        title: Article, data sheet or data set.
        author: Author or site.
        date: ISO date, or year, of the publication or of the reading.
        is_read_date: The date is that of the reading, because the source shows none of its own.
        url: Address, where there is one.
    """

    title: str
    author: str = ""
    date: str
    is_read_date: bool = False
    url: str | None = None


Z80 = 1.2816
"""Half of the central 80 % of a normal distribution, in standard deviations: how wide an interval is."""


class Interval(Record, frozen=True, kw_only=True):
    """A range that holds the true value with a stated probability.

    Attributes:
        low: Lower end, same unit as the value it belongs to.
        high: Upper end.
        coverage_ratio: Probability, 0 to 1.
    """

    low: Balance
    high: Balance
    coverage_ratio: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.8
