"""Arithmetic and traffic by formula."""

import pytest

from advisor.benchmark.planning.case_work import adam_bytes, matmul_bytes, matmul_flop, parameters, train_flop


def test_product_of_1024() -> None:
    """A product of edge 1024 has 2 · 2^30 FLOP and moves 12 MiB in fp32."""
    assert matmul_flop(1024) == 2 * 2**30
    assert matmul_bytes(1024, "fp32") == 12 * 2**20


def test_short_formats_move_less() -> None:
    """A format of half the width moves half the bytes."""
    assert matmul_bytes(512, "bf16") == matmul_bytes(512, "fp32") / 2 == matmul_bytes(512, "fp64") / 4


def test_parameters_of_the_article() -> None:
    """The layers have as many parameters as the article's table says."""
    assert parameters("article_cnn") == 42_520_584


def test_training_work_of_the_article() -> None:
    """Three times the forward work, without the gradient of the images, over the batch."""
    conv1 = 2 * 148**2 * 32 * 27
    others = 2 * (72**2 * 64 * 288 + 82944 * 512 + 512 * 64 + 64 * 8)

    assert train_flop("article_cnn", 32) == 32 * (2 * conv1 + 3 * others)


def test_adam_moves_every_parameter_ten_times() -> None:
    """The traffic of the parameters follows their number."""
    assert adam_bytes("article_cnn") == 10 * 4 * 42_520_584


@pytest.mark.torch
@pytest.mark.parametrize("name", ["article_cnn", "simple_cnn"])
def test_formula_agrees_with_torch(name: str) -> None:
    """Torch's own FLOP counter finds the same work in the network that is trained."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    from advisor.worker.networks import network_named

    network = network_named(name)
    with torch.device("meta"):
        model = network.build()
    images, _ = network.make_batch(4, 0, torch.device("meta"))
    with FlopCounterMode(display=False) as counter:
        network.loss(model(images), torch.zeros(4, dtype=torch.long, device="meta")).backward()

    assert counter.get_total_flops() == train_flop(name, 4)
