"""What the layers of networks cost: operations, what they keep, their parameters, each as a trace of torch's shows it.

``layers`` puts them together as a user describes them; ``catalog.described`` as the libraries' own models do.
"""

import math

from advisor.catalog.networks.layer_tally import LayerTally, Tensor, backward, forward
from advisor.records.job.work import Operation

Extent = int | tuple[int, int]
_ACTIVATIONS = {
    "relu": ("threshold_backward", (8,), (12,), 0),
    "gelu": ("gelu_backward", (8,), (12,), 1),
    "silu": ("silu_backward", (8,), (12,), 1),
    "tanh": ("tanh_backward", (8,), (12,), 0),
    "sigmoid": ("sigmoid_backward", (8,), (12,), 0),
    "quick_gelu": ("mul", (8, 8, 12), (12, 12, 12, 8, 12), 2),
    "gelu_new": ("mul", (8, 8, 12, 8, 8, 8, 8, 12), (12,) * 3 + (8,) * 5 + (12,) * 2, 4),
}
"""Operator of the gradient, bytes of each pass over an element both ways, tensors kept of its input's size (0: itself).

``quick_gelu`` (CLIP) and ``gelu_new`` (T5, GPT-2) are written out in their libraries, one operator after the other.
"""


def elementwise(operator: str, elements: int, moved: float) -> Operation:
    """Return an operation on so many numbers."""
    return forward("elementwise", operator, (elements,), flop=elements, moved=moved)


def product(operator: str, shape: tuple[int, int, int, int], axis: int, moved: float, fixed: float) -> Operation:
    """Return a product of matrices."""
    return forward("gemm", operator, shape, flop=2 * math.prod(shape), moved=moved, fixed=fixed, axis=axis)


def linear(tally: LayerTally, units: int, *, bias: bool = True, tied: bool = False, is_given: bool = False) -> None:
    """Add a dense layer over the last dimension.

    Args:
        tally: Where.
        units: What it puts out.
        bias: It has one.
        tied: Its weights are counted elsewhere.
        is_given: What comes in is a sample's, and needs no gradient.
    """
    shape = tally.tensor.shape
    width, rows = shape[-1], math.prod(shape[:-1])
    before, after = tally.tensor, Tensor((*shape[:-1], units))
    moved, weights, biases = before.bytes + after.bytes, width * units, units if bias else 0
    made = product("addmm" if bias else "mm", (1, rows, units, width), 1, moved, 4 * (weights + biases))
    back = (
        [product("mm", (1, rows, width, units), 1, moved, 4 * weights)] if tally.has_parameters and not is_given else []
    )
    back.append(product("mm", (1, units, width, rows), 3, moved, 4 * weights))
    if bias:
        sums = forward(
            "reduction", "sum", (units, rows), flop=after.elements, moved=after.bytes, fixed=4 * units, axis=1
        )
        back.append(sums)
    tally.own(*([] if tied else [weights]), *([units] if bias else []))
    tally.gradients += weights if tied else 0
    tally.add(after, [made], map(backward, back), keeps=(before,))


def convolution(
    tally: LayerTally,
    filters: int,
    kernel: Extent,
    *,
    stride: int = 1,
    padding: Extent = 0,
    groups: int = 1,
    bias: bool = True,
) -> None:
    """Add a convolution over (channels, height, width); a sound is an image of one row."""
    channels, height, width = tally.tensor.shape
    (tall, wide), (above, beside) = _pair(kernel), _pair(padding)
    rows = (height + 2 * above - tall) // stride + 1
    columns = (width + 2 * beside - wide) // stride + 1
    before, after = tally.tensor, Tensor((filters, rows, columns))
    shape = (channels, filters, tall, wide, rows, columns, groups, stride)
    weights = channels // groups * filters * tall * wide
    made = forward(
        "depthwise_conv" if groups == channels == filters and groups > 1 else "conv",
        "conv",
        shape,
        flop=2 * weights * rows * columns,
        moved=before.bytes + after.bytes,
        fixed=4 * weights,
        axis=-1,
    )
    names = (["conv_input_gradient"] if tally.has_parameters else []) + ["conv_weight_gradient"]
    back = [
        forward(
            made.kind, name, shape, flop=made.flop_per_sample, moved=made.bytes_per_sample, fixed=4 * weights, axis=-1
        )
        for name in names
    ]
    works = [made]
    if bias:
        pixels = (filters, rows * columns)
        works.append(
            forward(
                "elementwise",
                "conv_bias",
                (after.elements,),
                flop=after.elements,
                moved=2 * after.bytes,
                fixed=4 * filters,
            )
        )
        back.append(
            forward(
                "reduction",
                "conv_bias_gradient",
                pixels,
                flop=after.elements,
                moved=after.bytes,
                fixed=4 * filters,
                axis=1,
            )
        )
    tally.own(weights, *([filters] if bias else []))
    tally.add(after, works, map(backward, back), keeps=(before,))


def _pair(extent: Extent) -> tuple[int, int]:
    return (extent, extent) if isinstance(extent, int) else extent


def activation(tally: LayerTally, kind: str = "relu") -> None:
    """Add an activation; see ``_ACTIVATIONS``."""
    name, forwards, backwards, inner = _ACTIVATIONS[kind]
    elements, before = tally.tensor.elements, tally.tensor
    after = Tensor(before.shape)
    made = [elementwise(kind if len(forwards) == 1 else "mul", elements, moved * elements) for moved in forwards]
    back = [backward(elementwise(name, elements, moved * elements)) for moved in backwards]
    if not tally.has_parameters:
        tally.add(after, made)
    elif inner:
        tally.add(after, made, back, keeps=(before,), kept_bytes=(inner - 1) * before.bytes)
    else:
        tally.add(after, made, back, keeps=(after,))


def normalization(tally: LayerTally, *, bias: bool = True, weighted: bool = True) -> None:
    """Add a layer normalization over the last dimension."""
    shape = tally.tensor.shape
    width, rows = shape[-1], math.prod(shape[:-1])
    before, after, elements = tally.tensor, Tensor(shape), tally.tensor.elements
    sizes = [width] * (weighted + (weighted and bias))
    fixed = 4.0 * sum(sizes)
    made = forward(
        "normalization", "native_layer_norm", (rows, width), flop=elements, moved=8 * elements + 8 * rows, fixed=fixed
    )
    gradient = forward(
        "normalization",
        "native_layer_norm_backward",
        (rows, width),
        flop=elements,
        moved=12 * elements + 8 * rows,
        fixed=2 * fixed,
        kernels=2,
    )
    tally.own(*sizes)
    tally.add(after, [made], [backward(gradient)], keeps=(before,), kept_bytes=8 * rows)


def root_normalization(tally: LayerTally) -> None:
    """Add a normalization by the root of the mean square, as libraries write it out."""
    before, elements = tally.tensor, tally.tensor.elements
    width = before.shape[-1]
    tally.own(width)
    tally.add(
        Tensor(before.shape),
        [elementwise("mul", elements, moved * elements) for moved in (8, 4, 8, 8)],
        [backward(elementwise("mul", elements, moved * elements)) for moved in (8, 12, 4, 8, 12, 4, 8, 8, 12)],
        keeps=(before,),
        kept_bytes=4 * (elements // width) + before.bytes,
    )


def group_normalization(tally: LayerTally, groups: int = 32) -> None:
    """Add a normalization over groups of channels of an image."""
    channels, height, width = tally.tensor.shape
    before, elements = tally.tensor, tally.tensor.elements
    shape = (groups, elements // groups)
    made = forward("normalization", "native_group_norm", shape, flop=elements, moved=8 * elements, fixed=8 * channels)
    gradient = forward(
        "normalization", "native_group_norm_backward", shape, flop=elements, moved=12 * elements, fixed=16 * channels
    )
    tally.own(channels, channels)
    tally.add(Tensor((channels, height, width)), [made], [backward(gradient)], keeps=(before,), kept_bytes=8 * groups)


def dropout(tally: LayerTally, share: float = 0.5) -> None:
    """Add dropout; none where the share is 0."""
    if not share:
        return
    elements = tally.tensor.elements
    made = elementwise("native_dropout", elements, 9 * elements)
    gradient = backward(elementwise("native_dropout_backward", elements, 9 * elements))
    back = [gradient] if tally.has_parameters else []
    tally.add(Tensor(tally.tensor.shape), [made], back, kept_masks=elements)


def chosen(tally: LayerTally, width: int | None = None) -> None:
    """Take one token of a sequence; its memory is the whole's. ``width``: where more than one is put side by side."""
    before = tally.tensor
    after = Tensor((width or before.shape[-1],))
    spread = backward(forward("copy", "select_backward", (before.elements,), moved=before.bytes + after.bytes))
    tally.add(after, [], [spread], keeps=(before,))


def joined(tally: LayerTally, shape: tuple[int, ...]) -> None:
    """Put what is there beside something else, in a new tensor."""
    after = Tensor(shape)
    tally.add(after, [forward("copy", "cat", (after.elements,), moved=tally.tensor.bytes + after.bytes)])


def embedding(tally: LayerTally, vocabulary: int, width: int, *, tied: bool = False) -> None:
    """Add a look-up of token numbers in a table; ``tied``: the table is counted elsewhere."""
    before, after = tally.tensor, Tensor((*tally.tensor.shape, width))
    moved = 2 * after.bytes + before.bytes
    made = forward("embedding", "embedding", (before.elements, width), moved=moved)
    gradient = forward(
        "embedding",
        "embedding_dense_backward",
        (before.elements, width),
        flop=after.elements,
        moved=moved,
        fixed=4 * vocabulary * width,
        kernels=2,
    )
    if not tied:
        tally.own(vocabulary * width)
    tally.add(after, [made], [backward(gradient)], keeps=(before,))


def learned(tally: LayerTally, rows: int, width: int) -> None:
    """Add a learned table that is added to each sample's tokens, such as that of their places."""
    elements = tally.tensor.elements
    made = forward("elementwise", "add", (elements,), flop=elements, moved=8 * elements, fixed=4 * elements)
    gradient = forward("reduction", "sum", (elements, 1), flop=elements, moved=4 * elements, fixed=4 * elements, axis=1)
    tally.own(rows * width)
    tally.add(Tensor(tally.tensor.shape), [made], [backward(gradient)])


def added(tally: LayerTally) -> None:
    """Add a shortcut to what came through the layers beside it."""
    elements = tally.tensor.elements
    add = elementwise("add", elements, 12 * elements)
    tally.add(Tensor(tally.tensor.shape), [add], [backward(add)])


def multiplied(tally: LayerTally, other: Tensor) -> None:
    """Multiply what is there with another tensor."""
    before, elements = tally.tensor, tally.tensor.elements
    one = elementwise("mul", elements, 12 * elements)
    tally.add(Tensor(before.shape), [one], [backward(one)] * 2, keeps=(before, other))


def passes(tally: LayerTally, forwards: int, backwards: int, *, kept: float = 0.0) -> None:
    """Add so many passes over what is there, such as scales; ``kept``: tensors of its size kept for backward."""
    elements = tally.tensor.elements
    made = [elementwise("mul", elements, 10 * elements)] * forwards
    back = [backward(elementwise("mul", elements, 10 * elements))] * backwards
    tally.add(Tensor(tally.tensor.shape), made, back, kept_bytes=kept * tally.tensor.bytes)


def attention(
    tally: LayerTally,
    inputs: tuple[Tensor, Tensor, Tensor],
    heads: int,
    *,
    copies: int = 1,
    causal: bool = False,
    drops: bool = False,
    mask_bytes: float = 0.0,
) -> None:
    """Add attention of queries over keys in one kernel.

    Args:
        tally: Where.
        inputs: Queries, keys and values, (…, width) each.
        heads: Of the queries.
        copies: Windows that a sample is cut into.
        causal: Masked by the order.
        drops: With dropout.
        mask_bytes: Of a mask that is added to the scores.
    """
    queries, keys, values = inputs
    size = queries.shape[-1] // heads
    asked, seen = (math.prod(one.shape[:-1]) // copies for one in (queries, keys))
    after = Tensor((*queries.shape[:-1], values.shape[-1]))
    sums = 4 * heads * asked * copies
    shape, flop = (copies, heads, asked, seen, size), 4 * copies * heads * asked * seen * size
    moved = queries.bytes + keys.bytes + values.bytes + after.bytes
    ending = ("_causal" if causal else "") + ("_dropout" if drops else "")
    made = forward("attention", f"attention{ending}", shape, flop=flop, moved=moved + sums, fixed=mask_bytes)
    gradient = forward(
        "attention", f"attention_backward{ending}", shape, flop=2.5 * flop, moved=2 * moved + sums, kernels=3
    )
    tally.has_attention = True
    kept = tuple({id(one): one for one in inputs}.values())
    tally.add(after, [made], [backward(gradient)], keeps=(*kept, after), kept_bytes=sums)


def distant_attention(tally: LayerTally, inputs: tuple[Tensor, Tensor, Tensor], heads: int, distances: int) -> None:
    """Add attention whose scores have two products more, of contents with every distance, and dropout (DeBERTa).

    Queries and keys of distances are made once for a batch, with the weights of those of contents.
    """
    queries, _, values = inputs
    steps, width = queries.shape
    size, scores, wide = width // heads, heads * steps * steps, heads * steps * distances
    works: list[Operation] = []
    back: list[Operation] = []
    for shape in ((heads, steps, steps, size), (heads, steps, size, steps)):
        works.append(product("bmm", shape, 0, 4.0 * (scores + 2 * queries.elements), 0))
        back += [product("bmm", shape, 0, 4.0 * (scores + 2 * queries.elements), 0)] * 2
    held, table = 4 * distances * width, 2.0 * distances * width * width
    places = (1, distances, width, width)
    for _ in range(2):  # contents with places, places with contents
        fixed = 4.0 * width * width + 2 * held
        shape, moved = (heads, steps, distances, size), 4.0 * (wide + queries.elements + heads * size * distances)
        works += [
            forward("gemm", "addmm", places, axis=None, flop_fixed=table, fixed=fixed),
            product("bmm", shape, 0, moved, 0),
        ]
        works += [forward("copy", "repeat", (width * distances,), moved=held, fixed=3 * held)]
        works += [
            forward("embedding", "gather", (scores, 1), moved=8.0 * scores),
            elementwise("div", scores, 8.0 * scores),
        ]
        back += [forward("gemm", "mm", places, axis=None, flop_fixed=table, fixed=fixed)] * 2
        back += [product("bmm", shape, 0, moved, 0)] * 2
        back += [forward("embedding", "scatter_add", (scores, 1), moved=24.0 * scores)]
        back += [forward("copy", "new_zeros", (wide,), moved=5.0 * wide), elementwise("div", scores, 8.0 * scores)]
    works += [elementwise("add", scores, moved * scores) for moved in (8, 12, 12, 8)]
    works += [
        forward("softmax", "_softmax", (heads * steps, steps), flop=scores, moved=8.0 * scores),
        elementwise("native_dropout", scores, 9.0 * scores),
    ]
    back += [
        elementwise("native_dropout_backward", scores, 9.0 * scores),
        elementwise("masked_fill", scores, 8.0 * scores),
    ]
    back += [forward("softmax", "_softmax_backward_data", (heads * steps, steps), flop=scores, moved=12.0 * scores)]
    copies = elementwise("clone", queries.elements, 32.0 * queries.elements)
    tally.has_attention = tally.is_attention_decomposed = True
    kept = 2 * (held + 4 * wide) + 8 * scores + 16 * steps * steps
    after, beside = Tensor(values.shape), tally.shortcut
    tally.shortcut = Tensor(((beside.elements if beside else 0) + 3 * wide + 5 * scores,))
    tally.add(
        after,
        [*works, copies],
        map(backward, [*back, copies]),
        keeps=inputs,
        kept_bytes=kept,
        kept_masks=scores + 17 * steps * steps,
    )
    tally.shortcut = beside


def cross_entropy(tally: LayerTally) -> None:
    """Add the cross-entropy over the last layer's numbers; over the channels where it puts out an image."""
    shape = tally.tensor.shape
    classes = shape[0] if len(shape) == 3 else shape[-1]
    elements = tally.tensor.elements
    rows, numbers = elements // classes, (elements // classes, classes)
    made = [
        forward("loss", "_log_softmax", numbers, flop=elements, moved=8 * elements),
        forward("loss", "nll_loss_forward", numbers, flop=elements, moved=12 * rows, fixed=8),
    ]
    back = [
        forward("loss", "nll_loss_backward", numbers, flop=elements, moved=4 * elements + 12 * rows, kernels=2),
        forward("loss", "_log_softmax_backward_data", numbers, flop=elements, moved=12 * elements),
    ]
    after = Tensor(shape)
    tally.add(after, made, [backward(operation) for operation in back], keeps=(after,), kept_masks=8 * rows)


def squared_error(tally: LayerTally) -> None:
    """Add the mean squared error of everything the last layer puts out."""
    elements, after = tally.tensor.elements, Tensor(tally.tensor.shape)
    made = forward("loss", "mse_loss", (elements,), flop=elements, moved=8 * elements, fixed=4)
    gradient = forward("loss", "mse_loss_backward", (elements,), flop=elements, moved=12 * elements)
    tally.add(after, [made], [backward(gradient)], keeps=(after,))
