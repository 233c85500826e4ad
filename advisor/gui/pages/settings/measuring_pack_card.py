"""The measuring pack on the settings page: what it is, what it would download, how far it is, how to be rid of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QProgressBar

from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.widgets.basic import Card, button, label
from advisor.records.hardware.measuring_pack import PackPlan, PackProgress, PackStatus

PackTask = Callable[[], object]
OnSuccess = Callable[..., None]

_REFRESH_MS = 250


class MeasuringPackCard(Card):
    """Looks, asks, downloads and removes; each in a thread of its own."""

    def __init__(self, context: Context, backend: Backend, background: BackgroundTasks) -> None:
        super().__init__()
        self._context = context
        self._backend = backend
        self._background = background
        self._status: PackStatus | None = None
        self._plan: PackPlan | None = None
        self._problem: Problem | None = None
        self._is_busy = False
        self._was_stopped = False
        self.title = label("title")
        self.about = label("muted")
        self.state = label("body", selectable=True)
        self.bar = QProgressBar()
        self.look = button("plain", self.start_planning)
        self.install = button("primary", self.start_installing)
        self.remove = button("plain", self.start_removing)
        self.stop = button("plain", self.cancel)
        row = QHBoxLayout()
        for action in (self.look, self.install, self.stop, self.remove):
            row.addWidget(action)
        row.addStretch(1)
        for widget in (self.title, self.about, self.state, self.bar):
            self.body.addWidget(widget)
        self.body.addLayout(row)
        self._pulse = QTimer(self)
        self._pulse.setInterval(_REFRESH_MS)
        self._pulse.timeout.connect(self.retranslate)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def refresh(self) -> None:
        """Look how the pack is; takes seconds where there is one, for its torch is tried."""
        if not self._is_busy:
            self._run(self._backend.pack_status, "pack-status", self._on_status)

    def start_planning(self) -> None:
        """Find out what would be downloaded."""
        self._run(self._backend.plan_pack, "pack-plan", self._on_plan)

    def start_installing(self) -> None:
        """Download what was shown."""
        plan = self._plan
        if plan is not None:
            self._run(lambda: self._backend.install_pack(plan), "pack-install", self._on_status)

    def start_removing(self) -> None:
        """Remove the pack."""
        self._plan = None
        self._run(self._backend.remove_pack, "pack-remove", self._on_status)

    def cancel(self) -> None:
        """End what runs; what was downloaded stays for the next time."""
        self._was_stopped = True
        self._backend.cancel_pack()

    def shut_down(self) -> None:
        """The window closes: end what runs."""
        self._pulse.stop()
        if self._is_busy:
            self._backend.cancel_pack()

    def _run(self, task: PackTask, name: str, on_success: OnSuccess) -> None:
        self._is_busy, self._problem, self._was_stopped = True, None, False
        self._pulse.start()
        self._background.run(task, name, on_success, self._on_failed)
        self.retranslate()

    def _on_status(self, status: PackStatus) -> None:
        self._status, self._plan = status, None
        self._was_stopped = self._was_stopped and status.is_unfinished  # else it came too late
        self._on_idle()

    def _on_plan(self, plan: PackPlan | None) -> None:
        self._plan = plan
        self._on_idle()

    def _on_failed(self, problem: Problem) -> None:
        self._problem = problem
        self._on_idle()

    def _on_idle(self) -> None:
        self._is_busy = False
        self._pulse.stop()
        self.retranslate()

    def retranslate(self) -> None:
        """Set texts and buttons by what is known at the moment."""
        _ = self._context.gettext
        self.title.setText(_("Measuring pack"))
        self.about.setText(
            _(
                "Your graphics card is measured with the PyTorch that fits it. It is downloaded once, kept in your "
                "own folder, and used for measurements alone."
            )
        )
        for action, text, description in (
            (self.look, _("See what would be downloaded"), _("Asks the package registry; changes nothing here")),
            (self.install, _("Download and install"), _("Downloads what is listed above into your own folder")),
            (self.remove, _("Remove the pack"), _("Deletes the pack's folder; it can be downloaded again")),
            (self.stop, _("Stop"), _("Ends what runs; what was downloaded is kept for the next time")),
        ):
            action.setText(text)
            action.setAccessibleDescription(description)
        self.bar.setAccessibleName(_("Progress of the download"))
        self.bar.setAccessibleDescription(_("How much of the pack is installed"))
        self.state.setText("\n".join(self._lines()))
        has_something = self._status is not None and bool(self._status.size_bytes)
        self.look.setVisible(not self._is_busy and self._plan is None)
        self.install.setVisible(not self._is_busy and self._plan is not None)
        self.remove.setVisible(not self._is_busy and has_something)
        self.stop.setVisible(self._is_busy)
        self.bar.setVisible(self._is_busy)
        self._show_progress(self._backend.pack_progress)

    def _show_progress(self, progress: PackProgress | None) -> None:
        needed = self._plan.needed_bytes if self._plan is not None else None
        if progress is None or not needed:
            self.bar.setRange(0, 0)  # moves without saying how far it is
            return
        self.bar.setRange(0, 1000)
        self.bar.setValue(min(999, round(1000 * progress.written_bytes / needed)))

    def _lines(self) -> list[str]:
        from advisor.report.measuring_pack import plan_sentences, progress_phrase, status_sentences

        language = self._context.language
        _ = language.gettext
        if self._problem is not None:
            error = self._problem.error
            said = self._problem.details.splitlines()[-1] if error is None else error.sentence(language.gettext)
            return [_("The measuring pack could not be made."), said]
        if self._is_busy and self._backend.pack_progress is not None:
            return [progress_phrase(self._backend.pack_progress, language)]
        if self._was_stopped and not self._is_busy:
            return [_("Stopped. What was downloaded so far is kept for the next time.")]
        if self._plan is not None:
            return plan_sentences(self._plan, language)
        return [] if self._status is None else status_sentences(self._status, language)
