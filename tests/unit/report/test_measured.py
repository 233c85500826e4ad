"""The full suite in a report: each group with its chart, its table and what both mean."""

import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

from advisor.benchmark import beside_articles
from advisor.locale import language
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from advisor.records.results.measurement import Benchmark, Case, Measurement, Series
from advisor.records.results.report import Report
from advisor.report import html_report, markdown_report, text_report
from advisor.report.content.blocks import Block, Bullets, Figure, Fold, Heading, Paragraph, Table
from advisor.report.content.document_builder import document
from advisor.report.content.measured import measured_groups
from advisor.report.content.measured.common import device_cell, has_several_devices
from advisor.report.content.measured.networks import formats, inference, training
from advisor.report.content.measured.parts import parts, threads
from advisor.report.content.measured.pipeline import pipeline
from advisor.report.content.measured.profile import profiles
from advisor.report.content.measured.sensors import sensors
from advisor.report.content.measured.sustained import sustained
from advisor.report.content.measured.sweep import sweeps
from advisor.units import GIB
from tests.unit.report import samples

EN, ES = language("en"), language("es")
RECORDED = Path(__file__).parents[2] / "data" / "sessions" / "full_two_cores.json"


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


def test_every_case_of_the_suite_is_in_a_group() -> None:
    """Nothing that was measured is left out of the tables of people."""
    programs = {measured.case.program for measured in recorded().measurements}
    assert programs == {
        "matmul", "train", "infer", "bandwidth", "launch", "threads", "disk", "input", "sweep", "profile", "sustained"
    }  # fmt: skip
    text = words(measured_groups(recorded(), EN))
    for title in (
        "Training networks", "The best batch size", "Number formats and layouts", "Waiting for an answer",
        "Who waits for whom?", "Where the time goes: training CNN", "A minute at full load",
        "Use, memory, temperature and power", "Moving data and starting operations", "More and more threads",
    ):  # fmt: skip
        assert title in text


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_every_layout_carries_it(spoken: object) -> None:
    """Text at two widths stays inside its lines; Markdown and HTML have every chart's numbers."""
    chosen = EN if spoken is EN else ES
    for width in (80, 120):
        lines = text_report(full(), chosen, width=width).splitlines()
        assert max(map(len, lines)) <= width
    figures = [b for section in document(full(), chosen).sections for b in section.blocks if isinstance(b, Figure)]
    assert len(figures) >= 7
    source = html_report(full(), chosen)
    assert source.count("<svg") == len(figures)
    assert markdown_report(full(), chosen).count("###") >= 10


def test_networks_of_one_name_are_told_apart() -> None:
    """The study's network was measured in two ways."""
    text = words(training(recorded(), EN))
    assert "DenseNet-121 (all layers trained) | 4 | fp32 | 9.64 s | 0.415 | 1 GB | –" in text
    assert "DenseNet-121 (only the last layer trained) | 16" in text


def test_devices_are_named_where_there_are_several() -> None:
    """One device needs no column; two do."""
    alone, both = run(one("train", network="a")), run(one("train", network="a"), one("train", "cuda:0", network="a"))
    assert "Device" not in words(training(alone, EN))
    assert "a | Graphics card | 1 | fp32" in words(training(both, EN))


def test_formats_are_compared_with_fp32() -> None:
    """Mixed precision in training and the short format in use are one row; a format alone is none."""
    text = words(formats(recorded(), EN))
    assert "ResNet-50, 8 | bf16, channels_last | 0.46 | 0.54 | 11.1 | 8.1" in text
    assert "ResNet-50, 8 | fp16 | – |  | 2.55 | 1.9" in text
    assert "RNNCell" not in text
    assert formats(run(one("train", network="a")), EN) == ()
    halves = run(*(one("infer", network="a", precision=name) for name in ("fp16", "bf16")))
    assert "× fp32" not in words(formats(halves, EN))


@pytest.mark.parametrize(
    ("device", "trained", "known", "is_said"),
    [
        ("cpu", ("bf16",), ("bf16", "fp16"), True),
        ("cuda:0", ("bf16",), ("bf16", "fp16"), True),
        ("cpu", ("bf16", "fp16"), ("bf16", "fp16"), False),
        ("cpu", ("bf16",), ("bf16",), False),
        ("cpu", (), ("bf16", "fp16"), False),
    ],
)
def test_a_format_of_mixed_precision_that_was_left_out_is_said(
    device: str, trained: tuple[str, ...], known: tuple[str, ...], *, is_said: bool
) -> None:
    """Where the device computes in both and trains in one; what another device can is no reason."""
    cases = [one("train", device, network="a", precision="fp32"), one("train", device, network="a", precision="tf32")]
    cases += [
        one("train", device, 0.01 * n, network="a", precision="amp", options={"autocast": name})
        for n, name in enumerate(trained, 1)
    ]
    cases += [one("matmul", device, precision=name, size=512) for name in known]
    cases += [one("matmul", "cuda:7", precision=name, size=512) for name in ("fp16", "bf16")]
    text = words(formats(run(*cases), EN))
    assert ("was measured in bf16 alone" in text) == is_said
    assert ("computes in fp16 as well" in text) == is_said
    assert ("solo se ha medido en bf16" in words(formats(run(*cases), ES))) == is_said


def test_percentiles_need_enough_calls() -> None:
    """What too few calls cannot show is a dash, and why; with enough of them nothing needs saying."""
    assert "DenseNet-121 | 1 | fp32 | 4.6 s | – | – | 0.219" in words(inference(recorded(), EN))
    assert "too few calls" in words(inference(recorded(), EN))
    details = {"call_p50_s": 0.01, "call_p95_s": 0.011, "call_p99_s": 0.02}
    text = words(inference(run(one("infer", network="a", details=details)), EN))
    assert "10 ms | 11 ms | 20 ms" in text
    assert "too few" not in text


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


def test_the_best_batch_is_named_and_why_the_search_ended() -> None:
    """By memory, by time, or because it did not pay to go on; the row of the best is marked."""
    beyond = {"best_batch": 16.0, "largest_batch_that_fits": 32.0, "first_batch_that_does_not_fit": 64.0}
    blocks = sweeps(run(sweep(beyond | {"it_would_take_bytes": 6.2 * GIB, "limit_bytes": 5.0 * GIB})), EN)
    text = words(blocks)
    assert "The best batch for CNN on the graphics card is 16: larger ones are hardly faster." in text
    assert "A batch of 64 no longer fits into memory: it would take 6.2 GB." in text
    [figure] = [block for block in blocks if isinstance(block, Figure)]
    assert figure.chart.table.marked == 1
    assert "best: 16" in figure.chart.svg
    assert "free memory: 5 GB" in figure.chart.svg.replace("\N{NO-BREAK SPACE}", " ")
    assert "no longer fits into memory." in words(sweeps(run(sweep(beyond)), EN))
    assert "the largest that was tried. The time for this test was over" in words(sweeps(recorded(), EN))
    quiet = words(sweeps(run(sweep({"best_batch": 16.0, "largest_batch_that_fits": 32.0})), EN))
    assert "fits" not in quiet
    assert "The time" not in quiet


def test_a_search_without_points_or_memory() -> None:
    """One point is a sentence; no memory is one panel; nothing is nothing."""
    bare = sweep({"best_batch": 32.0, "largest_batch_that_fits": 32.0}, sizes=())
    bare = msgspec.structs.replace(bare, series=bare.series[:1])
    [_title, figure] = sweeps(run(bare), EN)
    assert isinstance(figure, Figure)
    assert "Memory in GB" not in figure.chart.svg
    assert figure.chart.table.rows[0][2:] == ("–", "–")
    first = Series(x="batch_size", y="items_per_s", points=((8.0, 100.0),))
    assert [type(b) for b in sweeps(run(msgspec.structs.replace(bare, series=(first,))), EN)] == [Heading, Paragraph]
    assert sweeps(run(msgspec.structs.replace(bare, series=())), EN) == ()


def images(rate: float, workers: int, edge: int = 150, **options: object) -> Measurement:
    """Return images prepared a second."""
    return one("input", size=edge, items_per_s=rate, options={"workers": workers, "augmented": True, **options})


def test_who_waits_for_whom() -> None:
    """The card for its images, or never; the processor for itself."""
    cnn = one("train", "cuda:0", network="article_cnn", items_per_s=1900.0)
    text = words(pipeline(run(images(120.0, 0), images(210.0, 2), cnn), EN))
    assert "could take 1,900 images a second, and 210 are prepared: it waits for 89% of the time." in text
    assert "150 px, augmented, 2 processes | 210" in text
    assert "it never waits" in words(pipeline(run(images(2500.0, 8), cnn), EN))
    assert "the network is what takes the time" in words(pipeline(recorded(), EN))
    assert pipeline(run(cnn), EN) == ()
    assert not [b for b in pipeline(run(images(120.0, 0, edge=64), cnn), EN) if isinstance(b, Bullets)]


def long_run(lost: float, reasons: tuple[str, ...] = ()) -> Measurement:
    """Return a minute of training that loses so much."""
    rates = tuple((float(n), 100.0 - (lost * 100.0 * n / 60)) for n in range(61))
    card = MonitoredAccelerator(vendor="nvidia", index=0, name="RTX A6000")
    seen = TelemetrySummary(start_s=0.0, end_s=60.0, count=60, throttle_reasons=reasons, accelerators=(card,))
    return one(
        "sustained",
        "cuda:0",
        network="article_cnn",
        items_per_iteration=10,
        details={"first_s": 0.1, "lost_ratio": lost, "run_s": 60.0},
        series=(Series(x="time_s", y="items_per_s", points=rates),),
        telemetry=seen,
    )


def test_what_is_lost_in_a_minute_and_why() -> None:
    """The share, the reason the hardware gives, and a table of ten-second means."""
    text = words(sustained(run(long_run(0.2, ("heat", "of_its_own"))), EN))
    assert "Training CNN on the graphics card: 20% slower after 1 minute than at the beginning." in text
    assert "The hardware names as the reason: heat, of_its_own." in text
    assert "0–10 | 98.5 a second\n98%" in text
    steady = words(sustained(run(long_run(0.0, ("power_limit",))), EN))
    assert "as fast after 1 minute as at the beginning" in steady
    assert "The hardware names" not in steady
    slow = long_run(0.2, ("heat",))
    on_processor = msgspec.structs.replace(slow, case=msgspec.structs.replace(slow.case, device="cpu"))
    assert "The hardware names" not in words(sustained(run(on_processor), EN))
    both = words(sustained(recorded(), EN))
    assert "Matrix products on the processor" in both
    assert "GFLOP/s" in both
    broken = msgspec.structs.replace(long_run(0.0), details={})
    assert sustained(run(broken), EN) == ()


def test_where_the_time_goes() -> None:
    """Shares as bars, the longest operations with their shapes, and how many are left out."""
    blocks = profiles(recorded(), EN)
    text = words(blocks)
    assert "loading data | 36.6% | 834 ms" in text
    assert "aten::copy_ | loading data | 3×150×150, 3×150×150 | 64 | 391 ms" in text
    assert "shorter ones are left out here." in text
    assert "A step took 2.28 s under the profiler and 2.34 s without it." in text
    [figure] = [block for block in blocks if isinstance(block, Figure)]
    assert "elementwise operations" in figure.chart.svg


def profiled(**changes: object) -> Measurement:
    """Return the recorded profile with some of it another way."""
    [found] = [one for one in recorded().measurements if one.case.program == "profile"]
    assert found.profile is not None
    return msgspec.structs.replace(found, profile=msgspec.structs.replace(found.profile, **changes))


def test_a_profile_of_a_card_or_of_nothing() -> None:
    """Shares are of the card's time there; without operations there is no table, without shares nothing."""
    text = words(profiles(run(profiled(is_device_time=True)), EN))
    assert "Shares of the card's time." in text
    short = profiles(run(profiled(operations=(), omitted=0)), EN)
    assert not [block for block in short if isinstance(block, Table | Paragraph)]
    few = recorded().measurements
    [found] = [one.profile for one in few if one.profile is not None]
    assert "left out here" not in words(profiles(run(profiled(operations=found.operations[:2], omitted=0)), EN))
    assert profiles(run(profiled(shares=())), EN) == ()


def test_a_rate_that_pauses_leaves_a_gap() -> None:
    """Ten seconds without a sample are a dash."""
    rates = ((0.5, 100.0), (1.0, 100.0), (2.0, 100.0), (25.0, 100.0))
    late = msgspec.structs.replace(long_run(0.0), series=(Series(x="time_s", y="items_per_s", points=rates),))
    assert "10–20 | –" in words(sustained(run(late), EN))


def watched(device: str, **metrics: float) -> Measurement:
    """Return a case whose sensors said this on average, and a tenth more at most."""
    found = {name.replace("__", "."): MetricSummary(mean=v, peak=1.1 * v, count=9) for name, v in metrics.items()}
    cards = tuple(MonitoredAccelerator(vendor="nvidia", index=n, name="RTX A6000") for n in (1, 0))
    seen = TelemetrySummary(start_s=0.0, end_s=9.0, count=9, metrics=found, accelerators=cards)
    return one("train", device, network="densenet121_transfer", batch_size=64, telemetry=seen)


def test_sensors_are_laid_out_like_the_studys_tables() -> None:
    """One row a case with mean and peak; of several cards the one that computed; silent sensors leave no column."""
    on_card = watched(
        "cuda:0",
        host__cpu_ratio=0.62,
        accelerators__1__temperature_celsius=60.0,
        accelerators__1__power_w=150.0,
        accelerators__0__power_w=20.0,
    )
    text = words(sensors(run(on_card, watched("mps")), EN))
    assert "While | Processor | Card, heat | Card, power" in text
    assert "(all layers trained), batch 64\nGraphics card | 62% (68%) | 60 °C (66 °C) | 150 W (165 W)" in text
    assert text.count("batch 64") == 1
    text = words(sensors(recorded(), EN))
    assert "Training CNN, batch 32 | 92% (99%)" in text
    assert "Temperature of the processor: not found." in text
    assert text.count("not found") == 2
    assert sensors(run(one("train", network="a")), EN) == ()
    assert "Card" not in words(sensors(run(watched("mps", host__cpu_ratio=0.5)), EN))


def test_jax_is_no_card() -> None:
    """What JAX measured is named as such, also where there is but one other device, and asks for no column."""
    jax = one("xla_train", "xla:0", network="article_cnn")
    assert device_cell(jax.case, run(jax), EN) == "JAX"
    assert not has_several_devices(run(one("train"), jax))
    assert "CNN | JAX" in words(training(run(one("train", network="article_cnn"), jax), EN))


def test_parts_of_the_computer() -> None:
    """Memory, link both ways, disk and starting operations, each with how it was measured."""
    text = words(parts(recorded(), EN))
    assert "Main memory, copy | 7.33 GB/s | an array of 1.4 GB copied to another" in text
    assert "Main memory, triad | 10.2 GB/s" in text
    assert "Reading from the disk | 1.16 GB/s | a file of 0.25 GB, read from beginning to end" in text
    assert "Starting an operation on the processor | 2.91 µs | and waiting for its result each time" in text
    links = [
        one("transfer", "cuda:0", bytes_per_iteration=2.5e9, options={"to_device": to, "pinned": pinned})
        for to, pinned in ((True, True), (False, False))
    ]
    text = words(parts(run(*links, one("launch", "cuda:0", 5e-6), one("bandwidth", "cuda:0", size=GIB)), EN))
    assert "To the graphics card | 25 GB/s | from pinned memory" in text
    assert "Back from the graphics card | 25 GB/s | from ordinary memory" in text
    assert "Memory of the graphics card, copy" in text
    assert parts(run(one("train", network="a")), EN) == ()


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"bytes_per_s": 1e9}, "the system may have kept it in memory"),
        ({"bytes_per_s": 1e9, "asked_to_drop_ratio": 1.0, "cached_ratio": 0.4}, "40% of it lay in memory"),
    ],
)
def test_a_disk_read_from_memory_is_said(details: dict[str, float], said: str) -> None:
    """A number that is not the disk's says so."""
    assert said in words(parts(run(one("disk", size=GIB, details=details)), EN))


def test_threads() -> None:
    """Two counts are a sentence, more a chart beside the ideal; one is nothing."""
    assert "2 threads compute 0.88 times as fast as one." in words(threads(recorded(), EN))
    points = ((1.0, 1e10), (2.0, 1.9e10), (4.0, 3e10))
    many = one("threads", series=(Series(x="threads", y="flop_per_s", points=points),))
    [_title, figure] = threads(run(many), EN)
    assert isinstance(figure, Figure)
    assert "if each brought as much" in figure.chart.svg
    assert figure.chart.table.rows[-1][2].startswith("3")
    alone = one("threads", series=(Series(x="threads", y="flop_per_s", points=points[:1]),))
    assert threads(run(alone), EN) == ()


@pytest.mark.parametrize(
    ("times", "text"),
    [(1.0, "as fast here"), (0.98, "as fast here"), (1.3, "1.3 times as fast here"), (0.5, "2 times as slow here")],
)
def test_equal_times_are_said_to_be_equal(times: float, text: str) -> None:
    """Nobody says "1 times as slow"."""
    from advisor.report.content.articles import _comparison

    assert _comparison(times, EN) == text


def test_page_faults_stand_beside_the_memory() -> None:
    """Both ways of treating freed memory have a row; a measurement without its details has none."""
    details = {"usual_s": 0.75, "kept_s": 0.375, "usual_page_faults": 355_782.0, "kept_page_faults": 0.0}
    text = words(parts(run(one("kept_memory", network="article_cnn", details=details)), EN))

    assert "A step of CNN, freed memory given back | 750 ms | 355,782 page faults a step; both in turn" in text
    assert "A step of CNN, freed memory kept | 375 ms | 0 page faults a step; both in turn" in text
    assert parts(run(one("kept_memory", network="article_cnn")), EN) == ()


def test_the_articles_figures_stand_beside_ours() -> None:
    """Their hardware as rows, how many times as fast, what differs, and why something is missing."""
    [section] = [one for one in document(full(), EN).sections if one.id == "articles"]
    text = words(section.blocks)
    assert (
        "An epoch of CNN | Core i7-10750H | 413 s\n408 s to 424 s | 704 s\nthe processor | 1.7 times as slow here"
        in text
    )
    assert "GeForce RTX 2060 | 43 s\n38 s to 45 s | –\n | no such device here" in text
    assert "with batches of 16; batches of 64: left out: there was not enough time for it" in text
    assert "here: all layers trained" in text
    assert "more figures are about a graphics card" in text
    assert not re.search(r"\bscore\b", text)


def test_what_an_article_has_and_this_run_has_not() -> None:
    """A card that was not measured with large products says so; a silent sensor says why."""
    card = watched("cuda:0", host__cpu_ratio=0.62)
    rows = beside_articles(run(card, one("train", "cuda:0", network="article_cnn", batch_size=32)))
    report = msgspec.structs.replace(samples.enough(), articles=rows)
    [section] = [one for one in document(report, EN).sections if one.id == "articles"]
    text = words(section.blocks)
    assert (
        "Large matrix products: card against processor | NVIDIA T4, Xeon 2.00 GHz | 4 ×\n | –\n | not measured" in text
    )
    assert "with batches of 64; sensor: not found" in text


def test_no_articles_section_without_figures() -> None:
    """A report of an older version has none."""
    assert "articles" not in {section.id for section in document(samples.enough(), EN).sections}
