"""All that is known of an option, or of a few beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayoutItem,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from advisor.gui.base.context import Context
from advisor.gui.models.options.comparison import compared_facts
from advisor.gui.models.options.details import option_facts, option_origins
from advisor.gui.models.options.groups import MOST_COMPARED
from advisor.gui.widgets.basic import GRID, Body, Card, Page, button, clear, label, no_higher_than_there_is_room
from advisor.gui.widgets.number_label import Figure, at_left
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.provenance.record import Provenance, has_number
from advisor.report.words.labels import option_title

_MOST_NAMED = 8
_FIRST_FACTS = 7
"""So many are told of several at first, what they are compared by: all are higher than the window."""
_BEST_MARK = "✓"
_LEAST_HEIGHT = 150
_NAME_WIDTH, _WIDER_NAME = 14 * GRID, 16 * GRID
"""Of a fact: a longer name goes on in the next line, else no room is left for what is said of it."""


class DetailsCard(Card):
    """The facts of one option, or of some in columns.

    Signals:
        closed: The user has seen enough of several.

    Attributes:
        title: Name of the option, or what stands beside each other.
        all_button: Tells all of several, or the first facts again; hidden beside one.
        best_mark: Says what the mark behind a value is; hidden beside one.
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
        self.best_mark = label("good", wrap=False)
        head.addWidget(self.title, 1)
        head.addWidget(self.best_mark)
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
        self.title.setText(titles[0] if is_one else _("Side by side"))
        self.close_button.setText(_("Close"))
        self.close_button.setAccessibleDescription(_("Back to the chart, with one option chosen"))
        self.close_button.setVisible(not is_one)
        if is_one:
            self._name_all(is_all=True)
            self.best_mark.hide()
            facts = option_facts(options[0], report, language)
            self._show_one(options[0], [*facts, *self._alike(options[0], alike)], report)
        else:
            self._show_several(options, titles, report)
        for place in range(MOST_COMPARED):
            self._facts.setColumnStretch(1 + place, 1 if place < len(options) else 0)

    def _show_one(self, option: Option, facts: Sequence[tuple[str, str]], report: Report) -> None:
        """Show the facts of one option below each other."""
        origins = option_origins(option, report, self._context.language)
        for row, (name, value) in enumerate(facts):
            self._name_fact(name, row, _NAME_WIDTH)
            self._show_fact((row, 1), value, origins.get(name))

    def _show_several(self, options: Sequence[Option], titles: Sequence[str], report: Report) -> None:
        """Show what differs in a row each, then what does not, with a line below each row."""
        _ = self._context.gettext
        facts = compared_facts(options, report, self._context.language)
        self._name_all(is_all=len(facts) <= _FIRST_FACTS)
        shown = facts if self._is_all else facts[:_FIRST_FACTS]
        for place, title in enumerate(titles, start=1):
            head = label("strong", selectable=True)
            head.setText(title)
            self._facts.addWidget(head, 0, place, Qt.AlignmentFlag.AlignTop)
        origins = [option_origins(option, report, self._context.language) for option in options]
        row = 1
        for number, fact in enumerate(shown):
            self._facts.addWidget(_line(), row, 0, 1, -1)
            if not fact.differs and (not number or shown[number - 1].differs):
                self._facts.addWidget(self._alike_title(), row + 1, 0, 1, -1)
                row += 1
            self._name_fact(fact.name, row + 1, _WIDER_NAME)
            for place, value in enumerate(fact.values):
                origin = origins[place].get(fact.name)
                self._show_fact((row + 1, 1 + place), value, origin, is_best=fact.best == place, is_split=True)
            row += 2
        self.best_mark.setText(_("{mark} best in its row").format(mark=_BEST_MARK))
        self.best_mark.setVisible(any(fact.best is not None for fact in shown))

    def _alike_title(self) -> QLabel:
        title = label("strong")
        title.setText(self._context.gettext("No difference"))
        return title

    def _name_fact(self, name: str, row: int, width: int) -> None:
        """Put the name of a fact before its values: letters of one size, so that all stand on one line."""
        caption = label("lead", wrap=False)
        caption.setText(name)
        most = round(width * self._context.text_scale)
        if caption.sizeHint().width() > most:
            caption.setWordWrap(True)
            caption.setFixedWidth(most)
        self._facts.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)

    def _turn_all(self) -> None:
        self._is_all = not self._is_all
        self._shown()

    def _name_all(self, *, is_all: bool) -> None:
        """Offer the facts that are not told, where there are any."""
        _ = self._context.gettext
        self.all_button.setText(_("Fewer facts") if self._is_all else _("All facts"))
        self.all_button.setAccessibleDescription(_("Shows all that is known of each option, or what matters most"))
        self.all_button.setVisible(not is_all)

    def grow(self, *, is_whole: bool) -> None:
        """Be as high as all facts, so that the page scrolls and nothing here does; or as there is room."""
        self.setMinimumHeight(0 if is_whole else round(_LEAST_HEIGHT * self._context.text_scale))
        self._area.be_whole(is_whole=is_whole)

    def _show_fact(
        self,
        cell: tuple[int, int],
        value: str,
        origin: Provenance | None,
        *,
        is_best: bool = False,
        is_split: bool = False,
    ) -> None:
        """Show a value; what stands in brackets behind it goes into a line of its own where values are compared."""
        main, note = _split(value) if is_split else (value, "")
        parts = [(f"{main} {_BEST_MARK}" if is_best else main, "best" if is_best else "body"), (note, "muted")]
        column = QVBoxLayout()
        column.setSpacing(0)
        for text, role in parts:
            if not text:
                continue
            if origin is not None and has_number(text):
                figure = Figure(self._context, role=role, wrap=True)
                figure.show_value(text, origin)
                column.addLayout(at_left(figure))
                continue
            content = label(role, selectable=True)
            content.setText(text)
            column.addWidget(content)
        column.addStretch(1)
        self._facts.addLayout(column, *cell)

    def _alike(self, option: Option, alike: Mapping[str, Sequence[Option]] | None) -> list[tuple[str, str]]:
        """Return what shares the row of an option."""
        others = (alike or {}).get(option.id, ())
        return [(self._context.gettext("Alike"), self._named(others))] if others else []

    def _named(self, options: Sequence[Option]) -> str:
        """Return the names of options, and how many more there are."""
        language = self._context.language
        named = "; ".join(option_title(one, language) for one in options[:_MOST_NAMED])  # titles have commas
        more = len(options) - _MOST_NAMED
        if more <= 0:
            return named
        text = language.ngettext("{names} and {n} more", "{names} and {n} more", more)
        return text.format(names=named, n=language.number(more))


def _split(value: str) -> tuple[str, str]:
    """Return a value without what stands in brackets behind it, and that."""
    main, bracket, note = value.partition(" (")
    return (main, note.removesuffix(")")) if bracket and value.endswith(")") else (value, "")


def _line() -> QFrame:
    """Return the line below a row."""
    made = QFrame()
    made.setObjectName("row_line")
    made.setFixedHeight(1)
    return made


class _Inner(QScrollArea):
    """An area on a page that scrolls, too: the wheel moves the page to its end first, so that it is never caught.

    What is seen before anybody scrolls ends between two facts: no line is cut. Later all of the room is used: the last
    fact stood above a blank foot.
    """

    def __init__(self, facts: QGridLayout) -> None:
        super().__init__()
        self._facts, self._is_whole = facts, False
        no_higher_than_there_is_room(self)
        self._laid_out = QTimer(self, singleShot=True, interval=0)
        self._laid_out.timeout.connect(self._end_between_facts)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._laid_out.start())

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
        is_cut = max(ends, default=0) > room and self.verticalScrollBar().value() == 0
        self.setViewportMargins(0, 0, 0, room - last if is_cut else 0)

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
