"""Scales and ticks of charts, and the few SVG elements they are drawn with; every text is escaped here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.report.charts import svg_axes


@given(low=st.floats(1e-3, 1e6), ratio=st.floats(1.1, 1e9))
def test_logarithmic_ticks_lie_inside_and_are_few(low: float, ratio: float) -> None:
    """Round values, in order, at most nine or so, all on the axis."""
    scale = svg_axes.vertical(low, low * ratio)
    ticks = svg_axes.decades(scale)
    assert all(scale.low <= tick <= scale.high for tick in ticks)
    assert ticks == sorted(ticks)
    assert len(ticks) <= 9


@given(high=st.floats(1e-3, 1e9))
def test_linear_ticks_lie_inside_and_are_few(high: float) -> None:
    """Multiples of 1, 2 or 5."""
    scale = svg_axes.vertical(0.0, high, is_log=False)
    ticks = svg_axes.steps(scale)
    assert all(scale.low <= tick <= scale.high * (1 + 1e-9) for tick in ticks)
    assert 1 <= len(ticks) <= 8


@pytest.mark.parametrize("is_log", [True, False])
def test_a_scale_keeps_order_and_stays_on_the_axis(is_log: bool) -> None:
    """Larger values lie further along; what is outside lies on the edge."""
    scale = svg_axes.horizontal(1.0, 100.0, is_log=is_log)
    places = [scale(value) for value in (-5.0, 1.0, 10.0, 50.0, 100.0, 1e9)]
    assert places == sorted(places)
    assert places[0] >= svg_axes.LEFT
    assert places[-1] <= svg_axes.WIDTH


def test_equal_values_make_an_axis_all_the_same() -> None:
    """One value alone does not divide by zero."""
    scale = svg_axes.vertical(0.0, 0.0, is_log=False)
    assert scale.high > scale.low


def test_labels_never_lie_on_each_other() -> None:
    """Where there is no room, a label is left out."""
    taken: list[svg_axes.Box] = []
    placed = [svg_axes.place((400, 200), "a long label of a card", taken, spots=svg_axes.BESIDE) for _n in range(8)]
    assert placed[0] is not None
    assert placed[-1] is None
    for index, box in enumerate(taken):
        assert not any(box.overlaps(other) for other in taken[index + 1 :])


def test_texts_in_charts_are_escaped() -> None:
    """Names from a file are text, in marks and labels alike."""
    assert "<b>" not in svg_axes.text(0, 0, "<b>")
    for shape in ("circle", "square", "diamond", "triangle"):
        assert "<b>" not in svg_axes.mark(shape, (0, 0), 5, style="mark", title="<b>")
    assert "<b>" not in svg_axes.frame("<b>", "", '"<b>')
