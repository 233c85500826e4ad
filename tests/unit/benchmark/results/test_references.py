"""The articles' figures and what stands beside them."""

from pathlib import Path

import msgspec
import pytest

from advisor.benchmark.results.references import article_figures, beside_articles
from advisor.errors import CatalogError
from advisor.records.base import Gap
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from advisor.records.results.measured.measurement import Benchmark, CaseFailure, Measurement
from advisor.records.results.reference import BesideArticle
from tests.unit.benchmark.diagnosed import benchmark, product, training

SENSED = TelemetrySummary(
    start_s=0.0,
    end_s=9.0,
    count=9,
    metrics={
        "host.cpu_ratio": MetricSummary(mean=0.5, peak=0.9, count=9),
        "host.cpu_temperature_celsius": None,
        "accelerators.0.power_w": MetricSummary(mean=1.0, peak=2.0, count=9),
        "accelerators.1.power_w": MetricSummary(mean=200.0, peak=250.0, count=9),
    },
    gaps=(Gap(field="host.cpu_temperature_celsius", reason="permission_denied"),),
    accelerators=(
        MonitoredAccelerator(vendor="intel", index=0, name="Graphics"),
        MonitoredAccelerator(vendor="nvidia", index=0, name="Card"),
    ),
)


def rows(run: Benchmark) -> dict[tuple[str, str], BesideArticle]:
    """Return the rows by figure and network."""
    return {(row.figure.id, row.network): row for row in beside_articles(run)}


def densenet(device: str, batch_size: int, step_s: float, network: str = "densenet121_transfer") -> Measurement:
    """Return the measured training of the study's network."""
    return training(device, step_s, network=network, batch_size=batch_size, telemetry=SENSED)


def test_every_figure_has_its_article() -> None:
    """Each row of the file names a listed article with author and date."""
    assert all(source.author and source.date for _, source in article_figures())
    assert {figure.article for figure, _ in article_figures()} == {"jarroba", "neurotechnet", "simple_science"}


def test_an_epoch_beside_the_articles() -> None:
    """A step of 413 ms is 413 s for the article's 1,000 batches: as fast as its processor."""
    row = rows(benchmark(training("cpu", 0.413)))["jarroba/processor/epoch", "article_cnn"]

    assert row.value == pytest.approx(413.0)
    assert row.times == pytest.approx(1.0)
    assert row.source.author == "Ricardo Moya, jarroba.com"


def test_a_card_stands_for_the_articles_card() -> None:
    """The epoch, how many times as fast as the processor, and the products each have their row."""
    run = benchmark(
        training("cpu", 0.8),
        training("cuda:0", 0.04),
        product("cpu", flop_per_s=1e12),
        product("cuda:0", flop_per_s=8e12),
    )
    found = rows(run)

    assert found["jarroba/card/epoch", "article_cnn"].value == pytest.approx(40.0)
    assert found["jarroba/card/speed_up", "article_cnn"].value == pytest.approx(20.0)
    assert found["neurotechnet/card/product", ""].value == pytest.approx(8.0)


def test_where_there_is_no_card_its_rows_are_empty() -> None:
    """What this computer lacks has no device, and so no value."""
    row = rows(benchmark(training("cpu", 0.4)))["jarroba/card/epoch", "article_cnn"]

    assert (row.device, row.value, row.case_id) == ("", None, None)


def test_a_smaller_batch_says_why() -> None:
    """Where the study's batch took too long, the largest that ran stands for it, with the reason."""
    small, large = densenet("cpu", 4, 1.0), densenet("cpu", 16, 3.2)
    asked = densenet("cpu", 64, 1.0)
    run = benchmark(small, large, failures=(CaseFailure(case=asked.case, reason="no_time"),))
    row = rows(run)["simple_science/processor/64/all_epochs", "densenet121_transfer"]

    assert row.batch_size == 16
    assert row.value == pytest.approx(0.2 * 8005 * 20)
    assert (row.missing_case_id, row.missing_reason) == (asked.case.id, "no_time")


def test_sensors_beside_the_articles() -> None:
    """Mean and peak of the case's own window; of several cards the one that was measured; why a sensor is silent."""
    found = rows(benchmark(densenet("cuda:0", 128, 1.0)))
    network = "densenet121_transfer"

    power = found["simple_science/card/device_power", network]
    assert (power.value, power.peak) == (200.0, 250.0)
    used = found["simple_science/128/cpu", network]
    assert (used.value, used.device) == (0.5, "cuda:0")
    assert found["simple_science/128/device_temperature", network].gap == "not_found"
    assert (
        rows(benchmark(densenet("cpu", 64, 1.0)))["simple_science/64/cpu_temperature", network].gap
        == "permission_denied"
    )


def test_other_formats_and_layouts_do_not_count() -> None:
    """The articles trained in fp32 with images in their usual layout."""
    run = benchmark(training("cpu", 0.1, precision="amp"), training("cpu", 0.2, options={"channels_last": True}))

    assert rows(run)["jarroba/processor/epoch", "article_cnn"].value is None


def test_a_figure_without_article_is_refused(tmp_path: Path) -> None:
    """A figure nobody published is no figure."""
    (tmp_path / "articles.toml").write_text("", encoding="utf-8")
    figure = """[[figure]]
id = "a"
article = "nobody"
hardware = "x"
places = ["card"]
quantity = "epoch_s"
value = 1.0
"""
    (tmp_path / "figures.toml").write_text(figure, encoding="utf-8")

    with pytest.raises(CatalogError, match="nobody"):
        article_figures(tmp_path)


def test_the_sensors_of_a_card_are_found_by_its_title() -> None:
    """Of two cards torch sees one; its power is its own, whatever number torch gives it."""
    cards = tuple(
        MonitoredAccelerator(vendor="nvidia", index=n, name=f"RTX {name}") for n, name in ((0, 1650), (1, 4090))
    )
    step = training("cuda:0", 1.0, network="densenet121_transfer", batch_size=64,
                    telemetry=msgspec.structs.replace(SENSED, accelerators=cards))  # fmt: skip
    found = rows(benchmark(step, environment={"devices": "cuda:0 NVIDIA GeForce RTX 4090"}))

    powers = [row.value for row in found.values() if row.figure.quantity == "device_power_w" and row.value is not None]
    assert powers
    assert set(powers) == {200.0}
