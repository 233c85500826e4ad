"""Is a card tied to the processor by too few PCIe lanes, or by a slow link?"""

from collections.abc import Iterator

from advisor.benchmark.diagnosis.inputs import Inputs, finding, is_virtual, link, positive, quotient
from advisor.card_matching import training_cards
from advisor.records.hardware.machine import Accelerator
from advisor.records.results.diagnosis import Finding, Reading, RemedyCode

LANE_BYTES_PER_S = {1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9}
"""What one PCIe lane carries in one direction, by generation.

Source: PCI-SIG: 2.5, 5, 8, 16, 32 and 64 GT/s with 8b/10b (1, 2), 128b/130b (3 to 5) and 242B/256B coding (6).
"""
SLOW_LINK_BYTES_PER_S = 5e9
"""A link below this is slow: PCIe 3.0 x4 (3.9 GB/s) is, x8 (7.9 GB/s, of which copies reach about 6) is not."""

NARROW_TIMES = 4
"""A link that uses a quarter of its lanes or fewer sits in the wrong slot; half of them is usual and costs little."""


def slow_link(inputs: Inputs) -> Iterator[Finding]:
    """Yield cards that are tied to the processor by too few lanes. A measured rate decides; else the lanes in use."""
    for name, position, card in training_cards(inputs.machine):
        if card.kind in {"integrated", "tpu"} or card.unified_memory:
            continue
        measured = link(inputs, name)
        lanes = _lanes(card, position)
        if measured is not None:
            if measured.value < SLOW_LINK_BYTES_PER_S:
                evidence = (measured, *lanes)
                yield finding("slow_link", name, evidence, form="measured", remedies=_link_remedies(inputs, card))
        elif _is_narrow(card):
            form = "narrow" if _uses_few_lanes(card) else ""
            yield finding("slow_link", name, lanes, form=form, remedies=_link_remedies(inputs, card))


def _is_narrow(card: Accelerator) -> bool:
    pcie = card.pcie
    width = None if pcie is None else positive(pcie.width)
    if pcie is None or width is None:
        return False
    # The generation in use falls while a card idles, to save power; the highest one is what counts under load.
    lane = LANE_BYTES_PER_S.get(pcie.max_generation or pcie.generation or 0)
    is_slow = lane is not None and lane * width < SLOW_LINK_BYTES_PER_S
    return is_slow or _uses_few_lanes(card)


def _uses_few_lanes(card: Accelerator) -> bool:
    ratio = None if card.pcie is None else quotient(card.pcie.max_width, card.pcie.width)
    return ratio is not None and ratio >= NARROW_TIMES


def _lanes(card: Accelerator, position: int) -> tuple[Reading, ...]:
    pcie, source = card.pcie, f"accelerators.{position}.pcie"
    found = {} if pcie is None else {
        "lanes": pcie.width, "most_lanes": pcie.max_width, "generation": pcie.max_generation or pcie.generation
    }  # fmt: skip
    readings = ((name, positive(value)) for name, value in found.items())
    return tuple(Reading(name=name, value=value, source=source) for name, value in readings if value is not None)


def _link_remedies(inputs: Inputs, card: Accelerator) -> tuple[RemedyCode, ...]:
    """Return what helps; the card of a laptop sits in no slot, nor can anybody move one of a virtual machine."""
    may_move = inputs.machine.host.form_factor != "laptop" and not is_virtual(inputs.machine)
    return ("use_full_slot", "keep_data_on_card") if may_move and _uses_few_lanes(card) else ("keep_data_on_card",)
