"""Cards on too few lanes, or on a slow link."""

from typing import Any

import msgspec
import pytest

from advisor.records.hardware.machine import Accelerator, PcieLink
from tests.unit.benchmark.diagnosed import CARD, benchmark, machine, measured
from tests.unit.benchmark.diagnosis.seen import disturbed_by_others, found


def _linked(width: int | None, generation: int | None = 3, most: int | None = 16) -> Accelerator:
    link = PcieLink(generation=1, width=width, max_generation=generation, max_width=most)
    return msgspec.structs.replace(CARD, pcie=link)


@pytest.mark.parametrize(
    ("card", "fires"),
    [
        (_linked(4, 3, 4), True),
        (_linked(4, 4, 4), False),
        (_linked(8, 3, 8), False),
        (_linked(1, 4), True),
        (_linked(4, 5), True),
        (_linked(8, 4), False),
        (_linked(None), False),
        (CARD, False),
    ],
)
def test_slow_link_by_its_lanes(card: Accelerator, fires: bool) -> None:
    """PCIe 3.0 x4 is slow, x8 is not; a quarter of the lanes is the wrong slot."""
    assert bool(found("slow_link", machine(card))) == fires


@pytest.mark.parametrize(("rate", "fires"), [(4.9e9, True), (5.1e9, False)])
def test_slow_link_by_measurement(rate: float, fires: bool) -> None:
    """A measured rate decides, whatever the lanes say."""
    run = benchmark(measured("transfer", "cuda:0", 1.0, details={"bytes_per_s": rate}))
    for card in (_linked(1), _linked(16, 5)):
        assert bool(found("slow_link", machine(card), run)) == fires
    assert not found("slow_link", machine(CARD), benchmark(disturbed_by_others(run.measurements[0])))


@pytest.mark.parametrize(
    ("host", "moves"),
    [({}, True), ({"form_factor": "laptop"}, False), ({"isolation": "virtual_machine"}, False)],
)
def test_only_a_card_in_a_slot_can_be_moved(host: dict[str, Any], moves: bool) -> None:
    """A laptop's card is soldered, and a virtual machine's is somebody else's."""
    card = msgspec.structs.replace(CARD, pcie=PcieLink(generation=4, width=4, max_generation=4, max_width=16))
    [hit] = found("slow_link", machine(card, **host))
    assert ("use_full_slot" in hit.remedies) == moves
    assert hit.remedies[-1] == "keep_data_on_card"


def test_integrated_graphics_have_no_link() -> None:
    """What shares the main memory needs none."""
    card = msgspec.structs.replace(_linked(1), kind="integrated")
    assert not found("slow_link", machine(card))
