"""What was dropped on the window: what it is, what would be done with it, and the buttons that do it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout

from advisor.gui.base.context import Context
from advisor.gui.models.job.job_summary import summary
from advisor.gui.models.names import parameters_text
from advisor.gui.widgets.basic import GRID, Card, button, label
from advisor.locale import N_, Language
from advisor.records.dropped import Dropped, DroppedKind
from advisor.report.words.labels import cluster_phrase

_WATCH, _BUILD = N_("Watch it train …"), N_("Ask about its network …")
# What it is, what follows, and what the buttons say: the first does as the kind says, the second the other of two.
_WORDS: dict[DroppedKind, tuple[str, str, tuple[str, ...]]] = {
    "data": (
        N_("{file}: {what}"),
        N_("Your job gets as many examples, and a check measures how fast these files load. They stay where they are."),
        (N_("Use these data"),),
    ),
    "network": (
        N_("{file} is a Python file with a function {function}() that seems to make a network."),
        N_("To see the network, its code must be run. Nothing runs before you press Run."),
        (_BUILD, _WATCH),
    ),
    "script": (
        N_("{file} is a Python file that seems to train."),
        N_("Watching runs it for some minutes and answers for its job. Nothing runs before you press Run."),
        (_WATCH, _BUILD),
    ),
    "notebook": (
        N_("{file} is a notebook with {what}."),
        N_(
            "Notebooks are not run here. In Jupyter choose File › Save and Export Notebook As › Executable Script, "
            "then drop the .py file on this window."
        ),
        (),
    ),
    "job": (
        N_("{file} describes a job: {what}"),
        N_("It replaces the question. No code in it is run."),
        (N_("Ask about this job"),),
    ),
    "jobs": (
        N_("{file} describes jobs for many computers."),
        N_("The page Many computers says which of them are enough for these jobs."),
        (N_("Open Many computers"),),
    ),
    "report": (
        N_("{file} is a report of another computer: {what}"),
        N_("The history keeps it. There you can open it, and compare it with this computer."),
        (N_("Put it into the history"),),
    ),
    "reports": (
        N_("{file} holds reports of computers."),
        N_("The page Many computers says which of them are enough for your job."),
        (N_("Open Many computers"),),
    ),
    "watched": (
        N_("{file} is a training script's job, as it was watched: {what}"),
        N_("It replaces the question. No code in it is run."),
        (N_("Ask about this job"),),
    ),
    "cluster": (
        N_("{file} says what a cluster reaches: {what}"),
        N_("It becomes a way to get your job done, before anything for rent. You can enter its price and its queue."),
        (N_("Count on this cluster"),),
    ),
    "model": (
        N_("{file} is a language model with {what}."),
        N_("The question becomes: adapt it with QLoRA. “Kind of training” changes that. Nothing is downloaded."),
        (N_("Ask about this job"),),
    ),
    "described": (
        N_("{file} describes a network with {what}."),
        N_(
            "The question becomes: train all of it on your data. “Kind of training” changes that. Nothing is "
            "downloaded."
        ),
        (N_("Ask about this job"),),
    ),
}
_LOOKING = N_("Looking at {file} …")
_OTHER: dict[DroppedKind, DroppedKind] = {"network": "script", "script": "network"}


class DropCard(Card):
    """Says what was dropped and asks what to do with it; hidden where nothing was.

    Signals:
        wanted: With what was dropped, and as what it is to be taken.
    """

    wanted = Signal(object, str)

    def __init__(self, context: Context) -> None:
        super().__init__(margin=2 * GRID)
        self._context = context
        self._file = ""
        self._dropped: Dropped | None = None
        self.title = label("strong")
        self.text = label("body")
        self.first = button("primary", lambda: self._on_wanted(is_first=True))
        self.second = button("plain", lambda: self._on_wanted(is_first=False))
        self.refuse = button("link", self.dismiss)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for one in (self.first, self.second, self.refuse):
            row.addWidget(one)
        row.addStretch(1)
        self.body.addWidget(self.title)
        self.body.addWidget(self.text)
        self.body.addLayout(row)
        self.retranslate()
        self.hide()
        context.language_changed.connect(self.retranslate)

    @property
    def is_looking(self) -> bool:
        """Whether nothing is known yet of what was dropped."""
        return bool(self._file) and self._dropped is None

    def show_looking(self, file: str) -> None:
        """Say that a file or folder is being looked at."""
        self._file, self._dropped = file, None
        self.retranslate()
        self.show()

    def show_dropped(self, dropped: Dropped) -> None:
        """Say what it is."""
        self._dropped = dropped
        self.retranslate()
        self.show()
        (self.first if self.first.isVisible() else self.refuse).setFocus()

    def dismiss(self) -> None:
        """Forget what was dropped."""
        self._file, self._dropped = "", None
        self.hide()

    def _on_wanted(self, *, is_first: bool) -> None:
        dropped = self._dropped
        self.dismiss()
        if dropped is not None:
            self.wanted.emit(dropped, dropped.kind if is_first else _OTHER[dropped.kind])

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("What you dropped"))
        dropped = self._dropped
        title, text, words = (_LOOKING, "", ()) if dropped is None else _WORDS[dropped.kind]
        what = "" if dropped is None else _what(dropped, self._context.language)
        function = "" if dropped is None else dropped.function
        self.title.setText(_(title).format(file=self._file, function=function, what=what))
        self.text.setText(_(text) if text else "")
        self.text.setVisible(dropped is not None)
        self.refuse.setText(_("Cancel") if dropped is None or words else _("Close"))
        self.refuse.setAccessibleDescription(_("Leaves everything as it is"))
        for position, one in enumerate((self.first, self.second)):
            one.setVisible(len(words) > position)
            one.setText(_(words[position] if len(words) > position else _WATCH))
            one.setAccessibleDescription(self.text.text() or self.title.text())


def _what(dropped: Dropped, language: Language) -> str:
    """Return in a few words what it holds; empty where there is nothing to say."""
    if dropped.found is not None:
        from advisor.report.words.own_data import data_phrase

        return data_phrase(dropped.found.data, language)
    if dropped.cluster is not None:
        return cluster_phrase(dropped.cluster.scaling, language)
    if dropped.kind == "notebook":
        text = language.ngettext("{n} cell of code", "{n} cells of code", dropped.cells)
        return text.format(n=language.number(dropped.cells))
    if dropped.kind in ("model", "described") and dropped.network is not None:
        return parameters_text(dropped.network.parameters, language)
    if dropped.preset is not None:
        return summary(dropped.preset.workload, language)
    return dropped.computer
