"""What a prediction of a model that writes hangs on."""

import msgspec
import pytest

from advisor.catalog import find_device
from advisor.catalog.language import find_format, find_model
from advisor.errors import PredictionError
from advisor.predict.serving import Host, predict_serving
from advisor.records.job.serving import ServingJob, ServingPrediction
from advisor.units import GB, GIB


def asked(
    model: str = "llama3_8b", weights: str = "q4_k_m", device: str = "RTX 4090", count: int = 1, **job: int
) -> ServingPrediction:
    """Return a prediction."""
    return predict_serving(
        find_model(model),
        find_format(weights),
        find_device(device),
        ServingJob(weights=weights, **job),
        device_count=count,
    )


def test_writing_follows_the_bytes_of_the_weights() -> None:
    """Fewer bits, faster; never faster than memory can be read."""
    rates = [asked(weights=name).decode_tokens_per_s for name in ("q4_k_m", "q8_0", "fp16")]
    assert rates == sorted(rates, reverse=True)
    bandwidth = find_device("RTX 4090").bandwidth_bytes_per_s
    assert bandwidth is not None
    assert rates[0] * asked().memory.weights_bytes * 0.9 < bandwidth


def test_several_users_share_the_reading_of_weights() -> None:
    """Each gets less, all together more."""
    one, many = asked(weights="fp16"), asked(weights="fp16", users=8)
    assert many.decode_tokens_per_s < one.decode_tokens_per_s
    assert many.total_tokens_per_s > 4 * one.total_tokens_per_s


@pytest.mark.parametrize(
    ("device", "model", "weights", "published"),
    [("RTX 2080 Ti", "llama2_7b", "q4_0", 3108.0), ("RTX 2070 Max-Q", "llama3.1_8b", "q4_k_m", 1193.5)],
)
def test_prompts_are_read_on_turing_as_published(device: str, model: str, weights: str, published: float) -> None:
    """With packed weights; they were told 1.5 times as fast (llama.cpp, discussion 15013; normiebench, issue 39)."""
    found = asked(model, weights, device, prompt_tokens=512).prefill_tokens_per_s
    assert found == pytest.approx(published, rel=0.15)


@pytest.mark.parametrize(
    ("device", "year", "read", "written"),
    [("GTX 1080 Ti", 2025, 1084.4, 62.5), ("P40", 2024, 934.7, 56.3)],
)
def test_pascal_multiplies_packed_weights_as_integers(device: str, year: int, read: float, written: float) -> None:
    """Prompts were told 0.63 of what is published, answers 1.5 (llama.cpp, discussion 15013, pull request 4766)."""
    found = asked("llama2_7b", "q4_0", device, prompt_tokens=512, new_tokens=128, year=year)
    assert found.prefill_tokens_per_s == pytest.approx(read, rel=0.1)
    assert found.decode_tokens_per_s == pytest.approx(written, rel=0.25)
    whole = asked("llama2_7b", "fp16", device, prompt_tokens=512, year=year)
    assert whole.prefill_tokens_per_s < 0.9 * found.prefill_tokens_per_s


def test_where_two_programs_disagree_the_interval_reaches_both() -> None:
    """An Arc Pro B70 writes 42 tokens a second with Vulkan and 88 with SYCL: neither alone is what people get."""
    found = asked("llama3.1_8b", "q4_k_m", "Arc Pro B70", prompt_tokens=1, new_tokens=128)
    assert found.decode_interval.low < 42.0
    assert found.decode_interval.high > 88.0


def test_cards_for_workstations_sum_up_at_full_rate_already() -> None:
    """A TITAN RTX reads no faster than its units are for: it was told twice the rate of a card of the same chip."""
    titan, quadro = (asked("llama2_7b", "fp16", name, prompt_tokens=512) for name in ("TITAN RTX", "Quadro RTX 8000"))
    assert titan.prefill_tokens_per_s == pytest.approx(quadro.prefill_tokens_per_s, rel=0.05)
    laptop, desktop = (asked("llama2_7b", "fp16", name) for name in ("RTX A5000 Laptop", "RTX A5000"))
    assert laptop.prefill_tokens_per_s < desktop.prefill_tokens_per_s


def test_a_long_context_takes_memory_and_time() -> None:
    """8,192 tokens of Llama 3 8B take a gibibyte."""
    assert asked(context=8192).memory.cache_bytes == pytest.approx(GIB)
    assert asked(prompt_tokens=8000).decode_tokens_per_s < asked(prompt_tokens=100).decode_tokens_per_s


def test_two_cards_hold_what_one_cannot() -> None:
    """Llama 3 70B in 4 bit: published is that one 24 GB card does not hold it and two do, and no faster for that."""
    alone, both = asked("llama3_70b", device="RTX 3090"), asked("llama3_70b", device="RTX 3090", count=2)
    assert alone.memory.fits is False
    assert both.memory.fits is True
    assert both.decode_tokens_per_s < alone.decode_tokens_per_s


def test_layers_that_do_not_fit_stay_in_the_computers_memory() -> None:
    """That is slower, said, and less sure; too little memory there does not fit either."""
    processor = msgspec.structs.replace(find_device("Ryzen 9 7950X"), memory_bytes=round(64 * GB))
    arguments = (find_model("llama3_70b"), find_format("q4_k_m"), find_device("RTX 4090"), ServingJob())
    split = predict_serving(*arguments, host=Host(processor, 58 * GB))
    assert split.memory.fits
    assert 0.3 < split.memory.host_ratio < 0.6
    assert split.limit == "host_memory"
    assert split.decode_tokens_per_s < asked("llama3_70b", count=2).decode_tokens_per_s
    assert predict_serving(*arguments, host=Host(processor, 8 * GB)).memory.fits is False


def test_shared_memory_has_no_second_place_for_layers() -> None:
    """A model of 135 GB "ran" on a GB10 of 128 GB with 5 % of it in the computer's memory, which is the same."""
    processor = msgspec.structs.replace(find_device("Ryzen 9 7950X"), memory_bytes=round(128 * GB))
    arguments = (find_model("qwen3_235b_a22b"), find_format("q4_k_m"), find_device("GB10"), ServingJob())
    assert predict_serving(*arguments, host=Host(processor, 116 * GB)).memory.fits is False
    part = msgspec.structs.replace(find_device("Radeon 8060S"), memory_bytes=round(48 * GB))
    split = predict_serving(
        find_model("gpt_oss_120b"), *arguments[1:2], part, ServingJob(), host=Host(processor, 116 * GB)
    )
    assert split.memory.fits, "half of the memory is the card's, the rest the processor's"


def test_a_mixture_writes_as_fast_as_its_active_experts() -> None:
    """Qwen3 30B with 3B active is faster than the dense 14B, though twice as large."""
    assert asked("qwen3_30b_a3b").decode_tokens_per_s > 2 * asked("qwen3_14b").decode_tokens_per_s


def test_a_macs_memory_is_shared() -> None:
    """A model may take what macOS leaves to the GPU."""
    memory = asked(device="Apple M2 Ultra (76-core GPU)").memory
    assert memory.available_bytes is not None
    assert memory.available_bytes < 192 * GIB


def test_intervals_hold_the_rate() -> None:
    """And an answer takes its first token and the others."""
    found = asked(new_tokens=100)
    assert found.decode_interval.low < found.decode_tokens_per_s < found.decode_interval.high
    assert found.prefill_interval.low < found.prefill_tokens_per_s < found.prefill_interval.high
    assert found.answer_s == pytest.approx(found.first_token_s + 99 / found.decode_tokens_per_s)


def test_an_unknown_bandwidth_is_said() -> None:
    """Nothing is guessed."""
    device = msgspec.structs.replace(find_device("RTX 4090"), bandwidth_bytes_per_s=None)
    with pytest.raises(PredictionError, match="bandwidth"):
        predict_serving(find_model("llama3_8b"), find_format("fp16"), device, ServingJob(weights="fp16"))


def test_a_device_without_a_program_is_said() -> None:
    """The rates are those of llama.cpp, which knows no TPU."""
    with pytest.raises(PredictionError, match="does not run on it"):
        asked(device="TPU v4")


def test_a_chip_that_shares_its_memory_is_less_sure() -> None:
    """Its interval holds what a GB10 was measured to write, llama.cpp, benches/dgx-spark.md: 59 tokens a second."""
    found = asked("gpt_oss_120b", "mxfp4", "GB10", prompt_tokens=1, new_tokens=32)
    assert found.decode_interval.low < 59.02 < found.decode_interval.high


def test_many_users_are_less_sure() -> None:
    """Their interval is wider."""
    one, many = asked(), asked(users=16)
    widths = [found.decode_interval.high / found.decode_interval.low for found in (one, many)]
    assert widths[1] > 1.2 * widths[0]
