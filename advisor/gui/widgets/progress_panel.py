"""Show a session while it runs: what is being done, how long still, every test with how it stands, and Cancel."""

from PySide6.QtWidgets import QGridLayout, QProgressBar, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.planned_tests import PlannedTest
from advisor.gui.models.progress import ProgressModel
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, label
from advisor.gui.widgets.number_label import Statement
from advisor.gui.widgets.sensor_strip import SensorStrip
from advisor.records.job.workload import Workload

_ROLES = {"waiting": "lead", "running": "body", "done": "body", "disturbed": "body", "without": "lead"}
_MARKS = {"waiting": "", "running": "▸", "done": "✓", "disturbed": "⚠", "without": "–"}


class ProgressPanel(QWidget):
    """Progress in words, with buttons for whoever runs the session: ``cancel``, ``skip`` and ``pause``.

    Attributes:
        workload: The job whose pace is told as soon as it is known; None: of none.
        sensors: What the computer is doing meanwhile.
    """

    def __init__(self, context: Context, *, has_results: bool = True) -> None:
        super().__init__()
        self._context = context
        self._has_results = has_results
        self._is_paused = False
        self._shown: tuple[PlannedTest, ...] = ()
        self._seen: tuple[ProgressModel, int, str] | None = None
        self._rows: list[list[QWidget]] = []
        self._progress: ProgressModel | None = None
        self._is_stopping = False
        self.workload: Workload | None = None
        self.sentence = label("title")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.count = label("muted")
        self.sensors = SensorStrip(context)
        self.results_title = label("strong")
        self.pace = label("body", selectable=True)
        self.pace.hide()
        self.cancel = button("plain")
        self.skip = button("link")
        self.pause = button("link")
        self._results = QGridLayout()
        self._results.setHorizontalSpacing(2 * GRID)
        self._results.setVerticalSpacing(GRID // 2)
        self._results.setColumnMinimumWidth(0, 2 * GRID)
        self._results.setColumnStretch(1, 1)
        self._results.setColumnStretch(2, 1)
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        card = Card()
        card.body.setSpacing(2 * GRID)
        card.body.addWidget(self.sentence)
        card.body.addWidget(self.bar)
        buttons = FlowLayout(2 * GRID)  # in one line with the count they were wider than a small window
        for made in (self.cancel, self.pause, self.skip):
            buttons.addWidget(made)
        card.body.addLayout(buttons)
        card.body.addWidget(self.count)  # below the buttons: its second line would push them from under the pointer
        card.body.addWidget(self.sensors)
        self.results = Card()
        self.results.body.addWidget(self.results_title)
        (self.results if self._has_results else card).body.addWidget(self.pace)
        self.results.body.addLayout(self._results)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        column.addWidget(card)
        if self._has_results:
            column.addWidget(self.results)
            column.addStretch(1)

    def start(self) -> None:
        """Show that a session has just begun."""
        self.cancel.setEnabled(True)
        self.bar.setRange(0, 0)

    def show_progress(self, progress: ProgressModel, *, is_stopping: bool, is_paused: bool = False) -> None:
        """Show how far the session is."""
        self._progress, self._is_stopping, self._is_paused = progress, is_stopping, is_paused
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.skip.setText(_("Skip this test"))
        self.skip.setAccessibleDescription(_("Leaves out the test that runs now and goes on with the next"))
        self.pause.setText(_("Go on") if self._is_paused else _("Pause after this test"))
        self.pause.setAccessibleDescription(_("The test that runs is finished; the next one waits until you go on"))
        self.cancel.setText(_("Cancel"))
        self.cancel.setAccessibleDescription(_("Stops the check; nothing is kept running"))
        self.bar.setAccessibleName(_("Progress of the check"))
        self.bar.setAccessibleDescription(_("How much of the planned time is over"))
        self.results_title.setText(_("What is tested"))
        if self._progress is not None:
            self._show(self._progress, is_stopping=self._is_stopping)

    def _show(self, progress: ProgressModel, *, is_stopping: bool) -> None:
        _ = self._context.gettext
        language = self._context.language
        self.sentence.setText(self._sentence(progress, is_stopping=is_stopping))
        self.cancel.setEnabled(not is_stopping)
        self.skip.setEnabled(not is_stopping and progress.is_measuring)
        self.pause.setEnabled(not is_stopping and (progress.is_measuring or self._is_paused))
        fraction = progress.fraction
        if fraction is None:
            self.bar.setRange(0, 0)
        else:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(1000 * fraction))
        self.count.setText(progress.count_sentence(language))
        self.count.setVisible(bool(self.count.text()))
        if self._has_results and self._seen != (progress, progress.version, language.code):
            self._seen = progress, progress.version, language.code
            self._show_tests(progress.tests(language))
        self._show_pace(progress.pace(self.workload, language))

    def _show_pace(self, sentence: str) -> None:
        """Say what the results mean for the job; empty: nothing yet."""
        if sentence != self.pace.text():
            self.pace.setText(sentence)
        self.pace.setVisible(bool(sentence))

    def _sentence(self, progress: ProgressModel, *, is_stopping: bool) -> str:
        """Return what is being done, and honestly when a pause begins."""
        _ = self._context.gettext
        if is_stopping:
            return _("Stopping …")
        if not self._is_paused:
            return progress.sentence(self._context.language)
        if progress.is_measuring:
            return _("{doing}. Pauses after this test.").format(doing=progress.doing(self._context.language))
        return _("Paused. The next test begins when you go on.")

    def _show_tests(self, tests: tuple[PlannedTest, ...]) -> None:
        """Show every test; a row that stands as before stays, for each that is made anew costs the measurement time."""
        for place, test in enumerate(tests):
            if place >= len(self._shown) or self._shown[place] != test:
                self._show_row(place, test)
        while len(self._rows) > len(tests):
            self._take_away(self._rows.pop())
        self._shown = tests

    def _show_row(self, place: int, test: PlannedTest) -> None:
        if place == len(self._rows):
            self._rows.append([])
        self._take_away(self._rows[place])
        purpose, mark, title = label("strong"), label(_ROLES[test.state], wrap=False), label(_ROLES[test.state])
        purpose.setText(test.purpose)
        mark.setText(_MARKS[test.state])
        mark.setToolTip(test.remark)
        mark.setAccessibleName(" ".join(filter(None, (_MARKS[test.state], test.remark))))
        title.setText(test.title)
        result = Statement(self._context, _ROLES[test.state]).show_text(test.result, test.origin)
        row = 2 * place + 1
        if test.purpose:
            self._results.addWidget(purpose, row - 1, 0, 1, 3 if test.title else 2)
        if test.title:
            self._results.addWidget(mark, row, 0)
            self._results.addWidget(title, row, 1)
        self._results.addWidget(result, row if test.title else row - 1, 2)
        self._rows[place] = [one for one in (purpose, mark, title, result) if one.parent() is not None]

    def _take_away(self, row: list[QWidget]) -> None:
        for widget in row:
            self._results.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        row.clear()
