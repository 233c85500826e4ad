"""What the answer will tell, for those who have not seen one: below the question, where the window has room."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, Card, label
from advisor.locale import N_

_TOLD = (
    (N_("Enough or not"), N_("How long one training takes here, as a range.")),
    (N_("What else there is"), N_("A card to buy or a cloud to rent, each with its time and its price.")),
    (N_("How sure it is"), N_("Click any number to see where it comes from and how to check it.")),
)


class Outlook(Card):
    """Three things that each answer says, side by side."""

    def __init__(self, context: Context) -> None:
        super().__init__(margin=2 * GRID)
        self._context = context
        self.title = label("muted")
        self._lines = tuple((label("strong"), label("muted")) for _told in _TOLD)
        grid = QGridLayout()
        grid.setHorizontalSpacing(4 * GRID)
        grid.setVerticalSpacing(GRID // 2)
        self.body.addWidget(self.title)
        self.body.addLayout(grid)
        for column, pair in enumerate(self._lines):
            grid.setColumnStretch(column, 1)
            for row, made in enumerate(pair):
                grid.addWidget(made, row, column, Qt.AlignmentFlag.AlignTop)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.title.setText(_("What the answer will tell you"))
        for made, texts in zip(self._lines, _TOLD, strict=True):
            for one, text in zip(made, texts, strict=True):
                one.setText(_(text))
