"""Photographs made for the purpose, and how fast they are made ready."""

import io
import multiprocessing
import random

import pytest

from advisor.worker.failure import NotSupportedError
from tests.unit.worker.cases.runs import Listener, run

pytestmark = pytest.mark.torch
pytest.importorskip("PIL")
more_helpers_than_cores = pytest.mark.filterwarnings("ignore:This DataLoader will create")


def test_photos_are_like_those_of_the_article() -> None:
    """The files are the same each time, of the usual size in pixels and bytes, and no two alike."""
    import PIL.Image

    from advisor.worker.photos import make_photos

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

    from advisor.worker.photos import Photos, make_photos

    photos = Photos(files=make_photos(1), edge=40, is_augmented=is_augmented)
    pixels, label = photos[3]

    assert (tuple(pixels.shape), pixels.dtype, label) == ((3, 40, 40), torch.float32, 1)
    assert 0 <= float(pixels.min()) < float(pixels.max()) <= 1
    assert torch.equal(pixels, photos[3][0])
    assert torch.equal(pixels, photos[4][0]) != is_augmented


def test_augmentation_turns_about_the_middle_within_its_bounds() -> None:
    """The middle stays, and areas change by no more than zoom and shear allow."""
    from advisor.worker.photos import random_affine

    chance = random.Random(0)
    for _time in range(200):
        a, b, c, d, e, f = random_affine(chance, 150)
        middle = 149 / 2
        assert (a * middle + b * middle + c, d * middle + e * middle + f) == pytest.approx((middle, middle))
        assert 0.8**2 * 0.97 <= a * e - b * d <= 1.2**2


@more_helpers_than_cores
@pytest.mark.parametrize("workers", [0, 2])
def test_images_are_counted_and_helpers_end(workers: int) -> None:
    """Batches are timed with and without further processes, and none is left afterwards."""
    options = {"workers": workers, "augmented": True}
    listener = Listener()
    result = run("input", listener, size=32, batch_size=2, options=options)

    assert (len(result.samples_s), result.items_per_iteration) == (listener.samples, 2)
    assert result.iterations_per_sample == max(1, workers)
    assert multiprocessing.active_children() == []


@more_helpers_than_cores
def test_helpers_end_in_peace(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are asked to end when nothing is on its way: in the midst of handing over a batch they would abort."""
    from torch.utils.data import _utils

    from advisor.worker.cases.input import PREFETCHED, batches
    from advisor.worker.photos import Photos, make_photos

    monkeypatch.setattr(_utils, "MP_STATUS_CHECK_INTERVAL", 60.0)  # after 5 s torch kills one that is still ending
    with batches(Photos(files=make_photos(1), edge=224, is_augmented=False), 32, workers=2) as loader:
        next(loader)
        assert (
            0 < loader._tasks_outstanding <= 2 * PREFETCHED
        )  # fewer where the second helper was faster than the first
        helpers = loader._workers

    assert loader._tasks_outstanding == 0
    assert [helper.exitcode for helper in helpers] == [0, 0]


def test_helpers_end_when_the_case_is_abandoned() -> None:
    """A case given up in its midst leaves no process behind."""
    from advisor.worker.failure import AbandonedError

    def give_up(number: int) -> None:
        raise AbandonedError("skipped")

    with pytest.raises(AbandonedError):
        run("input", Listener(give_up), size=32, batch_size=2, options={"workers": 1})
    assert multiprocessing.active_children() == []


def test_without_pillow_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing decodes pictures the case is refused with that reason."""
    import sys

    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(NotSupportedError, match="Pillow"):
        run("input", size=32, batch_size=2)
