"""Compare the worker's cases with plain torch programs.

A case and its plain twin (``plain_loops``) run in one process and take turns sample by sample, so that whatever
disturbs the computer disturbs both alike. Both keep the memory they free, or the page faults of taking it anew, which
scatter by half and more, would hide how they differ. Of two programs that are the same, the one whose memory was taken
later can be 5 % faster; so in each round both are built twice, either one first.

The ratio is the median over all pairs of samples, with an interval of 95 % (``bench_judgement``). Rounds go on for the
cases whose interval still crosses the aim, until the time is up; those that it crosses even then are called undecided.

    python tools/bench_cases.py [--quick] [--cases train,disk] [--time-s 720] [--device cuda:0]
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec
import psutil
import torch
from bench_judgement import AIM_RATIO, FEWEST_ROUNDS, Estimate, within
from bench_table import Row, show
from plain_loops import PLAIN, Step, disk_reading

from advisor.benchmark import plateau_flop_per_s
from advisor.benchmark.full_plan import Place, further_cases
from advisor.benchmark.plan import QUICK_CPU_ALONE, matmul_case, train_case
from advisor.benchmark.statistics import summarise
from advisor.benchmark.work import ELEMENT_BYTES
from advisor.records.channel import CaseResult, WorkerDevice
from advisor.records.measurement import Case, Measurement
from advisor.worker.cases import program_of
from advisor.worker.failure import NotSupportedError
from advisor.worker.heap import keep_freed_memory
from advisor.worker.memory import release_memory
from advisor.worker.state import case_settings

BUSY_RATIO = 0.1
SAMPLES, LONG_SAMPLES, QUICK_SAMPLES = 30, 10, 1
"""Of each half of a round; cases of long steps have fewer."""
TIME_S, QUICK_TIME_S = 720.0, 90.0
WARM_UP_SAMPLES = 2
LONG_S = 0.3
"""A step this long is warmed up by one."""
SMALL_BATCHES = {"article_cnn": 4, "densenet121_transfer": 1, "resnet50": 1, "stacked_lstm": 4, "transformer_block": 2}
"""What takes long is compared with few samples at once: the loop is the same, and so there are many pairs."""
PRODUCTS = (512, 1024, 2048)
ARRAY_ELEMENTS = 2**25
DISK_SAMPLES = 5
MOST_SAMPLE_S = 0.02
"""What disturbs a computer does so for hundredths of a second and for minutes: long pairs scatter no less than short
ones, and many tell more."""

NAMES = {
    "train/stacked_lstm/fp32/32": "LSTM, hand-written",
    "train/fused_lstm/fp32/32": "LSTM, nn.LSTM",
    "train/densenet121_transfer/fp32": "DenseNet-121",
    "train/resnet50/fp32": "ResNet-50",
    "train/transformer_block/fp32": "transformer block",
    "infer/resnet50/fp32": "ResNet-50 applied",
    "bandwidth/copy": "memory copy",
    "bandwidth/triad": "memory triad",
    "disk": "disk",
    "input/150/plain/workers0": "photos 150",
    "input/150/augmented/workers0": "photos 150 augmented",
}
"""How the full suite's cases begin, and what they are called here."""


Sampler = Callable[[int], float]
"""Runs so many iterations and returns the seconds one of them took."""


@dataclass(frozen=True, kw_only=True)
class Round:
    """Seconds per iteration of each pair of samples, half of them with either program built first."""

    worker_s: tuple[float, ...]
    plain_s: tuple[float, ...]

    @property
    def ratios(self) -> list[float]:
        """The worker's time over the plain one, of each pair."""
        return [w / p for w, p in zip(self.worker_s, self.plain_s, strict=True)]


@dataclass(kw_only=True)
class Pair:
    """A case and its twin, with what each round gave.

    Attributes:
        make: Makes what takes a sample of the twin.
        aim_ratio: By how much both may differ; None where they need not agree.
    """

    case: Case
    title: str
    make: Callable[[Case], Sampler]
    aim_ratio: float | None = AIM_RATIO
    rounds: list[Round] = field(default_factory=list)

    def run_round(self) -> None:
        """Measure both in turn, once with the twin built first and once with the worker's program."""
        first, second = self._half_round(twin_first=True), self._half_round(twin_first=False)
        self.rounds.append(Round(worker_s=first[0] + second[0], plain_s=first[1] + second[1]))

    def _half_round(self, *, twin_first: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
        with case_settings(self.case) as device:
            loop = Twin(self.make, self.case)
            if twin_first:
                loop.build()
            worker_s = program_of(self.case)(self.case, device, loop).samples_s
        plain_s = tuple(loop.samples_s[-len(worker_s) :])
        del loop
        release_memory(self.case.device)
        return worker_s, plain_s

    @property
    def estimate(self) -> Estimate:
        """The ratio, as all rounds have it."""
        return Estimate.of([one.ratios for one in self.rounds])

    @property
    def wants_more(self) -> bool:
        """Whether a further round may tell something."""
        few = len(self.rounds) < FEWEST_ROUNDS
        return few or (self.aim_ratio is not None and self.estimate.verdict(self.aim_ratio) == "undecided")

    @property
    def amounts(self) -> tuple[str, str]:
        """What the worker says, and the twin."""
        worker_s = statistics.median(time_s for one in self.rounds for time_s in one.worker_s)
        plain_s = statistics.median(time_s for one in self.rounds for time_s in one.plain_s)
        return amount(self.case, worker_s), amount(self.case, plain_s)

    def row(self, tool: str) -> Row:
        """Return the ratio to a tool, both amounts, and whether they agree."""
        one, other = self.amounts
        what, said = f"{self.title}, worker / {tool}", f"{self.estimate} ({one} / {other})"
        if self.aim_ratio is None:
            return Row(what, said)
        return Row(what, said, within(self.aim_ratio), self.estimate.verdict(self.aim_ratio))


def measure(measured: Sequence[Pair], time_s: float, fewest: int = FEWEST_ROUNDS) -> None:
    """Give every pair a round in turn, then further ones to those that are undecided, until the time is up.

    Args:
        measured: The pairs.
        time_s: When no further round begins, but for those that have had fewer than ``fewest``.
        fewest: Of fewer than ``FEWEST_ROUNDS`` nothing can be decided.
    """
    deadline_s = time.monotonic() + time_s
    while wanting := [pair for pair in measured if pair.wants_more]:
        for pair in wanting:
            if len(pair.rounds) >= fewest and time.monotonic() > deadline_s:
                return
            pair.run_round()


class Twin:
    """Takes a sample of the other program whenever the worker's reports one of its own."""

    def __init__(self, make: Callable[[Case], Sampler], case: Case) -> None:
        self._make = make
        self._case = case
        self._sample: Sampler | None = None
        self._count = 1
        self.samples_s: list[float] = []

    def build(self) -> None:
        """Make the program and warm it up, unless that was done."""
        if self._sample is None:
            self._sample = self._make(self._case)
            for _ in range(WARM_UP_SAMPLES):
                step_s = self._sample(self._count)
                self._count = max(1, round(self._case.sample_s / step_s))
                if step_s > LONG_S:
                    break

    def sampled(self, sample_s: float) -> None:
        """Take a sample in turn."""
        self.build()
        assert self._sample is not None
        self.samples_s.append(self._sample(self._count))

    def check(self) -> None:
        """Want every case to the end; the worker asks in its warm-up, so that no sample of it stands alone."""
        self.build()


def by_clock(make: Callable[[Case], Step]) -> Callable[[Case], Sampler]:
    """Return a maker of samples that are taken with Python's clock around a plain loop."""

    def make_sampler(case: Case) -> Sampler:
        step = make(case)

        def sample(count: int) -> float:
            synchronise(case.device)
            start_s = time.perf_counter()
            for _ in range(count):
                step()
            synchronise(case.device)
            return (time.perf_counter() - start_s) / count

        return sample

    return make_sampler


def synchronise(device: str) -> None:
    """Wait for the device."""
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def cases_of(device: str) -> Iterator[tuple[str, Case]]:
    """Yield one case of each kind, with its title: as the suites have them, the large networks with few samples."""
    for size in PRODUCTS:
        yield f"product {size}", matmul_case(device, "fp32", size, QUICK_CPU_ALONE)
    yield "article's CNN", small(train_case(device, "article_cnn", "fp32", QUICK_CPU_ALONE))
    yield "SimpleCNN", train_case(device, "simple_cnn", "fp32", QUICK_CPU_ALONE)
    place = Place(device=WorkerDevice(name=device, precisions=("fp32",)), free_bytes=psutil.virtual_memory().available)
    planned = {case.id.rsplit("/", 1)[0]: case for case in further_cases(place)}
    for start, title in NAMES.items():
        case = next((case for name, case in planned.items() if name.startswith(start)), None)
        if case is not None and (case.program != "disk" or sys.platform == "linux"):  # its twin reads the same file
            yield title, small(case)


def small(case: Case) -> Case:
    """Return the case with the batch at which it is compared."""
    return msgspec.structs.replace(case, batch_size=SMALL_BATCHES.get(case.network, case.batch_size))


def pairs(device: str, chosen: Iterable[str], samples: int) -> list[Pair]:
    """Return the cases whose title or program holds one of the words; all without any."""
    words = [word.lower() for word in chosen]
    found = [(t, c) for t, c in cases_of(device) if not words or any(w in f"{t} {c.program}".lower() for w in words)]
    return [Pair(case=shortened(case, samples), title=title, make=twin_of(case)) for title, case in found]


def twin_of(case: Case) -> Callable[[Case], Sampler]:
    """Return the maker of the plain twin."""
    return disk_reading if case.program == "disk" else by_clock(PLAIN[case.program])


def shortened(case: Case, samples: int) -> Case:
    """Return the case with so many samples, fewer of long steps, and no time for more; bandwidth on less memory."""
    size = min(case.size, ARRAY_ELEMENTS) if case.program == "bandwidth" else case.size
    options = {name: value for name, value in case.options.items() if name not in {"fewest_samples", "needs_bytes"}}
    samples = min(samples, LONG_SAMPLES) if case.network in SMALL_BATCHES else samples
    # A sample of a disk is one reading of the file, and writing that takes time as well.
    samples = DISK_SAMPLES if case.program == "disk" else samples
    sample_s, budget_s = (0.0, 30.0) if case.program == "disk" else (min(case.sample_s, MOST_SAMPLE_S), 0.5)
    return msgspec.structs.replace(
        case, min_samples=samples, budget_s=budget_s, sample_s=sample_s, size=size, options=options
    )


def amount(case: Case, iteration_s: float) -> str:
    """Return what a time of an iteration means."""
    if case.program == "matmul":
        return f"{(case.flop_per_iteration or 0) / iteration_s / 1e9:.1f} GFLOP/s"
    if case.program == "bandwidth":
        arrays = 2 if case.options["loop"] == "copy" else 3
        return f"{arrays * ELEMENT_BYTES['fp32'] * case.size / iteration_s / 1e9:.1f} GB/s"
    if case.program == "disk":
        return f"{case.size / iteration_s / 1e9:.2f} GB/s"
    if case.program == "input":
        return f"{case.batch_size / iteration_s:.0f} images/s"
    return f"{iteration_s * 1e3:.1f} ms"


def plateau_rows(measured: list[Pair]) -> Iterator[Row]:
    """Yield the plateau, as the benchmark takes it, where products were compared."""
    products = [pair for pair in measured if pair.case.program == "matmul"]
    if not products:
        return
    worker, plain = ([summed_up(p, name) for p in products] for name in ("worker_s", "plain_s"))
    rates = [plateau_flop_per_s(runs, products[0].case.device, "fp32") or 0.0 for runs in (worker, plain)]
    # A pair of a plateau is one of each product, and the plateau is the median of those.
    rounds = zip(*([one.ratios for one in pair.rounds] for pair in products), strict=False)
    estimate = Estimate.of([[statistics.median(pairs) for pairs in zip(*each, strict=False)] for each in rounds])
    one, other = (f"{rate / 1e9:.1f} GFLOP/s" for rate in rates)
    what = "plateau of the products, worker / plain loop"
    yield Row(what, f"{estimate} ({one} / {other})", within(AIM_RATIO), estimate.verdict(AIM_RATIO))


def summed_up(pair: Pair, name: str) -> Measurement:
    """Return what all samples of one side come to."""
    samples_s = tuple(time_s for one in pair.rounds for time_s in getattr(one, name))
    return summarise(pair.case, CaseResult(case_id="", samples_s=samples_s))


def keep_memory() -> None:
    """Have both programs keep what they free, where the system can be told to."""
    try:
        keep_freed_memory(True)
    except NotSupportedError as error:
        print(f"Page faults make these ratios scatter: {error}")


def warn_if_busy() -> None:
    """Say that others use the processor, if they do."""
    busy = psutil.cpu_percent(interval=1.0) / 100
    if busy > BUSY_RATIO:
        print(f"Other programs use {busy:.0%} of the processor; only ratios taken in turn mean anything.")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time-s", type=float, help="when to stop deciding")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--quick", action="store_true", help="fewer samples, less time")
    parser.add_argument("--cases", default="", help="words of titles or programs, with commas between them")
    arguments = parser.parse_args()
    warn_if_busy()
    keep_memory()
    chosen = [word for word in arguments.cases.split(",") if word]
    measured = pairs(arguments.device, chosen, QUICK_SAMPLES if arguments.quick else SAMPLES)
    fewest, time_s = (1, QUICK_TIME_S) if arguments.quick else (FEWEST_ROUNDS, TIME_S)
    measure(measured, arguments.time_s or time_s, fewest)
    title = f"The worker and plain torch {torch.__version__} programs in turn, fp32"
    show(title, (*(pair.row("plain loop") for pair in measured), *plateau_rows(measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
