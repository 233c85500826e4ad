"""What a ``config.json`` of an encoder describes is the work of the library's own model, as traced from it.

``traced.json`` holds totals of transformers 5.23.0's own classes with random weights, traced on torch's meta device,
``steps.json`` real steps of AdamW on a processor, in 32 bit, of small ones: the tensors at the fullest moment.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from advisor.catalog.described import described_kinds, described_network
from advisor.catalog.described.generators import generator_kinds
from advisor.catalog.described.values import kind_of
from advisor.catalog.networks.tables import network
from advisor.errors import InputError
from advisor.predict.memory import footprint
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

TRACED: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "traced.json").read_text("utf-8"))
STEPS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "steps.json").read_text("utf-8"))
PRODUCTS = ("gemm", "attention", "conv", "depthwise_conv")


def products(network: Network, phase: str) -> float:
    """Return the FLOP of a phase's products for a sample."""
    work = (o for o in network.operations if o.kind in PRODUCTS and o.phase == phase)
    return sum(o.count * o.flop_per_sample for o in work)


@pytest.mark.parametrize("name", TRACED)
def test_parameters_work_and_memory_are_the_librarys(name: str) -> None:
    """Parameters equal, FLOP within 1 %, memory within 7 %, bytes moved within 10 %."""
    traced = TRACED[name]
    found = described_network(traced["config"], name, traced["size"])
    assert found.parameters == traced["parameters"]
    for phase in ("forward", "backward"):
        assert products(found, phase) == pytest.approx(traced[phase], rel=0.01)
    assert found.saved_bytes_per_sample == pytest.approx(traced["saved"], rel=0.02)
    assert found.peak_bytes_per_sample == pytest.approx(traced["peak"], rel=0.02)
    assert found.inference_bytes_per_sample == pytest.approx(traced["inference"], rel=0.07)
    moved = sum(o.count * o.bytes_per_sample for o in found.operations)
    assert moved == pytest.approx(traced["moved"], rel=0.1)


@pytest.mark.parametrize("name", STEPS)
def test_a_description_is_a_real_step_of_the_librarys_model(name: str) -> None:
    """Parameters equal, FLOP forward within 1 %, tensors within 7 %."""
    ran = STEPS[name]
    found, samples = described_network(ran["config"], name, ran["size"]), ran["batch"]
    assert found.parameters == ran["parameters"]
    forward = sum(
        o.count * (samples * o.flop_per_sample + o.flop_fixed)
        for o in found.operations
        if o.phase == "forward" and o.kind in PRODUCTS
    )
    assert forward == pytest.approx(ran["forward"], rel=0.01)
    job = Workload(id="x", title="", network="x", samples=100, batch_size=samples, optimizer="adamw")
    taken = footprint(found, job, is_cpu=True)
    assert taken.total(samples) - taken.context_bytes == pytest.approx(ran["peak"], rel=0.07)


def test_patches_have_no_gradient_of_the_image() -> None:
    """Nothing before them learns: of the two gradients of a convolution DINOv2 has one, as ViT has."""
    for kind in ("vit", "dinov2"):
        found = described_network({"model_type": kind}, "x")
        assert [o.operator for o in found.operations if o.kind == "conv"] == ["conv", "conv_weight_gradient"]


@pytest.mark.parametrize(("name", "size", "table"), [("bert_cls", 128, "bert_base"), ("vit", 224, "vit_base")])
def test_the_fullest_moments_are_those_of_a_trace(name: str, size: int, table: str) -> None:
    """With few samples the one with all gradients, with many the one with all that is kept."""
    found, traced = described_network(TRACED[name]["config"], name, size), network(table)
    for batch in (1, 4, 32):
        ours, theirs = (max(slope * batch + fixed for slope, fixed in one.moments) for one in (found, traced))
        assert ours == pytest.approx(theirs, rel=0.02)
    assert found.largest_parameter == traced.largest_parameter


@pytest.mark.parametrize(
    ("config", "parameters"),
    [
        ({"model_type": "bert", "architectures": ["BertModel"]}, 109_482_240),
        ({"model_type": "t5", "d_model": 768, "d_ff": 3072, "num_layers": 12, "num_heads": 12}, 222_903_552),
        (
            {
                "model_type": "t5",
                "d_model": 768,
                "d_ff": 2048,
                "num_layers": 12,
                "num_heads": 12,
                "feed_forward_proj": "gated-gelu",
                "tie_word_embeddings": False,
            },
            247_577_856,
        ),
        (
            {"model_type": "dinov2", "hidden_size": 1536, "num_hidden_layers": 40, "num_attention_heads": 24}
            | {"use_swiglu_ffn": True},
            1_136_480_768,
        ),
    ],
)
def test_parameters_are_the_published_ones(config: dict[str, Any], parameters: int) -> None:
    """Of bert-base, t5-base, t5-v1_1-base and dinov2-giant, as their pages on huggingface.co count them."""
    assert described_network(config, "x").parameters == parameters


def test_every_kind_is_compared() -> None:
    """No architecture is read whose work was not compared with its library's."""
    compared = [*TRACED.values(), *STEPS.values()]
    assert {kind_of(traced["config"]) for traced in compared} == set(described_kinds()) - set(generator_kinds())


@pytest.mark.parametrize(
    "change",
    [
        {"hidden_size": "wide"},
        {"hidden_size": -1},
        {"hidden_size": 10**30},
        {"num_hidden_layers": 10**6},
        {"num_attention_heads": 0},
        {"hidden_dropout_prob": 7},
        {"hidden_act": "tangent"},
        {"architectures": 5},
        {"hidden_size": 8},
        {"architectures": ["BertForSequenceClassification"], "num_labels": float("inf")},
        {"architectures": ["BertForSequenceClassification"], "num_labels": -1},
    ],
)
def test_nonsense_is_refused_in_a_sentence(change: dict[str, Any]) -> None:
    """The sentence names the model."""
    with pytest.raises(InputError, match="The description of 'mine'"):
        described_network({"model_type": "bert", **change}, "mine")


def test_an_image_model_takes_the_size_asked_for() -> None:
    """Four times the patches, and no more parameters."""
    small, large = (described_network({"model_type": "vit"}, "x", size) for size in (None, 448))
    assert (small.image_size, large.image_size) == (224, 448)
    assert products(large, "forward") > 4 * products(small, "forward")
    assert large.parameters == small.parameters


SDXL = {
    "_class_name": "UNet2DConditionModel",
    "addition_embed_type": "text_time",
    "attention_head_dim": [5, 10, 20],
    "block_out_channels": [320, 640, 1280],
    "cross_attention_dim": 2048,
    "transformer_layers_per_block": [1, 2, 10],
    "use_linear_projection": True,
    "projection_class_embeddings_input_dim": 2816,
    "down_block_types": ["DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"],
    "up_block_types": ["CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"],
}
SD35_MEDIUM = {
    "_class_name": "SD3Transformer2DModel",
    "num_layers": 24,
    "num_attention_heads": 24,
    "qk_norm": "rms_norm",
    "dual_attention_layers": list(range(13)),
}


@pytest.mark.parametrize(
    ("config", "parameters"),
    [
        (SDXL, 2_567_463_684),
        ({"_class_name": "UNet2DConditionModel", "cross_attention_dim": 768}, 859_520_964),
        ({"_class_name": "FluxTransformer2DModel", "guidance_embeds": True}, 11_901_408_320),
        ({"_class_name": "FluxTransformer2DModel", "guidance_embeds": False}, 11_891_178_560),
    ],
)
def test_an_image_generator_has_its_published_parameters(config: dict[str, Any], parameters: int) -> None:
    """SDXL, Stable Diffusion 1.x, FLUX.1 dev and schnell, as their weights hold them."""
    found = described_network(config, "mine")
    assert (found.name, found.parameters) == ("mine", parameters)
    assert found.operations


@pytest.mark.parametrize(
    ("config", "parameters"),
    [
        ({"model_type": "detr", "id2label": {str(number): "x" for number in range(91)}}, 41_524_768),
        ({"model_type": "detr", "id2label": {"0": "x", "1": "y"}}, 41_524_768 - 89 * 257),
        ({"model_type": "sam"}, 93_735_728),
        (
            {
                "model_type": "sam",
                "vision_config": {
                    "hidden_size": 1280,
                    "num_hidden_layers": 32,
                    "num_attention_heads": 16,
                    "global_attn_indexes": [7, 15, 23, 31],
                },
            },
            641_090_864,
        ),
        ({"type": "act", "chunk_size": 100}, 51_623_182),
        ({"type": "diffusion", "n_obs_steps": 2}, 266_622_758),  # 262,709,026 with one camera and two joints
        ({"type": "smolvla", "chunk_size": 50}, 450_046_176),
    ],
)
def test_what_finds_and_acts_has_its_published_parameters(config: dict[str, Any], parameters: int) -> None:
    """DETR for COCO and for two things, SAM base and huge, LeRobot's policies with their own numbers."""
    found = described_network(config, "mine")
    assert (found.name, found.parameters) == ("mine", parameters)


@pytest.mark.parametrize(
    "backbone",
    [{"backbone": "swin_tiny"}, {"backbone_config": {"model_type": "timm_backbone", "backbone": "swin_tiny"}}],
)
def test_a_detr_with_another_backbone_is_refused_in_a_sentence(backbone: dict[str, Any]) -> None:
    """It says what is known and what to do."""
    with pytest.raises(InputError, match=r"resnet152 are known, not 'swin_tiny': name a Python file"):
        described_network({"model_type": "detr"} | backbone, "mine")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"model_type": "vit", "image_size": 0, "patch_size": 0}, "above 0 is 0"),
        (
            {"model_type": "bert", "hidden_size": "wide"},
            'hidden_size must be a whole number of at least 0, and is "wide"',
        ),
        ({"model_type": "bert", "num_hidden_layers": 1.5}, "num_hidden_layers must be a whole number .* is 1.5"),
    ],
)
def test_what_is_wrong_is_said_in_no_words_of_python(config: dict[str, Any], said: str) -> None:
    """Neither "integer division or modulo by zero" nor what a comparison of a text ends with."""
    with pytest.raises(InputError, match=rf"makes no sense: .*{said}"):
        described_network(config, "mine")


@pytest.mark.parametrize("depths", [[1, 10**9], ["two", 2], 7, [2, -1]])
def test_nonsense_stages_are_refused(depths: object) -> None:
    """And nothing counts to a billion."""
    backbone = {"model_type": "resnet", "depths": depths, "hidden_sizes": [8, 8]}
    with pytest.raises(InputError, match="'mine' lacks a number"):
        described_network({"model_type": "detr", "backbone_config": backbone}, "mine")


def test_detr_is_the_table_traced_from_its_library() -> None:
    """At photos of 800 x 1,216: work within 1 %, memory within 7 %."""
    labels = {"id2label": {str(number): "x" for number in range(91)}}
    found, traced = described_network({"model_type": "detr"} | labels, "x"), network("detr_resnet50")
    for phase in ("forward", "backward"):
        assert products(found, phase) == pytest.approx(products(traced, phase), rel=0.01)
    for size in ("saved", "peak", "inference"):
        field = f"{size}_bytes_per_sample"
        assert getattr(found, field) == pytest.approx(getattr(traced, field), rel=0.07)
    assert sum(o.count * o.bytes_per_sample for o in found.operations) == pytest.approx(
        sum(o.count * o.bytes_per_sample for o in traced.operations), rel=0.02
    )


@pytest.mark.parametrize(
    ("config", "size", "table"),
    [
        ({"_class_name": "UNet2DConditionModel", "cross_attention_dim": 768}, 512, "diffusion_unet"),
        (SDXL, 1024, "sdxl_unet"),
        (SD35_MEDIUM, 1024, "sd3.5_medium"),
        ({"_class_name": "FluxTransformer2DModel", "guidance_embeds": True}, 1024, "flux_dev"),
    ],
)
def test_an_image_generator_is_the_table_traced_from_its_library(config: dict[str, Any], size: int, table: str) -> None:
    """Work within 1 %, memory of a step within 2 %, without learning within a quarter, bytes moved within 10 %."""
    found, traced = described_network(config, "x", size), network(table)
    assert (found.parameters, found.parameter_tensors) == (traced.parameters, traced.parameter_tensors)
    assert (found.image_size, found.family) == (size, traced.family)
    for phase in ("forward", "backward"):
        assert products(found, phase) == pytest.approx(products(traced, phase), rel=0.01)
    assert found.saved_bytes_per_sample == pytest.approx(traced.saved_bytes_per_sample, rel=0.02)
    assert found.peak_bytes_per_sample == pytest.approx(traced.peak_bytes_per_sample, rel=0.02)
    assert found.inference_bytes_per_sample == pytest.approx(traced.inference_bytes_per_sample, rel=0.25)
    moved, theirs = (sum(o.count * o.bytes_per_sample for o in one.operations) for one in (found, traced))
    assert moved == pytest.approx(theirs, rel=0.1)


@pytest.mark.parametrize(
    "change",
    [
        {"cross_attention_dim": "wide"},
        {"block_out_channels": 3},
        {"block_out_channels": [320, 640, 10**9]},
        {"attention_head_dim": [5, 10]},
        {"layers_per_block": 400},
        {"transformer_layers_per_block": [1, 2, 9999]},
        {"class_embed_type": "timestep"},
        {"mid_block_type": "UNetMidBlock2D"},
        {"down_block_types": ["DownBlock2D", "AttnDownBlock2D", "DownBlock2D"]},
    ],
)
def test_a_generator_of_another_kind_is_refused_in_a_sentence(change: dict[str, Any]) -> None:
    """What none of those has that were compared is not counted as if it were one of them."""
    with pytest.raises(InputError, match="The description of 'mine'"):
        described_network(SDXL | change, "mine")


def test_sam_is_the_table_traced_from_its_library() -> None:
    """Its encoder learns nothing: work within 1 %, what learns equal, memory within 3 %; no other size of picture."""
    found, traced = described_network({"model_type": "sam"}, "x"), network("sam_vit_b")
    assert (found.trainable_parameters, found.image_size) == (traced.trainable_parameters, 1024)
    for phase in ("forward", "backward"):
        assert products(found, phase) == pytest.approx(products(traced, phase), rel=0.01)
    for size in ("saved", "peak", "inference"):
        field = f"{size}_bytes_per_sample"
        assert getattr(found, field) == pytest.approx(getattr(traced, field), rel=0.03)
    assert max(found.moments)[1] == 0, "no gradients while the encoder sees the picture"
    with pytest.raises(InputError, match="image_size 512, not 1024"):
        described_network({"model_type": "sam"}, "x", 512)
