"""The report as one HTML file that needs nothing else: style and charts inside, no script, printable."""

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from advisor.locale import Language
from advisor.records.report import Report
from advisor.report.blocks import Bullets, Figure, Pairs, Paragraph, Table
from advisor.report.charts import SHAPES
from advisor.report.content import document
from advisor.report.terms import tier_name
from advisor.resource import resource_path

_KINDS = {Paragraph: "paragraph", Bullets: "bullets", Table: "table", Pairs: "pairs", Figure: "figure"}


def html_report(report: Report, language: Language) -> str:
    """Return the report as a self-contained HTML document; everything from the report is escaped."""
    return _template().render(
        content=document(report, language),
        code=language.code,
        tier=report.advice.tier,
        tier_names={tier: tier_name(tier, language) for tier in SHAPES},
        kind_of=lambda block: _KINDS[type(block)],
        safe_svg=Markup,  # charts escape their own texts
        table_label=language.gettext("The same numbers as a table"),
        contents_label=language.gettext("Contents"),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(resource_path("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("report.html.jinja")
