"""Compare the worker's cases with plain torch programs.

A case and its plain twin (``plain_loops``) run in one process and take turns sample by sample (``bench_twins``), so
that whatever disturbs the computer disturbs both alike. Both keep the memory they free, or the page faults of taking it
again, which scatter by half and more, would hide how they differ. Of two programs that are the same, the one whose
memory was taken later can be 5 % faster; so in each round both are built twice, either one first.

The ratio is the median over all pairs of samples, with an interval of 95 % (``bench_judgement``). Rounds go on for the
cases whose interval still crosses the aim, until the time is up; those that it crosses even then are called undecided.

Of each kind of case that the full suite has on this device one is compared, with few samples at once and in short. What
the programs find besides the seconds of an iteration (where a sweep ends, what a profile says of each operation, how
single calls spread) has no ratio; it is tested instead.

    python tools/bench/bench_cases.py [--quick] [--cases train,disk] [--time-s 900] [--device cuda:0]
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

import psutil
import torch
from bench_judgement import AIM_RATIO, FEWEST_ROUNDS, Estimate, within
from bench_kinds import QUICK_SAMPLES, SAMPLES, cases_of, device_named, left_out, quick_kinds, shortened
from bench_table import Row, show
from bench_twins import Times, Twin, WholeRuns, twin_of

from advisor.benchmark.planning.case_work import ELEMENT_BYTES
from advisor.benchmark.results.statistics import plateau_flop_per_s, summarise
from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case, Measurement
from advisor.worker.allocator import keep_freed_memory
from advisor.worker.cases import program_of
from advisor.worker.failure import NotSupportedError
from advisor.worker.memory import release_memory
from advisor.worker.torch_settings import case_settings

BUSY_RATIO = 0.1
TIME_S, QUICK_TIME_S = 900.0, 90.0


@dataclass(frozen=True, kw_only=True)
class Round:
    """Seconds per iteration of each pair of samples, half of them with either program built first."""

    worker_s: Times
    plain_s: Times

    @property
    def ratios(self) -> list[float]:
        """The worker's time over the plain one, of each pair."""
        return [w / p for w, p in zip(self.worker_s, self.plain_s, strict=True)]


@dataclass(kw_only=True)
class Pair:
    """A case and its twin, with what each round gave.

    Attributes:
        make: Makes the twin.
        aim_ratio: By how much both may differ; None where they need not agree.
    """

    case: Case
    title: str
    make: Callable[[Case], Twin | WholeRuns] = twin_of
    aim_ratio: float | None = AIM_RATIO
    rounds: list[Round] = field(default_factory=list)

    def run_round(self) -> None:
        """Measure both in turn, once with the twin built first and once with the worker's program."""
        first, second = self._half_round(twin_first=True), self._half_round(twin_first=False)
        self.rounds.append(Round(worker_s=first[0] + second[0], plain_s=first[1] + second[1]))

    def _half_round(self, *, twin_first: bool) -> tuple[Times, Times]:
        with case_settings(self.case) as device, closing(self.make(self.case)) as twin:
            if twin_first:
                twin.build()
            times = twin.beside(program_of(self.case)(self.case, device, twin).samples_s)
        del twin
        release_memory(self.case.device)
        return times

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


def pairs(device: str, chosen: Collection[str], samples: int) -> list[Pair]:
    """Return the cases whose title or program holds one of the words; without any all, or the quick ones."""
    cases = quick_kinds(cases_of(device)) if samples == QUICK_SAMPLES and not chosen else cases_of(device)
    found = [(title, case) for title, case in cases if is_chosen(f"{title} {case.program}", chosen)]
    return [Pair(case=shortened(case, samples), title=title) for title, case in found]


def is_chosen(title: str, chosen: Collection[str]) -> bool:
    """Return whether one of the words is in the title; always without any."""
    words = [word.lower() for word in chosen]
    return not words or any(word in title.lower() for word in words)


def amount(case: Case, iteration_s: float) -> str:
    """Return what a time of an iteration means."""
    if case.flop_per_iteration and not case.network:
        return f"{(case.flop_per_iteration or 0) / iteration_s / 1e9:.1f} GFLOP/s"
    if case.program == "bandwidth":
        arrays = 2 if case.options["loop"] == "copy" else 3
        return f"{arrays * ELEMENT_BYTES['fp32'] * case.size / iteration_s / 1e9:.1f} GB/s"
    if case.program in {"disk", "transfer"}:
        return f"{case.size / iteration_s / 1e9:.2f} GB/s"
    if case.program == "input":
        return f"{case.batch_size / iteration_s:.0f} images/s"
    return f"{iteration_s * 1e3:.1f} ms" if iteration_s > 1e-4 else f"{iteration_s * 1e6:.2f} \N{MICRO SIGN}s"


def plateau_rows(measured: list[Pair]) -> Iterator[Row]:
    """Yield the plateau, as the benchmark takes it, where products were compared."""
    products = [pair for pair in measured if pair.case.program == "matmul" and pair.case.precision == "fp32"]
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
    parser.add_argument("--quick", action="store_true", help="fewer samples, less time, one format of each")
    parser.add_argument("--cases", default="", help="words of titles or programs, with commas between them")
    arguments = parser.parse_args()
    chosen = [word for word in arguments.cases.split(",") if word]
    device_named(arguments.device)
    os.environ.setdefault("KINETO_LOG_LEVEL", "6")  # else torch's profiler prints when it begins and ends
    warn_if_busy()
    keep_memory()
    measured = pairs(arguments.device, chosen, QUICK_SAMPLES if arguments.quick else SAMPLES)
    fewest, time_s = (1, QUICK_TIME_S) if arguments.quick else (FEWEST_ROUNDS, TIME_S)
    measure(measured, arguments.time_s or time_s, fewest)
    title = f"The worker and plain torch {torch.__version__} programs in turn, fp32 where no other format is named"
    skipped = (Row(what, f"skipped: {why}") for what, why in left_out(arguments.device) if is_chosen(what, chosen))
    show(title, (*(pair.row("plain loop") for pair in measured), *plateau_rows(measured), *skipped))
    return 0


if __name__ == "__main__":
    sys.exit(main())
