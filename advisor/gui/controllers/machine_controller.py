"""This computer as probed and as the user corrected it, and the catalogue of what questions are made of."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from advisor.gui.backend import Backend, Catalogue
from advisor.gui.base.settings import Settings
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.models.job.question import Question
from advisor.records.hardware.machine import Machine


class MachineController(QObject):
    """Probes this computer and loads the catalogue, away from the painting thread.

    Signals:
        found: With the computer, after every probe.
        not_found: The probe failed.
        not_corrected: The user's correction is not understood.
        offered: With the jobs, currencies and countries there are.
        not_offered: They cannot be read.

    Attributes:
        machine: As last probed; None before the first probe has ended.
        catalogue: None until it was read.
    """

    found = Signal(Machine)
    not_found = Signal(Problem)
    not_corrected = Signal(Problem)
    offered = Signal(Catalogue)
    not_offered = Signal(Problem)

    def __init__(self, backend: Backend, background: BackgroundTasks, question: Question, settings: Settings) -> None:
        super().__init__()
        self._backend = backend
        self._background = background
        self._question = question
        self._settings = settings
        self.machine: Machine | None = None
        self.catalogue: Catalogue | None = None

    def start(self) -> None:
        """Probe for the first time."""
        self._background.run(self._backend.load_catalogue, "catalogue", self._on_catalogue, self.not_offered)
        self._background.run(self._probe, "probe", self.set_machine, self.not_found)

    def set_machine(self, machine: Machine) -> None:
        """Set what this computer is."""
        self.machine = machine
        self.found.emit(machine)

    def _probe(self) -> Machine:
        """Return this computer, as the user corrected it."""
        if self._settings.overrides:
            return self._backend.probe_corrected(self._settings.overrides)
        return self._backend.probe_machine()

    def correct(self, overrides: tuple[str, ...]) -> None:
        """Probe this computer again, with cards as the user describes them; kept where they are understood."""
        task = partial(self._corrected, overrides)
        self._background.run(task, "correction", self._on_corrected, self.not_corrected)

    def _corrected(self, overrides: tuple[str, ...]) -> tuple[tuple[str, ...], Machine]:
        """Return the corrections with the computer they give; runs in a thread."""
        return overrides, self._backend.probe_corrected(overrides)

    def _on_corrected(self, found: tuple[tuple[str, ...], Machine]) -> None:
        self._settings.overrides, machine = found
        self._settings.save()
        self.set_machine(machine)

    def _on_catalogue(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._question.presets, self._question.models = catalogue.presets, catalogue.models
        self.offered.emit(catalogue)

    def set_region(self, currency: str, country: str) -> None:
        """Count in a currency and with a country's electricity, or in dollars where they are not known."""
        known = self.catalogue.usd_per_unit if self.catalogue is not None else {}
        countries = self.catalogue.countries if self.catalogue is not None else {}
        currency = currency if currency in known else "USD"
        country = country if country in countries else "US"
        self._question.set_region(currency, country, known.get(currency, 1.0))
        self._question.change_circumstances(electricity_usd_per_kwh=self._settings.electricity_usd_per_kwh)
