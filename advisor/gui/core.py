"""The real core behind the window, imported where it is first used so that the window appears early."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from advisor.gui.services import Services

if TYPE_CHECKING:
    from advisor.benchmark import Control
    from advisor.monitor import Monitor
    from advisor.records.events import Event
    from advisor.records.machine import Machine
    from advisor.records.report import Report
    from advisor.records.workload import Preset
    from advisor.session.request import Request


def core_services() -> Services:
    """Return the core as the window sees it."""
    return Services(
        run_session=_run_session,
        make_control=_make_control,
        probe_machine=_probe_machine,
        load_presets=_load_presets,
        make_monitor=_make_monitor,
    )


def _run_session(request: "Request", announce: "Callable[[Event], None]", control: "Control") -> "Report":
    from advisor.session import run_session

    return run_session(request, announce, control)


def _make_control() -> "Control":
    from advisor.benchmark import Control

    return Control()


def _probe_machine() -> "Machine":
    from advisor.probe import probe_machine

    return probe_machine()


def _load_presets() -> "tuple[Preset, ...]":
    from advisor.catalog import presets

    return presets()


def _make_monitor() -> "Monitor":
    from advisor.monitor import make_monitor

    return make_monitor()
