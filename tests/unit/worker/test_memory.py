"""Highest memory during a case, and giving memory back between cases."""

import gc
import subprocess
import sys

import pytest

from tests.unit.worker.whole import run

pytestmark = pytest.mark.torch


def test_nothing_is_kept_between_cases() -> None:
    """After a case no tensor of it is left."""
    import torch

    from advisor.worker.memory import release_memory

    run(program="matmul", size=64)
    release_memory("cpu")
    large = [o for o in gc.get_objects() if type(o) is torch.Tensor and o.numel() == 64 * 64]

    assert large == []


def test_peak_memory_is_the_cases_own() -> None:
    """Where the system tells it, the peak of a large product exceeds that of a small one after it.

    In a process of its own: what earlier tests left in the heap would hide the difference.
    """
    code = (
        "from tests.unit.worker.whole import run;"
        "print(*(run(program='matmul', size=size, min_samples=1).peak_memory_bytes for size in (2048, 8)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=True)
    large, small = done.stdout.split()

    if "None" in (large, small):
        pytest.skip("this system does not tell the peak of a case")
    assert int(large) - int(small) > 2048**2 * 4
