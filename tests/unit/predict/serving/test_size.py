"""The layers of a language model add up to its published number of parameters."""

import pytest

from advisor.catalog.language import find_model, language_models
from advisor.predict.serving.size import active_count, cache_numbers, experts_read, parameter_count


@pytest.mark.parametrize("name", [one.name for one in language_models()])
def test_parameters_are_the_published_number(name: str) -> None:
    """To the last one."""
    model = find_model(name)
    assert parameter_count(model) == model.parameters


@pytest.mark.parametrize(
    ("name", "billions"),
    [
        ("mixtral_8x7b", 12.9),
        ("qwen3_30b_a3b", 3.3),
        ("qwen3_235b_a22b", 22),
        ("deepseek_v3", 37),
        ("gpt_oss_20b", 3.6),
    ],
)
def test_a_token_meets_as_many_parameters_as_published(name: str, billions: float) -> None:
    """The published numbers are rounded, and count the table of tokens or not."""
    model = find_model(name)
    table = 0 if model.tied else model.vocabulary * model.width
    published = billions * 1e9
    assert active_count(model) <= published * 1.02
    assert active_count(model) + table >= published * 0.98


def test_grouped_queries_keep_less() -> None:
    """Llama 3 8B keeps 128 KiB of a token in 16 bit; Llama 2 7B, each head for itself, 512."""
    assert 2 * cache_numbers(find_model("llama3_8b"), 1) == 128 * 1024
    assert 2 * cache_numbers(find_model("llama2_7b"), 1) == 512 * 1024


def test_windows_bound_what_is_kept() -> None:
    """Half of Gemma 2's layers look back at 4,096 tokens alone."""
    model = find_model("gemma2_9b")
    assert cache_numbers(model, 8192) == pytest.approx(0.75 * 2 * cache_numbers(model, 4096))


def test_latent_attention_keeps_576_numbers_a_layer() -> None:
    """Source: DeepSeek-V2, table 1: 4.5 head sizes, which is 512 and 64."""
    model = find_model("deepseek_v3")
    assert cache_numbers(model, 10) == 10 * 61 * 576


def test_many_tokens_read_every_expert() -> None:
    """One token reads two of eight, hundreds all."""
    model = find_model("mixtral_8x7b")
    assert experts_read(model, 1) == pytest.approx(2)
    assert experts_read(model, 500) == pytest.approx(8)
    assert experts_read(find_model("llama3_8b"), 5) == 0
