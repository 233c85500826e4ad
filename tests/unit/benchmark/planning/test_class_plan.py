"""Which classes of work are planned where."""

import pytest

from advisor.benchmark.planning.class_plan import class_cases
from advisor.records.channel import WorkerDevice
from tests.unit.predict.examples import workload

PLAIN = WorkerDevice(name="cpu", precisions=("fp32", "fp64"))
CARD = WorkerDevice(name="cuda:0", precisions=("fp32", "tf32", "fp16", "bf16"))


@pytest.mark.parametrize(
    ("asked", "devices", "planned"),
    [
        ("fp32", (PLAIN,), ["fp32/cpu", "bf16/cpu"]),
        ("amp", (PLAIN,), ["fp32/cpu", "bf16/cpu"]),
        ("fp16", (PLAIN,), ["fp32/cpu", "fp16/cpu"]),
        ("fp32", (PLAIN, CARD), ["fp32/cpu", "fp32/cuda:0", "bf16/cuda:0"]),
        ("fp16", (PLAIN, CARD, CARD), ["fp32/cpu", "fp16/cpu", "fp32/cuda:0", "fp16/cuda:0"]),
    ],
)
def test_each_device_gets_fp32_and_one_short_format(
    asked: str, devices: tuple[WorkerDevice, ...], planned: list[str]
) -> None:
    """The short one is the asked one; a processor beside a card is measured in it only where it is asked."""
    cases = list(class_cases(workload(precision=asked), devices, 2))

    assert [case.id.removeprefix("work_classes/") for case in cases] == planned
    assert {case.threads for case in cases if case.device == "cpu"} == {2}
