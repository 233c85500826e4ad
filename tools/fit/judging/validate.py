"""Checks predictions against public measurements they were not fitted on; writes the figures the program shows.

    PYTHONPATH=tools python -m fit.judging.validate --data ../shared/data
    PYTHONPATH=tools python -m fit.judging.validate --times-only           only the times that the picture of --how-sure shows
    PYTHONPATH=tools python -m fit.judging.validate --fit-intervals        also fits the width of the intervals on the held-out errors

What is left out: a device (with all its measurements) where there are several, else a network. Leaving out moves every
constant of the model; see ``leaving_out``. What is compared is what ``advisor --predict`` would say with the constants
fitted then; see ``shipped``. The share inside the intervals is crossed: each fifth of the devices, and of the networks,
is scored by intervals fitted on the errors of the other four; those shipped are fitted on all.
"""

import argparse
import datetime
import math
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from fit.constants import intervals, memory
from fit.constants.export import DATA_SETS
from fit.constants.files import change, fitted
from fit.constants.model import Batch, Case, Floats, Parameters, parameters
from fit.constants.network_cells import NetworkCells
from fit.constants.processors import processor_cases, processor_parameters
from fit.judging import shipped
from fit.judging.articles import article_rows
from fit.judging.held_out import RIVALS, Errors, Off
from fit.judging.kept import UNFITTED, keep
from fit.judging.leaving_out import LeavingOut, folds
from fit.judging.naive import naive_devices, naive_networks
from fit.judging.noise import noises
from fit.measurements import cases as measured
from fit.measurements import megatron, people, recent_sets, texts

from advisor.predict.coefficients import (
    Spread,
    TimeCoefficients,
    predicting_with,
    time_coefficients,
)
from advisor.predict.interval import Knowledge
from advisor.predict.memory import safety_ratio
from advisor.predict.timing.families import family_of
from advisor.records.job.workload import Workload
from advisor.records.results.validation import HeldOut, HeldOutTimes, Validation, ValidationRow

RESULT = Path(__file__).resolve().parents[3] / "resources" / "references" / "validation.json"
TIMES = RESULT.with_name("validation_times.json")
NOT_DRAWN = frozenset({"lambda_known"})
"""Sets whose measurements another set has too."""
IMAGES = (
    "ryujaehun",
    "cnn_benchmarks",
    "timm_blackwell",
    "lamikr",
    "people",
    "people_small",
    "u39kun",
    "timm_train",
    "timm_infer",
    "pycls",
    "pycls_infer",
)
ASKED_OF = 3
"""Of so many models of timm one is asked, with all its measurements."""
NOT_WIDENING = frozenset({"lambda_known", "tuning"})
"""Sets that tell no width: measurements of another set, and three programs of which one takes 2.8 times as long as the
next for the same, which no user can tell us."""
OUTDATED = ("cnn_benchmarks",)
"""Sets whose software nobody runs any more without saying so: the interval where no year is told is not for them."""
FOUNDRY = "https://github.com/mosaicml/llm-foundry (A100, 8 to 128 devices, 2023)"
VTRAIN = "https://github.com/VIA-Research/vTrain (8 A100, 2024)"

Fitted = tuple[Parameters, Floats]
"""Parameters and where they end."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Check predictions against public measurements.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    parser.add_argument("--dry", action="store_true", help="print only, write nothing")
    parser.add_argument("--times-only", action="store_true", help="write the times of the picture, and no figures")
    parser.add_argument("--fit-intervals", action="store_true", help="fit the width of the intervals, too")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(
            f"The folder of public measurements {arguments.data} is not there; nothing was validated.", file=sys.stderr
        )
        return 2
    found = errors(arguments.data)
    portions, spreads, spread = interval_terms(found)
    keep(found, portions, spreads)
    if arguments.fit_intervals and not arguments.dry:
        change("time", spread=msgspec.to_builtins(spread))
    rows = tuple(error.row(portions, spreads) for error in found)
    inside = [
        ratio
        for row in rows
        for ratio in (row.coverage_ratio, row.untold_coverage_ratio)
        if row.held_out == "device" and ratio is not None
    ]
    with predicting_with(msgspec.structs.replace(time_coefficients(), spread=spread)):
        articles = tuple(article_rows())
    result = Validation(
        made=datetime.date.today().isoformat(),
        coverage_ratio=float(f"{np.mean(inside):.4g}"),
        rows=rows,
        articles=articles,
    )
    show(result)
    if not (arguments.dry or arguments.times_only):
        RESULT.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=1) + b"\n")
    if not arguments.dry:
        write_times(found, spread)
    return 0


def write_times(found: Sequence[Errors], spread: Spread) -> None:
    """Write times of each set for the picture; of a set that was held out in two ways, those of unseen devices."""
    drawn: dict[str, HeldOutTimes] = {}
    for error in found:
        times = error.times(spread)
        if times is not None and error.name not in NOT_DRAWN:
            drawn.setdefault(error.name, times)
    TIMES.write_bytes(b"[" + b",\n".join(msgspec.json.encode(one) for one in drawn.values()) + b"]\n")


def errors(folder: Path) -> list[Errors]:
    """Return the held-out errors of every set."""
    processed = processor_cases(folder)
    q = processor_parameters(processed)
    on_processors = q, q.start(fitted("processors"))
    return [
        *Accelerators(folder, on_processors).sets(),
        processor_errors(folder, processed, on_processors),
        gpt_iterations(folder),
        memory_peaks(folder),
    ]


def interval_terms(found: Sequence[Errors]) -> tuple[dict[str, int], list[Spread], Spread]:
    """Return the portion of each device and network, the terms fitted without each portion, and those fitted on all."""
    portions = intervals.portions([key for one in found for key in one.keys])
    counted = [one for one in found if one.name not in NOT_WIDENING]
    timed = [(one.keys, one.said) for one in counted]
    timed += [(one.keys, one.untold) for one in counted if one.untold and one.name not in OUTDATED]

    def fit(left_out: int | None) -> Spread:
        chosen = [
            off.of([index for index, key in enumerate(keys) if portions[key] != left_out])
            for keys, off in timed
            if off.known is not None
        ]
        return intervals.fit([(off.logarithms, off.known or ()) for off in chosen])

    return portions, [fit(number) for number in range(intervals.PORTIONS)], fit(None)


class Accelerators:
    """The fit of accelerators, and the errors of what is left out of it: devices, and networks where there is one."""

    def __init__(self, folder: Path, processors: Fitted) -> None:
        self._folder, self._processors = folder, processors
        self._cases = recent_sets.accelerator_cases(folder)
        self._p = parameters(self._cases)
        self._fit = LeavingOut(self._cases, self._p, self._p.start(fitted("accelerators")))
        self._cells = NetworkCells(folder, self._p, self._cases)
        self._noise = noises(folder)

    def sets(self) -> Iterator[Errors]:
        """Yield the errors of each set."""
        yield from self._unseen_devices()
        yield from self._unseen_networks()
        yield self._foundry()

    def _unseen_devices(self) -> Iterator[Errors]:
        cases = self._cases
        jobs = [case for case in cases if case.source in ("lambda", "neusight", "ryujaehun", "cnn_benchmarks")]
        jobs += [*_some(recent_sets.timm_blackwell(self._folder)), *recent_sets.lamikr(self._folder)]
        jobs += [*people.figures(), *texts.figures()]
        jobs += measured.products(self._folder, count=300, seed=1)
        part = self._errors("device", [c.device.name for c in cases], jobs, [c.device.name for c in jobs])
        yield part("lambda", lambda c: c.source == "lambda")
        yield part("lambda_known", lambda c: c.source == "lambda" and not c.scale)
        yield part("neusight", lambda c: c.source == "neusight" and c.device.vendor == "nvidia")
        yield part("neusight_amd", lambda c: c.source == "neusight" and c.device.vendor == "amd")
        for name in ("ryujaehun", "cnn_benchmarks", "timm_blackwell", "lamikr", *UNFITTED, "gemm"):
            yield part(name, _comes_from(name))

    def _unseen_networks(self) -> Iterator[Errors]:
        images = [
            case for case in self._cases if case.source in IMAGES and not case.source.startswith(("timm", "lamikr"))
        ]
        images += [case for task in ("train", "infer") for case in _some(measured.timm(self._folder, task))]
        fold = _folds([*self._cases, *images])
        own = [fold[case.network.name] if case.source in IMAGES else "" for case in self._cases]
        part = self._errors("network", own, images, [fold[case.network.name] for case in images], fold)
        for name in ("ryujaehun", "cnn_benchmarks", "timm_train", "timm_infer", "pycls"):
            yield part(name, _comes_from(name))

    def _errors(
        self,
        held: HeldOut,
        keys: Sequence[str],
        asked: Sequence[Case],
        asked_keys: Sequence[str],
        fold: dict[str, str] | None = None,
    ) -> Callable[[str, Callable[[Case], bool]], Errors]:
        own = [case.device.name if fold is None else fold.get(case.network.name, "") for case in self._cells.cases]
        said, untold, fitted = self._left_out(keys, own, asked, asked_keys, is_known_device=held == "network")

        def part(name: str, is_in: Callable[[Case], bool]) -> Errors:
            chosen = [index for index, case in enumerate(asked) if is_in(case)]
            members = [asked[index] for index in chosen]
            plain = naive_networks(members) if held == "network" else naive_devices(members, per_network=name != "gemm")
            return Errors(
                name=name,
                held_out=held,
                said=said.of(chosen),
                untold=None if name == "gemm" else untold.of(chosen),
                fitted=None if name == "gemm" else fitted[chosen],
                devices=[case.device.name for case in members],
                networks=[case.network.name if name in ("gemm", *IMAGES) else case.model for case in members],
                naive=plain,
                rival=RIVALS.get(name),
                noise=self._noise.get(name),
                source=DATA_SETS[name.removesuffix("_known").removesuffix("_amd")],
                measured_s=[case.time_s for case in members],
                cases=members,
            )

        return part

    def _left_out(
        self,
        keys: Sequence[str],
        of_cells: Sequence[str],
        asked: Sequence[Case],
        asked_keys: Sequence[str],
        *,
        is_known_device: bool,
    ) -> tuple[Off, Off, Floats]:
        """Return what is said of the cases, what is said without the year of their framework, and what is fitted.

        Args:
            keys: By case of the fit, what it is left out with; ``of_cells``: the same of the rows that tell networks'
                factors; ``asked_keys``: of the cases that are asked.
        """
        names, own = np.array(asked_keys), np.array(of_cells)
        points = dict(self._fit.points(keys, np.unique(names)))
        constants = {
            name: shipped.constants(
                (self._p, x),
                self._processors,
                [case for case, key in zip(self._cases, keys, strict=True) if key != name],
                self._cells.found(x, own != name),
            )
            for name, x in points.items()
        }
        fitted = np.zeros(len(asked))
        is_fitted = np.array([f"fam/{family_of(case.device)}/vector" in self._p.index for case in asked])
        for name, x in points.items():
            members = np.flatnonzero((names == name) & is_fitted).tolist()
            if members:
                batch = Batch([asked[index] for index in members], self._p)
                fitted[members] = np.log(batch.seconds(x) / batch.time)
        said, untold = (
            self._said(keys, cases, names, constants, fitted, is_known_device=is_known_device)
            for cases in (asked, shipped.untold(asked))
        )
        # Of a family that no fit knows, what is said is all there is.
        return said, untold, np.where(is_fitted, fitted, said.logarithms)

    def _said(
        self,
        keys: Sequence[str],
        asked: Sequence[Case],
        names: np.ndarray,
        constants: dict[str, TimeCoefficients],
        fitted: Floats,
        *,
        is_known_device: bool,
    ) -> Off:
        """Return what is said of the cases with the constants that their names give; single kernels as fitted."""
        off = fitted.copy()
        shares = np.zeros((len(asked), len(shipped.SHARES)))
        for name, found in constants.items():
            members = np.flatnonzero(names == name).tolist()
            jobs = [index for index in members if not asked[index].overhead]
            if jobs:
                said = shipped.say([asked[index] for index in jobs], found)
                off[jobs] = np.log(said.seconds / [asked[index].time_s for index in jobs])
                shares[jobs] = said.shares
            if any(shipped.has_unknown_unit(asked[index]) for index in members):
                is_told = asked[members[0]].workload.framework_year is not None
                others = self._cases if is_told else shipped.untold(self._cases)
                units = shipped.unit_factors(others, [key != name for key in keys], found)
                off[members] += [units.get(asked[index].scale, 0.0) for index in members]
        known = intervals.knowledge(
            asked,
            shares,
            is_known_device=is_known_device,
            is_known_network=not is_known_device,
        )
        return Off(off, known)

    def _foundry(self) -> Errors:
        """Return the errors of language models on several devices, each size of model left out once."""
        every = list(measured.foundry(self._folder))
        keys = [case.model if case.source == "llm_foundry" else "" for case in self._cases]
        names = [case.model for case in every]
        own = [""] * len(self._cells.cases)
        said, untold, fitted = self._left_out(keys, own, every, names, is_known_device=True)
        return Errors(
            name="llm_foundry",
            held_out="network",
            said=Off(_with_exchange(every, said.logarithms), said.known),
            untold=Off(_with_exchange(every, untold.logarithms), untold.known),
            fitted=_with_exchange(every, fitted),
            devices=[case.device.name for case in every],
            networks=names,
            naive=naive_networks(every),
            source=FOUNDRY,
            measured_s=[case.time_s * case.parts for case in every],
            cases=every,
        )


def _with_exchange(cases: Sequence[Case], off: Floats) -> Floats:
    """Return errors of whole steps from those of their micro-batches: the exchange between devices is added."""
    step = np.array([case.time_s * case.parts for case in cases])
    single = np.exp(off) * step
    waits = np.array([measured.exchange_s(case, time_s) for case, time_s in zip(cases, single, strict=True)])
    return np.asarray(np.log((single + waits) / step))


def _some(cases: Iterable[Case]) -> list[Case]:
    return [case for case in cases if zlib.crc32(case.network.name.encode()) % ASKED_OF == 0]


def _comes_from(name: str) -> Callable[[Case], bool]:
    return lambda case: case.source == name


def _folds(cases: Sequence[Case]) -> dict[str, str]:
    names = sorted({case.network.name for case in cases})
    return dict(zip(names, folds(names), strict=True))


def processor_errors(folder: Path, cases: Sequence[Case], fitted: Fitted) -> Errors:
    """Return the errors of unseen networks on a processor."""
    p, x = fitted
    asked = list(measured.timm_processor(folder))
    fold = _folds([*cases, *asked])
    names, off = np.array([fold[case.network.name] for case in asked]), np.zeros(len(asked))
    for name, point in LeavingOut(cases, p, x).points([fold[case.network.name] for case in cases], np.unique(names)):
        members = np.flatnonzero(names == name).tolist()
        batch = Batch([asked[index] for index in members], p)
        off[members] = np.log(batch.seconds(point) / batch.time)
    device_s, launch_s, convolution = Batch(asked, p).parts(x)
    launch_ratio = launch_s / (device_s + launch_s)
    shares = np.stack([launch_ratio, convolution, *np.zeros((2, len(asked)))], axis=1)
    known = intervals.knowledge(asked, shares, is_known_device=True, is_known_network=False)
    return Errors(
        name="timm_processor",
        held_out="network",
        said=Off(off, known),
        devices=[case.device.name for case in asked],
        networks=[case.network.name for case in asked],
        naive=naive_networks(asked),
        measured_s=[case.time_s for case in asked],
        cases=asked,
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
    job = Workload(id="gpt", title="", network="gpt", samples=1, precision="fp16", framework_year=2023)
    known = [
        Knowledge(
            device=run.device,
            workload=job,
            launch_ratio=float(run.times.launch[0] / run.times.total[0]),
            convolution_ratio=0.0,
            is_known_device=True,
            is_known_family=True,
            is_known_network=False,
            is_single_operation=False,
            device_count=8,
        )
        for run in found
    ]
    return Errors(
        name="gpt_iteration",
        held_out="network",
        said=Off(off, known),
        devices=[run.device.name for run in found],
        networks=[run.model for run in found],
        naive=0.47,
        source=VTRAIN,
        measured_s=[run.time_s for run in found],
    )


def memory_peaks(folder: Path) -> Errors:
    """Return the errors of memory of unseen networks."""
    every = memory.peaks(folder)
    found = [peak for peak in every if peak.is_same_network]
    measured_bytes = np.array([peak.measured_bytes for peak in found])
    fake = np.array([peak.fake_bytes for peak in found])
    rival = np.abs((1890 * memory.MIB + 1.185 * fake) / measured_bytes - 1.0)
    return Errors(
        name="training_memory",
        held_out="network",
        said=Off(memory.held_out(found)),
        devices=["not named"],
        networks=[peak.network.name for peak in found],
        naive=float(np.abs(fake / measured_bytes - 1.0).mean()),
        rival=("1890 MiB + 1.185 x FakeTensor", float(rival.mean())),
        source=memory.SOURCE,
        safety=safety_ratio(),
        figures={"all": float(np.abs(np.exp(memory.held_out(every)) - 1.0).mean())},
    )


def show(result: Validation) -> None:
    """Print the table."""
    print("Error: mean of |predicted / measured - 1|, in %, on what was held out.")
    print(
        f"{'data':17s}{'held out':>9s}{'rows':>6s}{'ours':>7s}{'untold':>7s}{'fitted':>7s}{'naive':>7s}{'rival':>7s}{'noise':>7s}"
        f"{'device':>7s}{'netw.':>7s}{'median':>7s}{'<10 %':>7s}{'<25 %':>7s}{'most':>7s}{'inside':>7s}{'untold':>7s}{'aim':>7s}  result"
    )
    print(
        "untold: the year of the framework unknown; fitted: the published job's own factors known; device, netw.: one factor known for each device, each network, from rows of the others."
    )
    for row in result.rows:
        figures = (
            row.error_ratio,
            row.untold_ratio,
            row.fitted_ratio,
            row.naive_ratio,
            row.rival_ratio,
            row.noise_ratio,
        )
        known = (row.device_known_ratio, row.network_known_ratio, row.median_ratio)
        shares = (row.within_10_ratio, row.within_25_ratio, row.largest_ratio)
        inside = (row.coverage_ratio, row.untold_coverage_ratio)
        numbers = "".join(map(_percent, (*figures, *known, *shares, *inside, row.aim_ratio)))
        print(f"{row.name:17s}{row.held_out:>9s}{row.rows:6d}{numbers}  {_verdict(row)}")
    for row in result.rows:
        if row.bound_under_5_ratio is not None:
            below = (
                f"{100 * row.under_5_ratio:.1f} % by the estimate, {100 * row.bound_under_5_ratio:.1f} % by its bound"
            )
            print(f"{row.name}: more than 5 % too low: {below}")
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
    return f"missed: {', '.join(missed)}"


def _percent(value: float | None) -> str:
    return f"{'-' if value is None else f'{100 * value:.1f}':>7s}"


if __name__ == "__main__":
    sys.exit(main())
