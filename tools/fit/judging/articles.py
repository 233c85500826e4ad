"""What the articles report, beside what the program predicts for it, input pipeline included.

Each job is the program's own preset, so that the interval is the one a user with that job is given: it knows of the
article's program what the article says of it, and no more.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from advisor.catalog import find_device, find_workload, network_of
from advisor.options.pricing import run_time
from advisor.predict import input_rate, predict
from advisor.predict.timing.step_work import product_network
from advisor.records.base import Interval
from advisor.records.job.workload import Workload
from advisor.records.results.validation import ArticleRow

CNN_SOURCE = "Ricardo Moya, jarroba.com, CPU vs GPU en Deep Learning"
DENSENET_SOURCE = "Dipesh Gyawali, arXiv:2309.02521"
PRODUCT_SOURCE = "Rubén Guerrero, NeuroTechNet"
PRODUCT_EDGE = 8192
"""Edge of the product; the article does not give its largest, and from 1024 on the ratio is the same within 5 %."""
OTHER_PROGRAM = "The article ran a profiler beside the training, which slows it down; how much is not reported."


class _Job(NamedTuple):
    """A duration as an article reports it.

    Attributes:
        threads: Hardware threads of its processor.
    """

    name: str
    title: str
    source: str
    date: str
    preset: str
    device: str
    threads: int
    measured_s: float


_JOBS = (
    _Job(
        "cnn_gpu",
        "Small photo network on a laptop's graphics card",
        CNN_SOURCE,
        "2021",
        "article_cnn",
        "RTX 2060 Laptop",
        12,
        38.0 + 42.0 + 45.0 + 44.0 + 45.0,
    ),
    _Job(
        "cnn_cpu",
        "The same on the laptop's processor",
        CNN_SOURCE,
        "2021",
        "article_cnn",
        "Core i7-10750H",
        12,
        424.0 + 413.0 + 413.0 + 408.0 + 408.0,
    ),
    _Job(
        "densenet_gpu",
        "DenseNet121 on a workstation card",
        DENSENET_SOURCE,
        "2023-09-05",
        "densenet121_cats_dogs",
        "RTX A6000",
        24,
        2 * 3600.0,
    ),
    _Job(
        "densenet_cpu",
        "The same on a server's processor",
        DENSENET_SOURCE,
        "2023-09-05",
        "densenet121_cats_dogs",
        "Xeon Gold 6256",
        24,
        13 * 3600.0,
    ),
)


def article_rows() -> Iterator[ArticleRow]:
    """Yield what the articles report."""
    for job in _JOBS:
        workload = find_workload(job.preset).workload
        found = predict(
            network_of(workload), workload, find_device(job.device), input_rate=input_rate(workload, job.threads)
        )
        predicted_s, interval = run_time(found, workload)
        inside = interval.low <= job.measured_s <= interval.high
        yield ArticleRow(
            name=job.name,
            title=job.title,
            source=job.source,
            date=job.date,
            measured_s=_short(job.measured_s),
            predicted_s=_short(predicted_s),
            low_s=_short(interval.low),
            high_s=_short(interval.high),
            is_inside=inside,
            note="" if inside else OTHER_PROGRAM,
        )
    yield _product_row()


def _product_row() -> ArticleRow:
    """Return how many times as long as a TPU v2 a T4 takes for the article's largest matrix product: 2."""
    product = product_network(PRODUCT_EDGE, PRODUCT_EDGE, PRODUCT_EDGE)
    job = Workload(id="product", title="", network="product", task="infer", samples=1, batch_size=1, optimizer="none")
    card, tpu = (predict(product, job, find_device(name)) for name in ("T4", "TPU v2"))
    ratio = card.time_per_step_s / tpu.time_per_step_s
    width = math.exp(math.hypot(*(math.log(one.interval.high / one.time_per_step_s) for one in (card, tpu))))
    interval, measured = Interval(low=ratio / width, high=ratio * width), 2.0
    return ArticleRow(
        name="product_t4_tpu",
        title="Large matrix products: time on a T4, relative to a TPU v2",
        source=PRODUCT_SOURCE,
        date="2024-08-22",
        unit="times",
        measured_s=measured,
        predicted_s=_short(ratio),
        low_s=_short(interval.low),
        high_s=_short(interval.high),
        is_inside=interval.low <= measured <= interval.high,
    )


def _short(value: float) -> float:
    return float(f"{value:.4g}")
