"""One prediction by names: what is asked is predicted, or refused in a sentence."""

from typing import Any

import msgspec
import pytest

from advisor.catalog import find_device, network
from advisor.errors import InputError, UnknownNameError
from advisor.predict.coefficients import predicting_with, time_coefficients
from advisor.session.single_prediction import is_measured_kind, predict_one


def test_every_setting_is_that_of_the_prediction() -> None:
    """The batch is that of each device; memory is said at once and in parts."""
    found = predict_one(
        "resnet50",
        "RTX 4090",
        device_count=2,
        batch_size=16,
        precision="fp32",
        optimizer="sgd",
        task="train",
        image_size=128,
    )
    assert (found.device_count, found.batch_size, found.precision, found.optimizer) == (2, 16, "fp32", "sgd")
    assert found.memory is not None
    assert found.memory_bytes == found.memory.total_bytes
    assert found.interval.low < found.time_per_step_s < found.interval.high


def test_both_layouts_can_be_asked_for() -> None:
    """A network by its name has the usual layout, as if it had been said; the other one takes another time."""
    layouts: tuple[dict[str, Any], ...] = ({}, {"channels_last": False}, {"channels_last": True})
    usual, said, last = (
        predict_one("resnet50", "RTX 4090", batch_size=64, precision="amp", **layout).time_per_step_s
        for layout in layouts
    )
    assert usual == said
    assert usual != last


def test_fp32_is_what_pytorch_makes_of_it() -> None:
    """Convolutions run in TF32 on Ampere and later; other networks, and older cards, have none."""
    names = (("resnet50", "RTX 4090"), ("resnet50", "Tesla T4"), ("bert_base", "RTX 4090"))
    found = [predict_one(name, card, precision="fp32").tf32_convolutions for name, card in names]
    assert found == [True, False, False]
    assert not predict_one("resnet50", "RTX 4090", precision="tf32").tf32_convolutions


def test_smaller_images_take_less() -> None:
    """The size is part of the work."""
    small, large = (predict_one("resnet50", "RTX 4090", image_size=size).time_per_step_s for size in (96, 224))
    assert small < large


def test_an_own_network_needs_no_name() -> None:
    """Its traced work is predicted as that of the catalogue is, but for what was measured of a network of that name."""
    traced = msgspec.structs.replace(network("vgg16"), name="model.py:build")
    settings: dict[str, Any] = {"batch_size": 32, "precision": "amp", "optimizer": "adam"}
    own = predict_one("model.py:build", "RTX 4090", network=traced, **settings)
    nothing = msgspec.structs.replace(time_coefficients(), networks={}, cells={}, family_cells={})
    with predicting_with(nothing):
        known = predict_one("vgg16", "RTX 4090", **settings)
    assert own.network == "model.py:build"
    assert own.time_per_step_s == pytest.approx(known.time_per_step_s)


@pytest.mark.parametrize(
    ("name", "settings", "bytes_per_parameter"),
    [("llama_7b", {}, 2.0), ("llm_7b_qlora", {}, 0.6), ("llama_7b", {"method": "qlora"}, 0.6)],
)
def test_a_language_model_is_applied_whole_unless_packing_is_asked_for(
    name: str, settings: dict[str, Any], bytes_per_parameter: float
) -> None:
    """Its usual job trains it with weights of four bits; whoever names the network alone asks for no such thing."""
    found = predict_one(name, "RTX 4090", task="infer", precision="fp16", batch_size=1, **settings)
    assert found.memory is not None
    assert found.memory.parameters_bytes / network("llama_7b").parameters == pytest.approx(bytes_per_parameter, rel=0.2)


def test_classical_learning_is_applied_as_it_is() -> None:
    """It has no method that applying would undo."""
    assert predict_one("gradient_boosting", "EPYC 9654", task="infer").task == "infer"


def test_a_step_may_hold_more_samples_than_the_usual_job() -> None:
    """The question is about one step."""
    assert predict_one("simple_cnn", "H100 SXM5", batch_size=100_000).batch_size == 100_000


@pytest.mark.parametrize(
    ("name", "settings", "hint"),
    [
        ("bert_base", {"image_size": 224}, "image_size does not apply"),
        ("resnet50", {"sequence_length": 128}, "sequence_length does not apply"),
        ("bert_base", {"sequence_length": 5000}, "from 8 to 512"),
        ("resnet50", {"method": "lora"}, "no attention"),
    ],
)
def test_what_does_not_go_with_the_network_is_refused(name: str, settings: dict[str, Any], hint: str) -> None:
    """Nothing is ignored silently."""
    with pytest.raises(InputError, match=hint):
        predict_one(name, "RTX 4090", **settings)


def test_unknown_names_come_with_the_nearest() -> None:
    """The likeliest slip first."""
    with pytest.raises(UnknownNameError, match=r"Did you mean GeForce RTX 4090"):
        predict_one("resnet50", "RTX 4900")
    with pytest.raises(UnknownNameError, match="resnet50"):
        predict_one("resnet5", "RTX 4090")


@pytest.mark.parametrize(
    ("name", "fewest_ms", "most_ms"),
    [
        ("RTX 4070 Laptop", 70, 170),
        ("Jetson Orin Nano", 400, 1800),
        ("MacBook Air M5", 150, 800),
        ("Arc B580", 50, 160),
        ("9070xt", 35, 110),
        ("780m", 250, 1200),
        ("TPU v5e", 25, 120),
    ],
)
def test_each_family_answers_with_a_band(name: str, fewest_ms: float, most_ms: float) -> None:
    """A device of each family that people own is predicted, and what nobody measured has a wide interval."""
    found = predict_one("resnet50", name, batch_size=32, precision="amp")
    assert fewest_ms < 1e3 * found.time_per_step_s < most_ms
    assert found.interval.high / found.interval.low > 1.7
    assert (found.confidence, found.basis) == ("rough", "modelled")


def test_a_chip_that_shares_its_memory_is_no_card_that_was_measured() -> None:
    """A Jetson has the architecture of measured cards, but not their memory and power: it is of an unmeasured kind."""
    assert is_measured_kind(find_device("RTX 3060"))
    assert not is_measured_kind(find_device("Jetson Orin Nano"))
    assert not is_measured_kind(find_device("Arc B580"))
