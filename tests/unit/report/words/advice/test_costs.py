"""Parts of a cost in words, and amounts to the hundredth that add up."""

import re
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.locale import language
from advisor.records.base import Source
from advisor.records.job.advice import CostCrossing, TradeRow
from advisor.records.job.prediction import CostKind
from advisor.report.words.advice.costs import PARTS, cents, crossing_sentences, part_method
from advisor.report.words.labels import option_title
from advisor.units import HOUR_S
from tests.unit.report import samples
from tests.unit.report.samples import option

EN = language("en")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(-1e6, 1e9), max_size=12))
def test_the_parts_shown_add_up_to_the_total_shown(amounts: list[float]) -> None:
    """To the hundredth, and none is a hundredth off."""
    shown, total = cents(amounts)
    assert sum(shown) == total
    assert total == round(100 * sum(amounts)) or abs(total - 100 * sum(amounts)) <= 1
    assert all(abs(one - 100 * amount) < 1 + 1e-6 for one, amount in zip(shown, amounts, strict=True))


def test_three_thirds_are_one() -> None:
    """33 and 33 hundredths, and one of 34."""
    assert cents([1 / 3, 1 / 3, 1 / 3]) == ([34, 33, 33], 100)


def test_every_part_has_a_name() -> None:
    """And says how it is worked out."""
    assert set(PARTS) == set(get_args(CostKind))


def test_a_part_names_its_source_unless_the_figure_is_the_users_own() -> None:
    """The price of storage is Amazon's."""
    report = samples.rent()
    assert "(" not in part_method("storage", report, EN)
    source = Source(title="Amazon EBS pricing", author="Amazon Web Services", date="2026")
    known = msgspec.structs.replace(report, cost_sources={"storage": source})
    assert part_method("storage", known, EN).endswith("(Amazon Web Services: Amazon EBS pricing, 2026)")


def test_a_month_without_room_for_more_runs_is_said() -> None:
    """Else the second sentence would contradict the first: dearer from 17 runs on, and the cheapest from 22 on."""
    report = samples.rent()
    over_time = report.advice.cost_over_time
    assert over_time is not None
    lines = tuple(
        msgspec.structs.replace(line, most_runs_per_month=22.0 if line.role == "buy" else None)
        for line in over_time.lines
    )
    crossings = (
        CostCrossing(runs_per_month=17.0, usd=1.0, below="rent", above="buy"),
        CostCrossing(runs_per_month=22.0, usd=1.0, below="buy", above="rent"),
    )
    changed = msgspec.structs.replace(over_time, lines=lines, crossings=crossings)
    report = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, cost_over_time=changed))
    first, second = crossing_sentences(report, EN)
    assert "up to 17 runs a month, “Buy " in first
    assert "can do no more than 22 runs a month; beyond that, “Rent " in second


def test_of_one_run_no_share_of_a_month_is_told() -> None:
    """17 a month for two years are 408 in all."""
    report = samples.rent()
    over_time = report.advice.cost_over_time
    assert over_time is not None
    crossing = CostCrossing(runs_per_month=17.0, usd=1.0, below="rent", above="buy")
    once = msgspec.structs.replace(report.circumstances, runs_per_month=1 / 24, horizon_months=24.0)
    for crossings, expected in (((crossing,), "up to 410 runs in all"), ((), "for one run or 4.")):
        changed = msgspec.structs.replace(over_time, crossings=crossings, most_runs_per_month=4 / 24)
        advice = msgspec.structs.replace(report.advice, cost_over_time=changed)
        said = " ".join(crossing_sentences(msgspec.structs.replace(report, advice=advice, circumstances=once), EN))
        assert expected in said
        assert "a month" not in said


def test_what_one_has_is_said_to_be_left_out_where_nobody_knows_its_cost() -> None:
    """Else the cheapest of the rest would seem cheaper than it."""
    report = samples.rent()
    here = option("here/mps", "this_computer", "Apple M3 Max", HOUR_S)
    here = msgspec.structs.replace(here, run_usd=None, horizon_usd=None, cost_parts=())
    rows = (TradeRow(option=here.id, roles=("stay",), busy_s=1.0),)
    assert report.advice.trade is not None
    trade = msgspec.structs.replace(report.advice.trade, rows=rows)
    advice = msgspec.structs.replace(report.advice, options=(*report.advice.options, here), trade=trade)
    said = list(crossing_sentences(msgspec.structs.replace(report, advice=advice), EN))
    assert said[-1] == "Apple M3 Max is not among them, because nobody publishes what it draws."


def test_what_costs_less_than_all_that_is_compared_is_named_with_why_it_does_not_count() -> None:
    """This computer was "$4.07 more than the cheapest", a private machine, and what costs the least in two years."""
    report = samples.rent()
    private = msgspec.structs.replace(
        option("rent/vastai/a", "cloud", "RTX 3060", HOUR_S, usd_per_h=0.001), obstacle="marketplace"
    )
    assert report.advice.trade is not None
    rows = (TradeRow(option=private.id, roles=("cheapest",), busy_s=1.0),)
    trade = msgspec.structs.replace(report.advice.trade, rows=rows)
    advice = msgspec.structs.replace(report.advice, options=(*report.advice.options, private), trade=trade)
    last = list(crossing_sentences(msgspec.structs.replace(report, advice=advice), EN))[-1]
    assert last.startswith(option_title(private, EN))
    assert " would cost less ($0.0" in last
    assert "not compared here (other people's machines" in last
    dear = msgspec.structs.replace(
        advice, options=(*report.advice.options, msgspec.structs.replace(private, horizon_usd=1e6))
    )
    assert "cost less (" not in " ".join(crossing_sentences(msgspec.structs.replace(report, advice=dear), EN))


@pytest.mark.parametrize("name", ["enough", "buy", "rent"])
def test_what_is_said_of_crossings_is_what_the_lines_say(name: str) -> None:
    """As many sentences as crossings, each with its number; one that names the cheapest where there is none."""
    report = samples.every()[name]
    over_time = report.advice.cost_over_time
    assert over_time is not None
    said = list(crossing_sentences(report, EN))
    assert len(said) == max(1, len(over_time.crossings))
    for sentence, crossing in zip(said, over_time.crossings, strict=False):
        number = re.search(r"(?:up to|From|more than) ([\d,.]+) runs", sentence)
        assert number is not None
        assert float(number[1].replace(",", "")) == pytest.approx(crossing.runs_per_month, rel=0.06)
