"""What the window asks of the rest of the program. No Qt here; a test overrides methods.

Everything is imported inside the methods, so that the window appears before the rest of the program is loaded.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.benchmark.running.control import Control
    from advisor.fleet import Room
    from advisor.history import History
    from advisor.locale import Language
    from advisor.monitor.monitor import Monitor
    from advisor.pack.install import Installer
    from advisor.records.dropped import Dropped
    from advisor.records.events import Event
    from advisor.records.hardware.device import RefreshResult
    from advisor.records.hardware.interference import Interference
    from advisor.records.hardware.machine import Machine
    from advisor.records.hardware.measuring_pack import PackPlan, PackProgress, PackStatus
    from advisor.records.job.serving_advice import ServingAdvice, ServingQuestion
    from advisor.records.job.work import Network
    from advisor.records.job.workload import Circumstances, Preset, Workload
    from advisor.records.request import Observation, Request
    from advisor.records.results.comparison import Comparison
    from advisor.records.results.measured.measurement import Benchmark, Case, CaseFailure, Measurement
    from advisor.records.results.measured.own_data import FoundData, OwnData
    from advisor.records.results.receipt import Receipt
    from advisor.records.results.report import Report
    from advisor.records.results.scaling import SiteCluster
    from advisor.records.results.validation import HeldOutTimes, Validation
    from advisor.report.documents.serving_here import NamedServing
    from advisor.session.forecast import Forecast
    from advisor.session.watched import WatchedAnswer
    from advisor.watch.program import Progress


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """What questions are made of.

    Attributes:
        presets: Ready-made questions, in the order they are shown.
        models: Adapting each known language model; shown where one is searched.
        usd_per_unit: Worth of one unit of each currency that is known.
        countries: Codes of the countries whose electricity price is known, with the currency of each.
        electricity: US dollars for a kilowatt-hour in each of them; None where nobody publishes it.
        cards: Names of the graphics cards one can pretend to have.
        processors: Name, ``laptop`` or ``desktop``, and cores of the processors one can pretend to have.
        networks: Names of the networks a job can train, with what each takes: ``image``, ``sequence`` or ``row``.
        parameters: How many each of them has.
    """

    presets: tuple[Preset, ...]
    usd_per_unit: Mapping[str, float]
    countries: Mapping[str, str]
    electricity: Mapping[str, float | None] = field(default_factory=dict)
    models: tuple[Preset, ...] = ()
    cards: tuple[str, ...] = ()
    processors: Sequence[tuple[str, str, int]] = ()
    networks: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, int] = field(default_factory=dict)


class Backend:
    """Every call from the window into the core. Methods run in any thread; those of the pack one at a time.

    Attributes:
        pack_progress: How far an installation of the measuring pack is; None while none runs.
    """

    pack_progress: PackProgress | None = None
    _installer: Installer | None = None

    # --- this computer ---

    def probe_machine(self) -> Machine:
        """Look at this computer; takes a second at most."""
        from advisor.probe import probe_machine

        return probe_machine()

    def probe_corrected(self, overrides: Sequence[str]) -> Machine:
        """Look at this computer, with graphics cards as the user describes them; raises InputError."""
        from advisor.session.run import probe

        return probe(overrides)

    def find_interference(self) -> Interference:
        """Return what would spoil a measurement now; takes half a second.

        The names of the programs in it are for the screen alone.
        """
        from advisor.probe.busy_programs import find_interference

        return find_interference()

    def make_monitor(self) -> Monitor:
        """Return a monitor of this computer's sensors, made and used in one thread."""
        from advisor.monitor.monitor import make_monitor

        return make_monitor()

    # --- checks and answers ---

    def make_control(self) -> Control:
        """Return a fresh control for one session."""
        from advisor.benchmark.running.control import Control

        return Control()

    def run_session(self, request: Request, announce: Callable[[Event], None], control: Control) -> Report:
        """Probe, measure, predict and recommend, announcing events on the way."""
        from advisor.session.run import run_session

        return run_session(self._with_last_check(request), announce, control)

    def measure_too(
        self, observation: Observation, request: Request, announce: Callable[[Event], None], control: Control
    ) -> Report:
        """Measure one more job, in some ten seconds after a check, and answer for it; raises InputError."""
        from advisor.session.checks.continued_check import measure_too
        from advisor.session.forecast import conclude

        found = measure_too(observation, self._with_last_check(request), announce, control)
        return conclude(found, request.workload, request.circumstances, request.network)

    def measure_rest(
        self, observation: Observation, request: Request, announce: Callable[[Event], None], control: Control
    ) -> Report:
        """Measure what a check that was stopped left out, and answer; raises InputError."""
        from advisor.session.checks.continued_check import measure_rest
        from advisor.session.forecast import conclude

        found = measure_rest(observation, request, announce, control)
        return conclude(found, request.workload, request.circumstances, request.network)

    def is_unfinished(self, benchmark: Benchmark | None) -> bool:
        """Return whether a check left tests out that another try may measure."""
        from advisor.session.checks.continued_check import is_unfinished

        return is_unfinished(benchmark)

    def watch_script(
        self,
        command: Sequence[str],
        folder: Path | None,
        circumstances: Circumstances,
        known: Observation | None,
        *,
        announce: Callable[[Progress], None],
        stop: threading.Event,
    ) -> WatchedAnswer:
        """Run the user's own training script, watch it, and answer for its job; raises InputError."""
        from advisor.session.watched import watch_and_answer

        return watch_and_answer(command, folder, circumstances, known, announce=announce, stop=stop)

    def write_trace(self, case: Case, path: Path, control: Control) -> CaseFailure | None:
        """Run a profile case once more and write what it saw into a file for Perfetto; return why not."""
        from advisor.benchmark.running.trace_files import write_trace
        from advisor.pack import pack_worker_command

        return write_trace(case, path, control=control, command=pack_worker_command())

    def forecast_job(self, observation: Observation, workload: Workload, network: Network | None) -> Forecast:
        """Work a job out on every option, for a computer that was looked at already; a tenth of a second."""
        from advisor.session.forecast import forecast_job

        return forecast_job(observation, workload, network)

    def decide(self, forecast: Forecast, circumstances: Circumstances) -> Report:
        """Answer for one user's circumstances; takes a fraction of ``forecast_job``."""
        from advisor.session.forecast import decide

        return decide(forecast, circumstances)

    def pretend(self, observation: Observation, card: str, memory_bytes: int | None, processor: str) -> Observation:
        """Put other parts into an observed computer; an empty name or None keeps a part; raises InputError."""
        from advisor.options.what_if import exchange_parts

        return exchange_parts(observation, card, memory_bytes, processor)

    def worth(self, report: Report, part: str, network: Network | None) -> Report:
        """Return an answer with what a card or a kind of part would bring; of no part, what each there is would."""
        import msgspec

        from advisor.session.upgrade_worth import PARTS, UPGRADE, worth

        asked = next((said for said, kind in PARTS.items() if kind == part), part or min(UPGRADE))
        return msgspec.structs.replace(report, what_if=worth(report, asked, network))

    # --- jobs ---

    def load_catalogue(self) -> Catalogue:
        """Return what the questions are made of."""
        from advisor.catalog import economics, presets, tuning_jobs
        from advisor.catalog.networks.tables import network_index
        from advisor.options.what_if import exchangeable_cards, processor_classes

        money = economics()
        networks = [entry for entry in network_index() if not entry.validation_only]
        return Catalogue(
            presets=presets(),
            models=tuning_jobs(),
            usd_per_unit={code: 1 / currency.units_per_usd for code, currency in money.currencies.items()},
            countries={code: country.currency for code, country in money.countries.items()},
            electricity={code: country.electricity_usd_per_kwh for code, country in money.countries.items()},
            cards=exchangeable_cards(),
            processors=processor_classes(),
            networks={entry.name: entry.sample for entry in networks},
            parameters={entry.name: entry.parameters for entry in networks},
        )

    def read_workload(self, path: Path) -> Preset:
        """Return the job in a user's file; raises InputError."""
        from advisor.catalog import read_workload

        return read_workload(path)

    def check_workload(self, workload: Workload) -> Workload:
        """Return a job whose parts go together; raises InputError."""
        from advisor.catalog.workloads import check_workload

        return check_workload(workload)

    def recognise(self, path: Path) -> Dropped:
        """Return what a file or folder of the user's is; takes ten seconds at most; raises InputError."""
        from advisor.session.given.dropped import recognise

        return recognise(path)

    def read_cluster(self, path: Path) -> SiteCluster:
        """Return the cluster that a file of --scaling tells of; raises InputError."""
        from advisor.session.given.dropped import read_cluster

        return read_cluster(path)

    def find_data(self, path: Path) -> FoundData:
        """Return what lies in a file or folder of the user's; takes ten seconds at most; raises InputError."""
        from advisor.session.given.data import find_data

        return find_data(str(path))

    def job_with_data(self, data: OwnData, workload: Workload) -> Workload:
        """Return the job on the user's data; raises InputError where the two do not go together."""
        from advisor.session.given.data import job_with

        return job_with(data, workload, has_samples=False, has_input=False)

    def trace_program(self, reference: str, kind: str, size: int, control: Control) -> tuple[Network, Workload]:
        """Run the user's own file and return the work of its network with the job usual for it.

        Args:
            reference: Path and function.
            kind: Of a sample: ``image``, ``sequence``, or empty where the file says it itself.
            size: Of a sample: edge or length.
            control: Its cancellation ends the file.

        Raises:
            TraceError, WorkerError: There is no such network, or it does not run.
        """
        from advisor.session.given.own_network import OwnProgram, job_of, trace_own

        program = OwnProgram(
            reference=reference,
            image_size=size if kind == "image" else None,
            sequence_length=size if kind == "sequence" else None,
        )
        network = trace_own(program, control)
        return network, job_of(network)

    # --- reports ---

    def _with_last_check(self, request: Request) -> Request:
        """Return a request that knows the last check of its job; a history with faults is said where one is kept."""
        from contextlib import suppress

        import msgspec

        from advisor.errors import AdvisorError

        with suppress(AdvisorError):
            return msgspec.structs.replace(request, earlier=self.open_history().last_of(request.workload.id))
        return request

    def open_history(self) -> History:
        """Return the store of past reports; touches no file yet."""
        from advisor.history import History, history_path

        return History(history_path())

    def read_report(self, path: Path) -> Report:
        """Return the report in a file from elsewhere; raises InputError."""
        from advisor.wire import read_report

        return read_report(path)

    def told(self, report: Report, option: str, true_s: float) -> Receipt:
        """Return what came of an answer by the user's word; raises InputError."""
        from advisor.session.receipt import find_option, told

        return told(find_option(report, option), true_s)

    def check_again(self, report: Report) -> None:
        """Make sure that the job of an answer can be measured again; raises InputError."""
        from advisor.session.receipt import again

        again(report)

    def measured_again(self, before: Report, after: Report) -> Receipt:
        """Return what came of an answer by a later check; raises InputError."""
        from advisor.session.receipt import measured_again

        return measured_again(before, after)

    def compare(self, first: Report, second: Report) -> Comparison:
        """Lay what two reports have measured side by side; raises InputError."""
        from advisor.session.run import compare_reports

        return compare_reports(first, second)

    def judge_room(self, folder: Path, jobs: Path | None, like: Report | None, where: Mapping[str, str]) -> Room:
        """Return the verdict for the computers whose reports lie in a folder; raises InputError.

        Args:
            folder: Or a ``.zip``, or a ``.jsonl``.
            jobs: A file of jobs; None: the job of the last answer, or the usual one.
            like: The last answer.
            where: Currency and country, of the settings.
        """
        import msgspec

        from advisor.catalog import economics, find_workload
        from advisor.fleet import judge_room
        from advisor.records.job.workload import Preset
        from advisor.session.given.own_network import is_program

        usual = find_workload("article_cnn")
        if like is not None and not like.workload.layers and not is_program(like.workload.network):
            usual = Preset(workload=like.workload, circumstances=like.circumstances, titles=like.titles)
        is_known = where["country"] in economics().countries and where["currency"] in economics().currencies
        circumstances = msgspec.structs.replace(usual.circumstances, **where) if is_known else usual.circumstances
        return judge_room(folder, jobs, usual, circumstances)

    def write_room(self, room: Room, path: Path, language: Language) -> None:
        """Write the verdict for a room into a file; raises InputError and OutputError."""
        from advisor.report.formats.fleet import fleet_format_of, render_fleet
        from advisor.report.formats.write import write_bytes

        write_bytes(path, render_fleet(room.advice, fleet_format_of(path), language))

    # --- language models ---

    def models_here(
        self, machine: Machine, weights: str, prompt_tokens: int, measured: tuple[Measurement, ...]
    ) -> tuple[NamedServing, ...]:
        """Return how fast each known language model writes on a computer.

        Args:
            machine: The computer.
            weights: Name of a format.
            prompt_tokens: That are read for an answer.
            measured: What ``measure_decode`` found.
        """
        from advisor.catalog.language import language_models
        from advisor.records.job.serving import ServingJob
        from advisor.report.documents.serving_here import NamedServing
        from advisor.session.serving import serve_here

        titles = {one.name: one.title or one.name for one in language_models()}
        job = ServingJob(weights=weights, prompt_tokens=prompt_tokens)
        return tuple(NamedServing(titles[one.model], one) for one in serve_here(machine, job, measured))

    def measure_decode(self, machine: Machine) -> tuple[Measurement, ...]:
        """Return how fast the processor reads weights, measured in some ten seconds."""
        from advisor.session.measure_decode import measure_decode

        return measure_decode(machine)

    def ways_to_run(
        self,
        machine: Machine,
        question: ServingQuestion,
        circumstances: Circumstances,
        measured: tuple[Measurement, ...],
    ) -> ServingAdvice:
        """Return every way to run a language model, and which is advised; raises InputError.

        Args:
            machine: This computer.
            question: What is run, for whom.
            circumstances: Money, months, country.
            measured: What ``measure_decode`` found.
        """
        import datetime

        from advisor.session.serving import advise_serving

        moment = datetime.datetime.now(datetime.UTC)
        return advise_serving(question, circumstances, machine, moment, measured)

    def load_validation(self) -> Validation:
        """Return how well predictions held; raises CatalogError."""
        from advisor.catalog import load_validation

        return load_validation()

    def load_held_out_times(self) -> tuple[HeldOutTimes, ...]:
        """Return measured times beside what was predicted for them; raises CatalogError."""
        from advisor.catalog import load_held_out_times

        return load_held_out_times()

    # --- prices ---

    def price_dates(self) -> Mapping[str, str]:
        """Return by provider the ISO date of the cloud prices in use."""
        from advisor.catalog.offers import snapshot_dates

        return snapshot_dates()

    def refused_prices(self) -> Mapping[str, str]:
        """Return by provider why the prices fetched by the user are not in use."""
        from advisor.catalog import refused_prices

        return refused_prices()

    def refresh_prices(self) -> RefreshResult:
        """Fetch new cloud prices; only this and the pack's plan and installation open a connection."""
        from advisor.catalog.refresh import refresh_offers

        return refresh_offers()

    # --- the measuring pack ---

    def pack_status(self) -> PackStatus:
        """Return how the pack is, after trying it."""
        from advisor.pack.choice import expected_devices
        from advisor.pack.install import pack_status
        from advisor.pack.store import Store
        from advisor.session.run import probe

        return pack_status(Store(), expected_devices(probe()))

    def plan_pack(self) -> PackPlan | None:
        """Return what would be downloaded; None where it was cancelled."""
        from advisor.pack.choice import backend_for
        from advisor.pack.install import Installer
        from advisor.pack.store import Store
        from advisor.pack.uv import StoppedError
        from advisor.session.run import probe

        self._installer = Installer(backend_for(probe(), os.environ), Store())
        try:
            return self._installer.plan()
        except StoppedError:
            return None

    def install_pack(self, plan: PackPlan) -> PackStatus:
        """Download what was planned; return how things are, also where it was cancelled."""
        from advisor.pack.install import Installer
        from advisor.pack.store import Store
        from advisor.pack.uv import StoppedError

        self._installer = Installer(plan.backend, Store())
        try:
            self._installer.install(plan, self._on_pack_progress)
        except StoppedError:
            pass  # the widget says so; what was downloaded stays
        finally:
            self.pack_progress = None
        return self.pack_status()

    def remove_pack(self) -> PackStatus:
        """Remove the pack and return how things are."""
        from advisor.pack.store import Store

        Store().remove()
        return self.pack_status()

    def cancel_pack(self) -> None:
        """Ask the plan or the installation that runs to end."""
        if self._installer is not None:
            self._installer.cancel()

    def _on_pack_progress(self, progress: PackProgress) -> None:
        self.pack_progress = progress
