"""The graphics cards of this moment and the programs on them, as two tables."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt

from advisor.gui.base.context import Context
from advisor.gui.models.live import words
from advisor.gui.models.live.provenance import of_card, of_sensor
from advisor.gui.widgets.basic import GRID, Card, label
from advisor.gui.widgets.provenance_cells import ProvenanceCells
from advisor.gui.widgets.table import Origins, RowsModel, RowsView
from advisor.monitor.processes import CardUser
from advisor.records.hardware.telemetry import TelemetrySample
from advisor.report.provenance.record import Provenance, has_number

_MOST_SHOWN = 12
_NUMERIC = frozenset(range(1, 6))


class LiveTable:
    """A table whose cells change in place; made again only when rows come or go."""

    def __init__(self, context: Context, numeric: frozenset[int], origins: Origins) -> None:
        self._origins = origins
        self._numeric = numeric
        self._header: tuple[str, ...] = ()
        self.rows = RowsModel()
        self.view = RowsView(self.rows)
        ProvenanceCells(context, self.view, self.rows)
        self.view.setVerticalScrollMode(self.view.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setWordWrap(True)
        self._longest = 0
        self.view.width_changed.connect(self._fit)

    def show_rows(self, header: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> None:
        """Show other values."""
        longest = max((len(row[-1]) for row in rows), default=0)
        if header == self._header and len(rows) == self.rows.rowCount():
            for position, row in enumerate(rows):
                self.rows.change_row(position, row)
        else:
            self._header, self._longest = header, 0
            self.rows.show(header, rows, numeric=self._numeric, origins=self._origins)
        # Widths are worked out now and then left: working them out at every value would cost more than all graphs.
        if longest > self._longest:
            self._longest = longest
            self._fit()

    def _fit(self) -> None:
        """Let name and state, which are words, share the room that the numbers leave."""
        count = self.rows.rowCount()
        if count == 0:
            return
        self.view.fit_rows((len(self._header) - 1, 0))
        line = self.view.verticalHeader().defaultSectionSize()
        head = self.view.horizontalHeader().sizeHint().height()
        self.view.setFixedHeight(head + line * min(count, _MOST_SHOWN) + GRID)


class LiveCards(Card):
    """Hidden where there is no card."""

    def __init__(self, context: Context) -> None:
        super().__init__(margin=int(1.5 * GRID))
        self._context = context
        self.title = label("strong")
        self._latest: TelemetrySample | None = None
        self.cards = LiveTable(context, _NUMERIC, self._card_origin)
        self.users_title = label("strong")
        self.nobody = label("muted")
        self.users = LiveTable(context, frozenset(), self._user_origin)
        self.users.view.hide()
        for widget in (self.title, self.cards.view, self.users_title, self.nobody, self.users.view):
            self.body.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_sample(self, latest: TelemetrySample, users: Iterable[CardUser]) -> None:
        """Show the cards of a sample and who uses them."""
        self._latest = latest
        self.setVisible(bool(latest.accelerators))
        if not latest.accelerators:
            return
        language = self._context.language
        self._show_title(latest)
        self.cards.show_rows(words.card_header(language), words.card_rows(latest, language))
        rows = words.user_rows(users, latest, language)
        if rows:
            self.users.show_rows(words.user_header(language), rows)
        if self.users.view.isHidden() == bool(rows):
            self.users.view.setVisible(bool(rows))
            self.nobody.setVisible(not rows)

    def _show_title(self, latest: TelemetrySample) -> None:
        title = words.cards_title(latest, self._context.language)
        if title != self.title.text():
            self.title.setText(title)

    def _card_origin(self, row: int, column: int) -> Provenance | None:
        """Return where a value of a card comes from."""
        value = str(self.cards.rows.index(row, column).data())
        if self._latest is None or not has_number(value):
            return None
        return of_card(row, column, value, self._latest, self._context.language)

    def _user_origin(self, row: int, column: int) -> Provenance | None:
        """Return where the memory of a program comes from: the driver's list of programs."""
        value = str(self.users.rows.index(row, column).data())
        if self._latest is None or column == 0 or not has_number(value):
            return None
        name = str(self.users.rows.index(row, 0).data())
        return of_sensor(name, value, "accelerators.0.users", self._latest, self._context.language)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        if self._latest is not None:
            self._show_title(self._latest)
        self.cards.view.setAccessibleName(_("Graphics cards now"))
        self.cards.view.setAccessibleDescription(_("What each graphics card does at this moment"))
        self.users_title.setText(_("Programs on the graphics cards"))
        self.nobody.setText(_("None that the driver reports. Names are only shown, never kept."))
        self.users.view.setAccessibleName(_("Programs on the graphics cards"))
        self.users.view.setAccessibleDescription(_("Names are only shown, never kept"))
