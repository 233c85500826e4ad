"""Can the installed torch use the cards that are there?"""

from collections.abc import Iterator
from typing import get_args

from advisor.benchmark.diagnosis.inputs import Inputs, finding, gain_between, quotient
from advisor.card_matching import training_cards
from advisor.records.base import Interval
from advisor.records.results.diagnosis import Finding, Reading, RemedyCode


def wrong_torch_build(inputs: Inputs) -> Iterator[Finding]:
    """Yield the cards that the installed torch cannot use although they are there."""
    mismatch = inputs.machine.framework.mismatch
    cards = list(training_cards(inputs.machine))
    if mismatch is None or not cards:
        return
    evidence = (
        Reading(name="cards", value=float(len(cards)), source="accelerators"),
        Reading(name="visible_devices", value=float(len(inputs.machine.framework.visible_devices)), source="torch"),
    )
    processor, card = _rates(inputs, "cpu"), _rates(inputs, cards[0][0])
    least = most = None
    if processor is not None and card is not None:
        least, most = quotient(card.low, processor.high), quotient(card.high, processor.low)
    is_useless = most is not None and most < 1  # a card so slow that the processor does the job sooner
    known: dict[str, RemedyCode] = {code: code for code in get_args(RemedyCode)}
    remedies = (known[mismatch],) if mismatch in known else ()
    yield finding("wrong_torch_build", cards[0][0], evidence, form=mismatch, gain=gain_between(least, most),
                  severity="slight" if is_useless else "serious", remedies=remedies)  # fmt: skip


def _rates(inputs: Inputs, device: str) -> Interval | None:
    return next((one.device_samples_per_s for one in inputs.outlooks if one.device == device), None)
