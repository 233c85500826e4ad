"""The best option of each answer: every page, chart and report that names one takes it from here."""

from advisor.records.job.advice import Option, Tier
from advisor.records.results.report import Report

_MUCH_FASTER = 1.9
"""From here on, rounded times show that something is about twice as fast."""
_ORDER: tuple[Tier, ...] = ("this_computer", "single_gpu", "cloud", "cluster")


def best_options(report: Report) -> tuple[Option, ...]:
    """Return the chosen option, then the best of every other answer that can do the job, always in one order.

    Which purchase and which rent are the best is what the trade beside the answer says, where there is one.
    A cluster is shown only where it is the answer or the site's own: nobody weighs it against a laptop.
    """
    trade, best = report.advice.trade, dict[Tier, Option]()
    named = {row.option for row in (() if trade is None else trade.rows) if {"buy", "rent"} & set(row.roles)}
    named -= {option.id for option in report.advice.options if not _is_worth_naming(option, report)}
    for option in sorted(report.advice.options, key=lambda one: (one.id != report.advice.chosen, one.id not in named)):
        is_worth_it = option.tier != "cluster" or option.site_nodes or report.advice.tier == "cluster"
        if option.run_s is not None and is_worth_it and (option.feasible or option.tier == "this_computer"):
            best.setdefault(option.tier, option)
    chosen = report.advice.tier
    return tuple(sorted(best.values(), key=lambda one: (one.tier != chosen, _ORDER.index(one.tier))))


def _is_worth_naming(option: Option, report: Report) -> bool:
    """Return whether an alternative to a computer that is enough is more than a little faster than it.

    Else two cards for 1,700 USD stood beside a laptop that takes half a minute longer.
    """
    chosen = next((one for one in report.advice.options if one.id == report.advice.chosen), None)
    if chosen is None or chosen.tier != "this_computer" or chosen.run_s is None or option.run_s is None:
        return True
    return option.run_s * _MUCH_FASTER <= chosen.run_s
