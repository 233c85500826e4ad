"""What could be changed about a job so that it fits the user's own computer, or ends sooner there."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Amount, Balance, Duration, Interval, Record
from advisor.records.job.prediction import Limit

ChangeCode = Literal[
    "accumulation",
    "adamw_8bit",
    "amp",
    "checkpointing",
    "compiled",
    "fp16",
    "fp32",
    "image_size",
    "loaders",
    "lora",
    "prepared",
    "qlora",
    "quantised",
    "sequence_length",
    "together",
]
Effect = Literal["none", "hardly", "other"]


class JobChange(Record, frozen=True, kw_only=True):
    """One change of a job, and what it brings.

    Attributes:
        code: What is changed.
        value: To what, where that is a number: parts of a step, pixels, tokens, processes.
        checkpointing: Whether activations are computed again as well, without which it would not fit.
        also: What is changed ``together``.
        memory_bytes: Peak on the device, the whole of a step or of its part.
        fits: Whether the device has that much; None where nobody knows how much it has.
        run_s: Duration of a run after the change, on the device.
        interval: Of ``run_s``.
        effect: On the trained network: ``none``, ``hardly`` (other roundings), ``other`` (another training).
    """

    code: ChangeCode
    value: int | None = None
    checkpointing: bool = False
    also: tuple[ChangeCode, ...] = ()
    memory_bytes: Amount
    fits: bool | None
    run_s: Duration
    interval: Interval
    effect: Effect


class LeastMemory(Record, frozen=True, kw_only=True):
    """The least memory that a job runs in on one device: one sample at a time, and what is changed for it.

    Attributes:
        memory_bytes: Peak on the device; on each of several that share the job's state.
        codes: What is changed.
        effect: On the trained network, of all of it.
    """

    memory_bytes: Amount
    codes: tuple[ChangeCode, ...] = ()
    effect: Effect


class JobChanges(Record, frozen=True, kw_only=True):
    """What would make a job fit one device of the user's, or end sooner on it; the most useful first.

    Attributes:
        option: Id of the device's option.
        whole_bytes: What the job takes as it is, its whole batch at once.
        available_bytes: What the device has; None where nobody knows.
        run_s: Duration of a run as it is; of what does not fit, if it did.
        fits: Whether it fits as it is, its batch cut where that helps; None where nobody knows.
        least: Of what does not fit, the least it runs in: with the same result, then, where that is less, with another.
        least_bytes: The least that any of the changes takes, as reports said until November 2026; ``least`` says more.
        shards: Devices of this kind over which its state must be spread so that it fits as it is; None: no such number,
            or it is not known.
    """

    option: str
    whole_bytes: Amount
    available_bytes: Amount | None
    run_s: Duration
    fits: bool | None
    least: tuple[LeastMemory, ...] = ()
    least_bytes: Amount | None = None
    shards: int | None = None
    changes: tuple[JobChange, ...]


PartKind = Literal["card", "second_card", "memory", "cores", "disk"]


Barred = Literal["laptop", "no_card", "server"]


class WhatIf(Record, frozen=True, kw_only=True):
    """What another part would bring to this computer for a job.

    Attributes:
        kind: Which part.
        name: Of the card; empty for other parts.
        now_s, then_s: Duration of a run with the parts there are, and with the other; None where nothing here does it.
        limit: What holds the job back now.
        saved_s: Time saved in a month; None where one of both is not known.
        price_usd: Of the part, and of a computer around it where this one has no place; None where nobody tells.
        card_usd: Of the card alone, where ``price_usd`` counts a computer around it.
        here_s: Duration of a run with that card in this computer instead; None where it takes none.
        here_interval: In which that lies; None where it takes none.
        here_limit: What holds the job back with that card in this computer; None where it takes none.
        pays_months: From when on it is cheaper than the cheapest rent; None where never, or its price is not known.
        better: Id of the cheapest that does the job clearly sooner for no more money over the horizon; None: nothing.
        barred: Why the part cannot be had: a laptop takes none, or there is no first card; None where it can.
        loaders: Loading processes that were counted with more cores; 0 where that is not said of the job.
    """

    kind: PartKind
    name: str = ""
    now_s: Duration | None
    then_s: Duration | None
    limit: Limit
    saved_s: Balance | None
    price_usd: Amount | None
    card_usd: Amount | None = None
    here_s: Duration | None = None
    here_interval: Interval | None = None
    here_limit: Limit | None = None
    pays_months: Amount | None
    better: str | None
    barred: Barred | None = None
    loaders: Annotated[int, msgspec.Meta(ge=0)] = 0
