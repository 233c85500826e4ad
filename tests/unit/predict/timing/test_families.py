"""Families of devices that share constants: which family a device belongs to, by vendor, architecture and memory."""

from typing import Any

import pytest

from advisor.catalog import find_device, find_workload, network_of
from advisor.predict import predict
from advisor.predict.timing.families import class_of
from tests.unit.predict.examples import CARD, IMAGES, PROCESSOR, workload


def test_a_processor_gains_nothing_from_fewer_launches() -> None:
    """A processor launches nothing, so compiling (fewer launches) leaves its predicted time as it is."""
    tiny = workload(batch_size=1, task="infer")
    compiled = workload(batch_size=1, task="infer", compiled=True)
    assert predict(IMAGES, compiled, PROCESSOR).time_per_step_s == predict(IMAGES, tiny, PROCESSOR).time_per_step_s


def test_compiling_launches_less() -> None:
    """A compiled network never takes longer than the same one run operation by operation."""
    tiny = workload(batch_size=1)
    compiled = workload(batch_size=1, compiled=True)
    assert predict(IMAGES, compiled, CARD).time_per_step_s <= predict(IMAGES, tiny, CARD).time_per_step_s


@pytest.mark.parametrize(("task", "sped_up"), [("train", 1.41), ("infer", 1.68)])
def test_compiling_saves_more_than_launches(task: str, sped_up: float) -> None:
    """It joins operations, by how much is known of many networks together: the interval reaches as far.

    Source: Ansel et al. 2024, PyTorch 2 (ASPLOS), abstract: geometric mean over training 180 models on an A100; timm,
    the middle of inference of 160 models on an RTX 5090 and an RTX PRO 6000.
    """
    network = network_of(find_workload("gpt2").workload)
    told: dict[str, Any] = {"task": task, "precision": "amp", "framework_year": 2024}
    jobs = {compiled: workload(network, compiled=compiled, **told) for compiled in (False, True)}
    a100 = find_device("A100 SXM4 40GB")
    plain, compiled = (predict(network, jobs[compiled], a100) for compiled in (False, True))
    assert compiled.interval.low < plain.time_per_step_s / sped_up
    assert compiled.interval.high < plain.time_per_step_s


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RTX 4090", "halved"),
        ("RTX 3080 Max-Q", "laptop"),
        ("RTX A6000", "full"),
        ("H100 SXM", "full"),
        ("RX 7900 XTX", "radeon"),
        ("MI250", "other"),
        ("Core i7-10750H", "processor"),
    ],
)
def test_classes(name: str, expected: str) -> None:
    """By maker, buyers and place."""
    assert class_of(find_device(name)) == expected
