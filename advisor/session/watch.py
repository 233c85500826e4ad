"""Watch for what spoils a measurement while a suite runs, in the form the runner asks for it."""

from typing import Literal

from advisor.probe import Snapshot, check_conditions, take_snapshot
from advisor.records.machine import Machine
from advisor.records.measurement import Condition


class ConditionWatch:
    """Compares counters of the beginning and the end of each case.

    Only the check before the whole suite waits; before each case a snapshot is enough, for the case itself is the time
    that is looked at.
    """

    def __init__(self, machine: Machine) -> None:
        self._nvidia_indices = tuple(
            card.index
            for card in machine.accelerators
            if card.vendor == "nvidia" and card.trains and not card.is_asleep
        )
        self._began: Snapshot | None = None

    def __call__(self, when: Literal["before", "during"], worker_pid: int | None) -> tuple[Condition, ...]:
        """Return what spoils the case that ends now, or, before any worker runs, what would spoil the first one."""
        own = () if worker_pid is None else (worker_pid,)
        if when == "before" and worker_pid is not None:
            self._began = take_snapshot(own_pids=own)
            return ()
        return check_conditions(
            when, since=self._began, own_pids=own, nvidia_indices=self._nvidia_indices if when == "during" else ()
        )
