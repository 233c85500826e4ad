"""The section that puts times others published beside this program's own for the same hardware."""

from advisor.locale import N_, Language
from advisor.records.results.published import BesidePublished
from advisor.records.results.report import Report
from advisor.report.content.blocks import Block, Paragraph, Section, Table
from advisor.report.words import quantities
from advisor.report.words.labels import spoken_date

NOTES = (
    N_("BERT base for many languages, with a larger table of words"),
    N_("VITS with several voices, what waits between two epochs included"),
    N_("with photos 480 to 800 pixels high, ours 800"),
    N_("writes out its test set five times in the process"),
)
"""What ``resources/references/jobs.toml`` says of single figures beside names of networks."""


def beside_published(report: Report, language: Language) -> Section:
    """Return each published time of the job's network with our own and the error; a sentence where there is none."""
    _ = language.gettext
    title = _("Compared with published times")
    if report.workload.task != "train" or report.workload.method == "classical":
        return Section("published", title, ())
    if not report.published:
        none = _(
            "This program knows of no published time with a date for such a job, so there is nothing to compare "
            "ours with."
        )
        return Section("published", title, (Paragraph(none),))
    header = (_("Their hardware"), _("Theirs, a step"), _("Ours, a step"), _("Ours is"), _("Source"))
    rows = tuple(_row(one, language) for one in report.published)
    said = _("One step of this network, with their batch and settings, which may differ from yours.")
    blocks: tuple[Block, ...] = (Paragraph(said), Table(header, rows, numeric=frozenset({1, 2, 3})))
    return Section("published", title, blocks)


def _row(one: BesidePublished, language: Language) -> tuple[str, ...]:
    count = "" if one.device_count == 1 else f"{language.number(one.device_count)} × "
    source = one.source
    return (
        f"{count}{one.device}",
        quantities.exact_seconds(one.published_s, language),
        quantities.exact_seconds(one.predicted_s, language),
        _error(one, language),
        f"{source.author}, {spoken_date(source.date, language)}: {source.title}"
        + (f" ({language.gettext(one.note)})" if one.note else ""),
    )


def _error(one: BesidePublished, language: Language) -> str:
    ratio = one.predicted_s / one.published_s - 1
    if round(100 * ratio) == 0:
        return language.gettext("as long")
    text = language.gettext("{share} longer") if ratio >= 0 else language.gettext("{share} shorter")
    return text.format(share=language.percent(abs(ratio)))
