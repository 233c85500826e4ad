"""What learns to act: LeRobot's diffusion policy and SmolVLA as it defines them, small networks that learn by trying.

A network that learns by trying is asked for every move it makes: those passes are in its step, what the game itself
takes is not.
"""

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import torch
from lerobot.configs.types import FeatureType, PolicyFeature
from lerobot.policies.diffusion.configuration_diffusion import DiffusionConfig
from lerobot.policies.diffusion.modeling_diffusion import DiffusionModel
from lerobot.policies.smolvla import smolvlm_with_expert as vlm
from lerobot.policies.smolvla.configuration_smolvla import SmolVLAConfig
from lerobot.policies.smolvla.modeling_smolvla import VLAFlowMatching
from torch import nn
from torch.nn import functional
from transformers import SmolVLMConfig

from traced.entry import Traced

_HEIGHT, _WIDTH = 480, 640
"""Of the pictures of a robot's camera."""
_SMOLVLM2 = {
    "text_config": {
        "model_type": "llama",
        "vocab_size": 49_280,
        "hidden_size": 960,
        "intermediate_size": 2560,
        "num_hidden_layers": 32,
        "num_attention_heads": 15,
        "num_key_value_heads": 5,
        "head_dim": 64,
    },
    "vision_config": {
        "hidden_size": 768,
        "intermediate_size": 3072,
        "num_hidden_layers": 12,
        "num_attention_heads": 12,
        "image_size": 512,
        "patch_size": 16,
    },
    "scale_factor": 4,
}
_CAMERAS, _JOINTS, _WORDS = 2, 6, 48
"""Of the arms that people teach: a camera in front and one at the wrist, five joints and what grasps."""


class _Diffusion(nn.Module):
    """LeRobot's diffusion policy as it is unless told otherwise, learning from a batch."""

    def __init__(self) -> None:
        super().__init__()
        seen = PolicyFeature(FeatureType.VISUAL, (3, _HEIGHT, _WIDTH))
        state = PolicyFeature(FeatureType.STATE, (_JOINTS,))
        cameras = {f"observation.images.{number}": seen for number in range(_CAMERAS)}
        config = DiffusionConfig(
            input_features={**cameras, "observation.state": state},
            output_features={"action": PolicyFeature(FeatureType.ACTION, (_JOINTS,))},
        )
        self.policy = DiffusionModel(config)

    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the loss."""
        return self.policy.compute_loss(batch)


def _demonstrations(_size: int, batch: int) -> dict[str, Any]:
    return {
        "batch": {
            "observation.state": torch.empty(batch, 2, _JOINTS),
            "observation.images": torch.empty(batch, 2, _CAMERAS, 3, _HEIGHT, _WIDTH),
            "action": torch.empty(batch, 16, _JOINTS),
            "action_is_pad": torch.zeros(batch, 16, dtype=torch.bool),
        }
    }


def _own_loss(loss: torch.Tensor, _inputs: object) -> torch.Tensor:
    return loss.mean()


def _smolvla(_size: int) -> nn.Module:
    """Return SmolVLA without its weights and its tokenizer, which are on the Hub."""
    numbers = SimpleNamespace(tokenizer=SimpleNamespace(fake_image_token_id=0, global_image_token_id=0))
    with (
        patch.object(vlm.AutoConfig, "from_pretrained", lambda _name: SmolVLMConfig(**_SMOLVLM2)),
        patch.object(vlm.AutoProcessor, "from_pretrained", lambda _name: numbers),
    ):
        network = VLAFlowMatching(SmolVLAConfig(device="cpu", load_vlm_weights=False))
    return network.train()


def _looks(_size: int, batch: int) -> dict[str, Any]:
    return {
        "images": [torch.empty(batch, 3, 512, 512) for _ in range(_CAMERAS)],
        "img_masks": [torch.ones(batch, dtype=torch.bool) for _ in range(_CAMERAS)],
        "lang_tokens": torch.zeros(batch, _WORDS, dtype=torch.int64),
        "lang_masks": torch.ones(batch, _WORDS, dtype=torch.bool),
        "state": torch.empty(batch, 32),
        "actions": torch.empty(batch, 50, 32),
        "noise": torch.empty(batch, 50, 32),
        "time": torch.empty(batch),
    }


class _Ppo(nn.Module):
    """The two small networks of PPO (Stable-Baselines3, ``MlpPolicy``): one acts, one judges."""

    MOVES = 6
    """Of a game for each batch of 64 that is learned from: each move is learned from ten times."""

    def __init__(self, seen: int = 8, acts: int = 4) -> None:
        super().__init__()
        self.acting, self.judging = (
            nn.Sequential(nn.Linear(seen, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh()) for _ in range(2)
        )
        self.act, self.value = nn.Linear(64, acts), nn.Linear(64, 1)

    def forward(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what is thought of each act, and how good a place is; before that, play."""
        with torch.no_grad():
            for _ in range(self.MOVES):
                self._look(seen[:1])
        return self._look(seen)

    def _look(self, seen: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.act(self.acting(seen)).log_softmax(-1), self.value(self.judging(seen))


def _ppo_loss(output: tuple[torch.Tensor, torch.Tensor], _inputs: object) -> torch.Tensor:
    chances, value = output
    gain = torch.empty(len(chances))
    done = torch.empty(len(chances), 1, dtype=torch.int64)
    ratio = (chances.gather(1, done)[:, 0] - torch.empty(len(chances))).exp()
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    acted = -torch.minimum(gain * ratio, gain * ratio.clamp(0.8, 1.2)).mean()
    surprise = -(chances * chances.exp()).sum(-1).mean()
    return acted + 0.5 * functional.mse_loss(value[:, 0], torch.empty(len(value))) - 0.01 * surprise


NETWORKS = (
    Traced(
        name="diffusion_policy",
        family="unet",
        build=lambda _size: _Diffusion(),
        inputs=_demonstrations,
        loss=_own_loss,
        parameters=266_622_758,
        source="huggingface.co/lerobot/diffusion_pusht: 262,709,026 with one camera and what it moves in two "
        "directions; a second camera and six joints add 3,913,732",
        size=_WIDTH,
        sizes=(_WIDTH,),
        libraries=("lerobot", "diffusers"),
    ),
    Traced(
        name="smolvla",
        family="transformer",
        build=_smolvla,
        inputs=_looks,
        loss=_own_loss,
        parameters=450_046_176,
        source="Shukor et al. 2025, SmolVLA: 450M, of which 100M act and are trained",
        size=512,
        sizes=(512,),
        layers=16,
        libraries=("lerobot", "transformers"),
    ),
    Traced(
        name="ppo_small",
        family="cnn",
        build=lambda _size: _Ppo(),
        inputs=lambda _size, batch: torch.empty(batch, 8),
        loss=_ppo_loss,
        parameters=9_797,
        source="Stable-Baselines3, MlpPolicy for LunarLander; counted by its layers",
        sample="sequence",
        size=8,
        sizes=(8,),
        aliases=("ppo",),
    ),
)
