"""Names of marks in a chart: none lies on another or outside, and the most important ones are there."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from advisor.gui.models.label_places import Box, Name, label_places, leader

AREA = Box(0.0, 0.0, 600.0, 200.0)
PLACES = st.tuples(st.floats(0, 600), st.floats(0, 200), st.floats(20, 160), st.floats(12, 24))


@given(st.lists(PLACES, max_size=12))
def test_no_name_lies_on_another_or_outside(places: list[tuple[float, float, float, float]]) -> None:
    """However the marks cluster."""
    title = Box(0.0, 0.0, 150.0, 20.0)
    found = label_places([Name(*place) for place in places], AREA, taken=[title])
    shown = [box for box in found if box is not None]

    assert len(found) == len(places)
    assert all(AREA.holds(box) for box in shown)
    assert not any(one.meets(other) for one, other in combinations([title, *shown], 2))


def test_a_lonely_name_stands_beside_its_mark_towards_the_middle() -> None:
    """On the right of a mark in the left half, on the left of one in the right half."""
    left, right = label_places([Name(100, 100, 80, 20), Name(500, 100, 80, 20)], AREA)

    assert left == Box(111.0, 90.0, 80.0, 20.0)
    assert right == Box(409.0, 90.0, 80.0, 20.0)


def test_the_first_of_a_cluster_keeps_its_place() -> None:
    """Of many marks in one place the first is named beside it, and some of the others not at all."""
    found = label_places([Name(100, 100, 80, 20)] * 60, AREA)

    assert found[0] == Box(111.0, 90.0, 80.0, 20.0)
    assert None in found


def test_other_marks_are_left_free_where_there_is_room() -> None:
    """A name goes where it covers the fewest marks."""
    [found] = label_places([Name(100, 100, 80, 20)], AREA, marks=[(150.0, 100.0), (60.0, 100.0)])

    assert found is not None
    assert found.top + found.height <= 100.0 - 11.0


def test_a_name_covers_no_mark_where_a_place_farther_off_is_free() -> None:
    """“RTX A4000” lay on the only other mark in its way: one mark counted for less than a line to a free place."""
    others = [(150.0, 100.0), (50.0, 100.0), (100.0, 82.0), (100.0, 118.0)]
    [found] = label_places([Name(100, 100, 80, 20)], AREA, marks=others)

    assert found is not None
    assert not any(found.holds(Box(x, y, 0.0, 0.0)) for x, y in others)


def test_a_name_leaves_a_crowd_on_a_line() -> None:
    """Where all places beside a mark cover many others, it stands farther off; a line leads to its nearest edge."""
    crowd = [(x, y) for x in range(0, 400, 8) for y in range(60, 141, 8)]
    name = Name(200, 100, 80, 20)
    [found] = label_places([name], AREA, marks=[(float(x), float(y)) for x, y in crowd])

    assert found is not None
    assert found.top + found.height < 60 or found.top > 140
    x, y = leader(name, found)
    assert y in (found.top, found.top + found.height)
    assert found.left <= x <= found.left + found.width


def test_a_name_near_the_edge_stands_below_its_mark_and_not_far_off() -> None:
    """In the middle below the mark it would begin left of the chart: it went to the other side of a crowd."""
    crowd = [(float(x), 100.0) for x in range(60, 260, 10)]
    [found] = label_places([Name(30, 100, 120, 20)], AREA, marks=crowd)

    assert found is not None
    assert found.left == 0.0
    assert min(abs(found.top - 100.0), abs(found.top + found.height - 100.0)) == 11.0


def test_a_name_that_would_hide_marks_is_left_out_but_the_first() -> None:
    """A crowd all over the chart: the tip of a mark and the table say what its name does not."""
    crowd = [(float(x), float(y)) for x in range(0, 601, 10) for y in range(0, 201, 10)]
    found = label_places([Name(300, 100, 120, 20), Name(100, 50, 120, 20)], AREA, marks=crowd)

    assert found[0] is not None
    assert found[1] is None
