"""What a training case needs to know of a network."""

import pytest

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(
    ("name", "all_parameters", "trained"),
    [
        ("simple_cnn", 422_218, 422_218),
        ("rnn_cell", 85_002, 85_002),
        ("lstm_cell", 332_298, 332_298),
        ("stacked_lstm", 858_634, 858_634),
        ("fused_lstm", 858_634, 858_634),
        ("transformer_block", 7_087_872, 7_087_872),
        ("densenet121", 7_978_856, 7_978_856),
        ("densenet121_transfer", 6_955_906, 6_955_906),
        ("densenet121_frozen", 6_955_906, 2_050),
        ("resnet50", 25_557_032, 25_557_032),
    ],
)
def test_parameters(name: str, all_parameters: int, trained: int) -> None:
    """Each network has the parameters its articles or its sizes give, and as many are trained as said."""
    import torch

    from advisor.worker.networks import network_named

    with torch.device("meta"):
        model = network_named(name).build()
    sizes = [(p.numel(), p.requires_grad) for p in model.parameters()]

    assert sum(size for size, _is_trained in sizes) == all_parameters
    assert sum(size for size, is_trained in sizes if is_trained) == trained
