"""A check as the user sees it: what speaks against it, what is shown meanwhile, and what is said at its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.errors import AdvisorError, InputError
from advisor.gui.app.page_stack import PageStack
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem, describe
from advisor.gui.base.timers import single_shot
from advisor.gui.controllers.controllers import Controllers
from advisor.gui.controllers.history_controller import PastAnswer
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.gui.models.subject import is_same_computer
from advisor.gui.pages.advice.page import AdvicePage
from advisor.gui.widgets.waiting_card import WaitingCard
from advisor.locale import N_
from advisor.records.job.workload import Workload
from advisor.records.request import Observation, Request, observation_of

if TYPE_CHECKING:
    from advisor.gui.dialogs.interference_dialog import InterferenceDialog
    from advisor.gui.dialogs.stop_dialog import StopDialog
    from advisor.gui.pages.measure.page import MeasurePage
    from advisor.records.hardware.interference import Interference

PREPARE_MS = 300


class CheckFlow(QObject):
    """Starts checks for the user and shows how they go.

    Signals:
        ended: With what is to be said on the desktop, however the check ended.

    Attributes:
        dialog: The question before a check; None while nothing is asked.
        waiting: The line that a check waits in for a quiet computer; hidden while none does.
        stop_dialog: The question before a long check is ended; None while nothing is asked.
    """

    ended = Signal(str)

    def __init__(self, controllers: Controllers, context: Context, advice: AdvicePage, stack: PageStack) -> None:
        super().__init__()
        self._controllers = controllers
        self._context = context
        self._advice = advice
        self._stack = stack
        self._check = controllers.check_runner
        self._ending = ""
        self.dialog: InterferenceDialog | None = None
        self.waiting = WaitingCard(context)
        self.waiting.wanted.clicked.connect(self._on_wanted)
        self.waiting.stop.clicked.connect(self._on_wait_ended)
        self.stop_dialog: StopDialog | None = None
        self._preparing = single_shot(self, PREPARE_MS, self._prepare_answer)
        self._check.progressed.connect(self.show_progress)
        self._check.failed.connect(self._on_failed)
        self._check.cancelled.connect(self._on_cancelled)
        self._check.succeeded.connect(self._on_succeeded)
        self._check.ended.connect(self._on_ended)
        controllers.history.taken_up.connect(self.go_on_from)
        controllers.preflight.interference_found.connect(self._show_interference)
        controllers.preflight.began.connect(lambda: self.waiting.show_begun(is_seen=self._is_seen()))
        controllers.preflight.settled.connect(self._end_asking)
        stack.opened.connect(self._on_page_opened)

    def shut_down(self) -> None:
        """Prepare nothing more, because the window closes."""
        self._preparing.stop()

    # --- the wish ---

    def start_quick(self) -> None:
        """Measure as much as an answer needs."""
        self.start("quick")

    def start_when_quiet(self) -> None:
        """Measure as much as an answer needs, without a question, as soon as other programs leave the processor."""
        self.start("quick", waits=True)

    def start(
        self, suite: str, known: Observation | None = None, *, is_rest: bool = False, waits: bool = False
    ) -> None:
        """Measure this computer, or more of it, and answer the question, as soon as nothing speaks against it.

        Args:
            suite: How much.
            known: What an earlier check saw: then one more job alone is measured.
            is_rest: Instead, what that check left out is.
            waits: Not before the computer is quiet; nothing is asked.
        """
        workload = self._controllers.question.workload
        if self._check.is_running or workload is None or not self._is_sound(workload) or self._is_in_use():
            return
        self._controllers.preflight.ask(partial(self._run, suite, known, is_rest=is_rest), waits=waits)

    def _request(self, suite: str) -> Request | None:
        """Return what is asked now; None where the form lacks something."""
        question = self._controllers.question
        if question.workload is None:
            return None
        return Request(
            workload=question.workload,
            network=question.own_network,
            found=question.found,
            circumstances=question.circumstances,
            suite="full" if suite == "full" else "quick",
            overrides=tuple(self._controllers.settings.overrides),
            cluster=self._controllers.advice.cluster,
        )

    def go_on(self) -> None:
        """Measure what the last check left out when it was stopped or failed."""
        self._go_on_from(self._check.unfinished)

    def go_on_from(self, past: PastAnswer) -> None:
        """Measure what an earlier check of this computer left out."""
        report = past.answer.report
        machine = self._controllers.machine.machine
        if machine is None or not is_same_computer(machine, report.machine):
            reason = InputError("The earlier check is of a computer with other parts; measure this one again.")
            self._refuse(reason, N_("The check does not begin."))
        else:
            self._go_on_from(observation_of(report))

    def _go_on_from(self, seen: Observation | None) -> None:
        if seen is not None and seen.benchmark is not None:
            self.start(seen.benchmark.suite, seen, is_rest=True)

    def measure_too(self) -> None:
        """Measure the job of the question too, for this computer as it was checked before."""
        subject = self._controllers.advice.subject
        if subject is not None and subject.is_own:
            self.start("quick", subject.observation)

    def _is_sound(self, workload: Workload) -> bool:
        """Return whether the parts of a job go together, before a minute is spent on measuring for it."""
        if self._controllers.question.own_network is not None:
            return True  # its work was traced: what it takes is known to go together
        try:
            self._controllers.backend.check_workload(workload)
        except AdvisorError as error:
            self._refuse(error, N_("This job cannot be done as it is."))
            return False
        return True

    def _is_in_use(self) -> bool:
        """Return whether something else of ours runs, and tell the user: two that run at once would spoil each other.

        A file that ends in mid-check would also change the job that is being answered.
        """
        page = self._measure_page()
        if page is not None and page.is_tracing:
            reason = InputError("A trace is being written; wait for its end.")
        elif self._controllers.script.is_running:
            reason = InputError("Your training script is being watched; wait for its end.")
        elif self._controllers.advice.is_tracing:
            reason = InputError("Your own file is being run; wait for its end.")
        else:
            return False
        self._refuse(reason, N_("The check does not begin."))
        return True

    def _refuse(self, reason: AdvisorError, intent: str) -> None:
        """Say on the first page why what the user wanted does not happen."""
        self._advice.problem.show_problem(describe(reason), intent)
        self._stack.open("advice")

    def _show_interference(self, found: Interference) -> None:
        preflight = self._controllers.preflight
        if preflight.is_waiting:
            self.waiting.show_waiting(found, preflight.waited_s)
            return
        if self.dialog is None:
            from advisor.gui.dialogs.interference_dialog import InterferenceDialog

            self.dialog = InterferenceDialog(self._context, self._stack.window())
            self.dialog.wanted.clicked.connect(preflight.proceed)
            self.dialog.accepted.connect(self._wait)
            self.dialog.rejected.connect(preflight.cancel)
            self.dialog.open()
        self.dialog.show_interference(found)

    def _wait(self) -> None:
        """Leave the window to the user until nothing is in the way."""
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            self._controllers.preflight.wait()
            self.waiting.show_waiting(dialog.found, 0.0)
            dialog.deleteLater()

    def _on_wanted(self) -> None:
        """Start the check that waits; show the one that has begun by itself."""
        if self.waiting.has_begun:
            self._stack.open("advice")
        self._controllers.preflight.proceed()

    def _on_wait_ended(self) -> None:
        self.waiting.hide()
        self._controllers.preflight.cancel()

    def _end_asking(self) -> None:
        if not self.waiting.has_begun:  # else the user has done nothing that it might go for
            self.waiting.hide()
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.close()
            dialog.deleteLater()

    def _run(self, suite: str, known: Observation | None, *, is_rest: bool) -> None:
        if self._is_in_use():  # started while the user was asked
            return
        request = self._request(suite)  # of now: the question may have changed while the check waited
        if request is None:
            reason = InputError("The question is not complete; complete it and start the check again.")
            self._refuse(reason, N_("The check does not begin."))
            return
        if not self._is_sound(request.workload):
            return
        self._controllers.advice.answers.discard_pending()  # an answer would take the place of the check
        self._check.start(request, known, is_rest=is_rest)
        self._controllers.sensor_thread.watch(is_measuring=True)
        self._advice.show_running()
        self.show_progress()
        self._preparing.start()

    @property
    def is_long(self) -> bool:
        """Whether a check runs that nobody gives up by a slip."""
        return self._check.is_running and not self._check.is_stopping and self._check.progress.is_long

    def ask_to_stop(self, stop: Callable[[], None] | None = None, *, is_closing: bool = False) -> None:
        """End the check that runs; a long one after a word, and not where that is over meanwhile.

        Args:
            stop: What ends it.
            is_closing: The window is to be closed with it.
        """
        stop = stop if stop is not None else self._check.cancel
        if not self.is_long:
            stop()
            return
        if self.stop_dialog is not None:
            return
        from advisor.gui.dialogs.stop_dialog import StopDialog

        dialog = self.stop_dialog = StopDialog(self._context, self._stack.window(), is_closing=is_closing)
        dialog.show_progress(self._check.progress)
        dialog.accepted.connect(stop)
        dialog.finished.connect(self._on_stop_answered)
        dialog.open()

    def stop_by_key(self) -> None:
        """End the check where it is seen: on another page Escape is meant for what stands there."""
        if self._is_seen():
            self.ask_to_stop()

    def _is_seen(self) -> bool:
        """Return whether the page that is seen shows the check that runs."""
        return self._stack.currentWidget() in (self._advice, self._measure_page())

    def _on_stop_answered(self) -> None:
        dialog, self.stop_dialog = self.stop_dialog, None
        if dialog is not None:
            dialog.deleteLater()

    # --- meanwhile ---

    def _on_page_opened(self, _name: str) -> None:
        if self.waiting.has_begun:
            self.waiting.hide()
        if self._check.is_running:
            self.show_progress()

    def show_progress(self) -> None:
        """Hand what is new to the page that is seen and shows it; putting it into words costs the measurement time."""
        check, page = self._check, self._stack.currentWidget()
        sensors = self._controllers.sensor_thread
        latest = None if sensors.problem is not None else sensors.latest
        if self.stop_dialog is not None:
            self.stop_dialog.show_progress(check.progress)
        if page is self._advice:
            self._advice.show_progress(check.progress, is_stopping=check.is_stopping, is_paused=check.is_paused)
            self._advice.progress_panel.sensors.show_sample(latest)
        measure = self._measure_page()
        if measure is not None and (page is measure or not check.is_running):
            measure.redraw(is_checking=check.is_running)
            measure.show_progress(check.progress, is_stopping=check.is_stopping, is_paused=check.is_paused)
            measure.progress_panel.sensors.show_sample(latest)

    def _measure_page(self) -> MeasurePage | None:
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
        self._ending = self._context.gettext("The check ended before its time.")
        self._advice.show_question()
        self._advice.problem.show_problem(problem, N_("The check ended before its time."))

    def _on_succeeded(self, answer: ShownAnswer) -> None:
        words = answer.view.answer
        self._ending = " ".join((words.headline.text, *(said.text for said in words.sentences[:1])))

    def _on_cancelled(self) -> None:
        progress = self._check.progress
        done, planned = progress.finished_count, progress.planned_count

        def notice() -> str:
            _ = self._context.gettext
            said = [_("Stopped: {done} of {all} tests finished.").format(done=done, all=planned)]
            if self._controllers.advice.subject is not None and done:
                said.append(_("Answers still rest on what was measured before."))
            return " ".join(said)

        self._ending = notice()
        self._advice.problem.dismiss()
        self._advice.show_question(notice)

    def _on_ended(self) -> None:
        self._controllers.sensor_thread.watch(is_measuring=False)
        self._advice.show_ended()
        if self.stop_dialog is not None and not self.stop_dialog.is_closing:
            self.stop_dialog.reject()
        if self.waiting.has_begun:  # and has ended: nothing it says holds any more
            self.waiting.hide()
        self.ended.emit(self._ending)
