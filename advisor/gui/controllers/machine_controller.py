"""Looks at this computer and at what questions are made of, behind the window, and tells what it found."""

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.gui.backend import Catalogue
from advisor.gui.base.threads import Problem
from advisor.gui.controllers.controllers import Workings

if TYPE_CHECKING:
    from advisor.records.hardware.machine import Machine


class Looking(QObject):
    """What this computer is, as the user corrected it, and which jobs, currencies and countries there are.

    Signals:
        found: With the computer, at every look.
        not_found: With a ``Problem``.
        not_corrected: With a ``Problem``: the user's correction is not understood.
        offered: With the ``Catalogue``.
        not_offered: With a ``Problem``.

    Attributes:
        machine: As last seen; None before the first look has ended.
        catalogue: None until it was read.
    """

    found = Signal(object)
    not_found = Signal(object)
    not_corrected = Signal(object)
    offered = Signal(object)
    not_offered = Signal(object)

    def __init__(self, workings: Workings) -> None:
        super().__init__()
        self._backend = workings.backend
        self._settings = workings.settings
        self._background = workings.background
        self._question = workings.question
        self.machine: Machine | None = None
        self.catalogue: Catalogue | None = None

    def begin(self) -> None:
        """Look for the first time."""
        self._background.run(self._backend.load_catalogue, "catalogue", self._on_catalogue, self._on_not_offered)
        self._background.run(self._probe, "probe", self.take, self._on_not_found)

    def take(self, machine: "Machine") -> None:
        """Take in what this computer is."""
        self.machine = machine
        self.found.emit(machine)

    def _probe(self) -> "Machine":
        """Look at this computer, as the user corrected it."""
        if self._settings.overrides:
            return self._backend.probe_corrected(self._settings.overrides)
        return self._backend.probe_machine()

    def correct(self, overrides: tuple[str, ...]) -> None:
        """Look at this computer again, with cards as the user describes them; kept where they are understood."""
        task = partial(self._corrected, overrides)
        self._background.run(task, "correction", self._on_corrected, self._on_not_corrected)

    def _corrected(self, overrides: tuple[str, ...]) -> "tuple[tuple[str, ...], Machine]":
        """Return the corrections with the computer they give; runs in a thread."""
        return overrides, self._backend.probe_corrected(overrides)

    def _on_corrected(self, found: "tuple[tuple[str, ...], Machine]") -> None:
        self._settings.overrides, machine = found
        self._settings.save()
        self.take(machine)

    def _on_not_corrected(self, problem: Problem) -> None:
        self.not_corrected.emit(problem)

    def _on_not_found(self, problem: Problem) -> None:
        self.not_found.emit(problem)

    def _on_catalogue(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._question.presets = catalogue.presets
        self.offered.emit(catalogue)

    def _on_not_offered(self, problem: Problem) -> None:
        self.not_offered.emit(problem)

    def set_region(self, currency: str, country: str) -> None:
        """Count in a currency and with a country's electricity, or in dollars where they are not known."""
        known = self.catalogue.usd_per_unit if self.catalogue is not None else {}
        countries = self.catalogue.countries if self.catalogue is not None else ()
        currency = currency if currency in known else "USD"
        country = country if country in countries else "US"
        self._question.set_region(currency, country, known.get(currency, 1.0))
        self._question.change_circumstances(electricity_usd_per_kwh=self._settings.electricity_usd_per_kwh)
