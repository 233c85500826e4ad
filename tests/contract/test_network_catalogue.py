"""The shipped tables of networks: published counts, complete rows, and equal to a fresh trace of the networks."""

import importlib.util
import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from advisor.catalog.networks.tables import network, network_index
from advisor.records.job.work import Network
from advisor.resource import resource_path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = resource_path("catalog", "networks")
MAX_FOLDER_BYTES = 3_000_000
MAX_TABLE_BYTES = 60_000
MAX_PACKED_BYTES = 4_000_000
"""Of all models of timm, of which each is read by itself: about 2,400 bytes a model."""

# Parameters as published: the article's model.summary(), torchvision and timm model cards, model cards of the language
# models (exact counts of their weight files), Stable Diffusion 1.x.
PUBLISHED_PARAMETERS = {
    "article_cnn": 42_520_584,
    "densenet121": 7_978_856,
    "vgg16": 138_357_544,
    "resnet18": 11_689_512,
    "resnet34": 21_797_672,
    "resnet50": 25_557_032,
    "resnet101": 44_549_160,
    "resnet152": 60_192_808,
    "mobilenet_v2": 3_504_872,
    "mobilenet_v3_small": 2_542_856,
    "mobilenet_v3_large": 5_483_032,
    "efficientnet_b0": 5_288_548,
    "efficientnet_b3": 12_233_232,
    "convnext_tiny": 28_589_128,
    "vit_small": 22_050_664,
    "vit_base": 86_567_656,
    "bert_base": 109_482_240,
    "bert_large": 335_141_888,
    "gpt2": 124_439_808,
    "gpt2_large": 774_030_080,
    "opt_1.3b": 1_315_758_080,
    "llama_1b": 1_235_814_400,
    "llama_7b": 6_738_415_616,
    "llama_8b": 8_030_261_248,
    "llama_70b": 70_553_706_496,
    "diffusion_unet": 859_520_964,
    "sdxl_unet": 2_567_463_684,
    "flux_dev": 11_901_408_320,
    "whisper_tiny": 37_760_640,
    "whisper_small": 241_734_912,
    "whisper_large_v3": 1_543_490_560,
    "whisper_large_v3_turbo": 808_878_080,
    "vits": 83_059_180 + 47 * 192,  # as coqui-ai/TTS counts it with 131 symbols; these are 178
}
# By their layers: "Cómo elegir rápidamente una GPU para Deep Learning" and Ronneberger et al. 2015 give no count.
COUNTED_PARAMETERS = {
    "simple_cnn": (3 * 9 + 1) * 32 + (32 * 9 + 1) * 64 + (64 * 49 + 1) * 128 + (128 + 1) * 10,
    "stacked_lstm": (64 + 1 + 256 + 1) * 1024 + 2 * (256 + 1) * 1024 + (256 + 1) * 10,
    "segmentation_unet": 31_030_658,
}

# Thousand million multiply-accumulates forward, at the usual size. Source: torchvision model cards, _ops.
PUBLISHED_GMACS = {
    "resnet18": 1.814,
    "resnet50": 4.089,
    "resnet152": 11.514,
    "densenet121": 2.834,
    "vgg16": 15.470,
    "mobilenet_v2": 0.301,
    "mobilenet_v3_large": 0.217,
    "efficientnet_b0": 0.386,
    "efficientnet_b3": 1.827,
    "convnext_tiny": 4.456,
    "alexnet": 0.714,
    "googlenet": 1.498,
    "inception_v3": 5.713,
    "squeezenet1_0": 0.819,
    "wide_resnet101_2": 22.753,
}

TOTALS = (
    "saved_bytes_per_sample",
    "saved_integer_bytes_per_sample",
    "largest_bytes_per_sample",
    "peak_bytes_per_sample",
    "inference_bytes_per_sample",
)


def amount(found: Network, field: str) -> float:
    """Return the sum of a field over all operations."""
    return math.fsum(operation.count * getattr(operation, field) for operation in found.operations)


@pytest.mark.parametrize(("name", "parameters"), [*PUBLISHED_PARAMETERS.items(), *COUNTED_PARAMETERS.items()])
def test_parameters_are_the_published_ones(name: str, parameters: int) -> None:
    """To the last one."""
    assert network(name).parameters == parameters


@pytest.mark.parametrize(("name", "gmacs"), PUBLISHED_GMACS.items())
def test_products_are_the_published_ones(name: str, gmacs: float) -> None:
    """To half a per cent (one table counts resizing, another does not)."""
    products = [
        o for o in network(name).operations if o.phase == "forward" and o.kind in ("gemm", "conv", "depthwise_conv")
    ]
    assert math.fsum(o.count * o.flop_per_sample for o in products) / 2e9 == pytest.approx(gmacs, rel=0.005)


@pytest.mark.parametrize("entry", network_index(), ids=lambda entry: entry.name)
def test_every_table_is_complete(entry: object) -> None:
    """Agrees with the index, has both phases, says what made it and where its parameters are published."""
    found = network(entry.name)  # type: ignore[attr-defined]
    assert (found.name, found.family, found.parameters) == (entry.name, entry.family, entry.parameters)  # type: ignore[attr-defined]
    assert found.traced_with
    assert found.parameter_source
    assert found.family in {"cnn", "transformer", "recurrent", "unet", "detector", "classical"}
    if found.family == "classical":
        return
    assert {operation.phase for operation in found.operations} == {"forward", "backward"}
    assert found.parameter_tensors > 0
    assert 0 < found.largest_bytes_per_sample <= found.peak_bytes_per_sample
    assert 0 < found.inference_bytes_per_sample <= found.peak_bytes_per_sample
    assert 0 <= found.saved_integer_bytes_per_sample < found.saved_bytes_per_sample


@pytest.mark.parametrize("entry", network_index(), ids=lambda entry: entry.name)
def test_shapes_explain_the_products(entry: object) -> None:
    """FLOP of every matrix product and convolution follow from its shape."""
    for operation in network(entry.name).operations:  # type: ignore[attr-defined]
        total = operation.flop_per_sample + operation.flop_fixed
        if operation.kind == "gemm":
            assert total == 2 * math.prod(operation.shape)
        elif operation.kind in ("conv", "depthwise_conv"):
            c_in, c_out, kernel_h, kernel_w, height, width, groups, _ = operation.shape
            assert total == 2 * c_in // groups * c_out * kernel_h * kernel_w * height * width


def test_the_tables_are_small() -> None:
    """One loads at once, all together are no burden to a download."""
    sizes = {path.name: path.stat().st_size for path in FOLDER.iterdir()}
    assert sizes.pop("timm.zip") < MAX_PACKED_BYTES
    assert sum(sizes.values()) < MAX_FOLDER_BYTES
    assert max(sizes.values()) < MAX_TABLE_BYTES
    assert set(sizes) == {
        "index.json",
        *(f"{entry.name}.json" for entry in network_index() if entry.family != "classical"),
    }


@pytest.fixture(scope="module")
def maker() -> Iterator[ModuleType]:
    """The tool that makes the tables."""
    sys.path.insert(0, str(ROOT / "tools"))
    specification = importlib.util.spec_from_file_location("make_catalog", ROOT / "tools" / "make_catalog.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    yield module
    sys.path.remove(str(ROOT / "tools"))


def assert_equal_to_a_fresh_trace(maker: ModuleType, name: str, size: int, tolerance: float) -> None:
    """Compare table and trace of a network at a size."""
    registry, missing = maker.load_registry()
    if name not in registry:
        pytest.skip(f"needs a library for tracing: {missing}")
    entry = registry[name]
    traced = maker.trace(entry, size)
    sizes: dict[str, Any] = {"image_size" if entry.sample == "image" else "sequence_length": size}
    table = network(name, **sizes)
    assert table.parameters == traced.parameters
    for field in ("flop_per_sample", "flop_fixed", "bytes_per_sample", "bytes_fixed"):
        assert amount(table, field) == pytest.approx(amount(traced, field), rel=tolerance)
    for field in TOTALS:
        assert getattr(table, field) == pytest.approx(getattr(traced, field), rel=tolerance)
    kernels = [sum(o.count * o.kernels for o in found.operations) for found in (table, traced)]
    assert kernels[0] == kernels[1]


@pytest.mark.torch
@pytest.mark.parametrize(
    ("name", "size"),
    [("simple_cnn", 28), ("article_cnn", 150), ("resnet50", 224)],
)
def test_tables_equal_a_fresh_trace(maker: ModuleType, name: str, size: int) -> None:
    """At the usual size: nothing has been forgotten since the tables were made."""
    assert_equal_to_a_fresh_trace(maker, name, size, 0.001)


@pytest.mark.torch
@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("article_cnn", 200),
        ("resnet50", 301),
        ("densenet121", 205),
        ("stacked_lstm", 40),
        ("vit_base", 144),
        ("mobilenet_v3_small", 163),
        ("efficientnet_b0", 260),
        ("bert_base", 77),
        ("gpt2", 700),
        ("segmentation_unet", 208),
    ],
)
def test_tables_hold_at_sizes_they_were_not_traced_at(maker: ModuleType, name: str, size: int) -> None:
    """Within two per cent, memory included."""
    assert_equal_to_a_fresh_trace(maker, name, size, 0.02)


def _plain_bert() -> object:
    from transformers import BertConfig, BertModel

    return BertModel._from_config(BertConfig(), attn_implementation="eager")


@pytest.mark.torch
def test_attention_taken_apart_equals_a_trace_without_the_fused_kernel(maker: ModuleType) -> None:
    """BERT with transformers' plain attention: same products, bytes and kept tensors within two per cent."""
    registry, missing = maker.load_registry()
    if "bert_base" not in registry:
        pytest.skip(f"needs a library for tracing: {missing}")
    entry = registry["bert_base"]
    traced = maker.trace(replace(entry, build=lambda _size: _plain_bert()), 256)
    table = network("bert_base", sequence_length=256, attention="decomposed")
    for field in ("flop_per_sample", "bytes_per_sample"):
        assert amount(table, field) == pytest.approx(amount(traced, field), rel=0.02)
    for field in TOTALS:
        assert getattr(table, field) == pytest.approx(getattr(traced, field), rel=0.02)
