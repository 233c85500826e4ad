"""Photographs made for the purpose, and what a program that trains on photographs does with each of them."""

import io
import random

import pytest

pytestmark = pytest.mark.torch
pytest.importorskip("PIL")


def test_photos_are_like_those_of_the_article() -> None:
    """The files are the same each time, of the usual size in pixels and bytes, and no two alike."""
    import PIL.Image

    from advisor.worker.data.photos import make_photos

    photos = make_photos(3)
    assert photos == make_photos(3)
    assert len(set(photos)) == 3
    assert all(20_000 < len(photo) < 40_000 for photo in photos)
    with PIL.Image.open(io.BytesIO(photos[0])) as image:
        assert (image.format, image.size, image.mode) == ("JPEG", (500, 375), "RGB")


@pytest.mark.parametrize("is_augmented", [False, True])
def test_a_sample_is_a_tensor(is_augmented: bool) -> None:
    """A photograph becomes (3, edge, edge) between 0 and 1, the same for the same number."""
    import torch

    from advisor.worker.data.photos import Photos, make_photos

    photos = Photos(files=make_photos(1), edge=40, is_augmented=is_augmented)
    pixels, label = photos[3]

    assert (tuple(pixels.shape), pixels.dtype, label) == ((3, 40, 40), torch.float32, 1)
    assert 0 <= float(pixels.min()) < float(pixels.max()) <= 1
    assert torch.equal(pixels, photos[3][0])
    assert torch.equal(pixels, photos[4][0]) != is_augmented


def test_augmentation_turns_about_the_middle_within_its_bounds() -> None:
    """The middle stays, and areas change by no more than zoom and shear allow."""
    from advisor.worker.data.photos import random_affine

    chance = random.Random(0)
    for _time in range(200):
        a, b, c, d, e, f = random_affine(chance, 150)
        middle = 149 / 2
        assert (a * middle + b * middle + c, d * middle + e * middle + f) == pytest.approx((middle, middle))
        assert 0.8**2 * 0.97 <= a * e - b * d <= 1.2**2
