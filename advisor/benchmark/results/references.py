"""What the articles measured beside the same measured here: same network, same batch where it ran, same quantity."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec

from advisor.articles import article_sources, read_toml
from advisor.benchmark.results.statistics import plateau_flop_per_s, speed_up_ratio
from advisor.card_matching import framework_of, sensor_prefix
from advisor.errors import CatalogError
from advisor.records.base import Source
from advisor.records.hardware.machine import Framework
from advisor.records.results.measured.measurement import Benchmark, CaseFailure, Measurement
from advisor.records.results.reference import ArticleFigure, BesideArticle, FigureQuantity
from advisor.resource import resource_path

_OF_HOST: Mapping[FigureQuantity, str] = {
    "cpu_ratio": "host.cpu_ratio",
    "cpu_temperature_celsius": "host.cpu_temperature_celsius",
    "host_memory_bytes": "host.memory_used_bytes",
}
_OF_CARD: Mapping[FigureQuantity, str] = {
    "device_ratio": "utilisation_ratio",
    "device_memory_bytes": "memory_used_bytes",
    "device_temperature_celsius": "temperature_celsius",
    "device_power_w": "power_w",
}
_TIMES: frozenset[FigureQuantity] = frozenset({"epoch_s", "all_epochs_s", "infer_image_s"})


class _File(msgspec.Struct, forbid_unknown_fields=True):
    figure: tuple[ArticleFigure, ...]


@cache
def article_figures(folder: Path | None = None) -> tuple[tuple[ArticleFigure, Source], ...]:
    """Return every figure with its article.

    Args:
        folder: Of ``figures.toml`` and ``articles.toml``; None: the one shipped with the program.

    Raises:
        CatalogError: A file cannot be read, or a figure names an article that is not listed.
    """
    root = folder or resource_path("references")
    articles = article_sources(root / "articles.toml")
    figures: tuple[ArticleFigure, ...] = read_toml(root / "figures.toml", _File).figure
    unknown = {figure.article for figure in figures} - set(articles)
    if unknown or len({figure.id for figure in figures}) != len(figures):
        raise CatalogError(f"figures.toml: names appear twice, or there is no article {sorted(unknown)}.")
    return tuple((figure, articles[figure.article]) for figure in figures)


def beside_articles(benchmark: Benchmark) -> tuple[BesideArticle, ...]:
    """Return each figure of the articles with what was measured here, or why nothing was."""
    return tuple(row for figure, source in article_figures() for row in _rows(benchmark, figure, source))


def _rows(benchmark: Benchmark, figure: ArticleFigure, source: Source) -> Iterator[BesideArticle]:
    device = _device(benchmark, figure)
    for network in figure.networks or ("",):
        row = BesideArticle(figure=figure, source=source, network=network, device=device)
        if not device:
            yield row
        elif figure.quantity in {"speed_up_times", "product_times"}:
            yield msgspec.structs.replace(row, value=_ratio(benchmark, figure, network, device))
        else:
            yield _measured(benchmark, row)


def _device(benchmark: Benchmark, figure: ArticleFigure) -> str:
    """Return the device here that stands for the article's; empty where there is none."""
    cases = [*(m.case for m in benchmark.measurements), *(f.case for f in benchmark.failures)]
    found = list(dict.fromkeys(case.device for case in cases if not case.device.startswith("xla")))
    cards = [name for name in found if name != "cpu"]
    names = {"processor": ["cpu"] if "cpu" in found else [], "card": cards[:1]}
    return next((name for place in figure.places for name in names[place]), "")


def _ratio(benchmark: Benchmark, figure: ArticleFigure, network: str, device: str) -> float | None:
    if figure.quantity == "speed_up_times":
        return speed_up_ratio(benchmark.measurements, device, network)
    card, processor = (plateau_flop_per_s(benchmark.measurements, name, "fp32") for name in (device, "cpu"))
    return card / processor if card and processor else None


def _measured(benchmark: Benchmark, row: BesideArticle) -> BesideArticle:
    """Return the row with the measurement of the article's batch, else of the largest smaller one and the reason."""
    figure = row.figure
    found = _nearest([m for m in benchmark.measurements if _is_of(m, row) and m.case.batch_size <= figure.batch_size])
    missing = next((f for f in benchmark.failures if _is_of(f, row) and f.case.batch_size == figure.batch_size), None)
    if missing is not None:
        row = msgspec.structs.replace(row, missing_case_id=missing.case.id, missing_reason=missing.reason)
    if found is None:
        return row
    row = msgspec.structs.replace(row, case_id=found.case.id, batch_size=found.case.batch_size)
    return _timed(found, row) if figure.quantity in _TIMES else _sensed(found, row, framework_of(benchmark))


def _nearest(measured: Sequence[Measurement]) -> Measurement | None:
    return max(measured, key=lambda m: m.case.batch_size, default=None)


def _is_of(one: Measurement | CaseFailure, row: BesideArticle) -> bool:
    """Return whether a case is what the article did, whatever the batch: in fp32, images in their usual layout."""
    case = one.case
    program = "infer" if row.figure.quantity == "infer_image_s" else "train"
    wanted = (program, row.network, row.device, "fp32")
    is_plain = not case.options.get("channels_last")
    return is_plain and (case.program, case.network, case.device, case.precision) == wanted


def _timed(found: Measurement, row: BesideArticle) -> BesideArticle:
    """Return the row with the time of the article's samples and epochs at the measured rate."""
    per_sample_s = found.median_s / found.case.batch_size
    value = per_sample_s * (row.figure.samples or 1) * row.figure.epochs
    return msgspec.structs.replace(row, value=value, times=row.figure.value / value)


def _sensed(found: Measurement, row: BesideArticle, framework: Framework) -> BesideArticle:
    """Return the row with what the sensor said during the case."""
    telemetry = found.telemetry
    if telemetry is None:
        return msgspec.structs.replace(row, gap="not_found")
    name = _OF_HOST.get(row.figure.quantity)
    if name is None:
        # Where no card is watched, the gap is about the first.
        card = sensor_prefix(found.case.device, telemetry, framework) or "accelerators.0"
        name = f"{card}.{_OF_CARD[row.figure.quantity]}"
    metric = telemetry.metrics.get(name)
    if metric is None:
        reason = next((gap.reason for gap in telemetry.gaps if gap.field in {name, "telemetry"}), "not_found")
        return msgspec.structs.replace(row, gap=reason)
    return msgspec.structs.replace(row, value=metric.mean, peak=metric.peak)
