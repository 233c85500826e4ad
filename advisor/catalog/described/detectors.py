"""Detectors by their ``config.json``: DETR, whose backbone is a ResNet."""

from advisor.catalog.described.values import Numbers
from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor, backward, forward
from advisor.errors import InputError

DETR = {
    "backbone": "resnet50",
    "dilation": False,
    "d_model": 256,
    "encoder_layers": 6,
    "encoder_ffn_dim": 2048,
    "encoder_attention_heads": 8,
    "decoder_layers": 6,
    "decoder_ffn_dim": 2048,
    "decoder_attention_heads": 8,
    "num_queries": 100,
    "dropout": 0.1,
    "activation_function": "relu",
    "position_embedding_type": "sine",
}
PHOTO = 800, 1216
"""Height and width of COCO's photos, as DETR's program shortens and pads them."""
_RESNETS = {
    # Blocks of each stage, and whether a block narrows to a quarter (He et al. 2016, table 1)
    "resnet18": ((2, 2, 2, 2), False),
    "resnet34": ((3, 4, 6, 3), False),
    "resnet50": ((3, 4, 6, 3), True),
    "resnet101": ((3, 4, 23, 3), True),
    "resnet152": ((3, 8, 36, 3), True),
}
_MOST, _MOST_BLOCKS = 10_000, 500
_OWN_RESNET = {
    "model_type": "",
    "backbone": "",
    "layer_type": "bottleneck",
    "depths": [3, 4, 6, 3],
    "hidden_sizes": [256, 512, 1024, 2048],
}
"""What transformers takes for what its own ResNet leaves out."""


def detr(numbers: Numbers, tally: LayerTally) -> None:
    """Add DETR: a ResNet with frozen norms, a transformer over its last map, and two heads for each query."""
    width, drop = numbers["d_model"], numbers.share("dropout")
    if numbers.text("position_embedding_type") != "sine":
        raise ValueError("position_embedding_type")
    _resnet(numbers, tally)
    parts.convolution(tally, width, 1)
    tally.reshape((tally.tensor.elements // width, width))
    kind = numbers.text("activation_function")
    for _ in range(numbers["encoder_layers"]):
        _attend(tally, numbers["encoder_attention_heads"], drop)
        _dense(tally, numbers["encoder_ffn_dim"], kind, drop)
    memory = tally.tensor
    tally.tensor = Tensor((numbers["num_queries"], width))
    tally.own(numbers["num_queries"] * width)
    for _ in range(numbers["decoder_layers"]):
        _attend(tally, numbers["decoder_attention_heads"], drop)
        _attend(tally, numbers["decoder_attention_heads"], drop, memory)
        _dense(tally, numbers["decoder_ffn_dim"], kind, drop)
    parts.normalization(tally)
    found = tally.tensor
    for units in (width, width):
        parts.linear(tally, units)
        parts.activation(tally, "relu")
    parts.linear(tally, 4)
    parts.activation(tally, "sigmoid")
    tally.tensor = found
    parts.linear(tally, numbers.labels + 1)


def _attend(tally: LayerTally, heads: int, drop: float, memory: Tensor | None = None) -> None:
    """Add attention where queries and keys, not values, are told their places, and the norm after it."""
    asking = tally.tensor
    width = asking.shape[-1]
    queries = _placed(tally)
    keys = queries
    if memory is not None:
        tally.tensor = memory
        keys = _placed(tally)
    inputs = []
    for source in (queries, keys, memory or asking):
        tally.tensor = source
        parts.linear(tally, width)
        inputs.append(tally.tensor)
    parts.attention(tally, (inputs[0], inputs[1], inputs[2]), heads)
    parts.linear(tally, width)
    _after(tally, drop)


def _placed(tally: LayerTally) -> Tensor:
    parts.added(tally)
    return tally.tensor


def _dense(tally: LayerTally, inner: int, kind: str, drop: float) -> None:
    width = tally.tensor.shape[-1]
    parts.linear(tally, inner)
    parts.activation(tally, kind)
    parts.linear(tally, width)
    _after(tally, drop)


def _after(tally: LayerTally, drop: float) -> None:
    parts.dropout(tally, drop)
    parts.added(tally)
    parts.normalization(tally)


def _resnet(numbers: Numbers, tally: LayerTally) -> None:
    """Add the backbone. The library freezes transformers' own and trains all of timm's (5.23, ``DetrConvEncoder``)."""
    blocks, widths, narrow, tally.frozen = _stages(numbers)
    _convolve(tally, 64, 7, stride=2)
    parts.activation(tally, "relu")
    _pool(tally)
    for stage, (count, width) in enumerate(zip(blocks, widths, strict=True)):
        stride = 1 if stage == 0 or (stage == 3 and numbers.has("dilation")) else 2
        for block in range(count):
            _block(tally, width, stride if block == 0 else 1, narrow=narrow)
    tally.frozen = False


def _stages(numbers: Numbers) -> tuple[tuple[int, ...], tuple[int, ...], bool, bool]:
    """Return blocks and widths of the stages, whether blocks are narrow inside, and whether none is trained.

    Raises:
        InputError: The backbone is another.
    """
    inner = numbers.inner("backbone_config", _OWN_RESNET)
    if numbers.has("backbone_config") and inner.text("model_type") == "resnet":
        narrow = inner.text("layer_type") == "bottleneck"
        blocks, widths = tuple(inner.list("depths")), tuple(inner.list("hidden_sizes"))
        if (
            not all(isinstance(one, int) and 1 <= one <= _MOST for one in (*blocks, *widths))
            or sum(blocks) > _MOST_BLOCKS
        ):
            raise ValueError("depths")
        return blocks, widths, narrow, True
    name = (inner.text("backbone") or numbers.text("backbone")).partition(".")[0]
    if name not in _RESNETS:
        raise InputError(
            "As DETR's backbone {known} are known, not '{name}': name a Python file that makes the network"
            " (FILE.py:NAME).",
            known=", ".join(_RESNETS),
            name=name,
        )
    blocks, narrow = _RESNETS[name]
    return blocks, tuple(64 * 2**stage * (4 if narrow else 1) for stage in range(4)), narrow, False


def _block(tally: LayerTally, width: int, stride: int, *, narrow: bool) -> None:
    before = tally.tensor
    tally.shortcut = Tensor((before.elements + width * before.elements // before.shape[0] // stride**2,))
    if narrow:
        _convolve(tally, width // 4, 1)
        parts.activation(tally, "relu")
        _convolve(tally, width // 4, 3, stride=stride)
        parts.activation(tally, "relu")
        _convolve(tally, width, 1)
    else:
        _convolve(tally, width, 3, stride=stride)
        parts.activation(tally, "relu")
        _convolve(tally, width, 3)
    if stride > 1 or before.shape[0] != width:
        tally.tensor = before
        _convolve(tally, width, 1, stride=stride)
    parts.added(tally)
    tally.shortcut = None
    parts.activation(tally, "relu")


def _convolve(tally: LayerTally, filters: int, kernel: int, *, stride: int = 1) -> None:
    """Add a convolution and a norm that is frozen: one scale and one shift, with nothing kept."""
    parts.convolution(tally, filters, kernel, stride=stride, padding=kernel // 2, bias=False)
    shape, elements = tally.tensor.shape, tally.tensor.elements
    scale = parts.elementwise("mul", elements, 8 * elements)
    shift = parts.elementwise("add", elements, 8 * elements)
    if tally.frozen:  # on the way forward what came in waits beside what is scaled
        tally.tensor = Tensor((2 * elements,))
    tally.add(Tensor(shape), [scale, shift], [backward(scale)] if tally.has_parameters else [])


def _pool(tally: LayerTally) -> None:
    """Add the largest of three by three numbers, at every second one."""
    channels, height, width = tally.tensor.shape
    before, after = tally.tensor, Tensor((channels, (height + 1) // 2, (width + 1) // 2))
    flop, indices = 9 * after.elements, 8 * after.elements
    moved = before.bytes + after.bytes + indices
    name = "max_pool2d_with_indices"
    made = forward("pooling", name, (after.elements, 9), flop=flop, moved=moved)
    gradient = forward(
        "pooling", f"{name}_backward", (before.elements, 9), flop=flop, moved=moved + before.bytes, kernels=2
    )
    tally.add(after, [made], [backward(gradient)], keeps=(before,), kept_masks=indices)
