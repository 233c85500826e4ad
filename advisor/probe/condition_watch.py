"""Watch for what spoils a measurement while a suite runs, in the form the runner asks for it."""

from collections.abc import Callable, Collection
from typing import Literal, Protocol

from advisor.probe.busy_programs import ProgramLoad, is_loaded
from advisor.probe.conditions import check_conditions
from advisor.probe.processor_load import Snapshot, read_counters
from advisor.records.events import DoubtsFound, Event, ProgramsNamed
from advisor.records.results.measured.measurement import Benchmark, Condition

LOOK_AGAIN_S = 10.0
"""Between two looks at all processes, of which each takes some 20 ms for 300: less than a hundredth of the time."""


class CheckNow(Protocol):
    """The signature of ``check_conditions`` as far as it is used here."""

    def __call__(
        self, when: Literal["before", "during"], *, since: Snapshot | None, own_pids: Collection[int]
    ) -> tuple[Condition, ...]:
        """Return what spoils a measurement."""


class ConditionWatch:
    """Compares counters of the beginning and the end of each case.

    Only the check before the whole suite waits; before each case a snapshot is enough, for the case itself is the time
    that is looked at. Which programs there are is looked at between cases only, and their names leave as events.
    """

    def __init__(
        self,
        announce: Callable[[Event], None] = lambda event: None,
        load: ProgramLoad | None = None,
        check: CheckNow = check_conditions,
    ) -> None:
        self._check = check
        self._announce = announce
        self._began: Snapshot | None = None
        self._load = ProgramLoad() if load is None else load

    def __call__(self, when: Literal["before", "during"], worker_pid: int | None) -> tuple[Condition, ...]:
        """Return what spoils the case that ends now, or, before any worker runs, what would spoil the first one."""
        own = () if worker_pid is None else (worker_pid,)
        if worker_pid is None:
            self._load.begin()
        elif when == "before":
            self._load.begin_unless_within(LOOK_AGAIN_S)
            self._began = read_counters(own_pids=own)
            return ()
        found = self._check(when, since=self._began, own_pids=own)
        if is_loaded(found):
            self._load.count()
        if when == "before" and found:
            self._announce(DoubtsFound(conditions=found, programs=self._load.busiest()))
        return found

    def name_programs(self, benchmark: Benchmark) -> None:
        """Announce which programs used the processor most, where the measurements say that others did."""
        conditions = (*benchmark.conditions, *(one for m in benchmark.measurements for one in m.conditions))
        programs = self._load.busiest() if is_loaded(conditions) else ()
        if programs:
            self._announce(ProgramsNamed(programs=programs))
