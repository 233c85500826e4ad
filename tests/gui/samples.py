"""Real records for the window's tests: the article's laptop, its measurements, an answer, a fake backend."""

import math
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from advisor.benchmark.running.control import Control
from advisor.catalog import tuning_jobs
from advisor.errors import InputError, TraceError
from advisor.gui.backend import Backend, Catalogue
from advisor.history import History
from advisor.monitor.monitor import Monitor
from advisor.monitor.processes import CardUser
from advisor.monitor.source import AcceleratorReading, HostReading, Missing
from advisor.options.what_if import processor_classes
from advisor.records.base import Evidence, Gap, Interval
from advisor.records.events import (
    BenchmarkFinished,
    BenchmarkPlanned,
    CaseFailed,
    CaseFinished,
    CaseStarted,
    Event,
    StepStarted,
)
from advisor.records.hardware.device import RefreshResult
from advisor.records.hardware.interference import Interference
from advisor.records.hardware.machine import Accelerator, Battery, Cpu, Disk, Framework, Host, Machine, Memory
from advisor.records.hardware.measuring_pack import PackPlan, PackStatus
from advisor.records.hardware.telemetry import AcceleratorSample, HostSample
from advisor.records.job.advice import Advice, Option, Reason
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Preset, Workload
from advisor.records.request import Observation, Request
from advisor.records.results.measured.measurement import Benchmark, Case, CaseFailure, Measurement
from advisor.records.results.report import NetworkSummary, Report
from advisor.session.forecast import Forecast
from advisor.session.watched import WatchedAnswer
from advisor.units import GIB
from advisor.watch.program import Progress
from tests.fakes.measured import matmul_case, measured, train_case


def sample_machine() -> Machine:
    """Return the laptop of the article: i7-10750H and RTX 2060."""
    return Machine(
        host=Host(
            os_name="Linux",
            os_version="6.8",
            form_factor="laptop",
            isolation="none",
            cpu=Cpu(
                name="Intel(R) Core(TM) i7-10750H CPU @ 2.60GHz",
                vendor="Intel",
                architecture="x86_64",
                physical_cores=6,
                logical_cores=12,
                usable_cores=12.0,
                base_frequency_hz=2.6e9,
                max_frequency_hz=5.0e9,
                caches_bytes={"L1d": 196_608, "L2": 1_572_864, "L3": 12_582_912},
                instruction_sets=("AVX2",),
            ),
            memory=Memory(total_bytes=int(15.5 * GIB), available_bytes=9 * GIB, limit_bytes=int(15.5 * GIB)),
            disk=Disk(kind="nvme", free_bytes=210_000_000_000),
            battery=Battery(charge_ratio=0.84, is_plugged_in=True),
        ),
        accelerators=(
            Accelerator(
                vendor="nvidia",
                index=0,
                name="NVIDIA GeForce RTX 2060 Laptop GPU",
                kind="discrete",
                trains=True,
                memory_bytes=6 * GIB,
                driver_version="550.54",
                compute_capability="7.5",
                power_limit_w=90.0,
            ),
        ),
        framework=Framework(version="2.13.0", built_for="cuda", built_for_version="12.6", visible_devices=("cuda:0",)),
        evidence=(
            Evidence(field="host.cpu.name", how="/proc/cpuinfo", check="lscpu"),
            Evidence(field="host.memory", how="/proc/meminfo", check="free -b"),
        ),
        gaps=(
            Gap(field="accelerators.0.ecc_enabled", reason="not_supported"),
            Gap(field="accelerators.0.pci_id", reason="permission_denied"),
        ),
    )


def sample_presets() -> tuple[Preset, ...]:
    """Return ready-made questions like the catalogue's."""
    return (
        Preset(
            workload=Workload(
                id="simple_cnn",
                title="Small network",
                network="simple_cnn",
                samples=60_000,
                epochs=10,
                image_size=28,
                classes=10,
            ),
        ),
        Preset(
            workload=Workload(
                id="article_cnn",
                title="The article's network",
                network="article_cnn",
                samples=18_687,
                epochs=5,
                steps_per_epoch=1000,
                image_size=150,
                classes=8,
                input_kind="jpeg",
                augmentation=True,
            ),
            circumstances=Circumstances(runs_per_month=2.0, deadline_s=86_400.0),
        ),
        Preset(
            workload=Workload(
                id="bert_finetuning",
                title="BERT",
                network="bert_base",
                method="full",
                samples=100_000,
                epochs=3,
                sequence_length=128,
                input_kind="text",
            ),
        ),
        Preset(
            workload=Workload(
                id="resnet50_imagenet",
                title="ResNet-50",
                network="resnet50",
                samples=1_281_167,
                epochs=90,
                image_size=224,
                classes=1000,
                input_kind="jpeg",
            )
        ),
        Preset(
            workload=Workload(
                id="classical_ml",
                title="Boosting",
                network="gradient_boosting",
                method="classical",
                samples=50_000,
                columns=30,
                input_kind="table",
            ),
        ),
        Preset(
            workload=Workload(
                id="stacked_lstm",
                title="Stacked LSTM",
                network="stacked_lstm",
                samples=20_000,
                epochs=10,
                sequence_length=100,
            )
        ),
        Preset(
            workload=Workload(
                id="a_new_one", title="A job without a card of its own", network="unet", samples=500, epochs=20
            )
        ),
    )


def sample_measurements() -> tuple[Measurement, ...]:
    """Return what a quick check of the article's laptop could measure."""
    sizes = (128, 256, 512, 1024, 2048, 4096)
    rates = {
        "cpu": (20e9, 60e9, 120e9, 170e9, 190e9, 195e9),
        "cuda:0": (0.1e12, 0.8e12, 2.6e12, 4.6e12, 5.7e12, 6.0e12),
    }
    products = [
        measured(matmul_case(size, device), 2.0 * size**3 / rate)
        for device, row in rates.items()
        for size, rate in zip(sizes, row, strict=True)
    ]
    return (*products, measured(train_case("cpu"), 0.413), measured(train_case("cuda:0"), 0.043))


def sample_failure() -> CaseFailure:
    """Return a case that did not fit."""
    return CaseFailure(case=matmul_case(8192), reason="does_not_fit", detail="needs 768 MiB")


def _prediction(device: str, step_s: float, confidence: str = "good") -> Prediction:
    return Prediction(
        device=device,
        network="article_cnn",
        task="train",
        batch_size=32,
        precision="fp32",
        optimizer="adam",
        time_per_step_s=step_s,
        interval=Interval(low=0.87 * step_s, high=1.15 * step_s),
        samples_per_s=32 / step_s,
        limit="input",
        confidence=confidence,  # type: ignore[arg-type]  # the tests pass known names
        basis="measured",
    )


def _option(id_: str, tier: str, title: str, run_s: float, **rest: object) -> Option:
    return Option(
        id=id_,
        tier=tier,  # type: ignore[arg-type]  # the tests pass known names
        title=title,
        device=title,
        run_s=run_s,
        interval=Interval(low=0.87 * run_s, high=1.15 * run_s),
        prediction=_prediction(title, run_s / 5000),
        **rest,  # type: ignore[arg-type]  # each caller passes fields of Option
    )


def sample_options() -> tuple[Option, ...]:
    """Return options of each tier, the chosen one first."""
    return (
        _option(
            "here/cuda:0",
            "this_computer",
            "GeForce RTX 2060 Laptop",
            215.0,
            horizon_usd=0.6,
            run_usd=0.002,
            feasible=True,
        ),
        _option(
            "rent/runpod/l4",
            "cloud",
            "L4",
            120.0,
            run_usd=0.03,
            horizon_usd=1.5,
            feasible=True,
            obstacle="dearer",
            obstacle_values={"extra_usd": 1.2},
            price_as_of="2026-11-01",
        ),
        _option(
            "buy/GeForce RTX 5060 Ti 16 GB",
            "single_gpu",
            "GeForce RTX 5060 Ti 16 GB",
            62.0,
            purchase_usd=430.0,
            run_usd=0.002,
            horizon_usd=300.0,
            feasible=True,
            obstacle="dearer",
            obstacle_values={"extra_usd": 1.2},
            price_as_of="2026-11-01",
        ),
        _option(
            "here/cpu",
            "this_computer",
            "Core i7-10750H",
            2100.0,
            run_usd=0.005,
            horizon_usd=0.9,
            feasible=True,
            obstacle="slower",
            obstacle_values={"run_s": 2100.0},
        ),
        _option(
            "rent/aws/8xh100",
            "cluster",
            "8 × H100",
            9.0,
            run_usd=1.4,
            horizon_usd=70.0,
            feasible=True,
            obstacle="dearer",
            obstacle_values={"extra_usd": 1.2},
        ),
    )


def sample_report() -> Report:
    """Return a finished session of the article's laptop."""
    preset = sample_presets()[1]
    return Report(
        created_at="2026-11-21T08:00:00Z",
        program_version="0.1.0",
        machine=sample_machine(),
        benchmark=Benchmark(
            suite="quick",
            started_at="2026-11-21T07:59:00Z",
            wall_s=40.0,
            measurements=sample_measurements(),
            failures=(sample_failure(),),
        ),
        workload=preset.workload,
        circumstances=preset.circumstances,
        advice=Advice(
            tier="this_computer",
            either=("this_computer",),
            chosen="here/cuda:0",
            options=sample_options(),
            reasons=(Reason(code="in_time_here", values={"run_s": 215.0, "deadline_s": 86_400.0}),),
            rule_tier="this_computer",
            gpu_would_help=True,
            confidence="good",
        ),
        prices_as_of={"devices": "2026-11-01", "offers": "2026-11-01"},
    )


def with_job_measured(report: Report) -> Report:
    """Return a report whose job was measured on the device of the first option."""
    assert report.benchmark is not None
    case = Case(id="job/cuda:0", program="job", device="cuda:0", network=report.workload.network, batch_size=32)
    first, *others = report.advice.options
    assert first.prediction is not None
    rests_on_it = msgspec.structs.replace(first.prediction, basis_detail=(case.id,))
    options = (msgspec.structs.replace(first, prediction=rests_on_it), *others)
    measurements = (*report.benchmark.measurements, measured(case, 0.043))
    return msgspec.structs.replace(
        report,
        benchmark=msgspec.structs.replace(report.benchmark, measurements=measurements),
        advice=msgspec.structs.replace(report.advice, options=options),
    )


def sample_events() -> tuple[Event, ...]:
    """Return what a session announces from beginning to end."""
    report = sample_report()
    assert report.benchmark is not None
    measurements = report.benchmark.measurements
    cases = (*(measurement.case for measurement in measurements), sample_failure().case)
    events: list[Event] = [
        StepStarted(step="probe"),
        StepStarted(step="benchmark"),
        BenchmarkPlanned(cases=cases, budget_s=40.0),
    ]
    for index, case in enumerate(cases):
        events.append(CaseStarted(case=case, index=index, count=len(cases), remaining_s=40.0 - 2.5 * index))
        if index < len(measurements):
            events.append(CaseFinished(measurement=measurements[index]))
        else:
            events.append(CaseFailed(failure=sample_failure()))
    events += [
        BenchmarkFinished(benchmark=report.benchmark),
        StepStarted(step="predict"),
        StepStarted(step="recommend"),
    ]
    return tuple(events)


class WavyHost:
    """A host whose sensors go up and down."""

    def sample(self, now_s: float) -> HostReading:
        """Return a sample without temperature."""
        wave = 0.5 + 0.4 * math.sin(now_s)
        sample = HostSample(
            cpu_ratio=wave,
            cores_ratio=tuple(0.5 + 0.4 * math.sin(now_s + core) for core in range(12)),
            memory_used_bytes=int((4 + wave) * GIB),
            memory_total_bytes=16 * GIB,
            disk_read_bytes_per_s=2e6 * wave,
            disk_written_bytes_per_s=8e6 * (1 - wave),
            network_received_bytes_per_s=2e5 * wave,
            network_sent_bytes_per_s=1e5,
            cpu_power_w=20 + 30 * wave,
        )
        missing = (Missing(field="cpu_temperature_celsius", reason="permission_denied"),)
        return HostReading(sample=sample, missing=missing)


@dataclass
class WavyCards:
    """Cards whose sensors go up and down; one may be asleep."""

    count: int = 1
    is_asleep: bool = False
    is_closed: bool = False

    def sample(self, now_s: float, *, may_rest: bool) -> tuple[AcceleratorReading, ...]:
        """Return a sample of each card."""
        return tuple(self._card(now_s + position, position) for position in range(self.count))

    def _card(self, now_s: float, position: int) -> AcceleratorReading:
        name = "NVIDIA GeForce RTX 2060"
        if self.is_asleep:
            sample = AcceleratorSample(vendor="nvidia", index=position, name=name, is_asleep=True)
            fields = ("utilisation_ratio", "memory_used_bytes", "temperature_celsius", "power_w")
            return AcceleratorReading(sample=sample, missing=tuple(Missing(field=f, reason="asleep") for f in fields))
        wave = 0.5 + 0.5 * math.sin(now_s * 1.7)
        sample = AcceleratorSample(
            vendor="nvidia",
            index=position,
            name=name,
            utilisation_ratio=wave,
            memory_used_bytes=int((1 + wave) * GIB),
            memory_total_bytes=6 * GIB,
            temperature_celsius=55 + 15 * wave,
            power_w=30 + 55 * wave,
            power_limit_w=90.0,
            clock_hz=1.2e9 + 0.6e9 * wave,
            memory_clock_hz=7e9,
            throttle_reasons=("power_limit",) if wave > 0.9 else (),
        )
        return AcceleratorReading(sample=sample)

    def users(self) -> tuple[CardUser, ...]:
        """Return one program on the first card."""
        return () if self.is_asleep else (CardUser(position=0, name="python3", memory_bytes=GIB),)

    def close(self) -> None:
        """Let go."""
        self.is_closed = True


def sample_monitor() -> Monitor:
    """Return a monitor of sensors that go up and down."""
    return Monitor(WavyHost(), (WavyCards(),))


_KEPT = tempfile.TemporaryDirectory(prefix="advisor-samples-")
"""Goes with the tests, with the history of each backend: some hundred folders stayed in /tmp after each run."""


@dataclass
class FakeBackend(Backend):
    """A backend that measures nothing: it replays a session, and opens no connection.

    Attributes:
        report: The answer; an exception is raised instead.
        events: Announced before it.
        pause_s: Between two events.
        ignores_cancel: The session goes on when it is asked to stop.
        hold: The session waits here before it answers; set it to let it end.
        sensors: Makes the monitor.
        in_the_way: What would spoil a measurement, one entry a look; the last one stays.
        looks: How often it was asked what would spoil a measurement.
        pack: How the measuring pack is.
        pack_ends: An installation waits here for its end.
    """

    report: Report | Exception = field(default_factory=sample_report)
    events: tuple[Event, ...] = field(default_factory=sample_events)
    machine: Machine | Exception = field(default_factory=sample_machine)
    pause_s: float = 0.0
    hold: threading.Event = field(default_factory=threading.Event)
    sensors: Callable[[], Monitor] = sample_monitor
    in_the_way: list[Interference] = field(default_factory=lambda: [Interference()])
    looks: int = 0
    pack: PackStatus = field(default_factory=lambda: PackStatus(health="absent", folder="/pack"))
    pack_ends: threading.Event = field(default_factory=threading.Event)
    ignores_cancel: bool = False
    concluded: list[Workload] = field(default_factory=list)
    works: list[Network | None] = field(default_factory=list)
    ran: list[tuple[str, str, int]] = field(default_factory=list)
    observed: list[Observation] = field(default_factory=list)
    decided: list[Circumstances] = field(default_factory=list)
    history: History = field(default_factory=lambda: History(Path(tempfile.mkdtemp(dir=_KEPT.name), "history.sqlite3")))
    controls: list[Control] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    script: WatchedAnswer | Exception = field(default_factory=lambda: InputError("There is no script."))
    script_progress: Progress | None = None
    commands: list[list[str]] = field(default_factory=list)
    measured_too: list[tuple[Observation, Request]] = field(default_factory=list)
    gone_on: list[tuple[Observation, Request]] = field(default_factory=list)

    def run_session(self, request: Request, announce: Callable[[Event], None], control: Control) -> Report:
        """Replay the events, wait for ``hold`` or the end, and return the report."""
        self.requests.append(request)
        self.threads.append(threading.get_ident())
        self.controls.append(control)
        for event in self.events:
            if self._is_cancelled(control):
                break
            announce(event)
            if self.pause_s:
                time.sleep(self.pause_s)
        while not (self.hold.is_set() or self._is_cancelled(control)):
            time.sleep(0.002)
        if isinstance(self.report, Exception):
            raise self.report
        return msgspec.structs.replace(self.report, workload=request.workload, circumstances=request.circumstances)

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
        """Say how far it is, wait for ``hold`` or the stop, and return what was seen."""
        self.commands.append(list(command))
        if self.script_progress is not None:
            announce(self.script_progress)
        while not (self.hold.is_set() or stop.is_set()):
            time.sleep(0.002)
        if not isinstance(self.script, WatchedAnswer):
            raise self.script
        return self.script

    def measure_too(
        self, observation: Observation, request: Request, announce: Callable[[Event], None], control: Control
    ) -> Report:
        """Replay a session, and return its report with the job measured."""
        self.measured_too.append((observation, request))
        return with_job_measured(self.run_session(request, announce, control))

    def measure_rest(
        self, observation: Observation, request: Request, announce: Callable[[Event], None], control: Control
    ) -> Report:
        """Replay a session, and remember what it was to go on with."""
        self.gone_on.append((observation, request))
        return self.run_session(request, announce, control)

    def _is_cancelled(self, control: Control) -> bool:
        return control.is_cancelled and not self.ignores_cancel

    def find_interference(self) -> Interference:
        """Return what is in the way."""
        self.looks += 1
        return self.in_the_way[min(self.looks, len(self.in_the_way)) - 1]

    def make_monitor(self) -> Monitor:
        """Return a monitor of the sample's sensors."""
        return self.sensors()

    def probe_corrected(self, overrides: Sequence[str]) -> Machine:
        """Return the machine as it is."""
        return self.probe_machine()

    def probe_machine(self) -> Machine:
        """Return the machine."""
        if isinstance(self.machine, Exception):
            raise self.machine
        return self.machine

    def load_catalogue(self) -> Catalogue:
        """Return the presets, two currencies and three countries."""
        return Catalogue(
            presets=sample_presets(),
            models=tuning_jobs(),
            usd_per_unit={"USD": 1.0, "EUR": 1.25},
            electricity={"US": 0.18, "DE": 0.4, "ES": 0.3},
            countries={"BG": "EUR", "ES": "EUR", "US": "USD"},
            cards=("GeForce RTX 4060 Laptop", "GeForce RTX 4090"),
            processors=processor_classes(),
            networks={"article_cnn": "image", "resnet50": "image", "bert_base": "sequence"},
        )

    def trace_program(self, reference: str, kind: str, size: int, control: Control) -> tuple[Network, Workload]:
        """Return a network of one layer for any file but one named wrong, and remember that it was run.

        A file named ``slow.py`` runs until it is stopped.
        """
        self.ran.append((reference, kind, size))
        if Path(reference).name.startswith("slow.py"):
            while not control.is_cancelled:
                time.sleep(0.002)
            raise TraceError("stopped", file="slow.py")
        if Path(reference).name.startswith("wrong.py"):
            raise TraceError("no_network", file="wrong.py", name="build")
        name = Path(reference).name
        return Network(name=name, family="cnn", sample="image", parameters=7, trainable_parameters=7), Workload(
            id=name, title=name, network=name, samples=1000, epochs=1, image_size=64
        )

    def read_workload(self, path: Path) -> Preset:
        """Return the last preset for any file but one named wrong."""
        if path.name == "wrong.toml":
            raise InputError("wrong.toml has no table 'workload'.")
        return sample_presets()[-1]

    def forecast_job(self, observation: Observation, workload: Workload, network: Network | None) -> Forecast:
        """Return a forecast that remembers the question."""
        if isinstance(self.report, Exception):
            raise self.report
        self.observed.append(observation)
        self.concluded.append(workload)
        self.works.append(network)
        known = NetworkSummary(
            name=workload.network, family="cnn", parameters=1, flop_per_sample_forward=1.0, flop_per_sample_train=3.0
        )
        return Forecast(
            observation=observation, workload=workload, network=known, candidates=(), predictions=(), findings=()
        )

    def decide(self, forecast: Forecast, circumstances: Circumstances) -> Report:
        """Return the report for another question; without a budget this computer is enough, else it is bought."""
        if isinstance(self.report, Exception):
            raise self.report
        self.decided.append(circumstances)
        return msgspec.structs.replace(
            self.report,
            machine=forecast.observation.machine,
            benchmark=forecast.observation.benchmark,
            is_simulated=forecast.observation.is_simulated,
            workload=forecast.workload,
            circumstances=circumstances,
        )

    def write_trace(self, case: Case, path: Path, control: Control) -> CaseFailure | None:
        """Write nothing, successfully."""

    def open_history(self) -> History:
        """Return the history, whose file is the test's own."""
        return self.history

    def price_dates(self) -> Mapping[str, str]:
        """Return the day of one provider's prices."""
        return {"aws": "2026-11-02"}

    def refused_prices(self) -> Mapping[str, str]:
        """Return that every price is in use."""
        return {}

    def refresh_prices(self) -> RefreshResult:
        """Return that nothing is new."""
        return RefreshResult()

    def pack_status(self) -> PackStatus:
        """Return how the pack is."""
        return self.pack

    def plan_pack(self) -> PackPlan:
        """Return what would be downloaded."""
        return PackPlan(
            backend="cu126",
            torch_version="2.13.0",
            packages=9,
            download_bytes=10**9,
            needed_bytes=3 * 10**9,
            free_bytes=10**11,
            hosts=("pypi.org",),
            folder="/pack",
        )

    def install_pack(self, plan: PackPlan) -> PackStatus:
        """Wait for the end, then return how things are."""
        self.pack_ends.wait()
        self.pack_ends.clear()
        return self.pack

    def remove_pack(self) -> PackStatus:
        """Return that there is none."""
        self.pack = PackStatus(health="absent", folder="/pack")
        return self.pack

    def cancel_pack(self) -> None:
        """Let an installation end."""
        self.pack_ends.set()
