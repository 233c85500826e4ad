"""Checks predictions against public measurements they were not fitted on; writes the figures the program shows.

    python tools/fit/validate.py --data ../shared/data
    python tools/fit/validate.py --fit-intervals        also fits the width of the intervals on the held-out errors

What is left out: a device (with all its measurements) where there are several, else a network. Leaving out moves every
constant of the model; see ``leaving_out``. The aims are those of ``AIMS``; what limits a set is said in ``NOTES``.
"""

import argparse
import datetime
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cases as measured
import intervals
import megatron
import memory
import msgspec
import numpy as np
from articles import article_rows
from export import CALIBRATION, DATA_SETS
from fit_time import FITTED
from leaving_out import LeavingOut, folds
from model import KNOWN_SAMPLES, Case, Floats, Parameters, parameters
from naive import naive_devices, naive_networks
from noise import noise_ratios
from numpy.typing import NDArray
from processors import processor_cases, processor_parameters

from advisor.predict.coefficients import Spread, link_coefficients, memory_coefficients, time_coefficients
from advisor.predict.interval import Z80, Knowledge
from advisor.predict.memory import safety_ratio
from advisor.predict.scaling import communication_s
from advisor.predict.work import trained_parameters
from advisor.records.validation import HeldOut, Validation, ValidationRow
from advisor.records.workload import Workload

RESULT = Path(__file__).resolve().parent.parent.parent / "resources" / "references" / "validation.json"
READ = "2026-11-21"
"""The day the measurements were read."""
IMAGES = ("ryujaehun", "cnn_benchmarks", "u39kun", "timm_train", "timm_infer", "pycls", "pycls_infer")
FOUNDRY = "https://github.com/mosaicml/llm-foundry (A100, 8 to 128 devices, 2023)"
VTRAIN = "https://github.com/VIA-Research/vTrain (8 A100, 2024)"

TITLES = {
    "lambda": "Training jobs on one card",
    "lambda_known": "Of these, jobs whose samples are known",
    "neusight": "Transformers in fp32 on NVIDIA cards",
    "neusight_amd": "Transformers in fp32 on AMD cards",
    "ryujaehun": "Image networks on people's own computers",
    "cnn_benchmarks": "Image networks with software of 2017",
    "gemm": "Single products of matrices",
    "timm_train": "Training of image networks",
    "timm_infer": "Inference of image networks",
    "pycls": "ImageNet training on eight cards",
    "timm_processor": "Inference on a processor",
    "llm_foundry": "Training of language models on up to 128 cards",
    "gpt_iteration": "Training of language models cut over eight cards",
    "training_memory": "Memory needed in training",
}
AIMS = {
    ("lambda", "device"): (0.10, None, None),
    ("neusight", "device"): (0.07, 0.05, 0.30),
    ("ryujaehun", "device"): (0.12, None, None),
    ("ryujaehun", "network"): (0.12, None, None),
    ("cnn_benchmarks", "device"): (0.12, None, None),
    ("cnn_benchmarks", "network"): (0.12, None, None),
    ("timm_train", "network"): (0.12, None, None),
    ("timm_infer", "network"): (0.12, None, None),
    ("gemm", "device"): (0.12, None, None),
    ("pycls", "network"): (0.08, None, None),
    ("llm_foundry", "network"): (0.10, None, None),
    ("gpt_iteration", "network"): (0.15, None, None),
    ("training_memory", "network"): (0.05, None, None),
}
"""Mean, median and largest error aimed at."""
NOTES = {
    (
        "lambda",
        "device",
    ): "Equal cards in different computers differ by a tenth, and some jobs run far below their card.",
    ("neusight", "device"): "Most families of cards have one card here, so a card left out leaves its family unknown.",
    ("ryujaehun", "device"): "Two owners of equal cards differ by a fifth, and nearly equal cards by half.",
    ("ryujaehun", "network"): "Old software chose slow kernels for some networks; which ones is not published.",
    ("cnn_benchmarks", "device"): "Three cards of two families, with software of 2017.",
    ("cnn_benchmarks", "network"): "Ten networks on three cards, with software of 2017.",
    ("timm_train", "network"): "Some kinds of layers have slow kernels when channels are stored last.",
    ("timm_infer", "network"): "Mixed software of three years; unusual layers have kernels of their own.",
    ("gemm", "device"): "Old and power-limited cards have two speeds for one product, by alignment and heat.",
    ("pycls", "network"): "Jobs of eight cards wait for their slowest card and for photos.",
    ("llm_foundry", "network"): "Exchange between servers depends on a network that is not published.",
}
RIVALS = {
    "lambda": ("Habitat, its own data", 0.118),
    "neusight": ("NeuSight", 0.089),
    "gemm": ("NeuSight", 0.138),
}


@dataclass
class Errors:
    """Held-out errors of one set of measurements.

    Attributes:
        off: Logarithms of predicted over measured.
        known: What the program would know of each row; None: the interval has the same ``limits`` for all, relative
            to the prediction.
    """

    name: str
    held_out: HeldOut
    off: Floats
    devices: Sequence[str]
    networks: Sequence[str]
    known: Sequence[Knowledge] | None = None
    limits: tuple[float, float] | None = None
    naive: float | None = None
    rival: tuple[str, float] | None = None
    noise: float | None = None
    source: str = ""

    def row(self, spread: Spread) -> ValidationRow:
        """Return the figures."""
        ratio = np.exp(self.off)
        error = np.abs(ratio - 1.0)
        is_memory = self.name == "training_memory"
        aim, aim_median, aim_largest = AIMS.get((self.name, self.held_out), (None, None, None))
        rival, rival_ratio = self.rival or (None, None)
        row = ValidationRow(
            name=self.name,
            title=TITLES[self.name],
            source=self.source or DATA_SETS[self.name],
            date=READ,
            what="memory" if is_memory else "time",
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
            bound_under_5_ratio=_round((ratio * safety_ratio() < 0.95).mean()) if is_memory else None,
            coverage_ratio=_round(self._inside(spread).mean()),
            noise_ratio=None if self.noise is None else _round(self.noise),
            naive_ratio=None if self.naive is None else _round(self.naive),
            rival=rival,
            rival_ratio=None if rival_ratio is None else _round(rival_ratio),
            aim_ratio=aim,
            aim_median_ratio=aim_median,
            aim_largest_ratio=aim_largest,
        )
        note = "" if row.is_met else NOTES.get((self.name, self.held_out), "")
        return msgspec.structs.replace(row, note=note)

    def _inside(self, spread: Spread) -> NDArray[np.bool_]:
        if self.known is not None:
            return np.asarray(np.abs(self.off) <= Z80 * intervals.sigmas(self.known, spread))
        assert self.limits is not None, "either what is known or the limits are given"
        measured_ratio = np.exp(-self.off)
        return np.asarray((self.limits[0] <= measured_ratio) & (measured_ratio <= self.limits[1]))


def _round(value: float) -> float:
    return float(f"{float(value):.4g}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Check predictions against public measurements.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    parser.add_argument("--dry", action="store_true", help="print only, write nothing")
    parser.add_argument("--fit-intervals", action="store_true", help="fit the width of the intervals, too")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(
            f"The folder of public measurements {arguments.data} is not there; nothing was validated.", file=sys.stderr
        )
        return 2
    if not measured.TRACED.exists():
        print(
            f"Without {measured.TRACED.name} most models of timm are left out; trace_timm.py makes it.", file=sys.stderr
        )
    found = [*accelerators(arguments.data), *processors(arguments.data), gpt_iterations(arguments.data)]
    if arguments.fit_intervals:
        write_spread(found)
    found.append(memory_peaks(arguments.data))
    rows = tuple(errors.row(time_coefficients().spread) for errors in found)
    inside = [row.coverage_ratio for row in rows if row.held_out == "device" and row.coverage_ratio is not None]
    result = Validation(
        made=datetime.date.today().isoformat(),
        coverage_ratio=_round(np.mean(inside)),
        rows=rows,
        articles=tuple(article_rows()),
    )
    show(result)
    if not arguments.dry:
        RESULT.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    return 0


def write_spread(found: Sequence[Errors]) -> None:
    """Fit the width of the intervals and write it into ``time.json``."""
    path = CALIBRATION / "time.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["spread"] = intervals.fit([(errors.off, errors.known) for errors in found if errors.known is not None])
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    time_coefficients.cache_clear()


def accelerators(folder: Path) -> Iterator[Errors]:
    """Yield the errors of unseen devices, and of unseen networks where there is one device."""
    cases = measured.accelerator_cases(folder)
    p = parameters(cases)
    x = p.start(_fitted("accelerators"))
    fit = LeavingOut(cases, p, x)
    noise = noise_ratios(folder)

    def errors(
        name: str, held: HeldOut, asked: Sequence[Case], keys: Sequence[str], asked_keys: Sequence[str]
    ) -> Callable[..., Errors]:
        off = fit.errors(keys, asked, asked_keys)
        known = intervals.knowledge(asked, p, x, is_known_device=held == "network")

        def part(name: str, is_in: Callable[[Case], bool], **others: object) -> Errors:
            chosen = [index for index, case in enumerate(asked) if is_in(case)]
            members = [asked[index] for index in chosen]
            plain = naive_networks(members) if held == "network" else naive_devices(members, per_network=name != "gemm")
            return Errors(
                name=name,
                held_out=held,
                off=off[chosen],
                devices=[case.device.name for case in members],
                networks=[case.model if name != "gemm" else case.network.name for case in members],
                known=[known[index] for index in chosen],
                naive=plain,
                rival=RIVALS.get(name),
                noise=noise.get(name),
                **others,  # type: ignore[arg-type]
            )

        return part

    devices = [case.device.name for case in cases]
    jobs = [case for case in cases if case.source in ("lambda", "neusight", "ryujaehun", "cnn_benchmarks")]
    jobs += measured.products(folder, count=1000, seed=1)
    part = errors("device", "device", jobs, devices, [case.device.name for case in jobs])
    yield part("lambda", lambda c: c.source == "lambda")
    yield part("lambda_known", lambda c: c.source == "lambda" and c.scale in KNOWN_SAMPLES, source=DATA_SETS["lambda"])
    yield part("neusight", lambda c: c.source == "neusight" and c.device.vendor == "nvidia")
    yield part(
        "neusight_amd", lambda c: c.source == "neusight" and c.device.vendor == "amd", source=DATA_SETS["neusight"]
    )
    for name in ("ryujaehun", "cnn_benchmarks", "gemm"):
        yield part(name, lambda c, name=name: c.source == name)
    images = [case for case in cases if case.source in IMAGES and not case.source.startswith("timm")]
    images += [*measured.timm(folder, "train"), *measured.timm(folder, "infer")]
    order = dict(zip((names := sorted({c.network.name for c in [*cases, *images]})), folds(names), strict=True))
    own = [order[case.network.name] if case.source in IMAGES else "" for case in cases]
    part = errors("network", "network", images, own, [order[case.network.name] for case in images])
    for name in ("ryujaehun", "cnn_benchmarks", "timm_train", "timm_infer", "pycls"):
        yield part(name, lambda c, name=name: c.source == name)
    yield _foundry(folder, fit)


def _foundry(folder: Path, fit: LeavingOut) -> Errors:
    """Return the errors of language models on several devices, each size of model left out once."""
    every = list(measured.foundry(folder))
    keys = [case.model if case.source == "llm_foundry" else "" for case in fit.cases]
    off = fit.errors(keys, every, [case.model for case in every])
    step = np.array([case.time_s * case.parts for case in every])
    single = np.exp(off) * step
    waits = np.array([_exchange(case, time_s) for case, time_s in zip(every, single, strict=True)])
    return Errors(
        name="llm_foundry",
        held_out="network",
        off=np.log((single + waits) / step),
        devices=[case.device.name for case in every],
        networks=[case.model for case in every],
        known=intervals.knowledge(every, fit.p, fit.x, is_known_device=True),
        naive=naive_networks(every),
        source=FOUNDRY,
    )


def _exchange(case: Case, time_s: float) -> float:
    payload = 2.0 * trained_parameters(case.network, "full")
    return communication_s(time_s, payload, case.device, case.count, link_coefficients(), sharded=True)


def _fitted(kind: str) -> dict[str, float]:
    return dict(msgspec.json.decode(FITTED.read_bytes())[kind])


def processors(folder: Path) -> Iterator[Errors]:
    """Yield the errors of unseen networks on a processor."""
    cases = processor_cases(folder)
    p: Parameters = processor_parameters(cases)
    x = p.start(_fitted("processors"))
    asked = list(measured.timm_processor(folder))
    order = dict(zip((names := sorted({c.network.name for c in [*cases, *asked]})), folds(names), strict=True))
    off = LeavingOut(cases, p, x).errors(
        [order[case.network.name] for case in cases], asked, [order[case.network.name] for case in asked]
    )
    yield Errors(
        name="timm_processor",
        held_out="network",
        off=off,
        devices=[case.device.name for case in asked],
        networks=[case.model for case in asked],
        known=intervals.knowledge(asked, p, x, is_known_device=True),
        naive=naive_networks(asked),
    )


def gpt_iterations(folder: Path) -> Errors:
    """Return the errors on eight devices: three constants of the program used, fitted without the size of model."""
    found = list(megatron.runs(folder, 8))
    off = np.zeros(len(found))
    for model in sorted({run.model for run in found}):
        members = [index for index, run in enumerate(found) if run.model == model]
        rest = [run for run in found if run.model != model]
        constants = megatron.fit(rest[:: max(1, len(rest) // 60)])
        for index in members:
            off[index] = math.log(megatron.seconds(found[index], *constants) / found[index].time_s)
    job = Workload(id="gpt", title="", network="gpt", samples=1, precision="fp16")
    known = [
        Knowledge(
            device=run.device,
            workload=job,
            launch_ratio=float(run.times.launch[0] / run.times.total[0]),
            convolution_ratio=0.0,
            is_known_device=True,
            is_known_family=True,
            is_single_operation=False,
            device_count=8,
        )
        for run in found
    ]
    return Errors(
        name="gpt_iteration",
        held_out="network",
        off=off,
        devices=[run.device.name for run in found],
        networks=[run.model for run in found],
        known=known,
        naive=0.47,
        source=VTRAIN,
    )


def memory_peaks(folder: Path) -> Errors:
    """Return the errors of memory of unseen networks."""
    found = memory.peaks(folder)
    measured_bytes = np.array([peak.measured_bytes for peak in found])
    fake = np.array([peak.fake_bytes for peak in found])
    rival = np.abs((1890 * memory.MIB + 1.185 * fake) / measured_bytes - 1.0)
    return Errors(
        name="training_memory",
        held_out="network",
        off=memory.held_out(found),
        devices=["not named"],
        networks=[peak.network.name for peak in found],
        limits=(memory_coefficients().low, memory_coefficients().high),
        naive=float(np.abs(fake / measured_bytes - 1.0).mean()),
        rival=("1890 MiB + 1.185 x FakeTensor", float(rival.mean())),
        source=memory.SOURCE,
    )


def show(result: Validation) -> None:
    """Print the table."""
    print("Error: mean of |predicted / measured - 1|, in %, on what was held out.")
    print(
        f"{'data':17s}{'held out':>9s}{'rows':>6s}{'ours':>7s}{'naive':>7s}{'rival':>7s}{'noise':>7s}{'median':>7s}"
        f"{'<10 %':>7s}{'<25 %':>7s}{'most':>7s}{'inside':>7s}{'aim':>7s}  result"
    )
    for row in result.rows:
        figures = (row.error_ratio, row.naive_ratio, row.rival_ratio, row.noise_ratio, row.median_ratio)
        shares = (row.within_10_ratio, row.within_25_ratio, row.largest_ratio, row.coverage_ratio, row.aim_ratio)
        numbers = "".join(map(_percent, (*figures, *shares)))
        print(f"{row.name:17s}{row.held_out:>9s}{row.rows:6d}{numbers}  {_verdict(row)}")
    for row in result.rows:
        if row.bound_under_5_ratio is not None:
            shares = (
                f"{100 * row.under_5_ratio:.1f} % by the estimate, {100 * row.bound_under_5_ratio:.1f} % by its bound"
            )
            print(f"{row.name}: more than 5 % too low: {shares}")
    print(f"Held-out times inside their 80 % intervals: {100 * result.coverage_ratio:.0f} %")
    for article in result.articles:
        unit, size = ("times", 1) if article.unit == "times" else ("h", 3600)
        found = [value / size for value in (article.measured_s, article.predicted_s, article.low_s, article.high_s)]
        place = "inside" if article.is_inside else f"outside. {article.note}"
        text = "{:15s}measured {:.2f}, predicted {:.2f} ({:.2f} to {:.2f}) {}: "
        print(text.format(article.name, *found, unit) + place)


def _verdict(row: ValidationRow) -> str:
    if not row.has_aim:
        return ""
    if row.is_met:
        return "met"
    pairs = (
        ("mean", row.error_ratio, row.aim_ratio),
        ("median", row.median_ratio, row.aim_median_ratio),
        ("largest", row.largest_ratio, row.aim_largest_ratio),
    )
    missed = [f"{name} by {100 * (got - aim):.1f}" for name, got, aim in pairs if aim is not None and got > aim]
    return f"missed: {', '.join(missed)}. {row.note}"


def _percent(value: float | None) -> str:
    return f"{'-' if value is None else f'{100 * value:.1f}':>7s}"


if __name__ == "__main__":
    sys.exit(main())
