"""An answer as the user sees it: what asks for it, on which pages it is shown, and what may be done with it."""

from __future__ import annotations

import datetime
import math
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from advisor.errors import AdvisorError, InputError
from advisor.gui.app.page_stack import PageStack
from advisor.gui.backend import Catalogue
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem, describe
from advisor.gui.controllers.controllers import Controllers
from advisor.gui.controllers.history_controller import PastAnswer, Recalled
from advisor.gui.models.job.job_cards import job_title
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.gui.models.subject import Pretence
from advisor.gui.pages.advice.page import AdvicePage
from advisor.locale import N_
from advisor.records.hardware.machine import Machine
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.history_entry import Entry, PastQuestion
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report
from advisor.report.words.samples import samples_phrase


class AnswerFlow(QObject):
    """Asks the user's questions and shows the answers.

    Signals:
        answered: With the report of an answer that is shown now.
        past_shown: With an earlier answer (``PastAnswer``) that is shown now.
        withdrawn: There is no answer any more: it was about a computer that is not spoken of now.

    Attributes:
        report: Of the last answer; None before the first.
    """

    answered = Signal(Report)
    past_shown = Signal(PastAnswer)
    withdrawn = Signal()

    def __init__(self, controllers: Controllers, context: Context, advice: AdvicePage, stack: PageStack) -> None:
        super().__init__()
        self._controllers = controllers
        self._context = context
        self._page = advice
        self._stack = stack
        self._question = controllers.question
        self._advice = controllers.advice
        self._check = controllers.check_runner
        self.report: Report | None = None
        self._own_report: Report | None = None
        self._last: PastQuestion | None = None
        self._is_recalled = False
        self._keeps_notice = False
        self._replaced_job: Workload | None = None
        self._advice.answers.answered.connect(self._show_answer)
        self._advice.answers.answered.connect(lambda _answer: self._keep_question())
        self._advice.answers.failed.connect(advice.show_unanswered)
        self._advice.not_pretended.connect(advice.show_unanswered)
        self._advice.traced.connect(advice.show_traced)
        self._advice.not_traced.connect(advice.question_panel.form.program.show_problem)
        advice.take_back.clicked.connect(lambda _checked=False: self._take_back())
        advice.question_panel.data.chosen.connect(self._advice.find_data)
        advice.question_panel.cluster.chosen.connect(self._read_cluster)
        advice.question_panel.cluster.changed.connect(self._advice.take_cluster)
        self._advice.data_found.connect(self._on_data_found)
        self._advice.data_not_found.connect(advice.show_data_refused)
        self._advice.subject_changed.connect(self._show_subject)
        self._check.succeeded.connect(self._on_checked)
        self._check.ended.connect(self._on_check_ended)
        controllers.history.opened.connect(self._open_past)
        controllers.history.listed.connect(self._on_listed)
        controllers.history.recalled.connect(self._on_recalled)
        advice.question_panel.last.wanted.connect(controllers.history.open)
        controllers.history.fetched.connect(lambda past: self._export(past.answer.report))
        controllers.machine.found.connect(advice.computer.show_machine)
        controllers.machine.found.connect(self._count_threads)
        controllers.machine.not_found.connect(advice.show_probe_failed)
        controllers.machine.offered.connect(self._on_catalogue)
        controllers.machine.not_offered.connect(self._on_catalogue_failed)
        context.language_changed.connect(self._retranslate_worth)

    # --- what questions are made of ---

    def _count_threads(self, machine: Machine) -> None:
        self._question.threads = max(1, math.floor(machine.host.cpu.usable_cores))
        self._page.question_panel.show_question()

    def _on_catalogue(self, catalogue: Catalogue) -> None:
        settings = self._controllers.settings
        self._page.offer(catalogue)
        self.set_region(settings.currency, settings.country)
        self._page.question_panel.show_presets()
        self._ask_last()

    def _on_catalogue_failed(self, problem: Problem) -> None:
        self._page.problem.show_problem(problem, N_("The ready-made jobs cannot be read."))

    def set_region(self, currency: str, country: str) -> None:
        """Count in a currency and with a country's electricity, or in dollars where they are not known."""
        self._controllers.machine.set_region(currency, country)
        self._refresh_money()

    def set_electricity(self, usd_per_kwh: float | None) -> None:
        """Count with the user's own price of electricity; None: with the country's."""
        self._question.change_circumstances(electricity_usd_per_kwh=usd_per_kwh)
        self._refresh_money()

    def _refresh_money(self) -> None:
        """Show money as it counts now, in the question and in the answer that is seen."""
        self._page.refresh_money()
        if self._page.shows_answer:
            self.conclude()

    # --- questions ---

    def _read_cluster(self, path: Path) -> None:
        """Count on the cluster that a file tells of, at the price and with the queue that were said of one before."""
        try:
            cluster = self._controllers.backend.read_cluster(path)
        except AdvisorError as error:
            self._page.problem.show_problem(describe(error), N_("We couldn't use this file."))
            return
        self._page.problem.dismiss()
        self._advice.take_cluster(cluster)

    def open_job(self, path: Path) -> None:
        """Read the job a user's file describes."""
        try:
            preset = self._controllers.backend.read_workload(path)
        except AdvisorError as error:
            self._page.problem.show_problem(describe(error), N_("We couldn't use this file."))
            return
        self._page.problem.dismiss()
        self._question.load_file(preset)
        self._page.question_panel.show_question()

    def ask_to_tune(self, model: str) -> None:
        """Ask about adapting a known language model, on the first page; at once where this computer was measured."""
        self._stack.open("advice")
        self._page.problem.dismiss()
        before = self._replaced_job = self._question.workload
        self._question.choose(model)
        self._page.show_question(partial(self._replaced, before), is_replaced=before is not None)
        self._page.question_panel.start.setFocus()
        if self._advice.needs_no_check:
            self._keeps_notice = True
            self.conclude()

    def _replaced(self, before: Workload | None) -> str:
        """Return which question had to go."""
        if before is None:
            return ""
        language = self._context.language
        text = language.gettext("This replaced your question: {job}.")
        job = (job_title(before.id, language), samples_phrase(before, language))
        return text.format(job=" · ".join(filter(None, job)))

    def _take_back(self) -> None:
        """Ask again what was asked before, whatever was changed since."""
        while self._question.workload != self._replaced_job and self._question.undo():
            pass
        if self._page.shows_answer:
            self._page.ensure_verdict().job.show_question()
            self.conclude()
        else:
            self._page.show_question()

    def _on_data_found(self) -> None:
        self._page.question_panel.show_question()
        self._page.problem.dismiss()

    def conclude(self) -> None:
        """Answer the question from what was measured before."""
        if not self._check.is_running:
            self._advice.ask()

    def pretend(self, pretence: Pretence) -> None:
        """Answer the question for this computer with other parts."""
        if not self._check.is_running:
            self._advice.pretend(pretence)

    def ask_worth(self, part: str) -> None:
        """Weigh a part for the computer that the answer is about; no part: each that could be added to it."""
        report = self.report
        if report is None:
            return
        network = self._question.own_network
        task = partial(self._controllers.backend.worth, report, part, network)
        self._controllers.background.run(task, "worth", self._show_worth, self._on_not_weighed)

    def _show_worth(self, report: Report) -> None:
        if self.report is None or (report.created_at, report.workload) != (
            self.report.created_at,
            self.report.workload,
        ):
            return  # of an answer that is not seen any more
        from advisor.report.content.job_changes import free_speed
        from advisor.report.content.options.what_if import what_if_lines, worth_verdict

        self.report = report  # what is saved holds it, too
        said = what_if_lines(report, self._context.language)
        verdict = worth_verdict(report, self._context.language)
        none = self._context.gettext("There is no part to add that this program knows.")
        free = tuple(free_speed(report, self._context.language)) if len(said) > 1 else ()
        told = [free, *said] if free else said
        self._page.computer.panel.show_worth(verdict if said else none, told)

    def _retranslate_worth(self) -> None:
        if self.report is not None and self._page.computer.panel.shows_worth:
            self._show_worth(self.report)

    def _on_not_weighed(self, problem: Problem) -> None:
        self._page.computer.panel.show_answered(has_answer=True)
        self._page.show_unanswered(problem)

    def go_back(self) -> None:
        """Speak of this computer again, instead of a pretended or an earlier one."""
        if self._check.is_running:
            return
        self._advice.back()
        if self._advice.needs_no_check:
            self.conclude()
        else:
            self.report = self._own_report = None
            self._page.computer.show_change("")
            self._page.computer.panel.show_answered(has_answer=False)
            self._page.show_question()
            self.withdrawn.emit()

    def _on_listed(self, _entries: object) -> None:
        """Recall at the start what was asked last, or later where only then there is something to recall."""
        last = self._offer_last()
        is_recalled = self._is_recalled and (last is None or self._last is not None)
        if not is_recalled and not self._advice.needs_no_check:
            self._is_recalled = True
            self._controllers.history.recall(last)

    def _offer_last(self) -> Entry | None:
        """Offer the answer of an earlier start until this computer is measured or another is spoken of."""
        last = None
        if self._controllers.history.entries and not self._advice.needs_no_check:
            from advisor.gui.models.history import last_of  # not before the window is seen

            last = last_of(self._controllers.history.entries)
        self._page.question_panel.show_last(last)
        return last

    def _on_recalled(self, found: Recalled) -> None:
        """Say what the last answer was about, and ask what was asked last, until the user asks something else."""
        self._last = found.question
        if found.report is not None:
            self._page.question_panel.last.show_question(found.report.workload)
        self._ask_last()

    def _ask_last(self) -> None:
        """Ask what was asked before the program was closed, once it is known what can be asked."""
        question, last = self._question, self._last
        if last is None or not question.presets or question.edits.has_steps or not question.knows(last.workload):
            return
        question.load_asked(last.workload, last.circumstances)
        self._page.question_panel.show_question()

    def _show_measured(self) -> None:
        """Let the page of the measurements show those that the answers rest on, of today or of an earlier check."""
        subject, measure = self._advice.subject, self._check.measure
        if self._check.is_running or (subject is not None and subject.observation.is_simulated):
            return
        benchmark = None if subject is None else subject.observation.benchmark
        if benchmark is None:
            measure.clear()
        elif benchmark is not measure.benchmark:
            measure.show(benchmark)

    def _show_subject(self) -> None:
        self._show_measured()
        self._offer_last()
        self._page.computer.show_subject(self._advice.subject)
        self._page.question_panel.show_measured(is_measured=self._advice.needs_no_check)
        self._page.question_panel.cluster.show_cluster(self._advice.cluster)

    # --- answers ---

    def _on_checked(self, answer: ShownAnswer) -> None:
        report = answer.report
        self._advice.load_report(report)
        if report.benchmark is not None:
            self._check.measure.show(report.benchmark)
        self._controllers.machine.set_machine(report.machine)
        self._question.load_report(report)  # it may have been changed meanwhile
        self._show_answer(answer)
        if self._question.circumstances != report.circumstances:  # such as the currency, in the settings
            self._advice.ask()

    def show_watched(self, network: Network, answer: ShownAnswer) -> None:
        """Show the answer for the job of the user's own script, and ask about that job from now on."""
        self._question.program = network
        self._on_checked(answer)
        self._page.read_from_top()
        self._stack.open("advice")

    def _on_check_ended(self) -> None:
        """Show again what is known where a check came to nothing: what was measured before still holds."""
        if not self._page.shows_answer and self._advice.needs_no_check:
            self._keeps_notice = True
            self.conclude()

    def _show_answer(self, answer: ShownAnswer) -> None:
        self.report = answer.report
        self._say_what_parts_change(answer.report)
        programs = self._check.measure.programs_of(answer.report.benchmark)
        has_card = any(one.trains for one in answer.report.machine.accelerators)
        self._page.computer.panel.show_answered(has_answer=True, has_card=has_card)
        self._page.show_report(answer, programs, keeps_notice=self._keeps_notice)
        self._keeps_notice = False
        self._page.ensure_verdict().offer_measuring(
            is_offered=self._can_measure(answer),
            is_again=self._is_own() and _gains_by_checking(answer.report),
            is_own=self._is_own(),
        )
        self.answered.emit(answer.report)

    def _keep_question(self) -> None:
        """Keep what is asked for the next start, checked or not."""
        question = self._question
        if question.workload is not None:
            now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
            asked = PastQuestion(asked_at=now, workload=question.workload, circumstances=question.circumstances)
            self._controllers.history.keep_question(asked)

    def _say_what_parts_change(self, report: Report) -> None:
        """Compare the answer for a pretended computer with this computer's, where both are to one question."""
        subject = self._advice.subject
        self._page.computer.show_change("")
        if subject is not None and subject.is_own:
            self._own_report = report
        elif subject is not None and subject.kind == "pretended":
            own = self._own_report
            if own is not None and (own.workload, own.circumstances) == (report.workload, report.circumstances):
                self._show_change(own)
            else:
                self._answer_as_it_is(report)

    def _answer_as_it_is(self, report: Report) -> None:
        """Answer for this computer as it was measured what it was not asked yet: the form asked of other parts only."""
        own, network, backend = self._advice.own, self._question.own_network, self._controllers.backend
        if own is not None:
            self._controllers.background.run(
                lambda: backend.decide(backend.forecast_job(own, report.workload, network), report.circumstances),
                "own_answer",
                self._show_change,
                self._page.show_unanswered,
            )

    def _show_change(self, own: Report) -> None:
        """Say what the pretended parts change, where this is still asked."""
        from advisor.gui.models.verdict import pretence_sentence

        subject, report = self._advice.subject, self.report
        if report is None or subject is None or subject.kind != "pretended":
            return
        if (own.workload, own.circumstances) == (report.workload, report.circumstances):
            self._own_report = own
            self._page.computer.show_change(pretence_sentence(own, report, self._context.language))

    def _is_own(self) -> bool:
        """Return whether the answer is about this computer as it is."""
        subject = self._advice.subject
        return subject is not None and subject.is_own and not subject.observation.is_simulated

    def _can_measure(self, answer: ShownAnswer) -> bool:
        """Return whether this computer was measured, and can do the job that the answer is about, but not that job."""
        if not self._is_own():
            return False
        here = [option for option in answer.report.advice.options if option.tier == "this_computer"]
        is_able = any(option.obstacle != "does_not_fit" for option in here)
        return is_able and answer.report.benchmark is not None and not answer.view.is_measured

    def _open_past(self, past: PastAnswer) -> None:
        """Show the answer of an earlier check, and ask about its computer from now on."""
        if self._check.is_running:
            reason = InputError("A check runs; wait for its end or cancel it, then open the earlier one.")
            self._page.problem.show_problem(describe(reason), N_("The earlier check was not opened."))
        else:
            is_from_here = past.entry.origin == "here"
            self._advice.open_past(past.answer.report, past.entry.label, is_from_here=is_from_here)
            self._show_answer(self._in_own_currency(past.answer))
            self.past_shown.emit(past)
            self._page.read_from_top()
        self._stack.open("advice")

    def _in_own_currency(self, answer: ShownAnswer) -> ShownAnswer:
        """Return an answer with its money in the user's currency of today; what was answered stays."""
        report = self._question.converted(answer.report)
        if report is answer.report:
            return answer
        from advisor.gui.models.verdict import verdict_view

        return ShownAnswer(report=report, view=verdict_view(report, self._context.language))

    def export_answer(self) -> None:
        """Show what a report of the last answer would hold, and write it where the user says."""
        if self.report is not None:
            self._export(self.report)

    def _export(self, report: Report) -> None:
        from advisor.gui.dialogs.export_dialog import ExportDialog

        ExportDialog(self._context, self._controllers.background, report, self._stack.window()).open()


def _gains_by_checking(report: Report) -> bool:
    """Return whether another check may change the answer: not where this computer is too slow at its best."""
    from advisor.report.words.advice.verdict import is_doubtful  # the window appears before the words are read

    return is_untrusted(report) and is_doubtful(report)
