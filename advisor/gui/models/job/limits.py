"""What limits the answer and stands only in the form: said in a few words where the form is closed."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.gui.models.job.question import Question
from advisor.locale import N_, Language
from advisor.records.job.workload import Circumstances
from advisor.report.words import quantities

_ADVANCED = {
    "batch_size": N_("Batch size"),
    "precision": N_("Precision"),
    "optimizer": N_("Optimizer"),
    "loaders": N_("Photos loaded by"),
    "framework_year": N_("Year of the framework"),
    "attention": N_("Attention"),
    "channels_last": N_("Channels-last memory layout"),
    "compiled": N_("Compile the network"),
    "setup_s": N_("Set-up per run"),
    "upload_bytes_per_s": N_("Upload speed"),
    "download_bytes_per_s": N_("Download speed"),
    "failed_tries": N_("Failed runs"),
}
"""Names of the folded fields, by the fact each of them writes."""
_MOST_NAMES = 2


def limits(question: Question, language: Language) -> str:
    """Return the limits that are set, and which folded fields differ from what is usual; empty where none does.

    They go on counting though nobody sees the form: the next question was answered within a budget of the last.
    """
    return " · ".join(_limits(question, language))


def _limits(question: Question, language: Language) -> Iterator[str]:
    _, asked, usual = language.gettext, question.circumstances, Circumstances()
    if asked.budget_usd is not None:
        amount = round(asked.budget_usd / question.usd_per_shown_unit)  # as it stands in the form
        yield _("budget {amount}").format(amount=language.money(amount, asked.currency))
    if asked.data_must_stay:
        yield _("no cloud")
    if asked.horizon_months != usual.horizon_months:
        yield _("{months} of use").format(months=quantities.months(asked.horizon_months, language))
    said = {name for name in _ADVANCED if getattr(asked, name, None) != getattr(usual, name, None)}
    names = [_named(name, question, language) for name in _ADVANCED if name in question.changed | said]
    if names:
        shown = names[:_MOST_NAMES] + ["…"] * (len(names) > _MOST_NAMES)
        yield _("Advanced: {names}").format(names=", ".join(shown))


def _named(name: str, question: Question, language: Language) -> str:
    """Return what a field is called; of what changes an answer the most, with what was chosen."""
    title = language.gettext(_ADVANCED[name])
    if question.workload is None or name not in ("precision", "batch_size"):
        return title
    value = question.workload.precision if name == "precision" else language.number(question.workload.batch_size)
    if value == "amp":
        value = language.gettext("mixed precision")
    return f"{title}: {value}"
