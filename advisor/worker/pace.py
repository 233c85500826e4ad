"""How fast the processor is just now: a small product that is always the same, timed before each case.

What cases take differs for many reasons; what this product takes differs for one only: the computer itself runs faster
or slower than before, as a laptop that gets warm does, or a virtual machine whose neighbours share its processor.
"""

import statistics

import torch

from advisor.worker.timing import block_timer, iterations_for

EDGE = 256
"""Three matrices of a quarter of a MiB: they stay in a cache, so memory has no part in it."""
BLOCK_S, BLOCKS = 0.04, 5
"""The middle of some short blocks: between two cases a window draws and the one before is cleared away, which made a
single block of 0.08 s take up to twice as long, where the cases themselves, of seconds, hardly noticed it."""
_WARM_UP = 3


def measure_pace() -> float:
    """Return how many seconds the product takes on the processor, with the threads that torch is set to."""
    left, right, product = (torch.full((EDGE, EDGE), 0.5) for _ in range(3))
    block = block_timer(lambda: torch.mm(left, right, out=product), torch.device("cpu"))
    block(_WARM_UP)
    count = iterations_for(BLOCK_S, block(_WARM_UP))
    return statistics.median(block(count) for _ in range(BLOCKS))


def measure_waiting(pace_s: float) -> float:
    """Return which share of the pace its threads spent waiting for each other; 0.0 unless one alone is quicker.

    Beside a busy program whose core one of them wants, that one gets a time slice late, and the others wait for it, at
    each operation anew. One thread finds a free core and tells what all of them would take without that.

    Args:
        pace_s: What ``measure_pace`` has just returned.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        alone_s = measure_pace()
    finally:
        torch.set_num_threads(threads)
    return 1.0 - alone_s / threads / pace_s if alone_s < pace_s else 0.0
