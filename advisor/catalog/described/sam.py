"""SAM by its ``config.json``, as most fine-tune it: what draws the mask learns, what sees the picture does not."""

from advisor.catalog.described.values import Numbers
from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor, backward, forward

_EYES = {
    "hidden_size": 768,
    "output_channels": 256,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "num_channels": 3,
    "image_size": 1024,
    "patch_size": 16,
    "qkv_bias": True,
    "mlp_ratio": 4.0,
    "mlp_dim": 0,
    "use_abs_pos": True,
    "use_rel_pos": True,
    "window_size": 14,
    "global_attn_indexes": [2, 5, 8, 11],
    "num_pos_feats": 128,
    "hidden_act": "gelu",
}
_PROMPT = {"hidden_size": 256, "mask_input_channels": 16, "num_point_embeddings": 4}
_HAND = {
    "hidden_size": 256,
    "mlp_dim": 2048,
    "num_hidden_layers": 2,
    "num_attention_heads": 8,
    "attention_downsample_rate": 2,
    "num_multimask_outputs": 3,
    "iou_head_depth": 3,
    "iou_head_hidden_dim": 256,
    "hidden_act": "relu",
}
"""What transformers 5.23 takes for what its three parts leave out."""
_WAITING = 9
"""Tensors of an encoder's width that wait while the distances of all pairs are put together: queries, keys and values
twice, what goes around, and its norm."""
_CORNERS = 2
"""Tokens of the prompt, a box."""


def edge_of(numbers: Numbers) -> int:
    """Return the edge of the pictures, which cannot be another."""
    return numbers.inner("vision_config", _EYES)["image_size"]


def sam(numbers: Numbers, tally: LayerTally) -> None:
    """Add SAM with one box for each picture."""
    eyes = numbers.inner("vision_config", _EYES)
    tally.frozen = True
    _see(eyes, tally)
    picture = tally.tensor
    _prompt(numbers.inner("prompt_encoder_config", _PROMPT), eyes, tally)
    tally.frozen = False
    tally.tensor = picture
    _Hand(numbers.inner("mask_decoder_config", _HAND), tally).draw()


def _see(eyes: Numbers, tally: LayerTally) -> None:
    """Add the encoder: most of its blocks look at windows, some at all of the picture."""
    width, edge = eyes["hidden_size"], eyes["patch_size"]
    parts.convolution(tally, width, edge, stride=edge)
    cells = eyes["image_size"] // edge
    if eyes.has("use_abs_pos"):
        parts.learned(tally, cells * cells, width)
    tally.reshape((cells * cells, width))
    wide = set(eyes.list("global_attn_indexes"))
    inner = eyes["mlp_dim"] or int(width * float(eyes.text("mlp_ratio")))
    for layer in range(eyes["num_hidden_layers"]):
        _look(eyes, tally, cells, 0 if layer in wide else eyes["window_size"])
        parts.normalization(tally)
        parts.linear(tally, inner)
        parts.activation(tally, eyes.text("hidden_act"))
        parts.linear(tally, width)
        parts.added(tally)
    tally.reshape((width, cells, cells))
    for kernel in (1, 3):
        parts.convolution(tally, eyes["output_channels"], kernel, padding=kernel // 2, bias=False)
        _image_norm(tally)


def _image_norm(tally: LayerTally) -> None:
    """Add a layer normalization over the channels of an image."""
    channels, height, columns = tally.tensor.shape
    parts.joined(tally, (height * columns, channels))
    parts.normalization(tally)
    tally.reshape((channels, height, columns))


def _look(eyes: Numbers, tally: LayerTally, cells: int, window: int) -> None:
    """Add attention with learned distances, which are added to all scores, in windows or (0) over all."""
    width, heads = eyes["hidden_size"], eyes["num_attention_heads"]
    size, edge = width // heads, window or cells
    around = tally.tensor
    parts.normalization(tally)
    count = (-(-cells // edge)) ** 2
    tokens = count * edge * edge
    if window:
        parts.joined(tally, (tokens, width))
        parts.joined(tally, (tokens, width))
    parts.linear(tally, 3 * width, bias=eyes.has("qkv_bias"))
    parts.joined(tally, (tokens, 3 * width))
    inputs = [Tensor((tokens, width)) for _ in range(3)]
    bias = 0.0
    if eyes.has("use_rel_pos"):
        tally.own((2 * edge - 1) * size, (2 * edge - 1) * size)
        scores = count * heads * edge**4
        bias = 4.0 * scores
        rows = count * heads * edge
        found = parts.product("bmm", (edge, rows, edge, size), 1, 4.0 * (tokens * width + rows * edge * edge), 0)
        added = parts.elementwise("add", scores, bias)
        tally.add(Tensor((scores + _WAITING * tokens * width,)), [found, found, added])
        tally.add(Tensor((scores,)), [forward("copy", "clone", (scores,), moved=2 * bias)])
    shape, flop = (count, heads, edge * edge, edge * edge, size), 4 * count * heads * edge**4 * size
    after = Tensor((tokens, width))
    moved = 16.0 * tokens * width + bias
    tally.has_attention = True
    tally.add(after, [forward("attention", "attention", shape, flop=flop, moved=moved)], keeps=tuple(inputs))
    parts.joined(tally, (tokens, width))
    parts.linear(tally, width)
    if window:
        parts.joined(tally, (tokens, width))
        parts.joined(tally, around.shape)
    parts.added(tally)


def _prompt(prompt: Numbers, eyes: Numbers, tally: LayerTally) -> None:
    """Add the encoder of prompts, of which a box needs next to nothing."""
    width, channels = prompt["hidden_size"], prompt["mask_input_channels"]
    narrow = channels // 4
    tally.own(2 * eyes["num_pos_feats"])
    tally.own(4 * narrow, narrow, 4 * narrow * channels, channels, channels * width, width)
    tally.own(narrow, narrow, 4 * narrow, 4 * narrow)
    tally.own(*[width] * (prompt["num_point_embeddings"] + 2))


class _Hand:
    """What draws the mask.

    Args:
        numbers: Of it.
        tally: Where; its tensor is the picture as it was seen.
    """

    def __init__(self, numbers: Numbers, tally: LayerTally) -> None:
        self._numbers, self._tally = numbers, tally
        self._width = numbers["hidden_size"]
        self._masks = numbers["num_multimask_outputs"] + 1
        self._seen = tally.tensor  # by what does not learn

    def draw(self) -> None:
        """Add all of it."""
        tally, width, numbers = self._tally, self._width, self._numbers
        channels, height, columns = tally.tensor.shape
        tally.own(width, self._masks * width)
        parts.added(tally)
        parts.joined(tally, (height * columns, channels))
        seen = self._seen = tally.tensor
        asked = Tensor((1 + self._masks + _CORNERS, width))
        for _ in range(numbers["num_hidden_layers"]):
            asked, seen = self._both_ways(asked, seen)
        asked = self._attend(asked, seen, seen, numbers["attention_downsample_rate"])
        tally.tensor = seen
        parts.joined(tally, (channels, height, columns))
        self._double(width // 4)
        _image_norm(tally)
        parts.activation(tally, "gelu")
        self._double(width // 8)
        parts.activation(tally, "gelu")
        drawn = tally.tensor
        for _ in range(self._masks):
            tally.tensor = Tensor((width,))
            self._layers(width, width // 8, 3)
        tally.tensor = Tensor((width,))
        self._layers(numbers["iou_head_hidden_dim"], self._masks, numbers["iou_head_depth"])
        pixels = drawn.elements // drawn.shape[0]
        moved = 4.0 * (drawn.elements + self._masks * pixels)
        made = parts.product("bmm", (1, self._masks, pixels, drawn.shape[0]), 0, moved, 0)
        tally.tensor = drawn
        tally.add(Tensor((self._masks, pixels)), [made], [backward(made)] * 2, keeps=(drawn,))
        tally.tensor = Tensor((pixels,))

    def _double(self, channels: int) -> None:
        """Add a convolution that doubles the edges."""
        tally, before = self._tally, self._tally.tensor
        given, height, columns = before.shape
        weights = given * channels * 4
        shape = (given, channels, 2, 2, height, columns, 1, 2)
        after = Tensor((channels, 2 * height, 2 * columns))
        flop, moved = 2 * weights * height * columns, before.bytes + after.bytes
        made = forward("conv", "conv_transpose", shape, flop=flop, moved=moved, fixed=4 * weights, axis=-1)
        tally.own(weights, channels)
        tally.add(after, [made], [backward(made)] * 2, keeps=(before,))

    def _layers(self, inner: int, out: int, count: int) -> None:
        for _ in range(count - 1):
            parts.linear(self._tally, inner)
            parts.activation(self._tally, "relu")
        parts.linear(self._tally, out)

    def _both_ways(self, asked: Tensor, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Add a block in which the tokens look at themselves and the picture, and the picture at them."""
        tally, rate = self._tally, self._numbers["attention_downsample_rate"]
        asked = self._attend(asked, asked, asked, 1)
        asked = self._attend(asked, seen, seen, rate)
        tally.tensor = asked
        parts.linear(tally, self._numbers["mlp_dim"])
        parts.activation(tally, self._numbers.text("hidden_act"))
        parts.linear(tally, self._width)
        parts.added(tally)
        parts.normalization(tally)
        asked = tally.tensor
        return asked, self._attend(seen, asked, asked, rate)

    def _attend(self, asking: Tensor, source: Tensor, values: Tensor, rate: int) -> Tensor:
        """Add attention in fewer dimensions, with places beside queries and keys, and the norm after it."""
        tally = self._tally
        inputs: list[Tensor] = []
        for one in (asking, source, values):
            tally.tensor = one
            if len(inputs) < 2:
                parts.added(tally)
            parts.linear(tally, self._width // rate, is_given=one is self._seen)
            inputs.append(tally.tensor)
        parts.attention(tally, (inputs[0], inputs[1], inputs[2]), self._numbers["num_attention_heads"])
        parts.linear(tally, self._width)
        parts.added(tally)
        parts.normalization(tally)
        return tally.tensor
