"""The history behind the window: the file is used away from the painting thread, and what came of it is a signal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.gui.backend import Backend
from advisor.gui.base.tasks import BackgroundTasks, Problem, describe
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.records.results.comparison import Comparison
from advisor.records.results.history_entry import Entry, PastQuestion
from advisor.records.results.receipt import Receipt
from advisor.records.results.report import Report

if TYPE_CHECKING:
    from advisor.history import History


@dataclass(frozen=True, kw_only=True)
class PastAnswer:
    """An entry of the history with the answer in it."""

    entry: Entry
    answer: ShownAnswer


@dataclass(frozen=True, kw_only=True)
class ComparedReports:
    """Two entries of the history, and what their reports have measured side by side."""

    first: Entry
    second: Entry
    comparison: Comparison


@dataclass(frozen=True, kw_only=True)
class Recalled:
    """The last answer that can be opened, and what was asked last; each None where there is none."""

    report: Report | None
    question: PastQuestion | None


class HistoryController(QObject):
    """Keeps, lists and compares past reports.

    Signals:
        listed: With all entries (``tuple[Entry, ...]``), newest first, after every change.
        opened: With an entry and its answer, to be shown.
        fetched: With an entry and its answer, to be shared.
        taken_up: With an entry and its answer, whose check is to go on.
        recalled: With what was asked last (``Recalled``), without words.
        compared: With two entries and the comparison of their reports.
        removed: With the numbers (``tuple[int, ...]``) of the entries that were removed and can be restored.
        imported: With the number of the entry that was read from a file.
        set_aside: With the name of the file a damaged history was moved to.
        failed: With what went wrong; the program goes on without the history.

    Attributes:
        entries: As last listed.
    """

    listed = Signal(object)
    opened = Signal(PastAnswer)
    fetched = Signal(PastAnswer)
    taken_up = Signal(PastAnswer)
    recalled = Signal(object)
    compared = Signal(ComparedReports)
    removed = Signal(object)
    imported = Signal(int)
    set_aside = Signal(str)
    failed = Signal(Problem)
    _kept = Signal(object)
    _not_kept = Signal(Problem)

    def __init__(self, backend: Backend, background: BackgroundTasks, finish: Callable[[Report], ShownAnswer]) -> None:
        super().__init__()
        self._backend = backend
        self._finish = finish
        self._background = background
        self._history: History | None = None
        self._is_announced = False
        self.entries: tuple[Entry, ...] = ()
        # What another thread announces arrives in the painting one.
        self._kept.connect(self._on_listed)
        self._not_kept.connect(self._on_failed)

    def load(self) -> None:
        """List what is kept, deleting for good what was removed in an earlier session."""
        self._change(lambda history: history.purge())

    def keep_now(self, report: Report) -> None:
        """Keep a check of this computer before returning; may be called in any thread.

        Where it cannot be kept, that is said, and the check itself goes on.
        """
        try:
            history = self._opened()
            history.add(report)
            entries = history.entries()
        except Exception as error:  # noqa: BLE001 - said, whatever it is; a finished check must not be lost for it
            self._not_kept.emit(describe(error))
        else:
            self._kept.emit(entries)

    def read_file(self, path: Path) -> None:
        """Keep the report in a file from elsewhere."""

        def read() -> tuple[int, tuple[Entry, ...]]:
            report = self._backend.read_report(path)
            history = self._opened()
            return history.add(report, "imported"), history.entries()

        self._background.run(read, "history", self._on_imported, self._on_failed)

    def rename(self, entry_id: int, label: str) -> None:
        """Give an entry a name."""
        self._change(lambda history: history.rename(entry_id, label))

    def keep_receipt(self, entry_id: int, receipt: Receipt) -> None:
        """Keep what came of an entry's answer."""
        self._change(lambda history: history.keep_receipt(entry_id, receipt))

    def remove(self, entry_ids: Sequence[int]) -> None:
        """Take entries out of the list."""
        self._change(lambda history: history.remove(entry_ids))
        self.removed.emit(tuple(entry_ids))

    def restore(self, entry_ids: Sequence[int]) -> None:
        """Bring entries back into the list."""
        self._change(lambda history: history.restore(entry_ids))

    def open(self, entry: Entry) -> None:
        """Read one report to show it."""
        self._background.run(lambda: self._read(entry), "history", self.opened, self._on_failed)

    def fetch(self, entry: Entry) -> None:
        """Read one report to share it."""
        self._background.run(lambda: self._read(entry), "history", self.fetched, self._on_failed)

    def take_up(self, entry: Entry) -> None:
        """Read one report whose check was stopped, to go on with it."""
        self._background.run(lambda: self._read(entry), "history", self.taken_up, self._on_failed)

    def keep_question(self, question: PastQuestion) -> None:
        """Keep what is asked now for the next start."""
        self._background.run(
            lambda: self._opened().keep_question(question), "history", self._on_question_kept, self._on_not_recalled
        )

    def recall(self, entry: Entry | None) -> None:
        """Read what was asked last: an entry's question, or one that was asked later without a check."""

        def read() -> Recalled:
            history = self._opened()
            report = None if entry is None else history.report(entry.id)
            asked = history.question()
            if report is not None and (asked is None or asked.asked_at < report.created_at):
                asked = PastQuestion(
                    asked_at=report.created_at, workload=report.workload, circumstances=report.circumstances
                )
            return Recalled(report=report, question=asked)

        self._background.run(read, "history", self.recalled, self._on_not_recalled)

    def _read(self, entry: Entry) -> PastAnswer:
        return PastAnswer(entry=entry, answer=self._finish(self._opened().report(entry.id)))

    def compare(self, first: Entry, second: Entry) -> None:
        """Lay two reports side by side."""

        def compare() -> ComparedReports:
            history = self._opened()
            comparison = self._backend.compare(history.report(first.id), history.report(second.id))
            return ComparedReports(first=first, second=second, comparison=comparison)

        self._background.run(compare, "history", self.compared, self._on_failed)

    def _opened(self) -> History:
        """Return the store; runs in any thread, and opening it twice at once does no harm."""
        if self._history is None:
            self._history = self._backend.open_history()
        return self._history

    def _change(self, change: Callable[[History], object]) -> None:
        def do() -> tuple[Entry, ...]:
            history = self._opened()
            change(history)
            return history.entries() if history.path.exists() else ()

        self._background.run(do, "history", self._on_listed, self._on_failed)

    def _on_listed(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries
        self._announce_damage()
        self.listed.emit(entries)

    def _on_imported(self, result: tuple[int, tuple[Entry, ...]]) -> None:
        self._on_listed(result[1])
        self.imported.emit(result[0])

    def _on_question_kept(self, _nothing: object) -> None:
        """Nothing follows."""

    def _on_not_recalled(self, _problem: Problem) -> None:
        """Say nothing where nobody asked for it: whoever opens that answer, or checks again, is told."""

    def _on_failed(self, problem: Problem) -> None:
        self._announce_damage()
        self.failed.emit(problem)

    def _announce_damage(self) -> None:
        aside = None if self._history is None else self._history.set_aside
        if aside is not None and not self._is_announced:
            self._is_announced = True
            self.set_aside.emit(aside.name)
