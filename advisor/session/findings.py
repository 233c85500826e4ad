"""Hand the diagnosis what other steps know of this computer, and what it finds to the recommendation."""

from collections.abc import Iterator, Mapping, Sequence

from advisor.benchmark.diagnosis import diagnose
from advisor.catalog import known_device
from advisor.options.candidates import Candidate
from advisor.records.base import Interval
from advisor.records.hardware.device import Device
from advisor.records.job.advice import Fact
from advisor.records.job.prediction import InputRate, Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.request import Observation
from advisor.records.results.diagnosis import Finding, Outlook, PublishedRates, StepTraffic


def find_causes(
    observation: Observation,
    candidates: Sequence[Candidate],
    predictions: Sequence[Prediction | None],
    networks: Mapping[str, Network],
    input_rate: InputRate | None,
) -> tuple[Finding, ...]:
    """Return what holds an observed computer back.

    Args:
        observation: The computer as seen and measured.
        candidates: Ways to get the job done; those on this computer are looked at.
        predictions: One for each of them.
        networks: The work of the networks that were measured, by name.
        input_rate: What this computer's processor is predicted to deliver; None where nothing has to be prepared.
    """
    own = [
        (candidate.torch_device, candidate.device, prediction)
        for candidate, prediction in zip(candidates, predictions, strict=True)
        if candidate.torch_device is not None and candidate.device_count == 1
    ]
    return diagnose(
        observation.machine,
        observation.benchmark,
        published={name: rates for name, device, _ in own if (rates := _published(name, device)) is not None},
        outlooks=[_outlook(name, one, input_rate) for name, _, one in own if one is not None],
        kernels={name: _kernels(network) for name, network in networks.items()},
        traffic={name: _traffic(network) for name, network in networks.items()},
    )


def _published(name: str, device: Device) -> PublishedRates | None:
    """Return the catalogue's figures; of a processor only where the catalogue has this very one."""
    if name == "cpu":
        known = known_device(device.name)
        if known is None:
            return None
        device = known
    return PublishedRates(flop_per_s=device.peak_flop_per_s, bandwidth_bytes_per_s=device.bandwidth_bytes_per_s)


def _outlook(name: str, prediction: Prediction, input_rate: InputRate | None) -> Outlook:
    waiting_s = sum(part.time_s for part in prediction.parts if part.name == "input")
    ready_s = prediction.time_per_step_s - waiting_s
    spread = prediction.interval.high / prediction.time_per_step_s
    rate = prediction.batch_size * prediction.device_count / ready_s if ready_s > 0 else None
    memory = prediction.memory
    return Outlook(
        device=name,
        limit=prediction.limit,
        device_samples_per_s=None if rate is None else Interval(low=rate / spread, high=rate * spread),
        loader_samples_per_s=None if input_rate is None else _delivered(input_rate),
        needed_bytes=None if memory is None else memory.interval,
        available_bytes=None if memory is None else memory.available_bytes,
        how_to_fit=() if memory is None else memory.how_to_fit,
    )


def _delivered(rate: InputRate) -> Interval:
    return rate.interval or Interval(low=rate.samples_per_s, high=rate.samples_per_s)


def _kernels(network: Network) -> float:
    """Return the operations of one training step on an accelerator, without those of the optimizer."""
    return float(sum(operation.count * operation.kernels for operation in network.operations))


def _traffic(network: Network) -> StepTraffic:
    """Return the bytes one training step moves, apart for what computes and what hardly does."""
    arithmetic = [one for one in network.operations if one.kind in _ARITHMETIC]
    others = [one for one in network.operations if one.kind not in _ARITHMETIC]
    return StepTraffic(
        arithmetic_per_sample=sum(one.count * one.bytes_per_sample for one in arithmetic),
        arithmetic_fixed=sum(one.count * one.bytes_fixed for one in arithmetic),
        other_per_sample=sum(one.count * one.bytes_per_sample for one in others),
        other_fixed=sum(one.count * one.bytes_fixed for one in others),
    )


SAME_WORK = {"densenet121_transfer": "densenet121"}
"""Networks that are measured under another name than the catalogue's: all layers of this one learn, and its head has
two classes for thousand."""

_ARITHMETIC = frozenset({"gemm", "conv", "depthwise_conv", "attention", "recurrent"})


def facts_of(findings: Sequence[Finding], workload: Workload) -> Iterator[Fact]:
    """Yield the facts that rules and reasons may use; measured ones, and only where they are about the user's job."""
    for one in findings:
        if one.kind != "input_bound" or one.device == "cpu" or one.form == "predicted":
            continue
        values = {reading.name: reading for reading in one.evidence}
        delivers, takes = values["loader_samples_per_s"], values["device_samples_per_s"]
        is_this_job = _network_of(takes.source) == workload.network
        if is_this_job and (one.form == "augmented" or not workload.augmentation):
            yield Fact(name="loader_samples_per_s", value=delivers.value, unit="samples_per_s", basis="measured")
            yield Fact(name="card_samples_per_s", value=takes.value, unit="samples_per_s", basis="measured")
            yield Fact(name="card_idle_ratio", value=1 - delivers.value / takes.value, unit="ratio", basis="measured")
            return


def _network_of(case_id: str) -> str | None:
    """Return the catalogue's name of the network that a case trains; None where it does something else."""
    program, _, rest = case_id.partition("/")
    name = rest.partition("/")[0]
    return SAME_WORK.get(name, name) if program == "train" else None
