"""Figures the articles published, and what was measured here beside them."""

from typing import Literal

from advisor.records.base import GapReason, Record, Source
from advisor.records.results.measured.measurement import FailureReason

FigureQuantity = Literal[
    "epoch_s",
    "all_epochs_s",
    "infer_image_s",
    "speed_up_times",
    "product_times",
    "cpu_ratio",
    "cpu_temperature_celsius",
    "host_memory_bytes",
    "device_ratio",
    "device_memory_bytes",
    "device_temperature_celsius",
    "device_power_w",
]
"""What a figure is about; the unit is in the name. ``speed_up_times``: how many times as fast a card trains the network
as the processor; ``product_times``: the same of large matrix products. The last seven are readings of sensors while
the network was trained; ``device`` is the card."""

FigurePlace = Literal["processor", "card"]


class ArticleFigure(Record, frozen=True, kw_only=True):
    """One number of an article.

    Attributes:
        id: Unique, such as ``simple_science/card/64/all_epochs``.
        article: Key of the article among the references.
        hardware: What it was measured on, as the article names it.
        places: Where on this computer the same is measured; the first that exists counts.
        value: As published; of several values their mean.
        low, high: Lowest and highest, where there are several.
        networks: By which it is measured here, each for itself; empty where none is.
        batch_size: The article's.
        samples, epochs: Samples of an epoch, and epochs, that a time is for.
    """

    id: str
    article: str
    hardware: str
    places: tuple[FigurePlace, ...]
    quantity: FigureQuantity
    value: float
    low: float | None = None
    high: float | None = None
    networks: tuple[str, ...] = ()
    batch_size: int = 1
    samples: int = 0
    epochs: int = 1


class BesideArticle(Record, frozen=True, kw_only=True):
    """A figure of an article and the same quantity measured here.

    Attributes:
        source: The article.
        device: torch's name of the device here; empty where this computer has none of the kind.
        case_id: The case the value here comes from.
        batch_size: Of that case; smaller than the article's where that one has no result.
        value: Measured here, in the figure's unit: a median, or the mean over the case's window for sensors.
        peak: The highest reading of a sensor.
        times: How many times as fast this computer is as the article's; of times only.
        missing_case_id: The case with the article's own batch, where it has no result.
        missing_reason: Why it has none.
        gap: Why a sensor says nothing.
    """

    figure: ArticleFigure
    source: Source
    network: str = ""
    device: str = ""
    case_id: str | None = None
    batch_size: int | None = None
    value: float | None = None
    peak: float | None = None
    times: float | None = None
    missing_case_id: str | None = None
    missing_reason: FailureReason | None = None
    gap: GapReason | None = None
