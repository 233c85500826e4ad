"""The window: navigation, pages, and the threads behind them. Paints on timers; never waits."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from advisor.errors import AdvisorError
from advisor.gui import shortcuts
from advisor.gui.advising import Advising
from advisor.gui.archive import Archive
from advisor.gui.background import Background, end_children, load_plots, load_session
from advisor.gui.check import Check
from advisor.gui.context import Context
from advisor.gui.models.question import Question
from advisor.gui.monitoring import MonitorThread
from advisor.gui.navigation import Navigation
from advisor.gui.notify import Notifier
from advisor.gui.pages.advice import AdvicePage
from advisor.gui.readiness import Readiness
from advisor.gui.services import Catalogue, Services
from advisor.gui.settings import Settings
from advisor.gui.threads import Problem, describe
from advisor.gui.tracing import Tracing
from advisor.gui.widgets.basic import GRID, single_shot
from advisor.gui.widgets.problem import ProblemCard
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.models.verdict import VerdictView
    from advisor.gui.pages.settings import SettingsPage
    from advisor.records.machine import Machine
    from advisor.records.past import Entry
    from advisor.records.report import Report
    from advisor.records.workload import Workload
    from advisor.session.request import Request

    Answer = tuple[Report, VerdictView]

PAGES = ("advice", "computer", "measure", "live", "options", "history", "sureness", "settings")
DEFAULT_SIZE = QSize(1200, 800)
LEAST_SIZE = QSize(960, 600)
PREPARE_MS = 300
LOAD_PLOTS_MS = 50
STOP_TIMEOUT_MS = 15_000


class MainWindow(QMainWindow):
    """Everything the person sees.

    Signals:
        answered: A check ended with a report.
        stopped: A check ended, however.
        closing: What runs is to end.

    Attributes:
        stop_timeout_ms: How long closing waits for the session before it ends the processes by force.
    """

    answered = Signal(object)
    stopped = Signal()
    closing = Signal()

    def __init__(self, services: Services, context: Context, settings: Settings) -> None:
        super().__init__()
        self.services = services
        self.context = context
        self.settings = settings
        self.machine: Machine | None = None
        self.report: Report | None = None
        self.question = Question()
        self.catalogue: Catalogue | None = None
        self.background = Background()
        self.archive = Archive(services, self.background, self._put)
        self.check = Check(services, self.background, self._keep)
        self.advising = Advising(services, self.background, self.question, self._put)
        self.monitor = MonitorThread(services.make_monitor, settings.interval_s)
        self.readiness = Readiness(services, self.background, context, settings)
        self.notifier = Notifier(self)
        self._tracing: Tracing | None = None
        self.pages: dict[str, QWidget] = {}
        self._is_started = False
        self.stop_timeout_ms = STOP_TIMEOUT_MS
        self.setMinimumSize(LEAST_SIZE.boundedTo(self.screen().availableSize()))
        self._take_place()
        self.navigation = Navigation(context, PAGES)
        self._stack = QStackedWidget()
        self.problem = ProblemCard(context)
        self.advice = AdvicePage(context, self.question)
        self.pages["advice"] = self.advice
        self._stack.addWidget(self.advice)
        self._build()
        self._preparing = single_shot(self, PREPARE_MS, self._prepare_answer)
        self._loading = single_shot(self, LOAD_PLOTS_MS, load_plots)
        context.language_changed.connect(self.retranslate)
        self.retranslate()
        self.open_page("advice")

    def _take_place(self) -> None:
        """Be where the window was when it was last closed; Qt brings it back onto a screen that is there."""
        kept = QByteArray.fromHex(self.settings.geometry.encode())
        if kept.isEmpty() or not self.restoreGeometry(kept):
            self.resize(DEFAULT_SIZE.boundedTo(self.screen().availableSize()))

    def _keep_place(self) -> None:
        self.settings.geometry = self.saveGeometry().toHex().toStdString()
        self.settings.save()

    def _build(self) -> None:
        centre = QWidget()
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.navigation)
        column = QVBoxLayout()
        column.setSpacing(0)
        banner = QVBoxLayout()
        banner.addWidget(self.problem)
        room = (4 * GRID, 3 * GRID, 4 * GRID, 0)
        self.problem.appeared.connect(lambda is_there: banner.setContentsMargins(*(room if is_there else (0, 0, 0, 0))))
        banner.setContentsMargins(0, 0, 0, 0)
        column.addLayout(banner)
        column.addWidget(self._stack, 1)
        row.addLayout(column, 1)
        self.setCentralWidget(centre)
        self.navigation.offer("options", is_offered=False)
        self.navigation.chosen.connect(self.open_page)
        self.advice.asked.connect(self.start_check)
        self.advice.concluded.connect(self.conclude)
        self.advice.pretended.connect(self.advising.pretend)
        self.advice.shared.connect(self.share)
        self.advice.back_wanted.connect(self.go_back)
        self.advising.answers.answered.connect(self._show_answer)
        self.advising.failed.connect(self._on_failed)
        self.advising.subject_changed.connect(self._show_subject)
        self.advice.file_chosen.connect(self.open_job)
        self.advice.cancelled.connect(self.check.cancel)
        self.advice.running.skipped.connect(self.check.skip)
        self.advice.running.paused.connect(self._on_pause)
        self.check.progressed.connect(self._show_progress)
        self.check.succeeded.connect(self._on_report)
        self.check.failed.connect(self._on_failed)
        self.archive.opened.connect(self._look_back)
        self.archive.fetched.connect(lambda fetched: self.share(fetched[1][0]))
        self.archive.failed.connect(self._on_history_failed)
        self.archive.set_aside.connect(self._on_history_set_aside)
        self.check.cancelled.connect(self._say_stopped)
        self.check.ended.connect(self._on_check_ended)
        self.advice.details_wanted.connect(lambda: self.open_page("computer"))
        self.advice.options_wanted.connect(lambda: self.open_page("options"))
        self.advice.measurements_wanted.connect(lambda: self.open_page("measure"))
        for keys, slot in (
            (shortcuts.CHECK_KEYS, self.start_check),
            (shortcuts.STOP_KEYS, self.check.cancel),
            (shortcuts.TWIN_KEYS, self._switch_twin),
            (shortcuts.HELP_KEYS, self._list_shortcuts),
            (shortcuts.CLOSE_KEYS, self.close),
        ):
            self._add_action(keys, slot)
        for position, name in enumerate(PAGES):
            self._add_action((f"Ctrl+{position + 1}",), partial(self._open_by_key, name))

    def _add_action(self, keys: tuple[str, ...], slot: Callable[[], object]) -> None:
        action = QAction(self)
        action.setShortcuts([QKeySequence(one) for one in keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _checked=False: slot())
        self.addAction(action)

    def _list_shortcuts(self) -> None:
        shortcuts.ShortcutDialog(self.context, self).open()

    # --- pages ---

    def open_page(self, name: str) -> None:
        """Show a page, making it at its first visit."""
        if name not in self.pages:
            page = self._make_page(name)
            self.pages[name] = page
            self._stack.addWidget(page)
        self._stack.setCurrentWidget(self.pages[name])
        self.navigation.mark(name)

    def _open_by_key(self, name: str) -> None:
        opener = self.navigation.buttons[name]
        if not opener.isHidden():
            self.open_page(name)
            opener.setFocus()

    @property
    def current_page(self) -> QWidget | None:
        """The page that is shown."""
        return self._stack.currentWidget()

    def _make_page(self, name: str) -> QWidget:
        makers: dict[str, Callable[[], QWidget]] = {
            "computer": self._make_computer_page,
            "measure": self._make_measure_page,
            "live": self._make_live_page,
            "options": self._make_options_page,
            "history": self._make_history_page,
            "sureness": self._make_sureness_page,
            "settings": self._make_settings_page,
        }
        return makers[name]()

    def _make_computer_page(self) -> QWidget:
        from advisor.gui.pages.computer import ComputerPage

        page = ComputerPage(self.context, self.settings.overrides)
        if self.services.correct is not None:
            page.correction.show()
            page.correction.corrected.connect(self._correct)
        page.show_machine(self.machine)
        return page

    def _make_measure_page(self) -> QWidget:
        from advisor.gui.pages.measure import MeasurePage

        page = MeasurePage(self.context, self.check.measure)
        page.asked.connect(self.start_check)
        page.running.cancelled.connect(self.check.cancel)
        page.running.skipped.connect(self.check.skip)
        page.running.paused.connect(self._on_pause)
        if self.services.write_trace is not None:
            self._tracing = Tracing(self.services.write_trace, self.services.make_control, page)
            page.trace_wanted.connect(partial(self._tracing.write, self.background))
            page.offer_traces()
        page.redraw(is_checking=self.check.is_running)
        return page

    def _make_live_page(self) -> QWidget:
        from advisor.gui.pages.live import LivePage

        page = LivePage(self.context, self.monitor, self.settings.interval_s, self.check.phases)
        page.interval_chosen.connect(self._on_interval)
        return page

    def _make_options_page(self) -> QWidget:
        from advisor.gui.pages.options import OptionsPage

        page = OptionsPage(self.context)
        if self.report is not None:
            page.show_report(self.report)
        return page

    def _make_history_page(self) -> QWidget:
        from advisor.gui.pages.history import HistoryPage

        page = HistoryPage(self.context, self.archive)
        page.check_wanted.connect(self.start_check)
        page.share_wanted.connect(self.archive.fetch)
        return page

    def _make_sureness_page(self) -> QWidget:
        from advisor.gui.pages.sureness import SurenessPage

        return SurenessPage(self.context, self.services.load_validation)

    def _make_settings_page(self) -> QWidget:
        from advisor.gui.pages.settings import SettingsPage

        page = SettingsPage(self.context, self.settings)
        page.region_changed.connect(self.set_region)
        page.electricity_changed.connect(self._on_electricity)
        page.interval_changed.connect(self._on_interval)
        self._add_measuring_pack(page)
        self._add_settings_cards(page)
        if self.catalogue is not None:
            page.show_catalogue(self.catalogue)
        return page

    def _add_settings_cards(self, page: "SettingsPage") -> None:
        from advisor.gui.widgets.settings_cards import AboutCard, KeepingCard, PricesCard

        services = self.services
        if services.price_dates is not None and services.refresh_prices is not None:
            page.add_section(PricesCard(self.context, self.background, services.price_dates, services.refresh_prices))
        page.add_section(KeepingCard(self.context, self.background, services.open_history, self.archive.load))
        page.add_section(AboutCard(self.context))

    def _on_electricity(self, usd_per_kwh: float | None) -> None:
        self.question.change_circumstances(electricity_usd_per_kwh=usd_per_kwh)
        self.advice.ask.show_question()

    def _add_measuring_pack(self, page: "SettingsPage") -> None:
        from advisor.gui.widgets.measuring_pack import MeasuringPack

        if self.services.make_pack_service is None:
            return
        pack = MeasuringPack(self.context, self.services.make_pack_service(), self.background)
        self.closing.connect(pack.rest)
        page.add_section(pack)
        pack.refresh()

    def _on_interval(self, interval_s: float) -> None:
        self.settings.interval_s = interval_s
        self.settings.save()
        self.monitor.set_interval(interval_s)
        for name in ("live", "settings"):
            page = self.pages.get(name)
            if page is not None:
                page.show_interval(interval_s)  # type: ignore[attr-defined]  # the pages of these names

    def _redraw_pages(self) -> None:
        """Hand what is new to the pages that show it."""
        from advisor.gui.pages.measure import MeasurePage

        page = self.pages.get("measure")
        if isinstance(page, MeasurePage):
            page.redraw(is_checking=self.check.is_running)
            page.show_progress(self.check.progress, is_stopping=self.check.is_stopping, is_paused=self.check.is_paused)

    def _switch_twin(self) -> None:
        """Show every chart of the open page as a table, or back."""
        from advisor.gui.pages.live import LivePage
        from advisor.gui.widgets.twin import TwinChart

        page = self._stack.currentWidget()
        if isinstance(page, LivePage):
            page.switch()
        elif page is not None:
            for twin in page.findChildren(TwinChart):
                twin.switch()

    # --- looking at this computer ---

    def showEvent(self, event: QShowEvent) -> None:
        """Start the work behind the window once it is on screen, so that it appears early."""
        super().showEvent(event)
        if not self._is_started:
            self._is_started = True
            self.advice.ask.focus_first()
            QTimer.singleShot(0, self._start_background)

    def _start_background(self) -> None:
        self.background.run(self.services.load_catalogue, "catalogue", self._on_catalogue, self._on_catalogue_failed)
        self.background.run(self._probe, "probe", self._on_probed, self.advice.show_probe_failed)
        self.background.watch(self.monitor)
        self.monitor.start()
        self.archive.load()
        self.background.run(load_session, "loading", self._on_session_loaded, self._on_load_failed)

    def _on_session_loaded(self) -> None:
        self._loading.start()  # not before: both need numpy, and one would wait for the other's import

    def _on_load_failed(self, problem: Problem) -> None:
        self.advice.problem.show_problem(problem, N_("A part of the program cannot be loaded."))

    def _on_catalogue(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.question.presets = catalogue.presets
        self.advice.offer(catalogue)
        self.set_region(self.settings.currency, self.settings.country)
        self.advice.ask.show_presets()
        page = self.pages.get("settings")
        if page is not None:
            page.show_catalogue(catalogue)  # type: ignore[attr-defined]  # the page of this name

    def _on_catalogue_failed(self, problem: Problem) -> None:
        self.advice.problem.show_problem(problem, N_("The ready-made jobs cannot be read."))

    def set_region(self, currency: str, country: str) -> None:
        """Count in a currency and with a country's electricity, or in dollars where they are not known."""
        known = self.catalogue.usd_per_unit if self.catalogue is not None else {}
        countries = self.catalogue.countries if self.catalogue is not None else ()
        currency = currency if currency in known else "USD"
        country = country if country in countries else "US"
        self.question.set_region(currency, country, known.get(currency, 1.0))
        self.question.change_circumstances(electricity_usd_per_kwh=self.settings.electricity_usd_per_kwh)
        self.advice.ask.form.retranslate()
        self.advice.ask.show_question()

    def open_job(self, path: Path) -> None:
        """Take the job a person's file describes."""
        try:
            preset = self.services.read_workload(path)
        except AdvisorError as error:
            self.advice.problem.show_problem(describe(error), N_("This file is not taken."))
            return
        self.advice.problem.dismiss()
        self.question.take(preset)
        self.advice.ask.show_question()

    def conclude(self) -> None:
        """Answer the question from what was measured before."""
        if not self.check.is_running:
            self.advising.ask()

    def go_back(self) -> None:
        """Speak of this computer again, instead of a pretended or an earlier one."""
        self.advising.back()
        if self.advising.needs_no_check:
            self.conclude()
        else:
            self.advice.show_question()

    def _show_subject(self) -> None:
        self.advice.show_subject(self.advising.subject)
        self.advice.ask.show_measured(is_measured=self.advising.needs_no_check)

    def _on_probed(self, machine: "Machine") -> None:
        self.machine = machine
        self.advising.know(machine)
        self.advice.show_machine(machine)
        self._show_machine_page()

    def _probe(self) -> "Machine":
        """Look at this computer, as the person corrected it."""
        if self.settings.overrides and self.services.correct is not None:
            return self.services.correct(self.settings.overrides)
        return self.services.probe_machine()

    def _correct(self, overrides: tuple[str, ...]) -> None:
        """Look at this computer again, with cards as the person describes them; kept where they are understood."""
        correct = self.services.correct
        if correct is not None:
            task = partial(_corrected, correct, overrides)
            self.background.run(task, "correction", self._on_corrected, self._on_not_corrected)

    def _on_corrected(self, found: "tuple[tuple[str, ...], Machine]") -> None:
        self.settings.overrides, machine = found
        self.settings.save()
        self._on_probed(machine)

    def _on_not_corrected(self, problem: Problem) -> None:
        from advisor.gui.pages.computer import ComputerPage

        page = self.pages.get("computer")
        if isinstance(page, ComputerPage):
            page.correction.show_problem(problem)

    def _show_machine_page(self) -> None:
        from advisor.gui.pages.computer import ComputerPage

        page = self.pages.get("computer")
        if isinstance(page, ComputerPage):
            page.show_machine(self.machine)

    # --- the check ---

    def _is_sound(self, workload: "Workload") -> bool:
        """Say whether the parts of a job go together, before a minute is spent on measuring for it."""
        try:
            self.services.check_workload(workload)
        except AdvisorError as error:
            self.advice.problem.show_problem(describe(error), N_("This job cannot be done as it is."))
            self.open_page("advice")
            return False
        return True

    def start_check(self, suite: str = "quick") -> None:
        """Measure this computer and answer the question, as soon as nothing speaks against it."""
        if self.check.is_running or self.question.workload is None or not self._is_sound(self.question.workload):
            return
        from advisor.session.request import Request

        request = Request(
            workload=self.question.workload,
            circumstances=self.question.circumstances,
            suite="full" if suite == "full" else "quick",
            overrides=tuple(self.settings.overrides),
        )
        self.readiness.ask(partial(self._begin_check, request), self)

    def _begin_check(self, request: "Request") -> None:
        self.check.start(request)
        self.monitor.watch(is_measuring=True)
        self.advice.show_running()
        self._show_progress()
        self._preparing.start()

    def _on_pause(self, is_wanted: bool) -> None:
        self.check.pause(is_wanted=is_wanted)

    def _show_progress(self) -> None:
        progress, is_stopping, is_paused = self.check.progress, self.check.is_stopping, self.check.is_paused
        self.advice.show_progress(progress, is_stopping=is_stopping, is_paused=is_paused)
        self._redraw_pages()

    def _prepare_answer(self) -> None:
        """Make what the answer needs while the person waits, a piece at a time."""
        if self.advice.verdict is None:
            self.advice.ensure_verdict()
            self._preparing.start()
        elif self.advice.verdict.chart.plot is None:
            self.advice.verdict.chart.ensure_plot()
            self._preparing.start()
        else:
            self._prepare_measure_page()

    def _prepare_measure_page(self) -> None:
        from advisor.gui.pages.measure import MeasurePage

        page = self.pages.get("measure")
        if isinstance(page, MeasurePage):
            page.chart.ensure_plot()

    def _put(self, report: "Report") -> "Answer":
        """Return a report with its words; called in the thread that made it, so that painting does not wait."""
        from advisor.gui.models.verdict import verdict_view

        return report, verdict_view(report, self.context.language)

    def _on_report(self, answer: "Answer") -> None:
        report = answer[0]
        self.machine = report.machine
        self.advice.show_machine(report.machine)
        self.advising.take(report)
        if report.benchmark is not None:
            self.check.measure.show(report.benchmark)
        self._show_machine_page()
        self._show_answer(answer)

    def _keep(self, report: "Report") -> "Answer":
        """Put a check into the history, also one that was stopped, and return it with its words.

        Called in the session's thread, so that it is kept even if the window closes meanwhile.
        """
        if report.benchmark is not None and report.benchmark.measurements:
            self.archive.keep_now(report)
        return self._put(report)

    def share(self, report: "Report | None" = None) -> None:
        """Show what a report would hold, this one or that of the last answer, and write it where the person says."""
        from advisor.gui.share import ShareDialog

        chosen = report if report is not None else self.report
        if chosen is not None:
            ShareDialog(self.context, self.background, chosen, self).open()

    def _look_back(self, opened: "tuple[Entry, Answer]") -> None:
        """Show the answer of an earlier check, and ask about its computer from now on."""
        entry, answer = opened
        self.advising.look_back(answer[0], entry.label)
        self._show_answer(answer)
        self.open_page("advice")

    def _on_history_failed(self, problem: Problem) -> None:
        if self.current_page is not self.pages.get("history"):
            self.problem.show_problem(problem, N_("The history cannot be used."))

    def _on_history_set_aside(self, name: str) -> None:
        self.open_page("history")
        page = self.pages["history"]
        page.show_set_aside(name)  # type: ignore[attr-defined]  # the page of this name

    def _show_answer(self, answer: "Answer") -> None:
        report, view = answer
        self.report = report
        self.advice.show_report(report, view)
        self._show_options(report)
        self.answered.emit(report)

    def _show_options(self, report: "Report") -> None:
        from advisor.gui.pages.options import OptionsPage

        self.navigation.offer("options", is_offered=bool(report.advice.options))
        page = self.pages.get("options")
        if isinstance(page, OptionsPage):
            page.show_report(report)

    def _on_failed(self, problem: Problem) -> None:
        self.advice.show_question()
        self.advice.problem.show_problem(problem, N_("The check ended before its time."))

    def _say_stopped(self) -> None:
        _ = self.context.gettext
        progress = self.check.progress
        text = _("Stopped after {done} of {all} tests. Nothing is running any more.")
        self.advice.show_question(text.format(done=progress.finished_count, all=progress.planned_count))

    def _on_check_ended(self) -> None:
        self.monitor.watch(is_measuring=False)
        if self.settings.notifies:
            self.notifier.say(self.windowTitle(), self.context.gettext("The check has ended."))
        self.stopped.emit()

    # --- the end ---

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop everything that runs; no process is left behind."""
        self._keep_place()
        self.check.rest()
        self.readiness.rest()
        self.notifier.rest()
        if self._tracing is not None:
            self._tracing.rest()
        self._preparing.stop()
        self._loading.stop()
        self.advising.answers.forget()
        if self.advice.verdict is not None:
            self.advice.verdict.rest()
        self.hide()
        self.check.cancel()
        self.closing.emit()
        self.monitor.stop()
        if not self.background.wait(self.stop_timeout_ms):
            end_children()
        # What the threads said last: a check that was broken off is kept in the history, in a thread of its own.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.MetaCall)
        self.background.wait(self.stop_timeout_ms)
        super().closeEvent(event)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self.context.gettext
        self.setWindowTitle(_("Is my computer enough?"))


def _corrected(
    correct: "Callable[[tuple[str, ...]], Machine]", overrides: tuple[str, ...]
) -> "tuple[tuple[str, ...], Machine]":
    """Return the corrections with the computer they give."""
    return overrides, correct(overrides)
