"""The real core behind the window, imported where it is first used so that the window appears early."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from advisor.gui.services import Catalogue, Services

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.benchmark import Control
    from advisor.monitor import Monitor
    from advisor.records.events import Event
    from advisor.records.machine import Machine
    from advisor.records.report import Report
    from advisor.records.workload import Circumstances, Preset, Workload
    from advisor.session.request import Observation, Request


def core_services() -> Services:
    """Return the core as the window sees it."""
    return Services(
        run_session=_run_session,
        make_control=_make_control,
        probe_machine=_probe_machine,
        load_catalogue=_load_catalogue,
        read_workload=_read_workload,
        conclude=_conclude,
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


def _load_catalogue() -> Catalogue:
    from advisor.catalog import economics, presets

    money = economics()
    return Catalogue(
        presets=presets(),
        usd_per_unit={code: 1 / currency.units_per_usd for code, currency in money.currencies.items()},
        countries=tuple(money.countries),
    )


def _read_workload(path: "Path") -> "Preset":
    from advisor.catalog import read_workload

    return read_workload(path)


def _conclude(observation: "Observation", workload: "Workload", circumstances: "Circumstances") -> "Report":
    from advisor.session import conclude

    return conclude(observation, workload, circumstances)


def _make_monitor() -> "Monitor":
    from advisor.monitor import make_monitor

    return make_monitor()
