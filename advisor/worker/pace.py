"""How fast the processor is just now: a small product that is always the same, timed before each case.

What cases take differs for many reasons; what this product takes differs for one only: the computer itself runs faster
or slower than before, as a laptop that gets warm does, or a virtual machine whose neighbours share its processor.
"""

import torch

from advisor.worker.timing import block_timer, iterations_for

EDGE = 256
"""Three matrices of a quarter of a MiB: they stay in a cache, so memory has no part in it."""
PACE_S = 0.08
"""As long as a sample of a product: shorter, and what disturbs it is not what disturbs a case."""
_WARM_UP = 3


def measure_pace() -> float:
    """Return how many seconds the product takes on the processor, with the threads that torch is set to."""
    left, right, product = (torch.full((EDGE, EDGE), 0.5) for _ in range(3))
    block = block_timer(lambda: torch.mm(left, right, out=product), torch.device("cpu"))
    block(_WARM_UP)
    return block(iterations_for(PACE_S, block(_WARM_UP)))
