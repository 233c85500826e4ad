"""The numbers of an earlier check, and where each comes from."""

import math

from advisor.locale import Language
from advisor.records.results.comparison import ComparedCase, Comparison
from advisor.records.results.history_entry import Entry, Summary
from advisor.report.provenance.record import Provenance, has_number
from advisor.report.words import quantities
from advisor.report.words.cases import case_title
from advisor.report.words.compared import once_sentence
from advisor.report.words.labels import basis_phrase, spoken_date, tier_name
from advisor.report.words.networks import network_name

_CHECK = "advisor --report saved.html --machine saved.json"
_COMPARE = "advisor --compare a.json b.json"


def entry_figures(entry: Entry, language: Language) -> tuple[tuple[str, Provenance], ...]:
    """Return the numbers of an earlier check as texts, each with where it comes from; none of a damaged one."""
    one = entry.summary
    if one is None:
        return ()
    found = (_time(one, language), _tests(one, language))
    return tuple((text, origin) for text, origin in found if has_number(text))


def _time(one: Summary, language: Language) -> tuple[str, Provenance]:
    _ = language.gettext
    is_known = one.run_s is not None and math.isfinite(one.run_s) and one.run_s > 0
    value = quantities.duration(one.run_s, language) if one.run_s is not None and is_known else ""
    title = _("Time of one run on {option}").format(option=one.chosen or tier_name(one.tier, language))
    origin = Provenance(
        title=title,
        value=value,
        basis=basis_phrase(one.basis or ("scaled" if one.measured else "modelled"), language),
        inputs=(
            (_("Job"), network_name(one.titles.get(language.code) or one.workload, language)),
            (_("Processor"), one.cpu),
            *_cards(one, language),
        ),
        method=_("predicted on that day; open the check to see what went in, and how sure it is"),
        date=spoken_date(one.created_at, language),
    )
    run_s, low_s, high_s = (time_s or 0.0 for time_s in (one.run_s, one.low_s, one.high_s))
    if value and 0 < low_s <= run_s <= high_s < math.inf:
        value = quantities.duration_with_range(run_s, low_s, high_s, language)
    return f"{title}: {value}" if value else "", origin


def _cards(one: Summary, language: Language) -> tuple[tuple[str, str], ...]:
    return ((language.gettext("Graphics card"), ", ".join(one.cards)),) if one.cards else ()


def _tests(one: Summary, language: Language) -> tuple[str, Provenance]:
    _ = language.gettext
    number = language.number
    text = _("Tests with a result: {done} of {all}").format(
        done=number(one.measured), all=number(one.measured + one.failed)
    )
    if one.untimed:
        text = _("{tests} (no time was left for {n})").format(tests=text, n=number(one.untimed))
    origin = Provenance(
        title=_("Tests with a result"),
        value=number(one.measured),
        basis=basis_phrase("measured", language),
        inputs=((_("Without result"), number(one.failed)),) if one.failed else (),
        method=_("counted at the end of the check; open it, then Measure, to see each"),
        date=spoken_date(one.created_at, language),
        check=_CHECK,
    )
    return text if one.suite != "none" else "", origin


def of_comparison(comparison: Comparison, language: Language) -> Provenance:
    """Return how two checks were compared."""
    _ = language.gettext
    return Provenance(
        title=_("Two checks side by side"),
        value=language.number(len(comparison.cases)),
        basis=basis_phrase("measured", language),
        method=_("test by test; a difference counts where it is larger than repeating alone would cause"),
        check=_COMPARE,
    )


def of_compared(case: ComparedCase, language: Language) -> Provenance:
    """Return where the difference between two checks in one test comes from."""
    _ = language.gettext
    ratio = language.number(case.speed_ratio, 2)
    return Provenance(
        title=case_title(case.case, language),
        value=_("{times} times as fast").format(times=ratio),
        basis=basis_phrase("measured", language),
        inputs=(
            ("A", quantities.exact_seconds(case.first_s, language)),
            ("B", quantities.exact_seconds(case.second_s, language)),
        ),
        method=_("the median of A divided by that of B"),
        band=once_sentence(language) if case.is_once else _noise(case.noise_ratio, language),
        check=_COMPARE,
    )


def _noise(ratio: float, language: Language) -> str:
    if not quantities.is_told(ratio):
        return quantities.scatter(ratio, language)
    text = language.gettext("repeating alone could make a difference of {noise}")
    return text.format(noise=language.percent(ratio))
