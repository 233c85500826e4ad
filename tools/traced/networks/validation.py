"""Networks of published measurements, kept to check predictions; not offered to people."""

from dataclasses import replace
from functools import partial
from typing import Any

import timm
import torch
from transformers import BertConfig, BertForPreTraining

from traced.entry import IMAGE_SIZES, Traced, images, tokens
from traced.libraries import torchvision_models as models
from traced.networks.benchmarks import (
    MEL_CHANNELS,
    WAVEGLOW_SAMPLES,
    Gnmt,
    MaskRcnn,
    Tacotron2,
    TransformerXl,
    Waveglow,
    detection_loss,
    tacotron2_loss,
    waveglow_loss,
)
from traced.networks.language import SEQUENCES, decoder
from traced.networks.vision import TIMM_CARDS, network

EXAMPLES = "NVIDIA DeepLearningExamples with the sizes of Lambda's scripts (read 2026-11-21); counted by its layers"


def one_size(name: str, parameters: int, size: int = 224, **others: Any) -> Traced:
    """Return a classifier of torchvision at the one size it was measured at."""
    return network(name, parameters, size=size, sizes=(size,), validation_only=True, **others)


def of_timm(name: str, parameters: int, size: int = 224, **others: Any) -> Traced:
    """Return a classifier of timm at the one size it was measured at."""
    return Traced(
        name=name,
        family="cnn",
        build=lambda size: _timm_model(name, size),
        inputs=images,
        parameters=parameters,
        source=TIMM_CARDS,
        size=size,
        sizes=(size,),
        validation_only=True,
        libraries=("timm",),
        **others,
    )


def _timm_model(name: str, size: int) -> torch.nn.Module:
    try:
        return timm.create_model(name, img_size=size)
    except TypeError:  # convolutional models take every size and no such argument
        return timm.create_model(name)


def any_of_timm(text: str) -> Traced:
    """Return a model of timm at its own image edge, or at the one after an ``@``; its parameters are not checked."""
    name, _, edge = text.partition("@")
    size = int(edge) if edge else timm.get_pretrained_cfg(name, allow_unregistered=False).input_size[-1]
    return replace(of_timm(name, 0, size), parameters=None, name=f"{name}@{size}")


def job(name: str, parameters: int | None, build: Any, inputs: Any, **others: Any) -> Traced:
    """Return a training job of NVIDIA's examples."""
    size = others["size"]
    settings = {"sizes": (size,), "source": EXAMPLES, "validation_only": True}
    given = {"name": name, "parameters": parameters, "build": lambda _size: build(), "inputs": inputs, **others}
    return Traced(**{**settings, **given})


def _masked_words_loss(output: Any, _inputs: Any) -> torch.Tensor:
    scores = output.prediction_logits.flatten(0, 1)
    return torch.nn.functional.cross_entropy(scores, torch.empty(len(scores), dtype=torch.int64))


def _with_memory(layers: int, width: int) -> Any:
    return lambda size, batch: (tokens(size, batch), torch.empty(layers, batch, size, width))


def _two_losses(output: Any, _inputs: Any) -> torch.Tensor:
    targets = torch.empty(len(output.logits), dtype=torch.int64)
    main, aside = (torch.nn.functional.cross_entropy(scores, targets) for scores in (output.logits, output.aux_logits))
    return main + 0.4 * aside


def _inception() -> torch.nn.Module:
    return models.inception_v3(weights=None, init_weights=False)


_TORCHVISION = {
    "alexnet": 61_100_840,
    "vgg11": 132_863_336,
    "vgg11_bn": 132_868_840,
    "vgg13": 133_047_848,
    "vgg13_bn": 133_053_736,
    "vgg16_bn": 138_365_992,
    "vgg19": 143_667_240,
    "vgg19_bn": 143_678_248,
    "resnext50_32x4d": 25_028_904,
    "resnext101_32x8d": 88_791_336,
    "wide_resnet50_2": 68_883_240,
    "wide_resnet101_2": 126_886_696,
    "densenet161": 28_681_000,
    "densenet169": 14_149_480,
    "densenet201": 20_013_928,
    "squeezenet1_0": 1_248_424,
    "squeezenet1_1": 1_235_496,
    "mnasnet0_5": 2_218_512,
    "mnasnet0_75": 3_170_208,
    "mnasnet1_0": 4_383_312,
    "mnasnet1_3": 6_282_256,
    "shufflenet_v2_x0_5": 1_366_792,
    "shufflenet_v2_x1_0": 2_278_604,
    "shufflenet_v2_x1_5": 3_503_624,
    "shufflenet_v2_x2_0": 7_393_996,
}
_EFFICIENTNETS = {
    "efficientnet_b1": (7_794_184, 240),
    "efficientnet_b2": (9_109_994, 260),
    "efficientnet_b4": (19_341_616, 380),
    "efficientnet_b5": (30_389_784, 456),
}
_TIMM = {
    "regnetx_002": 2_684_792,
    "regnetx_004": 5_157_512,
    "regnetx_006": 6_196_040,
    "regnetx_008": 7_259_656,
    "regnetx_016": 9_190_136,
    "regnetx_032": 15_296_552,
    "regnetx_040": 22_118_248,
    "regnetx_064": 26_209_256,
    "regnetx_080": 39_572_648,
    "regnetx_120": 46_106_056,
    "regnetx_160": 54_278_536,
    "regnetx_320": 107_811_560,
    "regnety_002": 3_162_996,
    "regnety_004": 4_344_144,
    "regnety_006": 6_055_160,
    "regnety_008": 6_263_168,
    "regnety_016": 11_202_430,
    "regnety_032": 19_436_338,
    "regnety_040": 20_646_656,
    "regnety_064": 30_583_252,
    "regnety_080": 39_180_068,
    "regnety_120": 51_822_544,
    "regnety_160": 83_590_140,
    "regnety_320": 145_046_770,
    "resnext101_32x4d": 44_177_704,
}

NETWORKS = (
    *(one_size(name, parameters) for name, parameters in _TORCHVISION.items()),
    *(one_size(name, parameters, size) for name, (parameters, size) in _EFFICIENTNETS.items()),
    *(of_timm(name, parameters) for name, parameters in _TIMM.items()),
    one_size("googlenet", 6_624_904, build=lambda _size: models.googlenet(aux_logits=False, init_weights=False)),
    one_size("inception_v3", 27_161_264, 299, build=lambda _size: _inception(), loss=_two_losses),
    one_size(
        "resnet200",
        64_673_832,
        build=lambda _size: models.ResNet(models.resnet.Bottleneck, [3, 24, 36, 3]),
        source="He et al. 2016, Identity Mappings; counted by its layers",
    ),
    one_size(
        "resnext152_32x4d",
        59_951_400,
        build=lambda _size: models.ResNet(models.resnet.Bottleneck, [3, 8, 36, 3], groups=32, width_per_group=4),
        source="pycls model zoo, ResNeXt-152; counted by its layers",
    ),
    decoder(
        "bert_large_pretraining",
        336_226_108,
        lambda: BertForPreTraining(
            BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
        ),
        layers=24,
        inputs=lambda size, batch: {"input_ids": tokens(size, batch)},
        size=512,
        sizes=SEQUENCES,
        largest=512,
        loss=_masked_words_loss,
        source="bert-large with the head that predicts masked words, as NeuSight trained it; counted by its layers",
        validation_only=True,
    ),
    job(
        "gnmt",
        159_593_523,
        Gnmt,
        tokens,
        family="recurrent",
        sample="sequence",
        size=24,
        sizes=(8, 16, 24, 36, 50),
        smallest=2,
        layers=8,
        largest=None,
    ),
    job(
        "tacotron2",
        28_193_153,
        Tacotron2,
        lambda size, batch: torch.empty(batch, size, MEL_CHANNELS),
        family="recurrent",
        sample="sequence",
        size=840,
        loss=tacotron2_loss,
    ),
    job(
        "waveglow",
        267_999_848,
        Waveglow,
        lambda size, batch: (torch.empty(batch, MEL_CHANNELS, -(-size // 256)), torch.empty(batch, size)),
        family="cnn",
        sample="sequence",
        size=WAVEGLOW_SAMPLES,
        loss=waveglow_loss,
        layers=12,
    ),
    job(
        "transformerxl_base",
        191_948_759,
        partial(TransformerXl, layers=16, width=512, heads=8, dropout=0.1, attention_dropout=0.0),
        _with_memory(16, 512),
        family="transformer",
        sample="sequence",
        size=192,
        layers=16,
    ),
    job(
        "transformerxl_large",
        519_963_095,
        partial(TransformerXl, layers=18, width=1024, heads=16, dropout=0.2, attention_dropout=0.2),
        _with_memory(18, 1024),
        family="transformer",
        sample="sequence",
        size=256,
        layers=18,
    ),
    job(
        "mask_rcnn",
        44_400_693,
        MaskRcnn,
        lambda size, batch: torch.empty(batch, 3, size, size * 3 // 2),
        family="detector",
        size=800,
        loss=detection_loss,
        layers=16,
        aliases=("maskrcnn",),
        libraries=("torchvision",),
    ),
)
__all__ = ["IMAGE_SIZES", "NETWORKS"]
