"""Do other programs take a part of the processor, or of a card's memory?"""

from collections.abc import Iterator

from advisor.benchmark.diagnosis.inputs import Inputs, conditions, finding, gain_between, positive, quotient
from advisor.card_matching import training_cards
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.measured.measurement import DISTURBED_RATIO

_STOPPED = frozenset({"cancelled", "skipped"})
OTHER_MEMORY_RATIO = 0.25
"""Other programs are said to crowd a card from this share of its memory on; a desktop takes less."""


def other_load(inputs: Inputs) -> Iterator[Finding]:
    """Yield the processor where other programs used it, and cards whose memory they hold."""
    seen = [(share, where) for where, one in conditions(inputs, "other_load") if (share := positive(one.value))]
    shares = [(min(share, 1.0), where) for share, where in seen if where != "before"]
    if shares:
        # If all of it ran on the cores in question; cases that nobody disturbed would gain nothing.
        taken = sum(share for share, _where in shares) / len(inputs.measurements)
        evidence = [
            Reading(name="other_ratio", value=taken, unit="ratio", source="conditions"),
            Reading(name="times_seen", value=float(len(shares)), source="conditions"),
            Reading(name="cases", value=float(len(inputs.measurements)), source="conditions"),
        ]
        form, counted, of_job = "", taken, _job_ratio(inputs, {where: share for share, where in shares})
        if taken < DISTURBED_RATIO <= of_job:  # the check was quiet but for what matters most
            form, counted = "job", of_job
            evidence.append(Reading(name="job_ratio", value=of_job, unit="ratio", source="conditions"))
        gain = gain_between(1.0, quotient(1.0, 1.0 - min(counted, 0.99)))
        yield finding("other_load", "cpu", evidence, gain=gain, form=form, remedies=("close_programs",))
    elif seen and not inputs.measurements and any(one.reason not in _STOPPED for one in inputs.failures):
        # Else the tests have told that they had left, or the user let none be disturbed.
        before = Reading(name="other_ratio", value=min(seen[0][0], 1.0), unit="ratio", source="before")
        yield finding("other_load", "cpu", (before,), form="before", remedies=("close_programs",))
    yield from _crowded_cards(inputs)


def _job_ratio(inputs: Inputs, shares: dict[str, float]) -> float:
    """Return what others took while the job itself was measured on the processor; 0.0 where it was not."""
    jobs = [m.case for m in inputs.measurements if m.case.program == JOB_PROGRAM and m.case.device == "cpu"]
    return max((shares.get(case.id, 0.0) for case in jobs), default=0.0)


def _crowded_cards(inputs: Inputs) -> Iterator[Finding]:
    for name, position, card in training_cards(inputs.machine):
        ratio = quotient(card.memory_used_bytes, card.memory_bytes)
        if not card.used_by or ratio is None or ratio < OTHER_MEMORY_RATIO or card.unified_memory:
            continue
        field = f"accelerators.{position}"
        used, size = float(card.memory_used_bytes or 0), float(card.memory_bytes or 0)
        evidence = (
            Reading(name="used_bytes", value=used, unit="bytes", source=f"{field}.memory_used_bytes"),
            Reading(name="available_bytes", value=size, unit="bytes", source=f"{field}.memory_bytes"),
            Reading(name="programs", value=float(len(card.used_by)), source=f"{field}.used_by"),
        )
        yield finding("other_load", name, evidence, form="card", remedies=("free_card_memory",))
