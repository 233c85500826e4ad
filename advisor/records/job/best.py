"""Which option stands for each of the four answers: one rule for the advice and for every page that shows it."""

from collections.abc import Iterable, Sequence

from advisor.records.job.advice import Option, Tier, Trade

MUCH_FASTER_RATIO = 1.9
"""From here on, rounded times show that something is about twice as fast."""

SAME_TIME_RATIO = 1.15
"""Times closer than a good prediction tells apart count as equal."""


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
    options = [one for one in options if not is_new_computer_alone(one, chosen, options)]
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
    is_sooner = option.done_s * MUCH_FASTER_RATIO <= chosen.done_s  # a rented machine starts first
    return is_sooner and option.run_s * MUCH_FASTER_RATIO <= chosen.run_s


def is_new_computer_alone(option: Option, chosen: Option | None, options: Iterable[Option]) -> bool:
    """Return whether another card is sold with a new computer in which the one that is here would be as fast.

    Who has a better card would buy a computer for it, and not a weaker card with that computer.
    """
    if chosen is None or chosen.tier != "this_computer" or not chosen.is_card or option.run_s is None:
        return False
    if option.host_usd <= 0 or option.device == chosen.device:
        return False
    moved = [one.run_s for one in options if one.device == chosen.device and one.host_usd > 0 and one.run_s is not None]
    return any(run_s <= option.run_s * SAME_TIME_RATIO for run_s in moved)
