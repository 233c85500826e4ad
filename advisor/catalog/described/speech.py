"""Networks that listen: Whisper, wav2vec 2.0."""

from advisor.catalog.described.blocks import Block, add_block, norm
from advisor.catalog.described.values import Numbers
from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor

WHISPER = {
    "vocab_size": 51_865,
    "num_mel_bins": 80,
    "d_model": 384,
    "encoder_layers": 4,
    "decoder_layers": 4,
    "encoder_attention_heads": 6,
    "decoder_attention_heads": 6,
    "encoder_ffn_dim": 1536,
    "decoder_ffn_dim": 1536,
    "max_source_positions": 1500,
    "max_target_positions": 448,
    "activation_function": "gelu",
    "dropout": 0.0,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
}
WAV2VEC2 = {
    "vocab_size": 32,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "hidden_act": "gelu",
    "hidden_dropout": 0.1,
    "activation_dropout": 0.1,
    "attention_dropout": 0.1,
    "feat_proj_dropout": 0.0,
    "final_dropout": 0.1,
    "feat_extract_norm": "group",
    "conv_dim": (512,) * 7,
    "conv_stride": (5, 2, 2, 2, 2, 2, 2),
    "conv_kernel": (10, 3, 3, 3, 3, 2, 2),
    "conv_bias": False,
    "num_conv_pos_embeddings": 128,
    "num_conv_pos_embedding_groups": 16,
    "do_stable_layer_norm": False,
    "mask_time_prob": 0.05,
    "mask_feature_prob": 0.0,
}
SAMPLES_OF_FRAME = 320
"""Sound values of a frame of wav2vec 2.0: 20 ms at 16 kHz."""
WRITTEN = 64
"""Tokens of a text that goes with 30 s of sound or less; Whisper pads the sound, not the text."""


def whisper(numbers: Numbers, tally: LayerTally) -> None:
    """Add Whisper for half a minute of sound and the text that goes with it."""
    width = numbers["d_model"]
    for stride in (1, 2):
        parts.convolution(tally, width, (1, 3), stride=stride, padding=(0, 1))
        parts.activation(tally, "gelu")
    tally.reshape((tally.tensor.elements // width, width))
    tally.own_frozen(numbers["max_source_positions"] * width)
    parts.passes(tally, 1, 0)
    _stack(tally, _block(numbers, "encoder"), numbers["encoder_layers"], None)
    memory = tally.tensor
    tally.tensor = Tensor((WRITTEN,), 8)
    parts.embedding(tally, numbers["vocab_size"], width)
    parts.learned(tally, numbers["max_target_positions"], width)
    _stack(tally, _block(numbers, "decoder"), numbers["decoder_layers"], memory)
    parts.linear(tally, numbers["vocab_size"], bias=False, tied=True)


def _block(numbers: Numbers, side: str) -> Block:
    return Block(
        width=numbers["d_model"],
        inner=numbers[f"{side}_ffn_dim"],
        heads=numbers[f"{side}_attention_heads"],
        biases=(True, False, True, True),
        dropout=numbers.share("dropout"),
        attention_dropout=numbers.share("attention_dropout"),
        inner_dropout=numbers.share("activation_dropout"),
        activation=numbers.text("activation_function"),
        causal=side == "decoder",
        copied=True,
    )


def _stack(tally: LayerTally, block: Block, layers: int, memory: Tensor | None) -> None:
    for _ in range(layers):
        add_block(tally, block, memory)
    norm(tally, block)


def wav2vec2(numbers: Numbers, tally: LayerTally) -> None:
    """Add wav2vec 2.0 with a letter guessed for each frame; its first layers are held, as every recipe does."""
    width, stable = numbers["hidden_size"], numbers.has("do_stable_layer_norm")
    block = Block(
        width=width,
        inner=numbers["intermediate_size"],
        heads=numbers["num_attention_heads"],
        norm_first=stable,
        activation=numbers.text("hidden_act"),
        dropout=numbers.share("hidden_dropout"),
        attention_dropout=numbers.share("attention_dropout"),
        inner_dropout=numbers.share("activation_dropout"),
    )
    _sound(numbers, tally)
    parts.normalization(tally)
    parts.linear(tally, width)
    parts.dropout(tally, numbers.share("feat_proj_dropout"))
    if numbers.share("mask_time_prob") or numbers.share("mask_feature_prob"):
        tally.own(width)
    _places(numbers, tally)
    if not stable:
        parts.normalization(tally)
    parts.dropout(tally, block.dropout)
    for _ in range(numbers["num_hidden_layers"]):
        add_block(tally, block)
    if stable:
        parts.normalization(tally)
    parts.dropout(tally, numbers.share("final_dropout"))
    parts.linear(tally, numbers["vocab_size"])


def _sound(numbers: Numbers, tally: LayerTally) -> None:
    """Add the convolutions over the sound, which are not trained."""
    kind = numbers.text("feat_extract_norm")
    if kind not in ("group", "layer"):
        raise ValueError("feat_extract_norm")
    tally.frozen = True
    kernels, strides = numbers.list("conv_kernel"), numbers.list("conv_stride")
    for number, (filters, kernel, stride) in enumerate(zip(numbers.list("conv_dim"), kernels, strides, strict=True)):
        parts.convolution(tally, int(filters), (1, int(kernel)), stride=int(stride), bias=numbers.has("conv_bias"))
        channels, _, frames = tally.tensor.shape
        if kind == "layer":
            tally.reshape((frames, channels))
            parts.normalization(tally)
            tally.reshape((channels, 1, frames))
        elif number == 0:
            parts.group_normalization(tally, channels)
        parts.activation(tally, "gelu")
    tally.frozen = False
    tally.reshape((frames, channels))


def _places(numbers: Numbers, tally: LayerTally) -> None:
    """Add the convolution that tells frames where they are, its weights kept as length and direction."""
    frames, width = tally.tensor.shape
    kernel, groups = numbers["num_conv_pos_embeddings"], numbers["num_conv_pos_embedding_groups"]
    tally.own(kernel)
    tally.reshape((width, 1, frames))
    parts.convolution(tally, width, (1, kernel), padding=(0, kernel // 2), groups=groups)
    parts.activation(tally, "gelu")
    tally.tensor = Tensor((frames, width))
    parts.added(tally)
