"""Which option stands for each of the four answers: one rule for the advice and for every page that shows it."""

from collections.abc import Sequence

from advisor.records.job.advice import Option, Tier, Trade

MUCH_FASTER_RATIO = 1.9
"""From here on, rounded times show that something is about twice as fast."""


def best_of_each(options: Sequence[Option], chosen: Option | None, trade: Trade | None) -> dict[Tier, Option]:
    """Return the chosen option, and the best of every other answer that can do the job.

    Which purchase and which rent are the best is what the trade says, where there is one.

    Args:
        options: The best first.
        chosen: What is recommended; None: nothing.
        trade: The answer beside its alternatives.
    """
    named = {row.option for row in (() if trade is None else trade.rows) if {"buy", "rent"} & set(row.roles)}
    named -= {one.id for one in options if not _is_worth_naming(one, chosen)}
    first = None if chosen is None else chosen.id
    best: dict[Tier, Option] = {}
    for option in sorted(options, key=lambda one: (one.id != first, one.id not in named)):
        if option.run_s is not None and (option.feasible or option.id == first or option.tier == "this_computer"):
            best.setdefault(option.tier, option)
    return best


def _is_worth_naming(option: Option, chosen: Option | None) -> bool:
    """Return whether an alternative to a computer that is enough is more than a little faster than it.

    Else two cards for 1,700 USD stood beside a laptop that takes half a minute longer.
    """
    if chosen is None or chosen.tier != "this_computer" or chosen.run_s is None or option.run_s is None:
        return True
    return option.run_s * MUCH_FASTER_RATIO <= chosen.run_s
