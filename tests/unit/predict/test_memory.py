"""Memory of one device during a step: what is kept between steps, what a step needs, and what would make it fit."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import find_device, find_workload, network, network_of
from advisor.predict import Target, predict, predict_many
from advisor.predict.memory import Footprint, MemoryModel, footprint, safety_ratio, usable_bytes
from advisor.records.base import Precision
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import MemoryEstimate
from advisor.records.job.work import Network
from advisor.records.job.workload import Optimizer
from advisor.session.given.model_files import model_network
from advisor.units import GIB
from tests.unit.predict.examples import CARD, IMAGES, TEXT, changed, devices, factors, networks, workload, workloads

SLACK = 1 + 1e-9
counts = st.sampled_from([1, 2, 4, 8, 16])


@given(data=st.data(), network=networks, device=devices(), factor=factors, count=counts)
def test_more_memory_is_never_slower_or_less_fitting(
    data: st.DataObject, network: Network, device: Device, factor: float, count: int
) -> None:
    """A device with more memory takes at most as long, and what fitted still fits."""
    job = data.draw(workloads(network))
    if device.memory_bytes is None:
        return
    better = changed(device, memory_bytes=int(device.memory_bytes * factor))
    [small, large] = predict_many(network, job, [Target(device, count), Target(better, count)])
    assert small is not None
    assert large is not None
    assert small.memory is not None
    assert large.memory is not None
    assert large.memory.fits or not small.memory.fits
    if small.memory.fits:
        assert large.time_per_step_s <= small.time_per_step_s * SLACK


def test_a_batch_that_does_not_fit_is_cut_into_parts() -> None:
    """Advice cuts the batch; a single prediction keeps it whole and says that it does not fit."""
    job = workload(batch_size=1024)
    [cut] = predict_many(IMAGES, job, [Target(CARD, 1)])
    whole = predict(IMAGES, job, CARD)
    assert cut is not None
    assert cut.memory is not None
    assert whole.memory is not None
    assert cut.accumulation_steps > 1
    assert cut.memory.fits
    assert whole.accumulation_steps == 1
    assert not whole.memory.fits
    assert cut.time_per_step_s >= whole.time_per_step_s


def test_the_largest_batch_is_a_whole_number_of_samples() -> None:
    """Four tenths of one is none; what a sample does not add to has no end."""
    own = Footprint(
        parameters_bytes=100.0,
        gradients_bytes=100.0,
        optimizer_bytes=200.0,
        slack_bytes=0.0,
        saved_per_sample_bytes=40.0,
        temporary_per_sample_bytes=10.0,
        fixed_bytes=50.0,
        context_bytes=50.0,
    )
    whole = {room: own.largest_batch((500.0 + room) * safety_ratio()) for room in (-1.0, 20.0, 51.0, 149.0, 151.0)}
    assert whole == {-1.0: 0, 20.0: 0, 51.0: 1, 149.0: 2, 151.0: 3}
    assert own.largest_batch((300.0 + 51.0) * safety_ratio(), shards=2) == 1
    assert replace(own, saved_per_sample_bytes=0.0, temporary_per_sample_bytes=0.0).largest_batch(1e9) > 10**6


@pytest.mark.parametrize(("memory_gib", "usable_gib"), [(8, 5.3), (16, 11.84), (64, 47.4), (128, 107.5)])
def test_macos_keeps_a_part_of_the_memory(memory_gib: int, usable_gib: float) -> None:
    """Of a Mac's memory its GPU may have what Metal says, and of any other device's all."""
    memory_bytes = memory_gib * GIB
    mac = changed(CARD, device_class="apple", memory_type="unified", memory_bytes=memory_bytes)

    assert usable_bytes(mac) == pytest.approx(usable_gib * GIB, rel=0.01)
    assert usable_bytes(changed(CARD, memory_bytes=memory_bytes)) == memory_bytes
    assert usable_bytes(changed(mac, memory_bytes=None)) is None
    found = predict(IMAGES, workload(), mac).memory
    assert found is not None
    assert found.available_bytes == usable_bytes(mac)


def test_a_network_too_large_for_one_card_is_spread_over_several() -> None:
    """Eight cards of 12 GB hold what one cannot; the memory named is that of one of them."""
    job = workload(TEXT, precision="bf16", batch_size=8)
    [one, eight] = predict_many(TEXT, job, [Target(CARD, 1), Target(CARD, 8)])
    assert one is not None
    assert eight is not None
    assert one.memory is not None
    assert eight.memory is not None
    assert not one.memory.fits
    assert "shard" in one.memory.how_to_fit
    assert eight.memory.fits
    assert eight.memory.parameters_bytes < one.memory.parameters_bytes


def test_a_network_too_large_for_one_card_is_applied_on_several() -> None:
    """Its layers are spread: every sample passes through both cards, which is no quicker than one large enough."""
    job = workload(TEXT, task="infer", precision="fp32", batch_size=4)
    large = changed(CARD, memory_bytes=1000 * GIB)
    small = changed(CARD, memory_bytes=3 * GIB)
    [alone, one, two] = predict_many(TEXT, job, [Target(large), Target(small), Target(small, 4)])
    assert alone is not None
    assert one is not None
    assert two is not None
    assert one.memory is not None
    assert two.memory is not None
    assert not one.memory.fits
    assert two.memory.fits
    assert (one.shards, two.shards) == (1, 4)
    assert two.time_per_step_s == pytest.approx(alone.time_per_step_s, rel=1e-6)
    assert two.scaling_efficiency_ratio == pytest.approx(1 / 4)


def test_what_does_not_fit_names_the_least_it_could_take() -> None:
    """One sample at a time, and over all the cards there are."""
    job = workload(TEXT, precision="fp32", batch_size=64)
    tiny = changed(CARD, memory_bytes=GIB)
    [one, two] = predict_many(TEXT, job, [Target(tiny), Target(tiny, 2)])
    taken = footprint(TEXT, job)
    for found, shards in ((one, 1), (two, 2)):
        assert found is not None
        assert found.memory is not None
        assert not found.memory.fits
        assert found.memory.total_bytes == pytest.approx(taken.total(1, shards))
        assert found.accumulation_steps == 1


def published(model: str, method: str) -> MemoryEstimate:
    """Return the memory of tuning a language model in bfloat16, two sequences of 8,192 tokens, computed again."""
    job = workload(method=method, precision="bf16", optimizer="adamw", checkpointing=True, batch_size=2)
    return MemoryModel(model_network(model, 8192), job).estimate(80 * GIB, 2)


def test_a_large_vocabulary_is_not_turned_into_four_bits() -> None:
    """8 billion parameters with 128,000 words take as much as 13 billion with 32,000: 7.8 to 8.0, 8.0 to 8.3 GiB.

    Source: ljm565/universal-llm-trainer, docs/gpu_test.md.
    """
    small, large = (published(model, "qlora").parameters_bytes / GIB for model in ("llama3.1_8b", "llama2_13b"))
    assert small == pytest.approx(7.9, rel=0.03)
    assert large == pytest.approx(8.15, rel=0.03)


REAL_STEPS_MB = (
    ("resnet18", 8, "fp32", "adamw", 355.7, 696.1),
    ("resnet18", 8, "fp32", "sgd", 308.9, 701.7),
    ("resnet18", 8, "amp", "adamw", 288.3, 595.0),
    ("resnet18", 8, "amp", "sgd", 241.5, 540.3),
    ("resnet50", 4, "fp32", "adamw", 716.6, 1114.3),
    ("resnet50", 4, "amp", "sgd", 472.9, 824.8),
    ("densenet121", 4, "fp32", "adamw", 623.6, 927.9),
    ("densenet121", 4, "amp", "adamw", 382.6, 698.8),
    ("mobilenet_v2", 4, "amp", "sgd", 199.4, 509.8),
    ("vgg16", 1, "amp", "sgd", 1879.7, 2203.6),
)
"""Network, batch, precision, optimizer; what torch 2.13 gave out at the fullest moment of a step on a processor, and
what its process had in memory then, PyTorch itself (228 MB) among it."""


@pytest.mark.parametrize("row", REAL_STEPS_MB, ids=str)
def test_a_step_on_a_processor_takes_what_it_took(row: tuple[str, int, Precision, Optimizer, float, float]) -> None:
    """Networks of the catalogue: tensors within 4 % (10 % too many where the parts were added up), the process within
    the interval.
    """
    name, batch, precision, optimizer, tensors_mb, process_mb = row
    job = workload(precision=precision, optimizer=optimizer, batch_size=batch)
    found = MemoryModel(network(name), job, is_cpu=True).estimate(None, batch)
    assert (found.total_bytes - found.context_bytes) / 1e6 == pytest.approx(tensors_mb, rel=0.04)
    assert found.interval.low / 1e6 < process_mb < found.interval.high / 1e6


@pytest.mark.parametrize(
    ("name", "least_gb", "most_gb"),
    [
        ("qwen3_30b_a3b_qlora", 17.5, 26.0),  # Unsloth's own 17.5; others' programs "on a card of 24 GB"
        ("qwen3_30b_a3b_lora", 60.0, 68.0),  # 63, unsloth.ai/docs/basics/faster-moe, 2026
        ("mixtral_8x7b_qlora", 27.0, 36.0),
    ],
)
def test_experts_that_a_token_does_not_meet_are_in_4_bit_as_well(name: str, least_gb: float, most_gb: float) -> None:
    """A model of 30B was told to take 110 GB with QLoRA, and an H200 was advised: its idle experts had 32 bit each."""
    workload = msgspec.structs.replace(find_workload(name).workload, batch_size=1)
    found = predict(network_of(workload), workload, find_device("H200")).memory
    assert found is not None
    assert least_gb <= found.total_bytes / 1e9 <= most_gb
