"""What is known of a network beyond its kernels: its own factor by task and layout, else its family's."""

from typing import Any

import msgspec
import pytest

from advisor.catalog.networks.tables import network
from advisor.predict.coefficients import predicting_with, time_coefficients
from advisor.predict.timing.network_factors import first_word, own_factor, usual_factor
from advisor.predict.timing.step_time import plain_step_s
from advisor.records.job.workload import Workload
from tests.unit.predict.examples import CARD

JOB = Workload(id="j", title="", network="resnet50", samples=1, task="train", batch_size=64, precision="amp")
NET = network("resnet50")
KNOWN = msgspec.structs.replace(
    time_coefficients(),
    networks={"resnet50": (1.1, 1.2)},
    cells={"resnet50": {"train": 1.3, "infer": 0.9}, "resnet7": {"train": 3.0}},
    family_cells={"resnet": {"train": 1.5, "train_channels_last": 1.6}, "model": {"train": 9.0}},
)


def asked(**fields: Any) -> Workload:
    """Return the job with other fields."""
    return msgspec.structs.replace(JOB, **fields)


@pytest.mark.parametrize(
    ("fields", "factor"),
    [
        ({}, 1.3),
        ({"task": "infer"}, 0.9),
        ({"channels_last": True}, 1.2),  # measured in 16 bit, but not so
        ({"precision": "fp32"}, 1.1),
        ({"precision": "bf16"}, 1.3),
    ],
)
def test_what_was_measured_of_the_very_task_and_layout_counts_most(fields: dict[str, Any], factor: float) -> None:
    """Then what was measured in such a width."""
    assert own_factor(KNOWN, NET, asked(**fields)) == factor
    assert usual_factor(KNOWN, NET, asked(**fields)) == factor


@pytest.mark.parametrize(
    ("name", "fields", "factor"),
    [
        ("resnet61q", {}, 1.5),
        ("tf_resnet61", {"channels_last": True}, 1.6),
        ("resnet61q", {"task": "infer"}, 1.0),
        ("resnet61q", {"precision": "fp32"}, 1.0),  # only 16 bit was measured
        ("convmixer_3", {}, 1.0),
        ("model.py:build", {}, 1.0),  # a name of a user's own
    ],
)
def test_a_network_that_nobody_measured_is_like_its_relatives(name: str, fields: dict[str, Any], factor: float) -> None:
    """By the word its name begins with, where that is a published network's; and it does not count as measured."""
    other = msgspec.structs.replace(NET, name=name)
    assert own_factor(KNOWN, other, asked(**fields)) is None
    assert usual_factor(KNOWN, other, asked(**fields)) == factor


def test_the_first_word_is_the_family() -> None:
    """A port of another framework's weights is the same network; a name of digits stands for itself."""
    assert [first_word(name) for name in ("tf_efficientnet_b0", "efficientnetv2_s", "vit_b", "3d")] == [
        *("efficientnet", "efficientnetv", "vit", "3d")
    ]


def test_the_step_takes_the_factor() -> None:
    """Twice the factor, nearly twice the time of a step that computes."""
    slow = msgspec.structs.replace(KNOWN, cells={"resnet50": {"train": 2.6}})
    with predicting_with(KNOWN):
        before_s = plain_step_s(NET, JOB, CARD)
    with predicting_with(slow):
        after_s = plain_step_s(NET, JOB, CARD)
    assert 1.8 < after_s / before_s <= 2.0


def test_what_is_shipped_knows_the_names_of_timm() -> None:
    """Most of them, and their families; the largest is of EfficientFormerV2, whose time is hardly in its kernels."""
    coefficients = time_coefficients()
    assert len(coefficients.cells) > 1000
    assert {"resnet", "vit", "convnext", "efficientnet"} <= set(coefficients.family_cells)
    every = [*coefficients.cells.values(), *coefficients.family_cells.values()]
    assert all(0.3 < ratio < 8.0 for cells in every for ratio in cells.values())
