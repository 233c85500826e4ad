"""One prediction as plain text, as ``advisor --predict`` prints it."""

import msgspec

from advisor.locale import language
from advisor.records.base import Source
from advisor.records.hardware.device import Device
from advisor.report.documents.single_prediction import prediction_text
from advisor.units import GIB
from tests.unit.report.samples import option

EN, ES = language("en"), language("es")


def _prediction_lines(needed: float | None, memory: float | None, **more: object) -> dict[str, str]:
    one = option("buy/a", "single_gpu", "a", 500.0, needed_gib=needed, memory_gib=memory, purchase_usd=9)
    assert one.prediction is not None
    text = prediction_text(msgspec.structs.replace(one.prediction, **more), EN)
    rows = [line.split("  ", 1) for line in text.replace("\N{NO-BREAK SPACE}", " ").splitlines()]
    return {name.strip(): value.strip() for name, value in rows}


def test_a_prediction_as_text() -> None:
    """Inputs, result with interval, memory, and what it rests on."""
    lines = _prediction_lines(8, 16)
    assert lines["Task"] == "training"
    assert _prediction_lines(8, 16, task="infer")["Task"] == "inference"
    assert lines["Time of a step"] == "100 ms (87.7 ms to 114 ms)"
    assert lines["Memory"] == "8 of 16 GB, fits"
    assert lines["How sure"] == "good (up to ±15%)"
    assert "Scaling efficiency" not in lines


def test_fp32_says_in_what_its_convolutions_run() -> None:
    """The format that was asked for, and what PyTorch makes of it on the card."""
    assert _prediction_lines(8, 16, precision="fp32")["Precision"] == "fp32"
    said = _prediction_lines(8, 16, precision="fp32", tf32_convolutions=True)["Precision"]
    assert said == "fp32, convolutions in TF32 as PyTorch does by default on this card"


def test_a_prediction_over_several_devices() -> None:
    """Efficiency and parts of a step only where there are any."""
    lines = _prediction_lines(8, 16, device_count=4, accumulation_steps=2, scaling_efficiency_ratio=0.9, parts=())
    assert lines["Device"] == "4 × a"
    assert lines["Scaling efficiency"] == "90%"
    assert lines["Parts of a step"] == "2"
    assert "Where the time goes" not in lines


def test_a_prediction_that_does_not_fit_says_what_would() -> None:
    """The largest batch, or that none fits, or only the need."""
    assert _prediction_lines(14, 6)["Memory"].endswith("the largest batch that fits is 8")
    assert _prediction_lines(14, None)["Memory"] == "14 GB"
    assert "Memory" not in _prediction_lines(None, None)
    one = option("buy/a", "single_gpu", "a", 500.0, needed_gib=14, memory_gib=6)
    assert one.prediction is not None
    assert one.prediction.memory is not None
    none = msgspec.structs.replace(one.prediction.memory, largest_batch=0)
    assert none.total_bytes == 14 * GIB
    text = prediction_text(msgspec.structs.replace(one.prediction, memory=none), EN)
    assert "14 of 6 GB, does not fit\n" in text
    assert "What would help" not in text
    ways = msgspec.structs.replace(none, how_to_fit=("amp", "qlora", "shard"), devices_needed=3)
    text = prediction_text(msgspec.structs.replace(one.prediction, memory=ways), EN)
    assert "shorter number format" in text
    assert "(QLoRA)" in text
    assert "3 of them, sharing the state of the training (FSDP, ZeRO)" in text


def test_a_prediction_of_classical_learning_says_that_no_card_helps() -> None:
    """Its time on a card is no recommendation of one."""
    one = option("buy/a", "single_gpu", "a", 500.0, needed_gib=None)
    assert one.prediction is not None
    for memory in (None, option("buy/a", "single_gpu", "a", 500.0, needed_gib=2, memory_gib=6).prediction.memory):  # type: ignore[union-attr]
        text = prediction_text(msgspec.structs.replace(one.prediction, network="gradient_boosting", memory=memory), EN)
        assert "no graphics card is needed" in text


def test_figures_of_the_device_have_their_source() -> None:
    """Who published them, when and where; and that nobody measured such a device, where that is so."""
    one = option("buy/a", "single_gpu", "a", 500.0, needed_gib=8, memory_gib=16, purchase_usd=9)
    assert one.prediction is not None
    source = Source(title="Cloud TPU documentation", author="Google", date="2025", url="https://example.org/tpu")
    tpu = Device(
        name="TPU", vendor="google", device_class="tpu", for_whom="datacenter", sources={"specifications": source}
    )
    text = prediction_text(one.prediction, EN, tpu, is_measured=False)
    assert "Google: Cloud TPU documentation, 2025, https://example.org/tpu" in text
    assert "No job on this kind of device is among the measurements" in text
    assert "No job" not in prediction_text(one.prediction, EN, tpu)
