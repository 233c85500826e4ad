"""Compare the worker's cases with plain torch loops, written the way torch's documentation writes them.

Both run in one process and take turns sample by sample, so that whatever disturbs the computer disturbs both alike. The
ratio of their times is the median over all pairs of samples; it should be within 3 % of 1.

    python tools/bench_cases.py [--rounds N] [--device cuda:0]
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
import torch
from torch import nn

from advisor.benchmark.plan import QUICK_CPU_ALONE, matmul_case, train_case
from advisor.benchmark.statistics import PLATEAU_SIZES
from advisor.records.measurement import Case
from advisor.worker.cases import program_of
from advisor.worker.memory import release_memory
from advisor.worker.state import case_settings

AIM_RATIO = 0.03
SAMPLES = 9
WARM_UP_SAMPLES = 2


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
            step = plain_training(self.case) if self.case.program == "train" else plain_product(self.case)
            loop = PlainLoop(step, self.case)
            self.worker_s += program_of(self.case)(self.case, device, loop).samples_s
            self.plain_s += loop.samples_s
        del loop, step
        release_memory(self.case.device)

    @property
    def ratio(self) -> float:
        """Median over the pairs of the worker's time over the plain one."""
        return statistics.median(w / p for w, p in zip(self.worker_s, self.plain_s, strict=True))


class PlainLoop:
    """Takes a sample of the plain loop, by the clock, whenever the worker's program reports one of its own."""

    def __init__(self, step: Callable[[], object], case: Case) -> None:
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


def plain_product(case: Case) -> Callable[[], object]:
    """Return a matrix product into a matrix that exists already."""
    left = torch.randn(case.size, case.size, device=case.device)
    right = torch.randn(case.size, case.size, device=case.device)
    out = torch.empty(case.size, case.size, device=case.device)
    return lambda: torch.matmul(left, right, out=out)


class ArticleCnn(nn.Module):
    """The article's network, written a second time and in another way."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 32, 3)
        self.conv2 = nn.Conv2d(32, 64, 3)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc1 = nn.Linear(64 * 36 * 36, 512)
        self.fc2 = nn.Linear(512, 64)
        self.fc3 = nn.Linear(64, 8)
        self.dropout = nn.Dropout(0.2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the scores of the classes."""
        x = self.pool(torch.relu(self.conv1(x)))
        x = self.pool(torch.relu(self.conv2(x)))
        x = torch.flatten(x, 1)
        x = self.dropout(torch.relu(self.fc1(x)))
        x = self.dropout(torch.relu(self.fc2(x)))
        scores: torch.Tensor = self.fc3(x)
        return scores


def plain_training(case: Case) -> Callable[[], object]:
    """Return a training step."""
    net = ArticleCnn().to(case.device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters())
    inputs = torch.rand(case.batch_size, 3, 150, 150, device=case.device)
    labels = torch.randint(8, (case.batch_size,), device=case.device)

    def step() -> None:
        optimizer.zero_grad()
        loss = criterion(net(inputs), labels)
        loss.backward()
        optimizer.step()

    return step


def pairs(device: str) -> list[Pair]:
    """Return the products the plateau is taken from, and the article's training step."""
    sizes = QUICK_CPU_ALONE.curve[-PLATEAU_SIZES:]
    cases = [(matmul_case(device, "fp32", size, QUICK_CPU_ALONE), f"product {size}") for size in sizes]
    cases.append((train_case(device, "article_cnn", "fp32", QUICK_CPU_ALONE), "article's CNN"))
    return [Pair(case=msgspec.structs.replace(c, min_samples=SAMPLES, budget_s=0.5), title=t) for c, t in cases]


def rate_flop_per_s(pair: Pair, times_s: list[float]) -> float:
    """Return the rate at the median."""
    return (pair.case.flop_per_iteration or 0) / statistics.median(times_s)


def row(pair: Pair) -> tuple[str, str, str, float]:
    """Return title, worker, plain and ratio of their times."""
    if pair.case.program == "train":
        worker, plain = (
            f"{statistics.median(times_s) * 1e3:.1f} ms a step" for times_s in (pair.worker_s, pair.plain_s)
        )
    else:
        worker, plain = (
            f"{rate_flop_per_s(pair, times_s) / 1e9:.1f} GFLOP/s" for times_s in (pair.worker_s, pair.plain_s)
        )
    return pair.title, worker, plain, pair.ratio


def plateau_row(measured: list[Pair]) -> tuple[str, str, str, float]:
    """Return the same of the plateau: the median over the products."""
    products = [pair for pair in measured if pair.case.program == "matmul"]
    worker = statistics.median(rate_flop_per_s(pair, pair.worker_s) for pair in products)
    plain = statistics.median(rate_flop_per_s(pair, pair.plain_s) for pair in products)
    ratio = statistics.median(pair.ratio for pair in products)
    return "plateau of the products", f"{worker / 1e9:.1f} GFLOP/s", f"{plain / 1e9:.1f} GFLOP/s", ratio


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    measured = pairs(arguments.device)
    for _ in range(arguments.rounds):
        for pair in measured:
            pair.run_round()
    print(f"\nMeasuring: the worker and a plain torch {torch.__version__} loop in turn, fp32")
    print(f"  {'':<26} {'worker':>16} {'plain loop':>16}   time ratio, aim within {AIM_RATIO:.0%} of 1")
    for title, worker, plain, ratio in [plateau_row(measured), *map(row, measured)]:
        note = "" if abs(ratio - 1) <= AIM_RATIO else "   outside"
        print(f"  {title:<26} {worker:>16} {plain:>16}   {ratio:.3f}{note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
