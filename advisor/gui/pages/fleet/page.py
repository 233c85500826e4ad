"""Many computers: a folder of their reports, the jobs they are to do, and which of them are enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QWidget

from advisor.fleet import Room
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.widgets.basic import DATA_WIDTH, GRID, Card, FlowLayout, Page, button, label
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.gui.widgets.report_blocks import ReportBlocks
from advisor.locale import N_
from advisor.records.results.report import Report

Judge = Callable[[Path, Path | None], Room]
Write = Callable[[Room, Path], None]
_SHOWN_NAMES = 5
STEPS = (
    N_("1. On each computer: check it, then “Save or share …” under the answer, as “All data (JSON)”."),
    N_("2. Put all these files into one folder, such as one that the computers share."),
    N_("3. Choose that folder here, or drop it on this page."),
)


class FleetPage(Page):
    """Choose a folder, and perhaps a file of jobs; the verdict follows."""

    def __init__(self, context: Context, judge: Judge, write: Write, background: BackgroundTasks) -> None:
        super().__init__(DATA_WIDTH)
        self._context, self._judge, self._write, self._background = context, judge, write, background
        self._folder: Path | None = None
        self._jobs: Path | None = None
        self._judged: tuple[Path | None, Path | None] = (None, None)
        self._room: Room | None = None
        self._is_judging = False
        self._asked: object = None
        self._is_stale = False
        self.title = label("display")
        self.how = label("lead")
        self.choose = button("primary", self._choose_folder)
        self.choose_jobs = button("link", self._choose_jobs)
        self.save = button("plain", self._choose_target)
        buttons = QWidget()
        flow = FlowLayout(2 * GRID)
        buttons.setLayout(flow)
        for made in (self.choose, self.choose_jobs, self.save):
            flow.addWidget(made)
        self.steps_card = Card()
        self.steps_title = label("strong")
        self.steps = tuple(label("body", selectable=True) for _step in STEPS)
        for widget in (self.steps_title, *self.steps):
            self.steps_card.body.addWidget(widget)
        self.state = label("muted")
        self.problem = ProblemCard(context)
        self.verdict = label("title", selectable=True)
        self.lead = label("lead", selectable=True)
        self.notes = label("muted", selectable=True)
        self.blocks = ReportBlocks(context)
        self.column.addWidget(self.title)
        self.column.addWidget(self.how)
        self.column.addWidget(self.steps_card)
        self.column.addWidget(buttons)
        parts: tuple[QWidget, ...] = (self.state, self.problem, self.verdict, self.lead, self.notes, self.blocks)
        for part in parts:
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.setAcceptDrops(True)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take a folder, a .zip or a .jsonl of this computer."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Judge what was dropped; a .toml is a file of jobs."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.take(*paths)

    def take(self, *paths: Path) -> None:
        """Take a folder of reports, a file of jobs or both, and judge anew."""
        for path in paths:
            if path.suffix.lower() == ".toml":
                self._jobs = path
            else:
                self._folder = path
        self._start()

    def follow(self, report: Report) -> None:
        """Judge anew at the next sight of the page, where everybody does the job of the last answer: it is another."""
        asked = report.workload, report.circumstances
        if asked != self._asked:
            self._asked = asked
            self._is_stale = self._folder is not None and self._jobs is None
            if self.isVisible():
                self._renew()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the verdict for the job of now, not for that of the visit before."""
        super().showEvent(event)
        self._renew()

    def _renew(self) -> None:
        if self._is_stale:
            self._start()

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(
            self, self._context.gettext("Choose the folder of reports"), str(Path.home())
        )
        if name:
            self.take(Path(name))

    def _choose_jobs(self) -> None:
        _ = self._context.gettext
        name, _kind = QFileDialog.getOpenFileName(self, _("Choose a file of jobs"), "", _("Jobs (*.toml)"))
        if name:
            self.take(Path(name))

    def _choose_target(self) -> None:
        from advisor.report.formats.fleet import ENDINGS

        _ = self._context.gettext
        kinds = ";;".join(f"{ending[1:].upper()} (*{ending})" for ending in ENDINGS)
        name, _kind = QFileDialog.getSaveFileName(self, _("Save the page"), "computers.html", kinds)
        if name:
            self.save_to(Path(name))

    def save_to(self, path: Path) -> None:
        """Write the verdict into a file whose ending says its format."""
        room = self._room
        if room is not None:
            self._background.run(lambda: self._write(room, path) or path, "fleet-file", self._on_saved, self._on_failed)

    def _on_saved(self, path: Path) -> None:
        self.state.setText(self._context.gettext("The report is in {path}.").format(path=path))

    def _start(self) -> None:
        folder, jobs = self._folder, self._jobs
        if folder is None or self._is_judging:
            self._show()
            return
        self._is_judging, self._is_stale = True, False
        self._judged = (folder, jobs)
        self.problem.hide()
        self._show()
        self._background.run(lambda: self._judge(folder, jobs), "fleet", self._on_judged, self._on_failed)

    def _on_judged(self, room: Room) -> None:
        self._is_judging = False
        if self._is_stale or self._judged != (self._folder, self._jobs):  # something was asked or dropped meanwhile
            self._start()
            return
        self._room = room
        self._show()
        self._show_room()

    def _on_failed(self, problem: Problem) -> None:
        self._is_judging = False
        self.problem.show_problem(problem, N_("These reports could not be judged."))
        self._show()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Many computers"))
        self.title.setText(_("Are all our computers enough?"))
        self.how.setText(
            _(
                "For whoever looks after a room, a lab or an office: which of the computers are enough, what holds the "
                "others back, and what to buy or rent for them, with its price. Nothing is sent anywhere."
            )
        )
        self.steps_title.setText(_("How it goes"))
        for made, text in zip(self.steps, STEPS, strict=True):
            made.setText(_(text))
        self.choose.setText(_("Choose the folder of reports …"))
        self.choose.setAccessibleDescription(_("What advisor --report or the button Save of each computer wrote"))
        self.choose_jobs.setText(_("Choose a file of jobs …"))
        self.choose_jobs.setAccessibleDescription(
            _("Several jobs, with who runs them and by when; no code in it is run")
        )
        self.save.setText(_("Save the page …"))
        self.save.setAccessibleDescription(_("As a page, a PDF, a table or data; the ending of the name decides"))
        self._show()
        self._show_room()

    def _show(self) -> None:
        """Show what can be done now."""
        self.choose.setEnabled(not self._is_judging)
        self.choose_jobs.setEnabled(not self._is_judging)
        self.save.setVisible(self._room is not None)
        self.steps_card.setVisible(self._room is None)
        self.state.setText(self._state())

    def _state(self) -> str:
        _ = self._context.gettext
        if self._is_judging:
            return _("Reading the reports …")
        if self._jobs is not None and self._folder is None:
            return _("Jobs of {file}. Now choose the folder of reports.").format(file=self._jobs.name)
        if self._jobs is not None:
            return _("Jobs of {file}.").format(file=self._jobs.name)
        return _(
            "Everybody is assumed to do the job chosen on the Advice page. If people do different jobs, load a file "
            "that lists who does what, and by when."
        )

    def _show_room(self) -> None:
        """Lay out the verdict, once for each and for each language."""
        room = self._room
        for part in (self.verdict, self.lead, self.notes, self.blocks):
            part.setVisible(room is not None)
        if room is None:
            return
        import datetime

        from advisor.report.content.blocks import Block, Heading
        from advisor.report.documents.fleet import fleet_page

        made = datetime.datetime.now(datetime.UTC).date().isoformat()
        page = fleet_page(room.on_screen, self._context.language, made=made)
        self.verdict.setText(page.verdict.text)
        self.lead.setText("\n".join(one.text for one in page.lead))
        self.notes.setText("\n".join([*(one.text for one in page.notes), *self._left_out(room)]))
        blocks: list[Block] = []
        for section in page.sections:
            blocks += (Heading(section.title), *section.blocks)
        self.blocks.show_blocks(tuple(blocks))

    def _left_out(self, room: Room) -> list[str]:
        """Return the names of files that were left out: on the screen alone."""
        from advisor.report.documents.fleet import refused_sentence

        language = self._context.language
        return [
            f"{one.name}: {refused_sentence(one.file.reason, language)}" for one in room.found.refused[:_SHOWN_NAMES]
        ]
