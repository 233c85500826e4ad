"""How a large matrix product gains from further cores: 1, 2, 4, … threads up to what may be used."""

import statistics

import msgspec
import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.cases.computer.matmul import run_matmul
from advisor.worker.timing import Progress


def run_threads(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the product of edge ``case.size`` with each number of threads; the samples are those with all of them.

    Option ``most_threads`` is the number of cores that may be used.
    """
    counts = thread_counts(int(case.options.get("most_threads", torch.get_num_threads())))
    part = msgspec.structs.replace(case, budget_s=case.budget_s / len(counts))
    rates: list[tuple[float, float]] = []
    for count in counts:
        torch.set_num_threads(count)
        result = run_matmul(part, device, progress)
        rates.append((float(count), 2.0 * case.size**3 / statistics.median(result.samples_s)))
    gain_ratio = rates[-1][1] / rates[0][1]
    return msgspec.structs.replace(
        result,
        details={"gain_ratio": gain_ratio, "efficiency_ratio": gain_ratio / counts[-1]},
        series=(Series(x="threads", y="flop_per_s", points=tuple(rates)),),
    )


def thread_counts(most: int) -> tuple[int, ...]:
    """Return 1, 2, 4, … and the largest number itself."""
    powers = [1 << power for power in range(most.bit_length()) if 1 << power < most]
    return (*powers, most)
