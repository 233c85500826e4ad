"""The durations the articles report, beside what the program predicts for them, input pipeline included."""

from collections.abc import Iterator

from advisor.catalog import find_device
from advisor.catalog.networks import network
from advisor.predict import input_rate, predict
from advisor.records.base import Interval
from advisor.records.validation import ArticleRow
from advisor.records.workload import Workload

CNN_SOURCE = "Ricardo Moya, jarroba.com, CPU vs GPU en Deep Learning"
DENSENET_SOURCE = "Dipesh Gyawali, arXiv:2309.02521"
CNN_STEPS = 5000
PROFILED = "The article ran a profiler beside the training, which slows it down; how much is not reported."


def article_rows() -> Iterator[ArticleRow]:
    """Yield the durations the articles report."""
    cnn = network("article_cnn")
    photos = Workload(
        id="article_cnn",
        title="",
        network="article_cnn",
        samples=18_687,
        batch_size=32,
        input_kind="jpeg",
        augmentation=True,
    )
    for name, title, chip, step_s in (
        ("cnn_gpu", "Small photo network on a laptop's graphics card", "RTX 2060 Laptop", 0.0418),
        ("cnn_cpu", "The same on the laptop's processor", "Core i7-10750H", 0.4124),
    ):
        found = predict(cnn, photos, find_device(chip), input_rate=input_rate(photos, 12))
        yield _row(name, title, CNN_SOURCE, "2021", step_s, found.time_per_step_s, found.interval, CNN_STEPS)
    pets = Workload(id="densenet121", title="", network="densenet121", samples=8005, batch_size=64, input_kind="jpeg")
    steps = 20 * (8005 + 2023) / 64
    for name, title, chip, hours in (
        ("densenet_gpu", "DenseNet121 on a workstation card", "RTX A6000", 2.0),
        ("densenet_cpu", "The same on a server's processor", "Xeon Gold 6256", 13.0),
    ):
        found = predict(network("densenet121"), pets, find_device(chip), input_rate=input_rate(pets, 1))
        step_s = hours * 3600 / steps
        yield _row(
            name, title, DENSENET_SOURCE, "2023-09-05", step_s, found.time_per_step_s, found.interval, steps, PROFILED
        )


def _row(
    name: str,
    title: str,
    source: str,
    date: str,
    measured: float,
    predicted: float,
    interval: Interval,
    steps: float,
    note: str = "",
) -> ArticleRow:
    inside = interval.low <= measured <= interval.high
    return ArticleRow(
        name=name,
        title=title,
        source=source,
        date=date,
        measured_s=_short(measured * steps),
        predicted_s=_short(predicted * steps),
        low_s=_short(interval.low * steps),
        high_s=_short(interval.high * steps),
        is_inside=inside,
        note="" if inside else note,
    )


def _short(value: float) -> float:
    return float(f"{value:.4g}")
