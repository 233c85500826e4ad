"""How sure are we? How well predictions hold on public measurements that they were not fitted on, in plain words."""

from collections.abc import Iterator, Sequence
from statistics import fmean, median
from typing import Final, NamedTuple

from advisor.locale import N_, Language
from advisor.records.job.workload import Workload
from advisor.records.results.validation import ArticleRow, HeldOutTimes, Validation, ValidationRow
from advisor.report.charts import svg_axes
from advisor.report.content.blocks import (
    Block,
    Bullets,
    Chart,
    Figure,
    Heading,
    Item,
    Paragraph,
    Picture,
    Section,
    Table,
    with_origin,
)
from advisor.report.content.document import Document
from advisor.report.documents.accuracy_picture import FAMILIES, IMAGES_TRAINED, IMAGES_USED, WORDS, picture
from advisor.report.provenance.accuracy import of_set, of_validation
from advisor.report.words import quantities
from advisor.report.words.labels import spoken_date
from advisor.report.words.sources import measurer_phrase

SENTENCES: Final[tuple[str, ...]] = (
    # titles of the sets
    N_("Image networks on people's own computers"),
    N_("Figures others published, not used to fit"),
    N_("Published: image networks in small batches"),
    N_("Published: transformers, on 25 cards and Macs"),
    N_("Published: tuning language models"),
    N_("Image networks with software of 2017"),
    N_("ImageNet training on eight cards"),
    N_("Inference of image networks"),
    N_("Inference of image networks on cards of 2025"),
    N_("Image networks in small batches, also Radeons"),
    N_("Inference on a processor"),
    N_("Memory needed in training"),
    N_("Of these, jobs whose samples are known"),
    N_("Single products of matrices"),
    N_("Training jobs on one card"),
    N_("Training of image networks"),
    N_("Training of language models cut over eight cards"),
    N_("Training of language models on up to 128 cards"),
    N_("Transformers in fp32 on AMD cards"),
    N_("Transformers in fp32 on NVIDIA cards"),
    # what has to be known of them
    N_("Split in ways that the program does not offer; three constants were fitted for it."),
    N_("The same kernel of a T4 runs at 36 to 65% of its peak: the shorter the measurement, the faster."),
    N_(
        "Programs of the same years differ by some 20% on the same kernels, and which one you run is not known: "
        "with this one's own factors known, the error is {fitted}."
    ),
    N_(
        "What limits it is the time of single kinds of kernels: with one factor known for each network the error is "
        "{network}."
    ),
    N_(
        "What limits it is the time of single kinds of kernels: with one factor known for each family of networks the "
        "error is {family}."
    ),
    N_("What limits it is the single card: with one factor known for each the error is {device}."),
    N_(
        "Small batches wait for the processor, and which one it was is not published. Two measurements of the "
        "same card and network differ by {noise}."
    ),
    N_(
        "Small batches wait for the processor, and which one it was is not published: with one factor known for "
        "each card, the error is {device}."
    ),
    N_("One of these three programs takes nearly three times as long as the next, which nobody knows beforehand."),
    N_("Only measurements whose image size is known; with all of them the error is {all}."),
    N_("Where the length of a sample is not published, one factor for each task takes its place."),
    # the articles' jobs
    N_("Large matrix products: time on a T4, relative to a TPU v2"),
    N_("DenseNet121 on a workstation card"),
    N_("Small photo network on a laptop's graphics card"),
    N_("The article ran a profiler beside the training, which slows it down; how much is not reported."),
    N_("The same on a server's processor"),
    N_("The same on the laptop's processor"),
)
"""The words of the figures that are shipped: they come with them in English."""
_HELD_OUT: Final = {
    "device": N_("devices it had not seen"),
    "network": N_("networks it had not seen"),
    "nothing": N_("the same devices and networks"),
}
_RIVALS: Final = {
    N_("Habitat, its own data"): N_("Habitat, on its own data"),
    "1890 MiB + 1.185 x FakeTensor": N_("PyTorch's own estimate (FakeTensor), scaled"),
    "NeuSight": "NeuSight",
}
"""What is called the predictors of others whose errors stand beside ours."""
_JOBS: Final = {
    IMAGES_TRAINED: N_("jobs like yours, which train an image network,"),
    IMAGES_USED: N_("jobs like yours, which use an image network,"),
    WORDS: N_("jobs like yours, with texts or language models,"),
}
"""What the families of sets in the picture are to who asked of such a job."""
_NAMES = 385.0  # room for the names of the chart's rows
_ROW = 28.0
_MOST_RATIO = 1.0  # larger errors lie at the edge of the chart
_KERNELS = frozenset({"gemm"})  # single operations, no whole training steps
_COVERAGE: Final = (0.72, 0.88)  # the share inside an 80 % interval that is taken for 80 %


class Span(NamedTuple):
    """The least and the greatest median error of some data sets."""

    low: float
    high: float


def how_sure(
    found: Validation, language: Language, times: Sequence[HeldOutTimes] = (), workload: Workload | None = None
) -> Document:
    """Return the page "How sure are we?": three sentences and a picture for everybody, all else folded behind.

    Args:
        found: The figures of the last validation.
        language: The user's.
        times: Of the measurements that the picture shows; without, there is none.
        workload: What the user asked last, whose kind is told first.
    """
    _ = language.gettext
    details = tuple(_told(section, found, language) for section in _sections(found, language) if section.blocks)
    shown = (Figure(picture(times, language), is_repeated=True),) if times else ()
    first = (_told(Section("picture", _("All measurements in one picture"), shown), found, language),) if shown else ()
    return Document(
        question=Paragraph(_("How sure are we?")),
        verdict=_overall(unseen_sentence(found, language, workload), found, language),
        lead=tuple(_overall(text, found, language) for text in _plain_words(found, language)),
        notes=(),
        sections=(*first, *(section._replace(is_folded=bool(first)) for section in details)),
        colophon=_("Checked on {date}.").format(date=spoken_date(found.made, language)),
    )


def _told(section: Section, found: Validation, language: Language) -> Section:
    """Return a section in which every figure knows where it comes from."""
    overall = of_validation(section.title, found, language)
    return section._replace(blocks=tuple(with_origin(block, overall) for block in section.blocks))


def sureness_blocks(found: Validation, language: Language, workload: Workload | None = None) -> tuple[Block, ...]:
    """Return the short form, as a report has it."""
    _ = language.gettext
    sentences = unseen_sentence(found, language, workload), *_extremes(found, language)
    text = " ".join((*sentences, coverage_sentence(found, language)))
    more = _("Set by set, compared with other predictors: advisor --how-sure")
    return _overall(text, found, language), Paragraph(more)


def _overall(text: str, found: Validation, language: Language) -> Paragraph:
    return Paragraph(text, of_validation(text, found, language))


def _unseen(found: Validation) -> list[ValidationRow]:
    """Return the sets of times on devices that none of the fitted measurements came from."""
    return [row for row in found.rows if row.what == "time" and row.held_out == "device" and row.name not in _KERNELS]


def unseen_sentence(found: Validation, language: Language, workload: Workload | None = None) -> str:
    """Return how far off predictions usually are on hardware never seen, for the user's kind of job where known."""
    _ = language.gettext
    rows = _unseen(found)
    if not rows:
        return _("How well predictions hold was not checked.")
    family = _family(workload)
    alike = [row.median_ratio for row in rows if row.name in FAMILIES.get(family, ())]
    usual = language.percent(median(alike or [row.median_ratio for row in rows]))
    if alike:
        text = _("For {jobs} the program was typically {usual} off on hardware it had never seen.")
        return text.format(jobs=_(_JOBS[family]), usual=usual)
    return _("On hardware it had never seen, the program was typically {usual} off.").format(usual=usual)


def _extremes(found: Validation, language: Language) -> Iterator[str]:
    """Yield how far apart the easiest and the hardest set are, where they are."""
    ratios = [row.median_ratio for row in _unseen(found)]
    low, high = (language.percent(end(ratios, default=0.0)) for end in (min, max))
    if low != high:
        text = language.gettext(
            "Over jobs of all kinds it was {low} in the easiest set of measurements, and {high} in the hardest."
        )
        yield text.format(low=low, high=high)


def _family(workload: Workload | None) -> str:
    """Return to what family of sets a job belongs; empty where none is of its kind."""
    if workload is None or workload.method == "classical":
        return ""
    if workload.input_kind == "jpeg" or workload.image_size is not None:
        return IMAGES_USED if workload.task == "infer" else IMAGES_TRAINED
    return WORDS if workload.input_kind == "text" or workload.sequence_length is not None else ""


def coverage_sentence(found: Validation, language: Language) -> str:
    """Return how often the true time lies in the interval."""
    text = language.gettext(
        "Next to each time is a range, such as “3 to 5 hours”. It should contain the true time in {aim} of cases;"
        " here it did in {share}."
    )
    return text.format(aim=language.percent(0.8), share=language.percent(found.coverage_ratio))


def _plain_words(found: Validation, language: Language) -> Iterator[str]:
    yield coverage_sentence(found, language)
    yield from _extremes(found, language)
    rows = [row for row in found.rows if row.what == "time" and row.naive_ratio is not None]
    if rows:
        text = language.gettext(
            "Comparing only the speeds in data sheets is off by {rule} on average; on the same measurements the "
            "program is off by {ours}."
        )
        rule, ours = fmean(row.naive_ratio or 0.0 for row in rows), fmean(row.error_ratio for row in rows)
        yield text.format(rule=language.percent(rule), ours=language.percent(ours))
    yield from _worst(found, language)
    yield language.gettext(
        "All this is about computers that run nothing else. Where other programs disturbed a check, the time of "
        "that computer is far less certain and its range wider: such checks are not part of these figures."
    )


def _worst(found: Validation, language: Language) -> Iterator[str]:
    """Yield of which measurements a time must be trusted least: what is typical does not say it."""
    worst = max(_unseen(found), key=lambda row: row.error_ratio, default=None)
    if worst is not None:
        text = language.gettext(
            "“Typically” means that half of the times were nearer. The average counts those far off as well: it "
            "is highest, {error}, for the measurements listed below as “{title}”."
        )
        yield text.format(error=language.percent(worst.error_ratio), title=set_title(worst, language))


def _sections(found: Validation, language: Language) -> Iterator[Section]:
    _ = language.gettext
    yield Section("sets", _("Set by set"), tuple(_set_blocks(found, language)))
    yield Section("aims", _("What we wanted, and where it falls short"), tuple(_aim_blocks(found, language)))
    yield Section("hours", _("The articles' own hours"), tuple(_article_blocks(found, language)))
    yield Section("method", _("How this was checked"), (Bullets(tuple(Item(text) for text in _method(language))),))
    sources = dict.fromkeys(row.source for row in found.rows)
    yield Section(
        "sources", _("Who measured"), (Bullets(tuple(Item(measurer_phrase(source, language)) for source in sources)),)
    )


def set_title(row: ValidationRow, language: Language) -> str:
    """Return what a data set is called."""
    return language.gettext(row.title) if row.title else row.name.replace("_", " ")


def _set_blocks(found: Validation, language: Language) -> Iterator[Block]:
    for kind, words in _HELD_OUT.items():
        group = tuple(row for row in found.rows if row.held_out == kind)
        if group:
            text = language.gettext(words)
            yield Heading(language.gettext("Predicted: {what}").format(what=text))
            yield Figure(_chart(group, text, found, language), is_repeated=True)
            yield _table(group, found, language)
            notes = tuple(_said(row, _note(row, language), found, language) for row in group if row.note)
            if notes:
                yield Bullets(notes)


def _said(row: ValidationRow, text: str, found: Validation, language: Language, lead: str = "") -> Item:
    """Return what is said of a set, under its title unless it has another."""
    title = set_title(row, language)
    return Item(text, lead=lead or title, origin=of_set(row, title, found, language))


def _note(row: ValidationRow, language: Language) -> str:
    ratios = {name: language.percent(ratio, 1) for name, ratio in row.note_ratios.items()}
    return language.gettext(row.note).format(**ratios)


def _table(rows: tuple[ValidationRow, ...], found: Validation, language: Language) -> Table:
    _ = language.gettext
    header = (
        _("Measurements"),
        _("Error"),
        _("Half within"),
        _("Within 10 and 25%"),
        _("In the interval"),
        _("Year unknown"),
        _("Job's factors known"),
        _("Plain rule"),
        _("Others"),
        _("Aim"),
    )
    cells = tuple(_cells(row, language) for row in rows)
    table = Table(header, cells, numeric=frozenset(range(1, 10)), minor=frozenset({3, 4, 5, 6}))
    return table.with_origins(of_set(row, set_title(row, language), found, language) for row in rows)


def _cells(row: ValidationRow, language: Language) -> tuple[str, ...]:
    _ = language.gettext
    ngettext, number = language.ngettext, language.number
    size = ", ".join(
        (
            ngettext("{n} measurement", "{n} measurements", row.rows).format(n=number(row.rows)),
            ngettext("{n} device", "{n} devices", row.devices).format(n=number(row.devices)),
            ngettext("{n} network", "{n} networks", row.networks).format(n=number(row.networks)),
        )
    )
    within = f"{language.percent(row.within_10_ratio)} · {language.percent(row.within_25_ratio)}"
    return (
        f"{set_title(row, language)}\n{size}",
        language.percent(row.error_ratio, 1),
        language.percent(row.median_ratio, 1),
        within,
        _optional(row.coverage_ratio, language),
        _optional(row.untold_ratio, language),
        _optional(row.fitted_ratio, language),
        _optional(row.naive_ratio, language),
        f"{_optional(row.rival_ratio, language)}\n{_rival(row, language)}",
        _optional(row.aim_ratio, language),
    )


def _rival(row: ValidationRow, language: Language) -> str:
    """Return what the predictor is called whose error stands beside ours; empty where there is none."""
    return language.gettext(_RIVALS.get(row.rival, row.rival)) if row.rival else ""


def _optional(ratio: float | None, language: Language) -> str:
    return "–" if ratio is None else language.percent(ratio, 1)


def _chart(rows: tuple[ValidationRow, ...], what: str, found: Validation, language: Language) -> Chart:
    """Return the mean errors as marks on a line for each set: ours, a plain rule's, others', and the aim."""
    _ = language.gettext
    bottom = svg_axes.TOP + _ROW * len(rows)
    panel = svg_axes.Panel(left=_NAMES, right=svg_axes.WIDTH - 70, top=svg_axes.TOP, bottom=bottom)
    x = svg_axes.Scale(0.0, _MOST_RATIO, panel.left, panel.right, is_log=False)
    ticks = [(value, language.percent(value)) for value in (0.0, 0.2, 0.4, 0.6, 0.8)]
    ticks.append((_MOST_RATIO, _("{share} or more").format(share=language.percent(_MOST_RATIO))))
    body = svg_axes.grid_x(x, ticks, _("Mean error"), panel=panel) + _legend(language)
    for number, row in enumerate(rows):
        y = panel.top + _ROW * (number + 0.5)
        body += svg_axes.text(_NAMES - 14, y + 4, set_title(row, language), anchor="end")
        body += svg_axes.line([(panel.left, y), (panel.right, y)], "grid")
        for ratio, shape, style, name in _marks(row, language):
            if ratio is not None:
                title = f"{set_title(row, language)}, {name}: {language.percent(ratio, 1)}"
                body += svg_axes.mark(shape, (x(ratio), y), 5, style=style, title=title)
    title = _("Error: {what}").format(what=what)
    description = _("Further left is better. Each row is one published set of measurements.")
    picture = Picture(lambda: svg_axes.frame(title, body, description, height=bottom + 60))
    return Chart(title, picture, description, _table(rows, found, language))


def _marks(row: ValidationRow, language: Language) -> tuple[tuple[float | None, str, str, str], ...]:
    """Return value, shape, style and name of each mark; ours comes last, on top."""
    names = _mark_names(language)
    return (
        (row.naive_ratio, "square", "mark naive", names[1]),
        (row.rival_ratio, "diamond", "mark cloud", _rival(row, language) or names[2]),
        (row.aim_ratio, "triangle", "mark hollow aim", names[3]),
        (row.error_ratio, "circle", "mark single_gpu", names[0]),
    )


def _mark_names(language: Language) -> tuple[str, str, str, str]:
    _ = language.gettext
    return _("ours"), _("a plain rule"), _("other predictors"), _("what we aimed at")


def _legend(language: Language) -> str:
    kinds = (
        ("circle", "mark single_gpu"),
        ("square", "mark naive"),
        ("diamond", "mark cloud"),
        ("triangle", "mark hollow aim"),
    )
    x, y, parts = 12.0, svg_axes.TOP - 18.0, []
    for (shape, style), name in zip(kinds, _mark_names(language), strict=True):
        parts += [
            svg_axes.mark(shape, (x, y), 5, style=style, title=name),
            svg_axes.text(x + 12, y + 4, name, style="legend"),
        ]
        x += svg_axes.width_of(name) + 44
    return "".join(parts)


def _aim_blocks(found: Validation, language: Language) -> Iterator[Block]:
    _ = language.gettext
    aimed = [row for row in found.rows if row.has_aim]
    if not aimed:
        return
    missed = [row for row in aimed if not row.is_met]
    text = _("{reached} of {all} aims are reached.")
    text = text.format(reached=language.number(len(aimed) - len(missed)), all=language.number(len(aimed)))
    yield _overall(text, found, language)
    if missed:
        yield Bullets(tuple(_missed(row, found, language) for row in missed))
    outside = [row for row in found.rows if row.coverage_ratio is not None and not _is_about_80(row.coverage_ratio)]
    if outside:
        yield Paragraph(
            _("Between {low} and {high} of each set should lie in its intervals. It is otherwise for:").format(
                low=language.percent(_COVERAGE[0]), high=language.percent(_COVERAGE[1])
            )
        )
        yield Bullets(tuple(_uncovered(row, found, language) for row in outside))


def _is_about_80(ratio: float) -> bool:
    return _COVERAGE[0] <= ratio <= _COVERAGE[1]


def _uncovered(row: ValidationRow, found: Validation, language: Language) -> Item:
    """Say how many lie inside, and how small the errors of the set are beside those that made the intervals."""
    _ = language.gettext
    text = _("{share} inside: intervals are as wide as all sets ask for, and half of this set lies within {error}.")
    text = text.format(share=language.percent(row.coverage_ratio or 0.0), error=language.percent(row.median_ratio, 1))
    return _said(row, text, found, language, f"{set_title(row, language)}, {_(_HELD_OUT[row.held_out])}")


def _missed(row: ValidationRow, found: Validation, language: Language) -> Item:
    _ = language.gettext
    figures = (
        (_("on average {error} instead of {aim}"), row.error_ratio, row.aim_ratio),
        (_("half within {error} instead of {aim}"), row.median_ratio, row.aim_median_ratio),
        (_("at most {error} instead of {aim}"), row.largest_ratio, row.aim_largest_ratio),
    )
    parts = [
        text.format(error=language.percent(error, 1), aim=language.percent(aim))
        for text, error, aim in figures
        if aim is not None and error > aim
    ]
    sentences = [f"{', '.join(parts)}.", *_limits(row, language)]
    if row.noise_ratio is not None:
        text = _(
            "Published measurements of the same thing lie {noise} from their middle: nobody can predict better than "
            "that."
        )
        sentences.append(text.format(noise=language.percent(row.noise_ratio)))
    text = " ".join(sentences)
    lead = f"{set_title(row, language)}, {_(_HELD_OUT[row.held_out])}"
    return _said(row, text[:1].upper() + text[1:], found, language, lead)


def _limits(row: ValidationRow, language: Language) -> Iterator[str]:
    """Yield what the errors have in common: how small they would be if one cause of them were known."""
    _ = language.gettext
    known = (
        (_("If one factor for each device were known, it would be {error}."), row.device_known_ratio),
        (_("If one factor for each network were known, it would be {error}."), row.network_known_ratio),
        (_("With the job's own software, computer and copies known it is {error}."), row.fitted_ratio),
    )
    for text, ratio in known:
        if ratio is not None and ratio < row.error_ratio:
            yield text.format(error=language.percent(ratio, 1))


def _article_blocks(found: Validation, language: Language) -> Iterator[Block]:
    _ = language.gettext
    if found.articles:
        header = (_("Job"), _("The article measured"), _("We predict"), _("Interval"), _("In the interval"))
        rows = tuple(_article_cells(row, language) for row in found.articles)
        origins = (of_set(row, article_title(row, language), found, language) for row in found.articles)
        yield Table(header, rows, numeric=frozenset({1, 2, 3})).with_origins(origins)


def article_title(row: ArticleRow, language: Language) -> str:
    """Return what an article's job is called."""
    return language.gettext(row.title) if row.title else row.name.replace("_", " ")


def _article_cells(row: ArticleRow, language: Language) -> tuple[str, ...]:
    _ = language.gettext
    inside = _("yes") if row.is_inside else _("no")
    return (
        f"{article_title(row, language)}\n{row.source}",
        *_article_figures(row, language),
        f"{inside}. {_(row.note)}" if row.note else inside,
    )


def _article_figures(row: ArticleRow, language: Language) -> tuple[str, str, str]:
    """Return what the article measured, what is predicted, and the interval: durations, or their ratios."""
    if row.unit == "times":
        low, high = quantities.factor(row.low_s, language), quantities.factor(row.high_s, language)
        span = language.gettext("{low} to {high}").format(low=low, high=high)
        return quantities.factor(row.measured_s, language), quantities.factor(row.predicted_s, language), span
    return (
        quantities.duration(row.measured_s, language),
        quantities.duration(row.predicted_s, language),
        quantities.duration_range(row.low_s, row.high_s, language),
    )


def _method(language: Language) -> Iterator[str]:
    _ = language.gettext
    yield _(
        "Each set was predicted by constants fitted without it: without the device, or the network, that is predicted. "
        "So no number here is of something the program had learnt by heart."
    )
    yield _("The error is how far the predicted time is from the measured one, as a share of the measured one.")
    yield _(
        "The prediction is the one that “advisor --predict” gives for the network, batch, precision, device, layout "
        "of colours, kind of attention and the year of the framework: it does not know the computer and the copying "
        "of the job that was measured. The column “Year not told” shows the error without the year, “Job's factors "
        "known” when all of that is known."
    )
    yield _(
        "The intervals were fitted on the errors of four fifths of the devices and networks and checked on the last "
        "fifth, each fifth in turn. Those the program gives are fitted on all."
    )
    yield _(
        "The plain rule knows only a device's peak and memory bandwidth, or a network's operations and bytes: what "
        "anybody could reckon on paper."
    )
    yield _("Other predictors are shown with the error their authors publish, where there is one.")
