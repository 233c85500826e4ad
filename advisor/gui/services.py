"""What the window is given from the core: functions, so that a test can hand it others. No Qt here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from advisor.benchmark import Control
    from advisor.monitor import Monitor
    from advisor.records.events import Event
    from advisor.records.machine import Machine
    from advisor.records.report import Report
    from advisor.records.workload import Preset
    from advisor.session.request import Request


class RunSession(Protocol):
    """The signature of ``advisor.session.run_session``."""

    def __call__(self, request: "Request", announce: "Callable[[Event], None]", control: "Control") -> "Report":
        """Probe, measure, predict and recommend."""


@dataclass(frozen=True, kw_only=True)
class Services:
    """The core as the window sees it.

    Attributes:
        run_session: Answers a request, announcing events on the way.
        make_control: Returns a fresh control for one session.
        probe_machine: Looks at this computer; takes a second at most.
        load_presets: Returns the ready-made questions, in the order they are shown.
        make_monitor: Returns a monitor of this computer, made and used in one thread.
    """

    run_session: RunSession
    make_control: "Callable[[], Control]"
    probe_machine: "Callable[[], Machine]"
    load_presets: "Callable[[], tuple[Preset, ...]]"
    make_monitor: "Callable[[], Monitor]"
