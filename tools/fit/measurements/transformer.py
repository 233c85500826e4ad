"""Tables of work of transformers by formula, for sizes that no catalogue lists.

The operations, and what they are called, follow the tables traced from real networks, so that both can be predicted by
the same constants. Source of the counts: Vaswani et al. 2017; Kaplan et al. 2020, appendix A.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from advisor.records.job.work import Network, Operation, OperationKind, Phase

_ELEMENT_BYTES = 4
Activation = Literal["relu", "gelu", "gelu_new", "swiglu"]

_ACTIVATION_PASSES: dict[Activation, tuple[tuple[int, int], tuple[int, int]]] = {
    "relu": ((1, 2), (1, 3)),
    "gelu": ((1, 2), (1, 3)),
    "gelu_new": ((8, 18), (11, 29)),  # GPT-2's tanh formula in plain tensor operations
    "swiglu": ((2, 5), (4, 10)),
}
"""By activation: (kernels, tensors moved) forward and backward, of a tensor as wide as the inner layer."""


@dataclass(frozen=True, kw_only=True)
class TransformerShape:
    """The sizes of a transformer with one attention and one two-layer network in each block.

    Attributes:
        inner: Width of the inner layer; 4 times ``hidden`` in the GPT family.
        key_value_heads: Fewer than ``heads`` with grouped queries.
        attention: ``fused`` stores no scores; ``decomposed`` runs products, mask, softmax and dropout one by one.
        tied: Whether input and output embedding are one matrix.
        positions: Learned positions; 0 with rotary ones.
    """

    layers: int
    hidden: int
    heads: int
    sequence: int
    vocabulary: int
    inner: int | None = None
    key_value_heads: int | None = None
    activation: Activation = "gelu"
    attention: Literal["fused", "decomposed"] = "fused"
    dropout: bool = False
    tied: bool = True
    bias: bool = True
    positions: int = 0

    @property
    def inner_width(self) -> int:
        """Width of the inner layer."""
        return self.inner if self.inner is not None else 4 * self.hidden

    @property
    def key_value_width(self) -> int:
        """Width of keys, and of values."""
        return self.hidden * (self.key_value_heads or self.heads) // self.heads

    @property
    def products(self) -> tuple[tuple[int, int], ...]:
        """(outputs, inputs) of the matrices of one block."""
        hidden, inner, narrow = self.hidden, self.inner_width, self.key_value_width
        first = 2 if self.activation == "swiglu" else 1
        return ((hidden + 2 * narrow, hidden), (hidden, hidden), *(((inner, hidden),) * first), (hidden, inner))

    @property
    def parameters(self) -> int:
        """Number of parameters."""
        matrices = sum(outputs * inputs + (outputs if self.bias else 0) for outputs, inputs in self.products)
        norm = (2 if self.bias else 1) * self.hidden
        embeddings = self.vocabulary * self.hidden * (1 if self.tied else 2) + self.positions * self.hidden
        return self.layers * (matrices + 2 * norm) + norm + embeddings


def transformer_network(name: str, shape: TransformerShape) -> Network:
    """Return the work of a training step of a decoder with a loss over the vocabulary at each position."""
    operations = tuple(_operations(shape))
    saved, integers = _saved_bytes(shape)
    tokens = shape.sequence
    scores = 0 if shape.attention == "fused" else shape.heads * tokens * tokens * _ELEMENT_BYTES
    logits = tokens * shape.vocabulary * _ELEMENT_BYTES
    return Network(
        name=name,
        family="transformer",
        parameters=shape.parameters,
        trainable_parameters=shape.parameters,
        parameter_tensors=shape.layers * (len(shape.products) + 2) * (2 if shape.bias else 1) + 4,
        sample="sequence",
        sequence_length=tokens,
        operations=operations,
        saved_bytes_per_sample=saved,
        saved_integer_bytes_per_sample=integers,
        largest_bytes_per_sample=float(max(scores, logits)),
        peak_bytes_per_sample=saved + 2.0 * logits,
        inference_bytes_per_sample=float(max(3 * scores, logits)) + 8.0 * tokens * shape.hidden * _ELEMENT_BYTES,
        attention=shape.attention,
        layers=shape.layers,
        traced_with="formula",
    )


def _saved_bytes(shape: TransformerShape) -> tuple[float, float]:
    """Return the bytes kept for backward by one sample, and the share of masks in them.

    A block keeps the inputs of its matrices and norms, queries, keys, values, and what its activation needs.
    """
    tokens, hidden, inner = shape.sequence, shape.hidden, shape.inner_width
    activation = {"relu": 1, "gelu": 2, "gelu_new": 8, "swiglu": 4}[shape.activation]
    per_token = 4 * hidden + (hidden + 2 * shape.key_value_width) + hidden + activation * inner
    kept, masks = float(tokens * per_token * _ELEMENT_BYTES), 0.0
    if shape.attention == "decomposed":
        kept += 2.0 * shape.heads * tokens * tokens * _ELEMENT_BYTES
        masks += shape.heads * tokens * tokens * (2.0 if shape.dropout else 1.0)
    if shape.dropout:
        masks += 2.0 * tokens * hidden
    head = float(tokens * (2 * hidden + shape.vocabulary) * _ELEMENT_BYTES)
    return shape.layers * (kept + masks) + head, shape.layers * masks


def _operations(shape: TransformerShape) -> Iterator[Operation]:
    layers, tokens, hidden = shape.layers, shape.sequence, shape.hidden
    yield _plain("embedding", "forward", "embedding", (tokens, hidden), 2 * tokens * hidden, count=2)
    for outputs, inputs in shape.products:
        yield from _product(tokens, outputs, inputs, layers, bias=shape.bias)
    yield from _product(tokens, shape.vocabulary, hidden, 1, bias=False)
    yield from _attention(shape)
    yield from _elementwise(shape)
    yield from _loss(shape)
    table = shape.vocabulary * hidden * _ELEMENT_BYTES
    yield _plain(
        "embedding",
        "backward",
        "embedding_dense_backward",
        (tokens, hidden),
        2 * tokens * hidden,
        fixed=float(table),
        kernels=2,
    )
    if shape.tied:
        yield _plain("elementwise", "backward", "add", (shape.vocabulary * hidden,), 0, fixed=3.0 * table, axis=None)


def _product(tokens: int, outputs: int, inputs: int, count: int, *, bias: bool) -> Iterator[Operation]:
    """A matrix applied to each token: the product, and the gradients of its input and of its weight."""
    flop = 2.0 * tokens * outputs * inputs
    moved, fixed = tokens * (outputs + inputs) * _ELEMENT_BYTES, outputs * inputs * _ELEMENT_BYTES
    kinds: tuple[tuple[Phase, tuple[int, ...], int], ...] = (
        ("forward", (1, tokens, outputs, inputs), 1),
        ("backward", (1, tokens, inputs, outputs), 1),
        ("backward", (1, outputs, inputs, tokens), 3),
    )
    for phase, size, axis in kinds:
        yield Operation(
            kind="gemm",
            phase=phase,
            operator="addmm" if phase == "forward" and bias else "mm",
            shape=size,
            batch_axis=axis,
            count=count,
            flop_per_sample=flop,
            bytes_per_sample=float(moved),
            bytes_fixed=float(fixed),
        )
    if bias:
        yield _plain("reduction", "backward", "sum", (outputs, tokens), tokens * outputs, count=count, axis=1)


def _attention(shape: TransformerShape) -> Iterator[Operation]:
    tokens, heads = shape.sequence, shape.heads
    size = shape.hidden // heads
    layers, width = shape.layers, 3 * shape.hidden
    yield _plain("copy", "forward", "clone", (shape.hidden * tokens,), 2 * shape.hidden * tokens, count=layers)
    yield _plain("copy", "backward", "clone", (width * tokens,), 2 * width * tokens, count=layers)
    if shape.attention == "fused":
        moved = 4.0 * tokens * shape.hidden * _ELEMENT_BYTES
        for phase, products in (("forward", 2), ("backward", 5)):
            yield Operation(
                kind="attention",
                phase=phase,  # type: ignore[arg-type]
                operator="attention_causal" if phase == "forward" else "attention_backward_causal",
                shape=(1, heads, tokens, tokens, size),
                batch_axis=0,
                count=layers,
                flop_per_sample=2.0 * products * heads * tokens * tokens * size,
                bytes_per_sample=moved * (1 if phase == "forward" else 2),
                kernels=1 if phase == "forward" else 3,
            )
        return
    yield from _scores(heads, tokens, size, layers, dropout=shape.dropout)


def _scores(heads: int, tokens: int, size: int, layers: int, *, dropout: bool) -> Iterator[Operation]:
    """Attention taken apart: each pass over the scores is a kernel of its own."""
    elements = heads * tokens * tokens
    long, short = (heads, tokens, tokens, size), (heads, tokens, size, tokens)
    moved = float((2 * heads * tokens * size + elements) * _ELEMENT_BYTES)
    for phase, size_of, count in (
        ("forward", long, 1),
        ("forward", short, 1),
        ("backward", long, 1),
        ("backward", short, 3),
    ):
        yield Operation(
            kind="gemm",
            phase=phase,  # type: ignore[arg-type]
            operator="bmm",
            shape=size_of,
            batch_axis=0,
            count=count * layers,
            flop_per_sample=2.0 * elements * size,
            bytes_per_sample=moved,
        )
    yield _plain("elementwise", "forward", "div", (elements,), 2 * elements, count=layers)
    yield _plain("elementwise", "forward", "where", (elements,), 2 * elements, count=layers)
    yield _plain("softmax", "forward", "_softmax", (heads * tokens, tokens), 2 * elements, count=layers)
    yield _plain("softmax", "backward", "_softmax_backward_data", (heads * tokens, tokens), 3 * elements, count=layers)
    yield _plain("elementwise", "backward", "where", (elements,), 2 * elements, count=layers)
    yield _plain("elementwise", "backward", "div", (elements,), 2 * elements, count=layers)
    if dropout:
        yield _plain("elementwise", "forward", "native_dropout", (elements,), 2.25 * elements, count=layers)
        yield _plain("elementwise", "backward", "native_dropout_backward", (elements,), 2.25 * elements, count=layers)


def _elementwise(shape: TransformerShape) -> Iterator[Operation]:
    """Norms, residual sums, dropout and activation."""
    tokens, hidden, layers = shape.sequence, shape.hidden, shape.layers
    width, norms = tokens * hidden, 2 * shape.layers + 1
    yield _plain("normalization", "forward", "native_layer_norm", (tokens, hidden), 2 * width, count=norms)
    yield _plain(
        "normalization",
        "backward",
        "native_layer_norm_backward",
        (tokens, hidden),
        3 * width,
        count=norms,
        kernels=2,
    )
    yield _plain("elementwise", "forward", "add", (width,), 3 * width, count=2 * layers)
    yield _plain("elementwise", "backward", "add", (width,), 3 * width, count=2 * layers)
    if shape.dropout:
        yield _plain("elementwise", "forward", "native_dropout", (width,), 2.25 * width, count=2 * layers)
        yield _plain("elementwise", "backward", "native_dropout_backward", (width,), 2.25 * width, count=2 * layers)
    inner = tokens * shape.inner_width
    for phase, (kernels, tensors) in zip(("forward", "backward"), _ACTIVATION_PASSES[shape.activation], strict=True):
        share = inner * tensors / kernels
        yield _plain("elementwise", phase, shape.activation, (inner,), share, count=kernels * layers)  # type: ignore[arg-type]


def _loss(shape: TransformerShape) -> Iterator[Operation]:
    rows, width = shape.sequence, shape.vocabulary
    elements = rows * width
    yield _plain("loss", "forward", "_log_softmax", (rows, width), 2 * elements)
    yield _plain("loss", "backward", "nll_loss_backward", (rows, width), elements, kernels=2)
    yield _plain("loss", "backward", "_log_softmax_backward_data", (rows, width), 3 * elements)


def _plain(
    kind: OperationKind,
    phase: Phase,
    operator: str,
    shape: tuple[int, ...],
    elements: float,
    *,
    count: int = 1,
    fixed: float = 0.0,
    kernels: int = 1,
    axis: int | None = 0,
) -> Operation:
    """An operation whose time is that of the elements it moves."""
    return Operation(
        kind=kind,
        phase=phase,
        operator=operator,
        shape=shape,
        batch_axis=axis,
        count=count,
        flop_per_sample=float(elements) / 2,
        bytes_per_sample=float(elements) * _ELEMENT_BYTES,
        bytes_fixed=fixed,
        kernels=kernels,
    )
