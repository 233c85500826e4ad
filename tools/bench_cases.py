"""Compare the worker's cases with plain torch programs.

A case and its plain twin (``plain_loops``) run in one process and take turns sample by sample, so that whatever
disturbs the computer disturbs both alike. Of two programs that are the same, the one whose memory was taken later can
be 2 % faster; so the rounds change which of the two is built first. The ratio of the times is the median over all
pairs of samples.

    python tools/bench_cases.py [--quick] [--cases train,disk] [--rounds N] [--device cuda:0]
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import msgspec
import psutil
import torch
from bench_table import Row, show
from plain_loops import PLAIN, Step

from advisor.benchmark import plateau_flop_per_s
from advisor.benchmark.full_plan import Place, further_cases
from advisor.benchmark.plan import QUICK_CPU_ALONE, matmul_case, train_case
from advisor.benchmark.statistics import summarise
from advisor.benchmark.work import ELEMENT_BYTES
from advisor.records.channel import CaseResult, WorkerDevice
from advisor.records.measurement import Case
from advisor.worker.cases import program_of
from advisor.worker.memory import release_memory
from advisor.worker.state import case_settings

AIM_RATIO = 0.03
BUSY_RATIO = 0.1
SAMPLES, QUICK_SAMPLES = 9, 5
WARM_UP_SAMPLES = 2
LARGE_NETWORKS = frozenset({"densenet121_transfer", "resnet50", "transformer_block"})
SMALL_BATCH = 4
"""Of these."""
ARRAY_ELEMENTS = 2**25

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


@dataclass(kw_only=True)
class Pair:
    """A case and its twin, with the seconds per iteration of each sample.

    Attributes:
        make: Makes what takes a sample of the twin.
    """

    case: Case
    title: str
    make: Callable[[Case], Sampler]
    worker_s: list[float] = field(default_factory=list)
    plain_s: list[float] = field(default_factory=list)

    def run_round(self, *, plain_first: bool) -> None:
        """Measure both in turn."""
        with case_settings(self.case) as device:
            loop = Twin(self.make, self.case)
            if plain_first:
                loop.build()
            self.worker_s += program_of(self.case)(self.case, device, loop).samples_s[: len(loop.samples_s)]
            self.plain_s += loop.samples_s
        del loop
        release_memory(self.case.device)

    @property
    def ratio(self) -> float:
        """Median over the pairs of the worker's time over the plain one."""
        return statistics.median(w / p for w, p in zip(self.worker_s, self.plain_s, strict=True))

    @property
    def amounts(self) -> tuple[str, str]:
        """What the worker says, and the twin."""
        one, other = (amount(self.case, statistics.median(times_s)) for times_s in (self.worker_s, self.plain_s))
        return one, other


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
                self._count = max(1, round(self._case.sample_s / self._sample(self._count)))

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
    for size in QUICK_CPU_ALONE.curve[-3:]:
        yield f"product {size}", matmul_case(device, "fp32", size, QUICK_CPU_ALONE)
    yield "article's CNN", train_case(device, "article_cnn", "fp32", QUICK_CPU_ALONE)
    yield "SimpleCNN", train_case(device, "simple_cnn", "fp32", QUICK_CPU_ALONE)
    place = Place(device=WorkerDevice(name=device, precisions=("fp32",)), free_bytes=psutil.virtual_memory().available)
    planned = {case.id.rsplit("/", 1)[0]: case for case in further_cases(place)}
    for start, title in NAMES.items():
        case = next((case for name, case in planned.items() if name.startswith(start)), None)
        if case is not None and (case.program != "disk" or sys.platform == "linux"):  # its twin reads the same file
            is_large = case.network in LARGE_NETWORKS
            yield title, msgspec.structs.replace(case, batch_size=SMALL_BATCH) if is_large else case


def pairs(device: str, chosen: Iterable[str], samples: int) -> list[Pair]:
    """Return the cases whose title or program holds one of the words; all without any."""
    words = [word.lower() for word in chosen]
    found = [(t, c) for t, c in cases_of(device) if not words or any(w in f"{t} {c.program}".lower() for w in words)]
    return [
        Pair(case=shortened(case, samples), title=title, make=by_clock(PLAIN[case.program])) for title, case in found
    ]


def shortened(case: Case, samples: int) -> Case:
    """Return the case with so many samples, fewer of large networks, and no time for more; bandwidth on less memory."""
    samples = min(samples, QUICK_SAMPLES) if case.network in LARGE_NETWORKS else samples
    size = min(case.size, ARRAY_ELEMENTS) if case.program == "bandwidth" else case.size
    options = {name: value for name, value in case.options.items() if name not in {"fewest_samples", "needs_bytes"}}
    # A sample of a disk is one reading of the file, and writing that takes time as well.
    sample_s, budget_s = (0.0, 30.0) if case.program == "disk" else (case.sample_s, 0.5)
    return msgspec.structs.replace(
        case, min_samples=samples, budget_s=budget_s, sample_s=sample_s, size=size, options=options
    )


def row(pair: Pair) -> Row:
    """Return the ratio of both times, and what they were."""
    one, other = pair.amounts
    is_met = abs(pair.ratio - 1) <= AIM_RATIO
    return Row(f"{pair.title}, worker / plain loop", f"{pair.ratio:.3f} ({one} / {other})", within(AIM_RATIO), is_met)


def within(aim_ratio: float = AIM_RATIO) -> str:
    """Return an aim in words."""
    return f"within {aim_ratio:.0%} of 1"


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
    rates = []
    for name in ("worker_s", "plain_s"):
        runs = [summarise(p.case, CaseResult(case_id="", samples_s=tuple(getattr(p, name)))) for p in products]
        rates.append(plateau_flop_per_s(runs, products[0].case.device, "fp32") or 0.0)
    ratio = statistics.median(pair.ratio for pair in products)
    one, other = (f"{rate / 1e9:.1f} GFLOP/s" for rate in rates)
    what = "plateau of the products, worker / plain loop"
    yield Row(what, f"{ratio:.3f} ({one} / {other})", within(), abs(ratio - 1) <= AIM_RATIO)


def warn_if_busy() -> None:
    """Say that others use the processor, if they do."""
    busy = psutil.cpu_percent(interval=1.0) / 100
    if busy > BUSY_RATIO:
        print(f"Other programs use {busy:.0%} of the processor; only ratios taken in turn mean anything.")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--quick", action="store_true", help="fewer samples")
    parser.add_argument("--cases", default="", help="words of titles or programs, with commas between them")
    arguments = parser.parse_args()
    warn_if_busy()
    chosen = [word for word in arguments.cases.split(",") if word]
    measured = pairs(arguments.device, chosen, QUICK_SAMPLES if arguments.quick else SAMPLES)
    for number in range(arguments.rounds):
        for pair in measured:
            pair.run_round(plain_first=number % 2 == 0)
    title = f"The worker and plain torch {torch.__version__} programs in turn, fp32"
    show(title, (*map(row, measured), *plateau_rows(measured)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
