"""The live page without Qt: graphs, moments, words, phases, thinning, and the file of numbers."""

import io
import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.gui.models.live.export import write_csv
from advisor.gui.models.live.model import LiveModel, round_up
from advisor.gui.models.live.thinning import MOST_POINTS, STRETCHES, Thinning
from advisor.gui.models.live.words import absences, card_rows, cards_title, user_rows
from advisor.gui.models.phases import PhaseModel
from advisor.locale import language
from advisor.monitor import CardUser, Monitor, Timeline
from advisor.records.base import Gap
from advisor.records.events import CaseFinished, CaseStarted
from advisor.records.hardware.telemetry import AcceleratorSample, HostSample, TelemetrySample
from tests.gui.samples import GIB, WavyCards, WavyHost, matmul_case, measured

EN, ES = language("en"), language("es")


def plain(text: str) -> str:
    """Return a text with ordinary blanks."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def sampled(count: int, cards_count: int = 1, span_s: float = 60.0) -> LiveModel:
    """Return a model that has taken samples, one a second."""
    seconds = iter(range(10 * count))
    monitor = Monitor(WavyHost(), (WavyCards(count=cards_count),), clock=lambda: float(next(seconds)) / 2)
    model = LiveModel(span_s=span_s)
    for _turn in range(count):
        model.append([monitor.sample()])
    return model


def card(**changes: object) -> AcceleratorSample:
    """Return an NVIDIA card about which nothing is known but what is given."""
    known: dict[str, object] = {"vendor": "nvidia", "index": 0, "name": "NVIDIA H100"}
    return AcceleratorSample(**(known | changes))  # type: ignore[arg-type]


# --- graphs ---


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
    model.append([two.sample()])
    graphics = next(graph for graph in model.graphs(EN) if graph.id == "graphics")

    assert [len(curve.values) for curve in graphics.curves] == [6, 6]
    assert all(map(math.isnan, list(graphics.curves[1].values)[:5]))


def test_a_card_that_disappears_leaves_a_gap_after() -> None:
    """Where a source no longer lists a card, its curve is gone and the others go on."""
    model = sampled(5, cards_count=2)
    one = Monitor(WavyHost(), (WavyCards(count=1),), clock=lambda: 20.0)
    model.append([one.sample()])

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


# --- thinning ---


@given(st.integers(min_value=1, max_value=5000), st.integers(min_value=0, max_value=4999), st.floats(0.2, 5.0))
def test_thinning_keeps_every_peak(count: int, place: int, step_s: float) -> None:
    """However many samples there are, few points are drawn, and the highest value is among them."""
    times = [1000.0 + step_s * turn for turn in range(count)]
    values = [0.0] * count
    values[place % count] = 7.0
    thin = Thinning(times, times[-1] - times[0])

    drawn = thin(values)

    assert len(drawn) == len(thin.times_s) <= max(MOST_POINTS, 2 * STRETCHES + 4)
    assert drawn.max() == 7.0
    assert (np.diff(thin.times_s) >= 0).all()


def test_a_stretch_without_values_stays_a_gap() -> None:
    """Where a sensor said nothing for a whole stretch, nothing is drawn."""
    times = [float(turn) for turn in range(4000)]
    values = [math.nan if 1000 <= turn < 2000 else 1.0 for turn in range(4000)]
    thin = Thinning(times, 3600.0)

    inside = (thin.times_s > 1010) & (thin.times_s < 1980)
    assert np.isnan(thin(values)[inside]).all()
    assert not np.isnan(thin(values)[thin.times_s < 980]).any()


# --- words ---


def test_what_a_divided_card_does_not_tell_is_said() -> None:
    """Of a card that is divided into instances the utilisation is no empty graph but a sentence."""
    gap = Gap(field="accelerators.0.utilisation_ratio", reason="not_supported", detail="mig")
    model = LiveModel()
    model.append([TelemetrySample(time_s=1.0, host=HostSample(), accelerators=(card(),), gaps=(gap,))])
    graphics = next(graph for graph in model.graphs(EN) if graph.id == "graphics")

    assert graphics.curves == ()
    assert "divided into instances (MIG)" in graphics.missing


def test_a_driver_nobody_foresaw_is_said() -> None:
    """Where a source of cards fails altogether, the page does not claim that there is no card."""
    model = LiveModel()
    gap = Gap(field="accelerators", reason="unreadable", detail="OverflowError")
    model.append([TelemetrySample(time_s=1.0, host=HostSample(cpu_ratio=0.5), gaps=(gap,))])
    graphics = next(graph for graph in model.graphs(EN) if graph.id == "graphics")

    assert graphics.missing == "The sensors of the graphics cards cannot be read (OverflowError)."


def test_a_card_in_one_row() -> None:
    """Each card of the moment with all it does; what is not known is a dash."""
    held = card(
        utilisation_ratio=0.9,
        memory_used_bytes=3 * GIB,
        memory_total_bytes=80 * GIB,
        power_w=300.0,
        power_limit_w=350.0,
        clock_hz=1.98e9,
        throttle_reasons=("power_limit", "heat"),
    )
    asleep = card(index=1, is_asleep=True)
    rows = card_rows(TelemetrySample(time_s=0.0, host=HostSample(), accelerators=(held, asleep)), EN)

    assert tuple(map(plain, rows[0])) == (
        "card 1",
        "90%",
        "3 of 80 GB",
        "–",
        "300 of 350 W",
        "1.98 / – GHz",
        "held back by its power limit, held back by heat",
    )
    assert rows[1][-1] == "asleep"


def test_equal_cards_are_named_once() -> None:
    """Above the table, and only numbered in it; different ones are named in their rows."""
    equal = TelemetrySample(time_s=0.0, host=HostSample(), accelerators=(card(), card(index=1)))
    other = msgspec.structs.replace(equal, accelerators=(*equal.accelerators, card(index=2, name="NVIDIA L4")))

    assert cards_title(equal, EN) == "Graphics cards now: 2 × H100"
    assert cards_title(other, EN) == "Graphics cards now"
    assert [row[0] for row in card_rows(other, EN)] == ["card 1 · H100", "card 2 · H100", "L4"]


def test_programs_on_the_cards_come_largest_first() -> None:
    """A program without a name or memory is still a row; one of a card that is gone is not."""
    sample = TelemetrySample(time_s=0.0, host=HostSample(), accelerators=(card(),))
    users = (
        CardUser(position=0, name=""),
        CardUser(position=0, name="python3", memory_bytes=2 * GIB),
        CardUser(position=3, name="gone", memory_bytes=GIB),
    )

    assert [tuple(map(plain, row)) for row in user_rows(users, sample, EN)] == [
        ("python3", "H100", "2 GB"),
        ("a program that may not be looked at", "H100", "–"),
    ]


def test_the_cost_names_sensors_and_window() -> None:
    """The page says what reading the sensors takes, and what the whole window takes."""
    model = LiveModel()
    model.append([TelemetrySample(time_s=1.0, host=HostSample(), cost_ratio=0.002)])

    text = plain(model.cost_text(EN, 0.013))
    assert text == "Reading the sensors takes 0.2% of one core, this whole window 1.3%."


# --- phases ---


def test_the_tests_of_a_check_are_marked() -> None:
    """A test begins with its start and ends with its end, or with the next one, or with the check."""
    phases = PhaseModel()
    first, second = matmul_case(256), matmul_case(512)
    phases.handle_event(CaseStarted(case=first, index=0, count=2, remaining_s=5.0), 10.0)
    phases.handle_event(CaseFinished(measurement=measured(first, 0.1)), 12.0)
    phases.handle_event(CaseStarted(case=second, index=1, count=2, remaining_s=3.0), 13.0)

    assert phases.spans(0.0, 20.0) == ((10.0, 12.0), (13.0, 20.0))
    assert phases.spans(11.0, 11.5) == ((11.0, 11.5),)
    assert phases.at(12.5) is None
    assert phases.phrase_at(15.0, EN) == "Multiplying matrices on the processor"
    phases.stop(16.0)
    assert phases.spans(0.0, 20.0)[-1] == (13.0, 16.0)


# --- the file ---


def test_the_file_holds_numbers_and_nothing_else() -> None:
    """SI units, one row a sample, the test that ran, and no name of a user, program or computer."""
    timeline = Timeline()
    monitor = Monitor(WavyHost(), (WavyCards(),), clock=iter([5.0, 5.0, 6.0, 6.0, 6.0]).__next__)
    for _turn in range(2):
        timeline.append(msgspec.structs.replace(monitor.sample(), time_s=5.0 + _turn))
    phases = PhaseModel()
    phases.handle_event(CaseStarted(case=matmul_case(256), index=0, count=1, remaining_s=5.0), 5.5)
    file = io.StringIO()

    write_csv(file, timeline.since(0.0), phases)

    header, first, second = (line.split(",") for line in file.getvalue().splitlines())
    assert header[0] == "time_s"
    assert {"host.cpu_ratio", "accelerators.0.power_w", "host.cores_ratio.11", "case"} <= set(header)
    assert (first[0], second[0]) == ("0.000", "1.000")
    assert (first[-1], second[-1]) == ("", matmul_case(256).id)
    assert float(first[header.index("host.memory_used_bytes")]) > 4 * GIB


def test_graphs_that_lack_the_same_share_a_line() -> None:
    """Three graphs of a card that is not there are one sentence."""
    text = absences([("Graphics card", "None."), ("Temperature", "not available."), ("Clock", "None.")])

    assert text == "Graphics card, clock: None.\nTemperature: not available."


def test_what_is_looked_back_at_is_not_lost_from_sight() -> None:
    """While an hour passes, the oldest samples are dropped; the span moves on with what is kept, and then ends now."""
    timeline = Timeline(span_s=600.0, most=10_000)
    model = LiveModel(timeline, span_s=60.0)
    model.append(TelemetrySample(time_s=float(second), host=HostSample(cpu_ratio=0.5)) for second in range(600))
    model.scroll_back(10_000.0)
    assert (model.shown_to_s, len(model.times_s)) == (60.0, 61)

    model.append(TelemetrySample(time_s=float(second), host=HostSample(cpu_ratio=0.5)) for second in range(600, 1500))
    assert model.shown_to_s == timeline.first_s + 60.0
    assert len(model.times_s) == 61
    model.span_s = 5000.0
    model.show_sample(model.latest)  # type: ignore[arg-type]  # samples were taken
    assert (model.end_s, model.back_s) == (None, 0.0)


def test_a_time_without_samples_is_empty_and_no_fault() -> None:
    """Sensors that could not be read for a while leave a span in which there is nothing."""
    model = LiveModel(span_s=60.0)
    model.append([TelemetrySample(time_s=at, host=HostSample(cpu_ratio=0.5)) for at in (0.0, 1.0, 500.0)])
    model.scroll_back(250.0)

    assert list(model.times_s) == []
    assert all(not graph.curves for graph in model.graphs(EN))
    assert model.cores_at() == ()
    assert len(model.table(EN)[1]) == 0
