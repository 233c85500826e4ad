"""The diagnosis gets what the other steps know, and the recommendation what the diagnosis found."""

import msgspec
import pytest

from advisor.options.candidates import Candidate
from advisor.records.base import Interval
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Disk, Framework
from advisor.records.job.prediction import InputRate
from advisor.records.job.workload import Workload
from advisor.records.request import Observation
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.measured.own_data import OwnData
from advisor.session.findings import disk_facts, facts_of, find_causes
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import CARD, benchmark, machine, measured
from tests.unit.report.samples import ARTICLE_CNN, option

STARVED = Finding(
    kind="input_bound",
    device="cuda:0",
    severity="serious",
    evidence=(
        Reading(name="loader_samples_per_s", value=200.0, unit="samples_per_s", source="input/150/plain/workers2/cpu"),
        Reading(name="device_samples_per_s", value=800.0, unit="samples_per_s", source="train/article_cnn/fp32/cuda:0"),
    ),
)


def candidate(name: str, torch_device: str | None = "cuda:0", count: int = 1) -> Candidate:
    """Return a way to compute on a device of this computer."""
    device = Device(name=name, vendor="nvidia", device_class="gpu", for_whom="consumer", bandwidth_bytes_per_s=50e9)
    return Candidate(id=name, tier="this_computer", title=name, device=device, torch_device=torch_device,
                     device_count=count)  # fmt: skip


def facts(finding: Finding, workload: Workload = ARTICLE_CNN) -> dict[str, object]:
    """Return the facts of a finding by name."""
    return {fact.name: fact.value for fact in facts_of([finding], workload)}


def test_a_measured_loader_becomes_facts() -> None:
    """The two rates, and the share of waiting that follows from them."""
    plain = msgspec.structs.replace(ARTICLE_CNN, augmentation=False)
    assert facts(STARVED, plain) == {
        "loader_samples_per_s": 200.0,
        "card_samples_per_s": 800.0,
        "card_idle_ratio": pytest.approx(0.75),
    }


@pytest.mark.parametrize(
    ("changes", "workload"),
    [
        ({}, ARTICLE_CNN),
        ({"form": "augmented"}, msgspec.structs.replace(ARTICLE_CNN, network="resnet50")),
        ({"form": "predicted"}, ARTICLE_CNN),
        ({"form": "augmented", "device": "cpu"}, ARTICLE_CNN),
        ({"kind": "launch_bound"}, ARTICLE_CNN),
    ],
    ids=["not augmented as the job", "another network", "predicted", "processor", "another kind"],
)
def test_what_is_not_about_the_job_is_no_fact(changes: dict[str, str], workload: Workload) -> None:
    """Measured with another network, or with other work for the processor, it says nothing of this job."""
    assert facts(msgspec.structs.replace(STARVED, **changes), workload) == {}


@pytest.mark.parametrize(
    ("source", "network", "is_fact"),
    [
        ("train/densenet121_transfer/fp32/64/cuda:0", "densenet121", True),
        ("train/densenet121_frozen/fp32/64/cuda:0", "densenet121", False),
        ("infer/densenet121/fp32/32/cuda:0", "densenet121", False),
        ("train/densenet121_transfer/fp32/64/cuda:0", "densenet169", False),
    ],
)
def test_retraining_densenet_is_measured_under_a_name_of_its_own(source: str, network: str, is_fact: bool) -> None:
    """All its layers learn, so it is the study's job; with frozen layers, or applied, it takes more images a second."""
    delivers = STARVED.evidence[0]
    takes = msgspec.structs.replace(STARVED.evidence[1], source=source)
    found = facts(
        msgspec.structs.replace(STARVED, evidence=(delivers, takes)),
        msgspec.structs.replace(ARTICLE_CNN, network=network, method="transfer", augmentation=False),
    )
    assert ("card_idle_ratio" in found) is is_fact


def test_predictions_of_this_computer_reach_the_diagnosis() -> None:
    """A card that would take ten times what the loader may deliver is found starving without any measurement."""
    prediction = option("here/cuda:0", "this_computer", "a", 100.0, steps=1000.0, memory_gib=6).prediction
    rate = InputRate(samples_per_s=20.0, interval=Interval(low=10.0, high=30.0))
    found = find_causes(Observation(machine=machine(CARD)), [candidate("a")], [prediction], rate)
    [starved] = [one for one in found if one.kind == "input_bound"]
    values = {reading.name: reading.value for reading in starved.evidence}
    assert values["loader_samples_per_s"] == 30.0
    assert values["device_samples_per_s"] == pytest.approx(320 / 1.14)
    for elsewhere in (candidate("a", None), candidate("a", count=2)):
        assert not find_causes(Observation(machine=machine(CARD)), [elsewhere], [prediction], rate)


def test_waiting_for_data_is_not_counted_as_the_cards_own_time() -> None:
    """A step that waits 60 % of its time could be two and a half times as fast."""
    prediction = option("here/cuda:0", "this_computer", "a", 100.0, steps=1000.0, idle=0.6).prediction
    rate = InputRate(samples_per_s=320.0)
    [starved] = find_causes(Observation(machine=machine(CARD)), [candidate("a")], [prediction], rate)
    assert starved.gain is not None
    assert starved.gain.high == pytest.approx(1 / 0.4)


def test_what_does_not_fit_comes_with_its_remedies() -> None:
    """Memory needed, memory there, and what would make it fit."""
    prediction = option("here/cuda:0", "this_computer", "a", 100.0, needed_gib=20, memory_gib=6).prediction
    [found] = find_causes(Observation(machine=machine(CARD)), [candidate("a")], [prediction], None)
    assert (found.kind, found.form, found.device) == ("capacity_bound", "job", "cuda:0")
    assert found.evidence[0].value == pytest.approx(20 * GIB)


@pytest.mark.parametrize(("name", "is_known"), [("Core i7-10750H", True), ("Imaginary 9000", False)])
def test_only_this_very_processor_has_a_published_bandwidth(name: str, is_known: bool) -> None:
    """What is published of a similar processor is no evidence against this one's memory."""
    run = benchmark(measured("bandwidth", "cpu", 1.0, bytes_per_iteration=1e9))
    observed = Observation(machine=machine(torch=Framework(version="2")), benchmark=run)
    found = find_causes(observed, [candidate(name, "cpu")], [None], None)
    assert [one.kind for one in found] == (["single_memory_channel"] if is_known else [])


def test_data_larger_than_the_free_disk_and_a_hard_disk_are_facts() -> None:
    """Ten million photos take 1.15 TB, and a hard disk gives 65 of them a second; what lies there has room."""
    found = machine(disk=Disk(kind="hdd", free_bytes=900 * 10**9))
    job = msgspec.structs.replace(ARTICLE_CNN, input_kind="jpeg", samples=10**7, steps_per_epoch=None)
    told = {fact.name: fact.value for fact in disk_facts(Observation(machine=found), job)}
    assert told["data_bytes"] == pytest.approx(1.15e12)
    assert told["free_disk_bytes"] == 900 * 10**9
    assert told["disk_samples_per_s"] == 65.0
    own = OwnData(kind="image", formats=(), files=10**7, size_bytes=10**12, disk=Disk(kind="hdd", free_bytes=1))
    there = disk_facts(Observation(machine=found, data=own), job)
    assert [fact.name for fact in there] == ["disk_samples_per_s"]
