"""Networks that find things in images.

What matches boxes to things depends on values, which a trace has not; the losses here cost what the scores and boxes
cost, without the matching (a few per cent of a step).
"""

import torch
from torch.nn import functional

from traced.entry import Traced
from traced.networks.benchmarks import MaskRcnn


class FasterRcnn(MaskRcnn):
    """Faster R-CNN with ResNet-50 and feature pyramid: as Mask R-CNN, without its masks."""

    def __init__(self) -> None:
        super().__init__()
        del self.mask_head, self.mask_predictor

    def forward(self, images: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return scores and boxes of the proposals, and of the boxes."""
        return self.find(images)[:3]


def _boxes_loss(output: tuple[torch.Tensor, ...], _inputs: object) -> torch.Tensor:
    proposals, classes, boxes = output
    labels = torch.empty(len(classes), dtype=torch.int64)
    found = functional.binary_cross_entropy_with_logits(proposals, torch.empty_like(proposals))
    return found + functional.cross_entropy(classes, labels) + functional.smooth_l1_loss(boxes, torch.empty_like(boxes))


NETWORKS = (
    Traced(
        name="faster_rcnn",
        family="cnn",
        build=lambda _size: FasterRcnn(),
        inputs=lambda _size, batch: torch.empty(batch, 3, 800, 1216),
        loss=_boxes_loss,
        parameters=41_757_156,
        source="torchvision, fasterrcnn_resnet50_fpn: 41.8M; images of 800 x 1,216 as detectron2 resizes COCO's",
        size=800,
        sizes=(800,),
        aliases=("fasterrcnn_resnet50_fpn", "faster_rcnn_r50_fpn"),
        libraries=("torchvision",),
    ),
)
