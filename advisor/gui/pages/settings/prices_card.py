"""How old the prices are, and fetching newer ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.pages.settings.kept_data_card import ConfirmButton
from advisor.gui.widgets.basic import Card, label
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.locale import N_
from advisor.records.hardware.device import RefreshResult


class PricesCard(Card):
    """How old the cloud prices are, and how to renew them; nothing is fetched unasked."""

    def __init__(self, context: Context, background: BackgroundTasks, backend: Backend) -> None:
        super().__init__()
        self._backend = backend
        self._context = context
        self._background = background
        self._known: Mapping[str, str] = {}
        self._refused: Mapping[str, str] = {}
        self._said: Callable[[], str] = str
        self.title = label("title")
        self.age = label("body")
        self.refused = label("warning", selectable=True)
        self.asking = ConfirmButton(self._refresh)
        self.outcome = label("muted", selectable=True)
        self.problem = ProblemCard(context)
        for widget in (self.title, self.age, self.refused, self.asking, self.outcome, self.problem):
            self.body.addWidget(widget)
        context.language_changed.connect(self.retranslate)
        self.retranslate()
        background.run(self._read, "prices", self._on_read, self._on_unread)

    def _read(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the dates of the prices in use and why others are not; runs in a thread."""
        return self._backend.price_dates(), self._backend.refused_prices()

    def _on_read(self, read: tuple[Mapping[str, str], Mapping[str, str]]) -> None:
        self._known, self._refused = read
        self.retranslate()

    def _on_unread(self, problem: Problem) -> None:
        self.problem.show_problem(problem, N_("The dates of the prices could not be read."))

    def _refresh(self) -> None:
        self.asking.setEnabled(False)
        self.problem.dismiss()
        self._show_outcome(lambda: self._context.gettext("Fetching prices …"))
        self._background.run(self._backend.refresh_prices, "prices", self._on_renewed, self._on_failed)

    def _on_renewed(self, result: RefreshResult) -> None:
        from advisor.catalog.refresh import explain_problem

        def words() -> str:
            language = self._context.language
            text = language.ngettext(
                "The prices of {n} provider are new.", "The prices of {n} providers are new.", len(result.renewed)
            )
            lines = [text.format(n=language.number(len(result.renewed)))]
            return "\n".join(lines + [explain_problem(one, language) for one in result.problems])

        self.asking.setEnabled(True)
        self._show_outcome(words)
        self._background.run(self._read, "prices", self._on_read, self._on_unread)

    def _on_failed(self, problem: Problem) -> None:
        self.asking.setEnabled(True)
        self._show_outcome(str)
        self.problem.show_problem(problem, N_("The prices could not be renewed."))

    def _show_outcome(self, words: Callable[[], str]) -> None:
        self._said = words
        self.outcome.setText(words())
        self.outcome.setVisible(bool(words()))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.title.setText(_("Cloud prices"))
        self.age.setText(self._age_text())
        self.refused.setText(self._refused_text())
        self.refused.setVisible(bool(self._refused))
        self.asking.name(
            _("Update prices …"),
            _(
                "This opens a connection to the price list of gpuhunt (dstack). "
                "Nothing about you or this computer is sent."
            ),
            _("Connect and renew"),
            _("Do not connect"),
        )
        self._show_outcome(self._said)

    def _refused_text(self) -> str:
        if not self._refused:
            return ""
        from advisor.report.words.advice.prices import refusal_sentence

        return "\n".join(refusal_sentence(*one, self._context.language) for one in self._refused.items())

    def _age_text(self) -> str:
        import datetime

        _ = self._context.gettext
        if not self._known:
            return _("No prices are known.")
        language = self._context.language
        oldest, newest = min(self._known.values()), max(self._known.values())
        days = [language.date(datetime.date.fromisoformat(day)) for day in (oldest, newest)]
        count = language.number(len(self._known))
        if oldest == newest:
            return _("Prices of {count} providers, read on {day}.").format(count=count, day=days[0])
        text = _("Prices of {count} providers, collected between {first} and {last}.")
        return text.format(count=count, first=days[0], last=days[1])
