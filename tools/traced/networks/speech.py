"""Networks that listen: Whisper and wav2vec 2.0, as transformers defines them."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional
from transformers import Wav2Vec2Config, Wav2Vec2ForCTC, WhisperConfig, WhisperForConditionalGeneration

from traced.entry import Traced, tokens
from traced.networks.language import COUNTED, next_token_loss

_FRAMES = 3000
_WORDS = 64
"""Tokens of a text that goes with 30 s of sound or less; Whisper pads the sound, not the text."""
_RATE = 16_000

# Name: parameters, width, layers on each side, heads, bins of the spectrogram, vocabulary, layers that write
_WHISPER = {
    "tiny": (37_760_640, 384, 4, 6, 80, 51_865, 4),
    "base": (72_593_920, 512, 6, 8, 80, 51_865, 6),
    "small": (241_734_912, 768, 12, 12, 80, 51_865, 12),
    "medium": (763_857_920, 1024, 24, 16, 80, 51_865, 24),
    "large_v3": (1_543_490_560, 1280, 32, 20, 128, 51_866, 32),
    "large_v3_turbo": (808_878_080, 1280, 32, 20, 128, 51_866, 4),
}


def _whisper(name: str) -> Traced:
    parameters, width, layers, heads, bins, vocabulary, writers = _WHISPER[name]

    def build(_size: int) -> nn.Module:
        config = WhisperConfig(
            vocab_size=vocabulary,
            num_mel_bins=bins,
            d_model=width,
            encoder_layers=layers,
            decoder_layers=writers,
            encoder_attention_heads=heads,
            decoder_attention_heads=heads,
            encoder_ffn_dim=4 * width,
            decoder_ffn_dim=4 * width,
        )
        return WhisperForConditionalGeneration(config)

    def inputs(_size: int, batch: int) -> dict[str, Any]:
        sound = torch.empty(batch, bins, _FRAMES)
        return {"input_features": sound, "decoder_input_ids": tokens(_WORDS, batch), "use_cache": False}

    return Traced(
        name=f"whisper_{name}",
        family="transformer",
        build=build,
        inputs=inputs,
        loss=next_token_loss,
        parameters=parameters,
        source=f"model card openai/whisper-{name.replace('_', '-')}; {COUNTED}",
        sample="sequence",
        size=_FRAMES,
        sizes=(_FRAMES,),
        layers=layers + writers,
        libraries=("transformers",),
    )


def _ctc_loss(output: Any, _inputs: Any) -> torch.Tensor:
    """Return a loss that costs what CTC's softmax does; its alignment is small."""
    scores = output.logits.flatten(0, 1)
    return functional.cross_entropy(scores, torch.empty(len(scores), dtype=torch.int64))


def _wav2vec2(_size: int) -> nn.Module:
    settings = {"vocab_size": 32, "apply_spec_augment": False, "layerdrop": 0.0, "attn_implementation": "sdpa"}
    network = Wav2Vec2ForCTC(Wav2Vec2Config(**settings))
    network.freeze_feature_encoder()
    return network


NETWORKS = (
    *map(_whisper, _WHISPER),
    Traced(
        name="wav2vec2_base",
        family="transformer",
        build=_wav2vec2,
        inputs=lambda size, batch: torch.empty(batch, size * _RATE // 50),
        loss=_ctc_loss,
        parameters=94_396_320,
        source=f"Baevski et al. 2020, wav2vec 2.0, section 4.2: 95M; {COUNTED}",
        sample="sequence",
        size=500,
        sizes=(100, 250, 500, 750, 1000),
        smallest=25,
        largest=3000,
        layers=12,
        libraries=("transformers",),
    ),
)
