"""SSD300 with a ResNet-50 in front, as NVIDIA's training examples define it and Lambda's benchmarks ran it.

Source: NVIDIA DeepLearningExamples, PyTorch/Detection/SSD, ssd/model.py (read 2026-11-21); Liu et al., SSD, ECCV 2016.
"""

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from traced.libraries import torchvision_models as models

CLASSES = 81
_CHANNELS = (1024, 512, 512, 256, 256, 256)
_NARROW = (256, 256, 128, 128, 128)
_BOXES = (4, 6, 6, 6, 4, 4)


class Ssd300(nn.Module):
    """Backbone to conv4 without its last halving, five additional blocks, one pair of heads for each of six scales."""

    def __init__(self) -> None:
        super().__init__()
        backbone = models.resnet50(weights=None)
        conv4 = backbone.layer3[0]
        conv4.conv1.stride = conv4.conv2.stride = conv4.downsample[0].stride = (1, 1)
        stem = (backbone.conv1, backbone.bn1, backbone.relu, backbone.maxpool)
        self.backbone = nn.Sequential(*stem, backbone.layer1, backbone.layer2, backbone.layer3)
        self.additional = nn.ModuleList(
            _additional(_CHANNELS[index], narrow, _CHANNELS[index + 1], halves=index < 3)
            for index, narrow in enumerate(_NARROW)
        )
        heads = list(zip(_CHANNELS, _BOXES, strict=True))
        self.locations = nn.ModuleList(nn.Conv2d(width, boxes * 4, 3, padding=1) for width, boxes in heads)
        self.confidences = nn.ModuleList(nn.Conv2d(width, boxes * CLASSES, 3, padding=1) for width, boxes in heads)

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return locations (batch, 4, boxes) and confidences (batch, classes, boxes)."""
        maps = [self.backbone(images)]
        for block in self.additional:
            maps.append(block(maps[-1]))
        batch = images.shape[0]
        locations = [head(scale).reshape(batch, 4, -1) for head, scale in zip(self.locations, maps, strict=True)]
        scores = [head(scale).reshape(batch, CLASSES, -1) for head, scale in zip(self.confidences, maps, strict=True)]
        return torch.cat(locations, 2).contiguous(), torch.cat(scores, 2).contiguous()


def _additional(width: int, narrow: int, out: int, *, halves: bool) -> nn.Sequential:
    stride, padding = (2, 1) if halves else (1, 0)
    return nn.Sequential(
        nn.Conv2d(width, narrow, 1, bias=False),
        nn.BatchNorm2d(narrow),
        nn.ReLU(inplace=True),
        nn.Conv2d(narrow, out, 3, stride, padding, bias=False),
        nn.BatchNorm2d(out),
        nn.ReLU(inplace=True),
    )


def multibox_loss(output: tuple[torch.Tensor, torch.Tensor], _inputs: Any) -> torch.Tensor:
    """Return smooth L1 of the boxes and cross-entropy of the classes, hard negatives found by two sorts."""
    locations, scores = output
    labels = torch.empty((scores.shape[0], scores.shape[2]), dtype=torch.int64)
    is_object = labels > 0
    near = functional.smooth_l1_loss(locations, torch.empty_like(locations), reduction="none").sum(1)
    near = (is_object.float() * near).sum(1)
    confidence = functional.cross_entropy(scores, labels, reduction="none")
    _, order = confidence.detach().sort(1, descending=True)
    _, rank = order.sort(1)
    negatives = rank < (3 * is_object.sum(1)).clamp(max=labels.shape[1]).unsqueeze(-1)
    far = (confidence * (is_object.float() + negatives.float())).sum(1)
    return (near + far).mean()
