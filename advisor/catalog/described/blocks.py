"""Blocks that the descriptions share: of a transformer's encoder and decoder."""

from collections.abc import Callable
from dataclasses import dataclass

from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor

_WAITING = 3
"""Tensors of a block's width that wait beside it in a pass that keeps nothing: those of its callers among them."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A transformer's block.

    Attributes:
        width, inner, heads: As usual.
        norm_first: Before attention and what follows it, not after.
        biases: Of queries, keys, values and what goes out.
        dense_bias: Of the two dense layers.
        root_norm: Norms by the root of the mean square.
        dropout, attention_dropout, inner_dropout: Shares; the last one between the two dense layers.
        activation: See ``parts.activation``.
        gated: Three matrices between the norms instead of two; ``joined``: the first two are one.
        scaled: Two learned scales (DINOv2).
        key_width: Of all heads together, where it is not ``width``.
        causal: Masked by the order.
        rotated: Queries, keys and values are one product, and the first two are turned by their places.
        mask_bytes: Of what is added to the scores of attention.
        copied: Queries, keys and values are put in order before attention (Whisper).
        distances: That contents are compared with besides (DeBERTa), in products that are not one kernel.
    """

    width: int
    inner: int
    heads: int
    norm_first: bool = True
    biases: tuple[bool, bool, bool, bool] = (True, True, True, True)
    dense_bias: bool = True
    norm_bias: bool = True
    root_norm: bool = False
    dropout: float = 0.0
    attention_dropout: float = 0.0
    inner_dropout: float = 0.0
    activation: str = "gelu"
    gated: bool = False
    joined: bool = False
    rotated: bool = False
    mask_bytes: float = 0.0
    scaled: bool = False
    key_width: int = 0
    causal: bool = False
    copied: bool = False
    distances: int = 0

    @property
    def waiting(self) -> int:
        """Tensors of the inner width that wait beside an activation that is taken apart."""
        return 2 if self.joined or self.gated else int(self.activation == "quick_gelu")


def add_block(
    tally: LayerTally,
    block: Block,
    memory: Tensor | None = None,
    *,
    last_dropout: float = 0.0,
    first_norm: bool = True,
) -> None:
    """Add a block.

    Args:
        tally: Where.
        block: What it is like.
        memory: What a decoder looks at besides, from the encoder.
        last_dropout: After the dense layers alone.
        first_norm: False where the norm before attention is left out.
    """
    tokens = tally.tensor.elements // block.width
    waiting = (_WAITING + block.norm_first) * block.width + block.waiting * block.inner
    tally.shortcut = Tensor((tokens * waiting,))
    _around(tally, block, lambda: _attend(tally, block, None), normed=first_norm)
    if memory is not None:
        _around(tally, block, lambda: _attend(tally, block, memory))
    _around(tally, block, lambda: _dense(tally, block), drop=last_dropout)
    tally.shortcut = None


def norm(tally: LayerTally, block: Block) -> None:
    """Add a norm of the kind that a block has."""
    if block.root_norm:
        parts.root_normalization(tally)
    else:
        parts.normalization(tally, bias=block.norm_bias)


def _around(
    tally: LayerTally, block: Block, inner: Callable[[], None], *, normed: bool = True, drop: float = 0.0
) -> None:
    if block.norm_first and normed:
        norm(tally, block)
    inner()
    if block.scaled:
        tally.own(block.width)
        parts.passes(tally, 1, 2, kept=1)
    parts.dropout(tally, drop or block.dropout)
    parts.added(tally)
    if not block.norm_first:
        norm(tally, block)


def _attend(tally: LayerTally, block: Block, memory: Tensor | None) -> None:
    asking, width = tally.tensor, block.key_width or block.width
    inputs = []
    if block.rotated:
        parts.linear(tally, 3 * width, bias=block.biases[0])
        whole = tally.tensor
        values = Tensor((*asking.shape[:-1], width))
        tally.see(values, whole)
        for _ in range(2):
            tally.tensor = Tensor(values.shape)
            parts.passes(tally, 4, 6)
            inputs.append(tally.tensor)
        inputs.append(values)
    for source, bias in zip(
        (asking, memory or asking, memory or asking) if not block.rotated else (), block.biases, strict=False
    ):
        tally.tensor = source
        parts.linear(tally, width, bias=bias)
        if block.copied:
            parts.passes(tally, 1, 0)
        inputs.append(tally.tensor)
    if block.distances:
        parts.distant_attention(tally, (inputs[0], inputs[1], inputs[2]), block.heads, block.distances)
        parts.linear(tally, block.width)
        return
    parts.attention(
        tally,
        (inputs[0], inputs[1], inputs[2]),
        block.heads,
        causal=block.causal and memory is None,
        drops=block.attention_dropout > 0,
        mask_bytes=block.mask_bytes if memory is None else 0.0,
    )
    parts.linear(tally, block.width, bias=block.biases[3])


def _dense(tally: LayerTally, block: Block) -> None:
    before = tally.tensor
    parts.linear(tally, block.inner * (1 + block.joined), bias=block.dense_bias)
    if block.joined:
        halves = [Tensor((*before.shape[:-1], block.inner)) for _ in range(2)]
        for half in halves:
            tally.see(half, tally.tensor)
        tally.tensor = halves[0]
        parts.activation(tally, block.activation)
        parts.multiplied(tally, halves[1])
        parts.linear(tally, block.width, bias=block.dense_bias)
        return
    parts.activation(tally, block.activation)
    if block.gated:
        made = tally.tensor
        tally.tensor = before
        parts.linear(tally, block.inner, bias=block.dense_bias)
        parts.multiplied(tally, made)
    parts.dropout(tally, block.inner_dropout)
    parts.linear(tally, block.width, bias=block.dense_bias)
