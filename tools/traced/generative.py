"""Networks from image to image."""

from typing import Any

import torch
from diffusers import UNet2DConditionModel
from torch import nn

from traced.entry import Traced

_LATENT = 8
_TEXT_TOKENS = 77
_TEXT_WIDTH = 768


class SegmentationUnet(nn.Module):
    """The U-Net of Ronneberger et al. 2015, convolutions padded so that output and input have the same size."""

    def __init__(self, channels: int = 1, classes: int = 2, width: int = 64) -> None:
        super().__init__()
        widths = [width * 2**level for level in range(5)]
        self.down = nn.ModuleList(_double(before, after) for before, after in zip([channels, *widths], widths))  # noqa: B905
        self.pool = nn.MaxPool2d(2)
        pairs = list(zip(widths[:0:-1], widths[-2::-1], strict=True))
        self.grow = nn.ModuleList(nn.ConvTranspose2d(before, after, 2, stride=2) for before, after in pairs)
        self.up = nn.ModuleList(_double(before, after) for before, after in pairs)
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, classes, height, width)."""
        kept = []
        for level, block in enumerate(self.down):
            images = block(images if level == 0 else self.pool(images))
            kept.append(images)
        for grow, block, skip in zip(self.grow, self.up, kept[-2::-1], strict=True):
            images = block(torch.cat([skip, grow(images)], dim=1))
        scores: torch.Tensor = self.head(images)
        return scores


def _double(before: int, after: int) -> nn.Sequential:
    first = nn.Conv2d(before, after, 3, padding=1)
    return nn.Sequential(first, nn.ReLU(inplace=True), nn.Conv2d(after, after, 3, padding=1), nn.ReLU(inplace=True))


def _pixel_loss(scores: torch.Tensor, _inputs: Any) -> torch.Tensor:
    targets = torch.empty((scores.shape[0], *scores.shape[2:]), dtype=torch.int64)
    return nn.functional.cross_entropy(scores, targets)


def _noise_loss(output: Any, _inputs: Any) -> torch.Tensor:
    return nn.functional.mse_loss(output.sample, torch.empty_like(output.sample))


def _latents(size: int, batch: int) -> dict[str, torch.Tensor]:
    edge = size // _LATENT
    return {
        "sample": torch.empty(batch, 4, edge, edge),
        "timestep": torch.empty(batch, dtype=torch.int64),
        "encoder_hidden_states": torch.empty(batch, _TEXT_TOKENS, _TEXT_WIDTH),
    }


NETWORKS = (
    Traced(
        name="diffusion_unet",
        family="unet",
        build=lambda _size: UNet2DConditionModel(cross_attention_dim=_TEXT_WIDTH),
        inputs=_latents,
        loss=_noise_loss,
        parameters=859_520_964,
        source="Stable Diffusion 1.x, U-Net: 860M in its model card; counted from its published configuration",
        size=512,
        sizes=(256, 320, 384, 448, 512, 576, 640, 768, 896, 1024),
        step=64,
        smallest=128,
        largest=2048,
        layers=16,
        aliases=("stable_diffusion", "sd_unet"),
        libraries=("diffusers",),
    ),
    Traced(
        name="segmentation_unet",
        family="unet",
        build=lambda _size: SegmentationUnet(),
        inputs=lambda size, batch: torch.empty(batch, 1, size, size),
        loss=_pixel_loss,
        parameters=31_030_658,
        source="Ronneberger et al., U-Net, MICCAI 2015, figure 1; counted by its layers",
        size=512,
        sizes=(64, 96, 128, 160, 192, 256, 320, 384, 512, 640),
        step=16,
        smallest=32,
        largest=4096,
        layers=9,
        aliases=("unet",),
    ),
)
