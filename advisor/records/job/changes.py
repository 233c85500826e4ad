"""What could be changed about a job so that it fits the user's own computer, or ends sooner there."""

from typing import Literal

from advisor.records.base import Amount, Balance, Duration, Interval, Record
from advisor.records.job.prediction import Limit

ChangeCode = Literal[
    "accumulation",
    "adamw_8bit",
    "amp",
    "checkpointing",
    "compiled",
    "fp16",
    "image_size",
    "loaders",
    "lora",
    "prepared",
    "qlora",
    "quantised",
    "sequence_length",
]
Effect = Literal["none", "hardly", "other"]


class JobChange(Record, frozen=True, kw_only=True):
    """One change of a job, and what it brings.

    Attributes:
        code: What is changed.
        value: To what, where that is a number: parts of a step, pixels, tokens, processes.
        checkpointing: Whether activations are computed again as well, without which it would not fit.
        memory_bytes: Peak on the device, the whole of a step or of its part.
        fits: Whether the device has that much; None where nobody knows how much it has.
        run_s: Duration of a run after the change, on the device.
        interval: Of ``run_s``.
        effect: On the trained network: ``none``, ``hardly`` (other roundings), ``other`` (another training).
    """

    code: ChangeCode
    value: int | None = None
    checkpointing: bool = False
    memory_bytes: Amount
    fits: bool | None
    run_s: Duration
    interval: Interval
    effect: Effect


class JobChanges(Record, frozen=True, kw_only=True):
    """What would make a job fit one device of the user's, or end sooner on it; the most useful first.

    Attributes:
        option: Id of the device's option.
        whole_bytes: What the job takes as it is, its whole batch at once.
        available_bytes: What the device has; None where nobody knows.
        run_s: Duration of a run as it is; of what does not fit, if it did.
        fits: Whether it fits as it is, its batch cut where that helps; None where nobody knows.
        least_bytes: The least that any of the changes takes.
    """

    option: str
    whole_bytes: Amount
    available_bytes: Amount | None
    run_s: Duration
    fits: bool | None
    least_bytes: Amount
    changes: tuple[JobChange, ...]


PartKind = Literal["card", "second_card", "memory", "cores", "disk"]


class WhatIf(Record, frozen=True, kw_only=True):
    """What another part would bring to this computer for a job.

    Attributes:
        kind: Which part.
        name: Of the card; empty for other parts.
        now_s, then_s: Duration of a run with the parts there are, and with the other; None where nothing here does it.
        limit: What holds the job back now.
        saved_s: Time saved in a month; None where one of both is not known.
        price_usd: Of the part, and of a computer around it where this one has no place; None where nobody tells.
        pays_months: From when on it is cheaper than the cheapest rent; None where never, or its price is not known.
        better: Id of what does the job sooner for no more money over the horizon; None where nothing does.
    """

    kind: PartKind
    name: str = ""
    now_s: Duration | None
    then_s: Duration | None
    limit: Limit
    saved_s: Balance | None
    price_usd: Amount | None
    pays_months: Amount | None
    better: str | None
