"""The hand-written LSTM cell beside the fused one of torch."""

import pytest

pytestmark = pytest.mark.torch


def test_hand_written_and_fused_compute_the_same() -> None:
    """With the same weights and no dropout both LSTMs give the same scores."""
    import torch

    from advisor.worker.networks import network_named

    fused, hand = (network_named(name).build().eval() for name in ("fused_lstm", "stacked_lstm"))
    theirs = fused.state_dict()
    ours = {}
    for layer in range(2):
        for kind in ("weight", "bias"):
            ours[f"cells.{layer}.from_input.{kind}"] = theirs[f"layers.{kind}_ih_l{layer}"]
            ours[f"cells.{layer}.from_hidden.{kind}"] = theirs[f"layers.{kind}_hh_l{layer}"]
    ours |= {f"head.{kind}": theirs[f"head.{kind}"] for kind in ("weight", "bias")}
    hand.load_state_dict(ours)
    sequence, _classes = network_named("fused_lstm").make_batch(3, 5, torch.device("cpu"))

    torch.testing.assert_close(hand(sequence), fused(sequence))
