"""Networks from image to image."""

from typing import Any

import torch
from diffusers import FluxTransformer2DModel, SD3Transformer2DModel, UNet2DConditionModel
from dynamic_network_architectures.architectures.unet import PlainConvUNet
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


# --- larger generators ---


def _sdxl(_size: int) -> nn.Module:
    return UNet2DConditionModel(
        sample_size=128,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
        block_out_channels=(320, 640, 1280),
        transformer_layers_per_block=(1, 2, 10),
        attention_head_dim=(5, 10, 20),
        cross_attention_dim=2048,
        use_linear_projection=True,
        addition_embed_type="text_time",
        addition_time_embed_dim=256,
        projection_class_embeddings_input_dim=2816,
    )


def _sdxl_inputs(size: int, batch: int) -> dict[str, Any]:
    edge = size // _LATENT
    aside = {"text_embeds": torch.empty(batch, 1280), "time_ids": torch.empty(batch, 6)}
    return {
        "sample": torch.empty(batch, 4, edge, edge),
        "timestep": torch.empty(batch, dtype=torch.int64),
        "encoder_hidden_states": torch.empty(batch, _TEXT_TOKENS, 2048),
        "added_cond_kwargs": aside,
    }


_PROMPT_TOKENS, _PROMPT_WIDTH = 333, 4096
"""Of Stable Diffusion 3.5: 77 tokens of two CLIP encoders and 256 of T5, as its training script takes them."""


def _sd3(layers: int, heads: int, dual: int) -> nn.Module:
    return SD3Transformer2DModel(
        sample_size=128,
        num_layers=layers,
        attention_head_dim=64,
        num_attention_heads=heads,
        caption_projection_dim=64 * heads,
        joint_attention_dim=_PROMPT_WIDTH,
        pooled_projection_dim=2048,
        in_channels=16,
        out_channels=16,
        pos_embed_max_size=384 if dual else 192,
        qk_norm="rms_norm",
        dual_attention_layers=tuple(range(dual)),
    )


def _sd3_inputs(size: int, batch: int) -> dict[str, Any]:
    edge = size // _LATENT
    return {
        "hidden_states": torch.empty(batch, 16, edge, edge),
        "encoder_hidden_states": torch.empty(batch, _PROMPT_TOKENS, _PROMPT_WIDTH),
        "pooled_projections": torch.empty(batch, 2048),
        "timestep": torch.empty(batch, dtype=torch.int64),
    }


def _flux(_size: int) -> nn.Module:
    return FluxTransformer2DModel(guidance_embeds=True)


def _flux_inputs(size: int, batch: int) -> dict[str, Any]:
    patches, words = (size // (2 * _LATENT)) ** 2, 512
    return {
        "hidden_states": torch.empty(batch, patches, 64),
        "encoder_hidden_states": torch.empty(batch, words, 4096),
        "pooled_projections": torch.empty(batch, 768),
        "timestep": torch.empty(batch),
        "guidance": torch.empty(batch),
        "img_ids": torch.empty(patches, 3),
        "txt_ids": torch.empty(words, 3),
    }


def _generator(name: str, build: Any, inputs: Any, parameters: int, source: str, **others: Any) -> Traced:
    settings: dict[str, Any] = {"family": "transformer", "size": 1024, "sizes": (1024,)}
    return Traced(
        **settings | others,
        name=name,
        build=build,
        inputs=inputs,
        loss=_noise_loss,
        parameters=parameters,
        source=source,
        step=64,
        smallest=256,
        libraries=("diffusers",),
    )


# --- medical images ---


def _nnunet(patch: tuple[int, ...], strides: list[int]) -> nn.Module:
    """Return the U-Net that nnU-Net plans: instance norms, widths doubled up to a limit, a loss at every level."""
    is_flat = len(patch) == 2
    widths = [min(32 * 2**level, 512 if is_flat else 320) for level in range(len(strides))]
    return PlainConvUNet(
        input_channels=1,
        n_stages=len(strides),
        features_per_stage=widths,
        conv_op=nn.Conv2d if is_flat else nn.Conv3d,
        kernel_sizes=3,
        strides=strides,
        n_conv_per_stage=2,
        num_classes=3,
        n_conv_per_stage_decoder=2,
        conv_bias=True,
        norm_op=nn.InstanceNorm2d if is_flat else nn.InstanceNorm3d,
        norm_op_kwargs={"affine": True},
        nonlin=nn.LeakyReLU,
        nonlin_kwargs={"inplace": True},
        deep_supervision=True,
    )


def _levels_loss(levels: Any, _inputs: Any) -> torch.Tensor:
    """Return cross-entropy and Dice at every level."""
    losses = []
    for scores in levels:
        targets = torch.empty((scores.shape[0], *scores.shape[2:]), dtype=torch.int64)
        shares = scores.softmax(1)
        axes = tuple(range(2, scores.ndim))
        wanted = torch.empty_like(shares)
        common = (shares * wanted).sum(axes)
        dice = (2 * common + 1e-5) / (shares.sum(axes) + wanted.sum(axes) + 1e-5)
        losses.append(nn.functional.cross_entropy(scores, targets) - dice.mean())
    return torch.stack(losses).sum()


def _segmenter(
    name: str, patch: tuple[int, ...], levels: int, parameters: int, aliases: tuple[str, ...] = ()
) -> Traced:
    """Return an entry for one channel and three classes, as the liver's."""
    return Traced(
        name=name,
        family="unet",
        build=lambda _size: _nnunet(patch, [1] + [2] * (levels - 1)),
        inputs=lambda _size, batch: torch.empty(batch, 1, *patch),
        loss=_levels_loss,
        parameters=parameters,
        source="Isensee et al., nnU-Net, Nature Methods 2021, as nnunetv2 2.8.1 plans it for the liver: "
        f"patch {' x '.join(map(str, patch))}; counted by its layers (dynamic-network-architectures)",
        size=patch[-1],
        sizes=(patch[-1],),
        aliases=aliases,
        libraries=("dynamic_network_architectures",),
    )


NETWORKS = (
    _generator(
        "sdxl_unet",
        _sdxl,
        _sdxl_inputs,
        2_567_463_684,
        "Podell et al. 2023, SDXL, table 1: 2.6B; counted from its published configuration",
        family="unet",
        layers=70,
        aliases=("sdxl", "stable_diffusion_xl"),
    ),
    _generator(
        "sd3.5_medium",
        lambda _size: _sd3(24, 24, 13),
        _sd3_inputs,
        2_243_171_520,
        "model card stabilityai/stable-diffusion-3.5-medium: 2.5B with its text projections; counted from its "
        "published configuration",
        layers=24,
        aliases=("sd35_medium", "stable_diffusion_3.5_medium"),
    ),
    _generator(
        "sd3.5_large",
        lambda _size: _sd3(38, 38, 0),
        _sd3_inputs,
        8_056_627_520,
        "model card stabilityai/stable-diffusion-3.5-large: 8.1B; counted from its published configuration",
        layers=38,
        aliases=("sd35_large", "stable_diffusion_3.5_large", "sd3.5"),
    ),
    _generator(
        "flux_dev",
        _flux,
        _flux_inputs,
        11_901_408_320,
        "model card black-forest-labs/FLUX.1-dev: 12B; counted from its published configuration",
        layers=57,
        aliases=("flux", "flux.1_dev", "flux1"),
    ),
    _segmenter("nnunet_3d", (128, 128, 128), 6, 31_196_399, ("nnunet", "nnunet_3d_fullres")),
    _segmenter("nnunet_2d", (512, 512), 8, 46_326_581),
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
