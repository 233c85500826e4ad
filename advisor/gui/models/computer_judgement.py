"""Whether the parts of this computer are good for the question that was asked last, with the reason for each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.locale import Language
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import Option
from advisor.records.results.own_computer import is_enough, is_untrusted
from advisor.records.results.report import Report
from advisor.report.words.advice.verdict import chosen_option, is_doubtful, may_do
from advisor.report.words.labels import limit_phrase
from advisor.report.words.quantities import memory

PROCESSOR, MEMORY, CARD = "processor", "memory", "card"
_PART_OF_LIMIT = {"input": PROCESSOR, "disk": MEMORY}
_OF_THE_DEVICE = frozenset({"compute", "memory_bandwidth", "launch"})


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What is said of one part.

    Attributes:
        part: ``processor``, ``memory`` (main memory and disk) or ``card`` (the one that would train).
        is_good: Whether nothing has to be done about it; None where that is not known.
    """

    part: str
    text: str
    is_good: bool | None


def is_about(report: Report, machine: Machine | None) -> bool:
    """Return whether an answer is about a computer of these parts; what is free of them at the moment plays no role."""
    return machine is not None and _parts(report.machine) == _parts(machine)


def _parts(machine: Machine) -> object:
    cards = tuple((one.name, one.memory_bytes) for one in machine.accelerators)
    return machine.host.cpu.name, machine.host.cpu.logical_cores, machine.host.memory.total_bytes, cards


def judgements(report: Report, language: Language) -> tuple[Judgement, ...]:
    """Return what the answer says of the parts: whose memory is enough, and which one the time depends on.

    Nothing is said of parts on which this answer does not depend.
    """
    here = [one for one in report.advice.options if one.tier == "this_computer" and one.prediction is not None]
    if not here:
        return ()
    best = min(here, key=lambda one: float("inf") if one.run_s is None else one.run_s)
    return (
        *_of_memory(best, report.machine, language),
        *_of_time(best, report, language),
        *_of_no_card(best, report, language),
    )


def _of_no_card(best: Option, report: Report, language: Language) -> Iterator[Judgement]:
    is_untold = is_untrusted(report) and not is_enough(report)
    if report.machine.accelerators:
        return
    if report.advice.tier == "this_computer" and not is_untold:
        text = language.gettext("Your last question does not need one.")
        if is_untrusted(report):
            text = language.gettext("Your last question probably does not need one.")
        yield Judgement(part=CARD, text=text, is_good=None if is_untrusted(report) else True)
    chosen = chosen_option(report)
    computes = best.prediction is not None and best.prediction.limit in _OF_THE_DEVICE  # nor waits for its data
    if chosen is None or chosen.tier == "this_computer" or is_doubtful(report):
        return
    if computes and chosen.is_card:
        yield Judgement(part=CARD, text=language.gettext("Your last question needs one."), is_good=False)


def _is_on_card(option: Option) -> bool:
    return option.id != "here/cpu"


def _of_memory(option: Option, machine: Machine, language: Language) -> Iterator[Judgement]:
    estimate = option.prediction.memory if option.prediction is not None else None
    if estimate is None or estimate.available_bytes is None:
        return
    _ = language.gettext
    is_good = estimate.total_bytes <= estimate.available_bytes
    text = (
        _("Enough memory for your last question: it takes {used} of {all}.")
        if is_good
        else _("Too little memory for your last question: it takes {used}, and there are {all}.")
    )
    free_bytes = machine.host.memory.available_bytes
    if is_good and not _is_on_card(option) and free_bytes < estimate.total_bytes:
        text = _(
            "Enough memory for your last question once you close other programs: it takes {used} of {all}, and {free} "
            "are free now."
        )
    said = text.format(
        used=memory(estimate.total_bytes, language),
        all=memory(estimate.available_bytes, language),
        free=memory(free_bytes, language),
    )
    yield Judgement(part=CARD if _is_on_card(option) else MEMORY, text=said, is_good=is_good)


def _of_disturbed(part: str, report: Report, language: Language) -> Judgement:
    """Return what is known of a part after a check that others disturbed: at its best it may still be too slow."""
    _ = language.gettext
    if is_enough(report):
        text = _("Probably good enough for your last question; other programs disturbed the check.")
        return Judgement(part=part, text=text, is_good=None)
    if not may_do(report):
        text = _("Too slow for your last question, however fast it is without other programs.")
        return Judgement(part=part, text=text, is_good=False)
    text = _("Whether it is good enough for your last question will be known after a check without other programs.")
    return Judgement(part=part, text=text, is_good=None)


def _of_time(option: Option, report: Report, language: Language) -> Iterator[Judgement]:
    if option.prediction is None or option.run_s is None:
        return
    limit = option.prediction.limit
    part = _PART_OF_LIMIT.get(limit)
    if part is None:
        if limit not in _OF_THE_DEVICE:
            return
        part = CARD if _is_on_card(option) else PROCESSOR
    _ = language.gettext
    if is_untrusted(report):
        yield _of_disturbed(part, report, language)
        return
    is_good = report.advice.tier == "this_computer"
    text = (
        _("Good enough for your last question; most of its time goes to {limit}.")
        if is_good
        else _("Holds you back in your last question: most of its time goes to {limit}.")
    )
    yield Judgement(part=part, text=text.format(limit=limit_phrase(limit, language)), is_good=is_good)
