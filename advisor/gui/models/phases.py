"""Which test of a check ran when, on the same clock as the sensors: what is marked on their graphs."""

from collections import deque
from dataclasses import dataclass

from advisor.gui.models.progress import doing_phrase
from advisor.locale import Language
from advisor.records.events import BenchmarkFinished, CaseFailed, CaseFinished, CaseStarted, Event
from advisor.records.results.measured.measurement import Case

MOST_PHASES = 500
"""A full suite has about a hundred; older ones drop out."""


@dataclass
class Phase:
    """A test that ran, or runs.

    Attributes:
        end_s: None while it runs.
    """

    case: Case
    start_s: float
    end_s: float | None = None


class PhaseModel:
    """Folds a session's events into phases; keeps those of earlier checks too."""

    def __init__(self) -> None:
        self._phases: deque[Phase] = deque(maxlen=MOST_PHASES)

    def handle_event(self, event: Event, now_s: float) -> None:
        """Account for an event that was heard at a time on the sensors' clock."""
        match event:
            case CaseStarted(case=case):
                self.stop(now_s)
                self._phases.append(Phase(case=case, start_s=now_s))
            case CaseFinished() | CaseFailed() | BenchmarkFinished():
                self.stop(now_s)
            case _:
                pass

    def stop(self, now_s: float) -> None:
        """Account for a check that ended: nothing runs any more."""
        if self._phases and self._phases[-1].end_s is None:
            self._phases[-1].end_s = now_s

    def spans(self, start_s: float, end_s: float) -> tuple[tuple[float, float], ...]:
        """Return beginning and end of each test that ran within a span of time, oldest first."""
        pairs = ((phase.start_s, end_s if phase.end_s is None else phase.end_s) for phase in self._phases)
        return tuple(
            (max(first, start_s), min(last, end_s)) for first, last in pairs if last > start_s and first < end_s
        )

    def at(self, time_s: float) -> Phase | None:
        """Return the test that ran at a moment."""
        inside = (
            phase
            for phase in self._phases
            if phase.start_s <= time_s and (phase.end_s is None or time_s <= phase.end_s)
        )
        return next(inside, None)

    def phrase_at(self, time_s: float, language: Language) -> str:
        """Return what was being measured at a moment; empty where nothing was."""
        phase = self.at(time_s)
        return "" if phase is None else doing_phrase(phase.case, language)
