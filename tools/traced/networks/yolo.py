"""Detectors as Ultralytics defines them.

What matches boxes to things depends on values, which a trace has not: the loss is one over all that is put out.
"""

from collections.abc import Callable

from torch import nn
from ultralytics.nn.tasks import DetectionModel, RTDETRDetectionModel

from traced.entry import Traced, images
from traced.networks.vision import on_processor

_SIZES = (320, 416, 512, 640, 800, 960, 1280)
_SMALL = ("yolo11n", "yolo11s", "rtdetr_l")
"""Traced at all sizes; a size of the others takes minutes."""

# Name: parameters as built with 80 classes, layers, and as published in docs.ultralytics.com/models/yolo11
_YOLO11 = {
    "n": (2_624_080, "2.6M"),
    "s": (9_458_752, "9.4M"),
    "m": (20_114_688, "20.1M"),
    "l": (25_372_160, "25.3M"),
    "x": (56_966_176, "56.9M"),
}


def _detector(name: str, model: type[nn.Module], parameters: int, source: str, aliases: tuple[str, ...]) -> Traced:
    build: Callable[[int], nn.Module] = on_processor(lambda: model(f"{name.replace('_', '-')}.yaml", verbose=False))
    return Traced(
        name=name,
        family="cnn",
        build=build,
        inputs=images,
        parameters=parameters,
        source=source,
        size=640,
        sizes=_SIZES if name in _SMALL else (640,),
        step=32,
        smallest=64,
        aliases=aliases,
        libraries=("ultralytics",),
    )


def _yolo11(letter: str) -> Traced:
    parameters, published = _YOLO11[letter]
    source = f"docs.ultralytics.com/models/yolo11 (read 2026-11-23): {published}; counted from its configuration"
    return _detector(f"yolo11{letter}", DetectionModel, parameters, source, (f"yolov11{letter}",))


NETWORKS = (
    *map(_yolo11, _YOLO11),
    _detector(
        "rtdetr_l",
        RTDETRDetectionModel,
        32_970_476,
        "docs.ultralytics.com/models/rtdetr (read 2026-11-23): 32M; counted from its configuration",
        ("rtdetr",),
    ),
)
