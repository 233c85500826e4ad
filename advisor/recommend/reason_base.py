"""What an explanation looks at, and what a reason is made of."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from advisor.recommend.facts import Facts, is_processor
from advisor.recommend.feasibility import (
    Wishes,
)
from advisor.recommend.ranking import (
    Choice,
)
from advisor.records.job.advice import FactValue, Option, Reason, Tier

ReasonCode = Literal[
    "after_deadline",
    "busy_here",
    "buying_may_be_late",
    "card_against_processor",
    "card_unknown",
    "card_limited",
    "cheapest",
    "classical",
    "cluster_work",
    "cores_unsaid",
    "data_exceed_disk",
    "data_must_stay",
    "does_not_fit_here",
    "faster_elsewhere",
    "fetch_weights",
    "fits_here_with",
    "host_cannot_load",
    "host_loads_in_parts",
    "in_a_week",
    "in_parts",
    "in_time_here",
    "input_bound",
    "loading_unknown",
    "may_miss_here",
    "near_tie",
    "needs_host",
    "never_pays_back",
    "no_node_fits",
    "no_node_in_time",
    "not_predicted",
    "over_budget",
    "pays_back",
    "pays_by_resale",
    "server_of_own",
    "several_devices",
    "slow_disk",
    "small_on_processor",
    "tight_deadline",
    "too_many_runs_here",
    "too_slow_here",
    "torch_mismatch",
    "tpu",
    "use_all_cards",
]


class Case(NamedTuple):
    """All that an explanation looks at."""

    options: Sequence[Option]
    wishes: Wishes
    choice: Choice
    either: tuple[Tier, ...]
    facts: Facts

    def value(self, name: str) -> FactValue:
        """Return the value of a fact; None where unknown."""
        found = self.facts.get(name)
        return None if found is None else found.value


def make_reason(code: ReasonCode, **values: FactValue) -> Reason:
    """Return a reason with those of its numbers that are known."""
    return Reason(code=code, values={name: value for name, value in values.items() if value is not None})


def limit_of(case: Case) -> dict[str, FactValue]:
    """Return how long a run may take: under one name where the user said so, under another where a rule did."""
    name = "default_deadline_s" if case.wishes.deadline_is_default else "deadline_s"
    return {name: case.wishes.deadline_s}


def kind_of_device(option: Option) -> str:
    """Return whether an option runs on a processor or a card."""
    return "processor" if is_processor(option) else "card"


def same_card(case: Case, chosen: Option) -> list[Option]:
    """Return the other purchases of what was chosen, which differ in the computer around it."""
    same = [one for one in case.options if one.tier == chosen.tier and one.id != chosen.id and one.purchase_usd > 0]
    return [one for one in same if (one.device, one.device_count) == (chosen.device, chosen.device_count)]
