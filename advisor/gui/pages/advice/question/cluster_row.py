"""The site's own cluster: a file of what was measured of it, and what only the user knows of it."""

from pathlib import Path

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.job.question import Question
from advisor.gui.widgets.basic import GRID, button, label
from advisor.gui.widgets.fields import NumberBox
from advisor.locale import N_
from advisor.records.results.scaling import SiteCluster
from advisor.report.words.labels import cluster_phrase
from advisor.units import HOUR_S

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
        self.choose = button("link", self._on_choose)
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

    def _on_choose(self) -> None:
        _ = self._context.gettext
        name, _kind = QFileDialog.getOpenFileName(
            self, _("Choose what --scaling measured"), "", _("Measured clusters (*.json)")
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
        self.setVisible(cluster is not None)
        for caption, box, _name, _hint in self._captions:
            caption.setVisible(cluster is not None)
            box.setVisible(cluster is not None)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.choose.setText(_("My cluster …"))
        self.choose.setAccessibleDescription(
            _("Takes what advisor --scaling measured of it; it then comes before anything for rent. Or drop it here.")
        )
        self.choose.setToolTip(self.choose.accessibleDescription())
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
