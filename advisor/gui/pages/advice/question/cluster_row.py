"""The site's own cluster: a file of what was measured of it, and what only the user knows of it."""

from pathlib import Path

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.job.question import Question
from advisor.gui.widgets.basic import GRID, Card, bring_into_view, button, label
from advisor.gui.widgets.fields import NumberBox
from advisor.locale import N_
from advisor.records.results.scaling import SiteCluster
from advisor.report.words.labels import cluster_phrase
from advisor.units import HOUR_S

_STEPS = (
    N_(
        "Does your university or company have a cluster that you may use? Measure on it how fast its computers work "
        "together; there, in a terminal:"
    ),
    N_("It takes minutes and writes scaling.json. Copy that file to this computer and choose it, or drop it here."),
    N_(
        "Your cluster then appears among the options, ahead of anything for rent. You can enter its price and its "
        "queue."
    ),
)
_COMMAND = N_("advisor --scaling --nodes ADDRESS,ADDRESS --out scaling.json")
_MOST_PRICE, _MOST_HOURS, _MOST_NODES = 100_000.0, 10_000.0, 65_536


class ClusterRow(QWidget):
    """A line and three fields that are there once a file was taken; and the button that takes it, put elsewhere.

    Signals:
        chosen: With the file that ``advisor --scaling`` wrote.
        changed: With the cluster as it is now known; None where it is to be left out.
    """

    chosen = Signal(Path)
    changed = Signal(object)

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self._cluster: SiteCluster | None = None
        self._is_filling = False
        self.choose = button("link", self._on_toggle)
        self.about = Card(margin=2 * GRID)
        self.steps = tuple(label("body", selectable=True) for _step in _STEPS)
        self.command = label("code", selectable=True)
        self.file = button("plain", self._on_choose)
        self.state = label("muted")
        self.leave = button("link", lambda: self.changed.emit(None))
        self.price = NumberBox(context, 0, _MOST_PRICE, 2)
        self.queue = NumberBox(context, 0, _MOST_HOURS, 1)
        self.nodes = NumberBox(context, 0, _MOST_NODES)
        self._captions: list[tuple[QLabel, NumberBox, str, str]] = []
        self._build()
        for box in (self.price, self.queue, self.nodes):
            box.valueChanged.connect(lambda _value: self._on_edited())
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        first = QHBoxLayout()
        first.addWidget(self.state, 1)
        first.addWidget(self.leave)
        column.addLayout(first)
        for widget in (self.steps[0], self.command, *self.steps[1:]):
            self.about.body.addWidget(widget)
        self.about.body.addWidget(self.file, 0, Qt.AlignmentFlag.AlignLeft)
        self.about.hide()
        column.addWidget(self.about)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID // 2)
        column.addLayout(grid)
        rows = (
            (self.price, N_("A node costs an hour"), N_("What your site asks for it; usually nothing")),
            (self.queue, N_("Wait in the queue"), N_("How long a job waits there before it starts")),
            (self.nodes, N_("Nodes you may have"), N_("Where fewer were measured; 0 means as many as were measured")),
        )
        for number, (box, name, hint) in enumerate(rows):
            caption = label("body", wrap=False)
            caption.setBuddy(box)
            grid.addWidget(caption, 0, number)  # above its field: beside it, the row would be wider than a small window
            grid.addWidget(box, 1, number)
            self._captions.append((caption, box, name, hint))

    def _on_toggle(self) -> None:
        """Say which file it takes and where that comes from, or put that away."""
        self.about.setVisible(self.about.isHidden())
        self._name()
        self._show()
        if not self.about.isHidden():
            bring_into_view(self.about)

    def _on_choose(self) -> None:
        _ = self._context.gettext
        name, _kind = QFileDialog.getOpenFileName(
            self, _("Choose your cluster's file"), "", _("Measured clusters (*.json)")
        )
        if name:
            self.chosen.emit(Path(name))

    def _on_edited(self) -> None:
        if self._is_filling or self._cluster is None:
            return
        self.changed.emit(
            msgspec.structs.replace(
                self._cluster,
                node_usd_per_h=self.price.value() * self._question.usd_per_shown_unit,
                queue_s=self.queue.value() * HOUR_S,
                nodes=int(self.nodes.value()) or None,
            )
        )

    def show_cluster(self, cluster: SiteCluster | None) -> None:
        """Show what is known of the cluster that answers count on; None: of none."""
        if cluster is not None and self._cluster is None:
            self.about.hide()  # what is asked for is there
            self._name()
        self._cluster = cluster
        self._is_filling = True
        if cluster is not None:
            self.price.show_value(cluster.node_usd_per_h / self._question.usd_per_shown_unit)
            self.queue.show_value(cluster.queue_s / HOUR_S)
            self.nodes.show_value(cluster.nodes or 0)
        self._is_filling = False
        self._show()

    def _show(self) -> None:
        cluster = self._cluster
        self.state.setText("" if cluster is None else cluster_phrase(cluster.scaling, self._context.language))
        self.setVisible(cluster is not None or not self.about.isHidden())
        for made in (self.state, self.leave):
            made.setVisible(cluster is not None)
        for caption, box, _name, _hint in self._captions:
            caption.setVisible(cluster is not None)
            box.setVisible(cluster is not None)

    def _name(self) -> None:
        _ = self._context.gettext
        self.choose.setText(f"{_('My cluster')}  {'▸' if self.about.isHidden() else '▾'}")
        self.choose.setAccessibleName(_("My cluster"))
        self.choose.setAccessibleDescription(_("Says how a cluster you may use comes into the answer"))
        self.choose.setToolTip(self.choose.accessibleDescription())

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self._name()
        for made, text in zip(self.steps, _STEPS, strict=True):
            made.setText(_(text))
        self.command.setText(_(_COMMAND))
        self.file.setText(_("Choose the file …"))
        self.file.setAccessibleDescription(_("Opens the file that advisor --scaling wrote"))
        self.leave.setText(_("Leave it out"))
        self.leave.setAccessibleDescription(_("Answers no longer count on your cluster"))
        for caption, box, name, hint in self._captions:
            caption.setText(_(name))
            caption.setToolTip(_(hint))
            box.setToolTip(_(hint))
            box.setAccessibleName(_(name))
            box.setAccessibleDescription(_(hint))
        self.price.set_unit(self._question.currency)
        self.queue.set_unit(_("h"))
        self.nodes.setSpecialValueText(_("as measured"))
        self._show()
