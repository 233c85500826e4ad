"""Vision transformers, and the pairs of one with an encoder of text: CLIP, SigLIP."""

from advisor.catalog.described.blocks import Block, add_block, norm
from advisor.catalog.described.values import Numbers
from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor

VIT = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "image_size": 224,
    "patch_size": 16,
    "num_channels": 3,
    "qkv_bias": True,
}
DINOV2 = VIT | {"patch_size": 14, "image_size": 518, "mlp_ratio": 4, "use_swiglu_ffn": False}
_TOWER = {
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "image_size": 224,
    "qkv_bias": True,
}
CLIP_IMAGES = _TOWER | {
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "patch_size": 32,
    "hidden_act": "quick_gelu",
}
CLIP_TEXTS = _TOWER | {
    "vocab_size": 49_408,
    "hidden_size": 512,
    "intermediate_size": 2048,
    "num_hidden_layers": 12,
    "num_attention_heads": 8,
    "max_position_embeddings": 77,
    "hidden_act": "quick_gelu",
}
SIGLIP_IMAGES = CLIP_IMAGES | {"patch_size": 16, "hidden_act": "gelu_pytorch_tanh"}
SIGLIP_TEXTS = CLIP_TEXTS | {
    "vocab_size": 32_000,
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_attention_heads": 12,
    "max_position_embeddings": 64,
    "hidden_act": "gelu_pytorch_tanh",
}


def edge_of(numbers: Numbers) -> int:
    """Return the edge of the images that a model is usually shown."""
    if numbers.has("vision_config"):
        return numbers.inner("vision_config", _TOWER)["image_size"]
    # DINOv2 was last trained at 518, and is used at 224: https://github.com/facebookresearch/dinov2
    return 224 if numbers.has("mlp_ratio") else numbers.first("image_size") or 224


def vit(numbers: Numbers, tally: LayerTally) -> None:
    """Add ViT or, with one token more, DeiT."""
    is_deit = numbers.text("model_type") == "deit"
    block = _block(numbers)
    _patches(numbers, tally, tokens=1 + is_deit)
    parts.dropout(tally, block.dropout)
    for _ in range(numbers["num_hidden_layers"]):
        add_block(tally, block)
    norm(tally, block)
    parts.chosen(tally)
    if "ImageClassification" in numbers.task:
        parts.linear(tally, numbers.labels)
        if numbers.task.endswith("WithTeacher"):
            tally.own(block.width * numbers.labels, numbers.labels)
    else:
        parts.linear(tally, block.width)
        parts.activation(tally, "tanh")


def dinov2(numbers: Numbers, tally: LayerTally) -> None:
    """Add DINOv2, with the learned scales of its blocks."""
    width = numbers["hidden_size"]
    inner, swish = width * numbers["mlp_ratio"], numbers.has("use_swiglu_ffn")
    if swish:
        inner = (int(inner * 2 / 3) + 7) // 8 * 8
    block = Block(
        width=width,
        inner=inner,
        heads=numbers["num_attention_heads"],
        activation="silu" if swish else _activation(numbers),
        gated=swish,
        joined=swish,
        scaled=True,
    )
    _patches(numbers, tally, tokens=1)
    tally.own(width)  # what stands for a hidden patch
    for _ in range(numbers["num_hidden_layers"]):
        add_block(tally, block)
    norm(tally, block)
    if numbers.task == "ImageClassification":
        parts.chosen(tally, 2 * width)
        parts.linear(tally, numbers.labels)
    else:
        parts.chosen(tally)


def clip(numbers: Numbers, tally: LayerTally) -> None:
    """Add CLIP: an encoder of images, one of texts, and both in one space."""
    seen = numbers.inner("vision_config", CLIP_IMAGES)
    read = numbers.inner("text_config", CLIP_TEXTS)
    space = numbers["projection_dim"]
    _patches(seen, tally, tokens=1, bias=False)
    parts.normalization(tally)
    _blocks(tally, seen)
    parts.chosen(tally)
    parts.normalization(tally)
    parts.linear(tally, space, bias=False)
    _texts(tally, read, causal=True)
    parts.chosen(tally)
    parts.linear(tally, space, bias=False)
    tally.own(1)  # the temperature


def siglip(numbers: Numbers, tally: LayerTally) -> None:
    """Add SigLIP: as CLIP, with attention that gathers an image, and other biases."""
    seen = numbers.inner("vision_config", SIGLIP_IMAGES)
    read = numbers.inner("text_config", SIGLIP_TEXTS)
    width = seen["hidden_size"]
    _patches(seen, tally, tokens=0)
    _blocks(tally, seen)
    parts.normalization(tally)
    _gathered(tally, _block(seen))
    _texts(tally, read)
    parts.chosen(tally)
    parts.linear(tally, read["projection_size"] if read.has("projection_size") else width)
    tally.own(1, 1)  # temperature and offset


def _gathered(tally: LayerTally, block: Block) -> None:
    """Add one learned query that looks at all patches, and a dense block."""
    width, patches = block.width, tally.tensor
    tally.tensor = Tensor((1, width))
    tally.own(width)
    parts.linear(tally, width)
    asking = tally.tensor
    tally.tensor = patches
    parts.linear(tally, 2 * width)
    both = Tensor(patches.shape)
    parts.attention(tally, (asking, both, Tensor(patches.shape)), block.heads)
    parts.linear(tally, width)
    parts.normalization(tally)
    parts.linear(tally, block.inner)
    parts.activation(tally, block.activation)
    parts.linear(tally, width)
    parts.added(tally)


def _texts(tally: LayerTally, numbers: Numbers, *, causal: bool = False) -> None:
    tally.tensor = Tensor((numbers["max_position_embeddings"],), 8)
    width = numbers["hidden_size"]
    parts.embedding(tally, numbers["vocab_size"], width)
    parts.learned(tally, numbers["max_position_embeddings"], width)
    _blocks(tally, numbers, causal=causal)
    parts.normalization(tally)


def _blocks(tally: LayerTally, numbers: Numbers, *, causal: bool = False) -> None:
    block = _block(numbers, causal=causal)
    for _ in range(numbers["num_hidden_layers"]):
        add_block(tally, block)


def _block(numbers: Numbers, *, causal: bool = False) -> Block:
    bias = numbers.has("qkv_bias")
    return Block(
        width=numbers["hidden_size"],
        inner=numbers["intermediate_size"],
        heads=numbers["num_attention_heads"],
        activation=_activation(numbers),
        biases=(bias, bias, bias, True),
        dropout=numbers.share("hidden_dropout_prob"),
        attention_dropout=numbers.share("attention_probs_dropout_prob"),
        causal=causal,
    )


def _activation(numbers: Numbers) -> str:
    return {"gelu_pytorch_tanh": "gelu"}.get(numbers.text("hidden_act"), numbers.text("hidden_act"))


def _patches(numbers: Numbers, tally: LayerTally, tokens: int, *, bias: bool = True) -> None:
    """Add the cutting of an image into patches, tokens beside them, and where they are."""
    width, edge = numbers["hidden_size"], numbers["patch_size"]
    parts.convolution(tally, width, edge, stride=edge, bias=bias)
    rows = tally.tensor.elements // width
    tally.own(*[width] * tokens)
    if tokens:
        parts.joined(tally, (rows + tokens, width))
    else:
        tally.reshape((rows, width))
    parts.learned(tally, (numbers["image_size"] // edge) ** 2 + tokens, width)
