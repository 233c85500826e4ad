"""Options as points, and the marks of their axes."""

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import preset
from advisor.gui.models.options.chart_points import ROOM_RATIO, OptionPoint, cost_ticks, option_points, time_ticks
from advisor.gui.models.options.filters import OptionFilter, options_of
from advisor.gui.models.options.table import OptionTable
from advisor.locale import language
from advisor.records.job.workload import Circumstances
from advisor.records.request import observation_of
from advisor.records.results.report import Report
from advisor.session.forecast import conclude
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain

EN = language("en")


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


@given(st.floats(60.0, 1e6), st.floats(1.02, 3.0), st.floats(5.0, 1e5), st.floats(1.02, 3.0))
def test_two_options_have_marks_on_both_axes(time_s: float, longer: float, cost: float, dearer: float) -> None:
    """Of 5060 Ti and two of them there was one mark of the cost, of closer ones none: the next round number is far."""
    points = [point(time_s, cost), point(longer * time_s, dearer * cost)]
    for ticks, ends, apart in (
        (time_ticks(points, EN), (time_s, longer * time_s), 1.5),  # times are said in few words
        (cost_ticks(points, sample_report(), EN), (cost, dearer * cost), 1.1),
    ):
        low, high = map(math.log10, ends)
        room = ROOM_RATIO * (high - low)
        seen = [text for place, text in ticks if low - room <= place <= high + room]
        assert len(seen) == len(set(seen)) >= (2 if high - low > math.log10(apart) else 0), (ticks, ends)


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


def test_a_rented_run_is_drawn_with_its_start() -> None:
    """The chart drew it without upload and boot, the table beside it counts them."""
    table = OptionTable(sample_report(), EN)
    rents = [found for found in option_points(table) if found.kind == "rent"]
    assert rents
    for found in rents:
        option = table.options[found.row]
        assert found.time_s == option.done_s == option.before_s + (option.run_s or 0.0) + option.after_s
        assert table[found.row][2] in table.hover(found.row), "one time in the table and at the mark"


def test_axes_of_options_have_words() -> None:
    """Time and cost axes have marks in units people know."""
    report = sample_report()
    points = option_points(OptionTable(report, EN))

    assert "1 min" in [plain(text) for _position, text in time_ticks(points, EN)]
    assert cost_ticks(points, report, EN)


def test_words_of_the_time_axis_keep_apart() -> None:
    """From seconds to years: no two nearer than a seventh of the axis."""
    low_s, high_s = 30.0, 3e8
    places = [place for place, _words in time_ticks([point(low_s, 1.0), point(high_s, 1.0)], EN)]
    apart = math.log10(4 * high_s / low_s) / 7
    assert len(places) > 3
    assert all(after - before >= apart for before, after in pairwise(places))


@given(st.floats(30.0, 1e5), st.floats(50.0, 1e5))
def test_the_times_of_the_axis_have_a_rhythm(time_s: float, longer: float) -> None:
    """1 hour, 10 hours, 10 days, 3½ months had none: no step is much longer than another, as eyes see it."""
    places = [place for place, _words in time_ticks([point(time_s, 1.0), point(longer * time_s, 1.0)], EN)]
    steps = [after - before for before, after in pairwise(places)]
    assert len(steps) >= 1
    assert max(steps) <= 2.8 * min(steps), places


def test_the_times_of_the_axis_are_whole() -> None:
    """From minutes to a year: each mark is one of something, or a few."""
    said = [plain(words) for _place, words in time_ticks([point(600.0, 1.0), point(3e7, 1.0)], EN)]
    assert said == ["10 min", "1 h", "1 day", "4 weeks"]


@given(st.floats(20.0, 1e6), st.floats(1.6, 1e4))
def test_two_times_are_read_in_a_narrow_chart(time_s: float, longer: float) -> None:
    """From 1 minute to half an hour “10 minutes” was all: the words of 1 minute had no room at the end of the axis."""
    low, high = math.log10(time_s), math.log10(longer * time_s)
    room = (ROOM_RATIO - 0.08 * (1 + 2 * ROOM_RATIO)) * (high - low)
    ticks = time_ticks([point(time_s, 1.0), point(longer * time_s, 1.0)], EN)
    assert len([text for place, text in ticks if low - room <= place <= high + room]) >= 2, ticks
    said = [plain(text) for _place, text in time_ticks([point(70.0, 1.0), point(1740.0, 1.0)], EN)]
    assert said == ["1 min", "5 min", "10 min", "30 min"]


def test_the_axis_of_times_is_marked_where_the_quickest_lie() -> None:
    """Cards to buy, 2 to 4 minutes, lay left of the first mark, which read 10 min."""
    times = [130.0, 150.0, 230.0, 840.0, 1060.0, 14_400.0]
    points = [point(time_s, 1.0) for time_s in times]
    ticks = time_ticks(points, EN)
    assert plain(ticks[0][1]) == "2 min"
    places = [place for place, _text in ticks]
    assert places == sorted(places)
    whole = math.log10(times[-1] / times[0]) * 1.24
    assert min(after - before for before, after in pairwise(places)) > 0.13 * whole, "a word lies on another"


def test_the_left_end_of_the_times_has_a_mark() -> None:
    """From 70 seconds to 40 minutes there were 10, 20 and 40 minutes: nobody could read what cards to buy take."""
    points = [point(time_s, 1.0) for time_s in (70.0, 150.0, 840.0, 900.0, 2400.0)]
    said = [plain(words) for _place, words in time_ticks(points, EN)]
    assert said == ["1 min", "5 min", "10 min", "20 min", "40 min"]


@given(st.lists(st.floats(2.0, 1e7), min_size=1, max_size=6))
def test_a_mark_that_is_read_lies_at_or_left_of_the_quickest(times: list[float]) -> None:
    """The first mark read 5 minutes, and cards to buy, 1 to 3 minutes, lay left of it."""
    first, last = math.log10(min(times)), math.log10(max(times))
    room = ROOM_RATIO * (last - first) or 0.5
    low = first - room + 0.08 * (last - first + 2 * room)
    ticks = [place for place, _words in time_ticks([point(time_s, 1.0) for time_s in times], EN)]
    assert any(low - 1e-9 <= place <= first + 1e-9 for place in ticks), (times, ticks)


def test_few_of_many_that_end_at_one_time_are_drawn_strong() -> None:
    """Nearly all rented machines stood in one stack, of one look: what another beats is pale."""
    made = conclude(observation_of(sample_report()), preset("article_cnn").workload, Circumstances())
    options = [one for one in made.advice.options if one.tier == "cloud"]
    points = option_points(OptionTable(made, EN, options, {}))
    strong = [one for one in points if one.is_unbeaten]
    assert 1 <= len(strong) < len(points) / 5
    for point in points:
        beats = [one for one in strong if one.cost <= point.cost and one.time_s <= 1.05 * point.time_s]
        assert beats or not point.is_dependable or not point.is_feasible, point
    by_cost = sorted(strong, key=lambda one: one.cost)
    assert all(dearer.time_s * 1.05 <= cheaper.time_s for cheaper, dearer in pairwise(by_cost))
    assert all(one.is_dependable and one.is_feasible for one in strong)
