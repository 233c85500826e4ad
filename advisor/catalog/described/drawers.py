"""Transformers that draw, by their ``config.json``: FLUX and Stable Diffusion 3, of any numbers (diffusers 0.42)."""

from collections.abc import Sequence

from advisor.catalog.described.values import Numbers
from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor

FLUX = {
    "sample_size": 128,
    "in_channels": 64,
    "out_channels": 0,
    "patch_size": 1,
    "num_layers": 19,
    "num_single_layers": 38,
    "num_attention_heads": 24,
    "attention_head_dim": 128,
    "joint_attention_dim": 4096,
    "pooled_projection_dim": 768,
    "guidance_embeds": False,
}
SD3 = {
    "sample_size": 128,
    "in_channels": 16,
    "out_channels": 16,
    "patch_size": 2,
    "num_layers": 18,
    "num_attention_heads": 18,
    "attention_head_dim": 64,
    "joint_attention_dim": 4096,
    "pooled_projection_dim": 2048,
    "qk_norm": "",
    "dual_attention_layers": [],
}
_FLUX_WORDS, _SD3_WORDS = 512, 333
"""Tokens of a text. Source: diffusers, ``max_sequence_length`` of FLUX; 77 of CLIP and 256 of T5 in SD3."""
_CHANNELS_OF_TIME = 256


def flux(numbers: Numbers, tally: LayerTally) -> None:
    """Add FLUX: blocks where picture and text have weights of their own, then blocks where they share them."""
    width = numbers["num_attention_heads"] * numbers["attention_head_dim"]
    if numbers["in_channels"] % 4:
        raise ValueError("in_channels")
    channels, height, columns = tally.tensor.shape
    patches = height * columns // 4
    tally.reshape((patches, channels * 4))
    parts.linear(tally, width, is_given=True)
    picture = tally.tensor
    condition = _condition(numbers, tally, width, times=1 + numbers.has("guidance_embeds"))
    words = _words(numbers, tally, width, _FLUX_WORDS)
    block = _Joint(numbers, tally, condition, is_turned=True, is_normed=True)
    for _ in range(numbers["num_layers"]):
        picture, words = block.add(picture, words)
    for _ in range(numbers["num_single_layers"]):
        picture, words = block.add_single(picture, words)
    _out(numbers, tally, picture, condition)


def sd3(numbers: Numbers, tally: LayerTally) -> None:
    """Add Stable Diffusion 3 or 3.5; some of the latter's first blocks look at the picture a second time."""
    width = numbers["num_attention_heads"] * numbers["attention_head_dim"]
    norm = numbers.text("qk_norm") if numbers.has("qk_norm") else ""
    if norm not in ("", "rms_norm"):
        raise ValueError("qk_norm")
    parts.convolution(tally, width, numbers["patch_size"], stride=numbers["patch_size"])
    tally.reshape((tally.tensor.elements // width, width))
    parts.passes(tally, 2, 0)
    picture = tally.tensor
    condition = _condition(numbers, tally, width, times=1)
    words = _words(numbers, tally, width, _SD3_WORDS)
    block = _Joint(numbers, tally, condition, is_turned=False, is_normed=bool(norm))
    twice, layers = set(numbers.list("dual_attention_layers")), numbers["num_layers"]
    for layer in range(layers):
        picture, words = block.add(picture, words, is_twice=layer in twice, is_last=layer == layers - 1)
    _out(numbers, tally, picture, condition)


def _condition(numbers: Numbers, tally: LayerTally, width: int, times: int) -> Tensor:
    """Add what tells every block the time, how closely to follow the words, and the text as a whole."""
    for given in (*[_CHANNELS_OF_TIME] * times, numbers["pooled_projection_dim"]):
        tally.tensor = Tensor((given,))
        parts.linear(tally, width, is_given=True)
        parts.activation(tally, "silu")
        parts.linear(tally, width)
    return tally.tensor


def _words(numbers: Numbers, tally: LayerTally, width: int, count: int) -> Tensor:
    tally.tensor = Tensor((count, numbers["joint_attention_dim"]))
    parts.linear(tally, width, is_given=True)
    return tally.tensor


def _out(numbers: Numbers, tally: LayerTally, picture: Tensor, condition: Tensor) -> None:
    _chunks(tally, condition, 2)
    tally.tensor = picture
    _modulated(tally)
    parts.linear(tally, numbers["patch_size"] ** 2 * (numbers["out_channels"] or numbers["in_channels"]))


def _chunks(tally: LayerTally, condition: Tensor, count: int) -> None:
    """Add shifts, scales and gates of a block, made of the condition."""
    tally.tensor = condition
    parts.activation(tally, "silu")
    parts.linear(tally, count * condition.shape[-1])


def _modulated(tally: LayerTally, readers: int = 1) -> Tensor:
    """Add a norm, and a scale and a shift that the condition chose; the gradients of all readers become one."""
    parts.normalization(tally, weighted=False)
    parts.passes(tally, 2, 3, kept=1)
    if readers > 1:
        parts.passes(tally, 0, readers - 1)
    return tally.tensor


def _gated(tally: LayerTally) -> None:
    """Add a gate that the condition chose, and the sum with what went around."""
    parts.passes(tally, 1, 2, kept=1)
    parts.added(tally)


class _Joint:
    """Blocks in which a picture's and a text's tokens look at each other.

    Args:
        numbers: Of the model.
        tally: Where.
        condition: What chooses scales, shifts and gates.
        is_turned: Queries and keys are turned by their places.
        is_normed: Queries and keys of each head are scaled by their root mean square.
    """

    def __init__(
        self, numbers: Numbers, tally: LayerTally, condition: Tensor, *, is_turned: bool, is_normed: bool
    ) -> None:
        self._tally, self._condition = tally, condition
        self._heads, self._size = numbers["num_attention_heads"], numbers["attention_head_dim"]
        self._width = self._heads * self._size
        self._is_turned, self._is_normed = is_turned, is_normed

    def add(
        self, picture: Tensor, words: Tensor, *, is_twice: bool = False, is_last: bool = False
    ) -> tuple[Tensor, Tensor]:
        """Add a block with weights of its own for both; return what it makes of them.

        Args:
            picture: Its tokens.
            words: Those of the text.
            is_twice: The picture is looked at a second time, alone.
            is_last: The text is not needed after it.
        """
        tally = self._tally
        tally.shortcut = Tensor((5 * (picture.elements + words.elements),))
        _chunks(tally, self._condition, 9 if is_twice else 6)
        _chunks(tally, self._condition, 2 if is_last else 6)
        tally.tensor = picture
        seen = _modulated(tally, readers=3)
        tally.tensor = words
        read = _modulated(tally, readers=3)
        inputs = zip(self._projected(read), self._projected(seen), strict=True)
        whole = self._looked([self._joined(one, other) for one, other in inputs])
        picture = self._outward(whole, picture)
        if is_twice:
            tally.tensor = picture
            parts.passes(tally, 2, 5)
            second = self._looked(self._projected(tally.tensor))
            tally.tensor = second
            parts.linear(tally, self._width)
            _gated(tally)
            picture = tally.tensor
        picture = self._dense(picture)
        if not is_last:
            words = self._dense(self._outward(whole, words))
        tally.shortcut = None
        return picture, words

    def add_single(self, picture: Tensor, words: Tensor) -> tuple[Tensor, Tensor]:
        """Add a block that attends and computes side by side, with the same weights for both."""
        tally, tokens = self._tally, picture.shape[0] + words.shape[0]
        tally.shortcut = Tensor((6 * tokens * self._width,))
        _chunks(tally, self._condition, 3)
        tally.tensor = picture
        parts.joined(tally, (tokens, self._width))
        seen = _modulated(tally, readers=4)
        parts.linear(tally, 4 * self._width)
        parts.activation(tally, "gelu")
        middle = tally.tensor
        self._looked(self._projected(seen))
        tally.tensor = middle
        parts.joined(tally, (tokens, 5 * self._width))
        parts.linear(tally, self._width)
        _gated(tally)
        tally.shortcut = None
        return Tensor(picture.shape), Tensor(words.shape)

    def _projected(self, source: Tensor) -> list[Tensor]:
        """Add queries, keys and values of tokens."""
        tally, found = self._tally, []
        for place in range(3):
            tally.tensor = source
            parts.linear(tally, self._width)
            if self._is_normed and place < 2:
                tally.reshape((source.shape[0] * self._heads, self._size))
                parts.root_normalization(tally)
                tally.reshape((source.shape[0], self._width))
            found.append(tally.tensor)
        return found

    def _joined(self, one: Tensor, other: Tensor) -> Tensor:
        self._tally.tensor = other
        parts.joined(self._tally, (one.shape[0] + other.shape[0], self._width))
        return self._tally.tensor

    def _looked(self, inputs: Sequence[Tensor]) -> Tensor:
        """Add attention."""
        tally, turned = self._tally, list(inputs)
        if self._is_turned:
            for place in range(2):
                tally.tensor = turned[place]
                parts.passes(tally, 4, 5)
                turned[place] = tally.tensor
        parts.attention(tally, (turned[0], turned[1], turned[2]), self._heads)
        return tally.tensor

    def _outward(self, whole: Tensor, part: Tensor) -> Tensor:
        """Add the product after attention, for the tokens of a part, and their gate."""
        self._tally.tensor = whole
        parts.joined(self._tally, part.shape)
        parts.linear(self._tally, self._width)
        _gated(self._tally)
        return self._tally.tensor

    def _dense(self, part: Tensor) -> Tensor:
        tally = self._tally
        tally.tensor = part
        _modulated(tally)
        parts.linear(tally, 4 * self._width)
        parts.activation(tally, "gelu")
        parts.linear(tally, self._width)
        _gated(tally)
        return tally.tensor
