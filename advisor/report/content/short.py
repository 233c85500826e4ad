"""The answer in short, to be pasted into a message: the question, the verdict, the options, how sure, the date."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.job.advice import Option, Tier
from advisor.records.results.report import Report
from advisor.report.content import sections
from advisor.report.content.answer import answer_notes
from advisor.report.content.job_changes import twice_changes
from advisor.report.content.options.option_rows import option_row
from advisor.report.words.advice.trade import twice_sentence
from advisor.report.words.advice.verdict import (
    confidence_sentence,
    epochs_sentence,
    money_sentence,
    time_sentence,
    verdict_sentence,
)
from advisor.report.words.labels import spoken_date

_MUCH_FASTER = 1.9
"""From here on, rounded times show that something is about twice as fast."""
_ORDER: tuple[Tier, ...] = ("this_computer", "single_gpu", "cloud", "cluster")


class ShortAnswer(NamedTuple):
    """The same words as plain text and as HTML, for whatever takes them."""

    text: str
    html: str


def best_options(report: Report) -> tuple[Option, ...]:
    """Return the chosen option, then the best of every other answer that can do the job, always in one order.

    Which purchase and which rent are the best is what the trade beside the answer says, where there is one.
    A cluster is shown only where it is the answer or the site's own: nobody weighs it against a laptop.
    """
    trade, best = report.advice.trade, dict[Tier, Option]()
    named = {row.option for row in (() if trade is None else trade.rows) if {"buy", "rent"} & set(row.roles)}
    named -= {option.id for option in report.advice.options if not _is_worth_naming(option, report)}
    for option in sorted(report.advice.options, key=lambda one: (one.id != report.advice.chosen, one.id not in named)):
        is_worth_it = option.tier != "cluster" or option.site_nodes or report.advice.tier == "cluster"
        if option.run_s is not None and is_worth_it and (option.feasible or option.tier == "this_computer"):
            best.setdefault(option.tier, option)
    chosen = report.advice.tier
    return tuple(sorted(best.values(), key=lambda one: (one.tier != chosen, _ORDER.index(one.tier))))


def _is_worth_naming(option: Option, report: Report) -> bool:
    """Return whether an alternative to a computer that is enough is more than a little faster than it.

    Else two cards for 1,700 USD stood beside a laptop that takes half a minute longer.
    """
    chosen = next((one for one in report.advice.options if one.id == report.advice.chosen), None)
    if chosen is None or chosen.tier != "this_computer" or chosen.run_s is None or option.run_s is None:
        return True
    return option.run_s * _MUCH_FASTER <= chosen.run_s


def short_answer(report: Report, language: Language) -> ShortAnswer:
    """Return the answer in a dozen lines at most; it names no user, computer or file."""
    question, verdict = sections.question(report, language), verdict_sentence(report, language)
    said = [one(report, language) for one in (time_sentence, epochs_sentence, money_sentence)]
    said = [one for one in said if one]
    said += list(_twice(report, language))
    said += [note.text for note in answer_notes(report, language)]
    options = [_option(one, report, language) for one in best_options(report)]
    made = f"advisor · {spoken_date(report.created_at, language)}"
    sure = confidence_sentence(report, language)
    text = [question, "", verdict, *said, "", *(f"• {one}" for one in options), *([""] if options else []), sure, made]
    items = "".join(f"<li>{escape(one)}</li>" for one in options)
    html = (
        f"<p>{escape(question)}</p><p><b>{escape(verdict)}</b></p><p>{'<br>'.join(map(escape, said))}</p>"
        f"{f'<ul>{items}</ul>' if items else ''}<p>{escape(sure)}<br>{escape(made)}</p>"
    )
    return ShortAnswer("\n".join(text), html)


def _twice(report: Report, language: Language) -> Iterator[str]:
    """Yield what it takes to be at least twice as fast, where that was asked of the options."""
    reasons = () if report.advice.trade is None else report.advice.trade.reasons
    for reason in reasons:
        if reason.code in ("twice", "twice_none"):
            yield from (change.text for change in twice_changes(report, language))
            yield twice_sentence(reason, report, language, alone=True)


def _option(option: Option, report: Report, language: Language) -> str:
    row = option_row(option, report, language)
    return f"{row.tier}: {', '.join(filter(None, (row.title, row.time, row.cost, row.host)))}"
