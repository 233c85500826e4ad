"""Image networks as torchvision and timm define them."""

from collections.abc import Callable

from torch import nn

from traced.entry import IMAGE_SIZES, Traced, images
from traced.libraries import torchvision_models as models

MODEL_CARDS = "torchvision model card, num_params (read 2026-11-21)"


def _network(
    name: str,
    parameters: int,
    *,
    layers: int,
    family: str = "cnn",
    build: Callable[[int], nn.Module] | None = None,
    size: int = 224,
    sizes: tuple[int, ...] = IMAGE_SIZES,
    step: int = 1,
    smallest: int = 32,
    aliases: tuple[str, ...] = (),
    source: str = MODEL_CARDS,
) -> Traced:
    return Traced(
        name=name,
        family=family,
        build=build or (lambda _size: models.get_model(name, weights=None)),
        inputs=images,
        parameters=parameters,
        source=source,
        size=size,
        sizes=sizes,
        step=step,
        smallest=smallest,
        layers=layers,
        aliases=aliases,
        libraries=("torchvision",),
    )


NETWORKS = (
    _network("resnet50", 25_557_032, layers=16),
    _network("densenet121", 7_978_856, layers=58),
    _network("vgg16", 138_357_544, layers=13),
)
