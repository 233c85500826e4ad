"""Each code of a trade has its words, in both languages, with nothing left to fill in."""

import msgspec
import pytest
from msgspec.structs import replace

from advisor.locale import Language, language
from advisor.records.base import Interval
from advisor.records.job.advice import FactValue, Reason
from advisor.records.results.report import Report
from advisor.report.words.advice.reasons import obstacle_phrase, reason_sentence
from advisor.report.words.advice.trade import (
    COMPARISONS,
    GIVEN_UP,
    comparison_sentence,
    given_up_phrase,
    twice_sentence,
)
from advisor.report.words.labels import option_title
from advisor.units import HOUR_S, MINUTE_S
from tests.unit.report import samples

VALUES: dict[str, FactValue] = {
    "option": "here/cpu",
    "rival_s": 600.0,
    "run_s": 7200.0,
    "rival_usd": 5.0,
    "chosen_usd": 7.0,
    "extra_usd": 2.0,
    "purchase_usd": 400.0,
    "times": 12.0,
    "horizon_months": 24.0,
    "busy_hours": 480.0,
    "month_hours": 730.5,
    "high_hours": 960.0,
    "high_s": 90_000.0,
    "deadline_s": 86_400.0,
}


def _sending(size: float) -> Report:
    report = samples.rent()
    options = tuple(msgspec.structs.replace(one, sent_bytes=size) for one in report.advice.options)
    return msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options))


@pytest.mark.parametrize("spoken", [language("en"), language("es")], ids=["en", "es"])
@pytest.mark.parametrize("key", COMPARISONS)
def test_each_comparison_is_a_whole_sentence(key: str, spoken: Language) -> None:
    """For one run and for many."""
    code, tier, is_once = key.split("/", maxsplit=1)[0], next(iter(key.split("/")[1:]), None), key.endswith("/once")
    runs, rival = (1.0 if is_once else 48.0), (None if tier in ("once", "disk") else tier)
    limit = "disk" if key.endswith("/disk") else None
    values: dict[str, FactValue] = {**VALUES, "runs": runs, "tier": rival, "limit": limit}
    said = comparison_sentence(Reason(code=code, values=values), samples.enough(), spoken)
    assert said.endswith(".")
    assert "{" not in said
    assert spoken.gettext("unknown") not in said


@pytest.mark.parametrize("spoken", [language("en"), language("es")], ids=["en", "es"])
@pytest.mark.parametrize("code", GIVEN_UP)
def test_each_thing_given_up_has_words(code: str, spoken: Language) -> None:
    """A phrase, no sentence."""
    said = given_up_phrase(Reason(code=code, values=VALUES), samples.enough(), spoken)
    assert said
    assert "{" not in said
    assert not said.endswith(".")


def test_hours_are_hours() -> None:
    """480 of 730 hours, not weeks of a month."""
    said = comparison_sentence(Reason(code="load", values=VALUES), samples.enough(), language("en"))
    assert "480 of the 730 hours" in said


def test_nothing_is_said_to_take_twelve_hours_longer_than_twelve() -> None:
    """By less than rounded times tell, it is a little; by more, how long."""
    late = Reason(code="may_be_late", values={"high_s": 12.2 * HOUR_S, "deadline_s": 12 * HOUR_S})
    assert given_up_phrase(late, samples.rent(), language("en")) == "may take a little longer than 12 hours"
    later = Reason(code="may_be_late", values={"high_s": 20.0 * HOUR_S, "deadline_s": 12 * HOUR_S})
    assert given_up_phrase(later, samples.rent(), language("en")) == "may take up to 20 hours, longer than 12 hours"


def test_what_starts_late_says_so_on_either_side_of_a_comparison() -> None:
    """Else a purchase of four minutes seems no quicker than a rent of three and a half."""
    values: dict[str, FactValue] = {**VALUES, "runs": 48.0, "run_s": 210.0, "rival_s": 240.0, "chosen_before_s": 720.0}
    said = comparison_sentence(Reason(code="rather_quick", values=values), _sending(1e9), language("en"))
    assert "in 4 minutes instead of 3½ minutes (plus 12 minutes to start and upload your data)." in said


def test_data_of_unknown_size_are_not_said_to_have_arrived() -> None:
    """What is counted then is the start alone."""
    unknown = _sending(0.0)
    values: dict[str, FactValue] = {**VALUES, "runs": 48.0, "run_s": 210.0, "rival_s": 240.0, "chosen_before_s": 300.0}
    said = comparison_sentence(Reason(code="rather_quick", values=values), unknown, language("en"))
    assert "in 4 minutes instead of 3½ minutes (plus 5 minutes to start)." in said
    late = Reason(code="starts_late", values={"before_s": 300.0})
    assert given_up_phrase(late, unknown, language("en")) == "5 minutes to start"


def test_what_an_option_costs_more_is_what_the_reader_subtracts() -> None:
    """One line said $9.98 and another $9.53, of the same $13 and $3.47."""
    dearer = Reason(code="costs_more", values={"extra_usd": 9.98, "total_usd": 13.45, "least_usd": 3.47})
    assert "$9.53 more" in given_up_phrase(dearer, samples.rent(), language("en"))


def test_the_cheapest_that_costs_less_is_named() -> None:
    """Which one it is could be any of the list; another sentence meant another."""
    report = samples.rent()
    named = next(one for one in report.advice.options if one.offer is not None)
    values: dict[str, FactValue] = {"extra_usd": 4.07, "total_usd": 5.1, "least_usd": 1.03, "option": named.id}
    said = given_up_phrase(Reason(code="costs_more", values=values), report, language("en"))
    assert said == f"costs $4.07 more than the cheapest, {option_title(named, language('en'))}"


def test_the_table_of_options_says_the_same_difference_as_the_answer() -> None:
    """The answer said "$3.59 more" and the table "costs $3.37 more", of the same $13 and $9.41."""
    usd = {"extra_usd": 3.37, "rival_usd": 12.78, "chosen_usd": 9.41}
    lost = msgspec.structs.replace(samples.option("buy/a", "single_gpu", "a", HOUR_S), obstacle="dearer")
    lost = msgspec.structs.replace(lost, obstacle_values=usd)
    assert obstacle_phrase(lost, samples.rent(), language("en")) == "costs $3.59 more"
    said = comparison_sentence(
        Reason(code="rather_quick", values={**VALUES, **usd, "runs": 48.0}), samples.rent(), language("en")
    )
    assert "for $3.59 more" in said
    threads: dict[str, FactValue] = {"tier": "single_gpu", "kind": "cores", "threads": 16.0, "idle_ratio": 0.5}
    threads |= {"extra_usd": 155.0, "rival_usd": 1215.0, "chosen_usd": 1063.0, "run_s": 60.0, "slow_s": 120.0}
    assert "$160 more" in reason_sentence(Reason(code="input_bound", values=threads), samples.rent(), language("en"))


def test_the_quick_option_is_named_whatever_stands_before() -> None:
    """The sentence "This is also" stood behind a sentence on another option."""
    report = samples.rent()
    named = next(one for one in report.advice.options if one.offer is not None)
    for known in ("is_answer", "is_named"):
        values: dict[str, FactValue] = {**VALUES, "option": named.id, known: True}
        said = twice_sentence(Reason(code="twice", values=values), report, language("en"))
        assert said.startswith(f"{option_title(named, language('en'))} is also")


@pytest.mark.parametrize(
    ("high_min", "begin", "end"),
    [
        (
            23,
            "The cheapest dependable choice that is probably at least twice as fast: rent",
            "times as fast; it may be as little as 1.3",
        ),
        (
            33,
            "The cheapest dependable choice that is probably at least twice as fast: rent",
            "it may also be hardly faster.",
        ),
        (12, "The cheapest dependable choice that is at least twice as fast: rent", "2 years."),
    ],
)
def test_twice_as_fast_is_dependable_only_where_the_whole_time_with_its_start_is(
    high_min: float, begin: str, end: str
) -> None:
    """A rent of 3 to 23 minutes with a start of 11 was dependably twice as fast as 45 minutes."""
    report = samples.enough()
    rent = next(one for one in report.advice.options if one.tier == "cloud")
    times = Interval(low=3 * MINUTE_S, high=high_min * MINUTE_S)
    rent = replace(rent, run_s=4.5 * MINUTE_S, before_s=11 * MINUTE_S, after_s=0.0, interval=times)
    report = replace(report, advice=replace(report.advice, options=(rent,)))
    values: dict[str, FactValue] = {**VALUES, "option": rent.id, "tier": "cloud", "runs": 48.0, "run_s": 45 * MINUTE_S}
    said = twice_sentence(Reason(code="twice", values=values), report, language("en"), alone=True)
    assert said.startswith(begin), said
    assert end in said, said
    assert ("With its start, it is about 2.8 times as fast" in said) == (high_min > 12)
    named = twice_sentence(Reason(code="twice", values={**values, "is_named": True}), report, language("en"))
    assert ("dependable choice that is probably" in named) == (high_min > 12)
    assert ("dependable choice that is at least" in named) == (high_min == 12)


@pytest.mark.parametrize(
    ("code", "claim"), [("en", "at least twice as fast too, for less"), ("es", "también al menos")]
)
def test_a_rent_that_starts_late_is_not_said_to_be_as_fast_as_the_purchase(code: str, claim: str) -> None:
    """It computes "just as fast", said the Spanish below cards of 2½ and of 4½ minutes."""
    report, values = samples.rent(), {**VALUES, "tier": "single_gpu", "start_s": 720.0}
    assert claim in twice_sentence(Reason(code="twice", values=values), report, language(code))


def test_late_though_well_loaded_is_said_of_what_is_late_alone() -> None:
    """A machine that may be interrupted is so however its data are loaded."""
    values: dict[str, FactValue] = {**VALUES, "high_s": 18_000.0, "deadline_s": 14_400.0, "well_loaded_s": 18_000.0}
    report, spoken = samples.enough(), language("en")
    late = given_up_phrase(Reason(code="may_be_late", values=values), report, spoken)
    assert late == "may take up to 5 hours, longer than 4 hours, even with its data loaded well"
    for why, said in (("may_be_late", True), ("interruptible", False)):
        whole = comparison_sentence(Reason(code="rather_cheap", values={**values, "why": why}), report, spoken)
        assert ("loaded well" in whole) == said


@pytest.mark.parametrize(
    ("code", "around"), [("en", "{} in a new PC for $400"), ("es", "{} en un equipo nuevo por 400")], ids=["en", "es"]
)
def test_a_price_with_a_whole_computer_in_it_is_not_said_of_the_card_alone(code: str, around: str) -> None:
    """The words "buy GeForce RTX 3050 6GB for $843" stood above a card of $169."""
    report = samples.buy()
    card = next(one for one in report.advice.options if one.tier == "single_gpu" and not one.is_computer)
    values: dict[str, FactValue] = {**VALUES, "option": card.id, "tier": "single_gpu", "runs": 48.0}
    for host_usd in (0.0, 300.0):
        option = msgspec.structs.replace(card, host_usd=host_usd)
        advice = msgspec.structs.replace(report.advice, options=(option,))
        said = comparison_sentence(
            Reason(code="twice", values=values), msgspec.structs.replace(report, advice=advice), language(code)
        )
        assert (around.format(card.title) in said) == (host_usd > 0), said


@pytest.mark.parametrize(
    ("code", "said"), [("en", "as much as the electricity"), ("es", "lo mismo que la electricidad")]
)
def test_sums_that_are_told_alike_are_not_told_to_differ(code: str, said: str) -> None:
    """It read "cost 13 in 2 years, less than the electricity of this computer (13)"."""
    values: dict[str, FactValue] = {**VALUES, "tier": "cloud", "runs": 48.0, "rival_usd": 12.8, "chosen_usd": 13.2}
    text = comparison_sentence(Reason(code="stay_though_dearer", values=values), samples.enough(), language(code))
    assert said in text
    assert text.count("12\xa0") + text.count("€12 ") == 1


@pytest.mark.parametrize(
    ("rival_usd", "said"),
    [(5.004, "for about the same money in "), (6.0, "for $1.00 more in "), (4.0, "for $1.00 less in ")],
)
def test_what_costs_as_much_as_it_reads_costs_about_the_same(rival_usd: float, said: str) -> None:
    """It was "for less than $0.01 more in 2 years ($0.47 instead of $0.47)"."""
    report = samples.rent()
    report = replace(
        report, currency_per_usd=1.0, circumstances=replace(report.circumstances, currency="USD", country="US")
    )
    rent = next(option for option in report.advice.options if option.offer is not None)
    money: dict[str, FactValue] = {
        "rival_usd": rival_usd,
        "base_usd": 5.0,
        "chosen_usd": 5.0,
        "extra_usd": abs(rival_usd - 5.0),
    }
    values = {**VALUES, **money, "option": rent.id, "tier": "cloud", "runs": 48.0, "horizon_months": 24.0}
    told = twice_sentence(Reason(code="twice", values=values), report, language("en"), alone=True, is_shown=True)
    assert said in told
    assert ("instead of" in told) is (rival_usd != 5.004)
