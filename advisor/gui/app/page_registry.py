"""How each page is made, at its first visit, and what its controls ask for; the window answers."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from advisor.gui.app.trace_export import Tracing
from advisor.gui.base.context import Context
from advisor.gui.controllers.controllers import Workings
from advisor.gui.controllers.machine_controller import Looking

if TYPE_CHECKING:
    from advisor.gui.pages.settings.page import SettingsPage
    from advisor.records.results.report import Report


class PageMakers(QObject):
    """Makes every page but the first, which is there from the beginning.

    Signals:
        check_wanted: With the suite, or nothing for the quick one.
        region_chosen: With a currency and a country.
        electricity_chosen: With a price in dollars per kilowatt-hour, or None.
        interval_chosen: With the seconds between two samples.
    """

    check_wanted = Signal(str)
    region_chosen = Signal(str, str)
    electricity_chosen = Signal(object)
    interval_chosen = Signal(float)

    def __init__(
        self, context: Context, workings: Workings, looking: Looking, report: "Callable[[], Report | None]"
    ) -> None:
        super().__init__()
        self._context = context
        self._workings = workings
        self._backend = workings.backend
        self._settings = workings.settings
        self._looking = looking
        self._report = report

    @property
    def makers(self) -> Mapping[str, Callable[[], QWidget]]:
        """What makes a page, by its name."""
        return {
            "computer": self._computer,
            "measure": self._measure,
            "live": self._live,
            "options": self._options,
            "history": self._history,
            "sureness": self._sureness,
            "settings": self._settings_page,
        }

    def _computer(self) -> QWidget:
        from advisor.gui.pages.computer.page import ComputerPage

        page = ComputerPage(self._context, self._settings.overrides)
        page.correction.corrected.connect(self._looking.correct)
        self._looking.found.connect(page.show_machine)
        self._looking.not_corrected.connect(page.correction.show_problem)
        page.show_machine(self._looking.machine)
        return page

    def _measure(self) -> QWidget:
        from advisor.gui.pages.measure.page import MeasurePage

        check = self._workings.check
        page = MeasurePage(self._context, check.measure)
        page.asked.connect(self.check_wanted)
        page.running.cancelled.connect(check.cancel)
        page.running.skipped.connect(check.skip)
        page.running.paused.connect(lambda is_wanted: check.pause(is_wanted=is_wanted))
        tracing = Tracing(self._backend, self._workings.background, page)
        page.trace_wanted.connect(tracing.write)
        self._workings.closing.connect(tracing.rest)
        page.redraw(is_checking=check.is_running)
        return page

    def _live(self) -> QWidget:
        from advisor.gui.pages.live.page import LivePage

        workings = self._workings
        interval_s = self._settings.interval_s
        page = LivePage(self._context, workings.monitor, interval_s, workings.check.phases, workings.background)
        page.interval_chosen.connect(self.interval_chosen)
        self.interval_chosen.connect(page.show_interval)
        return page

    def _options(self) -> QWidget:
        from advisor.gui.pages.options.page import OptionsPage

        page = OptionsPage(self._context)
        report = self._report()
        if report is not None:
            page.show_report(report)
        return page

    def _history(self) -> QWidget:
        from advisor.gui.pages.history.page import HistoryPage

        page = HistoryPage(self._context, self._workings.archive)
        page.check_wanted.connect(lambda: self.check_wanted.emit("quick"))
        page.share_wanted.connect(self._workings.archive.fetch)
        return page

    def _sureness(self) -> QWidget:
        from advisor.gui.pages.accuracy.page import SurenessPage

        return SurenessPage(self._context, self._backend.load_validation)

    def _settings_page(self) -> QWidget:
        from advisor.gui.pages.settings.page import SettingsPage

        page = SettingsPage(self._context, self._settings)
        page.region_changed.connect(self.region_chosen)
        page.electricity_changed.connect(self.electricity_chosen)
        page.interval_changed.connect(self.interval_chosen)
        self.interval_chosen.connect(page.show_interval)
        self._looking.offered.connect(page.show_catalogue)
        self._add_measuring_pack(page)
        self._add_settings_cards(page)
        if self._looking.catalogue is not None:
            page.show_catalogue(self._looking.catalogue)
        return page

    def _add_settings_cards(self, page: "SettingsPage") -> None:
        from advisor.gui.pages.settings.cards import AboutCard, KeepingCard, PricesCard

        backend, background = self._backend, self._workings.background
        page.add_section(PricesCard(self._context, background, backend))
        page.add_section(KeepingCard(self._context, background, backend.open_history, self._workings.archive.load))
        page.add_section(AboutCard(self._context))

    def _add_measuring_pack(self, page: "SettingsPage") -> None:
        from advisor.gui.pages.settings.measuring_pack_card import MeasuringPack

        pack = MeasuringPack(self._context, self._backend, self._workings.background)
        self._workings.closing.connect(pack.rest)
        page.add_section(pack)
        pack.refresh()
