"""Join facts, rules, ranking and explanation into the advice."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from advisor.recommend.cost_over_time import cost_over_time
from advisor.recommend.explanation import disagreement, explain, gpu_would_help
from advisor.recommend.facts import Facts, chosen_facts, collect_facts, fact
from advisor.recommend.feasibility import Wishes
from advisor.recommend.flips import find_flips
from advisor.recommend.near_ties import either
from advisor.recommend.ranking import Choice, choose, ranked
from advisor.recommend.reason_base import Case
from advisor.recommend.rules import defaults, evaluate, rule_tier, upper_limit
from advisor.recommend.trade import weigh
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import HARDWARE_S, Advice, Fact, FiredRule, Flip, Option, Rule, Trade
from advisor.records.job.prediction import Confidence, confidence_of
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measured.measurement import Benchmark
from advisor.records.results.report import NetworkSummary
from advisor.units import MONTH_S


def advise(
    workload: Workload,
    circumstances: Circumstances,
    machine: Machine,
    options: Sequence[Option],
    *,
    rules: Sequence[Rule],
    benchmark: Benchmark | None = None,
    network: NetworkSummary | None = None,
    devices: Mapping[str, Device] | None = None,
    extra_facts: Iterable[Fact] = (),
) -> Advice:
    """Return the recommendation for one job on one computer.

    Args:
        workload: What the user wants to train.
        circumstances: The user's side of it; the options' costs are for its runs and horizon.
        machine: What the probe found.
        options: Predicted and priced, neither ranked nor judged. Their ids begin with ``here/cpu``, ``here/<device>``,
            ``buy/``, ``rent/`` or ``cluster/``; those that cannot run the job at all carry the obstacle
            ``not_supported``.
        rules: As ``load_rules`` returns them.
        benchmark: What was measured here, if anything.
        network: Size and work of the workload's network.
        devices: Catalogue rows of the options' devices, by the name the options use.
        extra_facts: Facts found elsewhere; they replace those found here.
    """
    facts = collect_facts(
        workload,
        circumstances,
        machine,
        options,
        benchmark=benchmark,
        network=network,
        small_s=upper_limit(rules, "time_on_processor_s", "this_computer"),
        extra=extra_facts,
    )
    given, default_rules = defaults(rules, facts)
    facts |= given
    wishes = _wishes(circumstances, facts, devices or {})
    is_scalable = workload.method != "classical" and not facts["card_idle_ratio"].value
    choice = choose(options, wishes, is_scalable=is_scalable)
    facts |= chosen_facts(choice.option, devices or {})
    case = Case(options, wishes, choice, either(options, wishes, choice), facts)
    flips = (
        ()
        if _outlasts_hardware(choice)
        else find_flips(
            options,
            wishes,
            choice,
            batch_size=workload.batch_size,
            is_scalable=is_scalable,
            deadline_for=lambda runs: _default_deadline(rules, facts, runs),
        )
    )
    return _explained(case, rules, default_rules, flips)


def _outlasts_hardware(choice: Choice) -> bool:
    """Return whether nothing is advised, so that nothing would change it either."""
    return choice.option is not None and (choice.option.run_s or 0.0) > HARDWARE_S


def _explained(
    case: Case, rules: Sequence[Rule], default_rules: Iterable[FiredRule], flips: tuple[Flip, ...]
) -> Advice:
    """Return the choice with its reasons, and with what the articles' rules say beside it."""
    trade = weigh(case.options, case.wishes, case.choice)
    case = _paid_back(case, trade)
    choice = case.choice
    fired, nearly = evaluate([rule for rule in rules if not rule.sets], case.facts)
    speaking = rule_tier(fired)
    order = ranked(case.options, case.wishes, choice.option)
    return Advice(
        tier=choice.tier,
        either=case.either,
        chosen=None if choice.option is None else choice.option.id,
        options=order,
        reasons=explain(case),
        trade=trade,
        cost_over_time=cost_over_time(order, case.wishes, trade),
        facts=tuple(case.facts.values()),
        fired=(*fired, *default_rules),
        nearly=nearly,
        rule_tier=None if speaking is None else speaking.tier,
        disagreement=disagreement(speaking, case),
        flips=flips,
        gpu_would_help=gpu_would_help(case),
        confidence=_confidence(choice),
    )


def _paid_back(case: Case, trade: Trade | None) -> Case:
    """Return the case with the month from which each purchase has cost less than the rent that the page names.

    Without it the cheapest rent that can be counted on stays the measure, which may be too late for this user.
    """
    rents = {row.option for row in (() if trade is None else trade.rows) if "rent" in row.roles}
    rent_usd = next((one.run_usd for one in case.options if one.id in rents), None)
    if rent_usd is None:
        return case
    runs = case.wishes.runs_per_month

    def paid_back(one: Option) -> Option:
        if one.purchase_usd <= 0 or one.run_usd is None:
            return one
        saved_usd = (rent_usd - one.run_usd) * runs
        return msgspec.structs.replace(one, break_even_months=one.purchase_usd / saved_usd if saved_usd > 0 else None)

    options = [paid_back(one) for one in case.options]
    chosen = case.choice.option
    named = chosen if chosen is None else next(one for one in options if one.id == chosen.id)
    return case._replace(options=options, choice=case.choice._replace(option=named))


def _wishes(circumstances: Circumstances, facts: Facts, devices: Mapping[str, Device]) -> Wishes:
    deadline = facts["deadline_s"]
    less_supported = {name: device for name, device in devices.items() if device.is_less_supported}
    return Wishes(
        deadline_s=float(deadline.value) if isinstance(deadline.value, (int, float)) else float("inf"),
        deadline_is_default=circumstances.deadline_s is None,
        budget_usd=circumstances.budget_usd,
        runs_per_month=circumstances.runs_per_month,
        horizon_months=circumstances.horizon_months,
        data_must_stay=circumstances.data_must_stay,
        priced_runs=circumstances.runs_per_month * circumstances.horizon_months,
        less_supported=frozenset(less_supported),
        old_cards=frozenset(name for name, device in less_supported.items() if "CUDA" in device.frameworks),
        left_behind=_left_behind(facts),
        tpus=frozenset(name for name, device in devices.items() if device.device_class == "tpu"),
    )


def _left_behind(facts: Facts) -> frozenset[str]:
    """Return the card of this computer that no framework of today computes on."""
    card, kind = (facts[name].value if name in facts else None for name in ("limited_card", "limited_kind"))
    return frozenset({str(card)}) if card is not None and kind == "old" else frozenset()


def _default_deadline(rules: Sequence[Rule], facts: Facts, runs_per_month: float) -> float:
    """Return the deadline the rules set where none was asked, for another number of runs."""
    changed = {
        **facts,
        "deadline_s": fact("deadline_s", None, "asked"),
        "time_between_runs_s": fact("time_between_runs_s", MONTH_S / runs_per_month, "asked"),
    }
    given = defaults(rules, changed)[0].get("deadline_s")
    return float(given.value) if given is not None and isinstance(given.value, (int, float)) else float("inf")


def _confidence(choice: Choice) -> Confidence:
    option = choice.option
    if option is None or option.prediction is None:
        return "rough"
    if option.run_s is None or option.interval is None:
        return option.prediction.confidence
    return confidence_of(option.run_s, option.interval)
