"""DETR and SAM, as transformers defines them and as most fine-tune them.

What matches boxes to things depends on values, which a trace has not; the losses cost what the scores, boxes and masks
cost, without the matching.
"""

from typing import Any

import torch
from torch import nn
from torch.nn import functional
from transformers import DetrConfig, DetrForObjectDetection, SamConfig, SamModel

from traced.entry import Traced

_CLASSES = 91
_SAM = {
    # Name: parameters, width, blocks, heads, blocks that see all of the image
    "sam_vit_b": (93_735_728, 768, 12, 12, (2, 5, 8, 11)),
    "sam_vit_l": (312_343_088, 1024, 24, 16, (5, 11, 17, 23)),
    "sam_vit_h": (641_090_864, 1280, 32, 16, (7, 15, 23, 31)),
}


def _detr(_size: int) -> nn.Module:
    return DetrForObjectDetection(DetrConfig(num_labels=_CLASSES))


def _found_loss(output: Any, _inputs: object) -> torch.Tensor:
    labels = torch.empty(output.logits.shape[:2], dtype=torch.int64)
    found = functional.cross_entropy(output.logits.flatten(0, 1), labels.flatten())
    return found + functional.l1_loss(output.pred_boxes, torch.empty_like(output.pred_boxes))


def _sam(name: str) -> Traced:
    parameters, width, blocks, heads, wide = _SAM[name]

    def build(_size: int) -> nn.Module:
        eyes = {
            "hidden_size": width,
            "num_hidden_layers": blocks,
            "num_attention_heads": heads,
            "global_attn_indexes": list(wide),
            "mlp_dim": 4 * width,
        }
        network = SamModel(SamConfig(vision_config=eyes))
        for part in (network.vision_encoder, network.prompt_encoder):  # what draws the mask alone is trained
            part.requires_grad_(requires_grad=False)
        return network

    return Traced(
        name=name,
        family="transformer",
        build=build,
        inputs=lambda size, batch: {
            "pixel_values": torch.empty(batch, 3, size, size),
            "input_boxes": torch.empty(batch, 1, 4),
            "multimask_output": False,
        },
        loss=_mask_loss,
        parameters=parameters,
        source=f"Kirillov et al. 2023, Segment Anything; huggingface.co/facebook/{name.replace('_', '-')}",
        size=1024,
        sizes=(1024,),
        layers=blocks,
        aliases=(name.replace("_vit_b", ""),) if name.endswith("_b") else (),
        libraries=("transformers",),
    )


def _mask_loss(output: Any, _inputs: object) -> torch.Tensor:
    masks = output.pred_masks
    truth = torch.empty_like(masks)
    overlap = 1 - (masks.sigmoid() * truth).sum() / (masks.sigmoid().sum() + truth.sum())
    return functional.binary_cross_entropy_with_logits(masks, truth) + overlap


NETWORKS = (
    Traced(
        name="detr_resnet50",
        family="transformer",
        build=_detr,
        inputs=lambda _size, batch: torch.empty(batch, 3, 800, 1216),
        loss=_found_loss,
        parameters=41_524_768,
        source="Carion et al. 2020, DETR: 41M, of which its program trains 41,302,368; images of 800 x 1,216 as COCO's",
        size=800,
        sizes=(800,),
        layers=12,
        aliases=("detr", "detr_r50"),
        libraries=("transformers", "timm"),
    ),
    *map(_sam, _SAM),
)
