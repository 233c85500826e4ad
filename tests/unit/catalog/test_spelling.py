"""Names as people write them find what they mean."""

import pytest

from advisor.catalog import find_workload, network_names
from advisor.catalog.language.models import find_model
from advisor.catalog.spelling import nearest_names
from advisor.errors import UnknownNameError


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5_7b"),
        ("meta-llama/Llama-3.1-8B-Instruct", "llama3.1_8b"),
        ("unsloth/Llama-3.2-1B-Instruct-bnb-4bit", "llama3.2_1b"),
        ("mistralai/Mistral-7B-Instruct-v0.3", "mistral_7b"),
        ("google/gemma-3-4b-it", "gemma3_4b"),
        ("gemma3:12b", "gemma3_12b"),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "llama3.1_70b"),
        ("Llama-3.3-70B", "llama3.1_70b"),
    ],
)
def test_a_language_model_is_found_by_its_name_on_the_hub(written: str, known: str) -> None:
    """Owner, training, version and format are no other network."""
    assert find_model(written).name == known


@pytest.mark.parametrize(
    ("written", "network"),
    [
        ("google-bert/bert-base-cased", "bert_base"),
        ("openai/whisper-small", "whisper_small"),
        ("timm/resnet50.a1_in1k", "resnet50"),
        ("timm/convnext_base.fb_in22k_ft_in1k", "convnext_base"),
    ],
)
def test_a_network_is_found_by_its_name_on_the_hub(written: str, network: str) -> None:
    """As a job to train."""
    assert find_workload(written).workload.network == network


@pytest.mark.parametrize(
    ("written", "nearest"),
    [
        ("llama3", ("llama3_8b", "llama3_70b", "llama3.1_8b")),
        ("Qwen/qwen3", ("qwen3_0.6b", "qwen3_1.7b", "qwen3_4b")),
        ("mistral", ("mistral_7b", "mistral_small_24b", "mistral_nemo_12b")),
    ],
)
def test_a_family_without_a_size_names_its_sizes(written: str, nearest: tuple[str, ...]) -> None:
    """Many know a model's family alone; a number in its name is not the beginning of a larger one."""
    with pytest.raises(UnknownNameError) as refusal:
        find_workload(written)
    assert refusal.value.nearest == nearest


def test_what_looks_like_nothing_has_no_neighbour() -> None:
    """Better no hint than a wrong one."""
    assert nearest_names("zzzzzz", network_names()) == ()
