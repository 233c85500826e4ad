"""The work of one training step of a language model, counted from its numbers: no torch, no weights needed.

Operations are those of the usual program (Hugging Face transformers): products of weights with their two gradients,
attention in one kernel where scores are neither capped nor have sinks, norms, rotations and the loss. In a mixture
every token goes through its active experts.
"""

from collections.abc import Iterator

import msgspec

from advisor.catalog.networks.attention import decompose
from advisor.catalog.networks.layer_tally import backward, forward
from advisor.records.job.serving import LanguageModel
from advisor.records.job.work import Network, Operation, highest_lines

_USUAL_STEPS = 1024
"""What ``SFTConfig.max_length`` of Hugging Face's TRL is unless it is set (huggingface/trl, read July 2026)."""


def usual_steps(model: LanguageModel) -> int:
    """Return the tokens of a text that a model is tuned on where nobody says: the usual 1,024, or all it can take."""
    return min(_USUAL_STEPS, model.context or _USUAL_STEPS)


def language_network(model: LanguageModel, steps: int, parameters: int) -> Network:
    """Return the network of a model for sequences of so many tokens.

    Args:
        model: Its numbers.
        steps: Tokens of a sequence.
        parameters: All of its parameters.
    """
    counted = _Step(model, steps)
    operations = [*counted.operations()]
    kept = 4.0 * steps * (counted.kept_numbers * model.layers + 2 * model.width + (1 + model.capped) * model.vocabulary)
    kept += counted.masks
    scores = 4.0 * steps * model.vocabulary
    network = Network(
        name=model.name,
        family="transformer",
        parameters=parameters,
        trainable_parameters=parameters,
        unmet_parameters=counted.unmet_parameters,
        parameter_tensors=counted.tensors,
        sample="sequence",
        sequence_length=steps,
        operations=tuple(operations),
        saved_bytes_per_sample=kept + 16.0 * steps,
        saved_integer_bytes_per_sample=16.0 * steps + counted.masks,
        largest_bytes_per_sample=max(scores, 4.0 * steps * model.feed_forward),
        peak_bytes_per_sample=kept + 2 * scores,
        moments=highest_lines(counted.moments(kept, scores, parameters)),
        largest_parameter=model.width * max(model.vocabulary, model.feed_forward),
        inference_bytes_per_sample=4.0 * steps * max(model.vocabulary + 2 * model.width, counted.alive_numbers),
        attention="fused",
        layers=model.layers,
        is_language_model=True,
        traced_with="counted from its config.json",
        parameter_source="counted from its config.json",
    )
    return decompose(network) if counted.is_apart else network


class _Step:
    """One step of a model on one sequence."""

    def __init__(self, model: LanguageModel, steps: int) -> None:
        self._model, self._steps = model, steps
        self._queries = model.heads * (model.head_size + model.rope_size)
        self._kept = model.key_value_heads * model.head_size
        self._values = model.heads * (model.value_size or model.head_size)
        self._mixtures = model.layers - model.dense_layers if model.experts else 0
        self.tensors = model.layers * self._layer_tensors() + model.final_norm * (1 + model.norm_bias)
        self.tensors += (1 if model.tied else 2) + bool(model.positions) + model.output_bias
        self.is_apart = model.sinks or model.capped

    def _layer_tensors(self) -> int:
        model = self._model
        attention = 4 + {"none": 0, "inputs": 3, "all": 4}[model.attention_bias] + 2 * model.query_norm
        one = 3 if model.gated or model.experts else 2
        inner = one * (1 + model.feed_forward_bias) + 3 * model.experts
        return attention + inner + model.norms * (1 + model.norm_bias)

    @property
    def unmet_parameters(self) -> int:
        """Weights of the experts that a token is not sent to: three products each."""
        model = self._model
        inner = model.expert_feed_forward or model.feed_forward
        return 3 * model.width * inner * self._mixtures * (model.experts - model.active_experts)

    @property
    def masks(self) -> float:
        """Bytes that dropout keeps: after the words, and twice in each layer."""
        return self._steps * self._model.width * (1.0 + 2 * self._model.layers) if self._model.drops else 0.0

    @property
    def alive_numbers(self) -> float:
        """Numbers of each token that are alive at most in a layer that keeps nothing."""
        return 3 * self._inner + 4 * self._model.width

    @property
    def _inner(self) -> float:
        """Numbers between the products of a layer for each token, on average over the layers."""
        model, mixtures = self._model, self._mixtures
        active = model.active_experts * (model.expert_feed_forward or model.feed_forward) + model.shared_feed_forward
        return (mixtures * active + (model.layers - mixtures) * model.feed_forward) / model.layers

    @property
    def kept_numbers(self) -> float:
        """Numbers a layer keeps of each token for the backward pass."""
        model = self._model
        norms = (3 if not model.norm_bias else 2) * model.norms * model.width
        attention = self._queries + 2 * self._kept + self._values + model.heads
        if self.is_apart:  # each key and value is there once for each query's head
            attention += 2 * (self._queries - self._kept) + self._steps * model.heads * model.capped
        spread = 2 * model.width * model.active_experts if model.experts else 0
        return norms + attention + self._inner_kept * self._inner + spread

    @property
    def _inner_kept(self) -> int:
        """How often a layer keeps what is between its products; gpt-oss limits both halves, ``gelu_new`` has parts."""
        if self._model.expert_bias:
            return 7
        if self._model.gated or self._model.experts:
            return 4
        return 5 if self._model.loose_activation else 2

    def moments(self, kept: float, scores: float, parameters: int) -> list[tuple[float, float]]:
        """Return (bytes of a sample, bytes of gradients) in the loss, in the last product, and in the first layer.

        Of what layers have in between nothing is fuller, for what is kept goes as gradients come, in equal parts.
        """
        model = self._model
        table = 4.0 * model.vocabulary * model.width
        alive = 4.0 * self._steps * self.alive_numbers
        layer = 4.0 * self._steps * self.kept_numbers
        return [(kept + 2 * scores, 0.0), (kept, table), (layer + alive, 4.0 * parameters + table * model.tied)]

    def operations(self) -> Iterator[Operation]:
        """Yield every group of equal operations."""
        model, steps = self._model, self._steps
        moved = 8.0 * steps * model.width
        yield forward("embedding", "embedding", (steps, model.width), moved=moved)
        for inner, units, count in self._products():
            yield from _product(steps, inner, units, count)
        yield from self._attention()
        yield from self._elementwise()
        yield from self._loss()
        table = 4.0 * model.vocabulary * model.width
        made = forward(
            "embedding", "embedding_dense_backward", (steps, model.width), moved=moved, fixed=table, kernels=2
        )
        yield backward(made)

    def _products(self) -> Iterator[tuple[int, int, float]]:
        """Yield (width in, width out, how many) of the products of a token with weights."""
        model, layers = self._model, self._model.layers
        if model.latent_size:
            rank = model.latent_size - model.rope_size
            yield model.width, model.query_rank or self._queries, layers
            if model.query_rank:
                yield model.query_rank, self._queries, layers
            yield model.width, model.latent_size, layers
            yield rank, model.heads * model.head_size + self._values, layers
        else:
            yield model.width, self._queries, layers
            yield model.width, self._kept, 2 * layers
        yield self._values, model.width, layers
        dense = layers - self._mixtures
        if dense:
            yield model.width, model.feed_forward, dense * (2 if model.gated else 1)
            yield model.feed_forward, model.width, dense
        if self._mixtures:
            inner = model.expert_feed_forward or model.feed_forward
            yield model.width, model.experts, self._mixtures
            yield model.width, inner, 2 * self._mixtures * model.active_experts
            yield inner, model.width, self._mixtures * model.active_experts
        if model.shared_feed_forward:
            yield model.width, model.shared_feed_forward, 2 * self._mixtures
            yield model.shared_feed_forward, model.width, self._mixtures
        yield model.width, model.vocabulary, 1

    def _attention(self) -> Iterator[Operation]:
        model, steps = self._model, self._steps
        size = model.head_size + model.rope_size
        shape, ending = (1, model.heads, steps, steps, size), "_causal" + "_dropout" * model.drops
        of_scores, of_values = (2.0 * model.heads * steps * steps * one for one in (size, model.value_size or size))
        read = 4.0 * steps * (self._queries + 2 * self._kept + self._values)
        made = forward("attention", f"attention{ending}", shape, flop=of_scores + of_values, moved=read)
        back = 3 * of_scores + 2 * of_values  # the scores are computed again
        gradient = forward("attention", f"attention_backward{ending}", shape, flop=back, moved=2 * read, kernels=3)
        yield _counted(made, model.layers)
        yield backward(_counted(gradient, model.layers))

    def _elementwise(self) -> Iterator[Operation]:
        """Norms, rotations of queries and keys, what is between the products of a layer, and shortcuts."""
        model, steps = self._model, self._steps
        norms = model.layers * model.norms + model.final_norm
        width, turned = steps * model.width, steps * (self._queries + self._kept)
        yield from _passes(width, (3 if not model.norm_bias else 1) * norms, (9 if not model.norm_bias else 2) * norms)
        if not model.positions:
            yield from _passes(turned, 4 * model.layers, 5 * model.layers)
        between = round(steps * self._inner)
        gated = bool(model.gated or model.experts)
        made, back = (2, 3) if gated else (8, 10) if model.loose_activation else (1, 1)
        yield from _passes(between, made * model.layers, back * model.layers)
        if model.drops:
            dropped = forward("elementwise", "native_dropout", (width,), flop=width, moved=9.0 * width)
            gradient = forward("elementwise", "native_dropout_backward", (width,), flop=width, moved=9.0 * width)
            yield _counted(dropped, 1 + 2 * model.layers)
            yield backward(_counted(gradient, 1 + 2 * model.layers))
        yield from _passes(width, 2 * model.layers, (4 if gated else 2) * model.layers)

    def _loss(self) -> Iterator[Operation]:
        model, steps = self._model, self._steps
        shape, scores = (steps, model.vocabulary), 4.0 * steps * model.vocabulary
        flop = float(steps * model.vocabulary)
        yield forward("loss", "_log_softmax", shape, flop=flop, moved=2 * scores)
        yield forward("loss", "nll_loss_forward", shape, flop=flop, moved=12.0 * steps)
        yield backward(forward("loss", "nll_loss_backward", shape, flop=flop, moved=scores, kernels=2))
        yield backward(forward("loss", "_log_softmax_backward_data", shape, flop=flop, moved=3 * scores))


def _product(steps: int, inner: int, units: int, count: float) -> Iterator[Operation]:
    """Yield a product of all tokens with a weight, and its two gradients."""
    flop, moved, weights = 2.0 * steps * inner * units, 4.0 * steps * (inner + units), 4.0 * inner * units
    shapes = ((1, steps, units, inner), 1), ((1, steps, inner, units), 1), ((1, units, inner, steps), 3)
    made, *gradients = (
        _counted(forward("gemm", "mm", shape, flop=flop, moved=moved, fixed=weights, axis=axis), count)
        for shape, axis in shapes
    )
    yield made
    yield from map(backward, gradients)


def _passes(elements: int, forwards: float, backwards: float) -> Iterator[Operation]:
    """Yield so many passes over a tensor in each direction: one tensor read and one written, in part a second read."""
    made = forward("elementwise", "mul", (elements,), flop=elements, moved=10.0 * elements)
    yield _counted(made, forwards)
    yield backward(_counted(made, backwards))


def _counted(operation: Operation, count: float) -> Operation:
    return msgspec.structs.replace(operation, count=round(count))
