"""Answer one question after another about an observed computer, away from the painting thread.

While a question is being answered, those that come in are forgotten but the last, so that answers never lag behind.
What a job needs on every option is kept, so that another deadline, budget or frequency costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from advisor.gui.backend import Backend
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Observation
from advisor.records.results.report import Report

if TYPE_CHECKING:
    from advisor.session.forecast import Forecast


class AskedQuestion(NamedTuple):
    """One question; ``network`` is the work of the job's network where no catalogue has it."""

    observation: Observation
    workload: Workload
    circumstances: Circumstances
    network: Network | None = None

    def is_foreseen(self, before: AskedQuestion) -> bool:
        """Return whether what the job needs on every option is known from a question before."""
        is_same = before.observation is self.observation and before.network is self.network
        return is_same and before.workload == self.workload


class AnswerQueue(QObject):
    """Answers the newest question.

    Signals:
        answered: With the answer.
        failed: With why there is none.
    """

    answered = Signal(ShownAnswer)
    failed = Signal(Problem)

    def __init__(self, backend: Backend, background: BackgroundTasks, finish: Callable[[Report], ShownAnswer]) -> None:
        super().__init__()
        self._backend = backend
        self._background = background
        self._finish = finish
        self._waiting: AskedQuestion | None = None
        self._is_busy = False
        self._is_wanted = False
        self._asked: AskedQuestion | None = None
        self._forecast: Forecast | None = None

    def ask(self, asked: AskedQuestion) -> None:
        """Answer a question as soon as the one before is done."""
        self._waiting = asked
        self._answer_next()

    def discard_pending(self) -> None:
        """Give up what is being answered, because nobody waits for it any more."""
        self._waiting, self._is_wanted = None, False

    def _answer_next(self) -> None:
        if self._is_busy or self._waiting is None:
            return
        asked, self._waiting = self._waiting, None
        self._is_busy = self._is_wanted = True
        self._background.run(lambda: self._answer(asked), "answer", self._on_answered, self._on_failed)

    def _answer(self, asked: AskedQuestion) -> ShownAnswer:
        """Return the answer; runs in a thread, one at a time."""
        before, known = self._asked, self._forecast
        if known is None or before is None or not asked.is_foreseen(before):
            known = self._backend.forecast_job(asked.observation, asked.workload, asked.network)
            self._asked, self._forecast = asked, known
        return self._finish(self._backend.decide(known, asked.circumstances))

    def _on_answered(self, answer: ShownAnswer) -> None:
        self._is_busy = False
        if self._is_wanted:
            self.answered.emit(answer)
        self._answer_next()

    def _on_failed(self, problem: Problem) -> None:
        self._is_busy = False
        if self._is_wanted:
            self.failed.emit(problem)
        self._answer_next()
