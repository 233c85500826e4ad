"""Encoders of text, and T5: what each ``model_type`` of transformers is made of."""

from advisor.catalog.described.blocks import Block, add_block, norm
from advisor.catalog.described.values import Numbers
from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor

BERT = {
    "vocab_size": 30_522,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
ROBERTA = BERT | {"vocab_size": 50_265}
ELECTRA = BERT | {"embedding_size": 128, "hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 1024}
DISTILBERT = {
    "vocab_size": 30_522,
    "dim": 768,
    "n_layers": 6,
    "n_heads": 12,
    "hidden_dim": 3072,
    "activation": "gelu",
    "dropout": 0.1,
    "attention_dropout": 0.1,
    "max_position_embeddings": 512,
}
DEBERTA = BERT | {
    "vocab_size": 128_100,
    "hidden_size": 1536,
    "num_hidden_layers": 24,
    "num_attention_heads": 24,
    "intermediate_size": 6144,
    "type_vocab_size": 0,
    "position_buckets": 0,
    "norm_rel_ebd": "none",
    "pooler_hidden_act": "gelu",
}
MODERNBERT = {
    "vocab_size": 50_368,
    "hidden_size": 768,
    "intermediate_size": 1152,
    "num_hidden_layers": 22,
    "num_attention_heads": 12,
    "max_position_embeddings": 8192,
}
T5 = {
    "vocab_size": 32_128,
    "d_model": 512,
    "d_kv": 64,
    "d_ff": 2048,
    "num_layers": 6,
    "num_decoder_layers": None,
    "num_heads": 8,
    "relative_attention_num_buckets": 32,
    "dropout_rate": 0.1,
    "feed_forward_proj": "relu",
    "tie_word_embeddings": True,
    "n_positions": 512,
}


def bert(numbers: Numbers, tally: LayerTally) -> None:
    """Add BERT, RoBERTa, XLM-RoBERTa or ELECTRA."""
    width, layers = numbers["hidden_size"], numbers["num_hidden_layers"]
    narrow = numbers["embedding_size"] if numbers.has("embedding_size") else width
    block = _bert_block(numbers)
    _embedded(numbers, tally, narrow, types=numbers["type_vocab_size"])
    parts.dropout(tally, block.dropout)
    if narrow != width:
        parts.linear(tally, width)
    for _ in range(layers):
        add_block(tally, block)
    _head(numbers, tally, narrow, pooled=not numbers.has("embedding_size"), drop=block.dropout)


def _bert_block(numbers: Numbers, distances: int = 0) -> Block:
    return Block(
        width=numbers["hidden_size"],
        inner=numbers["intermediate_size"],
        heads=numbers["num_attention_heads"],
        norm_first=False,
        activation=numbers.text("hidden_act"),
        dropout=numbers.share("hidden_dropout_prob"),
        attention_dropout=numbers.share("attention_probs_dropout_prob"),
        distances=distances,
    )


def distilbert(numbers: Numbers, tally: LayerTally) -> None:
    """Add DistilBERT."""
    drop = numbers.share("dropout")
    block = Block(
        width=numbers["dim"],
        inner=numbers["hidden_dim"],
        heads=numbers["n_heads"],
        norm_first=False,
        activation=numbers.text("activation"),
        attention_dropout=numbers.share("attention_dropout"),
    )
    _embedded(numbers, tally, block.width)
    parts.dropout(tally, drop)
    for _ in range(numbers["n_layers"]):
        # No dropout after attention, unlike BERT.
        add_block(tally, block, last_dropout=drop)
    _head(numbers, tally, block.width, pooled=False, drop=drop)


def modernbert(numbers: Numbers, tally: LayerTally) -> None:
    """Add ModernBERT: rotated positions, gated layers, no biases."""
    width = numbers["hidden_size"]
    block = Block(
        width=width,
        inner=numbers["intermediate_size"],
        heads=numbers["num_attention_heads"],
        biases=(False,) * 4,
        dense_bias=False,
        norm_bias=False,
        gated=True,
        joined=True,
        rotated=True,
    )
    parts.embedding(tally, numbers["vocab_size"], width)
    norm(tally, block)
    for number in range(numbers["num_hidden_layers"]):
        add_block(tally, block, first_norm=number > 0)
    norm(tally, block)
    if numbers.task == "MaskedLM":
        _words(numbers, tally, width, bias=False)
        return
    if numbers.task not in _EACH_TOKEN:
        parts.chosen(tally)
    if numbers.task:
        parts.linear(tally, width, bias=False)
        parts.activation(tally, "gelu")
        norm(tally, block)
        parts.linear(tally, numbers.labels)


def deberta(numbers: Numbers, tally: LayerTally) -> None:
    """Add DeBERTa version 3: contents are compared with places as well, in two products over every distance.

    Of version 2, with a convolution beside its first layer, nothing is said here.
    """
    span, drop = 2 * numbers["position_buckets"], numbers.share("hidden_dropout_prob")
    if numbers.has("conv_kernel_size") or not numbers.has("share_att_key") or not span:
        raise ValueError("conv_kernel_size, share_att_key, position_buckets")
    block = _bert_block(numbers, distances=span)
    parts.embedding(tally, numbers["vocab_size"], block.width)
    if numbers.has("position_biased_input"):
        parts.learned(tally, numbers["max_position_embeddings"], block.width)
    parts.normalization(tally)
    parts.dropout(tally, drop)
    tally.own(span * block.width)
    if numbers.text("norm_rel_ebd") == "layer_norm":
        tally.own(block.width, block.width)
    for _ in range(numbers["num_hidden_layers"]):
        add_block(tally, block)
    _head(numbers, tally, block.width, pooled=False, drop=drop)


def t5(numbers: Numbers, tally: LayerTally) -> None:
    """Add T5, its encoder and its decoder for as many tokens each."""
    words, width, heads, drop = tally.tensor, numbers["d_model"], numbers["num_heads"], numbers.share("dropout_rate")
    kind = numbers.text("feed_forward_proj")
    if kind not in ("relu", "gated-gelu"):
        raise ValueError("feed_forward_proj")
    block = Block(
        width=width,
        inner=numbers["d_ff"],
        heads=heads,
        biases=(False,) * 4,
        dense_bias=False,
        root_norm=True,
        dropout=drop,
        attention_dropout=drop,
        inner_dropout=drop,
        activation="relu" if kind == "relu" else "gelu_new",
        gated=kind != "relu",
        key_width=heads * numbers["d_kv"],
        mask_bytes=4.0 * heads * tally.tensor.elements**2,
    )
    layers = numbers["num_layers"]
    writers = numbers["num_decoder_layers"] if numbers.has("num_decoder_layers") else layers
    parts.embedding(tally, numbers["vocab_size"], width)
    memory: Tensor | None = None
    for count in (layers, writers):
        if memory is not None:
            tally.tensor = words
            parts.embedding(tally, numbers["vocab_size"], width, tied=True)
            block = Block(**{**vars(block), "causal": True})
        tally.own(numbers["relative_attention_num_buckets"] * heads)
        parts.dropout(tally, drop)
        for _ in range(count):
            add_block(tally, block, memory)
        norm(tally, block)
        parts.dropout(tally, drop)
        memory = tally.tensor
    parts.linear(tally, numbers["vocab_size"], bias=False, tied=numbers.has("tie_word_embeddings"))


_EACH_TOKEN = ("TokenClassification", "QuestionAnswering", "MaskedLM", "PreTraining")


def _embedded(numbers: Numbers, tally: LayerTally, width: int, types: int = 0) -> None:
    """Add words, kinds of text and places, and their norm."""
    parts.embedding(tally, numbers["vocab_size"], width)
    if types:
        tally.own(types * width)
        parts.added(tally)
    if numbers.has("max_position_embeddings"):
        parts.learned(tally, numbers["max_position_embeddings"], width)
    parts.normalization(tally)


def _head(numbers: Numbers, tally: LayerTally, narrow: int, *, pooled: bool, drop: float) -> None:
    """Add what the model was made for; a body alone ends with its first token."""
    task, width = numbers.task, tally.tensor.shape[-1]
    if task in ("MaskedLM", "PreTraining") and not (task == "PreTraining" and numbers.has("embedding_size")):
        _words(numbers, tally, narrow)
    elif task in _EACH_TOKEN:
        parts.dropout(tally, drop)
        parts.linear(tally, 2 if task == "QuestionAnswering" else numbers.labels)
    else:
        parts.chosen(tally)
        if pooled or task:
            parts.linear(tally, width)
            parts.activation(tally, numbers.text("pooler_hidden_act") if numbers.has("pooler_hidden_act") else "tanh")
        if task:
            parts.dropout(tally, drop)
            parts.linear(tally, numbers.labels)


def _words(numbers: Numbers, tally: LayerTally, narrow: int, *, bias: bool = True) -> None:
    """Add the guess of each word over the whole vocabulary; its table is that of the words that go in."""
    parts.linear(tally, narrow, bias=bias)
    parts.activation(tally, "gelu")
    parts.normalization(tally, bias=bias)
    parts.linear(tally, numbers["vocab_size"], tied=True)
