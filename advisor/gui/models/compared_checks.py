"""Two earlier checks side by side, in words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.gui.models import compared_summary
from advisor.gui.models.planned_tests import together
from advisor.locale import Language
from advisor.records.results.comparison import ComparedCase, Comparison
from advisor.records.results.measured.measurement import FailureReason
from advisor.report.words import quantities
from advisor.report.words.cases import case_title
from advisor.report.words.compared import difference_phrase, taken_phrase


@dataclass(frozen=True, kw_only=True)
class ComparedView:
    """Two checks in words.

    Attributes:
        names: What A and B are, their answers, and what other programs took of their processor.
        summary: What the comparison comes to.
        header: Titles of the columns.
        rows: One a case; the difference carries an arrow where it is beyond noise.
        keys: What each row is sorted by.
        cases: What each row compares.
        marked: Rows whose difference repeating alone would not cause.
        disturbed: Rows that other programs disturbed, so that they tell nothing.
        chance: How far apart two times may be by chance, and why.
        left_over: What only one of them has measured, and why the other has not; empty where nothing.
    """

    names: tuple[str, str]
    summary: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: tuple[tuple[float | str, ...], ...]
    cases: tuple[ComparedCase, ...]
    marked: frozenset[int]
    disturbed: frozenset[int]
    chance: str
    left_over: str


def compared_view(
    names: tuple[str, str], comparison: Comparison, language: Language, *, answers: str = ""
) -> ComparedView:
    """Return two checks side by side in the user's language.

    Args:
        names: What A and B are, with their answers.
        comparison: What both have measured.
        language: Of all texts.
        answers: How the two answers stand to each other, told first; empty where they answer different questions.
    """
    _ = language.gettext
    places = {case.id: place for place, case in enumerate(together([one.case for one in comparison.cases]))}
    cases = sorted(comparison.cases, key=lambda one: places[one.case.id])
    job = compared_summary.job_of(cases)
    shares = (0.0, 0.0) if job is None else (job.first_taken_ratio, job.second_taken_ratio)
    return ComparedView(
        names=(
            _side(names[0], shares[0], comparison.first_taken_ratio, language),
            _side(names[1], shares[1], comparison.second_taken_ratio, language),
        ),
        summary=" ".join(filter(None, (answers, compared_summary.summary(comparison, language)))),
        header=(_("Test"), "A", "B", _("B against A")),
        rows=tuple(_compared_row(case, language) for case in cases),
        keys=tuple(_compared_keys(case, language) for case in cases),
        cases=tuple(cases),
        marked=frozenset(row for row, case in enumerate(cases) if case.finding in ("faster", "slower")),
        disturbed=frozenset(row for row, case in enumerate(cases) if case.finding == "disturbed"),
        chance=compared_summary.chance(comparison, language),
        left_over=_left_over(comparison, language),
    )


def _side(name: str, job_ratio: float, taken_ratio: float, language: Language) -> str:
    """Return the name of a check, with what other programs took meanwhile."""
    return " · ".join(filter(None, (name, taken_phrase(taken_ratio, language, job_ratio))))


def _left_over(comparison: Comparison, language: Language) -> str:
    """Return how many tests only one of the two has, and why the other has not."""
    sides = ((comparison.only_first, "A", "B"), (comparison.only_second, "B", "A"))
    return " ".join(
        language.ngettext(
            "{n} test was done in {here} only: {why}.", "{n} tests were done in {here} only: {why}.", count
        ).format(n=language.number(count), here=here, why=_why(reason, language).format(check=there))
        for names, here, there in sides
        for reason, count in _reasons(names, comparison)
    )


def _reasons(names: Sequence[str], comparison: Comparison) -> Sequence[tuple[FailureReason | None, int]]:
    return Counter(comparison.reasons.get(name) for name in names).most_common()


def _why(reason: FailureReason | None, language: Language) -> str:
    """Return why a check has no time of some tests; None: they were not asked of it."""
    _ = language.gettext
    if reason is None:
        return _("{check} had another job or plan")
    if reason == "no_time":
        return _("no time was left in {check}")
    if reason in ("skipped", "cancelled"):
        return _("{check} went on, or ended, without that")
    return _("{check} got no result there")


def _compared_row(case: ComparedCase, language: Language) -> tuple[str, ...]:
    return (
        case_title(case.case, language),
        quantities.exact_seconds(case.first_s, language),
        quantities.exact_seconds(case.second_s, language),
        _difference(case, language),
    )


def _difference(case: ComparedCase, language: Language) -> str:
    said = difference_phrase(case, language)
    if case.finding not in ("faster", "slower"):
        return said
    return f"{'▲' if case.speed_ratio > 1 else '▼'} {said}"


def _compared_keys(case: ComparedCase, language: Language) -> tuple[float | str, ...]:
    return (case_title(case.case, language).casefold(), case.first_s, case.second_s, case.speed_ratio)
