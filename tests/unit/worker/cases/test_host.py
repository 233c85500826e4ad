"""Memory, disk, calls and threads, measured in this process on small sizes."""

import os
from pathlib import Path

import pytest

from advisor.worker.failure import NotSupportedError
from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(("loop", "arrays"), [("copy", 2), ("triad", 3)])
def test_bandwidth_counts_what_the_loop_moves(loop: str, arrays: int) -> None:
    """The rate is the bytes of all arrays over the median time."""
    import statistics

    result = run("bandwidth", size=1000, options={"loop": loop})

    moved_bytes = result.details["bytes_per_s"] * statistics.median(result.samples_s)
    assert moved_bytes == pytest.approx(arrays * 1000 * 4)


def test_unknown_loop_is_refused() -> None:
    """A loop nobody wrote is said so."""
    with pytest.raises(NotSupportedError, match="'scale'"):
        run("bandwidth", size=10, options={"loop": "scale"})


def test_nothing_travels_to_the_processor() -> None:
    """A transfer needs an accelerator, and the refusal says why."""
    with pytest.raises(NotSupportedError, match="nothing has to travel"):
        run("transfer", size=10)


def test_nothing_is_pinned_for_apples_processor() -> None:
    """There torch would take the copy from the device to itself for one of the host's."""
    with pytest.raises(NotSupportedError, match="none is pinned"):
        run("transfer", device="mps", size=10, options={"pinned": True})


def test_what_needs_more_memory_than_there_is_does_not_begin() -> None:
    """A case that states its need is refused before it takes anything, as one that does not fit."""
    from advisor.worker.failure import reason_of

    with pytest.raises(MemoryError, match=r"needs about 1000000\.0 GB") as caught:
        run("bandwidth", size=10, options={"needs_bytes": 1e15})
    assert reason_of(caught.value) == "does_not_fit"


def test_launch_has_a_round_trip() -> None:
    """Both times of the smallest operation are there."""
    result = run("launch")

    assert len(result.samples_s) >= 2
    assert 0 < result.details["round_trip_s"] < 1


def test_threads_are_tried_up_to_the_limit() -> None:
    """1, 2 and 3 threads where 3 are allowed, and the gain is that of the last over the first."""
    import torch

    before = torch.get_num_threads()
    result = run("threads", size=64, options={"most_threads": 3}, threads=None)
    (curve,) = result.series

    assert [x for x, _rate in curve.points] == [1, 2, 3]
    assert result.details["gain_ratio"] == pytest.approx(curve.points[-1][1] / curve.points[0][1])
    assert torch.get_num_threads() == before


@pytest.mark.parametrize(("most", "counts"), [(1, (1,)), (2, (1, 2)), (6, (1, 2, 4, 6)), (8, (1, 2, 4, 8))])
def test_thread_counts(most: int, counts: tuple[int, ...]) -> None:
    """Powers of two below the limit, then the limit."""
    from advisor.worker.cases.threads import thread_counts

    assert thread_counts(most) == counts


def test_disk_reads_what_it_wrote_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The rate is that of the whole file, and the folder is empty afterwards."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = run("disk", size=2**20, min_samples=3, budget_s=60.0)

    assert len(result.samples_s) == 3
    assert result.details["bytes_per_s"] == pytest.approx(2**20 / sorted(result.samples_s)[1])
    assert result.details["asked_to_drop_ratio"] in {0.0, 1.0}
    assert list(tmp_path.iterdir()) == []


def test_pages_are_dropped_where_the_system_tells(tmp_path: Path) -> None:
    """A file just written is in memory; after the request it is not, on a disk of Linux."""
    from advisor.worker.cases.disk import _cached_ratio, drop_pages, folder_on_disk

    try:
        folder_on_disk((tmp_path,))
    except NotSupportedError:
        pytest.skip("the folder for temporary files is in memory: nothing can be dropped")
    path = tmp_path / "file"
    path.write_bytes(os.urandom(2**20))
    with path.open("rb", buffering=0) as file:
        os.fsync(file.fileno())
        before = _cached_ratio(file.fileno(), 2**20)
        if not before:
            pytest.skip("this system does not tell")
        assert before == [1.0]
        assert drop_pages(file.fileno())
        assert _cached_ratio(file.fileno(), 2**20)[0] < 0.1


def test_a_slow_disk_is_read_less_often() -> None:
    """Once its time is over, two readings are enough."""
    assert len(run("disk", size=2**20, min_samples=50, budget_s=0.0).samples_s) == 2


def test_the_first_reading_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the writing a virtual disk is slow once; that is no sample."""
    from advisor.worker.cases import disk

    times_s = iter((9.0, 1.0, 2.0, 3.0))
    monkeypatch.setattr(disk, "_read_all", lambda file, buffer: next(times_s))

    assert run("disk", size=2**16, min_samples=3, budget_s=60.0).samples_s == (1.0, 2.0, 3.0)


def test_no_folder_on_a_disk_is_a_reason(tmp_path: Path) -> None:
    """Where nothing can be written, the disk cannot be measured."""
    from advisor.worker.cases.disk import folder_on_disk

    with pytest.raises(NotSupportedError, match="no folder on a disk"):
        folder_on_disk((tmp_path / "missing",))
