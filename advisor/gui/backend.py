"""What the window is given from the core: functions, so that a test can hand it others. No Qt here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

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
        cards: Names of the graphics cards one can pretend to have.
        processors: Name, ``laptop`` or ``desktop``, and cores of the processors one can pretend to have.
        networks: Names of the networks a job can train, with what each takes: ``image``, ``sequence`` or ``row``.
    """

    presets: "tuple[Preset, ...]"
    usd_per_unit: Mapping[str, float]
    countries: tuple[str, ...]
    cards: tuple[str, ...] = ()
    processors: "Sequence[tuple[str, str, int]]" = ()
    networks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Services:
    """The core as the window sees it.

    Attributes:
        run_session: Answers a request, announcing events on the way.
        make_control: Returns a fresh control for one session.
        probe_machine: Looks at this computer; takes a second at most.
        load_catalogue: Returns what the questions are made of.
        read_workload: Returns the job in a user's file; raises InputError.
        check_workload: Returns a job whose parts go together; raises InputError.
        foresee: Works a job out on every option, for a computer that was looked at already; a tenth of a second.
        decide: Answers for one user's circumstances; a fraction of that.
        pretend: Puts another graphics card (its name, or empty), memory (bytes, or None) or processor (its name, or
            empty) into an observed computer; raises InputError.
        compare: Lays what two reports have measured side by side; raises InputError.
        read_report: Returns the report in a file from elsewhere; raises InputError.
        open_history: Returns the store of past reports; touches no file yet.
        make_monitor: Returns a monitor of this computer, made and used in one thread.
        load_validation: Returns how well predictions held; raises CatalogError.
        price_dates: Returns by provider the ISO date of the cloud prices in use.
        refused_prices: Returns by provider why the user's own prices are not in use. None: there are no own ones.
        refresh_prices: Fetches new ones; the only thing here that opens a connection. None: nobody can.
        correct: Looks at this computer again, with graphics cards as the user describes them; raises InputError.
        look_around: Returns what would spoil a measurement now, with the names of the programs that do, which go to the
            screen alone; takes half a second. None: nobody looks.
        write_trace: Runs a profile case once more and writes what it saw into a file for Perfetto; returns why not.
        trace_own: Runs the user's own file (path and function, kind of sample, its size) and returns the work of its
            network with the job usual for it; raises TraceError or WorkerError.
    """

    run_session: RunSession
    make_control: "Callable[[], Control]"
    probe_machine: "Callable[[], Machine]"
    load_catalogue: "Callable[[], Catalogue]"
    read_workload: "Callable[[Path], Preset]"
    check_workload: "Callable[[Workload], Workload]"
    foresee: "Callable[[Observation, Workload, Network | None], Foresight]"
    decide: "Callable[[Foresight, Circumstances], Report]"
    pretend: "Callable[[Observation, str, int | None, str], Observation]"
    compare: "Callable[[Report, Report], Comparison]"
    read_report: "Callable[[Path], Report]"
    open_history: "Callable[[], History]"
    make_monitor: "Callable[[], Monitor]"
    load_validation: "Callable[[], Validation]"
    price_dates: "Callable[[], Mapping[str, str]] | None" = None
    refused_prices: "Callable[[], Mapping[str, str]] | None" = None
    refresh_prices: "Callable[[], RefreshResult] | None" = None
    correct: "Callable[[Sequence[str]], Machine] | None" = None
    look_around: "Callable[[], Surroundings] | None" = None
    write_trace: "Callable[[Case, Path, Control], CaseFailure | None] | None" = None
    trace_own: "Callable[[str, str, int], tuple[Network, Workload]] | None" = None
    make_pack_service: "Callable[[], PackService] | None" = None
