"""Answer a question in two steps: forecast the job on every option, then decide for the user's circumstances.

``forecast_job`` predicts a job on the whole catalogue, in under a tenth of a second. ``decide`` prices the options and
chooses: a fraction of that. An interface keeps the ``Forecast`` and asks only ``decide`` again while deadline, budget,
runs, country or the rest of the circumstances change; another workload (or batch, or precision) or another computer
needs a new forecast. Both are functions of their arguments and the day, and may be called in any thread.
"""

import datetime
from functools import cache

from advisor import __version__
from advisor.benchmark.results.references import beside_articles
from advisor.card_matching import withhold_names
from advisor.catalog import (
    board,
    economics,
    load_validation,
    network_of,
    presets,
)
from advisor.catalog.epochs import assume_epochs, usual_epochs
from advisor.catalog.named_networks import known_network
from advisor.locale import LANGUAGES
from advisor.options.candidates import Candidate, better_fed, list_candidates
from advisor.options.job_changes import Resized, job_changes
from advisor.options.own_devices import limited_cards, unknown_cards, unsaid_cores
from advisor.options.prediction import faster_fed, own_input_rate, predict_options
from advisor.options.pricing import cost_sources, currency_per_usd, host_parts, price_dates, price_options
from advisor.options.site_cluster import site_candidates
from advisor.recommend import advise, load_rules
from advisor.records.base import Record
from advisor.records.job.advice import Rule
from advisor.records.job.changes import JobChanges
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, EpochRange, Workload
from advisor.records.request import Observation
from advisor.records.results.diagnosis import Finding
from advisor.records.results.report import JobCommand, NetworkSummary, Report, summarise_network
from advisor.session.findings import disk_facts, facts_of, find_causes, weight_facts
from advisor.session.given.own_network import is_program, own_titles
from advisor.session.job_command import job_command
from advisor.session.published_jobs import beside_published


class Forecast(Record, frozen=True, kw_only=True):
    """A job on every option, before money and deadlines.

    Attributes:
        observation: The computer it is asked for.
        workload: The job.
        network: What it trains.
        candidates: Every way to get it done.
        predictions: One for each candidate; None where its time cannot be predicted.
        findings: What holds this computer back.
        changes: What would make the job fit this computer, or end sooner on it.
        job_command: How the command line asks for the job.
        usual_epochs: How often such jobs go through their data; None where nobody publishes it.
    """

    observation: Observation
    workload: Workload
    network: NetworkSummary
    candidates: tuple[Candidate, ...]
    predictions: tuple[Prediction | None, ...]
    findings: tuple[Finding, ...]
    changes: JobChanges | None = None
    job_command: JobCommand | None = None
    usual_epochs: EpochRange | None = None


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
    return decide(forecast_job(observation, workload, network), circumstances)


def forecast_job(observation: Observation, workload: Workload, network: Network | None = None) -> Forecast:
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
    workload = assume_epochs(workload, work.family, work.sample)
    candidates = list_candidates(observation.machine, datetime.datetime.now(datetime.UTC).date())
    if observation.cluster is not None:
        candidates = (*candidates, *site_candidates(observation.cluster, observation.machine))
    predictions = predict_options(candidates, work, workload, observation)
    own_rate = own_input_rate(observation, workload)
    if own_rate is not None:
        more = tuple(better_fed(candidates, economics()))
        better = faster_fed(candidates, predictions, more, predict_options(more, work, workload, observation))
        candidates, predictions = (*candidates, *better[0]), (*predictions, *better[1])
    return Forecast(
        observation=observation,
        workload=workload,
        network=summarise_network(work),
        candidates=candidates,
        predictions=predictions,
        findings=find_causes(observation, candidates, predictions, own_rate),
        changes=job_changes(candidates, predictions, work, workload, observation, resized=_resized(network)),
        job_command=job_command(workload),
        usual_epochs=usual_epochs(workload, work.family, work.sample),
    )


def _resized(network: Network | None) -> Resized | None:
    """Return what knows the asked network at other sizes: the catalogue, if only by its numbers; else None."""
    if network is None:
        return network_of
    return network_of if network.is_language_model and known_network(network.name) is not None else None


def decide(forecast: Forecast, circumstances: Circumstances) -> Report:
    """Return the answer for one user's circumstances: options priced and ranked, the choice, what would change it.

    Raises:
        InputError: The price of electricity in the country is not known, and the user gave none.
    """
    now = datetime.datetime.now(datetime.UTC)
    observation, workload = forecast.observation, forecast.workload
    options = price_options(
        forecast.candidates,
        forecast.predictions,
        workload,
        circumstances,
        parameters=forecast.network.parameters,
        benchmark=observation.benchmark,
        data=observation.data,
    )
    advice = advise(
        workload,
        circumstances,
        observation.machine,
        options,
        rules=_rules(),
        benchmark=observation.benchmark,
        network=forecast.network,
        devices={candidate.device.name: candidate.device for candidate in forecast.candidates},
        extra_facts=(
            *facts_of(forecast.findings, workload),
            *disk_facts(observation, workload),
            *weight_facts(workload, forecast.network, circumstances),
            *unknown_cards(observation.machine),
            *limited_cards(observation.machine),
            *unsaid_cores(observation.machine),
        ),
    )
    bought = advice.purchase
    return Report(
        created_at=now.isoformat(timespec="seconds"),
        program_version=__version__,
        is_simulated=observation.is_simulated,
        machine=withhold_names(observation.machine),
        benchmark=observation.benchmark,
        workload=workload,
        job_command=forecast.job_command,
        titles=_titles(workload),
        circumstances=circumstances,
        network=forecast.network,
        advice=advice,
        findings=forecast.findings,
        changes=forecast.changes,
        articles=() if observation.benchmark is None else beside_articles(observation.benchmark),
        validation=load_validation(),
        data=observation.data,
        cluster=observation.cluster,
        usual_epochs=forecast.usual_epochs,
        published=beside_published(workload),
        board=None if bought is None or bought.is_computer else board(bought.device),
        host=host_parts(bought.threads) if bought is not None and bought.host_usd > 0 else None,
        prices_as_of=price_dates(forecast.candidates, circumstances),
        cost_sources=cost_sources(circumstances),
        currency_per_usd=currency_per_usd(circumstances),
    )


@cache
def _rules() -> tuple[Rule, ...]:
    return load_rules()


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
