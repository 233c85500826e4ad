"""ResNet-50, the variant that halves in the 3x3 convolution (v1.5): 25,557,032 parameters."""

import pytest

from advisor.worker.networks import resnet50
from advisor.worker.tracing.trace import trace_module
from tests.unit.worker.tracing.traced import images, product_flop

pytestmark = pytest.mark.torch


def test_resnet50_has_its_published_products() -> None:
    """4.089 thousand million multiply-accumulates forward. Source: torchvision model card."""
    network = trace_module(resnet50.build(), images(224))
    assert product_flop(network, phase="forward") / 2e9 == pytest.approx(4.089, abs=0.001)
