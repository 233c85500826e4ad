"""Language models as transformers defines them."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from transformers import (
    BertConfig,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    OPTConfig,
    OPTForCausalLM,
    Qwen2Config,
    Qwen2ForCausalLM,
    masking_utils,
)

from traced.entry import Traced, tokens

# Whether several texts are packed into one sequence is asked of the positions' values, which a trace has not.
masking_utils.find_packed_sequence_indices = lambda *_args, **_kwargs: None

COUNTED = "counted from its configuration (transformers 5.23.0)"
SEQUENCES = (64, 96, 128, 200, 256, 384, 512)
LONG_SEQUENCES = (128, 256, 384, 512, 1024, 2048)


def pooled_loss(output: Any, _inputs: Any) -> torch.Tensor:
    """Return a cross-entropy on the pooled output; the few numbers of a classifier's head are not counted."""
    scores = output.pooler_output
    return nn.functional.cross_entropy(scores, torch.empty(scores.shape[0], dtype=torch.int64))


def next_token_loss(output: Any, _inputs: Any) -> torch.Tensor:
    """Return the cross-entropy of each position's scores with the next token."""
    scores = output.logits
    targets = torch.empty(scores.shape[0] * scores.shape[1], dtype=torch.int64)
    return nn.functional.cross_entropy(scores.view(-1, scores.shape[-1]), targets)


def decoder(name: str, parameters: int, build: Callable[[], nn.Module], *, layers: int, **others: Any) -> Traced:
    """Return a language model that predicts the next token; ``others`` are fields of ``Traced``."""
    settings: dict[str, Any] = {
        "family": "transformer",
        "inputs": lambda size, batch: {"input_ids": tokens(size, batch), "use_cache": False},
        "sample": "sequence",
        "size": 1024,
        "sizes": LONG_SEQUENCES,
        "smallest": 8,
        "loss": next_token_loss,
        "libraries": ("transformers",),
    }
    given = {"name": name, "parameters": parameters, "build": lambda _size: build(), "layers": layers, **others}
    return Traced(**{**settings, **given})


def _bert(name: str, parameters: int, layers: int, config: dict[str, int], **others: Any) -> Traced:
    return decoder(
        name,
        parameters,
        lambda: BertModel(BertConfig(**config)),
        layers=layers,
        inputs=lambda size, batch: {"input_ids": tokens(size, batch)},
        size=128,
        sizes=SEQUENCES,
        largest=512,
        loss=pooled_loss,
        **others,
    )


def _gpt2(name: str, parameters: int, config: dict[str, int], **others: Any) -> Traced:
    largest = config.get("n_positions", 1024)
    sizes = tuple(size for size in LONG_SEQUENCES if size <= largest)
    settings = {"layers": config["n_layer"], "largest": largest, "sizes": sizes, "size": largest}
    return decoder(name, parameters, lambda: GPT2LMHeadModel(GPT2Config(**config)), **{**settings, **others})


_QWEN = {
    "vocab_size": 151_936,
    "hidden_size": 1536,
    "intermediate_size": 8960,
    "num_hidden_layers": 28,
    "num_attention_heads": 12,
    "num_key_value_heads": 2,
    "max_position_embeddings": 131_072,
    "tie_word_embeddings": True,
}


def _llama(name: str, parameters: int, config: dict[str, Any], **others: Any) -> Traced:
    return decoder(
        name,
        parameters,
        lambda: LlamaForCausalLM(LlamaConfig(**config)),
        layers=config["num_hidden_layers"],
        size=2048,
        largest=config["max_position_embeddings"],
        is_language_model=True,
        **others,
    )


def _llama3(width: int, inner: int, layers: int, heads: int, **others: Any) -> dict[str, Any]:
    return {
        "vocab_size": 128_256,
        "hidden_size": width,
        "intermediate_size": inner,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": 8,
        "max_position_embeddings": 131_072,
        **others,
    }


NETWORKS = (
    _bert(
        "bert_base",
        109_482_240,
        12,
        {},
        source=f"model card bert-base-uncased: 110M; with pooler, without a task's head; {COUNTED}",
        aliases=("bert", "bert_base_uncased", "bge_base_en", "bge_base_en_v1.5", "e5_base_v2", "gte_base"),
    ),
    _bert(
        "bert_large",
        335_141_888,
        24,
        {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
        source=f"model card bert-large-uncased: 336M; with pooler, without a task's head; {COUNTED}",
        aliases=("bert_large_uncased", "bge_large_en", "bge_large_en_v1.5", "e5_large_v2", "mxbai_embed_large_v1"),
    ),
    _gpt2(
        "gpt2",
        124_439_808,
        {"n_layer": 12},
        source=f"model card openai-community/gpt2: 124M; {COUNTED}",
        aliases=("gpt2_small",),
    ),
    _gpt2(
        "gpt2_medium",
        354_823_168,
        {"n_layer": 24, "n_embd": 1024, "n_head": 16},
        source=f"model card openai-community/gpt2-medium: 355M; {COUNTED}",
    ),
    _gpt2(
        "gpt2_large",
        774_030_080,
        {"n_layer": 36, "n_embd": 1280, "n_head": 20},
        source=f"model card openai-community/gpt2-large: 774M; {COUNTED}",
    ),
    _gpt2(
        "gpt2_xl",
        1_557_611_200,
        {"n_layer": 48, "n_embd": 1600, "n_head": 25},
        source=f"model card openai-community/gpt2-xl: 1.5B; {COUNTED}",
    ),
    decoder(
        "opt_1.3b",
        1_315_758_080,
        lambda: OPTForCausalLM(
            OPTConfig(
                hidden_size=2048, ffn_dim=8192, num_hidden_layers=24, num_attention_heads=32, word_embed_proj_dim=2048
            )
        ),
        layers=24,
        size=2048,
        largest=2048,
        source=f"model card facebook/opt-1.3b: 1.3B; {COUNTED}",
        aliases=("opt_13",),
    ),
    _gpt2(
        "gpt3_xl",
        2_879_554_560,
        {"n_layer": 24, "n_embd": 3072, "n_head": 24, "n_positions": 2048},
        source="24 layers with 24 heads of 128 (Brown et al. 2020, table 2.1), hence 3,072 wide, as NeuSight measured; "
        "the paper's own width of 2,048 and its 1.3B parameters contradict its heads",
    ),
    _gpt2(
        "gpt3_2.7b",
        2_651_553_280,
        {"n_layer": 32, "n_embd": 2560, "n_head": 32, "n_positions": 2048},
        source="Brown et al. 2020, table 2.1: 2.7B (32 layers, 2,560 wide, 32 heads)",
        aliases=("gpt3_27",),
    ),
    decoder(
        "grpo_qwen2.5_1.5b",
        1_543_714_304,
        lambda: Qwen2ForCausalLM(Qwen2Config(**_QWEN)),
        layers=28,
        size=512,
        sizes=(512,),
        written=256,
        source=f"model card Qwen/Qwen2.5-1.5B; it writes 256 tokens of a sample itself, as TRL sets GRPO; {COUNTED}",
        aliases=("grpo",),
    ),
    _llama(
        "llama_1b",
        1_235_814_400,
        _llama3(2048, 8192, 16, 32, tie_word_embeddings=True),
        source=f"model card meta-llama/Llama-3.2-1B: 1.23B; {COUNTED}",
        aliases=("llama_3.2_1b",),
    ),
    _llama(
        "llama_7b",
        6_738_415_616,
        {
            "vocab_size": 32_000,
            "hidden_size": 4096,
            "intermediate_size": 11_008,
            "num_hidden_layers": 32,
            "num_attention_heads": 32,
            "max_position_embeddings": 4096,
        },
        source=f"model card meta-llama/Llama-2-7b-hf; {COUNTED}",
        aliases=("llama_2_7b",),
    ),
    _llama(
        "llama_8b",
        8_030_261_248,
        _llama3(4096, 14_336, 32, 32),
        source=f"model card meta-llama/Llama-3.1-8B; {COUNTED}",
        aliases=("llama_3.1_8b", "llama_3_8b"),
    ),
    _llama(
        "llama_70b",
        70_553_706_496,
        _llama3(8192, 28_672, 80, 64),
        source=f"model card meta-llama/Llama-3.1-70B; {COUNTED}",
        aliases=("llama_3.1_70b", "llama_3_70b"),
    ),
)
