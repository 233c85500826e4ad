"""Published times of whole jobs that nothing is fitted on: none is missed by twice, the usual error is small."""

import statistics
from typing import Any

import pytest

from advisor.session.single_prediction import predict_one

NNUNET: dict[str, Any] = {"batch_size": 2, "precision": "amp", "optimizer": "sgd", "framework_year": 2020}
LARGE = NNUNET | {"batch_size": 6}
FLUX: dict[str, Any] = {"batch_size": 1, "precision": "bf16", "method": "lora", "checkpointing": True}
GLUE: dict[str, Any] = {
    "batch_size": 32,
    "precision": "fp32",
    "optimizer": "adamw",
    "sequence_length": 128,
    "method": "full",
    "framework_year": 2020,
}
EPOCH_STEPS = 250 + 50 / 3
"""250 steps, and 50 of validation (nnUNetTrainer), each a third of a step: its forward pass alone."""

# Network, device, settings, seconds of a step as published
PUBLISHED = (
    # nnU-Net, documentation/expected_epoch_times.md, liver, 3d_fullres, torch 1.7.1: seconds of an epoch
    ("nnunet_3d", "A100 SXM4 40GB", NNUNET, 44.5 / EPOCH_STEPS),
    ("nnunet_3d", "Tesla V100 SXM3 32GB", NNUNET, 75.5 / EPOCH_STEPS),
    ("nnunet_3d", "Quadro RTX 6000", NNUNET, 85.2 / EPOCH_STEPS),
    ("nnunet_3d", "TITAN RTX", NNUNET, 86.2 / EPOCH_STEPS),
    ("nnunet_3d", "GeForce RTX 2080 Ti", NNUNET, 106.8 / EPOCH_STEPS),
    ("nnunet_3d", "TITAN Xp", NNUNET, 290.9 / EPOCH_STEPS),
    ("nnunet_3d", "Tesla V100 PCIe 32GB", NNUNET, 87.2 / EPOCH_STEPS),
    # The same, "large": three times the batch
    ("nnunet_3d", "A100 SXM4 40GB", LARGE, 115.3 / EPOCH_STEPS),
    ("nnunet_3d", "Tesla V100 SXM3 32GB", LARGE, 213.3 / EPOCH_STEPS),
    ("nnunet_3d", "Tesla V100 PCIe 32GB", LARGE, 250.1 / EPOCH_STEPS),
    ("nnunet_3d", "Quadro RTX 6000", LARGE, 261.5 / EPOCH_STEPS),
    ("nnunet_3d", "TITAN RTX", LARGE, 266.7 / EPOCH_STEPS),
    # transformers, examples/pytorch/text-classification: three epochs of MNLI, two of XNLI, PyTorch 1.6
    ("bert_base", "TITAN RTX", GLUE, 9323 / 36_816),
    ("bert_base", "TITAN RTX", GLUE | {"precision": "amp"}, 4626 / 36_816),
    ("bert_base", "Tesla V100 SXM2 16GB", GLUE, 106 * 60 / 24_544),
    # github.com/ladukaraniket/596-final-project, flux-schnell-tuning: 500 steps of its sister in 16:53 and 31:49
    ("flux_dev", "A100 SXM4 80GB", FLUX, (16 * 60 + 53) / 500),
    ("flux_dev", "NVIDIA A40", FLUX, (31 * 60 + 49) / 500),
    # detectron2, MODEL_ZOO.md, faster_rcnn_R_50_FPN_1x: two images on each of eight cards, of which one is asked about
    (
        "faster_rcnn",
        "Tesla V100 SXM2 16GB",
        {"batch_size": 2, "precision": "fp32", "optimizer": "sgd", "framework_year": 2020},
        0.210,
    ),
    # detr, README: 118,287 photos in 28 minutes, two on each of eight cards, of which one is asked about
    (
        "detr_resnet50",
        "Tesla V100 SXM2 16GB",
        {"batch_size": 2, "precision": "fp32", "optimizer": "adamw", "framework_year": 2020},
        28 * 60 / 7393,
    ),
    # lerobot, docs/source/smolvla.mdx: 20,000 steps of 64 in about 3 hours; hardware_guide.mdx: an update of 32
    ("smolvla", "A100 SXM4 80GB", {"batch_size": 64, "precision": "tf32", "optimizer": "adamw"}, 3 * 3600 / 20_000),
    ("diffusion_policy", "H100 SXM 80GB", {"batch_size": 32, "precision": "tf32", "optimizer": "adam"}, 0.167),
    # github.com/jaywalnut310/vits, issue 122: 500 steps in 295 s, what waits between two epochs included; issue 184: a
    # step of 32 in 0.99 s beside eight threads, whose owner asks what is wrong with it
    (
        "vits",
        "RTX A4000",
        {"batch_size": 20, "precision": "amp", "optimizer": "adamw", "framework_year": 2022},
        0.59,
    ),
    (
        "vits",
        "Tesla V100 SXM2 16GB",
        {"batch_size": 32, "precision": "amp", "optimizer": "adamw", "framework_year": 2021},
        0.99,
    ),
)


def _ratio(network: str, device: str, settings: dict[str, Any], published_s: float) -> float:
    return predict_one(network, device, **settings).time_per_step_s / published_s


@pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: f"{row[0]} on {row[1]}, {row[2]['batch_size']}")
def test_no_published_job_is_missed_by_twice(row: tuple[str, str, dict[str, Any], float]) -> None:
    """And what ran on a card is not said to be too large for it."""
    assert 0.5 < _ratio(*row) < 2.0
    memory = predict_one(row[0], row[1], **row[2]).memory
    assert memory is not None
    assert memory.fits


def test_both_cameras_of_an_arm_are_looked_through() -> None:
    """The demonstrations of the published time have one in front and one at the wrist; with one it was half of it."""
    [row] = [row for row in PUBLISHED if row[0] == "diffusion_policy"]
    assert 0.75 < _ratio(*row) < 1.25


def test_the_usual_error_is_small() -> None:
    """Within 15 % in the median, and a little more in the mean."""
    errors = [abs(_ratio(*row) - 1) for row in PUBLISHED]
    assert statistics.median(errors) < 0.15
    assert statistics.mean(errors) < 0.17


def test_what_ran_out_of_memory_is_said_to() -> None:
    """As published: three times the batch on a card of 11 GB, and on one of 12."""
    for device in ("GeForce RTX 2080 Ti", "TITAN Xp"):
        memory = predict_one("nnunet_3d", device, **LARGE).memory
        assert memory is not None
        assert not memory.fits


ADAPTERS: dict[str, Any] = {"precision": "bf16", "sequence_length": 1304, "checkpointing": False}
"""Lightning-AI/litgpt, tutorials/resource-tables.md, 2023-10-20: Llama 2 7B with adapters on an A100 of 40 GB, the
longest sample of 1,304 tokens; what torch had given out at the fullest moment, without what the driver takes."""


@pytest.mark.parametrize(
    ("method", "batch", "published_gb"), [("lora", 1, 21.30), ("lora", 2, 29.07), ("qlora", 1, 14.14)]
)
def test_memory_of_adapters_is_as_published(method: str, batch: int, published_gb: float) -> None:
    """Frozen weights are there once, in their own format: within 12 %; with copies of all of them it was 25 %."""
    job = predict_one("llama_7b", "A100 SXM4 40GB", method=method, batch_size=batch, **ADAPTERS)
    assert job.memory is not None
    assert job.memory.fits
    allocated = job.memory.total_bytes - job.memory.context_bytes
    assert allocated / 1e9 == pytest.approx(published_gb, rel=0.12)


def test_four_long_samples_with_adapters_do_not_fit_into_40_gb() -> None:
    """As published: out of memory."""
    memory = predict_one("llama_7b", "A100 SXM4 40GB", method="lora", batch_size=4, **ADAPTERS).memory
    assert memory is not None
    assert not memory.fits
