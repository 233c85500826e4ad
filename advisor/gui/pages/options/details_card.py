"""All that is known of an option, or of a few beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLayoutItem, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.options.details import option_facts, option_origins
from advisor.gui.models.options.groups import MOST_COMPARED
from advisor.gui.widgets.basic import GRID, Body, Card, Page, button, clear, label, no_higher_than_there_is_room
from advisor.gui.widgets.number_label import Figure, at_left
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.provenance.record import Provenance
from advisor.report.words.labels import option_title

_MOST_NAMED = 8
_FIRST_FACTS = 7
"""So many are told of several at first, what they are compared by: all are higher than the window."""
_LEAST_HEIGHT = 150
_NAME_WIDTH = 14 * GRID
"""Of a fact: a longer name goes on in the next line, else no room is left for what is said of it."""


class DetailsCard(Card):
    """The facts of one option, or of some in columns.

    Signals:
        closed: The user has seen enough of several.

    Attributes:
        title: Name of the option, or what stands beside each other.
        all_button: Tells all of several, or the first facts again; hidden beside one.
        close_button: Back from several; hidden beside one.
    """

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(margin=2 * GRID)
        self._context = context
        self.title = label("strong", selectable=True)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(int(1.5 * GRID))
        self._facts.setVerticalSpacing(GRID // 2)
        self.all_button = button("link", self._turn_all)
        self._shown: Callable[[], None] = lambda: None
        self._is_all = False
        self.close_button = button("link", self.closed.emit)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.all_button)
        head.addWidget(self.close_button)
        self.body.addLayout(head)
        room = Body()
        column = QVBoxLayout(room)
        column.setContentsMargins(0, 0, GRID // 2, 0)
        column.addLayout(self._facts)
        column.addStretch(1)
        self._area = _Inner(self._facts)
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(room)
        room.setAutoFillBackground(False)
        self.body.addWidget(self._area, 1)

    def show_options(
        self, options: Sequence[Option], report: Report, alike: Mapping[str, Sequence[Option]] | None = None
    ) -> None:
        """Show options beside each other; none: the card is hidden.

        Args:
            options: At most three.
            report: Where they are from.
            alike: Options that share the row of another, by its id.
        """
        self._shown = partial(self.show_options, options, report, alike)
        clear(self._facts)
        self.setVisible(bool(options))
        if not options:
            return
        _ = self._context.gettext
        language = self._context.language
        titles = [option_title(option, language) for option in options]
        is_one = len(options) == 1
        self.title.setText(titles[0] if is_one else _("Beside each other"))
        self.close_button.setText(_("Close"))
        self.close_button.setAccessibleDescription(_("Back to the chart, with one option chosen"))
        self.close_button.setVisible(not is_one)
        columns = [dict(option_facts(option, report, language)) for option in options]
        for option, column in zip(options, columns, strict=True):
            others = (alike or {}).get(option.id, ())
            if others:
                column[_("Alike")] = self._named(others)
        names = list(dict.fromkeys(name for column in columns for name in column))
        self._name_all(is_one=is_one or len(names) <= _FIRST_FACTS)
        if not is_one and not self._is_all:
            names = names[:_FIRST_FACTS]
        first_row = 0 if is_one else 1
        for row, name in enumerate(names, start=first_row):
            caption = label("muted", wrap=False)
            caption.setText(name)
            most = round(_NAME_WIDTH * self._context.text_scale)
            if caption.sizeHint().width() > most:
                caption.setWordWrap(True)
                caption.setFixedWidth(most)
            self._facts.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
        for place in range(MOST_COMPARED):
            self._facts.setColumnStretch(1 + place, 1 if place < len(options) else 0)
        for place, (option, column) in enumerate(zip(options, columns, strict=True), start=1):
            if not is_one:
                head = label("strong")
                head.setText(titles[place - 1])
                self._facts.addWidget(head, 0, place, Qt.AlignmentFlag.AlignTop)
            origins = option_origins(option, report, language)
            for row, name in enumerate(names, start=first_row):
                self._show_fact((row, place), column.get(name, "–"), origins.get(name))

    def _turn_all(self) -> None:
        self._is_all = not self._is_all
        self._shown()

    def _name_all(self, *, is_one: bool) -> None:
        """Offer the facts that are not told, where there are any."""
        _ = self._context.gettext
        self.all_button.setText(_("Fewer facts") if self._is_all else _("All facts"))
        self.all_button.setAccessibleDescription(_("Shows all that is known of each option, or what matters most"))
        self.all_button.setVisible(not is_one)

    def grow(self, *, is_whole: bool) -> None:
        """Be as high as all facts, so that the page scrolls and nothing here does; or as there is room."""
        self.setMinimumHeight(0 if is_whole else round(_LEAST_HEIGHT * self._context.text_scale))
        self._area.be_whole(is_whole=is_whole)

    def _show_fact(self, cell: tuple[int, int], value: str, origin: Provenance | None) -> None:
        if origin is not None and value != "–":
            figure = Figure(self._context, wrap=True)
            figure.show_value(value, origin)
            self._facts.addLayout(at_left(figure), *cell)
            return
        content = label("body", selectable=True)
        content.setText(value)
        self._facts.addWidget(content, *cell)

    def _named(self, options: Sequence[Option]) -> str:
        """Return the names of options, and how many more there are."""
        language = self._context.language
        named = "; ".join(option_title(one, language) for one in options[:_MOST_NAMED])  # titles have commas
        more = len(options) - _MOST_NAMED
        if more <= 0:
            return named
        text = language.ngettext("{names} and {n} more", "{names} and {n} more", more)
        return text.format(names=named, n=language.number(more))


class _Inner(QScrollArea):
    """An area on a page that scrolls, too: the wheel moves the page to its end first, so that it is never caught.

    What is seen before anybody scrolls ends between two facts: no line is cut.
    """

    def __init__(self, facts: QGridLayout) -> None:
        super().__init__()
        self._facts, self._is_whole = facts, False
        no_higher_than_there_is_room(self)
        self._laid_out = QTimer(self, singleShot=True, interval=0)
        self._laid_out.timeout.connect(self._end_between_facts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """End between two facts at this height, too."""
        super().resizeEvent(event)
        self._laid_out.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """End between two facts once others are laid out, or have another width."""
        if watched is self.widget() and event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.Resize}:
            self._laid_out.start()
        return super().eventFilter(watched, event)

    def be_whole(self, *, is_whole: bool) -> None:
        """Ask for the height of all facts from now on, or for none."""
        self._is_whole = is_whole
        if is_whole:
            self.setSizePolicy(self.sizePolicy().horizontalPolicy(), QSizePolicy.Policy.Preferred)
        else:
            no_higher_than_there_is_room(self)
        self._laid_out.start()

    def _end_between_facts(self) -> None:
        room_of_all = cast(QWidget, self.widget()).minimumSizeHint().height()
        self.setMinimumHeight(room_of_all if self._is_whole else 0)
        room, ends = self.contentsRect().height(), self.facts_end()
        last = max((end for end in ends if end <= room), default=room)
        self.setViewportMargins(0, 0, 0, room - last if max(ends, default=0) > room else 0)

    def facts_end(self) -> list[int]:
        """Return where each fact ends; Qt's own cells know nothing of lines that wrap."""
        ends: dict[int, int] = {}
        for place in range(self._facts.count()):
            row = cast(tuple[int, ...], self._facts.getItemPosition(place))[0]
            item = cast(QLayoutItem, self._facts.itemAt(place))
            ends[row] = max(ends.get(row, 0), item.geometry().bottom() + 1)
        return list(ends.values())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page as long as that moves by it."""
        outer = self.parentWidget()
        while outer is not None and not isinstance(outer, Page):
            outer = outer.parentWidget()
        bar = None if outer is None else outer.verticalScrollBar()
        is_down = event.angleDelta().y() < 0
        if bar is not None and (bar.value() < bar.maximum() if is_down else bar.value() > bar.minimum()):
            event.ignore()
        else:
            super().wheelEvent(event)
