"""What can be kept or shared of a report: its forms, and what is in each."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from advisor.locale import N_, Language
from advisor.records.results.report import Report
from advisor.report.charts import report_charts
from advisor.report.charts.answer_card import answer_card
from advisor.report.charts.standalone_svg import standalone
from advisor.report.content.blocks import Chart
from advisor.report.formats.print_html import Printed, printed_report, printed_sheet
from advisor.report.formats.write import Format, render

PAPER, SHEET = "pdf", "sheet"
"""The whole report on paper, and the answer alone on one page of it."""
FORMS: tuple[tuple[str, str, str], ...] = (
    ("html", N_("Web page (HTML)"), ".html"),
    (SHEET, N_("One-page summary (PDF)"), ".pdf"),
    (PAPER, N_("Whole report (PDF)"), ".pdf"),
    ("md", N_("Formatted text (Markdown)"), ".md"),
    ("text", N_("Plain text"), ".txt"),
    ("json", N_("All data (JSON)"), ".json"),
)
"""Id, name and suffix of each form of a whole report."""
USES: dict[str, str] = {
    "html": N_("The whole report with its charts. Opens in any browser, also on a phone."),
    SHEET: N_("For a boss or a friend: question, answer, prices and chart on one sheet."),
    PAPER: N_("The whole report, to be printed or kept."),
    "md": N_("For a wiki, a forum or a repository."),
    "text": N_("For a mail or a terminal."),
    "json": N_("For this program on another computer (History, Many computers), and for scripts of your own."),
}
PICTURE_USE = N_("For a message or a slide.")
"""What each form is good for."""
CARD = "answer"
"""The answer as a picture to show somebody."""
PICTURES = ("time_and_cost", "break_even", "matrix_rates")
PICTURE_SUFFIX = ".png"


@dataclass(frozen=True, kw_only=True)
class Form:
    """One way to keep or share a report.

    Attributes:
        id: ``html``, ``pdf``, ``sheet`` (a PDF of one page), ``md``, ``text``, ``json``, or the name of a chart.
        is_picture: Whether it is a chart.
    """

    id: str
    title: str
    suffix: str
    is_picture: bool = False


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What would be written, as the user sees it before.

    Attributes:
        text: The file itself, where it is text people can read.
        page: The page, where it is one to look at.
        svg: The picture, where it is one.
    """

    form: Form
    text: str = ""
    page: Printed | None = None
    svg: str = ""


def forms(report: Report, language: Language) -> tuple[Form, ...]:
    """Return every form a report can take; charts only where there is one."""
    whole = [Form(id=id_, title=language.gettext(title), suffix=suffix) for id_, title, suffix in FORMS]
    return (*whole, *_pictures(report, language))


def _pictures(report: Report, language: Language) -> Iterator[Form]:
    title = language.gettext("Picture of the answer (PNG)")
    yield Form(id=CARD, title=title, suffix=PICTURE_SUFFIX, is_picture=True)
    for name in PICTURES:
        found = chart(report, name, language)
        if found is not None:
            title = language.gettext("Picture: {title} (PNG)").format(title=found.title)
            yield Form(id=name, title=title, suffix=PICTURE_SUFFIX, is_picture=True)


def chart(report: Report, name: str, language: Language) -> Chart | None:
    """Return one of the report's charts by its name."""
    makers = {
        "time_and_cost": report_charts.time_and_cost,
        "break_even": report_charts.break_even,
        "matrix_rates": report_charts.matrix_rates,
    }
    return makers[name](report, language)


def draft(report: Report, form: Form, language: Language) -> Draft:
    """Return what would be written; takes a moment, so that it belongs in the background."""
    if form.id == CARD:
        return Draft(form=form, svg=answer_card(report, language))
    if form.is_picture:
        found = chart(report, form.id, language)
        return Draft(form=form, svg="" if found is None else standalone(found.svg))
    if form.id == SHEET:
        return Draft(form=form, page=printed_sheet(report, language))
    if form.id in {"html", PAPER}:
        return Draft(form=form, page=printed_report(report, language))
    return Draft(form=form, text=render(report, _format(form), language).decode())


def file_content(report: Report, form: Form, language: Language) -> bytes:
    """Return the bytes of a whole report in a form; a PDF takes seconds.

    Raises:
        OutputError: A PDF cannot be made here.
    """
    return render(report, _format(form), language)


def _format(form: Form) -> Format:
    found: Format = msgspec.convert(form.id, Format)
    return found


_WHATS = {
    SHEET: N_("summary"),
    CARD: N_("answer"),
    "time_and_cost": N_("time-and-cost"),
    "break_even": N_("break-even"),
    "matrix_rates": N_("matrix-rates"),
}
"""What a file holds that is not the whole report, as a part of its name."""


def file_name(report: Report, form: Form, language: Language) -> str:
    """Return a name for the file that says the day and nothing about the user."""
    day = "".join(sign for sign in report.created_at[:10] if sign.isdigit() or sign == "-")
    what = f"-{language.gettext(_WHATS[form.id])}" if form.id in _WHATS else ""
    return f"advisor-{day}{what}{form.suffix}"


def free_path(wanted: Path) -> Path:
    """Return a path at which there is nothing yet: the one wanted, else with the first free number from 2 on."""
    numbered = (wanted.with_stem(f"{wanted.stem}-{number}") for number in itertools.count(2))
    return wanted if not wanted.exists() else next(path for path in numbered if not path.exists())


def contents(report: Report, form: Form, language: Language) -> tuple[str, ...]:
    """Return in plain words what is in a form of a report."""
    _ = language.gettext
    answered = _("the question, the answer, how sure it is, and the date")
    pictured = _("the processor, and what to buy or rent, with their times")
    named = _("names of devices and offers, with their times, rates and costs")
    if form.id == SHEET:
        return answered, named
    if form.is_picture:
        return (answered, pictured) if form.id == CARD else (named,)
    parts = [
        _("processor, memory, disk, graphics cards and versions of this software"),
        _("the job, and how often, how soon and for how much money you want it done"),
        _("the answer, its reasons and the options"),
    ]
    if report.benchmark is not None:
        count = len(report.benchmark.measurements)
        text = language.ngettext("the result of {n} test", "the results of {n} tests", count)
        results = text.format(n=language.number(count))
        if without := len(report.benchmark.failures):
            text = language.ngettext(
                "{results}, and why {n} more has none", "{results}, and why {n} more have none", without
            )
            results = text.format(results=results, n=language.number(without))
        parts.insert(1, results)
    return tuple(parts)
