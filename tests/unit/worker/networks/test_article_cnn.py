"""The image classifier of the article that compares GPU and CPU: 42,520,584 parameters."""

import pytest

from tests.unit.worker.whole import run

pytestmark = pytest.mark.torch


def test_the_articles_network_has_its_parameters() -> None:
    """The network that is trained has 42,520,584 parameters, and a step is as many images as the batch."""
    result = run(program="train", network="article_cnn", batch_size=2, min_samples=1)

    assert (result.parameters, result.items_per_iteration) == (42_520_584, 2)


def test_layers_have_the_articles_shapes() -> None:
    """150 x 150 pixels become 36 x 36 of 64 channels and 8 scores."""
    import torch

    from advisor.worker.networks import network_named

    network = network_named("article_cnn")
    with torch.device("meta"):
        model = network.build()
    images, classes = network.make_batch(2, 0, torch.device("meta"))
    shapes = [tuple(images.shape)]
    for layer in model:  # type: ignore[attr-defined]
        images = layer(images)
        if tuple(images.shape) != shapes[-1]:
            shapes.append(tuple(images.shape))

    assert shapes == [
        (2, 3, 150, 150),
        (2, 32, 148, 148),
        (2, 32, 74, 74),
        (2, 64, 72, 72),
        (2, 64, 36, 36),
        (2, 82944),
        (2, 512),
        (2, 64),
        (2, 8),
    ]
    assert tuple(classes.shape) == (2,)
