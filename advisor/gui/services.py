"""What the window is given from the core: functions, so that a test can hand it others. No Qt here."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.benchmark import Control
    from advisor.monitor import Monitor
    from advisor.records.events import Event
    from advisor.records.machine import Machine
    from advisor.records.report import Report
    from advisor.records.workload import Circumstances, Preset, Workload
    from advisor.session.request import Observation, Request


class RunSession(Protocol):
    """The signature of ``advisor.session.run_session``."""

    def __call__(self, request: "Request", announce: "Callable[[Event], None]", control: "Control") -> "Report":
        """Probe, measure, predict and recommend."""


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """What questions are made of.

    Attributes:
        presets: Ready-made questions, in the order they are shown.
        usd_per_unit: Worth of one unit of each currency that is known.
        countries: Codes of the countries whose electricity price is known.
    """

    presets: "tuple[Preset, ...]"
    usd_per_unit: Mapping[str, float]
    countries: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Services:
    """The core as the window sees it.

    Attributes:
        run_session: Answers a request, announcing events on the way.
        make_control: Returns a fresh control for one session.
        probe_machine: Looks at this computer; takes a second at most.
        load_catalogue: Returns what the questions are made of.
        read_workload: Returns the job in a person's file; raises InputError.
        conclude: Answers another question about a computer that was measured already.
        make_monitor: Returns a monitor of this computer, made and used in one thread.
    """

    run_session: RunSession
    make_control: "Callable[[], Control]"
    probe_machine: "Callable[[], Machine]"
    load_catalogue: "Callable[[], Catalogue]"
    read_workload: "Callable[[Path], Preset]"
    conclude: "Callable[[Observation, Workload, Circumstances], Report]"
    make_monitor: "Callable[[], Monitor]"
