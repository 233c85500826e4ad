"""How fast one device computes by itself: equal devices that differ here differ by heat, power or other programs."""

import time

import torch

from advisor.records.group import GroupTiming, RunGroup
from advisor.worker.timing import block_timer, iterations_for

_EDGES = {"cpu": 512, "mps": 2048}
_ACCELERATOR_EDGE = 4096
BLOCKS = 3
BLOCK_S = 0.25
"""Longer than two periods of 100 ms in which Linux hands out a limited share of a processor (cpu.max)."""


def run_pace(command: RunGroup) -> tuple[GroupTiming, ...]:
    """Return seconds of a matrix product, averaged over each of some blocks."""
    device = torch.device(command.device)
    edge = _EDGES.get(device.type, _ACCELERATOR_EDGE)
    left, right, product = (torch.full((edge, edge), 0.5, device=device) for _ in range(3))
    block = block_timer(lambda: torch.mm(left, right, out=product), device)
    block(2)
    count = iterations_for(BLOCK_S, block(3))
    deadline_s = time.perf_counter() + command.budget_s
    samples: list[float] = []
    while len(samples) < BLOCKS and (not samples or time.perf_counter() < deadline_s):
        samples.append(block(count))
    return (GroupTiming(operation="pace", samples_s=tuple(samples)),)
