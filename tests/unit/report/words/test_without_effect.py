"""What was asked of a prediction and changes nothing is said, and nothing else is."""

from typing import Any

import pytest

from advisor.catalog import find_device
from advisor.locale import language
from advisor.report.words.without_effect import without_effect
from advisor.session.single_prediction import asked_step

EN = language("en")


@pytest.mark.parametrize(
    ("name", "device", "given", "said"),
    [
        ("resnet50", "V100", {"attention": "fused"}, "--attention changes nothing: resnet50 has no attention."),
        ("gpt2", "V100", {"attention": "fused"}, None),
        ("gpt2", "V100", {"channels_last": True}, "--channels-last changes nothing: gpt2 has no convolutions."),
        ("resnet50", "V100", {"channels_last": True}, None),
        ("gpt2", "V100", {"channels_last": False}, None),
        ("resnet50", "V100", {"precision": "tf32"}, "Tesla V100 SXM2 16GB has no TF32: it computes in fp32."),
        ("resnet50", "RTX 3090", {"precision": "tf32"}, None),
        (
            "resnet50",
            "V100",
            {"task": "infer", "optimizer": "adam", "checkpointing": True},
            "Without effect at inference, which learns nothing: --checkpointing and --optimizer.",
        ),
        ("resnet50", "V100", {"optimizer": "adam", "checkpointing": True, "batch_size": 8}, None),
        (
            "resnet50",
            "V100",
            {"epochs": 3},
            "Without effect on the time of a step: --epochs. The time of a whole run: advisor --report.",
        ),
    ],
)
def test_what_changes_nothing_is_said(name: str, device: str, given: dict[str, Any], said: str | None) -> None:
    """Each was taken without a word, and the same time stood there with it and without."""
    network, workload = asked_step(name, **given)
    told = list(without_effect(given, network, find_device(device), workload.task, EN))
    assert told == ([] if said is None else [said])
