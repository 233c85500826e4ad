"""A check as the user sees it: what speaks against it, what is shown meanwhile, and what is said at its end."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.errors import AdvisorError, InputError
from advisor.gui.app.page_stack import PageStack
from advisor.gui.base.context import Context
from advisor.gui.base.threads import Problem, describe
from advisor.gui.base.timers import single_shot
from advisor.gui.controllers.controllers import Workings
from advisor.gui.pages.advice.page import AdvicePage
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.pages.measure.page import MeasurePage
    from advisor.records.job.workload import Workload
    from advisor.records.request import Request

PREPARE_MS = 300


class Checking(QObject):
    """Begins checks for the user and shows how they go.

    Signals:
        refused: With why what the user wanted does not happen, and what that was.
        ended: With what is to be said on the desktop, however the check ended.

    Attributes:
        ending: What is to be said on the desktop.
    """

    refused = Signal(object, str)
    ended = Signal(str)

    def __init__(self, workings: Workings, context: Context, advice: AdvicePage, stack: PageStack) -> None:
        super().__init__()
        self._workings = workings
        self._context = context
        self._advice = advice
        self._stack = stack
        self._check = workings.check
        self.ending = ""
        self._preparing = single_shot(self, PREPARE_MS, self._prepare_answer)
        self._check.progressed.connect(self.show_progress)
        self._check.failed.connect(self._on_failed)
        self._check.cancelled.connect(self._say_stopped)
        self._check.ended.connect(self._on_ended)

    def rest(self) -> None:
        """Prepare nothing more, because the window closes."""
        self._preparing.stop()

    # --- the wish ---

    def start(self, suite: str) -> None:
        """Measure this computer and answer the question, as soon as nothing speaks against it."""
        question = self._workings.question
        if self._check.is_running or question.workload is None or not self._is_sound(question.workload):
            return
        if self._is_in_use():
            return
        from advisor.records.request import Request

        request = Request(
            workload=question.workload,
            network=question.own_network,
            found=question.found,
            circumstances=question.circumstances,
            suite="full" if suite == "full" else "quick",
            overrides=tuple(self._workings.settings.overrides),
        )
        self._workings.readiness.ask(partial(self._begin, request), self._stack.window())

    def _is_sound(self, workload: "Workload") -> bool:
        """Return whether the parts of a job go together, before a minute is spent on measuring for it."""
        if self._workings.question.own_network is not None:
            return True  # its work was traced: what it takes is known to go together
        try:
            self._workings.backend.check_workload(workload)
        except AdvisorError as error:
            self.refused.emit(describe(error), N_("This job cannot be done as it is."))
            return False
        return True

    def _is_in_use(self) -> bool:
        """Return whether something else of ours runs, and tell the user: two that run at once would spoil each other.

        A file that ends in mid-check would also change the job that is being answered.
        """
        page = self._measure_page()
        if page is not None and page.is_tracing:
            reason = InputError("A trace is being written; wait for its end.")
        elif self._workings.advising.is_tracing:
            reason = InputError("Your own file is being run; wait for its end.")
        else:
            return False
        self.refused.emit(describe(reason), N_("The check does not begin."))
        return True

    def _begin(self, request: "Request") -> None:
        if self._is_in_use():  # begun while the user was asked
            return
        self._workings.advising.answers.forget()  # an answer would take the place of the check
        self._check.start(request)
        self._workings.monitor.watch(is_measuring=True)
        self._advice.show_running()
        self.show_progress()
        self._preparing.start()

    # --- meanwhile ---

    def show_progress(self) -> None:
        """Hand what is new to the page that is seen and shows it; putting it into words costs the measurement time."""
        check, page = self._check, self._stack.currentWidget()
        if page is self._advice:
            self._advice.show_progress(check.progress, is_stopping=check.is_stopping, is_paused=check.is_paused)
        measure = self._measure_page()
        if measure is not None and (page is measure or not check.is_running):
            measure.redraw(is_checking=check.is_running)
            measure.show_progress(check.progress, is_stopping=check.is_stopping, is_paused=check.is_paused)

    def _measure_page(self) -> "MeasurePage | None":
        """Return the page of the measurements, where it was opened."""
        from advisor.gui.pages.measure.page import MeasurePage

        page = self._stack.pages.get("measure")
        return page if isinstance(page, MeasurePage) else None

    def _prepare_answer(self) -> None:
        """Make what the answer needs while the user waits, a piece at a time."""
        verdict = self._advice.verdict
        if verdict is None:
            self._advice.ensure_verdict()
            self._preparing.start()
        elif verdict.chart.plot is None:
            verdict.chart.ensure_plot()
            self._preparing.start()
        else:
            page = self._measure_page()
            if page is not None:
                page.chart.ensure_plot()

    # --- the end ---

    def _on_failed(self, problem: Problem) -> None:
        self.ending = self._context.gettext("The check ended before its time.")
        self._advice.show_question()
        self._advice.problem.show_problem(problem, N_("The check ended before its time."))

    def _say_stopped(self) -> None:
        progress = self._check.progress
        done, planned = progress.finished_count, progress.planned_count

        def notice() -> str:
            text = self._context.gettext("Stopped after {done} of {all} tests. Nothing is running any more.")
            return text.format(done=done, all=planned)

        self.ending = notice()
        self._advice.problem.dismiss()
        self._advice.show_question(notice)

    def _on_ended(self) -> None:
        self._workings.monitor.watch(is_measuring=False)
        self._advice.show_ended()
        self.ended.emit(self.ending)
