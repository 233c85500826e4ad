"""Two earlier checks side by side, in words."""

from collections import Counter
from dataclasses import dataclass

from advisor.locale import Language
from advisor.records.results.comparison import (
    MOST_NOISE_RATIO,
    REPEATABILITY_RATIO,
    ComparedCase,
    Comparison,
    Finding,
    is_same,
)
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.report.words import quantities
from advisor.report.words.cases import case_title
from advisor.report.words.compared import difference_phrase, speed_phrase

_SEVERAL = 5
"""So many tests that go the same way are told as one."""


@dataclass(frozen=True, kw_only=True)
class ComparedView:
    """Two checks in words.

    Attributes:
        names: What A and B are, and what spoiled their measurements.
        summary: What the comparison comes to.
        header: Titles of the columns.
        rows: One a case; the difference carries an arrow where it is beyond noise.
        keys: What each row is sorted by.
        cases: What each row compares.
        marked: Rows whose difference repeating alone would not cause.
        noise: What the noise of a row is.
        left_over: What only one of them has measured; empty where nothing.
    """

    names: tuple[str, str]
    summary: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: tuple[tuple[float | str, ...], ...]
    cases: tuple[ComparedCase, ...]
    marked: frozenset[int]
    noise: str
    left_over: str


def compared_view(names: tuple[str, str], comparison: Comparison, language: Language) -> ComparedView:
    """Return two checks side by side in the user's language."""
    _ = language.gettext
    cases = comparison.cases
    only = len(comparison.only_first) + len(comparison.only_second)
    text = language.ngettext("{n} test was done in one of them only.", "{n} tests were done in one of them only.", only)
    noises = {quantities.scatter(case.noise_ratio, language) for case in cases}
    header = (_("Test"), "A", "B", _("B against A"), _("Noise"))
    shown = len(header) - (len(noises) == 1)  # one figure for all stands below the table
    return ComparedView(
        names=(
            _side(names[0], comparison.first_taken_ratio, comparison.first_repeat_ratio, language),
            _side(names[1], comparison.second_taken_ratio, comparison.second_repeat_ratio, language),
        ),
        summary=_summary(comparison, language),
        header=header[:shown],
        rows=tuple(_compared_row(case, language)[:shown] for case in cases),
        keys=tuple(_compared_keys(case, language) for case in cases),
        cases=tuple(cases),
        marked=frozenset(row for row, case in enumerate(cases) if case.is_beyond_noise),
        noise=_noise(comparison, "" if len(noises) != 1 else noises.pop(), language),
        left_over=text.format(n=language.number(only)) if only else "",
    )


def _noise(comparison: Comparison, of_all: str, language: Language) -> str:
    """Return where the noise comes from; ``of_all`` is that of every test, empty where they differ."""
    _ = language.gettext
    if comparison.pace_noise_ratio <= REPEATABILITY_RATIO:
        text = _(
            "Noise: how far apart two repeats of a test may be, because its own times vary. 19 of 20 repeats stay "
            "within it, so a smaller difference may be chance."
        )
        more = _("It is {noise} for each test.").format(noise=of_all) if of_all else ""
    elif comparison.pace_noise_ratio > MOST_NOISE_RATIO:
        text = _("Noise: the pace of A or B changed so much (above) that their times tell hardly anything.")
        more = ""
    else:
        text = _(
            "Noise: by what the pace of A and of B changed (above), the two differ by about {usual} as a rule, and in "
            "1 test of 20 by more than three times that, {noise}. A smaller difference may be chance."
        )
        usual, most = language.percent(comparison.usual_ratio), language.percent(comparison.pace_noise_ratio)
        text = text.format(usual=usual, noise=most)
        more = "" if of_all else _("It is more where the times of a test vary by themselves, too.")
    return f"{text} {more}".rstrip()


def _side(name: str, taken_ratio: float, repeat_ratio: float | None, language: Language) -> str:
    """Return the name of a check, with what makes it unsure."""
    _ = language.gettext
    parts = [name]
    if taken_ratio > 0:
        text = _("other programs used {share} of the processor on average during the check")
        parts.append(text.format(share=language.percent(taken_ratio)))
    if repeat_ratio is not None and repeat_ratio > REPEATABILITY_RATIO:
        text = _("the computer's pace changed during the check, so that a repeat would differ by about {share}")
        if repeat_ratio > MOST_NOISE_RATIO:
            text = _("the computer's pace changed so much during the check that a repeat would tell something else")
        parts.append(text.format(share=language.percent(repeat_ratio)))
    return " · ".join(parts)


def _summary(comparison: Comparison, language: Language) -> str:
    """Return what all tests together come to, and what made that unsure."""
    if not comparison.cases:
        return language.gettext("The two checks have no test in common.")
    found = Counter(case.finding for case in comparison.cases)
    said = _all_one(found, language) or _all_alike(comparison, found, language) or _counted(found, language)
    return f"{said} {_disturbance(comparison, language)}".rstrip()


def _all_one(found: Counter[Finding], language: Language) -> str:
    """Return what is found in every test; empty where they differ."""
    _ = language.gettext
    texts: dict[Finding, str] = {
        "faster": _("B is faster in all {all} tests."),
        "slower": _("B is slower in all {all} tests."),
        "same": _("A and B are the same in all {all} tests."),
    }
    (kind, count), *others = found.items()
    return "" if others else texts.get(kind, "").format(all=language.number(count))


def _counted(found: Counter[Finding], language: Language) -> str:
    """Return how many tests came to what."""
    _ = language.gettext
    count = found.total()
    if found["noisy"] == count:
        return _("These two checks cannot be compared: their times are too uneven to tell which is faster.")
    counted: tuple[tuple[Finding, str], ...] = (
        ("faster", _("B is faster in {n}")),
        ("slower", _("B is slower in {n}")),
        ("same", _("the same in {n}")),
        ("chance", _("a difference that may be chance in {n}")),
        ("noisy", _("too uneven to tell in {n}")),
    )
    parts = ", ".join(text.format(n=language.number(found[kind])) for kind, text in counted if found[kind])
    return _("Of {all} tests: {parts}.").format(all=language.number(count), parts=parts)


def _all_alike(comparison: Comparison, found: Counter[Finding], language: Language) -> str:
    """Return that all tests went the same way, and whether that may be chance; empty where they did not."""
    ratios = sorted(case.speed_ratio for case in comparison.cases)
    middle = ratios[len(ratios) // 2]
    is_slower = ratios[-1] < 1
    if len(ratios) < _SEVERAL or is_same(middle) or not (is_slower or ratios[0] > 1):
        return ""
    _ = language.gettext
    text = _("B took less time in all {all} tests: it was about {difference}.")
    if is_slower:
        text = _("B took more time in all {all} tests: it was about {difference}.")
    said = text.format(all=language.number(len(ratios)), difference=speed_phrase(middle, language))
    return f"{said} {_how_sure(comparison, found['faster'] + found['slower'], language)}"


def _how_sure(comparison: Comparison, beyond: int, language: Language) -> str:
    """Return whether noise explains that all tests went the same way."""
    _ = language.gettext
    if beyond:
        return _("Only in {n}, in bold, is that more than noise.").format(n=language.number(beyond))
    if comparison.pace_noise_ratio <= REPEATABILITY_RATIO:
        return _("That may be chance: the times of each test vary by as much.")
    text = _("That may be chance: the changing pace alone makes them differ by about {usual}, and at times by {noise}.")
    return text.format(
        usual=language.percent(comparison.usual_ratio), noise=language.percent(comparison.pace_noise_ratio)
    )


def _disturbance(comparison: Comparison, language: Language) -> str:
    """Return which of two checks other programs disturbed; empty: none that is known of."""
    _ = language.gettext
    first, second = (
        ratio >= DISTURBED_RATIO for ratio in (comparison.first_taken_ratio, comparison.second_taken_ratio)
    )
    if first and second:
        return _("Other programs disturbed both checks.")
    if first or second:
        return _("Other programs disturbed {check}.").format(check="A" if first else "B")
    return ""


def _compared_row(case: ComparedCase, language: Language) -> tuple[str, ...]:
    return (
        case_title(case.case, language),
        quantities.exact_seconds(case.first_s, language),
        quantities.exact_seconds(case.second_s, language),
        _difference(case, language),
        quantities.scatter(case.noise_ratio, language),
    )


def _difference(case: ComparedCase, language: Language) -> str:
    said = difference_phrase(case, language)
    if not case.is_beyond_noise:
        return said
    return f"{'▲' if case.speed_ratio > 1 else '▼'} {said}"


def _compared_keys(case: ComparedCase, language: Language) -> tuple[float | str, ...]:
    return (
        case_title(case.case, language).casefold(),
        case.first_s,
        case.second_s,
        case.speed_ratio,
        case.noise_ratio,
    )
