"""Robots: those whose numbers are those of a network traced from its own library."""

import msgspec

from advisor.catalog.described.values import Values, kind_of
from advisor.catalog.networks.tables import network
from advisor.errors import InputError
from advisor.records.job.work import Network

_ACT, _DIFFUSION, _SMOLVLA = "act", "diffusion", "smolvla"
_USUAL: dict[str, Values] = {
    _ACT: {
        "vision_backbone": "resnet18",
        "chunk_size": 100,
        "dim_model": 512,
        "n_heads": 8,
        "dim_feedforward": 3200,
        "n_encoder_layers": 4,
        "n_decoder_layers": 1,
        "use_vae": True,
        "n_vae_encoder_layers": 4,
    },
    _DIFFUSION: {
        "vision_backbone": "resnet18",
        "n_obs_steps": 2,
        "horizon": 16,
        "down_dims": [512, 1024, 2048],
        "kernel_size": 5,
        "diffusion_step_embed_dim": 128,
    },
    _SMOLVLA: {
        "chunk_size": 50,
        "freeze_vision_encoder": True,
        "train_expert_only": True,
        "num_vlm_layers": 16,
        "self_attn_every_n_layers": 2,
        "expert_width_multiplier": 0.75,
    },
}
"""What tells one from another, and what LeRobot 0.4.4 takes for what lacks."""
_NETWORKS: dict[str, tuple[str, Values]] = {
    "act_policy": (_ACT, {}),
    "diffusion_policy": (_DIFFUSION, {}),
    "smolvla": (_SMOLVLA, {}),
}


def generator_kinds() -> tuple[str, ...]:
    """Return the kinds of LeRobot of which some are known."""
    return tuple(_USUAL)


def generator(values: Values, name: str, image_size: int | None = None) -> Network:
    """Return the work of training what is known by its numbers.

    Args:
        values: Its ``config.json``, of one of ``generator_kinds``.
        name: Of the model.
        image_size: Edge of the images; None: the usual one.

    Raises:
        InputError: No network with these numbers is known, or it cannot take this size.
    """
    kind = kind_of(values)
    usual = _USUAL[kind]
    asked = usual | {key: value for key, value in values.items() if key in usual and value is not None}
    known = next((one for one, (of, own) in _NETWORKS.items() if of == kind and usual | own == asked), None)
    if known is None:
        raise InputError(
            "Of networks of the kind {kind} those like {known} are known; '{name}' has other numbers.",
            kind=kind,
            known=", ".join(one for one, (of, _own) in _NETWORKS.items() if of == kind),
            name=name,
        )
    found = network(known, image_size=image_size)
    return msgspec.structs.replace(
        found,
        name=name,
        parameter_source="counted from its config.json",
    )
