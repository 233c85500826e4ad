"""torchvision, importable beside a torch it was not compiled for.

WORKAROUND: its CPU build is missing for some versions of torch; without its compiled part the import fails on two
operators that no network here runs. Registering their names is enough. https://github.com/pytorch/vision/issues/8985
"""

import torch

try:
    import torchvision.models as torchvision_models
except RuntimeError:
    _LIBRARY = torch.library.Library("torchvision", "DEF")
    _LIBRARY.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    _LIBRARY.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import torchvision.models as torchvision_models

__all__ = ["NETWORKS", "torchvision_models"]

NETWORKS = ()
