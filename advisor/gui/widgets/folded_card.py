"""A card whose title folds away what few need for the decision; a fold once opened stays open."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, Card, button


class FoldedCard(Card):
    """A title that opens what is below it.

    Attributes:
        toggle: The title, a button.
        inside: Where the contents go.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(margin=int(1.5 * GRID))
        self._context = context
        self._title = ""
        self.toggle = button("fold", self._on_toggle)
        self.toggle.setCheckable(True)
        self._contents = QWidget()
        self._contents.hide()
        self.inside = QVBoxLayout(self._contents)
        self.inside.setContentsMargins(3 * GRID, 0, 0, 0)
        self.inside.setSpacing(GRID)
        self.body.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self._contents)

    def name(self, title: str) -> None:
        """Say what is inside."""
        self._title = title
        self._show()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take a click beside the title for one on it."""
        is_beside = self._contents.isHidden() or event.position().y() < self._contents.y()
        if (
            event.button() == Qt.MouseButton.LeftButton
            and is_beside
            and self.rect().contains(event.position().toPoint())
        ):
            self.toggle.click()

    def _on_toggle(self) -> None:
        self._contents.setVisible(self.toggle.isChecked())
        self._show()

    def _show(self) -> None:
        self.toggle.setText(f"{'▾' if self.toggle.isChecked() else '▸'}  {self._title}")
        self.toggle.setAccessibleName(self._title)
        self.toggle.setAccessibleDescription(self._context.gettext("Shows what is below, or hides it"))
