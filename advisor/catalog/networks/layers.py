"""A user's own network, described by its layers, as work; no torch needed.

Each layer adds what a trace of the same torch modules shows (rules: ``advisor.worker.tracing.trace``); a test compares
the two. Layers follow each other; what branches is traced from the user's own program instead.
"""

from collections.abc import Callable

import msgspec

from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor, backward, forward
from advisor.catalog.networks.tables import OWN_NETWORK
from advisor.errors import InputError
from advisor.records.job.work import Network, Operation
from advisor.records.job.workload import Layer, LayerKind, Workload

MAX_LAYERS = 2000
_INNER = 4
_RECURRENT = {"lstm": (4, 6), "gru": (3, 5)}
"""Gates, and values kept for each unit and step."""


def network_of_layers(workload: Workload) -> Network:
    """Return the network that a workload's layers describe.

    Raises:
        InputError: A layer does not fit what comes before it, or lacks a number; the sentence names it.
    """
    tally = LayerTally(_input_of(workload))
    count = sum(layer.repeat for layer in workload.layers)
    if count > MAX_LAYERS:
        raise InputError("layers: there are {count} layers; at most {most} are allowed.", count=count, most=MAX_LAYERS)
    layers = [layer for layer in workload.layers for _ in range(layer.repeat)]
    for number, layer in enumerate(layers, start=1):
        try:
            _LAYERS[layer.kind](tally, layer)
        except InputError as error:
            raise InputError(
                "layers: number {number} ({kind}) {fault}", number=number, kind=layer.kind, fault=error
            ) from error
    if not tally.has_parameters:
        raise InputError("layers: no layer has parameters; add a conv, dense, embedding or recurrent one.")
    parts.cross_entropy(tally)
    kinds = {layer.kind for layer in layers}
    family = "transformer" if "transformer" in kinds else "recurrent" if kinds & set(_RECURRENT) else "cnn"
    network = tally.network(OWN_NETWORK, family)
    return msgspec.structs.replace(
        network, image_size=workload.image_size, sequence_length=workload.sequence_length, name=own_name(workload.id)
    )


def own_name(workload_id: str) -> str:
    """Return what a network of own layers is called: never like one of the catalogue, whose factors are not its."""
    return f"{OWN_NETWORK}:{workload_id}"


def _input_of(workload: Workload) -> Tensor:
    if workload.image_size is not None:
        return Tensor((workload.channels, workload.image_size, workload.image_size))
    if workload.sequence_length is None:
        raise InputError("layers: say what goes in: image_size = 224, or sequence_length = 128.")
    if workload.layers and workload.layers[0].kind == "embedding":
        return Tensor((workload.sequence_length,), element_bytes=8)
    return Tensor((workload.sequence_length, workload.channels))


def _size(layer: Layer, what: str) -> int:
    if layer.size is None:
        raise InputError("needs a size ({what}).", what=what)
    return layer.size


def _image(tally: LayerTally) -> tuple[int, int, int]:
    if len(tally.tensor.shape) != 3:
        raise InputError("needs an image, but gets {got} numbers.", got=_shown(tally.tensor))
    channels, height, width = tally.tensor.shape
    return channels, height, width


def _sequence(tally: LayerTally) -> tuple[int, int]:
    if len(tally.tensor.shape) != 2:
        raise InputError("needs a sequence, but gets {got} numbers.", got=_shown(tally.tensor))
    steps, width = tally.tensor.shape
    return steps, width


def _shown(tensor: Tensor) -> str:
    return " x ".join(map(str, tensor.shape))


def _too_large(window: int, height: int, width: int) -> InputError:
    return InputError(
        "has a window of {window}, larger than its image of {height} x {width}.",
        window=window,
        height=height,
        width=width,
    )


def _convolution(tally: LayerTally, layer: Layer) -> None:
    _, height, width = _image(tally)
    filters, kernel, stride = _size(layer, "filters"), layer.kernel or 3, layer.stride or 1
    padding = kernel // 2 if layer.padding == "same" else 0
    if min(height, width) + 2 * padding < kernel:
        raise _too_large(kernel, height, width)
    parts.convolution(tally, filters, kernel, stride=stride, padding=padding)


def _dense(tally: LayerTally, layer: Layer) -> None:
    if len(tally.tensor.shape) == 3:
        raise InputError("needs a vector; put a flatten or global_pool layer before it.")
    parts.linear(tally, _size(layer, "units"))


def _activation(tally: LayerTally, _layer: Layer) -> None:
    parts.activation(tally)


def _pool(tally: LayerTally, layer: Layer) -> None:
    channels, height, width = _image(tally)
    kernel = layer.kernel or 2
    stride = layer.stride or kernel
    rows, columns = ((edge - kernel) // stride + 1 for edge in (height, width))
    if min(rows, columns) < 1:
        raise _too_large(kernel, height, width)
    before, after = tally.tensor, Tensor((channels, rows, columns))
    is_max = layer.kind == "max_pool"
    indices = 8 * after.elements if is_max else 0
    name = "max_pool2d_with_indices" if is_max else "avg_pool2d"
    flop = after.elements * kernel * kernel
    made = forward(
        "pooling",
        name,
        (after.elements, kernel * kernel),
        flop=flop,
        moved=before.bytes + after.bytes + indices,
    )
    gradient = forward(
        "pooling",
        f"{name}_backward",
        (before.elements, kernel * kernel),
        flop=flop,
        moved=2 * before.bytes + after.bytes + indices,
        kernels=2 if is_max else 1,
    )
    tally.add(after, [made], [backward(gradient)] if tally.has_parameters else [], keeps=(before,), kept_masks=indices)


def _global_pool(tally: LayerTally, _layer: Layer) -> None:
    shape = tally.tensor.shape
    if len(shape) == 1:
        raise InputError("needs an image or a sequence.")
    kept = shape[0] if len(shape) == 3 else shape[1]
    elements, averaged = tally.tensor.elements, tally.tensor.elements // kept
    made = forward("reduction", "mean", (kept, averaged), flop=elements, moved=4 * (elements + kept))
    spread = parts.elementwise("div", elements, 4 * (elements + kept))
    tally.add(Tensor((kept,)), [made], [backward(spread)] if tally.has_parameters else [])


def _batch_norm(tally: LayerTally, _layer: Layer) -> None:
    channels, height, width = _image(tally)
    before, after = tally.tensor, Tensor(tally.tensor.shape)
    shape, elements = (channels, height * width), tally.tensor.elements
    made = forward(
        "normalization", "native_batch_norm", shape, flop=elements, moved=8 * elements, fixed=24 * channels, axis=1
    )
    counter = Operation(
        kind="elementwise", phase="forward", operator="add_", shape=(1,), flop_fixed=1.0, bytes_fixed=16.0
    )
    name = "native_batch_norm_backward"
    gradient = forward("normalization", name, shape, flop=elements, moved=12 * elements, fixed=28 * channels, axis=1)
    tally.own(channels, channels)
    tally.add(after, [counter, made], [backward(gradient)], keeps=(before,))


def _layer_norm(tally: LayerTally, _layer: Layer) -> None:
    if len(tally.tensor.shape) == 3:
        raise InputError("needs a sequence or a vector; use batch_norm for images.")
    parts.normalization(tally)


def _dropout(tally: LayerTally, _layer: Layer) -> None:
    parts.dropout(tally)


def _flatten(tally: LayerTally, _layer: Layer) -> None:
    elements = tally.tensor.elements
    if tally.tensor.is_transposed:
        copy = forward("copy", "clone", (elements,), moved=8 * elements)
        tally.add(Tensor((elements,)), [copy])
    else:
        tally.reshape((elements,))


def _embedding(tally: LayerTally, layer: Layer) -> None:
    if tally.tensor.element_bytes != 8:
        raise InputError("must be the first layer: it takes token numbers.")
    width = _size(layer, "width")
    if layer.vocabulary is None:
        raise InputError("needs a vocabulary, such as vocabulary = 30_000.")
    parts.embedding(tally, layer.vocabulary, width)


def _recurrent(tally: LayerTally, layer: Layer) -> None:
    steps, width = _sequence(tally)
    units = _size(layer, "units")
    gates, kept_each = _RECURRENT[layer.kind]
    before, after = tally.tensor, Tensor((steps, units), is_transposed=True)
    sizes = (gates * units * width, gates * units * units, gates * units, gates * units)
    weights, kept = sum(sizes), 4 * kept_each * steps * units
    shape = (steps, 1, width, units, 1, 1, gates)
    flop, kernels = 2 * steps * gates * units * (width + units), 1 + 2 * steps
    last = 4 * units
    moved = before.bytes + after.bytes + last + kept
    made = forward("recurrent", "recurrent", shape, flop=flop, moved=moved, fixed=4 * weights, axis=1, kernels=kernels)
    gradient = forward(
        "recurrent",
        "recurrent_backward",
        shape,
        flop=2 * flop,
        moved=2 * before.bytes + after.bytes + kept,
        fixed=8 * weights,
        axis=1,
        kernels=2 * kernels,
    )
    states = 2 if layer.kind == "lstm" else 1
    zeros = [forward("copy", "zeros", (units,), moved=last)] * states
    tally.own(*sizes)
    tally.add(after, [*zeros, made], [backward(gradient)], keeps=(before, after), kept_bytes=kept)


def _transformer(tally: LayerTally, layer: Layer) -> None:
    """Add normalization, attention and two dense layers, each pair with a shortcut around it."""
    steps, width = _sequence(tally)
    heads = layer.heads or max(1, width // 64)
    if width % heads:
        raise InputError("has {heads} heads, which do not divide its width of {width}.", heads=heads, width=width)
    tally.shortcut = tally.tensor
    parts.normalization(tally)
    parts.linear(tally, 3 * width)
    _attention(tally, steps, width, heads)
    parts.linear(tally, width)
    _shortcut(tally)
    tally.shortcut = tally.tensor
    parts.normalization(tally)
    parts.linear(tally, _INNER * width)
    parts.activation(tally, "gelu")
    parts.linear(tally, width)
    _shortcut(tally)


def _attention(tally: LayerTally, steps: int, width: int, heads: int) -> None:
    before, after = tally.tensor, Tensor((steps, width))
    shape, product = (1, heads, steps, steps, width // heads), 2 * steps * steps * width
    sums = 4 * heads * steps
    made = forward("attention", "attention", shape, flop=2 * product, moved=4 * after.bytes + sums)
    gradient = forward(
        "attention", "attention_backward", shape, flop=5 * product, moved=8 * after.bytes + sums, kernels=3
    )
    # The gradients of queries, keys and values come apart and are put back in the order of the dense layer.
    gathered = [forward("copy", name, (before.elements,), moved=2 * before.bytes) for name in ("stack", "clone")]
    tally.has_attention = True
    tally.add(after, [made], map(backward, [gradient, *gathered]), keeps=(before, after), kept_bytes=sums)


def _shortcut(tally: LayerTally) -> None:
    parts.added(tally)
    tally.shortcut = None


_LAYERS: dict[LayerKind, Callable[[LayerTally, Layer], None]] = {
    "conv": _convolution,
    "dense": _dense,
    "max_pool": _pool,
    "avg_pool": _pool,
    "global_pool": _global_pool,
    "batch_norm": _batch_norm,
    "layer_norm": _layer_norm,
    "activation": _activation,
    "dropout": _dropout,
    "flatten": _flatten,
    "embedding": _embedding,
    "lstm": _recurrent,
    "gru": _recurrent,
    "transformer": _transformer,
}
