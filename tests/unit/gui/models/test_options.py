"""Which options are shown, what is said of each, and the marks of the axes."""

import math
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import preset
from advisor.gui.models.options import (
    OptionFilter,
    OptionPoint,
    OptionTable,
    beside_pick,
    cost_ticks,
    device_of,
    memory_bytes,
    option_facts,
    option_origins,
    option_points,
    options_of,
    time_ticks,
    vendors_of,
    why_best,
)
from advisor.locale import language
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import conclude
from advisor.units import GIB
from tests.gui.samples import sample_report

EN, ES = language("en"), language("es")


@pytest.fixture(scope="module")
def report() -> Report:
    """Return a real answer over the whole catalogue."""
    sample, job = sample_report(), preset("article_cnn")
    seen = Observation(machine=sample.machine, benchmark=sample.benchmark)
    return conclude(seen, job.workload, job.circumstances)


def test_without_a_filter_all_are_shown(report: Report) -> None:
    """Every option is in the list, in the advice's order."""
    assert options_of(report, OptionFilter(), EN) == list(report.advice.options)


@pytest.mark.parametrize("vendor", ["nvidia", "amd", "intel"])
def test_a_maker(report: Report, vendor: str) -> None:
    """Only devices of a maker are left, and there are some of each that is offered."""
    shown = options_of(report, OptionFilter(vendor=vendor), EN)

    assert vendor in vendors_of(report)
    assert shown
    assert {device.vendor for option in shown if (device := device_of(option)) is not None} == {vendor}


@pytest.mark.parametrize("family", ["consumer", "professional", "datacenter"])
def test_a_kind_of_card(report: Report, family: str) -> None:
    """Home, workstation and data centre cards are told apart."""
    shown = options_of(report, OptionFilter(for_whom=family), EN)

    assert shown
    assert {device.for_whom for option in shown if (device := device_of(option)) is not None} == {family}


def test_memory_and_money_are_limits(report: Report) -> None:
    """At least 24 GB a device and at most 50 dollars; what has no known cost is left out."""
    shown = options_of(report, OptionFilter(least_bytes=24 * GIB, most_usd=50.0), EN)

    assert shown
    assert all((memory_bytes(option) or 0) > 22 * GIB for option in shown)
    assert all(option.horizon_usd is not None and option.horizon_usd <= 50.0 for option in shown)


def test_what_has_no_known_cost_is_within_no_budget() -> None:
    """Shown where money plays no role only."""
    sample = sample_report()
    options = tuple(msgspec.structs.replace(one, horizon_usd=None) for one in sample.advice.options)
    answer = msgspec.structs.replace(sample, advice=msgspec.structs.replace(sample.advice, options=options))

    assert len(options_of(answer, OptionFilter(), EN)) == len(options)
    assert options_of(answer, OptionFilter(most_usd=1e9), EN) == []


def test_a_card_sold_with_16_gb_counts_as_16() -> None:
    """Firmware keeps a little; a card that reports 15.6 GiB is still one of 16 GB."""
    sample = sample_report()
    option = sample.advice.options[0]
    assert option.prediction is not None
    base = conclude(
        Observation(machine=sample.machine), preset("article_cnn").workload, sample.circumstances
    ).advice.options[0]
    assert base.prediction is not None
    assert base.prediction.memory is not None
    memory = msgspec.structs.replace(base.prediction.memory, available_bytes=15.6 * GIB)
    option = msgspec.structs.replace(option, prediction=msgspec.structs.replace(base.prediction, memory=memory))
    advice = msgspec.structs.replace(sample.advice, options=(option,))
    answer = msgspec.structs.replace(sample, advice=advice)

    assert options_of(answer, OptionFilter(least_bytes=16 * GIB), EN) == [option]
    assert options_of(answer, OptionFilter(least_bytes=24 * GIB), EN) == []


@pytest.mark.parametrize(
    ("words", "language_", "expected"),
    [("l4", EN, "L4"), ("5060 rtx", EN, "5060"), ("rent L4", EN, "L4"), ("alquilar l4", ES, "L4")],
)
def test_words_of_the_name_in_any_order(words: str, language_: object, expected: str) -> None:
    """Each word must be in the name, the provider or the answer's word, in the user's language."""
    shown = options_of(sample_report(), OptionFilter(words=words), language_)  # type: ignore[arg-type]  # a Language

    assert shown
    assert all(expected in option.title for option in shown)


def test_only_what_meets_the_wishes(report: Report) -> None:
    """What does not fit, is late or too dear can be left out."""
    shown = options_of(report, OptionFilter(is_feasible=True), EN)

    assert shown
    assert all(option.feasible for option in shown)


@given(
    kind=st.sampled_from([None, "here", "buy", "rent", "cluster"]),
    most=st.none() | st.floats(0, 1e6),
    words=st.text(max_size=8),
    is_feasible=st.booleans(),
)
def test_any_filter_narrows(kind: str | None, most: float | None, words: str, is_feasible: bool) -> None:
    """No filter shows what was not compared, nor changes the order."""
    report = sample_report()
    wanted = OptionFilter(kind=kind, most_usd=most, words=words, is_feasible=is_feasible)
    shown = options_of(report, wanted, EN)
    places = [report.advice.options.index(option) for option in shown]

    assert places == sorted(places)
    assert len(set(places)) == len(places)


def test_an_unknown_device_is_not_of_any_maker() -> None:
    """A device of a report from elsewhere that no catalogue has stays in the list, but belongs to no maker."""
    report = sample_report()
    odd = msgspec.structs.replace(report.advice.options[0], device="<b>Nobody's card</b>")
    answer = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=(odd,)))

    assert options_of(answer, OptionFilter(), EN) == [odd]
    assert options_of(answer, OptionFilter(vendor="nvidia"), EN) == []
    assert option_facts(odd, answer, EN)


def test_what_is_said_of_an_option(report: Report) -> None:
    """Time with its range, how sure, what it rests on, price with its date, and where the figures are from."""
    rent = next(option for option in report.advice.options if option.tier == "cloud")
    buy = next(option for option in report.advice.options if option.tier == "single_gpu")
    for option in (rent, buy):
        facts = dict(option_facts(option, report, EN))
        assert {
            "Time of a run",
            "How sure",
            "Based on",
            "Memory",
            "Price",
            "Price of",
            "Source",
            "Compared with our pick",
        } <= set(facts)
        assert "(" in facts["Time of a run"]
    assert "Machine" in dict(option_facts(rent, report, EN))


def test_the_recommended_one_lost_to_nobody(report: Report) -> None:
    """The chosen option has no reason against it."""
    chosen = next(option for option in report.advice.options if option.id == report.advice.chosen)

    assert "Compared with our pick" not in dict(option_facts(chosen, report, EN))


def point(time_s: float, cost: float) -> OptionPoint:
    """Return a mark."""
    return OptionPoint(row=0, kind="rent", time_s=time_s, cost=cost, is_feasible=True, is_chosen=False, label="")


@given(
    st.lists(st.tuples(st.floats(0.1, 1e9), st.floats(0.01, 1e7)), min_size=1, max_size=5),
)
def test_the_axes_always_have_marks(places: list[tuple[float, float]]) -> None:
    """However close or far the options lie, both axes have marks in order, none of them twice."""
    points = [point(time_s, cost) for time_s, cost in places]
    for ticks in (time_ticks(points, EN), cost_ticks(points, sample_report(), EN)):
        positions = [place for place, _text in ticks]
        assert positions == sorted(set(positions))
        assert all(math.isfinite(place) for place in positions)
    assert cost_ticks(points, sample_report(), EN)
    assert 1 <= len(cost_ticks(points, sample_report(), EN)) <= 8


def test_a_table_of_all_options_is_drawn(report: Report) -> None:
    """Every option with time and cost has a mark with its row."""
    table = OptionTable(report, EN)
    rows = [one.row for one in option_points(table)]

    assert len(rows) == len(set(rows)) > 500


def test_options_as_points_and_rows() -> None:
    """Each option worth drawing is a point with its row; the best of each kind is named."""
    report = sample_report()
    table = OptionTable(report, EN)
    points = option_points(table)

    assert [point.label for point in points if point.label]
    assert {point.kind for point in points} == {"here", "buy", "rent", "cluster"}
    assert len(table) == 5
    assert table[1:3] == [table[1], table[2]]
    assert table.chosen == 0
    assert table.hover(2).splitlines()[0] == "GeForce RTX 5060 Ti 16 GB"
    assert len(options_of(report, OptionFilter(kind="buy"), EN)) == 1


def test_axes_of_options_have_words() -> None:
    """Time and cost axes have marks in units people know."""
    report = sample_report()
    points = option_points(OptionTable(report, EN))

    assert "1 minute" in [text for _position, text in time_ticks(points, EN)]
    assert cost_ticks(points, report, EN)


def test_a_rented_price_names_the_providers_page(report: Report) -> None:
    """A menu opens it from there; what is bought has none."""
    option = next(one for one in report.advice.options if one.offer is not None)
    assert "https://" in option_origins(option, report, EN)["Price"].source
    assert "shortest run" in dict(option_facts(option, report, EN))["Billed"]
    bought = next(one for one in report.advice.options if one.purchase_usd > 0)
    assert "https://" not in option_origins(bought, report, EN)["Price"].source


def test_words_of_the_time_axis_keep_apart() -> None:
    """From seconds to years: no two nearer than a seventh of the axis."""
    low_s, high_s = 30.0, 3e8
    places = [place for place, _words in time_ticks([point(low_s, 1.0), point(high_s, 1.0)], EN)]
    apart = math.log10(4 * high_s / low_s) / 7
    assert len(places) > 3
    assert all(after - before >= apart for before, after in pairwise(places))


def test_what_could_be_the_answer_is_weighed_in_time_and_money(report: Report) -> None:
    """How much sooner and cheaper the others are; what else speaks against them is said in words."""
    english = language("en")
    assert beside_pick(report.advice.options[0], report, english) == ""
    weighed = [one for one in report.advice.options if one.obstacle in {"not_needed", "dearer", "slower"}]
    assert weighed
    chosen = report.advice.options[0]
    for one in weighed[:20]:
        said = beside_pick(one, report, english)
        is_sooner = (one.run_s or 0.0) < 0.9 * (chosen.run_s or 0.0)
        assert "\N{MINUS SIGN}" in said or "times as fast" in said or not is_sooner
        is_much_sooner = 5 * (one.run_s or 0.0) <= (chosen.run_s or 0.0)
        assert ("times as fast" in said) == is_much_sooner, "minus 45 minutes stood beside every time below 3"
    other = next((one for one in report.advice.options if one.obstacle == "does_not_fit"), None)
    assert other is None or beside_pick(other, report, english) == ""
    assert why_best(report, english).startswith("Recommended: ")
