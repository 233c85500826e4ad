"""Train networks in plain loops, predict each from the classes of work alone, and print how far off it is.

Constants in ``resources/catalog/calibration/classes.json`` come from here: time over sum, and the spread over networks
that are held out of it. Each network runs in a process of its own, as a program of a user does.

    PYTHONPATH=tools python -m fit.constants.class_times [--precision fp32] [--one-core] [--rounds 2]
"""

import argparse
import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from types import SimpleNamespace
from typing import Any

import torch
from fit.constants.class_networks import EXAMPLES
from torch.nn import functional as F  # noqa: N812

from advisor.predict.measured.measured_classes import class_coefficients
from advisor.predict.timing.class_times import Curve, class_times, curve_of
from advisor.records.base import Z80, Precision
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Case
from advisor.worker import timing
from advisor.worker.cases.work_classes import run_work_classes
from advisor.worker.tracing.trace import trace_module

Clock = Callable[[], float]

LOOP_S, FEWEST = 1.0, 5
SHORT = {"bf16": torch.bfloat16, "fp16": torch.float16}


def plain_step(name: str, batch: int, precision: Precision) -> Callable[[], None]:
    """Return one step, written as torch's documentation writes it."""
    example = EXAMPLES[name]
    dtype = SHORT.get(precision, torch.float32)
    model, inputs = example.build().to(dtype), example.inputs(batch)
    inputs = inputs.to(dtype) if inputs.is_floating_point() else inputs
    optimizer = torch.optim.Adam(model.parameters())

    def loss() -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "amp"):
            out = model(inputs)
            out = out.flatten(0, 1) if out.dim() == 3 else out
            return F.cross_entropy(out, torch.zeros((len(out), *out.shape[2:]), dtype=torch.long))

    def step() -> None:
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()

    return step


def measured(answer: Any, work: Callable[[], Any], clock: Clock) -> None:
    """Answer with what ``work`` returns, from a process of its own."""
    timing.time = SimpleNamespace(perf_counter=clock)  # type: ignore[attr-defined,assignment]
    answer.put(work())


def in_process(work: Callable[[], Any], clock: Clock) -> Any:
    context = get_context("fork")
    answer = context.SimpleQueue()
    process = context.Process(target=measured, args=(answer, work, clock))
    process.start()
    found = answer.get()
    process.join()
    return found


def loop_s(name: str, batch: int, precision: Precision, clock: Clock) -> float:
    """Return the first quartile of the steps: what else runs only adds."""
    step = plain_step(name, batch, precision)
    step()
    step()
    steps: list[float] = []
    while sum(steps) < LOOP_S or len(steps) < FEWEST:
        start_s = clock()
        step()
        steps.append(clock() - start_s)
    return statistics.quantiles(steps, n=4, method="inclusive")[0]


def class_curves(precision: Precision) -> dict[str, Curve]:
    case = Case(id="classes", program="work_classes", device="cpu", precision=precision, sample_s=0.005, budget_s=60.0)
    watcher = SimpleNamespace(check=lambda: None, sampled=lambda sample_s: None)
    result = run_work_classes(case, torch.device("cpu"), watcher)
    return {series.y: curve_of(series.points) for series in result.series}


def predicted_s(network: Network, batch: int, precision: Precision, curves: dict[str, Curve]) -> float:
    job = Workload(
        id="x", title="x", network=network.name, samples=batch, batch_size=batch, precision=precision, optimizer="adam"
    )
    times = class_times(network, job, curves, batch, class_coefficients())
    assert times is not None
    return times.total


def held_out(off: dict[tuple[str, int, int], float]) -> Iterator[tuple[float, bool]]:
    """Yield each network's errors and whether the interval of the others holds it; print the constants of all."""
    names = sorted({name for name, *_ in off})
    for left_out in names:
        middle, sigma = constants([value for (name, *_), value in off.items() if name != left_out])
        for (name, *_), value in off.items():
            if name == left_out:
                yield value - middle, abs(value - middle) <= Z80 * sigma


def constants(off: Sequence[float]) -> tuple[float, float]:
    """Return the median and the deviation whose 80 % interval holds 80 %."""
    middle = statistics.median(off)
    return middle, sorted(abs(value - middle) for value in off)[int(0.8 * len(off))] / Z80


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--precision", default="fp32", choices=["fp32", "bf16", "fp16", "amp"])
    parser.add_argument(
        "--one-core", action="store_true", help="processor time of one thread: where others compute too"
    )
    parser.add_argument(
        "--rounds", type=int, default=2, help="measurements of the classes between those of the networks"
    )
    asked = parser.parse_args()
    clock = time.process_time if asked.one_core else time.perf_counter
    # Before any thread is started, which a fork would not take along.
    if asked.one_core:
        torch.set_num_threads(1)
    known = {name: trace_module(example.build(), example.inputs, name=name) for name, example in EXAMPLES.items()}
    off: dict[tuple[str, int, int], float] = {}
    for turn in range(asked.rounds):
        curves = in_process(lambda: class_curves("bf16" if asked.precision == "amp" else asked.precision), clock)
        for name, example in EXAMPLES.items():
            for batch in example.batches:
                step_s = in_process(partial(loop_s, name, batch, asked.precision, clock), clock)
                sum_s = predicted_s(known[name], batch, asked.precision, curves)
                off[name, batch, turn] = math.log(step_s / sum_s)
                print(
                    f"{name:16} {batch:5} {1e3 * step_s:9.2f} ms, sum of classes {1e3 * sum_s:9.2f} ms, {sum_s / step_s:5.2f}",
                    flush=True,
                )
    middle, sigma = constants(list(off.values()))
    found = list(held_out(off))
    errors = [abs(math.exp(-value) - 1) for value, _ in found]
    print(f"ratio {math.exp(middle):.3f}, sigma {sigma:.3f}; held out: mean error {statistics.mean(errors):.1%},")
    print(
        f"median {statistics.median(errors):.1%}, the 80 % interval holds {statistics.mean(holds for _, holds in found):.0%} of {len(found)}"
    )


if __name__ == "__main__":
    main()
