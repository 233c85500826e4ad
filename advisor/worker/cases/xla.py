"""Matrix product and the articles' CNN through JAX: how a TPU, or any other device of XLA, is reached.

JAX is an extra; without it both cases are refused with that reason. What JAX finds it computes on, be it the processor.
"""

import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import MissingJaxError, NotSupportedError
from advisor.worker.timing import SHORTEST_S, Block, Progress, time_blocks

_EDGE = 150
_CLASSES = 8
_DROPOUT = 0.2
_RATE, _BETAS, _EPSILON = 1e-3, (0.9, 0.999), 1e-8  # Adam's, as torch has them

State = Any
"""A tree of JAX's arrays."""


def run_xla_matmul(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the product of two matrices of edge ``case.size``, compiled by XLA.

    Each product is multiplied again: JAX waits for none, and could run those that do not need each other side by side.
    """
    del device  # JAX chooses its own
    jax = _jax(case)
    left, right = (jax.random.normal(key, (case.size, case.size)) for key in jax.random.split(jax.random.key(0), 2))
    left = left / case.size**0.5  # keeps the numbers as large as they are
    multiply = jax.jit(jax.numpy.matmul)
    with jax.default_matmul_precision("highest"):  # else a TPU rounds fp32 to bf16
        timing = time_blocks(_block(jax, lambda product: multiply(left, product), right), case, progress)
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        details=_details(jax),
    )


def run_xla_train(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the training step of the articles' CNN with Adam, compiled by XLA as a whole."""
    del device
    jax = _jax(case)
    if case.network != "article_cnn":
        raise NotSupportedError(f"This worker has no network '{case.network}' for JAX.")
    edge = case.size or _EDGE
    weights_key, images_key = jax.random.split(jax.random.key(0), 2)
    images = jax.random.uniform(images_key, (case.batch_size, edge, edge, 3))
    classes = jax.numpy.arange(case.batch_size) % _CLASSES
    weights = _weights(jax, weights_key, edge)
    step = training_step(jax)
    with jax.default_matmul_precision("highest"):
        block = _block(jax, lambda state: step(state, images, classes), start(jax, weights))
        timing = time_blocks(block, case, progress)
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        items_per_iteration=case.batch_size,
        parameters=sum(int(array.size) for array in jax.tree.leaves(weights)),
        details=_details(jax),
    )


def _jax(case: Case) -> ModuleType:
    try:
        jax = import_module("jax")
    except ImportError as error:
        raise MissingJaxError("JAX is not installed; it comes with the extra 'xla'.") from error
    if case.precision != "fp32":
        raise NotSupportedError(f"Through JAX only fp32 is measured, not {case.precision}.")
    return jax


def _details(jax: ModuleType) -> dict[str, float]:
    return {
        "devices": float(jax.device_count()),
        "is_processor": float(jax.default_backend() == "cpu"),
        "is_tpu": float(jax.default_backend() == "tpu"),
    }


def _block(jax: ModuleType, iteration: Callable[[State], State], state: State) -> Block:
    """Return a timer of iterations, each of which starts from what the one before made; waits at the end only."""

    def block(count: int) -> float:
        nonlocal state
        started_s = time.perf_counter()
        for _iteration in range(count):
            state = iteration(state)
        jax.block_until_ready(state)
        return max(time.perf_counter() - started_s, SHORTEST_S) / count

    return block


def _weights(jax: ModuleType, key: Any, edge: int) -> State:
    """Return random weights by layer: two convolutions (height, width, in, out), three dense layers (in, out)."""
    pooled = ((edge - 2) // 2 - 2) // 2
    shapes = ((3, 3, 3, 32), (3, 3, 32, 64), (64 * pooled * pooled, 512), (512, 64), (64, _CLASSES))
    made = []
    for shape, part in zip(shapes, jax.random.split(key, len(shapes)), strict=True):
        bound = 1.0 / float(torch.Size(shape[:-1]).numel()) ** 0.5
        made.append(
            {
                "weight": jax.random.uniform(part, shape, minval=-bound, maxval=bound),
                "bias": jax.numpy.zeros(shape[-1:]),
            }
        )
    return made


def _scores(jax: ModuleType, weights: State, images: Any, key: Any) -> Any:
    """Return (batch, classes) for images (batch, height, width, 3)."""
    values = images
    for layer in weights[:2]:
        values = jax.lax.conv_general_dilated(
            values, layer["weight"], (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        values = jax.nn.relu(values + layer["bias"])
        values = jax.lax.reduce_window(values, -jax.numpy.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    values = values.reshape(len(images), -1)
    for layer, part in zip(weights[2:4], jax.random.split(key, 2), strict=True):
        values = jax.nn.relu(values @ layer["weight"] + layer["bias"])
        kept = jax.random.bernoulli(part, 1 - _DROPOUT, values.shape)
        values = jax.numpy.where(kept, values / (1 - _DROPOUT), 0.0)
    return values @ weights[4]["weight"] + weights[4]["bias"]


def start(jax: ModuleType, weights: State) -> State:
    """Return the state of Adam before the first step: number, loss, weights and two moments of each."""
    moments = [jax.tree.map(jax.numpy.zeros_like, weights) for _moment in range(2)]
    return jax.numpy.zeros((), dtype=int), jax.numpy.zeros(()), weights, *moments


def training_step(jax: ModuleType) -> Callable[[State, Any, Any], State]:
    """Return the compiled step: from a state, images and classes to the next state.

    Source: Kingma and Ba, Adam, 2015, algorithm 1.
    """

    def loss_of(weights: State, images: Any, classes: Any, key: Any) -> Any:
        logs = jax.nn.log_softmax(_scores(jax, weights, images, key))
        return -jax.numpy.take_along_axis(logs, classes[:, None], axis=1).mean()

    def step(state: State, images: Any, classes: Any) -> State:
        number, _loss, weights, first, second = state
        number = number + 1
        key = jax.random.fold_in(jax.random.key(0), number)
        loss, gradients = jax.value_and_grad(loss_of)(weights, images, classes, key)
        one, two = _BETAS
        first = jax.tree.map(lambda m, g: one * m + (1 - one) * g, first, gradients)
        second = jax.tree.map(lambda v, g: two * v + (1 - two) * g * g, second, gradients)
        weights = jax.tree.map(
            lambda w, m, v: w - _RATE * (m / (1 - one**number)) / ((v / (1 - two**number)) ** 0.5 + _EPSILON),
            weights,
            first,
            second,
        )
        return number, loss, weights, first, second

    compiled: Callable[[State, Any, Any], State] = jax.jit(step, donate_argnums=0)
    return compiled
