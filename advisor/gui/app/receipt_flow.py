"""Was it true? An earlier answer is opened, and the user tells or measures what a run really takes."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject

from advisor.errors import AdvisorError
from advisor.gui.app.check_flow import CheckFlow
from advisor.gui.base.context import Context
from advisor.gui.controllers.controllers import Controllers
from advisor.gui.controllers.history_controller import PastAnswer
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.gui.widgets.receipt_card import ReceiptCard
from advisor.records.results.receipt import Receipt


class ReceiptFlow(QObject):
    """Joins the card under an earlier answer with the history and with a check."""

    def __init__(self, controllers: Controllers, context: Context, check_flow: CheckFlow) -> None:
        super().__init__()
        self._controllers = controllers
        self._context = context
        self._check_flow = check_flow
        self._past: PastAnswer | None = None
        self._awaited: PastAnswer | None = None
        self._card: ReceiptCard | None = None
        check = controllers.check_runner
        check.succeeded.connect(self._on_checked)
        check.failed.connect(self._forget)
        check.cancelled.connect(self._forget)

    def take_card(self, card: ReceiptCard) -> None:
        """Serve the card of the answer, which is made when it is first needed."""
        self._card = card
        card.told.connect(self._on_told)
        card.measure.clicked.connect(self._on_measure)

    def show_past(self, past: PastAnswer) -> None:
        """Ask about an earlier answer that is shown now."""
        self._past = past
        if self._card is not None and not self._controllers.check_runner.is_running:
            self._card.show_past(past.answer.report)

    def _on_told(self, option: str, seconds: float) -> None:
        past = self._past
        if past is not None:
            self._keep(past, lambda: self._controllers.backend.told(past.answer.report, option, seconds))

    def _on_measure(self) -> None:
        """Check this computer for the question of the answer, which is that of the moment since it was opened."""
        past, card = self._past, self._card
        if past is None or card is None:
            return
        try:
            self._controllers.backend.check_again(past.answer.report)
        except AdvisorError as error:
            card.show_problem(error.sentence(self._context.gettext))
            return
        self._controllers.question.load_report(past.answer.report)
        self._awaited = past
        self._check_flow.start_quick()

    def _on_checked(self, answer: ShownAnswer) -> None:
        past, self._awaited = self._awaited, None
        if past is None or self._card is None:
            return
        self._card.show_past(past.answer.report)
        self._keep(past, lambda: self._controllers.backend.measured_again(past.answer.report, answer.report))

    def _forget(self, _reason: object = None) -> None:
        self._awaited = None

    def _keep(self, past: PastAnswer, find_out: Callable[[], Receipt]) -> None:
        """Keep what came of an answer and tell it, or why nothing did."""
        card = self._card
        if card is None:
            return
        try:
            receipt = find_out()
        except AdvisorError as error:
            card.show_problem(error.sentence(self._context.gettext))
            return
        self._controllers.history.keep_receipt(past.entry.id, receipt)
        report = past.answer.report
        others = tuple(one for one in report.receipts if (one.option, one.how) != (receipt.option, receipt.how))
        report = msgspec.structs.replace(report, receipts=(*others, receipt))
        self._past = PastAnswer(entry=past.entry, answer=ShownAnswer(report=report, view=past.answer.view))
        card.show_past(report)
