"""What other programs took while this computer was measured, and what that leaves of the answer."""

from advisor.records.job.advice import Option
from advisor.records.job.prediction import processor_ratio
from advisor.records.results.report import Report

_MOST_TAKEN = 0.99
"""More would promise a computer a hundred times as fast."""


def is_untrusted(report: Report) -> bool:
    """Return whether others left the processor, which is the best of this computer, nearly nothing while measuring."""
    best = best_here(report)
    if best is None or best.is_card or best.prediction is None or report.benchmark is None:
        return False
    return report.benchmark.leaves_too_little(best.prediction.basis_detail)


def best_here(report: Report) -> Option | None:
    """Return what does a run soonest on this computer; None where nothing of it can."""
    own = (one for one in report.advice.options if one.tier == "this_computer" and one.run_s is not None)
    return min(own, key=lambda one: one.run_s or 0.0, default=None)


def taken_ratio(option: Option | None, report: Report) -> float:
    """Return what others took of the processor during the measurements that a time of this computer rests on."""
    if report.benchmark is None or option is None or option.prediction is None or option.tier != "this_computer":
        return 0.0
    return report.benchmark.taken_ratio(option.prediction.basis_detail)


def lost_ratio(option: Option | None, report: Report) -> float:
    """Return which share of an option's time others may have cost it, at most: a card computes on beside them."""
    if option is None or option.prediction is None:
        return 0.0
    decided = processor_ratio(option.prediction, on_card=option.is_card)
    return min(taken_ratio(option, report) * decided, _MOST_TAKEN)
