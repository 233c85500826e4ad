"""The answer: the tier, the ranked options, the rules that fired, and what would change it."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Amount, Balance, Duration, Interval, Record, Source, Whole
from advisor.records.hardware.device import Offer
from advisor.records.job.prediction import CostPart, Prediction
from advisor.units import HOUR_S, YEAR_S

Tier = Literal["this_computer", "single_gpu", "cloud", "cluster"]
FactValue = float | Whole | bool | str | None
FactBasis = Literal["asked", "measured", "predicted", "probed", "published", "default"]


HARDWARE_S = 10 * YEAR_S
"""No card stays in use for longer: nobody should buy or rent for a run that outlasts it."""


class Fact(Record, frozen=True, kw_only=True):
    """A named fact the rules may use, and how it was come by.

    Attributes:
        name: Such as ``time_here_s``.
        value: None where unknown; a rule over an unknown fact never fires.
        basis: ``asked``, ``measured``, ``predicted``, ``probed``, ``published`` or ``default``.
    """

    name: str
    value: FactValue
    unit: str = ""
    basis: FactBasis


class Condition(Record, frozen=True, kw_only=True):
    """One comparison of a rule: fact, operator, value."""

    fact: str
    operator: Literal["<", "<=", ">", ">=", "==", "!=", "in"]
    value: float | int | bool | str | tuple[str, ...]


class Rule(Record, frozen=True, kw_only=True):
    """A rule of the articles, as data.

    Attributes:
        id: Such as ``scenario_1``.
        title: A few words by language code.
        when: All of these must hold.
        any_of: In each of these groups at least one must hold.
        tier: The tier it speaks for; None for rules that only explain.
        also: Further tiers the rule agrees with.
        sets: Facts it gives a default, by name: a number, or the name of the fact to copy.
        text: By language code; may name facts in braces.
        source: The article it is taken from.
    """

    id: str
    title: dict[str, str] = {}
    when: tuple[Condition, ...] = ()
    any_of: tuple[tuple[Condition, ...], ...] = ()
    tier: Tier | None = None
    also: tuple[Tier, ...] = ()
    sets: dict[str, float | str] = {}
    text: dict[str, str]
    source: Source


class FiredRule(Record, frozen=True, kw_only=True):
    """A rule whose conditions hold, or (in ``nearly``) all but one of them.

    Attributes:
        facts: Values of the facts it looked at.
        missing: The one condition that does not hold; None when the rule fired.
    """

    rule: Rule
    facts: dict[str, FactValue]
    missing: Condition | None = None


SECOND_CHOICES = frozenset({"interruptible", "marketplace", "less_supported"})
"""Obstacles of options that are cheap but cannot be relied on as the others can."""


class Option(Record, frozen=True, kw_only=True):
    """One way to get the job done.

    Attributes:
        id: Unique in an advice, such as ``here/cuda:0``, ``buy/GeForce RTX 4090``, ``rent/lambda/gpu_1x_h100``.
        tier: Which of the four answers it belongs to.
        title: Device names and counts; no sentence.
        prediction: None where the time cannot be predicted.
        run_s: Duration of one run of the job; None where unknown.
        interval: Of ``run_s``.
        purchase_usd: Paid once; 0 for what is owned or rented.
        host_usd: The part of it for a computer around the card, where the user's own has no place for one.
        is_computer: What is bought is a whole computer with the device built in, no card for this one.
        site_nodes: Nodes of the site's own cluster; 0 where it is none.
        site_jobs: Jobs that a run takes there, one after the other, since the site ends each after some time.
        threads: Hardware threads that prepare its data; None where unknown.
        sent_bytes: Data that go to the provider of a rented machine before a run.
        before_s: Until a run starts: a rented machine boots, and the data are sent; at one's own place, where there is
            a single run, the weights are fetched; at the site's cluster, all waiting in its queue.
        after_s: Until the result of a run is back from the provider.
        run_usd: Paid for each run: electricity, or rent and storage at as many runs as were asked.
        horizon_usd: Everything over the horizon, resale deducted.
        cost_parts: What ``horizon_usd`` consists of.
        energy_j: Electricity of one run.
        co2_g: Of that electricity.
        break_even_months: From when on buying is cheaper than the cheapest rent; None where never or not a purchase.
        feasible: Fits, meets deadline and budget, data may go there.
        obstacle: Code of the one reason it is not feasible or lost, such as ``does_not_fit``, ``misses_deadline``,
            ``over_budget``, ``data_must_stay``, ``dearer``, ``slower``, ``not_supported``; None for the chosen one.
        obstacle_values: Numbers of that reason, unit in the name.
        price_as_of: ISO date of the price used.
    """

    id: str
    tier: Tier
    title: str
    device: str
    device_count: int = 1
    prediction: Prediction | None = None
    offer: Offer | None = None
    run_s: Duration | None = None
    interval: Interval | None = None
    purchase_usd: Amount = 0.0
    host_usd: Amount = 0.0
    is_computer: bool = False
    site_nodes: Annotated[int, msgspec.Meta(ge=0)] = 0
    site_jobs: Annotated[int, msgspec.Meta(ge=1)] = 1
    threads: Amount | None = None
    sent_bytes: Amount = 0.0
    before_s: Amount = 0.0
    after_s: Amount = 0.0
    run_usd: Amount | None = None
    horizon_usd: Balance | None = None
    cost_parts: tuple[CostPart, ...] = ()
    energy_j: Amount | None = None
    co2_g: Amount | None = None
    break_even_months: Amount | None = None
    feasible: bool = False
    obstacle: str | None = None
    obstacle_values: dict[str, Balance] = {}
    price_as_of: str | None = None

    @property
    def done_s(self) -> float:
        """Time until a run's result is there: what is rented starts, gets the data, sends back; else infinite.

        That is what a deadline is compared with, and what tables and charts show.
        """
        return float("inf") if self.run_s is None else self.before_s + self.run_s + self.after_s

    @property
    def is_card(self) -> bool:
        """Whether it computes on a graphics card or another accelerator."""
        return self.id != "here/cpu" and not self.id.startswith("site/cpu/")

    @property
    def upload_s(self) -> float:
        """Time in which the data get to a rented machine: what passes before a run besides its start and set-up."""
        paid_s = sum(part.quantity * HOUR_S for part in self.cost_parts if part.kind in {"start", "setup"})
        return max(self.before_s - paid_s, 0.0)


class Flip(Record, frozen=True, kw_only=True):
    """A change of one fact that would change the answer.

    Attributes:
        fact: Name of the fact, such as ``runs_per_month``, ``deadline_s``, ``budget_usd``, ``batch_size``.
        now: Its value.
        then: The value from which on the answer is another.
        tier: That answer.
        option: Its option id, where one is named.
    """

    fact: str
    now: FactValue
    then: FactValue
    tier: Tier
    option: str | None = None


class Reason(Record, frozen=True, kw_only=True):
    """A reason for the answer: a code the report turns into a sentence, with its numbers."""

    code: str
    values: dict[str, FactValue] = {}


TradeRole = Literal["recommended", "stay", "buy", "rent", "cheapest", "quickest"]


class TradeRow(Record, frozen=True, kw_only=True):
    """One of the few options that are worth weighing against each other.

    Attributes:
        option: Its id.
        roles: Why it stands here: the answer, the best of what is owned, bought or rented, or of all the cheapest, or
            the quickest that costs a sensible amount.
        busy_s: Time it computes in a month.
        gives_up: What is lost by taking it, beside the other rows.
    """

    option: str
    roles: tuple[TradeRole, ...]
    busy_s: Duration
    gives_up: tuple[Reason, ...] = ()


class Trade(Record, frozen=True, kw_only=True):
    """What the answer costs beside its alternatives: time, money, and what else is given up.

    Attributes:
        rows: The answer first.
        reasons: The comparison as codes that the report turns into sentences, most important first.
    """

    rows: tuple[TradeRow, ...]
    reasons: tuple[Reason, ...] = ()


CostRole = Literal["keep", "buy", "rent"]


class CostLine(Record, frozen=True, kw_only=True):
    """What one option costs, against how often the job runs.

    Attributes:
        role: Keep what one has, buy the best purchase, or rent the best machine for rent.
        option: Its id.
        points: Pairs (runs a month, US dollars over the horizon); straight lines join them.
        by_month: Pairs (month, US dollars spent by then), at the runs a month that were asked; resale at the end.
        most_runs_per_month: More have no room in a month; None for rented machines.
    """

    role: CostRole
    option: str
    points: tuple[tuple[Amount, Balance], ...]
    by_month: tuple[tuple[Amount, Balance], ...]
    most_runs_per_month: Amount | None = None


class CostCrossing(Record, frozen=True, kw_only=True):
    """A number of runs a month from which on another of the lines is the lowest, or the lowest one has no more room.

    Attributes:
        runs_per_month: That number.
        usd: What ``above`` costs there over the horizon.
        below: The cheapest for fewer runs.
        above: The cheapest from there on.
    """

    runs_per_month: Amount
    usd: Balance
    below: CostRole
    above: CostRole


class CostOverTime(Record, frozen=True, kw_only=True):
    """Keeping, buying and renting, over the horizon.

    Attributes:
        lines: Of what there is of the three, at least two.
        crossings: In the order of runs a month.
        most_runs_per_month: How far the lines are told.
    """

    lines: tuple[CostLine, ...]
    crossings: tuple[CostCrossing, ...] = ()
    most_runs_per_month: Amount


class Advice(Record, frozen=True, kw_only=True):
    """The recommendation.

    Attributes:
        tier: The answer.
        either: Tiers that are as good, within the uncertainty; contains ``tier``.
        chosen: Option id; None where no single option can be named (cluster of unknown size).
        options: All considered, best first, the chosen one first.
        reasons: Why, most important first.
        trade: The answer beside its alternatives; None where it has none, or is a cluster.
        cost_over_time: Keeping, buying and renting for any number of runs a month; None where two are not known.
        fired: Rules that hold.
        nearly: Rules that miss one condition.
        rule_tier: What the articles' scenario rules alone would say; None where none speaks.
        disagreement: Why the measured answer differs from ``rule_tier``, as a code; None where they agree.
        flips: What would change the answer.
        gpu_would_help: Whether a (faster) GPU would make the job faster at all.
        confidence: Of the time the answer rests on.
    """

    tier: Tier
    either: tuple[Tier, ...]
    chosen: str | None
    options: tuple[Option, ...] = ()
    reasons: tuple[Reason, ...] = ()
    trade: Trade | None = None
    cost_over_time: CostOverTime | None = None
    facts: tuple[Fact, ...] = ()
    fired: tuple[FiredRule, ...] = ()
    nearly: tuple[FiredRule, ...] = ()
    rule_tier: Tier | None = None
    disagreement: str | None = None
    flips: tuple[Flip, ...] = ()
    gpu_would_help: bool | None = None
    confidence: Literal["good", "fair", "rough"] = "rough"

    @property
    def purchase(self) -> Option | None:
        """The purchase that the answer names: itself, else the best one beside it; None where it names none."""
        rows = () if self.trade is None else self.trade.rows
        names = {self.chosen, *(row.option for row in rows if "buy" in row.roles)}
        named = [one for one in self.options if one.id in names and one.purchase_usd > 0]
        return min(named, key=lambda one: one.id != self.chosen, default=None)
