"""The way to TPUs: through JAX where it is installed, refused with the reason where it is not."""

from importlib.util import find_spec

import pytest

from advisor.worker.failure import MissingJaxError, NotSupportedError
from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch
needs_jax = pytest.mark.skipif(find_spec("jax") is None, reason="JAX is an extra")


@pytest.mark.parametrize("program", ["xla_matmul", "xla_train"])
def test_without_jax_it_is_said(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both cases name what is missing."""
    import sys

    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(MissingJaxError, match="JAX is not installed"):
        run(program, device="xla:0", size=8, network="article_cnn")


@needs_jax
def test_what_is_not_written_for_jax_is_refused() -> None:
    """Another network or format than those that exist is said so."""
    with pytest.raises(NotSupportedError, match="no network 'resnet50'"):
        run("xla_train", device="xla:0", network="resnet50")
    with pytest.raises(NotSupportedError, match="not fp64"):
        run("xla_matmul", device="xla:0", size=8, precision="fp64")


@needs_jax
def test_product() -> None:
    """A product is timed on whatever JAX has."""
    result = run("xla_matmul", device="xla:0", size=16)

    assert result.details["devices"] >= 1


@needs_jax
def test_the_articles_network_has_its_parameters() -> None:
    """The network written for JAX has as many parameters as torch's, at the article's size."""
    result = run("xla_train", device="xla:0", network="article_cnn", batch_size=1, min_samples=1)

    assert (result.parameters, result.items_per_iteration) == (42_520_584, 1)


@needs_jax
def test_a_step_learns() -> None:
    """What is timed is a real training step: the loss of a batch repeated falls."""
    import jax

    from advisor.worker.cases.xla import _weights, start, training_step

    images = jax.random.uniform(jax.random.key(1), (8, 30, 30, 3))
    state = start(jax, _weights(jax, jax.random.key(2), 30))
    step = training_step(jax)
    losses = []
    for _step in range(60):
        state = step(state, images, jax.numpy.arange(8))
        losses.append(float(state[1]))

    assert losses[-1] < losses[0] / 2
