"""Images prepared against images needed: who waits for whom."""

from collections.abc import Iterator
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark, Measurement
from advisor.report.charts import svg_axes, svg_plots
from advisor.report.content.blocks import Block, Bullets, Chart, Figure, Heading, Item, Picture, Table
from advisor.report.content.measured.common import of_program, rate
from advisor.report.words.cases import device_phrase, network_phrase, network_title

_EATERS = {150: "article_cnn", 224: "densenet121_transfer"}
"""Which measured network takes images of which edge; the articles'."""


class _Need(NamedTuple):
    """How many images of an edge a device takes a second at most."""

    edge: int
    device: str
    network: str
    images_per_s: float


def pipeline(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return how many images are prepared a second, beside what the devices take."""
    _ = language.gettext
    found = [one for one in of_program(benchmark, "input") if one.items_per_s]
    if not found:
        return ()
    needs = list(_needs(benchmark))
    sentences = [_sentence(need, found, language) for need in needs]
    items = tuple(Item(sentence) for sentence in sentences if sentence)
    blocks: list[Block] = [Heading(_("Who waits for whom?")), Figure(_chart(found, needs, language))]
    return (*blocks, Bullets(items)) if items else tuple(blocks)


def _needs(benchmark: Benchmark) -> Iterator[_Need]:
    for edge, network in _EATERS.items():
        best: dict[str, float] = {}
        for one in of_program(benchmark, "train"):
            if one.case.network == network and one.items_per_s:
                best[one.case.device] = max(best.get(one.case.device, 0.0), one.items_per_s)
        yield from (_Need(edge, device, network, images) for device, images in best.items())


def _sentence(need: _Need, found: list[Measurement], language: Language) -> str:
    """Return whether a device waits for its images; empty where none of its size were prepared."""
    _ = language.gettext
    rates = [
        one.items_per_s or 0.0 for one in found if one.case.size == need.edge and one.case.options.get("augmented")
    ]
    if not rates:
        return ""
    supply = max(rates)
    if supply < need.images_per_s:
        text = _(
            "{network} on {device} could take {need} images a second, and {supply} are prepared: it waits for {share} "
            "of the time."
        )
    elif need.device == "cpu":
        text = _(
            "{network} on {device} takes {need} images a second, and {supply} could be prepared if nothing else ran: "
            "the network is what takes the time."
        )
    else:
        text = _("{network} on {device} takes {need} images a second, and {supply} are prepared: it never waits.")
    return text.format(
        network=network_phrase(need.network, language),
        device=device_phrase(need.device, language),
        need=rate(need.images_per_s, language),
        supply=rate(supply, language),
        share=language.percent(1 - supply / need.images_per_s),
    )


def _chart(found: list[Measurement], needs: list[_Need], language: Language) -> Chart:
    _ = language.gettext
    rows: list[svg_plots.Bar] = []
    for edge in sorted({one.case.size for one in found}):
        prepared = [_bar(one, language) for one in found if one.case.size == edge]
        taken = [_need_bar(need, language) for need in needs if need.edge == edge]
        first = prepared[0]._replace(style=f"{prepared[0].style} gap") if rows else prepared[0]
        rows += [first, *prepared[1:], *taken]
    body, height = svg_plots.bars(rows)
    title = _("Images prepared and images taken a second")
    description = _(
        "Decoding and resizing photos with 0, 1, 2 … helping processes; augmented means turned, zoomed, sheared and "
        "flipped as well. Below them, what training takes."
    )
    header = (_("What"), _("Images a second"))
    table = Table(header, tuple((row.name, row.label) for row in rows), numeric=frozenset({1}))
    return Chart(title, Picture(lambda: svg_axes.frame(title, body, description, height=height)), description, table)


def _bar(one: Measurement, language: Language) -> svg_plots.Bar:
    _ = language.gettext
    workers = one.case.options.get("workers")
    count = workers if isinstance(workers, int) else 0
    kind = _("augmented") if one.case.options.get("augmented") else _("plain")
    helpers = language.ngettext("{n} process", "{n} processes", count).format(n=language.number(count))
    name = f"{one.case.size} px, {kind}, {helpers}"
    return svg_plots.Bar(name, one.items_per_s or 0.0, rate(one.items_per_s, language), "s0")


def _need_bar(need: _Need, language: Language) -> svg_plots.Bar:
    _ = language.gettext
    text = _("{network} on {device} takes").format(
        network=network_title(need.network), device=device_phrase(need.device, language)
    )
    return svg_plots.Bar(text, need.images_per_s, rate(need.images_per_s, language), "s1")
