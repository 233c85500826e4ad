"""A model's own ``config.json`` tells its layers; what is damaged or unknown is said in a sentence."""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from advisor.catalog.language import find_model
from advisor.catalog.language.config import model_of_config, read_model
from advisor.errors import InputError
from advisor.predict.serving.size import parameter_count

USUAL = {
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "vocab_size": 99,
}
CONFIGS: dict[str, dict[str, Any]] = {
    "llama3_8b": {
        "model_type": "llama",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "tie_word_embeddings": False,
        "max_position_embeddings": 8192,
    },
    "qwen2.5_7b": {
        "model_type": "qwen2",
        "hidden_size": 3584,
        "intermediate_size": 18944,
        "num_attention_heads": 28,
        "num_hidden_layers": 28,
        "num_key_value_heads": 4,
        "sliding_window": 131072,
        "use_sliding_window": False,
        "vocab_size": 152064,
    },
    "qwen3_30b_a3b": {
        "model_type": "qwen3_moe",
        "head_dim": 128,
        "hidden_size": 2048,
        "intermediate_size": 6144,
        "moe_intermediate_size": 768,
        "num_attention_heads": 32,
        "num_experts": 128,
        "num_experts_per_tok": 8,
        "num_hidden_layers": 48,
        "num_key_value_heads": 4,
        "vocab_size": 151936,
    },
    "mixtral_8x7b": {
        "model_type": "mixtral",
        "hidden_size": 4096,
        "intermediate_size": 14336,
        "num_attention_heads": 32,
        "num_experts_per_tok": 2,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "num_local_experts": 8,
        "vocab_size": 32000,
    },
    "gemma2_9b": {
        "model_type": "gemma2",
        "head_dim": 256,
        "hidden_size": 3584,
        "intermediate_size": 14336,
        "num_attention_heads": 16,
        "num_hidden_layers": 42,
        "num_key_value_heads": 8,
        "sliding_window": 4096,
        "vocab_size": 256000,
    },
    "gemma3_1b": {
        "model_type": "gemma3_text",
        "head_dim": 256,
        "hidden_size": 1152,
        "intermediate_size": 6912,
        "num_attention_heads": 4,
        "num_hidden_layers": 26,
        "num_key_value_heads": 1,
        "sliding_window": 512,
        "vocab_size": 262144,
    },
    "phi3_mini": {
        "model_type": "phi3",
        "hidden_size": 3072,
        "intermediate_size": 8192,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 32,
        "sliding_window": 2047,
        "vocab_size": 32064,
    },
    "pythia_6.9b": {
        "model_type": "gpt_neox",
        "hidden_size": 4096,
        "intermediate_size": 16384,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "vocab_size": 50432,
    },
    "gpt2": {
        "model_type": "gpt2",
        "n_embd": 768,
        "n_head": 12,
        "n_layer": 12,
        "n_positions": 1024,
        "vocab_size": 50257,
    },
    "gpt_oss_20b": {
        "model_type": "gpt_oss",
        "head_dim": 64,
        "hidden_size": 2880,
        "intermediate_size": 2880,
        "num_attention_heads": 64,
        "num_experts_per_tok": 4,
        "num_hidden_layers": 24,
        "num_key_value_heads": 8,
        "num_local_experts": 32,
        "sliding_window": 128,
        "vocab_size": 201088,
    },
    "deepseek_v3": {
        "model_type": "deepseek_v3",
        "first_k_dense_replace": 3,
        "hidden_size": 7168,
        "intermediate_size": 18432,
        "kv_lora_rank": 512,
        "moe_intermediate_size": 2048,
        "n_routed_experts": 256,
        "n_shared_experts": 1,
        "num_attention_heads": 128,
        "num_experts_per_tok": 8,
        "num_hidden_layers": 61,
        "num_key_value_heads": 128,
        "q_lora_rank": 1536,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "topk_method": "noaux_tc",
        "v_head_dim": 128,
        "vocab_size": 129280,
    },
}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_description_gives_the_published_number_of_parameters(name: str) -> None:
    """As its makers published them on huggingface.co."""
    found = model_of_config(CONFIGS[name], name)
    known = find_model(name)
    assert parameter_count(found) == known.parameters
    assert (found.window, found.full_every) == (known.window, known.full_every)


def test_phi_has_its_published_parameters() -> None:
    """The 2,779,683,840 of microsoft/phi-2, whose output layer has a bias."""
    numbers = {"hidden_size": 2560, "num_attention_heads": 32, "num_hidden_layers": 32, "vocab_size": 51_200}
    phi2 = model_of_config(numbers | {"model_type": "phi", "intermediate_size": 10_240}, "phi-2")
    assert parameter_count(phi2) == 2_779_683_840


def test_a_folder_or_file_is_read(tmp_path: Path) -> None:
    """The model is named by its folder."""
    folder = tmp_path / "my-llama"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(USUAL | {"model_type": "llama"}), "utf-8")
    assert read_model(folder) == find_model(str(folder / "config.json"))
    assert read_model(folder).name == "my-llama"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have names of text alone")
def test_a_folder_whose_name_is_no_text_is_read(tmp_path: Path) -> None:
    """With its name as it is, no report could be written."""
    folder = tmp_path / os.fsdecode(b"\xff")
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(USUAL | {"model_type": "llama"}), "utf-8")
    assert read_model(folder).name == "?"


def test_a_model_that_sees_is_described_by_what_writes() -> None:
    """Its numbers lie in a part of their own."""
    found = model_of_config({"model_type": "gemma3", "text_config": USUAL | {"model_type": "gemma3_text"}}, "sees")
    assert found.width == 64


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "cannot be read"),
        ("[]", "cannot be read"),
        ("{}", "not known"),
        (json.dumps(USUAL | {"model_type": "unheard_of"}), "not known"),
        (json.dumps({"model_type": "llama"}), "lacks a number"),
        (
            json.dumps(USUAL | {"model_type": "llama", "num_hidden_layers": -1}),
            "makes no sense: num_hidden_layers must be a whole number of at least 1, and is -1$",
        ),
        (
            json.dumps(USUAL | {"model_type": "llama", "num_hidden_layers": "many"}),
            'num_hidden_layers must be a whole number of at least 1, and is "many"',
        ),
        (
            json.dumps(USUAL | {"model_type": "gpt2", "n_positions": 9, "attn_pdrop": "x"}),
            "a text or a list stands where a number",
        ),
        (json.dumps(USUAL | {"model_type": "llama", "text_config": 7, "vocab_size": None}), "makes no sense"),
        (json.dumps(CONFIGS["qwen3_30b_a3b"] | {"num_experts": 1}), "makes no sense: experts"),
        (json.dumps(CONFIGS["qwen3_30b_a3b"] | {"num_experts_per_tok": 0}), "makes no sense: experts"),
        (json.dumps(CONFIGS["deepseek_v3"] | {"first_k_dense_replace": 99}), "makes no sense: experts"),
        (json.dumps(CONFIGS["deepseek_v3"] | {"kv_lora_rank": 0}), "makes no sense: kv_lora_rank"),
    ],
)
def test_what_is_no_description_is_said(tmp_path: Path, text: str, said: str) -> None:
    """In one sentence."""
    path = tmp_path / "config.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        read_model(path)


@pytest.mark.parametrize("value", [64.5, "64", True, -64, 0, [64], float("inf")])
@pytest.mark.parametrize("key", ["hidden_size", "num_hidden_layers", "num_key_value_heads", "head_dim", "vocab_size"])
def test_what_is_no_whole_size_is_refused_by_the_name_of_its_key(key: str, value: object) -> None:
    """Half a layer was left out of the count, and a text or a switch taken for a number."""
    said = rf"makes no sense: {key} must be a whole number of at least 1, and is {re.escape(json.dumps(value))}$"
    with pytest.raises(InputError, match=said):
        model_of_config(USUAL | {"model_type": "llama", key: value}, "mine")


@pytest.mark.parametrize("key", ["n_routed_experts", "kv_lora_rank", "first_k_dense_replace", "q_lora_rank"])
def test_what_is_no_whole_number_of_a_mixture_is_refused(key: str) -> None:
    """A model can do without each of them, so 0 is none of these faults."""
    with pytest.raises(InputError, match=rf"{key} must be a whole number of at least 0, and is 2\.5$"):
        model_of_config(CONFIGS["deepseek_v3"] | {key: 2.5}, "mine")


def test_a_whole_size_with_a_point_is_the_same_size() -> None:
    """Some programs write every number so."""
    pointed = {key: float(value) for key, value in USUAL.items()}
    assert model_of_config(pointed | {"model_type": "llama"}, "") == model_of_config(
        USUAL | {"model_type": "llama"}, ""
    )


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no device without end")
def test_a_file_without_end_is_not_read_whole(tmp_path: Path) -> None:
    """The system says that a device has no size."""
    path = tmp_path / "config.json"
    path.symlink_to("/dev/zero")
    with pytest.raises(InputError, match="too large"):
        read_model(path)


def test_an_empty_folder_is_said(tmp_path: Path) -> None:
    """It holds no model."""
    with pytest.raises(InputError, match="holds neither"):
        read_model(tmp_path)
