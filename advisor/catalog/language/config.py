"""A language model from its own files, a Hugging Face ``config.json`` or a GGUF file's head; nothing is fetched."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from advisor.catalog.description_faults import FAULTS, senseless, whole_number
from advisor.catalog.language.gguf import read_gguf
from advisor.catalog.language.safetensors import lacks_description
from advisor.errors import InputError
from advisor.records.job.serving import LanguageModel
from advisor.resource import as_text

CONFIG = "config.json"
_PARTS = ("transformer", "unet")
"""Folders of a model of diffusers that hold what is trained."""
_MOST_BYTES = 4 * 1024**2
_LOOSE = "gelu_new"
Values = dict[str, Any]


def reads(path: Path) -> bool:
    """Return whether a path is a model's file or folder."""
    return path.suffix in (".json", ".gguf", ".safetensors") or path.is_dir()


def read_model(path: Path) -> LanguageModel:
    """Return the model in a ``config.json``, a GGUF file, or the folder that holds one.

    Raises:
        InputError: There is none, it is damaged, or its architecture is not known.
    """
    path = description_file(path)
    return read_gguf(path) if path.suffix == ".gguf" else model_of_config(*read_config(path))


def description_file(path: Path) -> Path:
    """Return the file that describes a model: the path itself, or what lies in the folder.

    Of a folder of diffusers it is the network that is trained, not the encoders of text beside it.

    Raises:
        InputError: There is none; where weights are, the sentence says how many.
    """
    if path.suffix == ".safetensors" and not path.is_dir():
        beside = path.parent / CONFIG
        if beside.is_file():
            return beside
        raise lacks_description([path], path.name)
    if not path.is_dir():
        return path
    files = [path / CONFIG, *(path / part / CONFIG for part in _PARTS), *sorted(path.glob("*.gguf"))]
    found = next((one for one in files if one.is_file()), None)
    if found is not None:
        return found
    if weights := sorted(one for one in path.glob("*.safetensors") if one.is_file()):  # a pipe would never answer
        raise lacks_description(weights, path.name)
    raise InputError("The folder {name} holds neither config.json nor a GGUF file.", name=path.name)


def read_config(path: Path) -> tuple[Values, str]:
    """Return what a ``config.json`` holds, and what its model is called.

    Raises:
        InputError: It cannot be read, or is no description.
    """
    try:
        with path.open("rb") as file:  # whatever the system says of its size: a device has none, and no end
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise InputError("{name} is too large to be the description of a model.", name=path.name)
        values = json.loads(content)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError("{name} cannot be read as the description of a model.", name=path.name) from error
    if not isinstance(values, dict):
        raise InputError("{name} cannot be read as the description of a model.", name=path.name)
    folder = path.parent.resolve()
    folder = folder.parent if folder.name in _PARTS else folder
    return values, as_text(folder.name if path.name == CONFIG else path.stem)


def language_kinds() -> tuple[str, ...]:
    """Return every ``model_type`` that is a language model's."""
    return tuple(_KINDS)


def model_of_config(values: Values, name: str) -> LanguageModel:
    """Return the model that a ``config.json`` describes.

    Raises:
        InputError: Its architecture is not known, or a number is missing or makes no sense.
    """
    inner = values.get("text_config")  # of models that see as well: the part that writes
    values = values | inner if isinstance(inner, dict) else values
    kind = str(values.get("model_type", ""))
    special = _KINDS.get(kind)
    if special is None:
        raise InputError(
            "The architecture '{kind}' is not known; known are: {known}.",
            kind=kind or "?",
            known=", ".join(sorted(_KINDS)),
        )
    try:
        values = _checked(values)
        fields = _usual(values) | special(values)
        return msgspec.convert({"name": name, "title": name, "source": CONFIG} | fields, LanguageModel)
    except FAULTS as error:
        raise senseless(name, error) from error


_LEAST = dict.fromkeys(
    (
        *("hidden_size", "n_embd", "num_hidden_layers", "n_layer", "num_attention_heads", "n_head", "vocab_size"),
        *("num_key_value_heads", "head_dim", "intermediate_size", "n_inner", "max_position_embeddings", "n_positions"),
    ),
    1,
) | dict.fromkeys(
    (
        *("num_experts", "num_local_experts", "n_routed_experts", "n_shared_experts", "num_experts_per_tok"),
        *("moe_intermediate_size", "first_k_dense_replace", "kv_lora_rank", "q_lora_rank", "qk_nope_head_dim"),
        *("qk_rope_head_dim", "v_head_dim", "sliding_window", "sliding_window_pattern", "_sliding_window_pattern"),
    ),
    0,
)
"""The whole numbers of a description, and the least that each can be."""


def _checked(values: Values) -> Values:
    """Return the values, each number of ``_LEAST`` whole: what is reckoned with half a layer is no model."""
    given = {key: least for key, least in _LEAST.items() if values.get(key) is not None}
    return values | {key: whole_number(key, values[key], least) for key, least in given.items()}


def _usual(values: Values) -> Values:
    width, heads = _first(values, "hidden_size", "n_embd"), _first(values, "num_attention_heads", "n_head")
    return {
        "layers": _first(values, "num_hidden_layers", "n_layer"),
        "width": width,
        "heads": heads,
        "key_value_heads": values.get("num_key_value_heads") or heads,
        "head_size": values.get("head_dim") or width // heads,
        "feed_forward": values.get("intermediate_size") or values.get("n_inner") or 4 * width,
        "vocabulary": values["vocab_size"],
        "tied": bool(values.get("tie_word_embeddings", False)),
        "context": values.get("max_position_embeddings") or values.get("n_positions"),
    }


def _first(values: Values, *names: str) -> int:
    found = next((values[name] for name in names if values.get(name) is not None), None)
    if found is None:
        raise KeyError(names[0])
    return int(found)


def _llama(values: Values) -> Values:
    return {
        "attention_bias": "all" if values.get("attention_bias") else "none",
        "feed_forward_bias": bool(values.get("mlp_bias")),
        "window": values.get("sliding_window"),
    }


def _qwen2(values: Values) -> Values:
    window = values.get("sliding_window") if values.get("use_sliding_window") else None
    return {"attention_bias": "inputs", "window": window}


def _qwen3(values: Values) -> Values:
    return {"query_norm": True, "attention_bias": "all" if values.get("attention_bias") else "none"}


def _qwen3_mixture(values: Values) -> Values:
    mixture = {
        "experts": _first(values, "num_experts", "num_local_experts"),  # the latter since transformers 5
        "active_experts": values["num_experts_per_tok"],
        "expert_feed_forward": values["moe_intermediate_size"],
    }
    return _qwen3(values) | mixture


def _mixtral(values: Values) -> Values:
    return {"experts": values["num_local_experts"], "active_experts": values["num_experts_per_tok"]}


def _gemma(values: Values) -> Values:
    return {"tied": values.get("tie_word_embeddings", True)}


def _gemma2(values: Values) -> Values:
    capped = values.get("attn_logit_softcapping", 50.0) is not None
    return _gemma(values) | {
        "norms": 4,
        "window": values.get("sliding_window"),
        "full_every": 2,
        "capped": capped,
    }


def _gemma3(values: Values) -> Values:
    every = values.get("sliding_window_pattern") or values.get("_sliding_window_pattern") or 6
    return _gemma2(values) | {"query_norm": True, "full_every": every, "capped": False}


def _phi(values: Values) -> Values:
    loose = values.get("hidden_act", _LOOSE) == _LOOSE
    return _gpt_neox(values) | {"norms": 1, "output_bias": True, "loose_activation": loose}


def _gpt_neox(values: Values) -> Values:
    return {"gated": False, "attention_bias": "all", "feed_forward_bias": True, "norm_bias": True}


def _gpt2(values: Values) -> Values:
    tied = values.get("tie_word_embeddings", True)
    return _gpt_neox(values) | {
        "tied": tied,
        "positions": _first(values, "n_positions", "max_position_embeddings"),
        "loose_activation": values.get("activation_function", _LOOSE) == _LOOSE,
        "drops": values.get("attn_pdrop", 0.1) > 0,
    }


def _gpt_oss(values: Values) -> Values:
    mixture = _mixtral(values) | {"expert_feed_forward": values["intermediate_size"], "expert_bias": True}
    window = {"window": values.get("sliding_window"), "full_every": 2}
    return mixture | window | {"attention_bias": "all", "sinks": True}


def _deepseek(values: Values) -> Values:
    shared = (values.get("n_shared_experts") or 0) * values["moe_intermediate_size"]
    return {
        "head_size": values["qk_nope_head_dim"],
        "experts": values["n_routed_experts"],
        "active_experts": values["num_experts_per_tok"],
        "expert_feed_forward": values["moe_intermediate_size"],
        "shared_feed_forward": shared,
        "dense_layers": values.get("first_k_dense_replace", 0),
        "latent_size": values["kv_lora_rank"] + values["qk_rope_head_dim"],
        "query_rank": values.get("q_lora_rank") or 0,
        "rope_size": values["qk_rope_head_dim"],
        "value_size": values["v_head_dim"],
        "router_bias": values.get("topk_method") == "noaux_tc",
    }


_KINDS: dict[str, Callable[[Values], Values]] = {
    "llama": _llama,
    "mistral": _llama,
    "phi3": _llama,
    "mixtral": _mixtral,
    "qwen2": _qwen2,
    "qwen3": _qwen3,
    "qwen3_moe": _qwen3_mixture,
    "gemma": _gemma,
    "gemma2": _gemma2,
    "gemma3": _gemma3,
    "gemma3_text": _gemma3,
    "phi": _phi,
    "gpt_neox": _gpt_neox,
    "gpt2": _gpt2,
    "gpt_oss": _gpt_oss,
    "deepseek_v2": _deepseek,
    "deepseek_v3": _deepseek,
}
