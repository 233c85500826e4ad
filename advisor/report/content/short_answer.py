"""The answer in short, to be pasted into a message: the question, the verdict, the options, how sure, the date."""

from html import escape
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.content import sections
from advisor.report.content.answer import answer_notes
from advisor.report.content.options.best import best_options
from advisor.report.content.options.option_rows import option_row, over_months
from advisor.report.content.options.trade import free_in_time, twice_sentences
from advisor.report.words.advice.money import money_sentence
from advisor.report.words.advice.run_time import epochs_sentence, time_sentence
from advisor.report.words.advice.verdict import confidence_sentence, verdict_sentence
from advisor.report.words.labels import spoken_date


class ShortAnswer(NamedTuple):
    """The same words as plain text and as HTML, for whatever takes them."""

    text: str
    html: str


def short_answer(report: Report, language: Language) -> ShortAnswer:
    """Return the answer in a dozen lines at most; it names no user, computer or file."""
    question, verdict = sections.question(report, language), verdict_sentence(report, language)
    said = [one(report, language) for one in (time_sentence, epochs_sentence, money_sentence)]
    said = [one for one in said if one]
    said += [one.text for one in (*free_in_time(report, language), *twice_sentences(report, language))]
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


def _option(option: Option, report: Report, language: Language) -> str:
    """Return an option in a line; of one that cannot do the job, why."""
    row = option_row(option, report, language, is_alone=True)
    if option.run_s is None or option.obstacle == "does_not_fit":
        return f"{row.tier}: {', '.join(filter(None, (row.title, row.remark)))}"
    time = f"{row.time} ({row.start})" if row.start else row.time
    said = ", ".join(filter(None, (row.title, time, row.cost, row.price, row.host)))
    total = over_months(row, report, language)
    return f"{row.tier}: {said} ({total})" if total else f"{row.tier}: {said}"
