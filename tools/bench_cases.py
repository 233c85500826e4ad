"""Compare the worker's cases with plain torch programs and with other tools, and quick runs with each other.

A case and its plain twin (``plain_loops``) run in one process and take turns sample by sample, so that whatever
disturbs the computer disturbs both alike. The ratio of their times is the median over all pairs of samples; it should
be within 3 % of 1. Then other tools measure the same: torch.utils.benchmark, numpy, dd. Last, two quick runs: their
median difference over the cases should be at most 3 %.

    python tools/bench_cases.py [--quick] [--cases train,disk] [--rounds N] [--device cuda:0]
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import numpy
import psutil
import torch
from plain_loops import PLAIN, Step, bandwidth, product, training
from torch.utils.benchmark import Timer

from advisor.benchmark import compare, plan_suite, plateau_flop_per_s, run_suite
from advisor.benchmark.full_plan import Place, further_cases
from advisor.benchmark.plan import QUICK_CPU_ALONE, matmul_case, train_case
from advisor.benchmark.statistics import summarise
from advisor.benchmark.work import ELEMENT_BYTES
from advisor.probe import probe_machine
from advisor.records.channel import CaseResult, WorkerDevice
from advisor.records.measurement import Benchmark, Case
from advisor.session.watch import ConditionWatch
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


@dataclass(kw_only=True)
class Pair:
    """A case and its plain twin, with the seconds per iteration of each sample."""

    case: Case
    title: str
    worker_s: list[float] = field(default_factory=list)
    plain_s: list[float] = field(default_factory=list)

    def run_round(self) -> None:
        """Measure both in turn."""
        with case_settings(self.case) as device:
            loop = PlainLoop(PLAIN[self.case.program](self.case), self.case)
            self.worker_s += program_of(self.case)(self.case, device, loop).samples_s[: len(loop.samples_s)]
            self.plain_s += loop.samples_s
        del loop
        release_memory(self.case.device)

    @property
    def ratio(self) -> float:
        """Median over the pairs of the worker's time over the plain one."""
        return statistics.median(w / p for w, p in zip(self.worker_s, self.plain_s, strict=True))


class PlainLoop:
    """Takes a sample of the plain loop, by the clock, whenever the worker's program reports one of its own."""

    def __init__(self, step: Step, case: Case) -> None:
        self._step = step
        self._case = case
        self._count = 1
        self.samples_s: list[float] = []
        for _ in range(WARM_UP_SAMPLES):
            self._count = max(1, round(case.sample_s / self._sample_s()))

    def sampled(self, sample_s: float) -> None:
        """Take a sample in turn."""
        self.samples_s.append(self._sample_s())

    def check(self) -> None:
        """Want every case to the end."""

    def _sample_s(self) -> float:
        synchronise(self._case.device)
        start_s = time.perf_counter()
        for _ in range(self._count):
            self._step()
        synchronise(self._case.device)
        return (time.perf_counter() - start_s) / self._count


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
    names = {
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
    for start, title in names.items():
        case = next((case for name, case in planned.items() if name.startswith(start)), None)
        if case is not None:
            is_large = case.network in LARGE_NETWORKS
            yield title, msgspec.structs.replace(case, batch_size=SMALL_BATCH) if is_large else case


def pairs(device: str, chosen: Iterable[str], samples: int) -> list[Pair]:
    """Return the cases whose title or program holds one of the words; all without any."""
    words = [word.lower() for word in chosen]
    found = [(t, c) for t, c in cases_of(device) if not words or any(w in f"{t} {c.program}".lower() for w in words)]
    return [Pair(case=_shortened(case, samples), title=title) for title, case in found]


def _shortened(case: Case, samples: int) -> Case:
    """Return the case with so many samples, fewer of large networks, and no time for more; bandwidth on less memory."""
    samples = min(samples, QUICK_SAMPLES) if case.network in LARGE_NETWORKS else samples
    size = min(case.size, ARRAY_ELEMENTS) if case.program == "bandwidth" else case.size
    options = {name: value for name, value in case.options.items() if name not in {"fewest_samples", "needs_bytes"}}
    return msgspec.structs.replace(case, min_samples=samples, budget_s=0.5, size=size, options=options)


def row(pair: Pair) -> tuple[str, str, str, float]:
    """Return title, worker, plain and ratio of their times."""
    texts = (amount(pair.case, statistics.median(times_s)) for times_s in (pair.worker_s, pair.plain_s))
    return (pair.title, *texts, pair.ratio)


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
    return f"{iteration_s * 1e3:.1f} ms a step"


def plateau_row(measured: list[Pair]) -> Iterator[tuple[str, str, str, float]]:
    """Yield the same of the plateau, as the benchmark takes it, where products were compared."""
    products = [pair for pair in measured if pair.case.program == "matmul"]
    if not products:
        return
    rates = []
    for name in ("worker_s", "plain_s"):
        runs = [summarise(p.case, CaseResult(case_id="", samples_s=tuple(getattr(p, name)))) for p in products]
        rates.append(plateau_flop_per_s(runs, products[0].case.device, "fp32") or 0.0)
    ratio = statistics.median(pair.ratio for pair in products)
    yield "plateau of the products", *(f"{rate / 1e9:.1f} GFLOP/s" for rate in rates), ratio


def other_tools(measured: list[Pair]) -> Iterator[tuple[str, str, str, float]]:
    """Yield what other tools say of some of the cases: title, the worker, the tool, ratio of their times."""
    for pair in measured:
        for title, tool in TOOLS.get(pair.title, ()):
            # In turn with the worker's samples again, since minutes have passed.
            ours, theirs = [], []
            for _ in range(3):
                again = Pair(case=msgspec.structs.replace(pair.case, min_samples=QUICK_SAMPLES), title=pair.title)
                again.run_round()
                ours.append(statistics.median(again.worker_s))
                theirs.append(tool(pair.case))
            texts = (amount(pair.case, statistics.median(times_s)) for times_s in (ours, theirs))
            ratio = statistics.median(o / t for o, t in zip(ours, theirs, strict=True))
            yield (f"{pair.title}: {title}", *texts, ratio)


def by_torch_timer(make: Callable[[Case], Step]) -> Callable[[Case], float]:
    """Return a measurement by torch.utils.benchmark."""

    def measure(case: Case) -> float:
        timer = Timer("step()", globals={"step": make(case)}, num_threads=torch.get_num_threads())
        return float(timer.blocked_autorange(min_run_time=0.5).median)

    return measure


def by_numpy_product(case: Case) -> float:
    """Return the seconds of numpy's product of the same size, by its own library of linear algebra."""
    left, right = (numpy.random.default_rng(0).standard_normal((case.size, case.size), numpy.float32) for _ in range(2))
    return _median_s(lambda: left @ right)


def by_numpy_copy(case: Case) -> float:
    """Return the seconds of numpy's copy, which uses one core."""
    source = numpy.ones(case.size, numpy.float32)
    target = numpy.empty_like(source)
    return _median_s(lambda: numpy.copyto(target, source))


def by_dd(case: Case) -> float:
    """Return the seconds dd takes for a file of the same size that is not in memory."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        file = Path(folder) / "file"
        run = ["dd", "bs=4M", f"of={file}", "if=/dev/urandom", f"count={case.size // (4 * 2**20)}", "conv=fsync"]
        subprocess.run(run, check=True, capture_output=True)
        subprocess.run(["dd", f"of={file}", "oflag=nocache", "conv=notrunc,fdatasync", "count=0"], check=True,
                       capture_output=True)  # fmt: skip
        said = subprocess.run(["dd", "bs=4M", f"if={file}", "of=/dev/null"], check=True, capture_output=True, text=True)
    found = re.search(r", ([\d.]+) s,", said.stderr)
    assert found is not None, said.stderr
    return float(found[1])


def _median_s(step: Step, count: int = 7) -> float:
    times_s = []
    step()
    for _ in range(count):
        started_s = time.perf_counter()
        step()
        times_s.append(time.perf_counter() - started_s)
    return statistics.median(times_s)


TOOLS: dict[str, tuple[tuple[str, Callable[[Case], float]], ...]] = {
    "product 2048": (("torch.utils.benchmark", by_torch_timer(product)), ("numpy", by_numpy_product)),
    "SimpleCNN": (("torch.utils.benchmark", by_torch_timer(training)),),
    "memory copy": (("torch.utils.benchmark", by_torch_timer(bandwidth)), ("numpy, one core", by_numpy_copy)),
    "disk": (("dd", by_dd),) if shutil.which("dd") else (),
}


def quick_run() -> Benchmark:
    """Return a quick suite, measured as the program measures it."""
    machine = probe_machine()
    return run_suite(lambda ready: plan_suite("quick", machine, ready), check_conditions=ConditionWatch(machine))


def print_repeatability() -> None:
    """Print how far two quick runs are apart."""
    first, second = quick_run(), quick_run()
    apart = {one.case.id: abs(1 - one.speed_ratio) for one in compare(first, second).cases}
    print("\nTwo quick runs, one after the other")
    for name, ratio in apart.items():
        print(f"  {name:<40} {ratio:6.1%} apart")
    median = statistics.median(apart.values())
    print(f"  median of {len(apart)} cases: {median:.1%} apart (aim {AIM_RATIO:.0%}){note(median, 0.0)}")
    seen = sorted({c.kind for run in (first, second) for m in run.measurements for c in m.conditions})
    if seen:
        print(f"  conditions seen: {', '.join(seen)}")


def note(ratio: float, wanted: float = 1.0) -> str:
    """Return a word where a ratio is beyond the aim."""
    return "" if abs(ratio - wanted) <= AIM_RATIO else "   outside"


def print_table(title: str, heading: tuple[str, str], rows: Iterable[tuple[str, str, str, float]], aim: str) -> None:
    """Print rows as they come."""
    print(f"\n{title}")
    print(f"  {'':<38} {heading[0]:>16} {heading[1]:>16}   time ratio{aim}", flush=True)
    for name, one, other, ratio in rows:
        print(f"  {name:<38} {one:>16} {other:>16}   {ratio:.3f}{note(ratio) if aim else ''}", flush=True)


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    parser.add_argument(
        "--quick", action="store_true", help="one round, few samples, neither other tools nor repetition"
    )
    parser.add_argument("--cases", default="", help="words of titles or programs, with commas between them")
    arguments = parser.parse_args()
    busy = psutil.cpu_percent(interval=1.0) / 100
    if busy > BUSY_RATIO:
        print(f"Other programs use {busy:.0%} of the processor; only ratios taken in turn mean anything.")
    chosen = [word for word in arguments.cases.split(",") if word]
    measured = pairs(arguments.device, chosen, QUICK_SAMPLES if arguments.quick else SAMPLES)
    for _ in range(1 if arguments.quick else arguments.rounds):
        for pair in measured:
            pair.run_round()
    aim = f", aim within {AIM_RATIO:.0%} of 1"
    title = f"The worker and plain torch {torch.__version__} programs in turn, fp32"
    print_table(title, ("worker", "plain program"), [*plateau_row(measured), *map(row, measured)], aim)
    if not arguments.quick:
        print_table("The worker and other tools in turn", ("worker", "other tool"), other_tools(measured), "")
        if not chosen:
            print_repeatability()
    return 0


if __name__ == "__main__":
    sys.exit(main())
