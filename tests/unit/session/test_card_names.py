"""The cards of this computer as options, each under torch's own name of it."""

import msgspec
import pytest

from advisor.options.candidates import here
from advisor.records.hardware.machine import Accelerator, Framework
from advisor.units import GIB
from tests.unit.options.test_own_devices import MACHINE

NVIDIA = Accelerator(
    vendor="nvidia", index=0, name="NVIDIA GeForce RTX 3060", kind="discrete", trains=True, memory_bytes=12 * GIB
)
RADEON = msgspec.structs.replace(NVIDIA, vendor="amd", name="Radeon RX 7900 XTX", memory_bytes=24 * GIB)
SECOND = msgspec.structs.replace(NVIDIA, index=1, name="NVIDIA GeForce RTX 4090", memory_bytes=24 * GIB)


@pytest.mark.parametrize(
    ("cards", "torch", "names"),
    [
        ((NVIDIA, RADEON), Framework(), {"GeForce RTX 3060 12GB": "cuda:0", "Radeon RX 7900 XTX": "cuda:1"}),
        (
            (NVIDIA, SECOND),
            Framework(visible_devices=("cuda:0 NVIDIA GeForce RTX 4090 #1",)),
            {"GeForce RTX 3060 12GB": "cuda:1", "GeForce RTX 4090": "cuda:0"},
        ),
    ],
    ids=["two makers", "only the second shown"],
)
def test_each_card_has_its_own_name(cards: tuple[Accelerator, ...], torch: Framework, names: dict[str, str]) -> None:
    """What was measured on a card is told of that card, and no two options are one."""
    found = list(here(msgspec.structs.replace(MACHINE, accelerators=cards, framework=torch)))

    assert {one.device.name: one.torch_device for one in found[1:]} == names
    assert [one.id for one in found] == ["here/cpu", *(f"here/{name}" for name in names.values())]
