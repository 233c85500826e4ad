"""What stands in the list's place where no option passes: which filters that is due to, and a way out of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, FlowLayout, button, label

_LONGEST = 40


class NothingFound(QWidget):
    """A sentence that names the filters, and a link for each way back.

    Signals:
        search_dropped, filters_dropped: The user wants no words, or no filter, any more.
    """

    search_dropped, filters_dropped = Signal(), Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.sentence = label("body")
        self.search_button = button("link", self.search_dropped.emit)
        self.filters_button = button("link", self.filters_dropped.emit)
        column, links = QVBoxLayout(self), FlowLayout(2 * GRID)
        column.setContentsMargins(0, 0, 0, 0)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addWidget(self.sentence)
        column.addLayout(links)
        for link in (self.search_button, self.filters_button):
            links.addWidget(link)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Name the links in the language of the moment."""
        _ = self._context.gettext
        self.search_button.setText(_("Clear the search"))
        self.search_button.setAccessibleDescription(_("Shows options of every name again"))
        self.filters_button.setText(_("Clear the filters"))
        self.filters_button.setAccessibleDescription(_("Shows options of every kind, memory and cost again"))

    def explain(self, words: str, filters: Sequence[str]) -> None:
        """Say what was searched for, and which filters narrow the list as well."""
        _ = self._context.gettext
        words = " ".join(words.split())
        said = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
        named = "; ".join(filters)  # a limit of memory may have a comma
        if words and filters:
            text = _("No option has “{words}” in its name and passes these filters: {filters}.")
        elif words:
            text = _("No option has “{words}” in its name.")
        else:
            text = _("No option passes these filters: {filters}.")
        self.sentence.setText(text.format(words=said, filters=named))
        self.search_button.setVisible(bool(words))
        self.filters_button.setVisible(bool(filters))
