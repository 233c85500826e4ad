"""The answer as a picture to show somebody, in the proportions of a link's preview: it stands alone, in light colours.

It has the question, the verdict, where this computer stands or what each way costs, what must be known to read that
rightly, how sure it is and the date; no name of a user, of a computer or of a file. Nothing is cut to keep the
proportions: what needs more lines makes it taller.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape

from advisor.locale import N_, Language
from advisor.records.job.advice import Tier
from advisor.records.results.report import Report
from advisor.report.charts.report_charts import SHAPES
from advisor.report.charts.standalone_svg import font_rule, page_colours
from advisor.report.charts.svg_axes import mark
from advisor.report.content import sections
from advisor.report.content.answer import answer
from advisor.report.content.options.best import best_options
from advisor.report.content.options.option_rows import option_row
from advisor.report.content.options.place import Place, place_of, place_summary
from advisor.report.words import quantities
from advisor.report.words.advice.costs import line_title, shown_lines
from advisor.report.words.advice.money import money_sentence
from advisor.report.words.advice.run_time import time_sentence
from advisor.report.words.labels import amount, option_title, spoken_date

WIDTH, HEIGHT = 600, 315
"""Half the pixels of the picture, which is drawn at twice the size; at least so high."""
_MARGIN = 32
_ROOM = WIDTH - 2 * _MARGIN
_BAR_TOP = 212
"""Where what is below the sentences begins; lower where these need the room, higher where what follows does."""
_SHORT_VERDICT = 125
_NUMBER_SPACE = re.compile(r"(?<=\d) ")
"""No line ends between a number and what it counts."""
_BETWEEN = 14
_COSTS_TITLE = (
    N_("How long one training takes, and what it costs in {months}"),
    N_("How long one run takes, and what it costs in {months}"),
)
_SMALL, _NOTE, _MOST_NOTE_LINES = 11.0, 10.5, 3
_BOLD_RATIO = 1.12
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]· "), frozenset("mwMW%@—")


def answer_card(report: Report, language: Language) -> str:
    """Return the picture, complete; every text is escaped."""
    body, height = _drawn(report, language, _BAR_TOP)
    if height > HEIGHT:  # notes that are many begin higher before the picture loses its proportions
        body, height = _drawn(report, language, _BAR_TOP - (height - HEIGHT))
    said = answer(report, language)
    body[:0] = [
        f"<style>{_style()}</style>",
        f'<rect width="{WIDTH}" height="{height:g}" class="paper"/>',
        f'<rect width="{WIDTH}" height="5" class="{said.tier or "soft"}"/>',
    ]
    title = escape(said.headline.text)
    opening = (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{title}" xmlns="http://www.w3.org/2000/svg">'
    )
    return f"{opening}{''.join(body)}</svg>"


def _drawn(report: Report, language: Language, bar_top: float) -> tuple[list[str], float]:
    """Return what the picture shows, and how high it is then."""
    said = answer(report, language)
    body: list[str] = []
    y = _lines(body, sections.question(report, language), 36.0, 11, most=2, style="soft")
    y = _lines(body, said.headline.text, y + 22, 25, most=3, style="strong")
    size = 13.5 if y < _SHORT_VERDICT else 12
    for sentence in (time_sentence(report, language), money_sentence(report, language)):
        if sentence:
            y = _lines(body, sentence, y + 4, size, most=2)
    place = place_of(report)
    notes = [one.text for one in said.notes]
    if place is not None:
        y = _place_bar(body, place, report, language, y, bar_top=bar_top)
    else:
        y = _cost_rows(body, report, language, y, bar_top=bar_top)
        notes = [*_starts(report, language), *notes]
    for note in notes:
        y = _lines(body, note, y + 4, _NOTE, most=_MOST_NOTE_LINES)
    return body, _last_lines(body, said.confidence.text, f"advisor · {spoken_date(report.created_at, language)}", y)


def _last_lines(body: list[str], sure: str, made: str, y: float) -> float:
    """Write how sure it is and, beside or below it, the date; return how high the picture is then."""
    room = _ROOM - _width(sure, _SMALL) * _BOLD_RATIO - _BETWEEN
    is_beside = _width(made, _SMALL) <= room
    bottom = max(HEIGHT - 20.0, y + 8 + (0 if is_beside else 1.3 * _SMALL))
    body.append(_text((_MARGIN, bottom if is_beside else bottom - 1.3 * _SMALL), sure, _SMALL, "strong"))
    body.append(_text((WIDTH - _MARGIN, bottom), made, _SMALL, "soft", is_right=True))
    return round(bottom) + 20.0


def _starts(report: Report, language: Language) -> Iterator[str]:
    """Yield what passes before each of the options that the answer names computes, where that is worth a word."""
    for option in best_options(report):
        row = option_row(option, report, language)
        if row.start:
            yield f"{row.title}: {row.time} ({row.start})"


def _style() -> str:
    colours = page_colours()
    rules = [f".{name} {{ fill: {code}; }}" for name, code in colours.items()]
    rules.append(f".strong {{ font-weight: 600; fill: {colours['ink']}; }} .mark {{ stroke: {colours['paper']}; }}")
    return font_rule() + " ".join(rules)


def _place_bar(body: list[str], place: Place, report: Report, language: Language, y: float, *, bar_top: float) -> float:
    """Draw every device as a line on a scale of time, with this computer and the recommended ones marked.

    Returns:
        Where the next line may stand.
    """
    _ = language.gettext
    colours = page_colours()
    summary = _wrapped(place_summary(place, language), 11, 2)
    above = 14.3 * (len(summary) - 1)
    top = max(bar_top, y + 4 + above)
    middle = top + 20
    _lines(body, " ".join(summary), top - above, 11, most=2, style="soft")
    body.append(f'<path d="M{_MARGIN} {middle}H{WIDTH - _MARGIN}" stroke="{colours["rule"]}" fill="none"/>')
    for one in place.others:
        x = _MARGIN + place.position(one.run_s) * _ROOM
        body.append(f'<path d="M{x:.1f} {middle - 6}v12" stroke="{colours["soft"]}" stroke-opacity=".45" fill="none"/>')
    named = [(one.run_s, one.option, one.name.removeprefix("GeForce ")) for one in place.others if one.is_named]
    here = _("This computer ({name})").format(name=option_title(place.here, language))
    marks = [(place.here_s, place.here, here), *named]
    for run_s, option, name in reversed(marks):  # this computer last, on top
        x = _MARGIN + place.position(run_s) * _ROOM
        body.append(mark(SHAPES[option.tier], (x, middle), 6.5, style=f"mark {option.tier}", title=name))
    names = []
    for run_s, option, name in marks[:3]:
        row = option_row(option, report, language)
        # A mark stands where the run itself is, so that comes first of a rented one too.
        names.append((option.tier, f"{name}, {row.start or quantities.duration(run_s, language)}"))
    return _legend(body, names, middle + 26)


def _legend(body: list[str], names: Sequence[tuple[Tier, str]], y: float) -> float:
    """Name the marks, in as many lines as they need, and return where the next line may stand."""
    x = float(_MARGIN)
    for tier, words in names:
        name = _fitted(words, _SMALL, _ROOM - 13)
        if x > _MARGIN and x + 13 + _width(name, _SMALL) > WIDTH - _MARGIN:
            x, y = float(_MARGIN), y + 1.4 * _SMALL
        body.append(mark(SHAPES[tier], (x + 4, y - 4), 4, style=tier, title=name))
        body.append(_text((x + 13, y), name, _SMALL, "ink"))
        x += 13 + _width(name, _SMALL) + _BETWEEN
    return y + 1.4 * _SMALL


def _cost_rows(body: list[str], report: Report, language: Language, y: float, *, bar_top: float) -> float:
    """Write how long one run takes kept, bought and rented, and what it costs, where no place is known.

    Returns:
        Where the next line may stand.
    """
    months = quantities.months(report.circumstances.horizon_months, language)
    lines = [(line, option) for line, option in shown_lines(report) if option.horizon_usd is not None][:3]
    top = max(bar_top, y + 6)
    if not lines:
        return top
    title = language.gettext(_COSTS_TITLE[0 if report.workload.task == "train" else 1]).format(months=months)
    currency = report.circumstances.currency
    title += f" ({currency})" if language.is_other_dollar(currency) else ""
    body.append(_text((_MARGIN, top), title, 11, "soft"))
    totals = [amount(option.horizon_usd or 0.0, report, language) for _line, option in lines]
    times = ["" if one.run_s is None else quantities.duration(one.run_s, language) for _line, one in lines]
    time_end = WIDTH - _MARGIN - max(_width(one, 12) * _BOLD_RATIO for one in totals) - _BETWEEN
    room = time_end - max(_width(one, 12) for one in times) - _BETWEEN - (_MARGIN + 13)
    for number, ((line, option), time, total) in enumerate(zip(lines, times, totals, strict=True)):
        y = top + 19 * (number + 1)
        name = line_title(line, option, language)
        body.append(mark(SHAPES[option.tier], (_MARGIN + 4, y - 4), 4, style=option.tier, title=name))
        body.append(_text((_MARGIN + 13, y), _fitted(name, 12, room), 12, "ink"))
        body.append(_text((time_end, y), time, 12, "ink", is_right=True))
        body.append(_text((WIDTH - _MARGIN, y), total, 12, "strong", is_right=True))
    return top + 19.0 * (len(lines) + 1)


def _lines(body: list[str], content: str, y: float, size: float, *, most: int, style: str = "ink") -> float:
    """Write a text in as many lines as it needs, at most so many, and return where the next may stand."""
    ratio = _BOLD_RATIO if style == "strong" else 1.0
    for line in _wrapped(content, size, most, ratio):
        body.append(_text((_MARGIN, y), line, size, style))
        y += 1.3 * size
    return y


def _wrapped(content: str, size: float, most: int, ratio: float = 1.0) -> Sequence[str]:
    lines, room = [""], _ROOM / ratio
    for word in _NUMBER_SPACE.sub("\N{NO-BREAK SPACE}", content).split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [_fitted(line, size, room) for line in lines]


def _fitted(content: str, size: float, room: float) -> str:
    """Return a text that fits, cut where it must be."""
    if _width(content, size) <= room:
        return content
    first = content.partition(". ")[0] + "."
    if ". " in content and _width(first, size) <= room:
        return first
    while content and _width(content + "…", size) > room:
        content = content[:-1]
    return content.rstrip() + "…"


def _width(content: str, size: float) -> float:
    """Return about how wide a text is: its font is not known here, so a wide one is taken for granted."""
    return size * sum(
        0.36 if sign in _NARROW else 0.95 if sign in _WIDE else 0.7 if sign.isupper() else 0.62 for sign in content
    )


def _text(place: tuple[float, float], content: str, size: float, style: str, *, is_right: bool = False) -> str:
    anchor = "end" if is_right else "start"
    return (
        f'<text x="{place[0]:g}" y="{place[1]:g}" text-anchor="{anchor}" class="{style}" font-size="{size:g}">'
        f"{escape(content)}</text>"
    )
