"""What the user changed in the question: steps back and forth, and what differs from the job as it came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measured.own_data import FoundData

_MOST_STEPS = 200
_NOT_OF_A_JOB = frozenset({"currency", "country", "units_per_usd", "electricity_usd_per_kwh"})
"""Circumstances of Settings, which no step takes back."""


@dataclass(frozen=True, kw_only=True)
class State:
    """A question at one moment.

    Attributes:
        own: What the user set about themselves.
        found: The user's data.
        program: The work of the network in the user's own program that was run last.
    """

    workload: Workload | None
    circumstances: Circumstances
    own: Mapping[str, Any]
    found: FoundData | None
    program: Network | None

    def same_as(self, other: State) -> bool:
        """Return whether both ask the same; what Settings hold does not count."""
        is_same_job = self.workload == other.workload and self.found == other.found
        return is_same_job and not changed_names(self.circumstances, other.circumstances)


_Step = tuple[State, State | None]
"""A state, and what was the usual one then."""


@dataclass
class EditHistory:
    """Steps of a question, to go back and forth over.

    Attributes:
        usual: The question as it was taken over, which resetting leads back to; None before the first.
    """

    usual: State | None = None
    _before: list[_Step] = field(default_factory=list)
    _after: list[_Step] = field(default_factory=list)

    @property
    def has_steps(self) -> bool:
        """Whether the user has changed anything yet, or taken a change back."""
        return bool(self._before or self._after)

    def remember(self, before: State, now: State) -> None:
        """Keep a step, if something changed in it."""
        if before.workload is None or before.same_as(now):
            return
        self._before.append((before, self.usual))
        del self._before[:-_MOST_STEPS]
        self._after.clear()

    def take_over(self, before: State, now: State) -> None:
        """Keep the step to another job, which is the usual one from now on."""
        self.remember(before, now)
        self.usual = now

    def undo(self, now: State) -> State | None:
        """Return the state before the last step; None: there is none."""
        return self._step(self._before, self._after, now)

    def redo(self, now: State) -> State | None:
        """Return the state after the step that was taken back last; None: there is none."""
        return self._step(self._after, self._before, now)

    def _step(self, taken: list[_Step], kept: list[_Step], now: State) -> State | None:
        if not taken:
            return None
        kept.append((now, self.usual))
        state, self.usual = taken.pop()
        return state

    def changed(self, now: State) -> frozenset[str]:
        """Return the names of what differs from the question as it was taken over."""
        if self.usual is None or self.usual.workload is None or now.workload is None:
            return frozenset()
        usual = self.usual.workload
        names = {name for name in usual.__struct_fields__ if getattr(usual, name) != getattr(now.workload, name)}
        if now.workload.epochs_are_default:
            names -= {"epochs", "epochs_are_default"}  # they follow from the rest
        return changed_names(self.usual.circumstances, now.circumstances) | names


def changed_names(first: Circumstances, second: Circumstances) -> frozenset[str]:
    """Return the circumstances of the user that differ between two questions."""
    return frozenset(
        name
        for name in Circumstances.__struct_fields__
        if name not in _NOT_OF_A_JOB and getattr(first, name) != getattr(second, name)
    )
