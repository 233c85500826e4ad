"""How each page is made, at its first visit, and joined with what its controls ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from advisor.gui.app.answer_flow import AnswerFlow
from advisor.gui.app.check_flow import CheckFlow
from advisor.gui.base.context import Context
from advisor.gui.controllers.controllers import Controllers

if TYPE_CHECKING:
    from advisor.fleet import Room
    from advisor.records.hardware.machine import Machine
    from advisor.records.job.serving_advice import ServingAdvice, ServingQuestion
    from advisor.records.results.measured.measurement import Measurement


class PageWiring(QObject):
    """Makes every page but the first, which is there from the beginning.

    Signals:
        interval_changed: With the seconds between two samples of the sensors, chosen on one of two pages.
        answer_wanted: The user wants to see the answer.
    """

    interval_changed = Signal(float)
    answer_wanted = Signal()

    def __init__(
        self, context: Context, controllers: Controllers, check_flow: CheckFlow, answer_flow: AnswerFlow
    ) -> None:
        super().__init__()
        self._context = context
        self._controllers = controllers
        self._check_flow = check_flow
        self._answer_flow = answer_flow
        self._backend = controllers.backend
        self._settings = controllers.settings
        self._machine = controllers.machine

    @property
    def makers(self) -> Mapping[str, Callable[[], QWidget]]:
        """What makes a page, by its name."""
        return {
            "computer": self._computer,
            "measure": self._measure,
            "live": self._live,
            "options": self._options,
            "models": self._models,
            "history": self._history,
            "fleet": self._fleet,
            "accuracy": self._accuracy,
            "settings": self._settings_page,
        }

    def _computer(self) -> QWidget:
        from advisor.gui.pages.computer.page import ComputerPage

        page = ComputerPage(self._context, self._settings.overrides)
        page.correction.corrected.connect(self._machine.correct)
        self._machine.found.connect(page.show_machine)
        self._machine.not_corrected.connect(page.correction.show_problem)
        page.show_machine(self._machine.machine)
        self._answer_flow.answered.connect(page.show_report)
        self._answer_flow.withdrawn.connect(page.forget_report)
        if self._answer_flow.report is not None:
            page.show_report(self._answer_flow.report)
        return page

    def _measure(self) -> QWidget:
        from advisor.gui.app.trace_export import TraceExport
        from advisor.gui.pages.measure.page import MeasurePage

        check = self._controllers.check_runner
        page = MeasurePage(self._context, check.measure, self._controllers.question)
        page.answer_wanted.connect(self.answer_wanted)
        page.check_wanted.connect(self._check_flow.start)
        page.progress_panel.cancel.clicked.connect(check.cancel)
        page.progress_panel.skip.clicked.connect(check.skip)
        page.progress_panel.pause.clicked.connect(check.toggle_pause)
        trace_export = TraceExport(self._backend, self._controllers.background, page)
        page.trace_wanted.connect(trace_export.write)
        self._controllers.closing.connect(trace_export.cancel)
        page.redraw(is_checking=check.is_running)
        self.follow_waiting(page.show_waiting)
        page.rest.clicked.connect(self._check_flow.go_on)
        self._check_flow.ended.connect(lambda _ending: page.offer_rest(is_offered=check.unfinished is not None))
        page.offer_rest(is_offered=check.unfinished is not None)
        return page

    def _live(self) -> QWidget:
        from advisor.gui.pages.live.page import LivePage

        controllers, interval_s = self._controllers, self._settings.interval_s
        phases = controllers.check_runner.phases
        page = LivePage(self._context, controllers.sensor_thread, interval_s, phases, controllers.background)
        page.interval_chosen.connect(self._set_interval)
        self.interval_changed.connect(page.show_interval)
        return page

    def _options(self) -> QWidget:
        from advisor.gui.pages.options.page import OptionsPage

        page = OptionsPage(self._context)
        advice = self._controllers.advice
        self._answer_flow.answered.connect(lambda report: page.show_report(report, advice.subject))
        self._answer_flow.withdrawn.connect(page.clear)
        if self._answer_flow.report is not None:
            page.show_report(self._answer_flow.report, advice.subject)
        return page

    def _models(self) -> QWidget:
        from advisor.gui.pages.models.page import ModelsPage, ModelTasks

        tasks = ModelTasks(find=self._backend.models_here, measure=self._backend.measure_decode, ways=self._ways_to_run)
        page = ModelsPage(self._context, tasks, self._controllers.background)
        page.tuning_wanted.connect(self._answer_flow.ask_to_tune)
        self._follow_check(page.show_checking)
        self._machine.found.connect(page.show_machine)
        page.show_machine(self._machine.machine)
        return page

    def _ways_to_run(
        self, machine: Machine, question: ServingQuestion, measured: tuple[Measurement, ...]
    ) -> ServingAdvice:
        """Weigh every way to run a model, with what the user said of money and place; in a thread of its own."""
        return self._backend.ways_to_run(machine, question, self._controllers.question.circumstances, measured)

    def _history(self) -> QWidget:
        from advisor.gui.pages.history.page import HistoryPage

        page = HistoryPage(self._context, self._controllers.history)
        page.check.clicked.connect(self._check_flow.start_quick)
        page.compared.when_quiet.clicked.connect(self._check_flow.start_when_quiet)
        self._follow_check(page.show_checking)
        self.follow_waiting(page.show_waiting)
        return page

    def follow_waiting(self, show_waiting: Callable[..., None]) -> None:
        """Tell a page, now and from now on, whether a check waits for a quiet computer."""
        preflight = self._controllers.preflight
        for changed in (preflight.waits, preflight.settled):
            changed.connect(lambda: show_waiting(is_waiting=preflight.is_waiting))
        show_waiting(is_waiting=preflight.is_waiting)

    def _follow_check(self, show_checking: Callable[..., None]) -> None:
        """Tell a page, now and from now on, whether a check runs: what would begin another waits meanwhile."""
        check = self._controllers.check_runner
        for changed in (check.progressed, check.ended):
            changed.connect(lambda: show_checking(is_running=check.is_running))
        show_checking(is_running=check.is_running)

    def _fleet(self) -> QWidget:
        from advisor.gui.pages.fleet.page import FleetPage

        page = FleetPage(self._context, self._judge, self._write_room, self._controllers.background)
        self._answer_flow.answered.connect(page.follow)
        return page

    def _judge(self, folder: Path, jobs: Path | None) -> Room:
        """Judge a room by the job of the last answer; in a thread of its own."""
        report = self._answer_flow.report
        where = {"currency": self._settings.currency, "country": self._settings.country}
        return self._backend.judge_room(folder, jobs, report, where)

    def _write_room(self, room: Room, path: Path) -> None:
        self._backend.write_room(room, path, self._context.language)

    def _accuracy(self) -> QWidget:
        from advisor.gui.pages.accuracy.page import AccuracyPage

        page = AccuracyPage(self._context, self._backend.load_validation, self._backend.load_held_out_times)
        self._answer_flow.answered.connect(page.follow)
        if self._answer_flow.report is not None:
            page.follow(self._answer_flow.report)
        return page

    def _settings_page(self) -> QWidget:
        from advisor.gui.pages.settings.about_card import AboutCard
        from advisor.gui.pages.settings.kept_data_card import KeepingCard
        from advisor.gui.pages.settings.measuring_pack_card import MeasuringPackCard
        from advisor.gui.pages.settings.page import SettingsPage
        from advisor.gui.pages.settings.prices_card import PricesCard

        page = SettingsPage(self._context, self._settings)
        page.region_changed.connect(self._answer_flow.set_region)
        page.electricity_changed.connect(self._answer_flow.set_electricity)
        page.interval_changed.connect(self._set_interval)
        self.interval_changed.connect(page.show_interval)
        self._machine.offered.connect(page.show_catalogue)
        background = self._controllers.background
        pack = MeasuringPackCard(self._context, self._backend, background)
        self._controllers.closing.connect(pack.shut_down)
        page.add_section(pack)
        pack.refresh()
        page.add_section(PricesCard(self._context, background, self._backend))
        page.add_section(
            KeepingCard(self._context, background, self._backend.open_history, self._controllers.history.load)
        )
        page.add_section(AboutCard(self._context))
        if self._machine.catalogue is not None:
            page.show_catalogue(self._machine.catalogue)
        return page

    def _set_interval(self, interval_s: float) -> None:
        self._settings.interval_s = interval_s
        self._settings.save()
        self._controllers.sensor_thread.set_interval(interval_s)
        self.interval_changed.emit(interval_s)
