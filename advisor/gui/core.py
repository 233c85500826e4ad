"""The real core behind the window, imported where it is first used so that the window appears early."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.gui.backend import Catalogue, Services

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.benchmark import Control
    from advisor.gui.pack_service import PackService
    from advisor.history import History
    from advisor.monitor import Monitor
    from advisor.probe import Surroundings
    from advisor.records.events import Event
    from advisor.records.hardware.device import RefreshResult
    from advisor.records.hardware.machine import Machine
    from advisor.records.job.work import Network
    from advisor.records.job.workload import Circumstances, Preset, Workload
    from advisor.records.request import Observation, Request
    from advisor.records.results.comparison import Comparison
    from advisor.records.results.measurement import Case, CaseFailure
    from advisor.records.results.report import Report
    from advisor.records.results.validation import Validation
    from advisor.session.forecast import Foresight


def core_services() -> Services:
    """Return the core as the window sees it."""
    return Services(
        run_session=_run_session,
        make_control=_make_control,
        probe_machine=_probe_machine,
        load_catalogue=_load_catalogue,
        read_workload=_read_workload,
        check_workload=_check_workload,
        foresee=_foresee,
        decide=_decide,
        pretend=_pretend,
        compare=_compare,
        read_report=_read_report,
        open_history=_open_history,
        make_monitor=_make_monitor,
        make_pack_service=_make_pack_service,
        load_validation=_load_validation,
        price_dates=_price_dates,
        refused_prices=_refused_prices,
        refresh_prices=_refresh_prices,
        correct=_correct,
        look_around=_look_around,
        write_trace=_write_trace,
        trace_own=_trace_own,
    )


def _run_session(request: "Request", announce: "Callable[[Event], None]", control: "Control") -> "Report":
    from advisor.session.run import run_session

    return run_session(request, announce, control)


def _make_control() -> "Control":
    from advisor.benchmark import Control

    return Control()


def _probe_machine() -> "Machine":
    from advisor.probe import probe_machine

    return probe_machine()


def _load_catalogue() -> Catalogue:
    from advisor.catalog import economics, presets
    from advisor.catalog.networks.tables import network_index
    from advisor.options.what_if import pretendable, processor_classes

    money = economics()
    return Catalogue(
        presets=presets(),
        usd_per_unit={code: 1 / currency.units_per_usd for code, currency in money.currencies.items()},
        countries=tuple(money.countries),
        cards=pretendable(),
        processors=processor_classes(),
        networks={entry.name: entry.sample for entry in network_index() if not entry.validation_only},
    )


def _read_workload(path: "Path") -> "Preset":
    from advisor.catalog import read_workload

    return read_workload(path)


def _check_workload(workload: "Workload") -> "Workload":
    from advisor.catalog.workloads import check_workload

    return check_workload(workload)


def _foresee(observation: "Observation", workload: "Workload", network: "Network | None") -> "Foresight":
    from advisor.session.forecast import foresee

    return foresee(observation, workload, network)


def _decide(foresight: "Foresight", circumstances: "Circumstances") -> "Report":
    from advisor.session.forecast import decide

    return decide(foresight, circumstances)


def _pretend(observation: "Observation", card: str, memory_bytes: int | None, processor: str) -> "Observation":
    from advisor.options.what_if import pretend

    return pretend(observation, card, memory_bytes, processor)


def _compare(first: "Report", second: "Report") -> "Comparison":
    from advisor.session.run import compare_reports

    return compare_reports(first, second)


def _read_report(path: "Path") -> "Report":
    from advisor.wire import read_report

    return read_report(path)


def _open_history() -> "History":
    from advisor.history import History, history_path

    return History(history_path())


def _make_pack_service() -> "PackService":
    from advisor.gui.pack_service import CorePackService

    return CorePackService()


def _make_monitor() -> "Monitor":
    from advisor.monitor import make_monitor

    return make_monitor()


def _load_validation() -> "Validation":
    from advisor.catalog import load_validation

    return load_validation()


def _price_dates() -> "Mapping[str, str]":
    from advisor.catalog.offers import snapshot_dates

    return snapshot_dates()


def _refused_prices() -> "Mapping[str, str]":
    from advisor.catalog import refused_prices

    return refused_prices()


def _refresh_prices() -> "RefreshResult":
    from advisor.catalog.refresh import refresh_offers

    return refresh_offers()


def _correct(overrides: "Sequence[str]") -> "Machine":
    from advisor.session.run import probe

    return probe(overrides)


def _look_around() -> "Surroundings":
    from advisor.probe import look_around

    return look_around()


def _write_trace(case: "Case", path: "Path", control: "Control") -> "CaseFailure | None":
    from advisor.benchmark import write_trace
    from advisor.pack import pack_worker_command

    return write_trace(case, path, control=control, command=pack_worker_command())


def _trace_own(reference: str, kind: str, size: int) -> "tuple[Network, Workload]":
    from advisor.session.own_network import OwnProgram, job_of, trace_own

    program = OwnProgram(
        reference=reference,
        image_size=size if kind == "image" else None,
        sequence_length=size if kind == "sequence" else None,
    )
    network = trace_own(program)
    return network, job_of(network)
