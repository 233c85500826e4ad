"""The sensors beside a running case: their window, their silence, and what they cost."""

import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.locale import language
from advisor.monitor import Monitor
from advisor.probe import ProgramLoad
from advisor.records.base import Gap
from advisor.records.events import DoubtsFound, Event, ProgramsNamed
from advisor.records.hardware.telemetry import AcceleratorSample, HostSample, TelemetrySample
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.measurement import Condition
from advisor.report.content.document_builder import document
from advisor.report.formats.write import Format, render
from advisor.session import interference_watch as watch_module
from advisor.session.forecast import conclude
from advisor.session.interference_watch import ConditionWatch, SensorWatch
from advisor.wire import report_schema
from tests.fakes.suite import case, run_cases
from tests.unit.benchmark.diagnosed import CARD, machine


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a case wait for its samples as long as a busy computer needs."""
    monkeypatch.setattr(watch_module, "PATIENCE_S", 60.0)


class ScriptedMonitor:
    """Gives one temperature after another, by the real clock, and knows no power."""

    def __init__(self, temperatures: Iterator[float]) -> None:
        self.may_rest = True
        self.is_closed = False
        self.count = 0
        self._temperatures = temperatures

    def sample(self) -> TelemetrySample:
        """Return the next sample."""
        self.count += 1
        card = AcceleratorSample(vendor="nvidia", index=0, name="Card", temperature_celsius=next(self._temperatures))
        gap = Gap(field="accelerators.0.power_w", reason="not_supported")
        return TelemetrySample(
            time_s=time.monotonic(), host=HostSample(), accelerators=(card,), gaps=(gap,), cost_ratio=0.002
        )

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


@pytest.mark.usefixtures("patience")
def test_each_case_has_its_own_window() -> None:
    """The sample a case begins with is about what came before and does not count."""
    monitor = ScriptedMonitor(iter(range(20, 1000)))
    with SensorWatch(lambda: cast("Monitor", monitor), interval_s=60.0) as watch:
        watch.begin()
        first = watch.end()
        watch.begin()
        second = watch.end()

    one, other = (found.metrics["accelerators.0.temperature_celsius"] for found in (first, second))
    assert one is not None
    assert other is not None
    assert one.count >= 1
    assert other.count >= 1
    lowest = 2 * other.mean - other.peak  # each sample is a degree warmer than the one before
    assert lowest >= one.peak + 2  # between them is the one the second case begins with
    assert first.end_s <= second.start_s
    assert first.metrics["accelerators.0.power_w"] is None
    assert [gap.reason for gap in first.gaps] == ["not_supported"]
    assert [card.name for card in first.accelerators] == ["Card"]
    assert first.cost_ratio == pytest.approx(0.002)


@pytest.mark.usefixtures("patience")
def test_a_long_run_is_followed_over_time() -> None:
    """Temperature and power of the device of a case, from its beginning on; of another device nothing."""
    monitor = ScriptedMonitor(iter(range(20, 1000)))
    with SensorWatch(lambda: cast("Monitor", monitor), interval_s=0.05) as watch:
        watch.begin()
        until_s = time.monotonic() + 60.0
        while monitor.count < 6 and time.monotonic() < until_s:
            time.sleep(0.01)
        watch.end()
        [heat] = watch.series("cuda:0")
        elsewhere = watch.series("cuda:1")

    assert (heat.x, heat.y) == ("time_s", "temperature_celsius")
    assert len(heat.points) >= 3
    assert all(0 < sooner[0] < later[0] for sooner, later in pairwise(heat.points))
    assert elsewhere == ()


@pytest.mark.usefixtures("patience")
def test_the_sensors_are_closed_and_cards_kept_awake() -> None:
    """The thread ends with the suite, gives the driver back, and never leaves a card alone meanwhile."""
    monitor = ScriptedMonitor(iter(range(1000)))
    with SensorWatch(lambda: cast("Monitor", monitor)) as watch:
        watch.begin()
        assert monitor.may_rest is False

    assert monitor.is_closed
    assert "sensors" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.usefixtures("patience")
def test_a_broken_sensor_costs_no_measurement() -> None:
    """What goes wrong in the thread is the reason given with each case."""

    def broken() -> Monitor:
        raise OSError("the driver is gone")

    with SensorWatch(broken) as watch:
        watch.begin()
        found = watch.end()

    assert (found.count, found.metrics) == (0, {})
    assert [(gap.field, gap.reason, gap.detail) for gap in found.gaps] == [("telemetry", "unreadable", "OSError")]


def test_a_hanging_driver_holds_nothing_up() -> None:
    """A sample that never comes is waited for a moment and then given as the reason."""
    release = threading.Event()
    stuck = SimpleNamespace(may_rest=True, sample=lambda: release.wait(30), close=lambda: None)
    with SensorWatch(lambda: cast("Monitor", stuck)) as watch:
        watch.begin()
        found = watch.end()
        release.set()

    assert [gap.reason for gap in found.gaps] == ["timeout"]


@pytest.mark.usefixtures("patience")
def test_this_computer_can_be_watched() -> None:
    """The real sensors give the processor's use and the memory of a moment."""
    with SensorWatch() as watch:
        watch.begin()
        until_s = time.monotonic() + 0.3
        while time.monotonic() < until_s:
            sum(range(1000))
        found = watch.end()

    used, memory = found.metrics["host.cpu_ratio"], found.metrics["host.memory_used_bytes"]
    assert used is not None
    assert memory is not None
    assert 0 < used.mean <= used.peak <= 1
    assert memory.mean > 0
    assert found.cost_ratio is not None


BUSY = Condition(kind="other_load", value=0.6, unit="ratio", when="during")


class Named(ProgramLoad):
    """Sees one program in each span that is counted; notes when it is asked to look.

    Attributes:
        looks: What it was asked, in order.
    """

    def __init__(self) -> None:
        super().__init__()
        self.looks: list[str] = []

    def begin(self) -> None:
        """Note it."""
        self.looks.append("begin")

    def begin_unless_within(self, seconds: float) -> None:
        """Note it."""
        self.looks.append("begin again")

    def count(self) -> None:
        """Note it."""
        self.looks.append("count")

    def busiest(self) -> tuple[str, ...]:
        """Return the program once a span was counted."""
        return (PROGRAM,) if "count" in self.looks else ()


PROGRAM = "annas-diary"


def test_processes_are_looked_at_between_cases_and_counted_where_others_were_busy() -> None:
    """On a quiet computer nothing is counted and nobody named."""
    heard: list[Event] = []
    load = Named()
    answers = iter([(), (), (BUSY,)])
    watch = ConditionWatch(heard.append, load, lambda *_given, **_named: next(answers))
    assert watch("before", None) == ()
    for _case in range(2):
        watch("before", 77)
        watch("during", 77)
    assert load.looks == ["begin", "begin again", "begin again", "count"]
    assert heard == []


def test_what_is_in_the_way_is_announced_before_measuring() -> None:
    """With the programs that are, which the conditions themselves do not name."""
    heard: list[Event] = []
    watch = ConditionWatch(heard.append, Named(), lambda *_given, **_named: (BUSY,))
    assert watch("before", None) == (BUSY,)
    assert heard == [DoubtsFound(conditions=(BUSY,), programs=(PROGRAM,))]


@pytest.mark.parametrize("conditions", [(), (BUSY,)])
def test_names_of_other_programs_reach_the_screen_and_no_report(conditions: tuple[Condition, ...]) -> None:
    """They are announced where the measurements say that others were busy; no form of the report has them."""
    heard: list[Event] = []
    watch = ConditionWatch(heard.append, Named(), lambda *_given, **_named: (BUSY,))
    outcome = run_cases(
        [case("matmul/fp32/512/cpu", device="cpu", precision="fp32", size=512)],
        check_conditions=lambda when, pid: watch(when, pid) and conditions,
        on_event=heard.append,
    )
    watch.name_programs(outcome.benchmark)
    named = [event for event in heard if isinstance(event, ProgramsNamed)]
    assert named == ([ProgramsNamed(programs=(PROGRAM,))] if conditions else [])

    card = msgspec.structs.replace(CARD, memory_used_bytes=CARD.memory_bytes, used_by=(PROGRAM, PROGRAM))
    observed = Observation(machine=machine(card), benchmark=outcome.benchmark)
    report = conclude(observed, find_workload("article_cnn").workload, Circumstances())
    assert any(one.kind == "other_load" and not one.form for one in report.findings) == bool(conditions)
    assert any(one.form == "card" for one in report.findings)
    forms: tuple[Format, ...] = ("json", "html", "md", "text")
    for form in forms:
        written = render(report, form, language("en")).decode()
        assert PROGRAM not in written
    assert PROGRAM not in repr(document(report, language("es")))  # which PDF is laid out from
    assert len(report.machine.accelerators[0].used_by) == 2
    assert not {"programs_named", "doubts_found", "ProgramsNamed", "DoubtsFound"} & set(words_of(report_schema()))


def words_of(schema: object) -> Iterator[str]:
    """Yield every name and text in a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield str(key)
            yield from words_of(value)
    elif isinstance(schema, (list, tuple)):
        for one in schema:
            yield from words_of(one)
    else:
        yield str(schema)
