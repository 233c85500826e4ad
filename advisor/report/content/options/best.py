"""The best option of each answer: every page, chart and report that names one takes it from here."""

from advisor.records.job.advice import Option, Tier
from advisor.records.job.best import best_of_each
from advisor.records.results.report import Report

_ORDER: tuple[Tier, ...] = ("this_computer", "single_gpu", "cloud", "cluster")


def best_options(report: Report) -> tuple[Option, ...]:
    """Return the chosen option, then the best of every other answer that can do the job, always in one order.

    A cluster is shown only where it is the answer or the site's own: nobody weighs it against a laptop.
    """
    advice = report.advice
    has_cluster = advice.tier == "cluster"
    options = [one for one in advice.options if one.tier != "cluster" or one.site_nodes or has_cluster]
    chosen = next((one for one in advice.options if one.id == advice.chosen), None)
    best = best_of_each(options, chosen, advice.trade)
    return tuple(sorted(best.values(), key=lambda one: (one.tier != advice.tier, _ORDER.index(one.tier))))
