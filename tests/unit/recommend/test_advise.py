"""The whole advice: for which facts each tier comes out, and what stands beside it."""

import msgspec
import pytest

from advisor.recommend import advise, load_rules
from advisor.records.hardware.device import Device
from advisor.records.job.advice import Advice, Option
from advisor.records.job.workload import Circumstances, Workload
from advisor.units import DAY_S, HOUR_S
from tests.unit.report import samples
from tests.unit.report.samples import ARTICLE_CNN, DEVICES, laptop, option

RULES = load_rules()
WORK = msgspec.structs.replace(ARTICLE_CNN, input_kind="memory")


def _advice(options: list[Option], workload: Workload = WORK, **asked: object) -> Advice:
    circumstances = Circumstances(**asked)  # type: ignore[arg-type]
    return advise(workload, circumstances, laptop(), options, rules=RULES, devices=DEVICES)


@pytest.mark.parametrize(
    ("name", "tier", "rule"),
    [
        ("enough", "this_computer", "scenario_2_owned"),
        ("rent", "cloud", "scenario_2"),
        ("buy", "single_gpu", "scenario_3"),
        ("cluster", "cluster", "scenario_4"),
        ("classical", "this_computer", "scenario_1"),
    ],
)
def test_each_tier_comes_out_for_its_person(name: str, tier: str, rule: str) -> None:
    """Five people with five needs get five answers, with the scenario of the article beside each."""
    advice = samples.every()[name].advice
    assert advice.tier == tier
    assert rule in {fired.rule.id for fired in advice.fired}
    assert advice.either[0] == tier


def test_the_chosen_option_is_first_and_has_no_obstacle() -> None:
    """The answer leads the ranking."""
    for name, report in samples.every().items():
        advice = report.advice
        if advice.chosen is not None and name != "cluster":
            assert advice.options[0].id == advice.chosen
            assert advice.options[0].obstacle is None


def test_the_answer_follows_the_runs() -> None:
    """The same user and job: rent for few runs, buy for many, in line with the flip that was told."""
    runs = {}
    for per_month in (1.0, 200.0):
        options = [
            option("here/cpu", "this_computer", "p", 3 * DAY_S, runs=24 * per_month),
            option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=400, runs=24 * per_month),
            option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.5, runs=24 * per_month),
        ]
        runs[per_month] = _advice(options, runs_per_month=per_month, deadline_s=DAY_S)
    assert runs[1.0].tier == "cloud"
    assert runs[200.0].tier == "single_gpu"
    [told] = [flip.then for flip in runs[1.0].flips if flip.fact == "runs_per_month"]
    assert isinstance(told, float)
    assert 1.0 < told < 200.0


def test_a_default_deadline_is_shown_as_a_rule() -> None:
    """What was not asked and taken for granted is among the rules that fired."""
    quick = option("here/cpu", "this_computer", "p", 60.0)
    assert "default_deadline" in {one.rule.id for one in _advice([quick]).fired}
    often = _advice([quick], runs_per_month=10.0)
    assert "default_deadline_between_runs" in {one.rule.id for one in often.fired}
    asked = _advice([quick], deadline_s=DAY_S)
    assert not {one.rule.id for one in asked.fired} & {"default_deadline", "default_deadline_between_runs"}


def test_a_default_never_hides_what_was_asked() -> None:
    """The deadline among the facts is the user's own, with the basis ``asked``."""
    facts = {one.name: one for one in _advice([], deadline_s=5.0).facts}
    assert (facts["deadline_s"].value, facts["deadline_s"].basis) == (5.0, "asked")


def test_the_sureness_is_that_of_the_chosen_time() -> None:
    """Good, fair or rough as predicted; rough where there is no prediction."""
    assert _advice([option("here/cpu", "this_computer", "p", 60.0, spread=1.1)]).confidence == "good"
    assert _advice([option("here/cpu", "this_computer", "p", 60.0, spread=1.25)]).confidence == "fair"
    assert _advice([]).confidence == "rough"


def test_without_rules_there_is_no_default_deadline() -> None:
    """No rule, no deadline: nothing is too slow."""
    slow = option("here/cpu", "this_computer", "p", 900 * DAY_S)
    advice = advise(WORK, Circumstances(runs_per_month=0.01), laptop(), [slow], rules=())
    assert advice.tier == "this_computer"
    assert advice.rule_tier is None


def test_what_a_device_runs_counts() -> None:
    """Of two cards, the one with CUDA, even where it costs more; unknown software is held against nobody."""
    options = [
        option("buy/arc", "single_gpu", "arc", 2 * HOUR_S, purchase_usd=100),
        option("buy/rtx", "single_gpu", "rtx", 2 * HOUR_S, purchase_usd=400),
    ]
    kinds = {
        name: Device(name=name, vendor="x", device_class="gpu", for_whom="consumer", frameworks=frameworks)
        for name, frameworks in (("arc", ("PyTorch",)), ("rtx", ("CUDA", "PyTorch")))
    }
    found = advise(WORK, Circumstances(), laptop(), options, rules=RULES, devices=kinds)
    assert found.chosen == "buy/rtx"
    assert advise(WORK, Circumstances(), laptop(), options, rules=RULES).chosen == "buy/arc"


def test_a_whole_catalogue_is_ranked() -> None:
    """Hundreds of options are all kept, each judged, and the cheapest one in time leads."""
    options = [
        option(f"rent/x/{n}", "cloud", f"d{n}", HOUR_S * (1 + n % 97), usd_per_h=0.2 + n % 31) for n in range(600)
    ]
    options += [
        option(f"buy/{n}", "single_gpu", f"d{n}", HOUR_S * (1 + n % 89), purchase_usd=200 + n) for n in range(200)
    ]
    advice = _advice(options, deadline_s=DAY_S)
    assert len(advice.options) == 800
    assert all(one.obstacle is not None for one in advice.options[1:])
    in_time = [one.horizon_usd for one in advice.options if one.feasible and one.horizon_usd is not None]
    assert advice.options[0].horizon_usd == min(in_time)
