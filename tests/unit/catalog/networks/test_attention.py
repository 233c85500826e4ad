"""Attention without a fused kernel: products and softmax, with every score stored."""

import math

from advisor.catalog.networks.tables import network
from advisor.records.job.work import Network


def test_attention_taken_apart_does_the_same_products() -> None:
    """Forward the FLOP of all products are the same; backward one product less, scores are not computed twice."""
    fused, apart = network("gpt2"), network("gpt2", attention="decomposed")
    kinds = ("gemm", "attention")

    def products(found: Network, phase: str) -> float:
        chosen = [o for o in found.operations if o.kind in kinds and o.phase == phase]
        return math.fsum(o.count * o.flop_per_sample for o in chosen)

    assert apart.attention == "decomposed"
    assert products(fused, "forward") == products(apart, "forward")
    scores = 2 * 12 * 12 * 1024 * 1024 * 64
    assert products(fused, "backward") - products(apart, "backward") == scores
    assert apart.saved_bytes_per_sample > fused.saved_bytes_per_sample + 12 * 12 * 4 * 1024**2
    assert not [o for o in apart.operations if o.kind == "attention"]


def test_a_network_without_attention_is_not_taken_apart() -> None:
    """Nothing to do."""
    assert network("resnet50", attention="decomposed") == network("resnet50")
