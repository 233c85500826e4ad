"""Ratios of two published figures that say one thing about the physics each, which a model without it gets wrong."""

from typing import Any, NamedTuple

import pytest

from advisor.catalog import find_device, network
from advisor.catalog.networks.attention import decompose
from advisor.predict.timing.step_time import plain_step_s, step_times
from advisor.predict.timing.step_work import product_network
from advisor.records.job.workload import Workload

LAMBDA = "https://github.com/lambdal/deeplearning-benchmark (NGC 20.10, NVIDIA's run_squad.py)"
TORCH_RATES = "https://github.com/zzc0721/torch-performance-test-data (2025)"
TIMM = "https://github.com/huggingface/pytorch-image-models (RTX 3090, mixed precision, channels last, 2022 and 2024)"
RYUJAEHUN = "https://github.com/ryujaehun/pytorch-gpu-benchmark (batch 12, fp32, 2020 and 2021)"
DEEPBENCH = "https://github.com/baidu-research/DeepBench (T4, fp16 in tensor cores)"
SWIFT = "https://github.com/modelscope/ms-swift (docs/source_en/LLM/Benchmark.md, 2024)"
PEOPLE = "https://nikolasent.github.io (2022-11-30 and 2025-02-17: timm, not compiled)"
LAMIKR = "https://github.com/lamikr/pytorch-gpu-benchmark (batch 12, fp16, 2021)"
LAMBDA_2020 = "https://github.com/lambdal/deeplearning-benchmark (NGC 20.01 to 20.10 and of 2022)"
LAMBDA_2022 = "https://github.com/lambdal/deeplearning-benchmark (2022)"
LAMBDA_2024 = "https://github.com/lambdal/deeplearning-benchmark (2022 and NGC 24.10, mixed precision)"
NANOGPT = "https://www.mintlify.com/karpathy/nanoGPT/advanced/performance (about 250 and 135 ms), read 2026-11-23"
LITGPT = "https://github.com/Lightning-AI/litgpt (tutorials/resource-tables.md, 2023-10-20)"


class Ratio(NamedTuple):
    """Seconds of a sample of one job over those of another, as published, and what a model without the physics said."""

    name: str
    source: str
    jobs: tuple[dict[str, Any], dict[str, Any]]
    measured: float
    before: float


def squad(precision: str, batch: int, *, fused: bool) -> dict[str, Any]:
    """Return the settings of fine-tuning BERT-large on an RTX 3080 in 2020."""
    return {
        "network": "bert_large",
        "device": "RTX 3080 10GB",
        "precision": precision,
        "batch_size": batch,
        "optimizer": "adamw",
        "fused_optimizer": fused,
        "sequence_length": 384,
        "attention": "decomposed",
        "framework_year": 2020,
    }


def timm(network: str, batch: int, *, task: str = "infer", year: int = 2022) -> dict[str, Any]:
    """Return the settings of timm's runs on an RTX 3090."""
    return {
        "network": network,
        "device": "RTX 3090",
        "task": task,
        "precision": "amp",
        "batch_size": batch,
        "optimizer": "sgd",
        "channels_last": True,
        "framework_year": year,
    }


def ryujaehun(network: str, device: str = "TITAN Xp") -> dict[str, Any]:
    """Return the settings of training small batches."""
    shared = {"task": "train", "precision": "fp32", "batch_size": 12, "optimizer": "none", "framework_year": 2021}
    return {"network": network, "device": device, **shared}


def people(network: str, device: str, precision: str, year: int) -> dict[str, Any]:
    """Return the settings of one person's runs of timm."""
    shared = {"task": "infer", "batch_size": 256, "optimizer": "none"}
    return {"network": network, "device": device, "precision": precision, "framework_year": year, **shared}


def tacotron(device: str, batch: int) -> dict[str, Any]:
    """Return the settings of Lambda's runs of Tacotron 2, whose many small kernels wait for the processor."""
    shared = {"precision": "amp", "optimizer": "adam", "framework_year": 2022}
    return {"network": "tacotron2", "device": device, "batch_size": batch, **shared}


def lamikr(device: str) -> dict[str, Any]:
    """Return the settings of training MNASNet in small batches, whose kernels wait for the processor."""
    shared = {"network": "mnasnet0_5", "precision": "fp16", "batch_size": 12, "optimizer": "none"}
    return {"device": device, "framework_year": 2021, **shared}


def nanogpt(*, compiled: bool) -> dict[str, Any]:
    """Return the settings of training GPT-2 with nanoGPT."""
    shared = {
        "precision": "amp",
        "batch_size": 12,
        "optimizer": "adamw",
        "fused_optimizer": True,
        "framework_year": 2023,
    }
    return {"network": "gpt2", "device": "A100 SXM4 40GB", "compiled": compiled, **shared}


def transformer_xl(device: str, batch: int, year: int, precision: str = "amp") -> dict[str, Any]:
    """Return the settings of Lambda's runs of Transformer-XL, whose vocabulary has 267,735 words."""
    shared = {"network": "transformerxl_base", "optimizer": "adam", "attention": "decomposed"}
    return {"device": device, "batch_size": batch, "framework_year": year, "precision": precision, **shared}


def photos(network: str, device: str, batch: int, year: int) -> dict[str, Any]:
    """Return the settings of Lambda's runs of networks of images; ResNet-50 with channels last."""
    shared = {"precision": "amp", "optimizer": "sgd", "channels_last": network == "resnet50"}
    return {"network": network, "device": device, "batch_size": batch, "framework_year": year, **shared}


RATIOS = (
    Ratio(
        "half-precision convolutions copy photos stored by channels into another order",
        f"{TIMM}: 3,025 photos/s by channels, 3,669 with channels last (PyTorch 1.13, both as of 2022)",
        (timm("resnet50", 1024) | {"channels_last": False}, timm("resnet50", 1024)),
        measured=1.213,
        before=1.0,
    ),
    Ratio(
        "a multiprocessor fetches so much at most, however wide the memory is",
        f"{LAMBDA_2024}: 2,790 and 3,079 images/s, where the memory of the latter is 1.43 times as wide",
        (photos("resnet50", "H100 SXM", 1280, 2024), photos("resnet50", "H200", 1280, 2024)),
        measured=1.10,
        before=1.30,
    ),
    Ratio(
        "units of a high rate get less to compute in convolutions",
        f"{LAMBDA_2024}: 236 and 865 images/s",
        (photos("ssd300", "RTX 3090", 140, 2022), photos("ssd300", "H100 SXM", 448, 2022)),
        measured=3.66,
        before=5.16,
    ),
    Ratio(
        "matrix units of the first kinds left out products with an odd extent",
        f"{LAMBDA_2020}: 9,290 tokens/s in 2020, 18,223 in 2022",
        (transformer_xl("Quadro RTX 8000", 72, 2020), transformer_xl("Quadro RTX 8000", 64, 2022)),
        measured=1.96,
        before=1.12,
    ),
    Ratio(
        "a processor of a laptop launches slower",
        f"{LAMIKR}: 42.97 and 26.63 ms",
        (lamikr("RTX 2060 Max-Q"), lamikr("RTX 3090")),
        measured=1.61,
        before=1.15,
    ),
    Ratio(
        "a compiler joins operations on single elements",
        NANOGPT,
        (nanogpt(compiled=True), nanogpt(compiled=False)),
        measured=0.54,
        before=1.00,
    ),
    Ratio(
        "matrix units have no fast algorithm for 3x3 convolutions",
        PEOPLE,
        (people("vgg16", "RTX 3090", "tf32", 2025), people("resnet50", "RTX 3090", "tf32", 2025)),
        measured=2.00,
        before=1.54,
    ),
    Ratio(
        "which convolutions in fp32 take as well",
        PEOPLE,
        (people("vgg16", "RTX 4090", "fp32", 2022), people("resnet50", "RTX 4090", "fp32", 2022)),
        measured=1.66,
        before=1.28,
    ),
    Ratio(
        "a younger card stands beside a quicker processor",
        LAMBDA_2022,
        (tacotron("H100 SXM", 256), tacotron("RTX 3090", 88)),
        measured=0.303,
        before=0.342,
    ),
    Ratio(
        "a sum of gradients is launched quicker than a convolution",
        RYUJAEHUN,
        (ryujaehun("densenet201", device="A100 SXM4 40GB"), ryujaehun("mnasnet1_0", device="A100 SXM4 40GB")),
        measured=4.47,
        before=6.67,
    ),
    Ratio(
        "kernels for groups of every width came in 2024",
        TIMM,
        (timm("regnetx_120", 1024, year=2024), timm("regnetx_160", 1024, year=2024)),
        measured=0.950,
        before=1.37,
    ),
    Ratio(
        "normalization is read more often where its gradient is needed",
        TIMM,
        (timm("mobilenet_v2", 512, task="train"), timm("mobilenet_v2", 1024)),
        measured=4.15,
        before=3.65,
    ),
    Ratio(
        "kernels for groups of channels are made for powers of two",
        TIMM,
        (timm("regnetx_160", 1024), timm("regnetx_080", 1024)),
        measured=0.841,
        before=1.876,
    ),
    Ratio(
        "many small kernels wait for the processor of people's own computers",
        RYUJAEHUN,
        (ryujaehun("mnasnet1_0"), ryujaehun("vgg19")),
        measured=0.344,
        before=0.241,
    ),
    Ratio(
        "an optimizer that is not fused",
        LAMBDA,
        (squad("tf32", 2, fused=False), squad("fp16", 4, fused=True)),
        measured=3.62,
        before=2.23,
    ),
)


def sample_s(settings: dict[str, Any]) -> float:
    """Return the time of a sample of a job."""
    settings = dict(settings)
    name, device = settings["network"], find_device(settings.pop("device"))
    net = network(name, sequence_length=settings.get("sequence_length"))
    if settings.get("attention") == "decomposed":
        net = decompose(net)
    job = Workload(id=name, title="", samples=1000, **settings)
    return plain_step_s(net, job, device) / job.batch_size


@pytest.mark.parametrize("ratio", RATIOS, ids=lambda one: one.name)
def test_a_ratio_is_nearer_than_without_its_physics(ratio: Ratio) -> None:
    """At most six tenths as far from what was published as before."""
    found = sample_s(ratio.jobs[0]) / sample_s(ratio.jobs[1])
    assert abs(found - ratio.measured) <= 0.6 * abs(ratio.before - ratio.measured)


def product_s(m: int, n: int, k: int, device: str) -> float:
    """Return the time of a product in 16 bit."""
    job = Workload(id="product", title="", network="product", samples=1, task="infer", batch_size=1, precision="fp16")
    return plain_step_s(product_network(m, n, k), job, find_device(device))


def test_a_tile_takes_its_time_however_fast_the_units_are() -> None:
    """A large product takes 102 times as long as a small one; steps alone said 188. Source: ``DEEPBENCH``."""
    assert product_s(5124, 9124, 2560, "T4") / product_s(2560, 64, 2560, "T4") == pytest.approx(102.0, rel=0.15)


@pytest.mark.parametrize(
    ("fast", "slow", "measured"),
    [("RTX 4090", "L4", 2.33), ("RTX 4090", "T4", 4.0), ("H100 PCIe", "A100 PCIe 40GB", 2.0)],
)
def test_products_go_by_class_and_power_as_somebody_measured(fast: str, slow: str, measured: float) -> None:
    """Best rates in 16 bit: a power limit costs half, not four fifths. Source: ``TORCH_RATES``."""
    ratio = product_s(8192, 8192, 8192, slow) / product_s(8192, 8192, 8192, fast)
    assert ratio == pytest.approx(measured, rel=0.15)


def tuning_s(method: str, *, device: str = "A100 SXM4 80GB", **more: Any) -> float:
    """Return the time of a step of a 7B model on an A100 without what updates it, which came once in 16 steps."""
    job = Workload(
        id="tuning",
        title="",
        network="llama_7b",
        samples=1000,
        batch_size=1,
        precision="bf16",
        optimizer="adamw",
        method=method,  # type: ignore[arg-type]
        framework_year=2023,
        **more,
    )
    times = step_times(network("llama_7b", sequence_length=1024), job, [find_device(device)], 1)
    return float((times.total - times.optimizer)[0])


def test_adapters_on_all_layers_save_little_time() -> None:
    """Adapters on all linear layers 3.22 samples/s, all parameters trained 3.30. Source: ``SWIFT``."""
    ratio = tuning_s("lora", checkpointing=True) / tuning_s("full", checkpointing=True)
    assert ratio == pytest.approx(3.30 / 3.22, rel=0.2)


def test_unpacking_four_bits_takes_longer_than_moving_them() -> None:
    """LoRA on 7B takes 2.36 min for 1,000 iterations on an A100, 3.68 min with nf4: 79 ms more. Source: ``LITGPT``."""
    more_s = tuning_s("qlora", device="A100 SXM4 40GB") - tuning_s("lora", device="A100 SXM4 40GB")
    assert more_s == pytest.approx((3.68 - 2.36) * 60 / 1000, rel=0.25)
