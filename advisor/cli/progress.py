"""Say on stderr what a session is doing: one line that is rewritten on a terminal, one line a case elsewhere."""

import sys
from typing import TextIO

from advisor.cli.output import takes_commands, write_aside
from advisor.locale import Language
from advisor.records.events import (
    BenchmarkPlanned,
    CaseFailed,
    CaseFinished,
    CaseStarted,
    DoubtsFound,
    Event,
    ProgramsNamed,
    StepStarted,
    WorkerStartsSlowly,
)
from advisor.report.words.cases import case_title, marked, measurement_phrase
from advisor.report.words.problems import DOUBTS, doubt_sentence, failure_sentence, programs_sentence
from advisor.report.words.quantities import duration


class Progress:
    """Turn a session's events into lines; call it with each event."""

    def __init__(self, language: Language, stream: TextIO | None = None) -> None:
        self._language = language
        self._stream = stream if stream is not None else sys.stderr
        self._rewrites = takes_commands(self._stream)

    def __call__(self, event: Event) -> None:
        """Announce one event."""
        _ = self._language.gettext
        match event:
            case StepStarted(step="probe"):
                self._line(_("Looking at this computer …"))
            case DoubtsFound():
                self._doubts(event)
            case WorkerStartsSlowly():
                self._line(_("Still starting PyTorch …"))
            case BenchmarkPlanned(cases=cases, budget_s=budget_s):
                text = self._language.ngettext(
                    "Measuring: {count} test, about {time}. Nothing leaves this computer.",
                    "Measuring: {count} tests, about {time}. Nothing leaves this computer.",
                    len(cases),
                )
                self._line(text.format(count=len(cases), time=duration(budget_s, self._language)))
            case CaseStarted():
                self._started(event)
            case CaseFinished(measurement=measurement):
                title = case_title(measurement.case, self._language)
                result = measurement_phrase(measurement, self._language)
                self._line(f"  {title}: {marked(result, measurement, self._language)}")
            case CaseFailed(failure=failure):
                self._line(f"  {case_title(failure.case, self._language)}: {failure_sentence(failure, self._language)}")
            case ProgramsNamed(programs=programs):
                self._line(programs_sentence(programs, self._language))
            case StepStarted(step="predict"):
                self._line(_("Predicting on other hardware …"))
            case _:
                pass

    def _doubts(self, event: DoubtsFound) -> None:
        """Say what would spoil the measurements; whoever wants to end it first still can."""
        doubts = [one for one in event.conditions if one.kind in DOUBTS]
        if doubts:
            self._line(self._language.gettext("Measurements would be worse than this computer can do."))
        for one in doubts:
            self._line(f"  {doubt_sentence(one, event.programs, self._language)}")

    def _started(self, event: CaseStarted) -> None:
        if not self._rewrites:
            return
        _ = self._language.gettext
        text = _("[{index}/{count}] {title} … {seconds} s left").format(
            index=event.index + 1,
            count=event.count,
            title=case_title(event.case, self._language),
            seconds=round(event.remaining_s),
        )
        write_aside(f"\r\x1b[2K{text}", self._stream)

    def _line(self, text: str) -> None:
        write_aside(f"\r\x1b[2K{text}\n" if self._rewrites else f"{text}\n", self._stream)
