"""A processor's memory as a loop of writing tokens saw it."""

import msgspec
import pytest

from advisor.catalog import find_device
from advisor.catalog.language import find_format, find_model
from advisor.predict.serving import Host, as_measured, predict_serving, token_loop
from advisor.records.job.serving import ServingJob
from advisor.records.results.measured.measurement import DECODE_PROGRAM, Case, Measurement

PROCESSOR = find_device("Ryzen 9 7950X")


def decoded(rate: float, **details: float) -> Measurement:
    """Return a measurement of writing tokens."""
    case = Case(id="decode/fp32/cpu", program=DECODE_PROGRAM)
    known = {"read_bytes_per_s": rate} | details
    return Measurement(case=case, samples_s=(0.1,), median_s=0.1, iqr_s=0.0, details=known)


def host(*measured: Measurement) -> Host:
    """Return the processor as it was measured."""
    loop = token_loop(measured)
    assert loop is not None
    return Host(as_measured(PROCESSOR, loop), 1e11, "scaled", loop)


def writes(host: Host, weights: str, model: str = "tinyllama_1.1b") -> float:
    """Return the tokens a second of a model, after a short prompt."""
    job = ServingJob(weights=weights, prompt_tokens=1, new_tokens=1)
    found = predict_serving(find_model(model), find_format(weights), host.device, job, host=host)
    assert found.basis == "scaled"
    return found.decode_tokens_per_s


def reads(host: Host, weights: str) -> float:
    """Return the tokens a second of a prompt of 512."""
    job = ServingJob(weights=weights, prompt_tokens=512, new_tokens=1)
    found = predict_serving(find_model("tinyllama_1.1b"), find_format(weights), host.device, job, host=host)
    return found.prefill_tokens_per_s


@pytest.mark.parametrize(("weights", "size"), [("fp32", 4.0), ("fp16", 2.0), ("q8_0", 8.5 / 8)])
def test_weights_are_read_as_fast_as_measured(weights: str, size: float) -> None:
    """The time of a token is that of its bytes: 32 bit take twice as long as 16, not four times."""
    rate = writes(host(decoded(10e9)), weights)
    assert rate == pytest.approx(10e9 / (1.034e9 * size), rel=0.1)


def test_a_loop_of_torch_takes_its_time_for_each_layer() -> None:
    """Where weights are those of PyTorch; llama.cpp starts a layer more quickly."""
    slow, fast = host(decoded(20e9, layer_s=2e-3)), host(decoded(20e9, layer_s=1e-3))
    assert 1 / writes(slow, "fp16") - 1 / writes(fast, "fp16") == pytest.approx(22 * 1e-3)
    assert writes(slow, "q8_0") == writes(fast, "q8_0")


def test_narrow_layers_are_read_as_narrow_ones_were() -> None:
    """SmolLM2 135M is 576 wide, TinyLlama 2,048."""
    known, even = host(decoded(20e9, narrow_read_bytes_per_s=10e9)), host(decoded(20e9))
    assert writes(known, "fp16") == writes(even, "fp16")
    model = "smollm2_135m"
    assert writes(even, "fp16", model) / writes(known, "fp16", model) == pytest.approx(2, rel=0.05)


def test_a_prompt_in_bfloat16_is_read_as_many_times_faster_as_was_measured() -> None:
    """Other weights are not; nor is a processor without such instructions, which is slower."""
    known, even = host(decoded(1e12, bf16_speedup=4.0)), host(decoded(1e12))
    assert reads(known, "bf16") / reads(even, "bf16") == pytest.approx(4, rel=0.05)
    assert reads(host(decoded(1e12, bf16_speedup=0.5)), "bf16") < reads(even, "bf16")
    for weights in ("fp32", "fp16", "q8_0"):
        assert reads(known, weights) == reads(even, weights)


def test_a_prompt_in_fp16_is_read_as_fast_as_was_measured_and_slowly_where_nothing_was() -> None:
    """PyTorch has no fast products of fp16 on most processors: a prompt took three times as long as in fp32."""
    unknown, known = host(decoded(1e12)), host(decoded(1e12, fp16_speedup=0.5))
    assert reads(unknown, "fp16") / reads(unknown, "fp32") == pytest.approx(0.3, rel=0.1)
    assert reads(known, "fp16") / reads(known, "fp32") == pytest.approx(0.5, rel=0.1)
    assert reads(known, "bf16") == reads(unknown, "bf16")
    assert writes(known, "fp16") == writes(unknown, "fp16"), "one token at a time has a kernel of its own"


def test_few_cores_unpack_more_slowly_than_a_fast_memory_delivers() -> None:
    """TinyLlama Q4_0 took 0.115 s of one core of 2.4 GHz."""
    core = msgspec.structs.replace(PROCESSOR, peak_flop_per_s={"fp32": 78e9}, bandwidth_bytes_per_s=1e12)
    assert writes(Host(core, 1e11, "scaled"), "q4_0") == pytest.approx(1 / 0.115, rel=0.1)


def test_nothing_measured_changes_nothing() -> None:
    """Measurements of other things do not count."""
    assert token_loop([]) is None
    assert token_loop([msgspec.structs.replace(decoded(1e9), case=Case(id="a", program="matmul"))]) is None
