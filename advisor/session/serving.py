"""Language models that are asked: one on a device, or all on this computer."""

import datetime
from collections.abc import Sequence

import msgspec

from advisor import __version__
from advisor.catalog import economics, find_device
from advisor.catalog.language import find_format, find_model, language_models
from advisor.catalog.language.published import published_rates
from advisor.errors import PredictionError
from advisor.options.candidates import list_candidates
from advisor.options.own_devices import accelerator_device, computer_kind, serving_processor, training_accelerators
from advisor.options.power_draw import waiting_power_w
from advisor.options.pricing import currency_per_usd
from advisor.options.serving import Asked, chosen_option, serving_options, speed_obstacles
from advisor.predict.serving import Host, as_measured, predict_serving, token_loop
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Machine
from advisor.records.job.serving import PublishedRate, ServingJob, ServingPrediction
from advisor.records.job.serving_advice import ServingAdvice, ServingQuestion
from advisor.records.job.workload import Circumstances
from advisor.records.results.measured.measurement import Measurement, load_ratio

_OF_MEMORY = 0.9
"""Share of the computer's memory that a model may take; the rest is for what else runs."""


def serve_one(model: str, device: str, job: ServingJob, *, device_count: int = 1) -> ServingPrediction:
    """Return how fast a model answers on devices of the catalogue.

    Args:
        model: Its name, or a ``config.json``, a GGUF file, or a folder that holds one.
        device: Its name.
        job: How it is asked.
        device_count: Devices that hold a share of it each.

    Raises:
        UnknownNameError: There is no such model, format or device; names the nearest.
        PredictionError: A figure of the device that the prediction needs is unknown.
    """
    found, weights = find_device(device), find_format(job.weights)
    prediction = predict_serving(find_model(model), weights, found, job, device_count=device_count)
    return msgspec.structs.replace(prediction, published=_published(prediction))


def _published(prediction: ServingPrediction) -> tuple[PublishedRate, ...]:
    """Return what others measured of the same: of each kind the one with the nearest number of tokens."""
    rows = [
        row
        for row in published_rates()
        if (row.model, row.weights, row.count) == (prediction.model, prediction.weights, prediction.device_count)
        and row.tokens_per_s is not None
        and row.doubt is None
        and find_device(row.device).name == prediction.device
    ]
    wanted = {"decode": prediction.job.new_tokens, "prefill": prediction.job.prompt_tokens}
    nearest = [
        min((row for row in rows if row.kind == kind), key=lambda row: abs(row.tokens - tokens), default=None)
        for kind, tokens in wanted.items()
    ]
    return tuple(row for row in nearest if row is not None)


def serve_here(
    machine: Machine, job: ServingJob, measured: Sequence[Measurement] = ()
) -> tuple[ServingPrediction, ...]:
    """Return how fast each known model answers on this computer, where it is fastest; the smallest first.

    Args:
        machine: This computer.
        job: How each model is asked.
        measured: What ``measure_decode`` found, for the processor.

    A model that fits nowhere has a prediction that says so. Nothing is returned for a device whose figures are unknown.
    """
    weights = find_format(job.weights)
    host = _host(machine, measured)
    devices = _devices_here(machine, host)
    found = []
    for model in sorted(language_models(), key=lambda one: one.parameters):
        answers = []
        for device, count in devices:
            try:
                answers.append(predict_serving(model, weights, device, job, device_count=count, host=host))
            except PredictionError:  # the rates of a card that nobody knows; the processor is asked as well
                continue
        if answers:
            found.append(max(answers, key=lambda one: (bool(one.memory.fits), one.decode_tokens_per_s)))
    return tuple(found)


def advise_serving(
    question: ServingQuestion,
    circumstances: Circumstances,
    machine: Machine,
    moment: datetime.datetime,
    measured: Sequence[Measurement] = (),
) -> ServingAdvice:
    """Return which way to run a language model is advised, and what every way costs.

    Args:
        question: What is run, for whom.
        circumstances: Money, months, country.
        machine: This computer.
        moment: Now, UTC; prices of what is no longer sold then are left out.
        measured: What ``measure_decode`` found, for the processor.

    Raises:
        InputError: There is no such model or format, or the price of electricity is not known.
    """
    model, weights = find_model(question.model), find_format(question.job.weights)
    asked = Asked(question, model, weights, circumstances)
    options = serving_options(list_candidates(machine, moment.date()), asked, _host(machine, measured))
    chosen = chosen_option(options)
    return ServingAdvice(
        program_version=__version__,
        created_at=moment.isoformat(timespec="seconds"),
        question=question,
        title=model.title or model.name,
        circumstances=circumstances,
        units_per_usd=currency_per_usd(circumstances),
        idle_power_w=waiting_power_w("desktop", economics()),
        here_idle_power_w=waiting_power_w(computer_kind(machine), economics()),
        options=options,
        chosen=None if chosen is None else chosen.id,
        here=tuple(
            one
            for one in serve_here(machine, question.job, measured)
            if not speed_obstacles(one, question, is_here=True)
        ),
        load_ratio=load_ratio(measured),
    )


def _host(machine: Machine, measured: Sequence[Measurement]) -> Host:
    processor = serving_processor(machine)
    loop = token_loop(measured)
    memory_bytes = _OF_MEMORY * machine.host.memory.limit_bytes
    return Host(as_measured(processor, loop), memory_bytes, "scaled", loop) if loop else Host(processor, memory_bytes)


def _devices_here(machine: Machine, host: Host) -> list[tuple[Device, int]]:
    """Return each kind of card with their number, and the processor."""
    found: dict[str, tuple[Device, int]] = {}
    for accelerator in training_accelerators(machine):
        device = accelerator_device(accelerator, machine)
        if device is not None:
            found[device.name] = (device, found.get(device.name, (device, 0))[1] + 1)
    return [*found.values(), (host.device, 1)]
