"""How well predictions held on public measurements: the file that ``tools/fit/validate.py`` writes, read strictly."""

from functools import cache
from pathlib import Path

import msgspec

from advisor.errors import CatalogError
from advisor.locale import N_
from advisor.records.validation import Validation
from advisor.resource import resource_path

TEXTS = (
    N_("Training jobs on one card"),
    N_("Of these, jobs whose samples are known"),
    N_("Transformers in fp32 on NVIDIA cards"),
    N_("Transformers in fp32 on AMD cards"),
    N_("Image networks on people's own computers"),
    N_("Image networks with software of 2017"),
    N_("Single products of matrices"),
    N_("Training of image networks"),
    N_("Inference of image networks"),
    N_("ImageNet training on eight cards"),
    N_("Inference on a processor"),
    N_("Training of language models on up to 128 cards"),
    N_("Training of language models cut over eight cards"),
    N_("Memory needed in training"),
    N_("Equal cards in different computers differ by a tenth, and some jobs run far below their card."),
    N_("Most families of cards have one card here, so a card left out leaves its family unknown."),
    N_("Two owners of equal cards differ by a fifth, and nearly equal cards by half."),
    N_("Old software chose slow kernels for some networks; which ones is not published."),
    N_("Three cards of two families, with software of 2017."),
    N_("Ten networks on three cards, with software of 2017."),
    N_("Some kinds of layers have slow kernels when channels are stored last."),
    N_("Mixed software of three years; unusual layers have kernels of their own."),
    N_("Old and power-limited cards have two speeds for one product, by alignment and heat."),
    N_("Jobs of eight cards wait for their slowest card and for photos."),
    N_("Exchange between servers depends on a network that is not published."),
    N_("Small photo network on a laptop's graphics card"),
    N_("The same on the laptop's processor"),
    N_("DenseNet121 on a workstation card"),
    N_("The same on a server's processor"),
    N_("Large matrix products: time on a T4, relative to a TPU v2"),
    N_("The article ran a profiler beside the training, which slows it down; how much is not reported."),
)
"""Titles and notes of the figures, as the file holds them; named here so that they are found for translation."""


@cache
def load_validation() -> Validation:
    """Return the figures of the last validation.

    Raises:
        CatalogError: The file is missing or has other fields than expected.
    """
    return read_validation(resource_path("references", "validation.json"))


def read_validation(path: Path) -> Validation:
    """Return the figures in a file.

    Raises:
        CatalogError: It is missing or has other fields than expected.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Validation)
    except (OSError, msgspec.DecodeError) as error:
        raise CatalogError("{file} cannot be read: {reason}.", file=path.name, reason=error) from error
