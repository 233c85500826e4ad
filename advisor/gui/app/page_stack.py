"""The pages of the window, one at a time, each made at its first visit."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget


class PageStack(QStackedWidget):
    """Pages by their names.

    Signals:
        opened: With the name of the page that is shown now.

    Attributes:
        makers: What makes a page, by its name.
        pages: Those that were made.
    """

    opened = Signal(str)

    def __init__(self, first: str, page: QWidget) -> None:
        super().__init__()
        self.makers: Mapping[str, Callable[[], QWidget]] = {}
        self.pages: dict[str, QWidget] = {first: page}
        self.addWidget(page)

    def open(self, name: str) -> None:
        """Show a page, making it at its first visit."""
        if name not in self.pages:
            page = self.makers[name]()
            self.pages[name] = page
            self.addWidget(page)
        self.setCurrentWidget(self.pages[name])
        self.opened.emit(name)

    def switch_charts(self) -> None:
        """Show every chart of the open page as a table, or back."""
        from advisor.gui.pages.live.page import LivePage
        from advisor.gui.widgets.charts.chart_with_table import ChartWithTable

        page = self.currentWidget()
        if isinstance(page, LivePage):
            page.switch()
        elif page is not None:
            for twin in page.findChildren(ChartWithTable):
                twin.switch()
