"""The U-Net of Stable Diffusion 1, 2 and XL, by its ``config.json``, of any numbers (diffusers 0.42)."""

from typing import Any

from advisor.catalog.described.values import Numbers
from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor

UNET = {
    "sample_size": 64,
    "in_channels": 4,
    "out_channels": 4,
    "block_out_channels": [320, 640, 1280, 1280],
    "down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"],
    "up_block_types": ["UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"],
    "layers_per_block": 2,
    "transformer_layers_per_block": 1,
    "attention_head_dim": 8,
    "cross_attention_dim": 1280,
    "use_linear_projection": False,
    "norm_num_groups": 32,
}
_MOST, _MOST_LEVELS, _MOST_BLOCKS = 10_000, 8, 32
_WORDS = 77
"""Tokens of a text. Source: CLIP."""
_EXPECTED = {
    "mid_block_type": "UNetMidBlock2DCrossAttn",
    "resnet_time_scale_shift": "default",
    "time_embedding_type": "positional",
    "act_fn": "silu",
    "conv_in_kernel": 3,
    "conv_out_kernel": 3,
    "class_embed_type": None,
    "encoder_hid_dim": None,
    "time_cond_proj_dim": None,
    "time_embedding_dim": None,
    "mid_block_only_cross_attention": None,
    "dual_cross_attention": False,
    "only_cross_attention": False,
    "resnet_skip_time_act": False,
    "reverse_transformer_layers_per_block": None,
}
"""What networks of other kinds have otherwise."""


def unet(numbers: Numbers, tally: LayerTally) -> None:
    """Add the U-Net: down, through the middle, and up with what was there on the way down."""
    _Unet(numbers, tally).add()


class _Unet:
    """The network, as it is added.

    Raises:
        ValueError: It has parts that none of these has.
    """

    def __init__(self, numbers: Numbers, tally: LayerTally) -> None:
        for key, usual in _EXPECTED.items():
            if numbers.other_than(key, usual):
                raise ValueError(key)
        self._tally, self._groups = tally, numbers["norm_num_groups"]
        self._widths = _each(numbers, "block_out_channels", len(numbers.list("block_out_channels")))
        self._looks = [_is_seeing(one) for one in numbers.list("down_block_types")]
        self._looks_up = [_is_seeing(one) for one in numbers.list("up_block_types")]
        levels = len(self._widths)
        self._depths = _each(numbers, "transformer_layers_per_block", levels)
        self._heads = _each(numbers, "num_attention_heads" if numbers.has("num_attention_heads") else _HEADS, levels)
        self._blocks = numbers["layers_per_block"]
        if levels > _MOST_LEVELS or self._blocks > _MOST_BLOCKS or max(self._depths) > _MOST_BLOCKS:
            raise ValueError("layers_per_block")
        self._read, self._is_flat = numbers["cross_attention_dim"], numbers.has("use_linear_projection")
        self._out = numbers["out_channels"]
        self._added = numbers["projection_class_embeddings_input_dim"] if numbers.has("addition_embed_type") else 0
        self._time = self._words = tally.tensor
        self._kept: list[Tensor] = []

    def add(self) -> None:
        """Add all of it."""
        tally, widths = self._tally, self._widths
        latent = tally.tensor
        self._condition()
        tally.tensor = latent
        parts.convolution(tally, widths[0], 3, padding=1)
        self._keep()
        for level, width in enumerate(widths):
            for _ in range(self._blocks):
                self._residual(width)
                if self._looks[level]:
                    self._transformer(level)
                self._keep()
            if level < len(widths) - 1:
                parts.convolution(tally, width, 3, stride=2, padding=1)
                self._keep()
        self._residual(widths[-1])
        self._transformer(len(widths) - 1)
        self._residual(widths[-1])
        for place, level in enumerate(reversed(range(len(widths)))):
            for _ in range(self._blocks + 1):
                beside = self._kept.pop()
                channels, height, columns = tally.tensor.shape
                parts.joined(tally, (channels + beside.shape[0], height, columns))
                self._residual(widths[level])
                if self._looks_up[place]:
                    self._transformer(level)
            if level:
                channels, height, columns = tally.tensor.shape
                parts.joined(tally, (channels, 2 * height, 2 * columns))
                parts.convolution(tally, channels, 3, padding=1)
        parts.group_normalization(tally, self._groups)
        parts.activation(tally, "silu")
        parts.convolution(tally, self._out, 3, padding=1)

    def _keep(self) -> None:
        """Keep what is there for the way up; its two gradients become one."""
        parts.passes(self._tally, 0, 1)
        self._kept.append(self._tally.tensor)

    def _beside(self, elements: int) -> None:
        """Say what waits beside the next layers: so much, and what is kept for the way up."""
        self._tally.shortcut = Tensor((elements + sum(one.elements for one in self._kept),))

    def _condition(self) -> None:
        """Add what tells all blocks the time, and of XL the size of the picture and the text as a whole."""
        tally, wide = self._tally, 4 * self._widths[0]
        for given in (self._widths[0], *[self._added] * bool(self._added)):
            tally.tensor = Tensor((given,))
            parts.linear(tally, wide, is_given=True)
            parts.activation(tally, "silu")
            parts.linear(tally, wide)
        self._time, self._words = tally.tensor, Tensor((_WORDS, self._read))

    def _residual(self, width: int) -> None:
        """Add two convolutions that are told the time, and what went around them."""
        tally, before = self._tally, self._tally.tensor
        self._beside(before.elements)
        parts.group_normalization(tally, self._groups)
        parts.activation(tally, "silu")
        parts.convolution(tally, width, 3, padding=1)
        inner = tally.tensor
        tally.tensor = self._time
        parts.activation(tally, "silu")
        parts.linear(tally, width)
        tally.tensor = inner
        parts.passes(tally, 1, 1)
        parts.group_normalization(tally, self._groups)
        parts.activation(tally, "silu")
        parts.convolution(tally, width, 3, padding=1)
        if before.shape[0] != width:
            tally.tensor = before
            parts.convolution(tally, width, 1)
        parts.added(tally)
        tally.shortcut = None

    def _transformer(self, level: int) -> None:
        """Add blocks in which all places look at each other and at the text."""
        tally, shape = self._tally, self._tally.tensor.shape
        width, places = shape[0], shape[1] * shape[2]
        self._beside(2 * places * width)
        parts.group_normalization(tally, self._groups)
        if self._is_flat:
            parts.joined(tally, (places, width))
            parts.linear(tally, width)
        else:
            parts.convolution(tally, width, 1)
            parts.joined(tally, (places, width))
        for _ in range(self._depths[level]):
            for words in (None, self._words):
                self._look(self._heads[level], words)
            self._dense()
        if self._is_flat:
            parts.linear(tally, width)
            tally.reshape(shape)
        else:
            parts.joined(tally, shape)
            parts.convolution(tally, width, 1)
        parts.added(tally)
        tally.shortcut = None

    def _look(self, heads: int, words: Tensor | None) -> None:
        tally = self._tally
        parts.normalization(tally)
        if words is None:
            parts.passes(tally, 0, 2)  # three gradients become one
        asking, width = tally.tensor, tally.tensor.shape[-1]
        inputs = []
        for source in (asking, words or asking, words or asking):
            tally.tensor = source
            parts.linear(tally, width, bias=False, is_given=source is self._words)
            inputs.append(tally.tensor)
        parts.attention(tally, (inputs[0], inputs[1], inputs[2]), heads)
        parts.linear(tally, width)
        parts.added(tally)

    def _dense(self) -> None:
        """Add the gated layer (GEGLU)."""
        tally = self._tally
        parts.normalization(tally)
        rows, width = tally.tensor.shape
        parts.linear(tally, 8 * width)
        parts.passes(tally, 0, 1)  # the gradients of both halves become one
        halves = [Tensor((rows, 4 * width)) for _ in range(2)]
        for half in halves:
            tally.see(half, tally.tensor)
        tally.tensor = halves[0]
        parts.activation(tally, "gelu")
        parts.multiplied(tally, halves[1])
        parts.linear(tally, width)
        parts.added(tally)


_HEADS = "attention_head_dim"
"""Named so by a mistake of the library's that was kept: it is their number."""


def _is_seeing(kind: Any) -> bool:
    """Return whether a level looks at the text.

    Raises:
        ValueError: A level of another kind.
    """
    if kind not in ("CrossAttnDownBlock2D", "DownBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"):
        raise ValueError(str(kind))
    return str(kind).startswith("Cross")


def _each(numbers: Numbers, key: str, levels: int) -> list[int]:
    """Return a number of each level, all the same where one stands for all."""
    if not numbers.is_list(key):
        return [numbers[key]] * levels
    found = numbers.list(key)
    if len(found) != levels or not all(isinstance(one, int) and 1 <= one <= _MOST for one in found):
        raise ValueError(key)
    return found
