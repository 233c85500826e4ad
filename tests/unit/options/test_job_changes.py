"""What would make a job fit, or end it sooner: memory by hand, and the changes that are named."""

import datetime

import msgspec
import pytest

from advisor.catalog import find_workload, network_of
from advisor.options.candidates import list_candidates
from advisor.options.job_changes import job_changes
from advisor.options.prediction import predict_options
from advisor.options.pricing import run_time
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.changes import JobChange, JobChanges
from advisor.records.job.workload import Workload
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Benchmark
from advisor.units import GIB, HOUR_S
from tests.unit.benchmark.diagnosed import machine
from tests.unit.predict.measured.work_classes import without_instructions

CARD = Accelerator(
    vendor="nvidia", index=0, name="GeForce RTX 3060 12GB", kind="discrete", trains=True, memory_bytes=12 * GIB
)
BILLIONS = 6.74
"""Parameters of LLaMA 7B, in thousand millions (Touvron et al. 2023, table 2)."""


def _asked(name: str, **changed: object) -> Workload:
    return msgspec.structs.replace(find_workload(name).workload, **changed)


def _changes(workload: Workload) -> JobChanges | None:
    found, work = machine(CARD), network_of(workload)
    here = [one for one in list_candidates(found, datetime.date(2026, 11, 1)) if one.torch_device == "cuda:0"]
    return job_changes(
        here, predict_options(here, work, workload), work, workload, Observation(machine=found), resized=network_of
    )


def _by_code(workload: Workload) -> dict[str, JobChange]:
    found = _changes(workload)
    return {} if found is None else {one.code: one for one in found.changes}


def test_qlora_makes_seven_billion_parameters_fit_twelve_gigabytes() -> None:
    """Weights of half a byte are 3.4 GB, what else a step takes is a few more; LoRA alone keeps 2 bytes: 13.5 GB."""
    found = _by_code(_asked("llm_7b_full"))
    assert found["qlora"].fits
    assert BILLIONS * 0.5e9 < found["qlora"].memory_bytes < 12 * GIB
    assert found["lora"].memory_bytes > BILLIONS * 2e9
    assert found["lora"].fits is False
    assert next(iter(found)) == "qlora", "what fits comes first"


def test_eight_bit_moments_save_six_bytes_a_parameter() -> None:
    """Two moments of 4 bytes become two of 1: 40 GB of 6.74 billion parameters, whatever else there is."""
    job = _asked("llm_7b_full")
    found = _changes(job)
    assert found is not None
    smaller = _by_code(job)["adamw_8bit"].memory_bytes
    [least] = [one.memory_bytes for one in found.changes if one.code == "adamw_8bit"]
    plain = _by_code(_asked("llm_7b_full", optimizer="sgd"))
    assert least == smaller
    assert "adamw_8bit" not in plain
    here = [one for one in list_candidates(machine(CARD), datetime.date(2026, 11, 1)) if one.torch_device == "cuda:0"]
    [before], [after] = (
        predict_options(here, network_of(job), msgspec.structs.replace(job, optimizer=name))
        for name in ("adamw", "adamw_8bit")
    )
    assert before is not None
    assert after is not None
    assert before.memory is not None
    assert after.memory is not None
    saved = before.memory.optimizer_bytes - after.memory.optimizer_bytes
    assert saved == pytest.approx(6.0 * BILLIONS * 1e9, rel=0.01)


def test_weights_in_four_bit_make_an_answer_fit() -> None:
    """Of 27 GB in fp32 an eighth is 3.4; what is added for reading a batch stays."""
    found = _by_code(_asked("llm_7b_full", task="infer", precision="fp16"))
    assert found["quantised"].fits
    assert found["quantised"].effect == "hardly"


def test_a_long_run_names_what_is_faster_and_says_what_changes_the_result() -> None:
    """More loaders and prepared data change nothing that is learned; smaller images do, and come last."""
    found = _changes(_asked("densenet121_cats_dogs", epochs=300.0, loaders=1))
    assert found is not None
    by_code = {one.code: one for one in found.changes}
    assert by_code["prepared"].effect == "none"
    assert all(one.run_s <= found.run_s for one in found.changes)
    order = [("none", "hardly", "other").index(one.effect) for one in found.changes]
    assert order == sorted(order)


def test_a_short_run_that_fits_is_left_alone() -> None:
    """Nobody asks how to make minutes shorter."""
    assert _changes(_asked("densenet121_cats_dogs", samples=2000, epochs=1.0, batch_size=8)) is None


@pytest.mark.parametrize("name", ["llm_7b_full", "llm_7b_qlora", "bert_finetuning", "resnet50_imagenet"])
def test_the_least_memory_is_less_than_that_of_any_change(name: str) -> None:
    """What trains the same is compared with what trains the same; only what is trained another way may take less."""
    found = _changes(_asked(name, batch_size=4096))
    assert found is not None
    assert found.least if found.fits is False else not found.least
    for one in found.least:
        rivals = [change for change in found.changes if change.effect == "none" or one.effect != "none"]
        same = [change.memory_bytes for change in rivals if (change.effect == "other") == (one.effect == "other")]
        plain = [change for change in same if change < one.memory_bytes * (1 - 1e-9)]
        assert not plain, (one, found.changes)


def test_the_least_of_seven_billion_parameters_by_hand() -> None:
    """Mixed precision keeps 6 bytes of weights, 4 of gradients and two moments of a byte each a parameter: 81 GB.

    What else one sample and the allocator take is less than 3 bytes a parameter.
    """
    found = _changes(_asked("llm_7b_full", precision="amp"))
    assert found is not None
    same, other = found.least
    assert same.effect == "hardly"
    assert "adamw_8bit" in same.codes
    assert BILLIONS * 1e9 * 12 < same.memory_bytes < BILLIONS * 1e9 * 15
    assert other.effect == "other"
    assert "qlora" in other.codes
    assert BILLIONS * 0.5e9 < other.memory_bytes < 12 * GIB
    assert found.shards is None, "more than eight cards of 12 GB"


def test_what_fits_only_with_several_changes_is_proposed_together() -> None:
    """GPT-2 medium in 8 GB: neither recomputing nor 8-bit moments alone are enough, both are."""
    card = msgspec.structs.replace(CARD, name="GeForce RTX 3070", memory_bytes=8 * GIB)
    job, found = _asked("gpt2_medium", batch_size=8, optimizer="adamw", precision="fp32"), machine(card)
    here = [one for one in list_candidates(found, datetime.date(2026, 11, 1)) if one.torch_device == "cuda:0"]
    work = network_of(job)
    changes = job_changes(here, predict_options(here, work, job), work, job, Observation(machine=found), resized=None)
    assert changes is not None
    alone = [one for one in changes.changes if one.effect != "other" and not one.also]
    assert not any(one.fits for one in alone)
    together = next(one for one in changes.changes if one.code == "together")
    assert together.fits
    assert set(together.also) >= {"adamw_8bit"}
    assert together.effect == "hardly"


def test_the_largest_of_the_smaller_samples_is_proposed() -> None:
    """Half of the tokens is enough here: a quarter and an eighth would be, too, and lose more."""
    found = _by_code(_asked("llm_7b_qlora", sequence_length=4096))
    assert found["sequence_length"].value == 2048


def test_a_least_memory_that_is_no_less_is_not_said() -> None:
    """LoRA is for transformers: what trains something else saves nothing for a network of convolutions."""
    found = _changes(_asked("segmentation_unet", image_size=2048))
    assert found is not None
    assert [one.effect for one in found.least] == ["hardly"]


def test_four_bits_are_not_proposed_where_sixteen_take_no_more() -> None:
    """On a card of 96 GB LoRA with activations computed again takes 55 GB, QLoRA without 88; both as long."""
    card = msgspec.structs.replace(
        CARD, name="NVIDIA RTX PRO 6000 Blackwell Workstation Edition", memory_bytes=96 * GIB
    )
    found, job = machine(card), _asked("llm_7b_full")
    work = network_of(job)
    here = [one for one in list_candidates(found, datetime.date(2026, 11, 1)) if one.torch_device == "cuda:0"]
    said = job_changes(
        here, predict_options(here, work, job), work, job, Observation(machine=found), resized=network_of
    )
    assert said is not None
    codes = [one.code for one in said.changes if one.fits]
    assert "lora" in codes
    assert "qlora" not in codes


@pytest.mark.parametrize(("run_s", "is_told"), [(0.9 * HOUR_S, True), (0.1 * HOUR_S, False)])
def test_a_job_that_may_take_more_than_an_hour_can_be_made_shorter(run_s: float, is_told: bool) -> None:
    """A check told what makes 1½ hours shorter, the next nothing of 50 minutes that may be an hour and ten."""
    found, job = machine(CARD), _asked("article_cnn", epochs=1000.0)
    here = [one for one in list_candidates(found, datetime.date(2026, 11, 1)) if one.torch_device == "cuda:0"]
    [one] = predict_options(here, network_of(job), job)
    assert one is not None
    job = msgspec.structs.replace(job, epochs=1000.0 * run_s / run_time(one, job)[0])
    taken_s, interval = run_time(one, job)
    assert taken_s < HOUR_S
    assert (interval.high > HOUR_S) is is_told
    assert (_changes(job) is not None) is is_told


@pytest.mark.parametrize(("is_default", "is_proposed"), [(False, True), (True, False)])
def test_full_precision_is_proposed_where_the_processor_computes_16_bits_in_software(
    is_default: bool, is_proposed: bool
) -> None:
    """A CNN in mixed precision took 14 hours, and 2 in fp32, of which the answer said nothing."""
    job = _asked("article_cnn", precision="amp", precision_is_default=is_default, input_kind="memory")
    found, work = machine(), network_of(job)
    benchmark = Benchmark(
        suite="quick", started_at="2026-11-28T16:00:00Z", wall_s=30.0, measurements=without_instructions()
    )
    seen = Observation(machine=found, benchmark=benchmark)
    here = [one for one in list_candidates(found, datetime.date(2026, 11, 1)) if one.torch_device == "cpu"]
    predictions = predict_options(here, work, job, seen)
    changes = job_changes(here, predictions, work, job, seen, resized=None)
    codes = {} if changes is None else {one.code: one for one in changes.changes}
    assert ("fp32" in codes) is is_proposed
    if is_proposed and changes is not None:
        assert codes["fp32"].run_s < changes.run_s / 4
        assert changes.changes[0].code == "fp32"
