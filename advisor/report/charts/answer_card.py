"""The answer as a picture to show somebody, in the proportions of a link's preview: it stands alone, in light colours.

It has the question, the verdict, where this computer stands or what each way costs, how sure that is and the date; no
name of a user, of a computer or of a file.
"""

import re
from collections.abc import Sequence
from html import escape

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.charts.standalone_svg import font_rule, page_colours
from advisor.report.content import sections
from advisor.report.content.answer import answer
from advisor.report.content.options.place import Place, place_of, place_summary
from advisor.report.words import quantities
from advisor.report.words.advice.costs import line_title, shown_lines
from advisor.report.words.advice.money import money_sentence
from advisor.report.words.advice.run_time import time_sentence
from advisor.report.words.labels import amount, spoken_date

WIDTH, HEIGHT = 600, 315
"""Half the pixels of the picture, which is drawn at twice the size."""
_MARGIN = 32
_ROOM = WIDTH - 2 * _MARGIN
_BAR_TOP, _BOTTOM = 212, HEIGHT - 20
_LAST_LINE = _BAR_TOP - 34
_SHORT_VERDICT = 125
_LEAST_NAME = 12
_NUMBER_SPACE = re.compile(r"(?<=\d) ")
"""No line ends between a number and what it counts."""
_BETWEEN = 14
_BOLD_RATIO = 1.12
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]· "), frozenset("mwMW%@—")


def answer_card(report: Report, language: Language) -> str:
    """Return the picture, complete; every text is escaped."""
    said, tier = answer(report, language), report.advice.tier
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" class="paper"/>',
        f'<rect width="{WIDTH}" height="5" class="{tier}"/>',
    ]
    y = _lines(body, sections.question(report, language), 36.0, 11, most=2, style="soft")
    y = _lines(body, said.headline.text, y + 22, 25, most=3, style="strong")
    size = 13.5 if y < _SHORT_VERDICT else 12
    for sentence in (time_sentence(report, language), money_sentence(report, language)):
        if sentence and y < _LAST_LINE:
            y = _lines(body, sentence, y + 4, size, most=2 if y < _LAST_LINE - 17 else 1)
    place = place_of(report)
    if place is not None:
        _place_bar(body, place, language)
    else:
        _cost_rows(body, report, language)
    made = f"advisor · {spoken_date(report.created_at, language)}"
    body.append(_text((_MARGIN, _BOTTOM), said.confidence.text, 11, "strong"))
    body.append(_text((WIDTH - _MARGIN, _BOTTOM), made, 11, "soft", is_right=True))
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(said.headline.text)}" '
        f'xmlns="http://www.w3.org/2000/svg"><style>{_style()}</style>{"".join(body)}</svg>'
    )


def _style() -> str:
    colours = page_colours()
    rules = [f".{name} {{ fill: {code}; }}" for name, code in colours.items()]
    return font_rule() + " ".join(rules) + f" .strong {{ font-weight: 600; fill: {colours['ink']}; }}"


def _place_bar(body: list[str], place: Place, language: Language) -> None:
    """Draw every device as a line on a scale of time, with this computer and the recommended ones marked."""
    _ = language.gettext
    colours = page_colours()
    middle = _BAR_TOP + 20
    summary = _wrapped(place_summary(place, language), 11, 2)
    _lines(body, " ".join(summary), _BAR_TOP - 14.3 * (len(summary) - 1), 11, most=2, style="soft")
    body.append(f'<path d="M{_MARGIN} {middle}H{WIDTH - _MARGIN}" stroke="{colours["rule"]}" fill="none"/>')
    for one in place.others:
        x = _MARGIN + place.position(one.run_s) * _ROOM
        body.append(f'<path d="M{x:.1f} {middle - 6}v12" stroke="{colours["soft"]}" stroke-opacity=".45" fill="none"/>')
    marks = [
        (place.here_s, "this_computer", f"{_('This computer')}, {quantities.duration(place.here_s, language)}"),
        *(
            (one.run_s, one.option.tier, f"{one.name}, {quantities.duration(one.run_s, language)}")
            for one in place.others
            if one.is_named
        ),
    ]
    for run_s, tier, _name in reversed(marks):  # this computer last, on top
        x = _MARGIN + place.position(run_s) * _ROOM
        body.append(f'<circle cx="{x:.1f}" cy="{middle}" r="6.5" class="{tier}" style="stroke: {colours["paper"]}"/>')
    _legend(body, [(tier, words.removeprefix("GeForce ")) for _run_s, tier, words in marks[:3]], middle + 26)


def _legend(body: list[str], names: Sequence[tuple[str, str]], y: float) -> None:
    """Name the marks in a line, in smaller letters rather than without a time; what has no room is left out."""
    signs = 13 * len(names) + _BETWEEN * (len(names) - 1)
    sizes = (size for size in (11.0, 10.0, 9.0) if sum(_width(name, size) for _tier, name in names) + signs <= _ROOM)
    size = next(sizes, 9.0)
    x = float(_MARGIN)
    for tier, words in names:
        name = _fitted(words, size, WIDTH - _MARGIN - x - 13)
        if len(name) < _LEAST_NAME:
            return
        body.append(f'<circle cx="{x + 4:.1f}" cy="{y - 4}" r="4" class="{tier}"/>')
        body.append(_text((x + 13, y), name, size, "ink"))
        x += 13 + _width(name, size) + _BETWEEN


def _cost_rows(body: list[str], report: Report, language: Language) -> None:
    """Write what keeping, buying and renting cost, where nothing is known of this computer's place."""
    months = quantities.months(report.circumstances.horizon_months, language)
    lines = [(line, option) for line, option in shown_lines(report) if option.horizon_usd is not None]
    if not lines:
        return
    title = language.gettext("What it costs in {months}").format(months=months)
    body.append(_text((_MARGIN, _BAR_TOP), title, 11, "soft"))
    for number, (line, option) in enumerate(lines[:3]):
        y = _BAR_TOP + 19 * (number + 1)
        body.append(f'<circle cx="{_MARGIN + 4}" cy="{y - 4}" r="4" class="{option.tier}"/>')
        name = line_title(line, option, language)
        body.append(_text((_MARGIN + 13, y), _fitted(name, 12, _ROOM - 120), 12, "ink"))
        total = amount(option.horizon_usd or 0.0, report, language)
        body.append(_text((WIDTH - _MARGIN, y), total, 12, "strong", is_right=True))


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
