"""What several test files here share."""

from functools import cache
from pathlib import Path

import msgspec

from advisor.benchmark.results.references import beside_articles
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement, Series
from advisor.records.results.report import Report
from advisor.report.content.blocks import Block, Bullets, Figure, Fold, Heading, Paragraph, Table
from advisor.units import GIB
from tests.unit.report import samples

RECORDED = Path(__file__).parents[4] / "data" / "sessions" / "full_two_cores.json"


@cache
def recorded() -> Benchmark:
    """Return the full suite of a computer with two cores."""
    return msgspec.json.decode(RECORDED.read_bytes(), type=Benchmark)


def full() -> Report:
    """Return a report with it."""
    return msgspec.structs.replace(samples.rent(), benchmark=recorded(), articles=beside_articles(recorded()))


def run(*measurements: Measurement) -> Benchmark:
    """Return a run of these cases."""
    return msgspec.structs.replace(recorded(), measurements=measurements)


def one(program: str, device: str = "cpu", median_s: float = 0.1, **fields: object) -> Measurement:
    """Return a measurement; what a case has goes to the case."""
    of_case = {name: fields.pop(name) for name in list(fields) if name in Case.__struct_fields__}
    case = Case(id=f"{program}/{device}/{len(of_case)}/{median_s}", program=program, device=device, **of_case)  # type: ignore[arg-type]
    return Measurement(case=case, samples_s=(median_s,) * 3, median_s=median_s, iqr_s=0.01 * median_s, **fields)  # type: ignore[arg-type]


def words(blocks: tuple[Block, ...]) -> str:
    """Return everything that is said, tables of charts included."""
    found: list[str] = []
    for block in blocks:
        match block:
            case Paragraph(text=text) | Heading(text=text):
                found.append(text)
            case Bullets(items=items):
                found += [item.text for item in items]
            case Table(header=header, rows=rows) | Fold(table=Table(header=header, rows=rows)):
                found += [" | ".join(row) for row in (header, *rows)]
            case Figure(chart=chart):
                found += [chart.title, chart.description, *(" | ".join(row) for row in chart.table.rows)]
    return "\n".join(found).replace("\N{NO-BREAK SPACE}", " ")


def sweep(details: dict[str, float], sizes: tuple[float, ...] = (0.5, 1.0, 3.0)) -> Measurement:
    """Return a search over three batches."""
    rates = ((8.0, 100.0), (16.0, 180.0), (32.0, 190.0))
    return one(
        "sweep",
        "cuda:0",
        network="article_cnn",
        details=details,
        series=(
            Series(x="batch_size", y="items_per_s", points=rates),
            Series(x="batch_size", y="step_s", points=tuple((batch, batch / value) for batch, value in rates)),
            Series(x="batch_size", y="memory_bytes",
                   points=tuple((b, size * GIB) for (b, _r), size in zip(rates, sizes, strict=False))),
        ),
    )  # fmt: skip


def watched(device: str, **metrics: float) -> Measurement:
    """Return a case whose sensors said this on average, and a tenth more at most."""
    found: dict[str, MetricSummary | None] = {
        name.replace("__", "."): MetricSummary(mean=v, peak=1.1 * v, count=9) for name, v in metrics.items()
    }
    cards = tuple(MonitoredAccelerator(vendor="nvidia", index=n, name="RTX A6000") for n in (1, 0))
    seen = TelemetrySummary(start_s=0.0, end_s=9.0, count=9, metrics=found, accelerators=cards)
    return one("train", device, network="densenet121_transfer", batch_size=64, telemetry=seen)
