"""Times of transformers that people publish of their own and rented cards: a check on figures that nothing was fitted on.

``texts.csv`` has them as published, as seconds of one micro-batch, of which ``parts`` make a step; ``gib``: memory taken.
The column ``manner`` says how a program computes: ``compiled``, with a ``fused`` optimizer, attention ``decomposed``,
activations ``recomputed``. Left out of lucadiliello: steps for which the Mac swapped (its README says so), and an M2 Ultra
that answers as slowly as it trains. Of ljm565 and qwen, runs on several cards and with parts on the processor.

QLoRA of ljm565 computes in fp32, though its page says bfloat16: what is not packed is loaded as float32
(src/models/llama3.py), no autocast is on (config/llm_llama3.1_qlora.yaml), and a packed layer of bitsandbytes multiplies
in the format of its input. The memory says so, too: 48, 38 and 70 GiB where bfloat16 would take 27, 24 and 38.
"""

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from fit.constants.model import Case
from fit.measurements.cases import device, workload

from advisor.catalog.language import find_model
from advisor.catalog.language.config import model_of_config
from advisor.catalog.language.training import language_network
from advisor.catalog.networks.attention import decompose
from advisor.catalog.networks.tables import network
from advisor.predict.serving.size import parameter_count
from advisor.records.job.work import Network

TABLE = Path(__file__).with_name("texts.csv")
SOURCES = {
    "runpod_2025": "GPT-2 written by hand on cards rented at RunPod, PyTorch 2.8; a file on github.com that says '1 x B200 | 28 "
    "vCPU 283 GB RAM | $5.99/hr', read 2026-11-23",
    "lucadiliello": "https://github.com/lucadiliello/pytorch-apple-silicon-benchmarks, 2022 and 2023, 100 steps in whole seconds",
    "ljm565_2025": "https://github.com/ljm565/universal-llm-trainer, docs/gpu_test.md, 2025; adapters on three layers of a block",
    "qwen_2023": "https://github.com/QwenLM/Qwen, README.md, 2023; QLoRA on weights packed by GPTQ, everything by DeepSpeed",
    "fms_2025": "https://github.com/foundation-model-stack/fms-acceleration, scripts/benchmarks/refs/a100_80gb.csv, 2025; "
    "adapters on attention; QLoRA as PEFT does it, then with their own loader",
}
TUNING = ("ljm565_2025", "qwen_2023", "fms_2025")
"""Sources that tune language models; a set of its own, ``tuning``, the others being ``texts``."""
_QWEN = {  # (layers, width, heads, inner width, vocabulary). Source: config.json of Qwen/Qwen-… on huggingface.co
    "qwen_1.8b": (24, 2048, 16, 5504, 151936),
    "qwen_7b": (32, 4096, 32, 11008, 151936),
    "qwen_14b": (40, 5120, 40, 13696, 152064),
    "qwen_72b": (80, 8192, 64, 24576, 152064),
}
_GEMMA = {"gemma_7b": (28, 3072, 16, 24576, 256000)}
_FIELDS = ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", "vocab_size")


class Figure(NamedTuple):
    """One published figure; ``seconds``: of one micro-batch."""

    source: str
    year: int
    device: str
    model: str
    task: str
    method: str
    precision: str
    manner: str
    batch: int
    tokens: int
    parts: int
    seconds: float
    gib: float | None


def rows() -> Iterator[Figure]:
    """Yield every figure."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            values = [value or None if name == "gib" else value for name, value in row.items()]
            yield msgspec.convert(values, Figure, strict=False)


def figures() -> Iterator[Case]:
    """Yield every figure as a case, where its device is known."""
    for figure in rows():
        card = device(figure.device)
        if card is not None:
            yield case_of(figure, card)


def case_of(figure: Figure, card: Any) -> Case:
    """Return a figure as a case on a device; None: where only its memory is asked."""
    manner, net = figure.manner.split(), model_network(figure.model, figure.tokens)
    net = decompose(net) if "decomposed" in manner else net
    return Case(
        source="tuning" if figure.source in TUNING else "texts",
        network=net,
        workload=workload(
            net.name,
            task=figure.task,
            method=figure.method,
            batch_size=figure.batch,
            precision=figure.precision,
            optimizer="adamw" if figure.task == "train" else "none",
            compiled="compiled" in manner,
            checkpointing="recomputed" in manner,
            fused_optimizer=True if "fused" in manner else None,
            attention=net.attention,
            framework_year=figure.year,
        ),
        device=card,
        time_s=figure.seconds,
        model=f"{figure.source}/{figure.model}/{figure.method}",
        machine=figure.source,
        parts=figure.parts,
    )


@cache
def model_network(name: str, tokens: int) -> Network:
    """Return the table of a model for sequences of so many tokens."""
    if name in ("gpt2", "bert_base"):
        return network(name, sequence_length=tokens)
    if name in _QWEN or name in _GEMMA:
        values: dict[str, Any] = dict(zip(_FIELDS, (_QWEN | _GEMMA)[name], strict=True))
        values |= {"model_type": "gemma", "head_dim": 256} if name in _GEMMA else {"model_type": "llama"}
        model = model_of_config(values | {"tie_word_embeddings": name in _GEMMA}, name)
    else:
        model = find_model(name)
    return language_network(model, tokens, parameter_count(model))
