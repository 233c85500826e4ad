"""Which computer the answers are about: this one, one of an earlier check, or this one with other parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from advisor.locale import Language
from advisor.records.hardware.machine import Machine
from advisor.records.request import Observation, observation_of
from advisor.records.results.report import Report
from advisor.report.words.labels import spoken_moment
from advisor.units import GIB

SubjectKind = Literal["own", "past", "pretended"]


@dataclass(frozen=True, kw_only=True)
class Pretence:
    """Parts the user pretends this computer had; what is empty or None is as it is.

    Attributes:
        card: Name of a graphics card.
        memory_bytes: Main memory.
        processor: Name of a processor that stands for a class.
    """

    card: str = ""
    memory_bytes: int | None = None
    processor: str = ""

    @property
    def is_nothing(self) -> bool:
        """Whether all is as it is."""
        return not self.card and self.memory_bytes is None and not self.processor


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A computer that was looked at.

    Attributes:
        observation: What is known of it.
        name: The card where only that is pretended, or what the user calls the earlier check.
        created_at: When the earlier check was made, ISO 8601.
    """

    kind: SubjectKind
    observation: Observation
    name: str = ""
    created_at: str = ""

    @property
    def is_own(self) -> bool:
        """Whether it is this computer as it is."""
        return self.kind == "own"


def pretended_subject(observation: Observation, pretence: Pretence) -> Subject:
    """Return this computer with other parts."""
    is_only_card = pretence.memory_bytes is None and not pretence.processor
    name = observation.machine.accelerators[0].name if is_only_card else ""
    return Subject(kind="pretended", observation=observation, name=name)


def own_subject(observation: Observation, created_at: str = "") -> Subject:
    """Return this computer, with when it was measured where that was not now (ISO 8601)."""
    return Subject(kind="own", observation=observation, created_at=created_at)


def past_subject(report: Report, name: str) -> Subject:
    """Return the computer of an earlier check."""
    return Subject(kind="past", observation=observation_of(report), name=name, created_at=report.created_at)


def is_same_computer(one: Machine, other: Machine) -> bool:
    """Return whether two looks saw the same processor, memory and cards, so that what was measured then holds now."""
    cards = [[card.name for card in each.accelerators] for each in (one, other)]
    first, second = one.host, other.host
    return (
        cards[0] == cards[1]
        and (first.cpu.name, first.cpu.logical_cores) == (second.cpu.name, second.cpu.logical_cores)
        and abs(first.memory.total_bytes - second.memory.total_bytes) < GIB
    )


def subject_title(subject: Subject | None, language: Language) -> str:
    """Return what stands above the computer's line."""
    _ = language.gettext
    if subject is None or (subject.is_own and not subject.created_at):
        return _("Your computer")
    moment = spoken_moment(subject.created_at, language)  # as its list has it: a day may have several checks
    if subject.is_own:
        return _("Your computer, measured on {date}").format(date=moment)
    if subject.kind == "pretended":
        if not subject.name:
            return _("What if: your computer with other parts")
        return _("What if: your computer with a {card}").format(card=subject.name)
    if subject.name:
        return _("From the history: {name}, {date}").format(name=subject.name, date=moment)
    return _("From the history: {date}").format(date=moment)
