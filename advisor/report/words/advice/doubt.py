"""Why the time of an option is not more certain: the one thing that makes its range wide, in a plain sentence."""

import math
from typing import Final, Literal

from advisor.locale import N_, Language
from advisor.records.base import Basis, Interval
from advisor.records.job.advice import Option
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.job.prediction import Prediction, confidence_of
from advisor.records.results.measured.job_terms import LINE_SIGMA, JobTerm, job_terms
from advisor.records.results.report import Report
from advisor.report.words.advice.interference import LEAST_S, is_worked_out, lost_ratio
from advisor.report.words.problems import load_sentence

_Aside = Literal["others", "loading"]
"""What widens a range beside what is not known of the step itself."""

_TERMS: Final[dict[JobTerm, str]] = {
    "batch": N_("The job was measured with another batch than yours."),
    "earlier": N_(
        "An earlier check of this job measured another time, and nothing tells which is right: the range holds both."
    ),
    "pace": N_("This computer's speed varied during the check, so another run may take somewhat more or less."),
    "part": N_("Only a part of a step was measured; the rest is worked out."),
    "repeat": N_("No two runs take exactly as long: this range is what to expect of another one."),
    "scatter": N_("The repetitions of its test took times that lie far apart."),
}
_BASES: Final[dict[Basis, str]] = {
    "measured": N_("A program like it was measured, not your own."),
    "modelled": N_("This job was not measured on it: its time is worked out from published specifications."),
    "published": N_("This job was not measured on it: its time is worked out from published specifications."),
    "scaled": N_("This job was not measured on it: its time is worked out from other measurements of this computer."),
    "shared": N_("It was measured on other people's computers, which differ from this one."),
}


def doubt_sentence(option: Option, report: Report, language: Language) -> str:
    """Return what makes the range of an option's time wide; empty where it is not, or nothing is predicted."""
    prediction = _unsure(option)
    if prediction is None:
        return ""
    cause = _cause(option, prediction, report)
    if cause == "others" and report.benchmark is not None:
        is_void = is_worked_out(option, report)
        return load_sentence(report.benchmark, prediction.basis_detail, language, is_untrusted=is_void)
    if cause == "loading":
        return _of_loading(prediction, report, language)
    term = _largest_term(prediction, report)
    return language.gettext(_BASES[prediction.basis] if term is None else _TERMS[term])


def asks_for_data(option: Option, report: Report) -> bool:
    """Return whether a time would be surer if the user's own data were known: their loading makes its range wide."""
    prediction = _unsure(option)
    if prediction is None:
        return False
    is_known = report.data is not None or prediction.limit == "disk" or report.workload.loaders is None
    return not is_known and (_is_widened_by_loading(prediction) or _cause(option, prediction, report) == "loading")


def _is_widened_by_loading(prediction: Prediction) -> bool:
    """Return whether loading alone would make a time less than good, whatever else widens its range more."""
    fed = prediction.fed_interval
    if fed is None:
        return False
    aside = math.exp((_width(prediction.interval) - _width(fed)) / 2)
    return aside > 1.0 and confidence_of(1.0, Interval(low=1.0 / aside, high=aside)) != "good"


def _unsure(option: Option) -> Prediction | None:
    """Return the prediction of an option whose range is wide; None where it is not, or nothing is predicted."""
    run_s, ends = option.run_s, option.interval
    return None if not run_s or ends is None or confidence_of(run_s, ends) == "good" else option.prediction


def _cause(option: Option, prediction: Prediction, report: Report) -> Literal["others", "loading", "step"]:
    is_earlier = report.benchmark is not None and report.benchmark.slowed_times(prediction.basis_detail) > 1.0
    if is_earlier or is_worked_out(option, report):
        return "others"
    return _widest(prediction, lost_ratio(option, report))


def _widest(prediction: Prediction, lost: float) -> Literal["others", "loading", "step"]:
    """Return what made a range wide: that without which it were worth a better word, else the largest part of it."""
    guess, whole = prediction.time_per_step_s, prediction.interval
    without: dict[_Aside, Interval] = {}
    if 0.0 < lost < 1.0:
        without["others"] = Interval(low=min(whole.low / (1.0 - lost), guess), high=whole.high)
    if prediction.fed_interval is not None:
        without["loading"] = prediction.fed_interval
    parts = {cause: _width(whole) - _width(narrow) for cause, narrow in without.items()}
    word, rest = confidence_of(guess, whole), _width(whole) - sum(parts.values())
    better = [cause for cause, narrow in without.items() if confidence_of(guess, narrow) != word]
    found = better or [cause for cause, part in parts.items() if part > rest]
    if not found:
        return "step"
    largest: _Aside = max(found, key=lambda cause: parts[cause])
    return largest


def _width(interval: Interval) -> float:
    """Return how wide an interval is, on its logarithmic scale."""
    return math.log(max(interval.high, LEAST_S) / max(interval.low, LEAST_S))


def _of_loading(prediction: Prediction, report: Report, language: Language) -> str:
    """Return what is not known of how the job's samples are loaded."""
    _ = language.gettext
    if report.data is not None:
        return _("How long your data take to load differs from run to run.")
    if prediction.limit == "disk":
        return _("How fast the hard disk delivers your files was not measured.")
    if report.workload.loaders is None:
        return _(
            "How your program loads its photos is not known: one that loads them between the steps, or large photos, "
            "would make each step wait."
        )
    return _(
        "How large your photos are is not known: large ones would make each step wait for them. Name their folder, and "
        "their loading is measured."
    )


def _largest_term(prediction: Prediction, report: Report) -> JobTerm | None:
    """Return what makes the time of the measured job unsure; None where it does not rest on that."""
    if report.benchmark is None or prediction.basis != "measured":
        return None
    wanted = set(prediction.basis_detail)
    found = (one for one in report.benchmark.measurements if one.case.id in wanted and one.case.program == JOB_PROGRAM)
    one = next(found, None)
    if one is None:
        return None
    terms = job_terms(one)
    if (batch := one.case.batch_size) != prediction.batch_size and batch > 0:
        terms["batch"] = max(terms["batch"], LINE_SIGMA * (abs(math.log2(prediction.batch_size / batch)) + 1.0))
    return max(terms, key=lambda term: terms[term])
