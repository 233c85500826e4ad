"""The live page without Qt: graphs, moments and spans."""

import math
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.gui.models.live.axis_top import round_up
from advisor.gui.models.live.model import LiveModel
from advisor.locale import language
from advisor.monitor.monitor import Monitor
from advisor.monitor.timeline import Timeline
from advisor.records.base import Gap
from advisor.records.hardware.telemetry import HostSample, TelemetrySample
from tests.gui.samples import WavyCards, WavyHost
from tests.unit.gui.models.live.samples import card, plain

EN, ES = language("en"), language("es")


def append(model: LiveModel, samples: Iterable[TelemetrySample]) -> None:
    """Put samples on the timeline, oldest first, and look at them."""
    for sample in samples:
        model.timeline.append(sample)
        model.show_sample(sample)


def sampled(count: int, cards_count: int = 1, span_s: float = 60.0) -> LiveModel:
    """Return a model that has taken samples, one a second."""
    seconds = iter(range(10 * count))
    monitor = Monitor(WavyHost(), (WavyCards(count=cards_count),), clock=lambda: float(next(seconds)) / 2)
    model = LiveModel(span_s=span_s)
    for _turn in range(count):
        append(model, [monitor.sample()])
    return model


def test_a_graph_holds_the_chosen_span_only() -> None:
    """However long it runs, a curve shows no more than the span."""
    model = sampled(130, span_s=30.0)

    assert len(model.times_s) == 31
    assert all(len(curve.values) == 31 for graph in model.graphs(EN) for curve in graph.curves)
    assert (model.drawn_s[0], model.drawn_s[-1]) == (-30.0, 0.0)


def test_before_the_first_sample_there_is_nothing() -> None:
    """No sample, no graph, no cost."""
    model = LiveModel()

    assert model.graphs(EN) == ()
    assert model.cost_text(EN) == ""
    assert len(model.table(EN)[1]) == 0


def test_a_card_that_appears_later_has_a_gap_before() -> None:
    """A curve that begins later is as long as the others, without invented values."""
    model = sampled(5, cards_count=1)
    two = Monitor(WavyHost(), (WavyCards(count=2),), clock=lambda: 20.0)
    append(model, [two.sample()])
    graphics = next(graph for graph in model.graphs(EN) if graph.id == "graphics")

    assert [len(curve.values) for curve in graphics.curves] == [6, 6]
    assert all(map(math.isnan, list(graphics.curves[1].values)[:5]))


def test_a_card_that_disappears_leaves_a_gap_after() -> None:
    """Where a source no longer lists a card, its curve is gone and the others go on."""
    model = sampled(5, cards_count=2)
    one = Monitor(WavyHost(), (WavyCards(count=1),), clock=lambda: 20.0)
    append(model, [one.sample()])

    assert [len(graph.curves) for graph in model.graphs(EN) if graph.id == "graphics"] == [1]


def test_the_values_of_a_moment_are_those_of_its_sample() -> None:
    """Pointing at a graph shows what was there then, in every graph and for every core."""
    model = sampled(20)
    sample_s = model.times_s[7]
    then = {graph.id: graph.now for graph in model.graphs(EN, sample_s + 0.1)}

    wave = 0.5 + 0.4 * math.sin(sample_s)
    assert plain(then["processor"]) == f"{round(100 * wave)}%"
    assert model.cores_at(sample_s)[0] == pytest.approx(wave, abs=0.006)
    assert model.index_at(-1e9) == 0
    assert model.index_at(1e9) == len(model.times_s) - 1


def test_the_table_is_put_into_words_row_by_row() -> None:
    """One row a sample, newest first, one column a curve."""
    header, rows = sampled(20).table(EN)

    assert header[:2] == ("Seconds ago", "Processor, all cores, %")
    assert len(rows) == 20
    assert (rows[0][0], rows[19][0]) == ("0", "19")
    with pytest.raises(IndexError):
        rows[20]


@given(st.floats(min_value=0.2, max_value=1e9))
def test_a_full_scale_is_round_and_high_enough(value: float) -> None:
    """Axes end at 1, 2 or 5 times a power of ten, at most two and a half times what is shown."""
    full = round_up(value)
    mantissa = full / 10 ** math.floor(math.log10(full) + 1e-9)

    assert value <= full <= max(2.5 * value * 1.0000001, 0.2)
    assert round(mantissa, 6) in {1, 2, 5}


def test_what_a_divided_card_does_not_tell_is_said() -> None:
    """Of a card that is divided into instances the utilisation is no empty graph but a sentence."""
    gap = Gap(field="accelerators.0.utilisation_ratio", reason="not_supported", detail="mig")
    model = LiveModel()
    append(model, [TelemetrySample(time_s=1.0, host=HostSample(), accelerators=(card(),), gaps=(gap,))])
    graphics = next(graph for graph in model.graphs(EN) if graph.id == "graphics")

    assert graphics.curves == ()
    assert "divided into instances (MIG)" in graphics.missing


def test_a_driver_nobody_foresaw_is_said() -> None:
    """Where a source of cards fails altogether, the page does not claim that there is no card."""
    model = LiveModel()
    gap = Gap(field="accelerators", reason="unreadable", detail="OverflowError")
    append(model, [TelemetrySample(time_s=1.0, host=HostSample(cpu_ratio=0.5), gaps=(gap,))])
    graphics = next(graph for graph in model.graphs(EN) if graph.id == "graphics")

    assert graphics.missing == "The sensors of the graphics cards cannot be read (OverflowError)."


def test_the_cost_names_sensors_and_window() -> None:
    """The page says what reading the sensors takes, and what the whole window takes."""
    model = LiveModel()
    append(model, [TelemetrySample(time_s=1.0, host=HostSample(), cost_ratio=0.002)])

    text = plain(model.cost_text(EN, 0.013))
    assert text == "Reading the sensors takes 0.2% of one core, this whole window 1.3%."


def test_what_is_looked_back_at_is_not_lost_from_sight() -> None:
    """While an hour passes, the oldest samples are dropped; the span moves on with what is kept, and then ends now."""
    timeline = Timeline(span_s=600.0, most=10_000)
    model = LiveModel(timeline, span_s=60.0)
    append(model, (TelemetrySample(time_s=float(second), host=HostSample(cpu_ratio=0.5)) for second in range(600)))
    model.scroll_back(10_000.0)
    assert (model.shown_to_s, len(model.times_s)) == (60.0, 61)

    append(
        model, (TelemetrySample(time_s=float(second), host=HostSample(cpu_ratio=0.5)) for second in range(600, 1500))
    )
    assert model.shown_to_s == timeline.first_s + 60.0
    assert len(model.times_s) == 61
    model.span_s = 5000.0
    model.show_sample(model.latest)  # type: ignore[arg-type]  # samples were taken
    assert (model.end_s, model.back_s) == (None, 0.0)


def test_a_time_without_samples_is_empty_and_no_fault() -> None:
    """Sensors that could not be read for a while leave a span in which there is nothing."""
    model = LiveModel(span_s=60.0)
    append(model, [TelemetrySample(time_s=at, host=HostSample(cpu_ratio=0.5)) for at in (0.0, 1.0, 500.0)])
    model.scroll_back(250.0)

    assert list(model.times_s) == []
    assert all(not graph.curves for graph in model.graphs(EN))
    assert model.cores_at() == ()
    assert len(model.table(EN)[1]) == 0
