"""Photographs made for the purpose, and how fast they are made ready."""

import multiprocessing
from typing import Any

import pytest

from advisor.worker.failure import NotSupportedError
from tests.unit.worker.cases.runs import Listener, run

pytestmark = pytest.mark.torch
pytest.importorskip("PIL")
more_helpers_than_cores = pytest.mark.filterwarnings("ignore:This DataLoader will create")


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

    from advisor.worker.data.batches import PREFETCHED, batches
    from advisor.worker.data.photos import Photos, make_photos

    monkeypatch.setattr(_utils, "MP_STATUS_CHECK_INTERVAL", 60.0)  # after 5 s torch kills one that is still ending
    with batches(Photos(files=make_photos(1), edge=224, is_augmented=False), 32, workers=2) as opened:
        loader: Any = opened
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
