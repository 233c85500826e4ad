"""Why: the reasons that stand behind an answer, as codes with their numbers."""

import msgspec
import pytest

from advisor.catalog.networks.tables import network
from advisor.recommend.explanation import disagreement, explain, gpu_would_help
from advisor.recommend.facts import Facts, fact
from advisor.recommend.feasibility import Wishes
from advisor.recommend.near_ties import either
from advisor.recommend.ranking import Choice, choose
from advisor.recommend.reason_base import Case
from advisor.records.base import Interval, Source
from advisor.records.job.advice import FactValue, Option, Rule, Tier
from advisor.records.job.prediction import TimePart
from advisor.records.results.report import is_batch_normalized
from advisor.units import DAY_S, GIB, HOUR_S
from tests.unit.recommend.build import wishes
from tests.unit.report.samples import option

PROCESSOR = option("here/cpu", "this_computer", "p", 30 * HOUR_S)
CARD = option("here/cuda:0", "this_computer", "c", 3 * HOUR_S, memory_gib=6)
BUY = option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=1100, host_usd=700)
RENT = option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.5)


def _case(options: list[Option], asked: Wishes | None = None, **values: FactValue) -> Case:
    asked = asked or wishes()
    choice = choose(options, asked)
    facts: Facts = {name: fact(name, value, "asked") for name, value in values.items()}
    return Case(options, asked, choice, either(options, asked, choice), facts)


def _reasons(case: Case) -> dict[str, dict[str, FactValue]]:
    return {reason.code: reason.values for reason in explain(case)}


def test_a_card_here_is_compared_with_the_processor() -> None:
    """How long on each, how many times as long, and how much of the card's memory."""
    found = _reasons(_case([PROCESSOR, CARD], wishes(deadline_s=DAY_S)))
    assert found["in_time_here"] == {"run_s": 3 * HOUR_S, "device": "card", "deadline_s": DAY_S}
    assert found["card_against_processor"]["times"] == pytest.approx(10.0)
    assert found["fits_here_with"]["available_bytes"] == 6 * GIB


def test_a_default_deadline_is_told_from_an_asked_one() -> None:
    """The value has another name where the user did not say it."""
    found = _reasons(_case([CARD], wishes(deadline_is_default=True)))
    assert found["in_time_here"]["default_deadline_s"] == 7 * DAY_S


def test_a_small_task_says_so() -> None:
    """Minutes on the processor are a reason of their own."""
    quick = option("here/cpu", "this_computer", "p", 300.0)
    assert _reasons(_case([quick], is_small=True))["small_on_processor"] == {"run_s": 300.0}
    assert "small_on_processor" not in _reasons(_case([quick], is_small=True, method="classical"))


def test_what_does_not_fit_here_says_by_how_much() -> None:
    """The processor's memory or the card's, whichever comes nearest."""
    small = option("here/cuda:0", "this_computer", "c", HOUR_S, needed_gib=14, memory_gib=6)
    found = _reasons(_case([small, RENT]))
    assert found["does_not_fit_here"] == {"needed_bytes": 14 * GIB, "available_bytes": 6 * GIB, "device": "card"}


def test_a_card_too_small_is_named_before_a_processor_too_slow() -> None:
    """Main memory may hold what the card cannot; the card is what the user asks about."""
    small = option("here/cuda:0", "this_computer", "c", HOUR_S, needed_gib=14, memory_gib=6)
    found = _reasons(_case([small, PROCESSOR, RENT], wishes(deadline_s=12 * HOUR_S)))
    assert list(found)[:2] == ["does_not_fit_here", "too_slow_here"]
    assert found["does_not_fit_here"]["device"] == "card"


def test_a_card_that_nobody_knows_is_named() -> None:
    """It is not left out in silence; where no card would help, it does not matter."""
    found = _reasons(_case([PROCESSOR], unknown_card="GeForce GT 740M"))
    assert found["card_unknown"] == {"unknown_card": "GeForce GT 740M"}
    assert "card_unknown" not in _reasons(_case([PROCESSOR], unknown_card="GeForce GT 740M", method="classical"))


def test_a_card_that_needs_another_torch_is_named_where_it_is_the_answer() -> None:
    """Beside a rent it does not matter."""
    card = msgspec.structs.replace(option("here/cuda:0", "this_computer", "card", HOUR_S), device="card")
    found = _reasons(_case([card], limited_card="card", limited_kind="cu126"))
    assert found["card_limited"] == {"limited_card": "card", "kind": "cu126"}
    assert "card_limited" not in _reasons(_case([RENT], limited_card="card", limited_kind="cu126"))


def test_who_has_a_card_that_is_too_small_hears_so_although_the_processor_will_do() -> None:
    """Else nobody knows why the card is not used."""
    small = option("here/cuda:0", "this_computer", "c", HOUR_S, needed_gib=14, memory_gib=6)
    found = _reasons(_case([small, PROCESSOR]))
    assert "does_not_fit_here" in found


def test_an_unknown_loader_is_worth_a_word() -> None:
    """Where images are decoded, nobody said how, and a run may take much longer for that."""
    vague = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=0.5, spread=4.0)
    found = _reasons(_case([vague], input_kind="jpeg", loaders=None))
    assert found["loading_unknown"] == {"run_s": HOUR_S, "high_s": pytest.approx(4 * HOUR_S)}
    assert "loading_unknown" not in _reasons(_case([vague], input_kind="jpeg", loaders=4))
    assert "loading_unknown" not in _reasons(_case([vague], input_kind="memory", loaders=None))
    assert "loading_unknown" not in _reasons(_case([RENT], input_kind="jpeg", loaders=None))


def test_what_is_too_slow_here_says_how_slow() -> None:
    """Of several devices here, the best one is quoted."""
    found = _reasons(_case([PROCESSOR, RENT], wishes(deadline_s=12 * HOUR_S)))
    assert found["too_slow_here"] == {"run_s": 30 * HOUR_S, "device": "processor", "deadline_s": 12 * HOUR_S}


def test_too_many_runs_for_one_machine() -> None:
    """The month's hours against those the runs would take."""
    found = _reasons(_case([CARD, RENT], wishes(runs_per_month=500.0)))
    assert found["too_many_runs_here"]["busy_hours"] == 1500


def test_without_a_device_here_nothing_is_said_about_it() -> None:
    """An advice for a machine without options says why elsewhere, not why not here."""
    assert not {"too_slow_here", "does_not_fit_here"} & set(_reasons(_case([RENT])))


def test_an_unknown_time_here_is_no_reason() -> None:
    """Where this computer's time is unknown, no slowness is claimed."""
    unknown = option("here/cpu", "this_computer", "p", None)
    assert "too_slow_here" not in _reasons(_case([unknown, RENT]))


def test_renting_says_why_not_to_buy() -> None:
    """The cheapest purchase that would do, and that it never pays back for so few runs."""
    found = _reasons(_case([PROCESSOR, BUY, RENT], wishes(deadline_s=12 * HOUR_S)))
    assert found["cheapest"]["tier"] == "cloud"
    assert found["never_pays_back"] == {"purchase_usd": 1100.0, "device": "a", "runs": 48.0, "host_usd": 700.0}


def test_a_late_payback_says_when() -> None:
    """A purchase that pays back after the horizon is named with its month."""
    late = msgspec.structs.replace(BUY, break_even_months=60.0)
    found = _reasons(_case([late, RENT]))
    assert found["never_pays_back"]["months"] == 60.0


def test_nothing_to_buy_needs_no_reason_against_buying() -> None:
    """Where no purchase would do, none is argued against."""
    assert "never_pays_back" not in _reasons(_case([RENT]))
    soon = msgspec.structs.replace(BUY, break_even_months=3.0)
    assert "never_pays_back" not in _reasons(_case([soon, RENT]))


def test_buying_says_when_it_pays_back_and_what_the_computer_costs() -> None:
    """Break-even and the computer around the card."""
    bought = msgspec.structs.replace(BUY, break_even_months=3.0)
    found = _reasons(_case([PROCESSOR, bought], wishes(deadline_s=12 * HOUR_S)))
    assert found["pays_back"] == {"months": 3.0}
    assert found["needs_host"] == {"host_usd": 700}


def test_buying_that_pays_only_by_resale_says_so() -> None:
    """It costs less over the horizon, and less than renting only because it is sold at the end."""
    sold = msgspec.structs.replace(BUY, break_even_months=60.0, horizon_usd=1.0)
    found = _reasons(_case([PROCESSOR, sold, RENT], wishes(deadline_s=12 * HOUR_S)))
    assert found["cheapest"]["tier"] == "single_gpu"
    assert found["pays_by_resale"] == {"months": 60.0}
    assert "pays_back" not in found
    once = wishes(deadline_s=12 * HOUR_S, runs_per_month=1 / 24, priced_runs=1)
    case = Case([PROCESSOR, sold, RENT], once, Choice("single_gpu", sold), ("single_gpu",), {})
    assert "months" not in _reasons(case)["pays_by_resale"]
    alone = _reasons(_case([PROCESSOR, sold], wishes(deadline_s=12 * HOUR_S)))
    assert not {"pays_by_resale", "pays_back"} & alone.keys()


def test_what_was_not_bought_is_named_as_it_is_priced() -> None:
    """Four cards for the price of four, not one."""
    four = msgspec.structs.replace(BUY, title="4 × a", device_count=4)
    assert (
        _reasons(_case([PROCESSOR, four, RENT], wishes(deadline_s=12 * HOUR_S)))["never_pays_back"]["device"] == "4 × a"
    )


def test_classical_learning_that_needs_another_computer_says_what_counts() -> None:
    """A rented machine is taken for its memory, so nothing says that its card would not help."""
    small = option("here/cpu", "this_computer", "p", 500.0, needed_gib=9, memory_gib=8)
    here = option("here/cpu", "this_computer", "p", 500.0)
    assert _reasons(_case([here, RENT], method="classical"))["classical"] == {}
    assert _reasons(_case([small, RENT], method="classical"))["classical"] == {"tier": "cloud"}


def test_what_cannot_be_rented_is_not_weighed_against_renting() -> None:
    """Nor is a month named that nobody lives to see."""
    bought = msgspec.structs.replace(BUY, break_even_months=3.0)
    found = _reasons(_case([PROCESSOR, bought], wishes(deadline_s=12 * HOUR_S, data_must_stay=True)))
    assert "data_must_stay" in found
    assert "pays_back" not in found
    never = msgspec.structs.replace(BUY, break_even_months=9000.0)
    assert "pays_back" not in _reasons(_case([PROCESSOR, never], wishes(deadline_s=12 * HOUR_S)))


def test_several_cards_are_said() -> None:
    """An answer of more than one card counts them."""
    node = option("rent/x/a", "cloud", "h", HOUR_S, usd_per_h=9.0, count=8)
    assert _reasons(_case([node]))["several_devices"] == {"count": 8, "device": "h"}


def test_a_step_in_parts_is_said() -> None:
    """Gradient accumulation is part of the answer."""
    assert CARD.prediction is not None
    parts = msgspec.structs.replace(CARD.prediction, accumulation_steps=4, batch_size=8)
    found = _reasons(_case([msgspec.structs.replace(CARD, prediction=parts)]))
    assert found["in_parts"] == {"parts": 4, "batch_size": 8, "device": "c", "task": "train"}


def test_batch_normalization_in_parts_is_another_training() -> None:
    """It sees two of eight samples at a time; the result is not said to be the same."""
    assert CARD.prediction is not None
    parts = msgspec.structs.replace(CARD.prediction, accumulation_steps=4, batch_size=8)
    found = _reasons(_case([msgspec.structs.replace(CARD, prediction=parts)], batch_normalized=True))
    assert (found["in_parts"]["kind"], found["in_parts"]["samples"]) == ("normalized", 2)
    tables = {name: is_batch_normalized(network(name)) for name in ("resnet50", "nnunet_3d", "vit_base")}
    assert tables == {"resnet50": True, "nnunet_3d": False, "vit_base": False}, "nnU-Net normalizes each by itself"


def test_a_torch_that_ignores_the_card_is_said() -> None:
    """Only where there is a card, and the job could use it."""
    case = _case([CARD], has_card=True, torch_mismatch="cpu_only_build", method="scratch")
    assert _reasons(case)["torch_mismatch"] == {"mismatch": "cpu_only_build"}
    assert gpu_would_help(case) is False
    assert "torch_mismatch" not in _reasons(_case([CARD], has_card=False, torch_mismatch="cpu_only_build"))


def test_a_cluster_says_that_one_computer_is_too_slow() -> None:
    """The fastest single computer, and the size of the work."""
    node = option("rent/x/a", "cloud", "h", 400 * DAY_S, usd_per_h=50.0, count=8)
    found = _reasons(_case([PROCESSOR, node], wishes(deadline_s=HOUR_S, data_must_stay=False)))
    assert found["no_node_in_time"]["device"] == "p"
    assert found["cluster_work"]["work_s"] == pytest.approx(8 * 400 * DAY_S)
    assert found["cluster_work"]["count"] == 8 * 400 * 24


def test_a_cluster_says_that_one_computer_is_too_small() -> None:
    """Where nothing fits, the memory is the reason."""
    tight = option("rent/x/b", "cloud", "b", HOUR_S, usd_per_h=9.0, count=8, needed_gib=200, memory_gib=80)
    here = option("here/cpu", "this_computer", "p", HOUR_S, needed_gib=900, memory_gib=16)
    found = _reasons(_case([here, tight], wishes(data_must_stay=True), memory_needed_bytes=200.0 * GIB))
    assert found["no_node_fits"] == {
        "device": "8 × b",
        "needed_bytes": 200 * GIB,
        "available_bytes": 80 * GIB,
    }, "of each card, as the table has it"
    assert "does_not_fit_here" not in found
    assert "data_must_stay" in found


def test_a_cluster_without_any_time_makes_no_size_up() -> None:
    """The size of the work is unknown where no time is."""
    here = option("here/cpu", "this_computer", "p", HOUR_S, needed_gib=900, memory_gib=16)
    found = _reasons(_case([here]))
    assert found == {"no_node_fits": {}}


def test_a_starved_card_says_so_and_no_faster_one_helps() -> None:
    """The share of waiting, and that money would not help."""
    starved = option("here/cuda:0", "this_computer", "c", 3 * HOUR_S, memory_gib=6, idle=0.7)
    case = _case([starved, BUY], usable_cores=2)
    found = _reasons(case)["input_bound"]
    assert found["idle_ratio"] == pytest.approx(0.7)
    assert found["cores"] == 2
    assert gpu_would_help(case) is False


def test_a_measured_loader_replaces_the_prediction() -> None:
    """Predicted to wait little, measured to starve: the reason has the measured rates, and no faster card helps."""
    hopeful = option("here/cuda:0", "this_computer", "c", 3 * HOUR_S, memory_gib=6, idle=0.1)
    case = _case([hopeful, BUY])
    rates = {"card_idle_ratio": 0.89, "loader_samples_per_s": 210.0, "card_samples_per_s": 1900.0}
    starved = case._replace(facts={name: fact(name, value, "measured") for name, value in rates.items()})
    assert _reasons(starved)["input_bound"] == {
        "idle_ratio": 0.89,
        "loader_samples_per_s": 210.0,
        "card_samples_per_s": 1900.0,
        "tier": "this_computer",
    }
    assert gpu_would_help(starved) is False
    elsewhere = _case([BUY])._replace(facts=starved.facts)
    assert "input_bound" not in _reasons(elsewhere)


def test_a_little_waiting_is_no_starving() -> None:
    """Below 15 % nothing is said."""
    assert "input_bound" not in _reasons(_case([option("here/cuda:0", "this_computer", "c", 60.0, idle=0.1)]))


def test_a_tight_deadline_is_said() -> None:
    """Where the upper end of the interval is too late."""
    found = _reasons(_case([CARD], wishes(deadline_s=3.1 * HOUR_S)))
    high_s = found["tight_deadline"]["high_s"]
    assert isinstance(high_s, float)
    assert high_s > 3.1 * HOUR_S


def test_days_here_show_what_haste_would_cost() -> None:
    """The cheapest rent that is at least three times as fast."""
    found = _reasons(_case([PROCESSOR, RENT]))
    assert found["faster_elsewhere"] == {"device": "a", "run_s": 3 * HOUR_S, "run_usd": 1.5}
    assert "faster_elsewhere" not in _reasons(_case([PROCESSOR]))
    assert "faster_elsewhere" not in _reasons(_case([CARD, RENT]))


def test_a_near_tie_names_both_costs() -> None:
    """The rival, what it costs, and what the answer costs."""
    rent = option("rent/x/a", "cloud", "a", 2 * HOUR_S, usd_per_h=7.5)
    found = _reasons(_case([BUY, rent]))
    assert found["near_tie"]["tier"] == "cloud"
    assert found["near_tie"]["horizon_usd"] == pytest.approx(720)


def test_buying_that_is_as_good_is_not_argued_against() -> None:
    """A page said "buy or rent: both are good", and below, that buying would not pay."""
    case = _case([msgspec.structs.replace(BUY, break_even_months=60.0), RENT])
    assert "never_pays_back" in _reasons(case)
    assert "never_pays_back" not in _reasons(case._replace(either=("cloud", "single_gpu")))


def test_a_rival_that_cannot_be_named_is_left_out() -> None:
    """Being nearly in time here is a tie without a feasible rival."""
    assert "near_tie" not in _reasons(_case([PROCESSOR, RENT], wishes(deadline_s=29 * HOUR_S)))


def test_a_forced_answer_says_which_wish_was_given_up() -> None:
    """Over budget, after the deadline, or nothing predicted."""
    over = _reasons(_case([RENT], wishes(budget_usd=1.0)))
    assert over["over_budget"] == {"outlay_usd": 72.0, "budget_usd": 1.0}
    within = _reasons(_case([RENT, BUY, PROCESSOR], wishes(budget_usd=80.0, deadline_s=60.0)))
    assert within["over_budget"]["kind"] == "within"
    assert (within["over_budget"]["option"], within["over_budget"]["within_s"]) == (RENT.id, 3 * HOUR_S)
    here = _reasons(_case([BUY, PROCESSOR], wishes(budget_usd=80.0, deadline_s=60.0)))
    assert (here["over_budget"]["kind"], here["over_budget"]["option"]) == ("here", PROCESSOR.id)
    late = _reasons(_case([RENT], wishes(deadline_s=60.0)))
    assert late["after_deadline"] == {"run_s": 3 * HOUR_S, "deadline_s": 60.0}
    assert "not_predicted" in _reasons(_case([]))


def test_a_late_answer_here_does_not_claim_to_be_in_time() -> None:
    """After giving up the deadline, this computer is the fastest, not in time."""
    found = _reasons(_case([CARD], wishes(deadline_s=60.0)))
    assert "after_deadline" in found
    assert "in_time_here" not in found


def test_every_reason_comes_once() -> None:
    """Two ways to the same reason give one sentence."""
    node = option("rent/x/a", "cloud", "h", 400 * DAY_S, usd_per_h=50.0, count=8)
    codes = [reason.code for reason in explain(_case([node], wishes(data_must_stay=True)))]
    assert len(codes) == len(set(codes))


def test_a_card_helps_where_it_is_faster() -> None:
    """Compared with the fastest card that can be bought, else rented."""
    assert gpu_would_help(_case([PROCESSOR, BUY])) is True
    assert gpu_would_help(_case([PROCESSOR, RENT])) is True
    as_fast = option("buy/a", "single_gpu", "a", 29 * HOUR_S, purchase_usd=9)
    assert gpu_would_help(_case([PROCESSOR, as_fast])) is False


def test_help_is_unknown_without_times() -> None:
    """Without a time here or there, nothing is claimed, but a card that can do it at all helps."""
    assert gpu_would_help(_case([PROCESSOR])) is None
    assert gpu_would_help(_case([])) is None
    assert gpu_would_help(_case([RENT])) is True


def test_a_card_helps_classical_work_where_it_is_faster() -> None:
    """Gradient boosting on a large table is quicker on a card; on a small one it is not."""
    assert gpu_would_help(_case([PROCESSOR, BUY], method="classical")) is True
    found = _reasons(_case([PROCESSOR, BUY], method="classical"))
    assert found["classical"] == {"card_s": BUY.run_s}
    quick = option("here/cpu", "this_computer", "p", 60.0)
    assert gpu_would_help(_case([quick, BUY], method="classical")) is False
    assert _reasons(_case([quick, BUY], method="classical"))["classical"] == {}


def test_this_computer_in_time_by_the_best_guess_does_not_miss_by_little() -> None:
    """Eight of fourteen days, perhaps seventeen: it would do, if all goes well."""
    vague = option("here/cpu", "this_computer", "p", 8 * DAY_S, spread=2.1)
    found = _reasons(_case([vague, RENT], wishes(deadline_s=14 * DAY_S)))
    assert found["near_tie"]["kind"] == "in_time"
    assert "may_miss_here" in found


def _rule(tier: Tier | None, *also: Tier) -> Rule:
    return Rule(id="r", tier=tier, also=also, text={}, source=Source(title="", date=""))


@pytest.mark.parametrize(
    ("rule", "options", "fits_here", "expected"),
    [
        (None, [CARD], True, None),
        (_rule(None), [CARD], True, None),
        (_rule("this_computer"), [CARD], True, None),
        (_rule("single_gpu", "cloud"), [RENT], True, None),
        (_rule("single_gpu"), [CARD], True, "already_enough"),
        (_rule("cluster"), [CARD], True, "one_computer_will_do"),
        (_rule("cluster"), [RENT], True, "one_computer_will_do"),
        (_rule("this_computer"), [RENT], True, "too_slow_here"),
        (_rule("this_computer"), [RENT], False, "does_not_fit_here"),
        (_rule("single_gpu"), [RENT], True, "renting_is_cheaper"),
        (_rule("cloud"), [BUY], True, "buying_is_cheaper"),
    ],
)
def test_each_way_to_disagree_has_its_code(
    rule: Rule | None, options: list[Option], fits_here: bool, expected: str | None
) -> None:
    """The report says why the numbers and the articles' rule differ, and nothing where they agree."""
    assert disagreement(rule, _case(options, fits_here=fits_here)) == expected


def test_one_computer_does_not_do_where_nothing_is_in_time() -> None:
    """640 years on one card are no reason against the rule's cluster."""
    case = _case([CARD], fits_here=True)
    late = case._replace(choice=case.choice._replace(relaxed=("deadline",)))
    assert disagreement(_rule("cluster"), late) is None


def test_a_cluster_disagrees_with_one_computer() -> None:
    """The numbers ask for more than the rule."""
    node = option("rent/x/a", "cloud", "h", 400 * DAY_S, usd_per_h=50.0, count=8)
    case = _case([node], wishes(deadline_s=DAY_S))
    assert disagreement(_rule("single_gpu"), case) == "beyond_one_computer"


def test_what_must_stay_and_fits_only_what_is_rented_asks_for_a_server() -> None:
    """No cluster, and no rented machine as if it could be had: the card that would hold the job is named."""
    small = option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=400, needed_gib=90, memory_gib=24)
    large = option("rent/x/h", "cloud", "h", HOUR_S, usd_per_h=5, needed_gib=90, memory_gib=180)
    case = _case([small, large], wishes(data_must_stay=True))
    found = _reasons(case)
    assert case.choice.tier == "cluster"
    assert found["server_of_own"] == {"option": "rent/x/h", "device": "h", "run_s": HOUR_S}
    assert not {"no_node_in_time", "cluster_work"} & set(found)


def test_several_cards_come_with_how_to_use_them() -> None:
    """Copies of the network, or shares of it, or its layers in turn."""
    two = option("here/cuda:0 x2", "this_computer", "c", HOUR_S, count=2)
    assert two.prediction is not None
    for shards, task, kind in ((1, "train", "copies"), (2, "train", "train"), (2, "infer", "infer")):
        prediction = msgspec.structs.replace(two.prediction, shards=shards, task=task)
        found = _reasons(_case([msgspec.structs.replace(two, prediction=prediction)]))
        assert found["use_all_cards"] == {"kind": kind, "count": 2}
    assert "use_all_cards" not in _reasons(_case([CARD]))


def test_what_takes_years_says_how_much_a_week_does() -> None:
    """A year's work and more: 7 of 730 days of a million samples."""
    endless = option("cluster/x/16", "cluster", "c", 730 * DAY_S, usd_per_h=900, count=128)
    here = option("here/cpu", "this_computer", "p", 9000 * DAY_S)
    found = _reasons(_case([here, endless], samples=1_000_000))
    assert found["in_a_week"]["week_samples"] == pytest.approx(1e6 * 7 / 730)
    sooner = msgspec.structs.replace(endless, run_s=300 * DAY_S)
    assert "in_a_week" not in _reasons(_case([here, sooner], samples=1_000_000))


def test_a_hard_disk_that_holds_the_answer_back_is_named_and_no_processor_blamed() -> None:
    """More cores would not help; data that find no room are told where the answer would read them from here."""
    assert CARD.prediction is not None
    starved = msgspec.structs.replace(
        CARD,
        prediction=msgspec.structs.replace(
            CARD.prediction, limit="disk", parts=(TimePart(name="input", time_s=CARD.prediction.time_per_step_s),)
        ),
    )
    found = _reasons(_case([starved], disk_samples_per_s=65.0, data_bytes=1.15e12, free_disk_bytes=0.9e12))
    assert found["slow_disk"] == {"disk_samples_per_s": 65.0}
    assert found["data_exceed_disk"] == {"data_bytes": 1.15e12, "free_bytes": 0.9e12}
    assert "input_bound" not in found


@pytest.mark.parametrize(("usd_per_h", "kind"), [(0.5, "close"), (5.0, None)])
def test_whoever_rents_reads_what_a_tpu_would_cost(usd_per_h: float, kind: str | None) -> None:
    """It is never the answer by itself, for few programs run on it; of about the same price it is worth a look."""
    tpu = option("rent/x/tpu", "cloud", "TPU", 3 * HOUR_S, usd_per_h=usd_per_h)
    asked = wishes(less_supported=frozenset({"TPU"}), tpus=frozenset({"TPU"}), deadline_s=DAY_S)
    found = _reasons(_case([RENT, tpu], asked))
    assert found["tpu"]["option"] == "rent/x/tpu"
    assert found["tpu"].get("kind") == kind
    assert "tpu" not in _reasons(_case([CARD, RENT, tpu], asked))
    assert "tpu" not in _reasons(_case([RENT], asked))


@pytest.mark.parametrize(("main_gib", "code"), [(32, None), (8, "host_loads_in_parts"), (4, "host_cannot_load")])
def test_weights_pass_through_the_main_memory(main_gib: int, code: str | None) -> None:
    """13.5 GB of weights in files of 5 GB: whole in 32 GB, file by file in 8, not at all in 4."""
    card = option("here/cuda:0", "this_computer", "c", HOUR_S)
    found = _reasons(_case([card], weights_bytes=13.5e9, main_memory_bytes=main_gib * GIB, fetch_s=1280.0))
    assert {"host_loads_in_parts", "host_cannot_load"} & set(found) == ({code} if code else set())
    told = {"weights_bytes": 13.5e9, "fetch_s": 1280.0, "first_s": HOUR_S + 1280.0}
    assert found["fetch_weights"] == {"kind": "line", **told}, "as the user said"
    rented = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=1.0)
    assert "fetch_weights" not in _reasons(_case([rented], weights_bytes=13.5e9, fetch_s=1280.0)), (
        "the provider's line fetches them"
    )


def test_a_computer_bought_for_its_cores_says_what_they_save() -> None:
    """Not that this one had no place; and who takes fewer cores hears what more of them would bring."""
    few = msgspec.structs.replace(option("buy/a", "single_gpu", "a", 6 * HOUR_S, purchase_usd=400), threads=4.0)
    many = option("buy/a/16 threads", "single_gpu", "a", 2 * HOUR_S, purchase_usd=1200)
    many = msgspec.structs.replace(many, threads=16.0, host_usd=800.0)
    found = _reasons(_case([many, few], wishes(deadline_s=5 * HOUR_S)))
    assert found["needs_host"] == {
        "kind": "loads",
        "host_usd": 800.0,
        "threads": 16.0,
        "fewer_threads": 4.0,
        "slow_s": 6 * HOUR_S,
        "run_s": 2 * HOUR_S,
    }


def test_a_purchase_that_costs_less_but_may_be_late_is_not_said_never_to_pay() -> None:
    """The table shows that it costs less; what speaks against it is its slowest case."""
    buy = option("buy/a", "single_gpu", "a", 11 * HOUR_S, purchase_usd=20)
    buy = msgspec.structs.replace(buy, interval=Interval(low=8 * HOUR_S, high=20 * HOUR_S))
    found = _reasons(_case([RENT, buy, PROCESSOR], wishes(deadline_s=12 * HOUR_S)))
    assert "never_pays_back" not in found
    told = found["buying_may_be_late"]
    assert told["high_s"] == 20 * HOUR_S
    assert float(told["horizon_usd"] or 0) < float(told["chosen_usd"] or 0)


def test_what_is_sure_is_not_called_the_cheapest_of_all_in_time() -> None:
    """Something in time by the best guess costs less, and may be late by how its data are loaded."""
    buy = option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=20)
    risky = msgspec.structs.replace(buy, interval=Interval(low=HOUR_S, high=20 * HOUR_S))
    asked = wishes(deadline_s=12 * HOUR_S)
    case = Case([RENT, risky, PROCESSOR], asked, Choice("cloud", RENT), ("cloud",), {})
    assert _reasons(case)["cheapest"]["kind"] == "sure"
    assert "kind" not in _reasons(case._replace(options=[RENT, PROCESSOR]))["cheapest"]


def test_what_relieves_a_busy_computer_is_not_called_the_cheapest_of_all_in_time() -> None:
    """A slower purchase costs less and would be as busy: what the answer is the cheapest of is what is far quicker."""
    staying = option("here/cpu", "this_computer", "p", 20 * HOUR_S, watts=2000)
    slow = option("buy/slow", "single_gpu", "s", 18 * HOUR_S, purchase_usd=50)
    quick = option("buy/quick", "single_gpu", "q", 2 * HOUR_S, purchase_usd=200)
    asked = wishes(runs_per_month=30.0, priced_runs=720)
    case = Case([staying, slow, quick], asked, Choice("single_gpu", quick), ("this_computer",), {})
    assert _reasons(case)["cheapest"]["kind"] == "quick"
    assert "kind" not in _reasons(case._replace(options=[staying, quick]))["cheapest"]
