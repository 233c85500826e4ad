"""The articles' figures beside the same measured here: their hardware as rows to compare with, no score."""

from collections.abc import Callable
from typing import Final

from advisor.locale import N_, Language
from advisor.records.results.provenance import Provenance
from advisor.records.results.reference import BesideArticle, FigureQuantity
from advisor.records.results.report import Report
from advisor.report.content.blocks import Block, Chart, Figure, Heading, Paragraph, Picture, Section, Table
from advisor.report.words import quantities
from advisor.report.words.cases import device_phrase, network_phrase, variant_phrase
from advisor.report.words.labels import spoken_date
from advisor.report.words.problems import FAILURES, GAP_REASONS
from advisor.units import HOUR_S

_QUANTITIES: Final[dict[FigureQuantity, str]] = {
    "epoch_s": N_("an epoch of {network}"),
    "all_epochs_s": N_("all {epochs} epochs of {network}, batch {batch}"),
    "infer_image_s": N_("{network} applied to an image"),
    "speed_up_times": N_("{network}: card against processor"),
    "product_times": N_("large matrix products: card against processor"),
    "cpu_ratio": N_("processor in use, {network}, batch {batch}"),
    "cpu_temperature_celsius": N_("heat of the processor, {network}, batch {batch}"),
    "host_memory_bytes": N_("main memory, {network}, batch {batch}"),
    "device_ratio": N_("card in use, {network}, batch {batch}"),
    "device_memory_bytes": N_("memory of the card, {network}, batch {batch}"),
    "device_temperature_celsius": N_("heat of the card, {network}, batch {batch}"),
    "device_power_w": N_("power of the card, {network}"),
}
_COMPARED: Final[frozenset[FigureQuantity]] = frozenset(
    {"epoch_s", "all_epochs_s", "infer_image_s", "speed_up_times", "product_times"}
)
"""Worth a row also where this computer has no such device."""
_CHARTED: Final[tuple[FigureQuantity, ...]] = ("epoch_s", "all_epochs_s")


def beside_articles(report: Report, language: Language) -> Section:
    """Return each article's figures in a table with our own, and its training times as bars."""
    blocks: list[Block] = []
    for title in dict.fromkeys(row.source.title for row in report.articles):
        rows = [row for row in report.articles if row.source.title == title]
        blocks += _article(rows, report, language)
    return Section("articles", language.gettext("Compared with the articles' figures"), tuple(blocks))


def _article(rows: list[BesideArticle], report: Report, language: Language) -> list[Block]:
    _ = language.gettext
    source = rows[0].source
    text = _("{author}, read on {date}.") if source.is_read_date else _("{author}, {date}.")
    blocks: list[Block] = [
        Heading(_("“{title}”").format(title=source.title)),
        Paragraph(text.format(author=source.author, date=spoken_date(source.date, language))),
    ]
    blocks += [
        Figure(chart, is_repeated=True) for one in _CHARTED if (chart := _times_chart(rows, one, report, language))
    ]
    header = (_("What"), _("The article's hardware"), _("Article"), _("Here"), _("Remark"))
    told = [row for row in rows if row.device or row.figure.quantity in _COMPARED]
    cells = tuple(_row(row, language) for row in told)
    origins = [_origin(row, report, language) for row in told]
    blocks.append(Table(header, cells, numeric=frozenset({2, 3})).without_empty().with_origins(origins))
    if len(told) < len(rows):
        left = len(rows) - len(told)
        text = language.ngettext(
            "{n} more figure is about a graphics card.", "{n} more figures are about a graphics card.", left
        )
        blocks.append(Paragraph(text.format(n=left)))
    return blocks


def _row(row: BesideArticle, language: Language) -> tuple[str, ...]:
    figure = row.figure
    span = ""
    if figure.low is not None and figure.high is not None:
        span = language.gettext("{low} to {high}").format(
            low=_spelled(figure.quantity, figure.low, language), high=_spelled(figure.quantity, figure.high, language)
        )
    here = "–" if row.value is None else _spelled(figure.quantity, row.value, language)
    return (
        _what(row, language),
        figure.hardware,
        f"{_spelled(figure.quantity, figure.value, language)}\n{span}",
        f"{here}\n{'' if row.value is None else device_phrase(row.device, language)}",
        _remark(row, language),
    )


def _origin(row: BesideArticle, report: Report, language: Language) -> Provenance:
    """Return where an article's figure and the one beside it come from."""
    _ = language.gettext
    source, figure, benchmark = row.source, row.figure, report.benchmark
    here = "–" if row.value is None else _spelled(figure.quantity, row.value, language)
    return Provenance(
        figure=f"/articles/{report.articles.index(row)}",
        title=_what(row, language),
        value=f"{_spelled(figure.quantity, figure.value, language)} · {here}",
        basis=_("published in the article, and measured here"),
        inputs=((_("The article's hardware"), figure.hardware), (_("Here"), device_phrase(row.device, language))),
        method=_("a time is the median of its samples, a sensor's value the mean over the test"),
        source=", ".join(
            part
            for part in (
                _("“{title}”").format(title=source.title),
                source.author,
                spoken_date(source.date, language),
                source.url or "",
            )
            if part
        ),
        date="" if benchmark is None else spoken_date(benchmark.started_at, language),
        check="advisor --report measured.json",
    )


def _what(row: BesideArticle, language: Language) -> str:
    text = language.gettext(_QUANTITIES[row.figure.quantity]).format(
        network=network_phrase(row.network, language),
        batch=language.number(row.figure.batch_size),
        epochs=language.number(row.figure.epochs),
    )
    return text[:1].upper() + text[1:]


def _spelled(quantity: FigureQuantity, value: float, language: Language) -> str:
    """Return a figure with its unit, as exactly as the articles give theirs."""
    ending = next(ending for ending in _SPELLINGS if quantity.endswith(ending))
    return _SPELLINGS[ending](value, language)


_SPELLINGS: Final[dict[str, Callable[[float, Language], str]]] = {
    "all_epochs_s": lambda value, language: f"{language.significant(value / HOUR_S, 3)}\N{NO-BREAK SPACE}h",
    "epoch_s": lambda value, language: f"{language.number(value)}\N{NO-BREAK SPACE}s",
    "image_s": quantities.exact_seconds,
    "_times": lambda value, language: f"{quantities.factor(value, language)}\N{NO-BREAK SPACE}×",
    "_ratio": lambda value, language: language.percent(value),
    "_bytes": quantities.memory,
    "_celsius": lambda value, language: f"{language.number(value)}\N{NO-BREAK SPACE}°C",
    "_w": lambda value, language: f"{language.number(value)}\N{NO-BREAK SPACE}W",
}
"""How a quantity is spelled, by the end of its name; the first that fits counts."""


def _comparison(times: float, language: Language) -> str:
    _ = language.gettext
    spoken = quantities.factor(max(times, 1 / times), language)
    if spoken == quantities.factor(1.0, language):
        return _("as fast here")
    text = _("{times} times as fast here") if times > 1 else _("{times} times as slow here")
    return text.format(times=spoken)


def _remark(row: BesideArticle, language: Language) -> str:
    """Return how the two compare, and what is not the same or why nothing was measured."""
    _ = language.gettext
    if not row.device:
        return _("no such device here")
    parts = [] if row.times is None else [_comparison(row.times, language)]
    if row.batch_size is not None and row.batch_size != row.figure.batch_size:
        parts.append(_("with batches of {batch}").format(batch=language.number(row.batch_size)))
    if row.missing_reason is not None:
        reason = _(FAILURES[row.missing_reason])
        batch = language.number(row.figure.batch_size)
        parts.append(_("batches of {batch}: {reason}").format(batch=batch, reason=reason))
    if row.gap is not None:
        parts.append(_("sensor: {reason}").format(reason=_(GAP_REASONS[row.gap])))
    if not parts and row.value is None:
        parts.append(_("not measured"))
    return "; ".join(parts)


def _times_chart(
    rows: list[BesideArticle], quantity: FigureQuantity, report: Report, language: Language
) -> Chart | None:
    """Return the times of the article's hardware and ours as bars; None where nothing was measured here."""
    from advisor.report.charts import svg_axes, svg_plots

    _ = language.gettext
    found = [row for row in rows if row.figure.quantity == quantity]
    ours = {(row.network, row.device): row for row in found if row.value is not None}
    if not ours:
        return None
    theirs = {row.figure.hardware: row for row in found}
    bars = [
        svg_plots.Bar(name, row.figure.value, _spelled(quantity, row.figure.value, language), "reference")
        for name, row in theirs.items()
    ]
    for (network, device), row in ours.items():
        name = _("here, {device}").format(device=device_phrase(device, language))
        if len({one for one, _device in ours}) > 1:
            name = _("here: {variant}").format(variant=variant_phrase(network, language))
        bars.append(svg_plots.Bar(name, row.value or 0.0, _spelled(quantity, row.value or 0.0, language), "s0"))
    body, height = svg_plots.bars(bars)
    title = _("An epoch") if quantity == "epoch_s" else _("All epochs")
    description = _("Shorter is better. Grey: the article's hardware.")
    table = Table((_("Where"), _("Time")), tuple((bar.name, bar.label) for bar in bars), numeric=frozenset({1}))
    table = table.with_origins(_origin(row, report, language) for row in (*theirs.values(), *ours.values()))
    return Chart(title, Picture(lambda: svg_axes.frame(title, body, description, height=height)), description, table)
