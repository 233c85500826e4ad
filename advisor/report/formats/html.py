"""The report as one HTML file that needs nothing else: style and charts inside, no script, printable."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.content.blocks import Bullets, Figure, Fold, Heading, Pairs, Paragraph, Table
from advisor.report.content.document import Document
from advisor.report.content.document_builder import document
from advisor.report.content.source_notes import Notes
from advisor.resource import resource_path

if TYPE_CHECKING:
    from jinja2 import Template

KINDS = {
    Paragraph: "paragraph",
    Bullets: "bullets",
    Table: "table",
    Pairs: "pairs",
    Figure: "figure",
    Heading: "heading",
    Fold: "fold",
}
"""What the templates call the parts of a report."""


def html_report(report: Report, language: Language) -> str:
    """Return the report as a self-contained HTML document; everything from the report is escaped."""
    return html_page(document(report, language), language)


def html_page(page: Document, language: Language) -> str:
    """Return a page as a self-contained HTML document."""
    from markupsafe import Markup

    notes = Notes(page)
    return _template().render(
        content=page,
        note_of=notes.number,
        notes=tuple(notes.told(language)),
        **note_labels(language),
        code=language.code,
        kind_of=lambda block: KINDS[type(block)],
        safe_svg=Markup,  # charts escape their own texts
        table_label=language.gettext("The same numbers as a table"),
        contents_label=language.gettext("Contents"),
        close_label=language.gettext("Close"),
        hint=language.gettext(
            "A number that is underlined, or the small one behind a sentence, opens its note: what it rests on, its "
            "error band, inputs, method, source and date, and a command that checks it. On paper, all notes stand here."
        ),
    )


def note_labels(language: Language) -> dict[str, str]:
    """Return the words that every list of notes has."""
    _ = language.gettext
    return {
        "notes_label": _("Where the numbers come from"),
        "note_label": _("Where this number comes from"),
        "check_label": _("To check it, in a terminal:"),
    }


@cache
def _template() -> Template:
    return load_template("report.html.jinja")


def load_template(name: str) -> Template:
    """Return a template of the shipped ones; it escapes what it is given and refuses names it was not."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # a text or JSON report does without

    environment = Environment(
        loader=FileSystemLoader(resource_path("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)
