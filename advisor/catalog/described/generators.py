"""Image generators of diffusers: those whose numbers are those of a network that was traced from diffusers itself."""

import msgspec

from advisor.catalog.described.values import Values
from advisor.catalog.networks.tables import network
from advisor.errors import InputError
from advisor.records.job.work import Network

_UNET, _SD3, _FLUX = "UNet2DConditionModel", "SD3Transformer2DModel", "FluxTransformer2DModel"
_USUAL: dict[str, Values] = {
    _UNET: {
        "in_channels": 4,
        "out_channels": 4,
        "block_out_channels": [320, 640, 1280, 1280],
        "layers_per_block": 2,
        "transformer_layers_per_block": 1,
        "attention_head_dim": 8,
        "cross_attention_dim": 1280,
        "use_linear_projection": False,
        "addition_embed_type": None,
        "class_embed_type": None,
    },
    _SD3: {
        "in_channels": 16,
        "patch_size": 2,
        "num_layers": 18,
        "num_attention_heads": 18,
        "attention_head_dim": 64,
        "joint_attention_dim": 4096,
        "pooled_projection_dim": 2048,
        "qk_norm": None,
        "dual_attention_layers": [],
    },
    _FLUX: {
        "in_channels": 64,
        "patch_size": 1,
        "num_layers": 19,
        "num_single_layers": 38,
        "num_attention_heads": 24,
        "attention_head_dim": 128,
        "joint_attention_dim": 4096,
        "pooled_projection_dim": 768,
    },
}
"""What tells one from another, and what diffusers 0.42 takes where the file leaves it out."""
_NETWORKS: dict[str, tuple[str, Values]] = {
    "diffusion_unet": (_UNET, {"cross_attention_dim": 768}),
    "sdxl_unet": (
        _UNET,
        {
            "block_out_channels": [320, 640, 1280],
            "transformer_layers_per_block": [1, 2, 10],
            "attention_head_dim": [5, 10, 20],
            "cross_attention_dim": 2048,
            "use_linear_projection": True,
            "addition_embed_type": "text_time",
        },
    ),
    "sd3.5_medium": (
        _SD3,
        {
            "num_layers": 24,
            "num_attention_heads": 24,
            "qk_norm": "rms_norm",
            "dual_attention_layers": list(range(13)),
        },
    ),
    "sd3.5_large": (_SD3, {"num_layers": 38, "num_attention_heads": 38, "qk_norm": "rms_norm"}),
    "flux_dev": (_FLUX, {}),
}


def generator_kinds() -> tuple[str, ...]:
    """Return the classes of diffusers of which some are known."""
    return tuple(_USUAL)


def generator(values: Values, name: str, image_size: int | None = None) -> Network:
    """Return the work of training the part of an image generator that draws.

    Args:
        values: Its ``config.json``, of one of ``generator_kinds``.
        name: Of the model.
        image_size: Edge of the images; None: the usual one.

    Raises:
        InputError: No network with these numbers is known, or it cannot take this size.
    """
    kind = str(values["_class_name"])
    usual = _USUAL[kind]
    asked = usual | {key: value for key, value in values.items() if key in usual and value is not None}
    known = next((one for one, (of, own) in _NETWORKS.items() if of == kind and usual | own == asked), None)
    if known is None:
        raise InputError(
            "Of image generators those like Stable Diffusion 1.x, XL and 3.5 and FLUX.1 are known; '{name}' has other"
            " numbers than any of them.",
            name=name,
        )
    found = network(known, image_size=image_size)
    less = _guidance(asked) if kind == _FLUX and not values.get("guidance_embeds") else 0
    return msgspec.structs.replace(
        found,
        name=name,
        parameters=found.parameters - less,
        trainable_parameters=found.trainable_parameters - less,
        parameter_source="counted from its config.json",
    )


def _guidance(numbers: Values) -> int:
    """Return the parameters of two layers that tell FLUX how closely to follow the words; schnell has none."""
    width = int(numbers["num_attention_heads"]) * int(numbers["attention_head_dim"])
    return 256 * width + width + width * width + width
