"""Which programs are in the way of a measurement: when processes are looked at, and who learns their names."""

from collections.abc import Iterator

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.locale import language
from advisor.probe.busy_programs import ProgramLoad
from advisor.probe.condition_watch import ConditionWatch
from advisor.records.events import DoubtsFound, Event, ProgramsNamed
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Condition
from advisor.report.content.document_builder import document
from advisor.report.formats.write import Format, render
from advisor.session.forecast import conclude
from advisor.wire import report_schema
from tests.fakes.suite import case, run_cases
from tests.unit.benchmark.diagnosed import CARD, machine

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
