"""Answer a question in two steps: foresee what does not hang on the user's side of it, then decide.

``foresee`` predicts a job on every option: the whole catalogue, under a tenth of a second. ``decide`` prices what was
foreseen and chooses: a fraction of that. An interface keeps the ``Foresight`` and asks only ``decide`` again while
deadline, budget, runs, country or the rest of the circumstances change; another workload (or batch, or precision) or
another computer needs a new foresight. Both are functions of their arguments and the day, and may be called in any
thread.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from advisor import __version__
from advisor.benchmark import beside_articles
from advisor.card_matching import withhold_names
from advisor.catalog import (
    computers,
    devices,
    economics,
    load_validation,
    network,
    network_names,
    network_of,
    offers,
    presets,
)
from advisor.locale import LANGUAGES
from advisor.options.candidates import Candidate, clusters, here, purchases, rentals, whole_computers
from advisor.options.measured_power import measured_power_w
from advisor.options.own_devices import unknown_cards
from advisor.options.pricing import calibrations, predicted, priced, with_resale
from advisor.predict import input_rate, measured_images_per_s
from advisor.recommend import advise, load_rules
from advisor.records.base import Record
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import Rule
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Observation
from advisor.records.results.diagnosis import Finding
from advisor.records.results.measurement import Benchmark
from advisor.records.results.report import JobCommand, NetworkSummary, Report, summarise_network
from advisor.session.findings import SAME_WORK, facts_of, find_causes
from advisor.session.interference import widened
from advisor.session.job_command import job_command
from advisor.session.own_network import is_program, own_titles


class Foresight(Record, frozen=True, kw_only=True):
    """A job on every option, before money and deadlines.

    Attributes:
        observation: The computer it is asked for.
        workload: The job.
        network: What it trains.
        candidates: Every way to get it done.
        predictions: One for each candidate; None where its time cannot be predicted.
        findings: What holds this computer back.
        job_command: How the command line asks for the job.
    """

    observation: Observation
    workload: Workload
    network: NetworkSummary
    candidates: tuple[Candidate, ...]
    predictions: tuple[Prediction | None, ...]
    findings: tuple[Finding, ...]
    job_command: JobCommand | None = None


def conclude(
    observation: Observation, workload: Workload, circumstances: Circumstances, network: Network | None = None
) -> Report:
    """Return the answer to a question about an observed computer; measures nothing.

    Args:
        observation: The computer as seen and measured, or as recorded.
        workload: The job.
        circumstances: The user's side of it.
        network: The work of the job's network where no catalogue has it; None: the one the workload names.
    """
    return decide(foresee(observation, workload, network), circumstances)


def foresee(observation: Observation, workload: Workload, network: Network | None = None) -> Foresight:
    """Return the job's time and memory on this computer and on everything that could be bought or rented today.

    Args:
        observation: The computer as seen and measured, or as recorded.
        workload: The job.
        network: The work of the job's network where no catalogue has it; None: the one the workload names.

    Raises:
        UnknownNameError: No network has the name that the workload gives.
        InputError: The network cannot take the workload's size.
    """
    work = network_of(workload) if network is None else network
    machine = observation.machine
    found = candidates(machine, datetime.datetime.now(datetime.UTC).date())
    measured = _measured_networks(observation.benchmark)
    known = calibrations(observation.benchmark, found, measured, work)
    cores = machine.host.cpu.usable_cores
    taken = () if observation.benchmark is None else observation.benchmark.measurements
    images_per_s = measured_images_per_s(taken, workload, cores)
    predictions = widened(predicted(work, workload, found, known, images_per_s), found, observation.benchmark)
    rate = input_rate(workload, cores, images_per_s=images_per_s)
    return Foresight(
        observation=observation,
        workload=workload,
        network=summarise_network(work),
        candidates=tuple(found),
        predictions=tuple(predictions),
        findings=find_causes(observation, found, predictions, measured, rate),
        job_command=job_command(workload),
    )


def decide(foresight: Foresight, circumstances: Circumstances) -> Report:
    """Return the answer for one user's circumstances: options priced and ranked, the choice, what would change it.

    Raises:
        InputError: The price of electricity in the country is not known, and the user gave none.
    """
    now = datetime.datetime.now(datetime.UTC)
    table = economics()
    observation, workload, found = foresight.observation, foresight.workload, foresight.candidates
    options = priced(
        found,
        foresight.predictions,
        workload,
        with_resale(circumstances, table),
        table,
        parameters=foresight.network.parameters,
        measured_w=measured_power_w(observation.benchmark),
    )
    advice = advise(
        workload,
        circumstances,
        observation.machine,
        options,
        rules=_rules(),
        benchmark=observation.benchmark,
        network=foresight.network,
        devices={candidate.device.name: candidate.device for candidate in found},
        extra_facts=(*facts_of(foresight.findings, workload), *unknown_cards(observation.machine)),
    )
    return Report(
        created_at=now.isoformat(timespec="seconds"),
        program_version=__version__,
        is_simulated=observation.is_simulated,
        machine=withhold_names(observation.machine),
        benchmark=observation.benchmark,
        workload=workload,
        job_command=foresight.job_command,
        titles=_titles(workload),
        circumstances=circumstances,
        network=foresight.network,
        advice=advice,
        findings=foresight.findings,
        articles=() if observation.benchmark is None else beside_articles(observation.benchmark),
        validation=load_validation(),
        prices_as_of=_price_dates(circumstances, found),
        currency_per_usd=circumstances.units_per_usd or table.currencies[circumstances.currency].units_per_usd,
    )


@cache
def _rules() -> tuple[Rule, ...]:
    return load_rules()


def candidates(machine: Machine, today: datetime.date) -> list[Candidate]:
    """Return every way worth considering, for a computer and a day."""
    table = economics()
    by_name = _devices_by_name()
    return [
        *here(machine),
        *purchases(devices(), machine, table, today),
        *whole_computers(computers(), today),
        *rentals(offers(), by_name),
        *clusters(offers(), by_name),
    ]


@cache
def _devices_by_name() -> dict[str, Device]:
    return {device.name: device for device in devices()}


def _titles(workload: Workload) -> dict[str, str]:
    """Return what a job is called in each language; empty where the user named it.

    A ready-made job with other numbers is called by its network: its title would tell the old ones.
    """
    if is_program(workload.network):
        return own_titles(workload)
    like = next((preset for preset in presets() if preset.workload.id == workload.id), None)
    if like is None:
        return {}
    is_changed = any(getattr(workload, field) != getattr(like.workload, field) for field in _TOLD_BY_TITLES)
    return dict.fromkeys(LANGUAGES, workload.network) if is_changed else like.titles


_TOLD_BY_TITLES = ("classes", "epochs", "image_size", "method", "network", "samples", "sequence_length", "task")


def _measured_networks(benchmark: Benchmark | None) -> Mapping[str, Network]:
    """Return the work of the networks that were measured here, by the measurements' name of them."""
    if benchmark is None:
        return {}
    names = {one.case.network for one in benchmark.measurements}
    known = {name: SAME_WORK.get(name, name) for name in sorted(names)}
    return {name: network(same) for name, same in known.items() if same in _known_networks()}


@cache
def _known_networks() -> frozenset[str]:
    return frozenset(network_names())


def _price_dates(circumstances: Circumstances, considered: Sequence[Candidate]) -> dict[str, str]:
    """Return the dates of the prices that were used: of each kind the oldest, so that no age is understated."""
    table = economics()
    return {
        **_oldest("electricity", [table.countries[circumstances.country].electricity_as_of]),
        **_oldest("rates", [] if circumstances.units_per_usd else [table.currencies[circumstances.currency].as_of]),
        **_oldest("offers", (candidate.price_as_of for candidate in considered if candidate.offer is not None)),
        **_oldest("devices", (candidate.price_as_of for candidate in considered if candidate.purchase_usd > 0)),
    }


def _oldest(kind: str, dates: Iterable[str | None]) -> dict[str, str]:
    found = min((date for date in dates if date), default=None)
    return {} if found is None else {kind: found}
