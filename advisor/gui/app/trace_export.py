"""Write a trace of a profiled case, on the user's word, while the window goes on."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from advisor.benchmark.running.control import Control
from advisor.gui.backend import Backend
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.pages.measure.page import MeasurePage
from advisor.locale import N_
from advisor.records.results.measured.measurement import Case, CaseFailure


class TraceExport(QObject):
    """One trace at a time."""

    def __init__(self, backend: Backend, background: BackgroundTasks, page: MeasurePage) -> None:
        super().__init__(page)
        self._backend = backend
        self._background = background
        self._page = page
        self._control: Control | None = None
        self._path: Path | None = None

    def write(self, case: Case, path: Path) -> None:
        """Run the case again and write what the profiler saw."""
        if self._control is not None:  # the page offers it again after the end
            return
        control = self._control = self._backend.make_control()
        self._path = path
        task = partial(self._backend.write_trace, case, path, control)
        self._background.run(task, "trace", self._on_done, self._on_failed)

    def cancel(self) -> None:
        """Ask the trace that is being written to end, because the window closes."""
        if self._control is not None:
            self._control.cancel()

    def _on_done(self, failure: CaseFailure | None) -> None:
        from advisor.report.words.problems import failure_sentence

        self._control = None
        if failure is not None:
            self._page.show_trace_ended(lambda language: failure_sentence(failure, language))
            return
        text, name = N_("{file} is written; open it at ui.perfetto.dev."), "" if self._path is None else self._path.name
        self._page.show_trace_ended(lambda language: language.gettext(text).format(file=name))

    def _on_failed(self, problem: Problem) -> None:
        self._control = None
        self._page.show_trace_failed(problem)
