"""Networks that are no language models, by the ``config.json`` of their library: as tables of operations.

A description is one function that adds the layers of a ``model_type``; tests compare each with the library's own model.
"""

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from advisor.catalog.described import detectors, drawers, images, sam, speech, texts, unet
from advisor.catalog.described.generators import generator, generator_kinds
from advisor.catalog.described.values import Numbers, Values, kind_of
from advisor.catalog.description_faults import FAULTS, senseless
from advisor.catalog.networks import parts
from advisor.catalog.networks.layer_tally import LayerTally, Tensor
from advisor.records.job.work import Network

_TEXT_TOKENS = 512
_FRAMES = 500
_OF_LATENT = 8
"""Pixels of an edge that one cell of a latent stands for (Rombach et al. 2022)."""


@dataclass(frozen=True, kw_only=True)
class _Kind:
    """How a ``model_type`` is described.

    Attributes:
        add: Adds its layers.
        usual: What its library takes for what the file leaves out.
        reads: What goes in.
        family: Of its networks.
    """

    add: Callable[[Numbers, LayerTally], None]
    usual: Values
    reads: str = "text"
    family: str = "transformer"


_KINDS = {
    "bert": _Kind(add=texts.bert, usual=texts.BERT),
    "roberta": _Kind(add=texts.bert, usual=texts.ROBERTA),
    "xlm-roberta": _Kind(add=texts.bert, usual=texts.BERT),
    "electra": _Kind(add=texts.bert, usual=texts.ELECTRA),
    "distilbert": _Kind(add=texts.distilbert, usual=texts.DISTILBERT),
    "deberta-v2": _Kind(add=texts.deberta, usual=texts.DEBERTA),
    "modernbert": _Kind(add=texts.modernbert, usual=texts.MODERNBERT),
    "t5": _Kind(add=texts.t5, usual=texts.T5),
    "vit": _Kind(add=images.vit, usual=images.VIT, reads="image"),
    "deit": _Kind(add=images.vit, usual=images.VIT, reads="image"),
    "dinov2": _Kind(add=images.dinov2, usual=images.DINOV2, reads="image"),
    "clip": _Kind(add=images.clip, usual={"projection_dim": 512}, reads="image"),
    "siglip": _Kind(add=images.siglip, usual={}, reads="image"),
    "detr": _Kind(add=detectors.detr, usual=detectors.DETR, reads="photo"),
    "sam": _Kind(add=sam.sam, usual={}, reads="picture"),
    "UNet2DConditionModel": _Kind(add=unet.unet, usual=unet.UNET, reads="latent", family="unet"),
    "SD3Transformer2DModel": _Kind(add=drawers.sd3, usual=drawers.SD3, reads="latent"),
    "FluxTransformer2DModel": _Kind(add=drawers.flux, usual=drawers.FLUX, reads="latent"),
    "whisper": _Kind(add=speech.whisper, usual=speech.WHISPER, reads="spectrum"),
    "wav2vec2": _Kind(add=speech.wav2vec2, usual=speech.WAV2VEC2, reads="sound"),
}


def described_kinds() -> tuple[str, ...]:
    """Return every ``model_type`` that is described here, and every class and kind that is known by its numbers."""
    return *_KINDS, *generator_kinds()


def described_network(values: Values, name: str, size: int | None = None) -> Network:
    """Return the work of training what a ``config.json`` describes.

    Args:
        values: What the file holds, of one of ``described_kinds``.
        name: Of the model.
        size: Tokens or frames of a sample, or the edge of an image; None: the usual one.

    Raises:
        InputError: A number is missing, or makes no sense; no image generator has these numbers.
    """
    if kind_of(values) in generator_kinds():
        return generator(values, name, size)
    kind = _KINDS[kind_of(values)]
    try:
        numbers = Numbers(values, kind.usual)
        given, extent = _input(kind, numbers, size)
        tally = LayerTally(given)
        kind.add(numbers, tally)
        (parts.squared_error if kind.reads in ("latent", "picture") else parts.cross_entropy)(tally)
        network = tally.network(name, kind.family)
    except FAULTS as error:
        raise senseless(name, error) from error
    is_image = kind.reads in ("image", "photo", "latent", "picture")
    layers = sum(o.count for o in network.operations if o.kind == "attention" and o.phase == "forward")
    return msgspec.structs.replace(
        network,
        sample="image" if is_image else "sequence",
        image_size=extent if is_image else None,
        sequence_length=None if is_image else extent,
        layers=max(1, layers),
        traced_with="counted from its config.json",
        parameter_source="counted from its config.json",
    )


def _input(kind: _Kind, numbers: Numbers, size: int | None) -> tuple[Tensor, int]:
    """Return what goes in, and its tokens, frames or edge."""
    if kind.reads == "text":
        steps = size or min(_TEXT_TOKENS, numbers.first("max_position_embeddings", "n_positions") or _TEXT_TOKENS)
        return Tensor((steps,), 8), steps
    if kind.reads == "spectrum":
        frames = 2 * numbers["max_source_positions"]
        return Tensor((numbers["num_mel_bins"], 1, frames)), frames
    if kind.reads == "sound":
        frames = size or _FRAMES
        return Tensor((1, 1, frames * speech.SAMPLES_OF_FRAME)), frames
    return _image(kind, numbers, size)


def _image(kind: _Kind, numbers: Numbers, size: int | None) -> tuple[Tensor, int]:
    """Return what goes in where it is an image, and its edge."""
    if kind.reads == "photo":
        height, width = detectors.PHOTO
        edge = size or height
        return Tensor((3, edge, 32 * round(edge * width / height / 32))), edge
    if kind.reads == "latent":
        edge = size or _OF_LATENT * numbers["sample_size"]
        cells = 8 * max(1, round(edge / _OF_LATENT / 8))  # the U-Net halves it three times
        channels = numbers["in_channels"] // (4 if kind.add is drawers.flux else 1)
        return Tensor((channels, cells, cells)), edge
    if kind.reads == "picture":
        edge = sam.edge_of(numbers)
        if size not in (None, edge):
            raise ValueError(f"image_size {size}, not {edge}")
        return Tensor((3, edge, edge)), edge
    edge = size or images.edge_of(numbers)
    return Tensor((3, edge, edge)), edge
