"""Checks predictions against public measurements they were not fitted on; writes the figures the program shows.

    python tools/fit/validate.py --data ../shared/data

What is left out: a device (with all its measurements) where there are several, else a network, else nothing. Leaving
out moves every constant of the model; see ``solver.without``.
"""

import argparse
import datetime
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cases as measured
import megatron
import memory
import msgspec
import numpy as np
from export import DATA_SETS
from fit_time import FITTED, half_flags, held_out
from model import KNOWN_SAMPLES, Batch, Case, Floats, Parameters, parameters
from processors import processor_cases, processor_parameters

from advisor.catalog import find_device
from advisor.catalog.networks import network
from advisor.predict import input_rate, predict
from advisor.predict.coefficients import Spread, link_coefficients, memory_coefficients, time_coefficients
from advisor.predict.scaling import communication_s
from advisor.predict.work import REDUCED, trained_parameters
from advisor.records.validation import ArticleRow, HeldOut, Validation, ValidationRow
from advisor.records.workload import Workload

RESULT = Path(__file__).resolve().parent.parent.parent / "resources" / "references" / "validation.json"
Z80 = 1.2816
IMAGE_SOURCES = ("ryujaehun", "cnn_benchmarks", "u39kun", "timm_train", "timm_infer")


@dataclass
class Errors:
    """Held-out errors of one set of measurements: logarithms of predicted over measured."""

    name: str
    held_out: HeldOut
    off: Floats
    devices: Sequence[str]
    networks: Sequence[str]
    sigma: Floats | None = None
    naive: float | None = None
    rival: str | None = None
    rival_ratio: float | None = None
    aim: float | None = None
    what: str = "time"
    source: str = ""
    note: str = ""
    extra: dict[str, float] = field(default_factory=dict)

    def row(self) -> ValidationRow:
        """Return the figures."""
        ratio = np.exp(self.off)
        error = np.abs(ratio - 1.0)
        inside = None if self.sigma is None else float((np.abs(self.off) <= Z80 * self.sigma).mean())
        return ValidationRow(
            name=self.name,
            source=self.source or DATA_SETS.get(self.name, ""),
            what="memory" if self.what == "memory" else "time",
            held_out=self.held_out,
            rows=len(self.off),
            devices=len(set(self.devices)),
            networks=len(set(self.networks)),
            error_ratio=_round(error.mean()),
            median_ratio=_round(np.median(error)),
            largest_ratio=_round(error.max()),
            within_10_ratio=_round((error <= 0.10).mean()),
            within_25_ratio=_round((error <= 0.25).mean()),
            under_5_ratio=_round((ratio < 0.95).mean()),
            coverage_ratio=None if inside is None else _round(inside),
            naive_ratio=None if self.naive is None else _round(self.naive),
            rival=self.rival,
            rival_ratio=self.rival_ratio,
            aim_ratio=self.aim,
            note=self.note,
        )


def _round(value: float) -> float:
    return float(f"{float(value):.4g}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Check predictions against public measurements.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    parser.add_argument("--dry", action="store_true", help="print only, write nothing")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there, so nothing was validated.")
        return 0
    found = [*accelerators(arguments.data), *processors(arguments.data), *language_models(arguments.data)]
    found.append(memory_peaks(arguments.data))
    articles = tuple(article_rows())
    result = Validation(
        made=datetime.date.today().isoformat(),
        coverage_ratio=_round(coverage(found)),
        rows=tuple(errors.row() for errors in found),
        articles=articles,
    )
    show(result)
    if not arguments.dry:
        RESULT.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    return 0


def coverage(found: Sequence[Errors]) -> float:
    """Return the share of times on held-out devices inside their intervals, each data set counting the same."""
    rows = [errors.row() for errors in found if errors.held_out == "device"]
    return float(np.mean([row.coverage_ratio for row in rows if row.coverage_ratio is not None]))


def sigmas(cases: Sequence[Case], p: Parameters, x: Floats) -> Floats:
    """Return the standard deviations the program's intervals have for the cases."""
    spread: Spread = time_coefficients().spread
    device_s, launch_s, convolution = Batch(cases, p).parts(x)
    launch = launch_s / (device_s + launch_s)
    half, lacking = half_flags(cases)
    processor = np.array([case.device.device_class == "cpu" for case in cases], dtype=float)
    terms = (
        np.full(len(cases), spread.base),
        spread.launch * launch,
        spread.convolution * convolution,
        spread.half * half,
        spread.half_without_units * lacking,
        spread.processor * processor,
    )
    return np.asarray(np.sqrt(sum(term**2 for term in terms)))


def accelerators(folder: Path) -> Iterator[Errors]:
    """Yield the errors of unseen devices, and of unseen networks where there is one device."""
    cases = measured.accelerator_cases(folder, images=10_000)
    p = parameters(cases)
    x = _fitted(p, "accelerators")
    sources = np.array([case.source for case in cases])
    by_device = held_out(cases, p, x, [case.device.name for case in cases])
    sigma = sigmas(cases, p, x)

    def part(name: str, members: Floats, off: Floats, held: HeldOut, **others: object) -> Errors:
        chosen = [case for case, own in zip(cases, members, strict=True) if own]
        naive = naive_devices(chosen) if held == "device" else naive_networks(chosen)
        return Errors(
            name=name,
            held_out=held,
            off=off[members],
            devices=[case.device.name for case in chosen],
            networks=[case.model for case in chosen],
            sigma=None if name == "gemm" else sigma[members],
            naive=naive,
            **others,  # type: ignore[arg-type]
        )

    yield part(
        "lambda", sources == "lambda", by_device, "device", rival="Habitat, its own data", rival_ratio=0.118, aim=0.10
    )
    known = np.array([case.source == "lambda" and case.scale in KNOWN_SAMPLES for case in cases])
    yield part("lambda_known", known, by_device, "device", source=DATA_SETS["lambda"])
    nvidia = np.array([case.source == "neusight" and case.device.vendor == "nvidia" for case in cases])
    yield part("neusight", nvidia, by_device, "device", rival="NeuSight", rival_ratio=0.089, aim=0.07)
    amd = np.array([case.source == "neusight" and case.device.vendor == "amd" for case in cases])
    yield part("neusight_amd", amd, by_device, "device", source=DATA_SETS["neusight"])
    for name in ("ryujaehun", "cnn_benchmarks"):
        yield part(name, sources == name, by_device, "device", aim=0.12)
    gemm = [case for case in measured.products(folder, count=1000, seed=1)]
    yield _products(gemm, cases, p, x)
    images = np.isin(sources, (*IMAGE_SOURCES, "pycls", "pycls_infer"))
    by_network = held_out(cases, p, x, [c.network.name if own else "" for c, own in zip(cases, images, strict=True)])
    for name, aim in (("ryujaehun", 0.12), ("cnn_benchmarks", 0.12), ("timm_train", 0.12), ("timm_infer", 0.12)):
        yield part(name, sources == name, by_network, "network", aim=aim)
    yield part("pycls", sources == "pycls", by_network, "network", aim=0.08, source=DATA_SETS["pycls"])


def _products(gemm: Sequence[Case], cases: Sequence[Case], p: Parameters, x: Floats) -> Errors:
    """Return the errors of single products: other shapes than those fitted, on devices left out."""
    off = np.full(len(gemm), np.nan)
    together = [*cases, *gemm]
    names = [case.device.name for case in together]
    light = [case if index < len(cases) else _weightless(case) for index, case in enumerate(together)]
    found = held_out(light, p, x, names, only=sorted({case.device.name for case in gemm}))
    off = found[len(cases) :]
    return Errors(
        name="gemm",
        held_out="device",
        off=off,
        devices=[case.device.name for case in gemm],
        networks=[case.network.name for case in gemm],
        naive=naive_devices(gemm, per_network=False),
        rival="NeuSight",
        rival_ratio=0.138,
        aim=0.12,
        note="two_regimes",
    )


def _weightless(case: Case) -> Case:
    return Case(**{**vars(case), "weight": 0.0})


def _fitted(p: Parameters, kind: str) -> Floats:
    known = msgspec.json.decode(FITTED.read_bytes())
    return p.start(known[kind])


def naive_devices(cases: Sequence[Case], *, per_network: bool = True) -> float:
    """Return the mean error on unseen devices of a power law of peak rate and bandwidth with a factor per task."""
    keys = sorted({_task(case) for case in cases}) if per_network else [""]
    peak = [_naive_peak(case) for case in cases]
    columns = [np.log(peak), np.log([case.device.bandwidth_bytes_per_s or 1.0 for case in cases])]
    if per_network:
        ones = np.array([[float(_task(case) == key) for key in keys] for case in cases])
    else:
        ones = np.ones((len(cases), 1))
        columns += [
            np.log([c.network.operations[0].flop_fixed for c in cases]),
            np.log([c.network.operations[0].bytes_fixed for c in cases]),
        ]
    matrix = np.column_stack([*(column - column.mean() for column in map(np.asarray, columns)), ones])
    return _leave_out(matrix, cases, [case.device.name for case in cases])


def naive_networks(cases: Sequence[Case]) -> float:
    """Return the mean error on unseen networks of a power law of arithmetic and bytes, per device and task."""
    work = [_amounts(case) for case in cases]
    keys = sorted({(case.device.name, case.workload.task, case.workload.precision) for case in cases})
    ones = [[float((c.device.name, c.workload.task, c.workload.precision) == key) for key in keys] for c in cases]
    matrix = np.column_stack([np.log(np.array(work)), np.array(ones)])
    return _leave_out(matrix, cases, [case.network.name for case in cases])


def _task(case: Case) -> str:
    return f"{case.model}/{case.workload.task}/{case.workload.precision in REDUCED}"


def _naive_peak(case: Case) -> float:
    known, precision = case.device.peak_flop_per_s, case.workload.precision
    wanted = "fp16" if precision in REDUCED else precision
    return known.get(wanted) or known.get("fp32") or 1e12


def _amounts(case: Case) -> tuple[float, float]:
    phases = ("forward",) if case.workload.task == "infer" else ("forward", "backward")
    operations = [o for o in case.network.operations if o.phase in phases]
    batch = case.workload.batch_size
    flop = sum(o.count * (o.flop_per_sample * batch + o.flop_fixed) for o in operations)
    moved = sum(o.count * (o.bytes_per_sample * batch + o.bytes_fixed) for o in operations)
    return flop / batch, moved / batch


def _leave_out(matrix: Floats, cases: Sequence[Case], keys: Sequence[str]) -> float:
    time_log = np.log([case.time_s / case.workload.batch_size for case in cases])
    key, off = np.array(keys), np.zeros(len(cases))
    ridge = 1e-3 * np.eye(matrix.shape[1])
    mean = time_log.mean()
    for name in np.unique(key):
        out = key == name
        rest = matrix[~out]
        if not len(rest):
            return math.nan
        found = np.linalg.solve(rest.T @ rest + ridge, rest.T @ (time_log[~out] - mean))
        off[out] = matrix[out] @ found + mean - time_log[out]
    return float(np.abs(np.exp(np.clip(off, -3, 3)) - 1.0).mean())


def processors(folder: Path) -> Iterator[Errors]:
    """Yield the errors of unseen networks on a processor."""
    cases = processor_cases(folder, count=10_000)
    p = processor_parameters(cases)
    x = _fitted(p, "processors")
    off = held_out(cases, p, x, [case.network.name for case in cases])
    members = np.array([case.source == "timm_processor" for case in cases])
    chosen = [case for case, own in zip(cases, members, strict=True) if own]
    yield Errors(
        name="timm_processor",
        held_out="network",
        off=off[members],
        devices=[case.device.name for case in chosen],
        networks=[case.model for case in chosen],
        naive=naive_networks(chosen),
    )


def language_models(folder: Path) -> Iterator[Errors]:
    """Yield the errors of language-model training on several devices, each size of model left out once."""
    cases = measured.accelerator_cases(folder, images=50)
    p = parameters(cases)
    x = _fitted(p, "accelerators")
    every = list(measured.foundry(folder))
    together = [*cases, *(_weightless(case) for case in every)]
    keys = [case.model if case.source == "llm_foundry" else "" for case in together]
    off = held_out(together, p, x, keys, only=sorted({case.model for case in every}))[len(cases) :]
    step = np.array([case.time_s * case.parts for case in every])
    single = np.exp(off) * step
    waits = np.array([_exchange(case, time_s) for case, time_s in zip(every, single, strict=True)])
    total = np.log((single + waits) / step)
    sigma = np.hypot(sigmas(every, p, x), time_coefficients().spread.scaling)
    yield Errors(
        name="llm_foundry",
        held_out="network",
        off=total,
        devices=[case.device.name for case in every],
        networks=[case.model for case in every],
        sigma=sigma,
        naive=naive_networks([Case(**{**vars(case), "time_s": case.time_s * case.count**0}) for case in every]),
        aim=0.10,
        source="https://github.com/mosaicml/llm-foundry (A100, 8 to 128 devices, 2023)",
    )
    yield _gpt_iterations(folder)


def _exchange(case: Case, time_s: float) -> float:
    payload = 2.0 * trained_parameters(case.network, "full")
    return communication_s(time_s, payload, case.device, case.count, link_coefficients(), sharded=True)


def _gpt_iterations(folder: Path) -> Errors:
    """Return the errors on eight devices: three constants of the program used, fitted without the size of model."""
    found = list(megatron.runs(folder, 8))
    off = np.zeros(len(found))
    for model in sorted({run.model for run in found}):
        members = [index for index, run in enumerate(found) if run.model == model]
        rest = [run for run in found if run.model != model]
        constants = megatron.fit(rest[:: max(1, len(rest) // 60)])
        for index in members:
            off[index] = math.log(megatron.seconds(found[index], *constants) / found[index].time_s)
    return Errors(
        name="gpt_iteration",
        held_out="network",
        off=off,
        devices=[run.device.name for run in found],
        networks=[run.model for run in found],
        naive=0.47,
        aim=0.15,
        source="https://github.com/VIA-Research/vTrain (8 A100, 2024)",
    )


def memory_peaks(folder: Path) -> Errors:
    """Return the errors of memory of unseen networks."""
    found = memory.peaks(folder)
    off = memory.held_out(found)
    fake = np.array([peak.fake_bytes for peak in found])
    rival = np.abs((1890 * memory.MIB + 1.185 * fake) / np.array([p.measured_bytes for p in found]) - 1.0)
    raw = np.abs(fake / np.array([p.measured_bytes for p in found]) - 1.0)
    return Errors(
        name="training_memory",
        held_out="network",
        off=off,
        devices=["not named"],
        networks=[peak.network.name for peak in found],
        sigma=np.full(len(found), memory_coefficients().spread),
        naive=float(raw.mean()),
        rival="1890 MiB + 1.185 x FakeTensor",
        rival_ratio=_round(rival.mean()),
        aim=0.05,
        what="memory",
        source=memory.SOURCE,
    )


def article_rows() -> Iterator[ArticleRow]:
    """Yield the durations the articles report."""
    cnn, dense = network("article_cnn"), network("densenet121")
    steps = Workload(
        id="article_cnn",
        title="",
        network="article_cnn",
        samples=18_687,
        batch_size=32,
        input_kind="jpeg",
        augmentation=True,
    )
    for name, chip, threads, step_s in (
        ("cnn_gpu", "RTX 2060 Laptop", 12, 0.0418),
        ("cnn_cpu", "Core i7-10750H", 12, 0.4124),
    ):
        found = predict(cnn, steps, find_device(chip), input_rate=input_rate(steps, threads))
        yield _article(
            name, step_s * 5000, found.time_per_step_s * 5000, found.interval.low * 5000, found.interval.high * 5000
        )
    photos = Workload(id="densenet121", title="", network="densenet121", samples=8005, batch_size=64, input_kind="jpeg")
    count = 20 * (8005 + 2023) / 64
    for name, chip, hours, note in (
        ("densenet_gpu", "RTX A6000", 2.0, "profiler_on"),
        ("densenet_cpu", "Xeon Gold 6256", 13.0, "profiler_on"),
    ):
        found = predict(dense, photos, find_device(chip), input_rate=input_rate(photos, 1))
        yield _article(
            name,
            hours * 3600,
            found.time_per_step_s * count,
            found.interval.low * count,
            found.interval.high * count,
            note,
        )


def _article(name: str, measured_s: float, predicted: float, low: float, high: float, note: str = "") -> ArticleRow:
    inside = low <= measured_s <= high
    return ArticleRow(
        name=name,
        measured_s=measured_s,
        predicted_s=_round(predicted),
        low_s=_round(low),
        high_s=_round(high),
        is_inside=inside,
        note="" if inside else note,
    )


def show(result: Validation) -> None:
    """Print the table."""
    head = f"{'data':18s} {'held out':8s} {'rows':>6s} {'ours':>6s} {'naive':>6s} {'rival':>6s} {'aim':>5s} {'median':>6s} {'<10%':>5s} {'<25%':>5s} {'max':>6s} {'cover':>5s}"
    print(head)
    for row in result.rows:
        print(
            f"{row.name:18s} {row.held_out:8s} {row.rows:6d} {_percent(row.error_ratio)} {_percent(row.naive_ratio)} "
            f"{_percent(row.rival_ratio)} {_percent(row.aim_ratio, 5)} {_percent(row.median_ratio)} "
            f"{_percent(row.within_10_ratio, 5)} {_percent(row.within_25_ratio, 5)} {_percent(row.largest_ratio)} "
            f"{_percent(row.coverage_ratio, 5)}"
        )
    print(f"held-out times inside their 80 % intervals: {100 * result.coverage_ratio:.0f} %")
    for article in result.articles:
        place = "inside" if article.is_inside else "outside"
        print(
            f"{article.name:14s} measured {article.measured_s / 3600:6.2f} h, predicted {article.predicted_s / 3600:6.2f} h "
            f"({article.low_s / 3600:.2f} to {article.high_s / 3600:.2f}): {place} {article.note}"
        )


def _percent(value: float | None, width: int = 6) -> str:
    return f"{'-' if value is None else f'{100 * value:.1f}':>{width}s}"


if __name__ == "__main__":
    sys.exit(main())
