"""Small builders shared by the tests of the recommendation."""

import msgspec

from advisor.recommend.feasibility import Wishes
from advisor.units import DAY_S


def wishes(**changes: object) -> Wishes:
    """Return wishes of an ordinary user, with changes: a week by default, two runs a month for two years."""
    usual = Wishes(
        deadline_s=7 * DAY_S,
        deadline_is_default=False,
        budget_usd=None,
        runs_per_month=2.0,
        horizon_months=24.0,
        data_must_stay=False,
        priced_runs=48.0,
    )
    return msgspec.structs.replace(usual, **changes)
