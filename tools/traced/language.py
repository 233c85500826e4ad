"""Language models as transformers defines them."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from transformers import BertConfig, BertModel, GPT2Config, GPT2LMHeadModel

from traced.entry import Traced, tokens

SEQUENCES = (64, 96, 128, 200, 256, 384, 512)


def _network(
    name: str,
    parameters: int,
    build: Callable[[], nn.Module],
    *,
    layers: int,
    source: str,
    size: int,
    sizes: tuple[int, ...] = SEQUENCES,
    largest: int | None = None,
    loss: Any = None,
    aliases: tuple[str, ...] = (),
) -> Traced:
    return Traced(
        name=name,
        family="transformer",
        build=lambda _size: build(),
        inputs=_inputs,
        parameters=parameters,
        source=source,
        sample="sequence",
        size=size,
        sizes=sizes,
        smallest=8,
        largest=largest,
        layers=layers,
        loss=loss,
        aliases=aliases,
        libraries=("transformers",),
    )


def _inputs(size: int, batch: int) -> dict[str, Any]:
    return {"input_ids": tokens(size, batch)}


def _inputs_without_cache(size: int, batch: int) -> dict[str, Any]:
    return {"input_ids": tokens(size, batch), "use_cache": False}


def pooled_loss(output: Any, _inputs: Any) -> torch.Tensor:
    """Return a cross-entropy on the pooled output; the few numbers of a classifier's head are not counted."""
    scores = output.pooler_output
    targets = torch.empty(scores.shape[0], dtype=torch.int64, device="meta")
    return nn.functional.cross_entropy(scores, targets)


NETWORKS = (
    _network(
        "bert_base",
        109_482_240,
        lambda: BertModel(BertConfig()),
        layers=12,
        size=128,
        largest=512,
        loss=pooled_loss,
        source="model card bert-base-uncased: 110M; counted: 109,482,240 with pooler, without a task's head",
    ),
    _network(
        "gpt2",
        124_439_808,
        lambda: GPT2LMHeadModel(GPT2Config()),
        layers=12,
        size=1024,
        sizes=(*SEQUENCES, 1024),
        largest=1024,
        source="model card openai-community/gpt2: 124M; counted with tied embeddings",
    ),
)
