"""What an answer says of the computer it was made on: whether it is enough, and whether that can be trusted."""

from advisor.records.job.advice import Option
from advisor.records.results.report import Report


def best_here(report: Report, *, fits: bool = False) -> Option | None:
    """Return what does a run soonest on this computer; None where nothing of it can.

    Args:
        report: With every option.
        fits: Of what has the memory for it alone.
    """
    own = (one for one in report.advice.options if one.tier == "this_computer" and one.run_s is not None)
    own = (one for one in own if not (fits and one.obstacle == "does_not_fit"))
    return min(own, key=lambda one: one.run_s or 0.0, default=None)


def rests_on_tests(report: Report) -> bool:
    """Return whether the time of this computer rests on something measured here, which others may have disturbed.

    What is worked out from specifications alone is no less sure for what ran beside other tests; nor is there a time of
    what has no room.
    """
    best = best_here(report, fits=True)
    if best is None or best.prediction is None or report.benchmark is None:
        return False
    measured = {one.case.id for one in report.benchmark.measurements}
    is_measured = best.prediction.basis in ("measured", "scaled")
    return bool(measured) and (is_measured or not measured.isdisjoint(best.prediction.basis_detail))


def is_untrusted(report: Report) -> bool:
    """Return whether others left the processor, which is the best of this computer, nearly nothing while measuring."""
    best = best_here(report)
    if best is None or best.is_card or best.prediction is None or report.benchmark is None:
        return False
    if not rests_on_tests(report):
        return False
    return report.benchmark.leaves_too_little(best.prediction.basis_detail)


def falls_short(report: Report) -> bool:
    """Return whether what is named does not meet what was asked, since nothing does: it comes closest, no more.

    A deadline that nobody asked for may give way.
    """
    named = next((one for one in report.advice.options if one.id == report.advice.chosen), None)
    if named is None or named.obstacle is None:
        return False
    return named.obstacle != "misses_deadline" or report.circumstances.deadline_s is not None


def is_enough(report: Report) -> bool:
    """Return whether the answer is this computer, and in time; who can wait may have that as one of two answers."""
    advice = report.advice
    is_late = any(reason.code == "after_deadline" for reason in advice.reasons)
    return advice.tier == "this_computer" and len(advice.either) < 2 and not is_late


def needs_patience(report: Report) -> bool:
    """Return whether the answer is this computer for who can wait: no deadline that was asked for is missed."""
    reasons = report.advice.reasons
    is_late = any(one.code == "after_deadline" and "default_deadline_s" not in one.values for one in reasons)
    return report.advice.tier == "this_computer" and not is_enough(report) and not is_late
