"""What other programs took while this computer was measured, and what that leaves of the answer."""

from advisor.records.job.advice import Option
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report

_MOST_LOST = 0.99
"""More would promise a computer a hundred times as fast."""
LEAST_S = 1e-12
"""A file may say that a step takes no time at all."""


def taken_ratio(option: Option | None, report: Report) -> float:
    """Return what others took of the processor during the measurements that a time of this computer rests on."""
    if report.benchmark is None or option is None or option.prediction is None or option.tier != "this_computer":
        return 0.0
    return report.benchmark.taken_ratio(option.prediction.basis_detail)


def is_worked_out(option: Option, report: Report) -> bool:
    """Return whether a time of this computer takes the place of measurements that are not to be trusted."""
    if option.tier != "this_computer" or option.prediction is None:
        return False
    return option.prediction.basis == "modelled" and is_untrusted(report)


def lost_ratio(option: Option | None, report: Report) -> float:
    """Return which share of an option's time others may have cost it, at most: a card computes on beside them."""
    if report.benchmark is None or option is None or option.prediction is None or option.tier != "this_computer":
        return 0.0
    if is_worked_out(option, report):
        return 0.0
    said = option.prediction
    lost = min(report.benchmark.lost_ratio(said, on_card=option.is_card), _MOST_LOST)
    # Threads that waited for each other may have lost nearly all of it; no more is promised than the range holds.
    return min(lost, max(1.0 - said.interval.low / max(said.time_per_step_s, LEAST_S), 0.0))
