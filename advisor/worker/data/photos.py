"""Photographs made for the purpose, and what a program that trains on photographs does with each of them.

The pictures are noise with the spectrum of natural scenes, so that decoding them costs what decoding a photograph
costs. They stay encoded in memory: reading files is the disk's case, and nothing is left behind when the process ends.

Source: Field, Relations between the statistics of natural images and the response properties of cortical cells, 1987:
amplitude falls with a power of the frequency near 1; here 1.5, at which the files are as large as the originals.
"""

import io
import math
import random
from dataclasses import dataclass
from types import ModuleType

import numpy
import torch
from torch.utils.data import Dataset

from advisor.worker.failure import NotSupportedError

WIDTH, HEIGHT = 500, 375
QUALITY = 75
"""With these a file has about 28,000 bytes, like the pictures of cats and dogs.

Source: data set microsoft/cats_vs_dogs (Hugging Face, read 2026-11-21): 735,119,341 bytes in 23,442 files, 31,400 each.
"""
_FALL = 1.5
ROTATION_DEGREES = 20.0
ZOOM_RATIO = 0.2
SHEAR_RATIO = 0.2


def pillow() -> ModuleType:
    """Return the module that decodes pictures.

    Raises:
        NotSupportedError: It is not installed.
    """
    try:
        import PIL.Image
    except ImportError as error:
        raise NotSupportedError("Pillow, which decodes pictures, is not installed.") from error
    return PIL.Image


def make_photos(count: int) -> list[bytes]:
    """Return so many JPEG files."""
    image = pillow()
    generator = numpy.random.default_rng(0)
    photos = []
    for _photo in range(count):
        file = io.BytesIO()
        image.fromarray(_scene(generator)).save(file, "JPEG", quality=QUALITY)
        photos.append(file.getvalue())
    return photos


def _scene(generator: numpy.random.Generator) -> numpy.ndarray:
    """Return colours (height, width, 3) of a picture with a natural spectrum."""
    rows = numpy.fft.fftfreq(HEIGHT)[:, None, None]
    columns = numpy.fft.rfftfreq(WIDTH)[None, :, None]
    frequency = numpy.hypot(rows, columns)
    frequency[0, 0] = math.inf  # the mean is set below
    shape = (HEIGHT, WIDTH // 2 + 1, 3)
    waves = generator.standard_normal(shape) + 1j * generator.standard_normal(shape)
    waves[..., 1:] = 0.8 * waves[..., :1] + 0.4 * waves[..., 1:]  # colours of a scene go together
    light = numpy.fft.irfft2(waves / frequency**_FALL, s=(HEIGHT, WIDTH), axes=(0, 1))
    colours: numpy.ndarray = numpy.clip(128 + 48 * light / light.std(), 0, 255).astype(numpy.uint8)
    return colours


@dataclass(frozen=True, kw_only=True)
class Photos(Dataset[tuple[torch.Tensor, int]]):
    """Decodes, changes and resizes photographs, one at a time and without end; can be sent to other processes.

    Attributes:
        files: JPEG files; they come round again after the last.
        edge: Pixels of the square they become.
        is_augmented: Each is turned, zoomed, sheared and mirrored at random, as the CNN article does.
    """

    files: list[bytes]
    edge: int
    is_augmented: bool

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        image = pillow()
        with image.open(io.BytesIO(self.files[index % len(self.files)])) as file:
            photo = file.convert("RGB").resize((self.edge, self.edge), image.Resampling.BILINEAR)
        if self.is_augmented:
            chance = random.Random(index)
            photo = photo.transform(
                photo.size, image.Transform.AFFINE, random_affine(chance, self.edge), image.Resampling.BILINEAR
            )
            if chance.random() < 0.5:
                photo = photo.transpose(image.Transpose.FLIP_LEFT_RIGHT)
        pixels = torch.from_numpy(numpy.array(photo)).permute(2, 0, 1).contiguous()
        return pixels.float() / 255, index % 2


def random_affine(chance: random.Random, edge: int) -> tuple[float, float, float, float, float, float]:
    """Return where each pixel comes from, as (a, b, c, d, e, f): x' = a x + b y + c, y' = d x + e y + f.

    Rotation by up to 20 degrees, shear by up to 0.2, zoom by up to a fifth in each direction, about the middle.
    """
    turn = math.radians(chance.uniform(-ROTATION_DEGREES, ROTATION_DEGREES))
    shear = chance.uniform(-SHEAR_RATIO, SHEAR_RATIO)
    wide, high = (chance.uniform(1 - ZOOM_RATIO, 1 + ZOOM_RATIO) for _direction in range(2))
    a, b = wide * math.cos(turn), -high * math.sin(turn + shear)
    d, e = wide * math.sin(turn), high * math.cos(turn + shear)
    middle = (edge - 1) / 2
    return a, b, middle - a * middle - b * middle, d, e, middle - d * middle - e * middle
