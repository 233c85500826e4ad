"""Compare the worker's cases with what other tools and other ways of writing the same say, in turn as ``bench_cases``.

torch.utils.benchmark and dd do the same work, and are to agree. The others differ by what the row's name says: numpy
brings its own library of linear algebra (OpenBLAS), and torch's own encoder layer copies tokens and heads into other
orders on its way, which the block written with scaled_dot_product_attention spares.

    python tools/bench/bench_others.py [--quick]
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

import msgspec
import numpy
import torch
from bench_cases import Pair, measure
from bench_judgement import AIM_RATIO
from bench_kinds import QUICK_SAMPLES, SAMPLES, cases_of, shortened
from bench_table import Row, show
from bench_twins import Sampler, Twin, by_clock
from plain_loops import Step, bandwidth, encoder_layer, product, training, worker_file
from torch.utils.benchmark import Timer

from advisor.records.results.measured.measurement import Case


def by_torch_timer(make: Callable[[Case], Step]) -> Callable[[Case], Sampler]:
    """Return a maker of samples taken by torch.utils.benchmark."""

    def make_sampler(case: Case) -> Sampler:
        timer = Timer("step()", globals={"step": make(case)}, num_threads=torch.get_num_threads())
        return lambda count: float(timer.timeit(count).mean)

    return make_sampler


def numpy_product(case: Case) -> Step:
    """Return numpy's product into a matrix that exists already, as the worker's."""
    random = numpy.random.default_rng(0)
    left, right = (random.standard_normal((case.size, case.size), numpy.float32) for _ in range(2))
    out = numpy.empty_like(left)
    return lambda: numpy.matmul(left, right, out=out)


def numpy_copy(case: Case) -> Step:
    """Return numpy's copy, which uses one core."""
    source, target = (numpy.full(case.size, value, numpy.float32) for value in (1.0, 2.0))
    return lambda: numpy.copyto(target, source)


def by_dd(_case: Case) -> Sampler:
    """Return a reading by dd of the worker's own file, whose pages were dropped before."""

    def sample(_count: int) -> float:
        file = worker_file()
        if file is None:  # the worker has not written it yet
            return 1.0
        dd(f"if={file}", "iflag=nocache", "count=0")  # drops the pages of the whole file: info coreutils dd
        said = dd("bs=4M", f"if={file}", "of=/dev/null")
        found = re.search(r", ([\d.e-]+) s,", said)
        assert found is not None, said
        return float(found[1])

    return sample


def dd(*arguments: str) -> str:
    """Run dd in English and return what it says."""
    command = ["env", "LC_ALL=C", "dd", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


TIME_S, QUICK_TIME_S = 150.0, 20.0

OTHERS: tuple[tuple[str, str, Callable[[Case], Sampler], float | None], ...] = (
    # case, the other tool, how it is run, by how much both may differ
    ("product 2048", "torch.utils.benchmark", by_torch_timer(product), AIM_RATIO),
    ("product 2048", "numpy", by_clock(numpy_product), None),
    ("SimpleCNN", "torch.utils.benchmark", by_torch_timer(training), AIM_RATIO),
    ("memory copy", "torch.utils.benchmark", by_torch_timer(bandwidth), AIM_RATIO),
    ("memory copy on one core", "numpy", by_clock(numpy_copy), None),
    ("transformer block", "nn.TransformerEncoderLayer", by_clock(partial(training, make_other=encoder_layer)), None),
    *((("disk", "dd", by_dd, AIM_RATIO),) if sys.platform == "linux" and shutil.which("dd") else ()),
)


def rows(samples: int, time_s: float) -> Iterator[Row]:
    """Yield a row for each other tool."""
    cases = dict(cases_of("cpu"))
    cases["memory copy on one core"] = msgspec.structs.replace(cases["memory copy"], threads=1)
    compared = [
        (tool, Pair(case=shortened(cases[title], samples), title=title, make=partial(Twin, make), aim_ratio=aim_ratio))
        for title, tool, make, aim_ratio in OTHERS
    ]
    measure([pair for _tool, pair in compared], time_s)
    yield from (pair.row(tool) for tool, pair in compared)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer samples, less time")
    is_quick = parser.parse_args().quick
    show(
        "The worker and other tools in turn", rows(*((QUICK_SAMPLES, QUICK_TIME_S) if is_quick else (SAMPLES, TIME_S)))
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
