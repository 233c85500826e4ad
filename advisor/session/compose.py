"""The one place where the steps meet: what one finds is handed to the next as records."""

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from advisor import __version__
from advisor.benchmark import Control, compare, plan_suite, run_suite
from advisor.catalog import devices, economics, network, network_names, network_of, offers, presets
from advisor.errors import InputError
from advisor.predict import input_rate
from advisor.probe import merge_framework, parse_override, probe_machine
from advisor.recommend import advise, load_rules
from advisor.records.channel import Ready
from advisor.records.comparison import Comparison
from advisor.records.device import Device
from advisor.records.events import Event, StepStarted
from advisor.records.machine import Machine
from advisor.records.measurement import Benchmark, Case
from advisor.records.report import Report, summarise_network
from advisor.records.work import Network
from advisor.records.workload import Circumstances, Workload
from advisor.session.candidates import Candidate, clusters, here, purchases, rentals
from advisor.session.findings import facts_of, find_causes
from advisor.session.here import cpu_peak_flop_per_s
from advisor.session.options import calibrations, predicted, priced, with_resale
from advisor.session.request import Observation, Request
from advisor.session.watch import ConditionWatch

Announce = Callable[[Event], None]


def run_session(request: Request, announce: Announce, control: Control | None = None) -> Report:
    """Observe this computer, or take the recorded one, and answer the question.

    Args:
        request: The question.
        announce: Hears of each step, in this thread.
        control: Cancels, skips, pauses, from other threads; after a cancel the report holds what was measured so far.
    """
    observation = observe(request, announce, control)
    announce(StepStarted(step="predict"))
    return conclude(observation, request.workload, request.circumstances)


def probe(overrides: Sequence[str] = ()) -> Machine:
    """Return what this computer is, with cards set by hand such as ``RTX 3060:12GB``.

    Raises:
        InputError: A card set by hand is not written like that.
    """
    return probe_machine(overrides=[parse_override(text) for text in overrides])


def observe(request: Request, announce: Announce, control: Control | None = None) -> Observation:
    """Return the computer as seen and measured, or as recorded."""
    if request.recorded is not None:
        return Observation(machine=request.recorded.machine, benchmark=request.recorded.benchmark, is_simulated=True)
    announce(StepStarted(step="probe"))
    machine = probe(request.overrides)
    if request.suite == "none":
        return Observation(machine=machine, is_simulated=bool(request.overrides))
    announce(StepStarted(step="benchmark"))
    machine, benchmark = _measure(machine, request, announce, control)
    return Observation(machine=machine, benchmark=benchmark, is_simulated=bool(request.overrides))


def _measure(
    machine: Machine, request: Request, announce: Announce, control: Control | None
) -> tuple[Machine, Benchmark]:
    """Return the machine as the worker's torch sees it, and what was measured."""
    seen = [machine]

    def plan_for(ready: Ready) -> tuple[Case, ...]:
        is_awake_now = any(card.is_asleep for card in machine.accelerators)  # the worker's torch has opened it
        current = probe(request.overrides) if is_awake_now else machine
        seen.append(merge_framework(current, ready.framework))
        return plan_suite(request.suite, seen[-1], ready)

    peak = cpu_peak_flop_per_s(machine.host.cpu)
    benchmark = run_suite(
        plan_for,
        suite=request.suite,
        announce=announce,
        control=control,
        check_conditions=ConditionWatch(machine),
        peaks_flop_per_s={} if peak is None else {("cpu", "fp32"): peak},
    )
    return seen[-1], benchmark


def compare_reports(first: Report, second: Report) -> Comparison:
    """Return what both reports have measured, side by side.

    Raises:
        InputError: One of them has no measurements.
    """
    if first.benchmark is None or second.benchmark is None:
        raise InputError("A report made with --suite none has no measurements to compare.")
    return compare(first.benchmark, second.benchmark)


def conclude(observation: Observation, workload: Workload, circumstances: Circumstances) -> Report:
    """Return the answer to a question about an observed computer; measures nothing."""
    now = datetime.datetime.now(datetime.UTC)
    table = economics()
    work = network_of(workload)
    found = candidates(observation.machine, now.date())
    measured = _measured_networks(observation.benchmark)
    known = calibrations(observation.benchmark, found, measured)
    predictions = predicted(work, workload, found, known)
    options = priced(found, predictions, workload, with_resale(circumstances, table), table)
    rate = input_rate(workload, observation.machine.host.cpu.usable_cores)
    findings = find_causes(observation, found, predictions, measured, rate)
    summary = summarise_network(work)
    advice = advise(
        workload,
        circumstances,
        observation.machine,
        options,
        rules=load_rules(),
        benchmark=observation.benchmark,
        network=summary,
        devices={candidate.device.name: candidate.device for candidate in found},
        extra_facts=facts_of(findings, workload),
    )
    return Report(
        created_at=now.isoformat(timespec="seconds"),
        program_version=__version__,
        is_simulated=observation.is_simulated,
        machine=observation.machine,
        benchmark=observation.benchmark,
        workload=workload,
        titles=_titles(workload),
        circumstances=circumstances,
        network=summary,
        advice=advice,
        findings=findings,
        prices_as_of=_price_dates(circumstances, found),
        currency_per_usd=table.currencies[circumstances.currency].units_per_usd,
    )


def candidates(machine: Machine, today: datetime.date) -> list[Candidate]:
    """Return every way worth considering, for a computer and a day."""
    table = economics()
    by_name = _devices_by_name()
    return [
        *here(machine, table),
        *purchases(devices(), machine, table, today),
        *rentals(offers(), by_name),
        *clusters(offers(), by_name),
    ]


@cache
def _devices_by_name() -> dict[str, Device]:
    return {device.name: device for device in devices()}


def _titles(workload: Workload) -> dict[str, str]:
    """Return what a ready-made job is called in each language; empty for a person's own."""
    return next((preset.titles for preset in presets() if preset.workload.id == workload.id), {})


def _measured_networks(benchmark: Benchmark | None) -> Mapping[str, Network]:
    """Return the work of the networks that were trained here, by name."""
    if benchmark is None:
        return {}
    names = {m.case.network for m in benchmark.measurements if m.case.network in _known_networks()}
    return {name: network(name) for name in sorted(names)}


@cache
def _known_networks() -> frozenset[str]:
    return frozenset(network_names())


def _price_dates(circumstances: Circumstances, considered: Sequence[Candidate]) -> dict[str, str]:
    """Return the dates of the prices that were used: of each kind the oldest, so that no age is understated."""
    table = economics()
    return {
        **_oldest("electricity", [table.countries[circumstances.country].electricity_as_of]),
        **_oldest("rates", [table.currencies[circumstances.currency].as_of]),
        **_oldest("offers", (candidate.price_as_of for candidate in considered if candidate.offer is not None)),
        **_oldest("devices", (candidate.price_as_of for candidate in considered if candidate.purchase_usd > 0)),
    }


def _oldest(kind: str, dates: Iterable[str | None]) -> dict[str, str]:
    found = min((date for date in dates if date), default=None)
    return {} if found is None else {kind: found}
