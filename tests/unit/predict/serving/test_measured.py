"""A processor's memory as a loop of writing tokens saw it."""

import msgspec
import pytest

from advisor.catalog import find_device
from advisor.catalog.language import find_format, find_model
from advisor.predict.serving import Host, as_measured, predict_serving
from advisor.records.hardware.device import Device
from advisor.records.job.serving import ServingJob
from advisor.records.results.measured.measurement import DECODE_PROGRAM, Case, Measurement

PROCESSOR = find_device("Ryzen 9 7950X")


def decoded(rate: float) -> Measurement:
    """Return a measurement of writing tokens."""
    case = Case(id="decode/fp32/cpu", program=DECODE_PROGRAM)
    return Measurement(case=case, samples_s=(0.1,), median_s=0.1, iqr_s=0.0, details={"read_bytes_per_s": rate})


def writes(device: Device, weights: str) -> float:
    """Return the tokens a second of a model of 1.1 billion parameters."""
    found = predict_serving(
        find_model("tinyllama_1.1b"),
        find_format(weights),
        device,
        ServingJob(weights=weights),
        host=Host(device, 1e11, "scaled"),
    )
    assert found.basis == "scaled"
    return found.decode_tokens_per_s


def test_sixteen_bit_weights_are_read_as_fast_as_measured() -> None:
    """Twice the rate, nearly twice the tokens."""
    slow, fast = (as_measured(PROCESSOR, [decoded(rate)]) for rate in (20e9, 40e9))
    assert slow is not None
    assert fast is not None
    assert writes(slow, "fp16") == pytest.approx(20e9 / 2.07e9, rel=0.1)
    assert writes(fast, "fp16") / writes(slow, "fp16") == pytest.approx(2, rel=0.1)


def test_few_cores_unpack_more_slowly_than_a_fast_memory_delivers() -> None:
    """TinyLlama Q4_0 took 0.115 s of one core of 2.4 GHz."""
    core = msgspec.structs.replace(PROCESSOR, peak_flop_per_s={"fp32": 78e9}, bandwidth_bytes_per_s=1e12)
    assert writes(core, "q4_0") == pytest.approx(1 / 0.115, rel=0.1)


def test_nothing_measured_changes_nothing() -> None:
    """Measurements of other things do not count."""
    assert as_measured(PROCESSOR, []) is None
    assert as_measured(PROCESSOR, [msgspec.structs.replace(decoded(1e9), case=Case(id="a", program="matmul"))]) is None
