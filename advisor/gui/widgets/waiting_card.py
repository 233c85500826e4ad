"""A check that waits for a quiet computer, in one line above the pages: what for, and how to have it now or not."""

from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, NO_LIMIT, Card, button, label
from advisor.records.hardware.interference import OTHER_LOAD_RATIO, Interference
from advisor.records.results.measured.measurement import most_lost_ratio
from advisor.report.words import quantities
from advisor.report.words.problems import DOUBTS, doubt_sentence

PATIENCE_S = 180.0
"""After it a quiet moment may never come, and the user decides better with what measuring now would cost."""
_MOST_TAKEN = 0.9
"""Beyond it a time tells nothing, and no number of times says more."""


class WaitingCard(QWidget):
    """What a check waits for; the rest of the window can be used meanwhile.

    It has one height, and keeps its place when the check begins by itself, until that ends or the user does something:
    it went, and the page jumped by 90 pixels under the pointer.

    Attributes:
        has_begun: The check has begun by itself; nothing waits any more.
    """

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._found = Interference()
        self._waited_s = 0.0
        self.has_begun = False
        self.sentence = label("body")
        self._room = label("body")
        self.wanted = button("link")
        self.stop = button("link")
        row = QHBoxLayout()
        row.setSpacing(2 * GRID)
        row.addLayout(self._words(), 1)
        row.addWidget(self.wanted)
        row.addWidget(self.stop)
        card = Card(margin=2 * GRID)
        card.body.addLayout(row)
        around = QVBoxLayout(self)
        around.setContentsMargins(4 * GRID, 3 * GRID, 4 * GRID, 0)
        around.addWidget(card)
        self.hide()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _words(self) -> QGridLayout:
        """Return the sentence in the room of the longest one: the page does not move when that is said."""
        policy = self._room.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._room.setSizePolicy(policy)
        self._room.hide()
        one_place = QGridLayout()
        for words in (self._room, self.sentence):
            one_place.addWidget(words, 0, 0)
        return one_place

    def show_waiting(self, found: Interference, waited_s: float) -> None:
        """Say what is in the way now, and after a while what measuring all the same costs."""
        self._found, self._waited_s, self.has_begun = found, waited_s, False
        self.setMinimumHeight(0)
        self.setMaximumHeight(NO_LIMIT)
        self.wanted.show()
        self.retranslate()
        self.show()

    def show_begun(self, *, is_seen: bool) -> None:
        """Say that the check has begun by itself, and where it can be seen unless it is seen already."""
        self.has_begun = True
        self.wanted.setVisible(not is_seen)
        self.setFixedHeight(self.height())  # its words and buttons are others now
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("A check that waits"))
        if self.has_begun:
            self._say_begun()
            return
        parts = [self._waiting()]
        if self._waited_s >= PATIENCE_S:
            parts.append(self._price(self._waited_s))
        self._room.setText(" ".join((self._waiting(), self._price(max(self._waited_s, PATIENCE_S)))))
        self.sentence.setText(" ".join(parts))
        self.wanted.setText(_("Measure now anyway"))
        self.wanted.setAccessibleDescription(_("Starts the check now; its results say what interfered"))
        self.stop.setText(_("Stop waiting"))
        self.stop.setAccessibleDescription(_("Nothing is measured; you can start the check again later"))

    def _say_begun(self) -> None:
        _ = self._context.gettext
        self.sentence.setText(_("The computer was quiet when the check began."))
        self.wanted.setText(_("See the check"))
        self.wanted.setAccessibleDescription(_("Opens the page Advice"))
        self.stop.setText(_("Close"))
        self.stop.setAccessibleDescription(_("Closes this line; the check goes on"))

    def _waiting(self) -> str:
        """Return what the check waits for, with how it stands."""
        _, language = self._context.gettext, self._context.language
        taken = self._taken_ratio()
        said = []
        if taken is not None:
            text = _("The check waits until other programs use less than {share} of the processor (now {now}).")
            said.append(text.format(share=language.percent(OTHER_LOAD_RATIO), now=language.percent(taken)))
        others = [
            one for one in self._found.conditions if one.kind in DOUBTS and (one.kind != "other_load" or not said)
        ]
        if not said:
            said.append(_("The check waits."))
        said += [doubt_sentence(one, self._found.programs, language) for one in others]
        return " ".join(said)

    def _price(self, waited_s: float) -> str:
        """Return how long it has waited, and how much less sure a check would be now."""
        _, language = self._context.gettext, self._context.language
        waited = quantities.duration(waited_s, language)
        taken = self._taken_ratio()
        if taken is None or taken > _MOST_TAKEN:
            text = _("No quiet moment in {time}. You can measure now, but the times would be much less certain.")
            return text.format(time=waited)
        times = quantities.factor(1.0 / (1.0 - most_lost_ratio(taken)), language)
        text = _(
            "No quiet moment in {time}. You can measure now, but the times would be less certain: they may come "
            "out up to {times} times as long as on a quiet computer."
        )
        return text.format(time=waited, times=times)

    def _taken_ratio(self) -> float | None:
        """Return the share of the processor that others use, where it is known."""
        return next(
            (one.value for one in self._found.conditions if one.kind == "other_load" and one.unit == "ratio"), None
        )
