"""The user's samples as torch's ``DataLoader`` takes them; imported by every process that loads, so by little else."""

import itertools
import random
from contextlib import suppress
from typing import Any

import numpy
import torch
from torch.utils.data import Dataset

from advisor.worker.data.decode import Item, decode

MEAN = torch.tensor((0.485, 0.456, 0.406)).view(3, 1, 1)
DEVIATION = torch.tensor((0.229, 0.224, 0.225)).view(3, 1, 1)
"""Of ImageNet's colours, as most programs take them off. Source: torchvision, "Models and pre-trained weights"."""


class Samples(Dataset[tuple[Any, int]]):
    """Samples, round and round; one that has gone bad since it was tried is passed over.

    Args:
        kind: Of the user's files.
        items: Where the samples are.
        edge: Pixels of the square that images become.
        is_augmented: Images are cropped and mirrored at random.
    """

    def __init__(self, kind: str, items: list[Item], edge: int, *, is_augmented: bool) -> None:
        self._kind, self._items, self._edge, self._is_augmented = kind, items, edge, is_augmented

    def __getitem__(self, index: int) -> tuple[Any, int]:
        for place in itertools.islice(itertools.count(index), len(self._items)):
            with suppress(Exception):  # whatever a decoder raises; its words may name the file
                chance = random.Random(place) if self._is_augmented else None
                return self._tensor(
                    decode(self._kind, self._items[place % len(self._items)], self._edge, chance)
                ), index % 2
        raise RuntimeError("No sample can be read any more.")

    def _tensor(self, values: numpy.ndarray) -> torch.Tensor:
        if self._kind in ("image", "archive"):
            pixels = torch.from_numpy(values).permute(2, 0, 1).contiguous().float().div_(255)
            return pixels.sub_(MEAN).div_(DEVIATION)
        return torch.from_numpy(numpy.ascontiguousarray(values))
