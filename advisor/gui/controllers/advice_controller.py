"""What the answers are about, and one answer after another: the question, the computer, and ways to put other ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject, Signal

from advisor.benchmark.running.control import Control
from advisor.errors import AdvisorError
from advisor.gui.backend import Backend
from advisor.gui.base.tasks import BackgroundTasks, Problem, describe
from advisor.gui.controllers.answer_queue import AnswerQueue, AskedQuestion
from advisor.gui.models.job.question import Question
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.gui.models.subject import (
    Pretence,
    Subject,
    is_same_computer,
    own_subject,
    past_subject,
    pretended_subject,
)
from advisor.records.hardware.machine import Machine
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.request import Observation, observation_of
from advisor.records.results.measured.own_data import FoundData
from advisor.records.results.report import Report
from advisor.records.results.scaling import SiteCluster


class AdviceController(QObject):
    """Asks the user's question of a computer: this one, one of the history, or this one with other parts.

    Signals:
        subject_changed: The answers are about another computer now.
        not_pretended: With why this computer cannot have those parts.
        traced: The user's own file has run; its network is in the question.
        not_traced: With why the user's own file gave no network.
        data_found: The user's data are known, and in the question.
        data_not_found: With why the user's data cannot be taken.

    Attributes:
        subject: What the answers are about; None until something was measured, read or pretended.
        answers: Gives the answers.
    """

    subject_changed = Signal()
    not_pretended = Signal(Problem)
    traced = Signal()
    not_traced = Signal(Problem)
    data_found = Signal()
    data_not_found = Signal(Problem)

    def __init__(
        self, backend: Backend, background: BackgroundTasks, question: Question, finish: Callable[[Report], ShownAnswer]
    ) -> None:
        super().__init__()
        self._backend = backend
        self._background = background
        self._question = question
        self._machine: Machine | None = None
        self._own: Observation | None = None
        self._cluster: SiteCluster | None = None
        self._tracing: Control | None = None
        self.subject: Subject | None = None
        self.answers = AnswerQueue(backend, background, finish)

    @property
    def needs_no_check(self) -> bool:
        """Whether an answer needs no measuring."""
        if self.subject is None:
            return False
        return self.subject.observation.benchmark is not None or not self.subject.is_own

    @property
    def own(self) -> Observation | None:
        """What was measured of this computer; None: nothing yet."""
        return self._own

    @property
    def cluster(self) -> SiteCluster | None:
        """What the answers count on of the user's own site."""
        return self._cluster if self.subject is None else self.subject.observation.cluster

    def take_cluster(self, cluster: SiteCluster | None) -> None:
        """Count on the user's own cluster from now on, or no longer on any."""
        self._cluster = cluster
        if self._own is not None:
            self._own = msgspec.structs.replace(self._own, cluster=cluster)
        if self.subject is None:
            self.subject_changed.emit()
            return
        seen = msgspec.structs.replace(self.subject.observation, cluster=cluster)
        self._turn_to(dataclasses.replace(self.subject, observation=seen))
        self.ask()

    def set_machine(self, machine: Machine) -> None:
        """Set what the probe found."""
        self._machine = machine

    def load_report(self, report: Report) -> None:
        """Speak of this computer as a check has just measured it."""
        self.answers.discard_pending()
        self._own = observation_of(report)
        self._turn_to(own_subject(self._own))

    def open_past(self, report: Report, name: str, *, is_from_here: bool = False) -> None:
        """Speak of the computer and the question of an earlier check from now on.

        One that was made here is about this computer, as long as its parts are the same and nothing newer was measured.
        """
        self.answers.discard_pending()
        self._question.load_report(report)
        machine = self._machine if is_from_here and self._own is None and not report.is_simulated else None
        if machine is not None and is_same_computer(machine, report.machine):
            self._own = observation_of(report)
            self._turn_to(own_subject(self._own, report.created_at))
        else:
            self._turn_to(past_subject(report, name))

    def pretend(self, pretence: Pretence) -> None:
        """Speak of this computer with other parts from now on."""
        own = self._observed()
        if own is None:
            return
        try:
            changed = self._backend.pretend(own, pretence.card, pretence.memory_bytes, pretence.processor)
        except AdvisorError as error:
            self.not_pretended.emit(describe(error))
            return
        self._turn_to(pretended_subject(changed, pretence))
        self.ask()

    def back(self) -> None:
        """Speak of this computer again."""
        self.answers.discard_pending()
        self._turn_to(None if self._own is None else own_subject(self._own))

    def ask(self) -> None:
        """Answer the question as it stands; nothing happens while there is none."""
        question = self._question
        if self.subject is not None and question.workload is not None:
            observation = self.subject.observation
            self.answers.ask(
                AskedQuestion(observation, question.workload, question.circumstances, question.own_network)
            )

    def trace(self, reference: str, kind: str, size: int) -> None:
        """Run the user's own file, because they said so, and ask of the network in it from now on.

        Args:
            reference: Path and function.
            kind: What it takes: ``image``, ``sequence``, or empty where the file says it itself.
            size: Of a sample: edge or length.
        """
        control = self._tracing = self._backend.make_control()
        task = partial(self._backend.trace_program, reference, kind, size, control)
        self._background.run(task, "program", self._on_traced, self._on_not_traced)

    @property
    def is_tracing(self) -> bool:
        """Whether the user's own file runs."""
        return self._tracing is not None

    def stop_trace(self) -> None:
        """End the user's own file, if it runs."""
        if self._tracing is not None:
            self._tracing.cancel()

    def _on_traced(self, found: tuple[Network, Workload]) -> None:
        self._tracing = None
        self._question.load_program(*found)
        self.traced.emit()

    def _on_not_traced(self, problem: Problem) -> None:
        self._tracing = None
        self.not_traced.emit(problem)

    def find_data(self, path: Path) -> None:
        """Look at the user's data, and ask of the job on them from now on."""
        self._background.run(partial(self._backend.find_data, path), "data", self.take_data, self.data_not_found)

    def take_data(self, found: FoundData) -> None:
        """Ask of the job on the user's data from now on."""
        if self._question.workload is None:
            return
        try:
            job = self._backend.job_with_data(found.data, self._question.workload)
        except AdvisorError as error:
            self.data_not_found.emit(describe(error))
            return
        self._question.load_data(found, job)
        self.data_found.emit()

    def _observed(self) -> Observation | None:
        """Return what is known of this computer; where nothing was measured yet, what the probe found."""
        if self._own is not None or self._machine is None:
            return self._own
        return Observation(machine=self._machine, cluster=self._cluster)

    def _turn_to(self, subject: Subject | None) -> None:
        self.subject = subject
        self.subject_changed.emit()
