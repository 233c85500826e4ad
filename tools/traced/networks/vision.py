"""Image networks as torchvision and timm define them."""

from collections.abc import Callable
from typing import Any

import timm
import torch
from torch import nn

from traced.entry import IMAGE_SIZES, Traced, images
from traced.libraries import torchvision_models as models
from traced.networks.ssd import Ssd300, multibox_loss

MODEL_CARDS = "torchvision model card, num_params (torchvision 0.28.0, read 2026-11-21)"
TIMM_CARDS = "timm model card, params (timm 1.0.31, read 2026-11-21)"
PATCHED_SIZES = (96, 128, 160, 192, 224, 256, 288, 320, 384, 512)


def network(name: str, parameters: int, layers: int | None = None, **others: Any) -> Traced:
    """Return a classifier of torchvision; ``others`` are fields of ``Traced``."""
    settings: dict[str, Any] = {
        "family": "cnn",
        "build": lambda _size: models.get_model(name, weights=None),
        "inputs": images,
        "source": MODEL_CARDS,
        "libraries": ("torchvision",),
    }
    return Traced(**{**settings, "name": name, "parameters": parameters, "layers": layers, **others})


def vision_transformer(name: str, model: str, parameters: int, layers: int, aliases: tuple[str, ...]) -> Traced:
    """Return a vision transformer of timm; its image edge is a multiple of the patch of 16."""
    return Traced(
        name=name,
        family="transformer",
        build=lambda size: timm.create_model(model, img_size=size),
        inputs=images,
        parameters=parameters,
        source=TIMM_CARDS,
        sizes=PATCHED_SIZES,
        step=16,
        smallest=32,
        largest=1024,
        layers=layers,
        aliases=aliases,
        libraries=("timm",),
    )


def on_processor(build: Callable[[], nn.Module]) -> Callable[[int], nn.Module]:
    """Return a builder that makes the module with values, for code that computes its layers from tensors."""

    def made(_size: int) -> nn.Module:
        with torch.device("cpu"):
            return build()

    return made


NETWORKS = (
    network("resnet18", 11_689_512, 8),
    network("resnet34", 21_797_672, 16),
    network("resnet101", 44_549_160, 33),
    network("resnet152", 60_192_808, 50),
    network("vgg16", 138_357_544, 13),
    network("mobilenet_v2", 3_504_872, 17),
    network("mobilenet_v3_small", 2_542_856, 11),
    network("mobilenet_v3_large", 5_483_032, 15),
    network("efficientnet_b0", 5_288_548, 16),
    network("efficientnet_b3", 12_233_232, 26, size=300, sizes=(*IMAGE_SIZES, 300)),
    network("convnext_tiny", 28_589_128, 18),
    vision_transformer("vit_small", "vit_small_patch16_224", 22_050_664, 12, ("vit_small_patch16_224", "vit_s_16")),
    vision_transformer("vit_base", "vit_base_patch16_224", 86_567_656, 12, ("vit_base_patch16_224", "vit_b_16")),
    Traced(
        name="ssd300",
        family="detector",
        build=lambda _size: Ssd300(),
        inputs=images,
        loss=multibox_loss,
        parameters=22_894_902,
        source="SSD300 v1.1 of NVIDIA DeepLearningExamples (ResNet-50 up to conv4), counted by its layers",
        size=300,
        sizes=(300,),
        layers=13,
        aliases=("ssd", "ssd300_resnet50"),
        libraries=("torchvision",),
    ),
)
