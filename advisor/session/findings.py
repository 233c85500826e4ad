"""Hand the diagnosis what other steps know of this computer, and what it finds to the recommendation."""

from collections.abc import Iterator, Sequence

from advisor.benchmark.diagnosis import diagnose
from advisor.benchmark.diagnosis.outlook import kernels_of, outlook_of, traffic_of
from advisor.options.candidates import Candidate
from advisor.options.own_devices import published_rates
from advisor.options.prediction import SAME_WORK, disk_here, measured_networks
from advisor.options.transfer_time import download_bytes_per_s
from advisor.predict.money import data_bytes, shipped_bytes
from advisor.records.job.advice import Fact
from advisor.records.job.prediction import InputRate, Prediction
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Observation
from advisor.records.results.diagnosis import Finding
from advisor.records.results.report import NetworkSummary


def find_causes(
    observation: Observation,
    candidates: Sequence[Candidate],
    predictions: Sequence[Prediction | None],
    input_rate: InputRate | None,
) -> tuple[Finding, ...]:
    """Return what holds an observed computer back.

    Args:
        observation: The computer as seen and measured.
        candidates: Ways to get the job done; those on this computer are looked at.
        predictions: One for each of them.
        input_rate: What this computer's processor is predicted to deliver; None where nothing has to be prepared.
    """
    own = [
        (candidate.torch_device, candidate.device, prediction)
        for candidate, prediction in zip(candidates, predictions, strict=True)
        if candidate.torch_device is not None and candidate.device_count == 1
    ]
    together = {
        candidate.torch_device: prediction
        for candidate, prediction in sorted(
            zip(candidates, predictions, strict=True), key=lambda one: one[0].device_count
        )
        if candidate.torch_device is not None
    }
    networks = measured_networks(observation.benchmark)
    return diagnose(
        observation.machine,
        observation.benchmark,
        published={name: rates for name, device, _ in own if (rates := published_rates(name, device)) is not None},
        outlooks=[
            outlook_of(name, one, input_rate, together=together[name]) for name, _, one in own if one is not None
        ],
        kernels={name: kernels_of(network) for name, network in networks.items()},
        traffic={name: traffic_of(network) for name, network in networks.items()},
    )


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


def disk_facts(observation: Observation, workload: Workload) -> Iterator[Fact]:
    """Yield what a hard disk delivers, and the data's size and its room where they are not known to lie there yet."""
    disk, free_bytes = disk_here(observation, workload), observation.machine.host.disk.free_bytes
    if disk is not None:
        yield Fact(name="disk_samples_per_s", value=disk.samples_per_s, unit="samples_per_s", basis="predicted")
    if observation.data is None and free_bytes is not None and workload.input_kind == "jpeg":
        yield Fact(name="data_bytes", value=data_bytes(workload), unit="bytes", basis="predicted")
        yield Fact(name="free_disk_bytes", value=free_bytes, unit="bytes", basis="probed")


def weight_facts(workload: Workload, network: NetworkSummary, circumstances: Circumstances) -> Iterator[Fact]:
    """Yield how large the weights are that the job begins with, and how long the user's line fetches them."""
    size_bytes = shipped_bytes(workload, network.parameters)
    if size_bytes > 0:
        fetch_s = size_bytes / download_bytes_per_s(circumstances)
        yield Fact(name="weights_bytes", value=size_bytes, unit="bytes", basis="predicted")
        is_said = circumstances.download_bytes_per_s is not None
        yield Fact(name="fetch_s", value=fetch_s, unit="s", basis="asked" if is_said else "predicted")


def _network_of(case_id: str) -> str | None:
    """Return the catalogue's name of the network that a case trains; None where it does something else."""
    program, _, rest = case_id.partition("/")
    name = rest.partition("/")[0]
    return SAME_WORK.get(name, name) if program == "train" else None
