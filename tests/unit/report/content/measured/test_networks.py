"""The full suite in a report: each group with its chart, its table and what both mean."""

import pytest

from advisor.locale import language
from advisor.report.content.measured.networks import formats, inference, training
from tests.unit.report.content.measured.results import one, recorded, run, words

EN, ES = language("en"), language("es")


def test_networks_of_one_name_are_told_apart() -> None:
    """The study's network was measured in two ways."""
    text = words(training(recorded(), EN))
    assert "DenseNet-121 (all layers trained) | 4 | fp32 | 9.64 s | 0.415 | 1 GB | –" in text
    assert "DenseNet-121 (only the last layer trained) | 16" in text


def test_devices_are_named_where_there_are_several() -> None:
    """One device needs no column; two do."""
    alone, both = run(one("train", network="a")), run(one("train", network="a"), one("train", "cuda:0", network="a"))
    assert "Device" not in words(training(alone, EN))
    assert "a | Graphics card | 1 | fp32" in words(training(both, EN))


def test_formats_are_compared_with_fp32() -> None:
    """Mixed precision in training and the short format in use are one row; a format alone is none."""
    text = words(formats(recorded(), EN))
    assert "ResNet-50, 8 | bf16, channels_last | 0.46 | 0.54 | 11.1 | 8.1" in text
    assert "ResNet-50, 8 | fp16 | – |  | 2.55 | 1.9" in text
    assert "RNNCell" not in text
    assert formats(run(one("train", network="a")), EN) == ()
    halves = run(*(one("infer", network="a", precision=name) for name in ("fp16", "bf16")))
    assert "× fp32" not in words(formats(halves, EN))


@pytest.mark.parametrize(
    ("device", "trained", "known", "is_said"),
    [
        ("cpu", ("bf16",), ("bf16", "fp16"), True),
        ("cuda:0", ("bf16",), ("bf16", "fp16"), True),
        ("cpu", ("bf16", "fp16"), ("bf16", "fp16"), False),
        ("cpu", ("bf16",), ("bf16",), False),
        ("cpu", (), ("bf16", "fp16"), False),
    ],
)
def test_a_format_of_mixed_precision_that_was_left_out_is_said(
    device: str, trained: tuple[str, ...], known: tuple[str, ...], *, is_said: bool
) -> None:
    """Where the device computes in both and trains in one; what another device can is no reason."""
    cases = [one("train", device, network="a", precision="fp32"), one("train", device, network="a", precision="tf32")]
    cases += [
        one("train", device, 0.01 * n, network="a", precision="amp", options={"autocast": name})
        for n, name in enumerate(trained, 1)
    ]
    cases += [one("matmul", device, precision=name, size=512) for name in known]
    cases += [one("matmul", "cuda:7", precision=name, size=512) for name in ("fp16", "bf16")]
    text = words(formats(run(*cases), EN))
    assert ("was measured only in bf16" in text) == is_said
    assert ("computes in fp16 as well" in text) == is_said
    assert ("solo se midió en bf16" in words(formats(run(*cases), ES))) == is_said


def test_percentiles_need_enough_calls() -> None:
    """What too few calls cannot show is a dash, and why; with enough of them nothing needs saying."""
    assert "DenseNet-121 | 1 | fp32 | 4.6 s | – | – | 0.219" in words(inference(recorded(), EN))
    assert "too few calls" in words(inference(recorded(), EN))
    details = {"call_p50_s": 0.01, "call_p95_s": 0.011, "call_p99_s": 0.02}
    text = words(inference(run(one("infer", network="a", details=details)), EN))
    assert "10 ms | 11 ms | 20 ms" in text
    assert "too few" not in text
