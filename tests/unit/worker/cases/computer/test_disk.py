"""Memory, disk, calls and threads, measured in this process on small sizes."""

import os
from pathlib import Path

import pytest

from advisor.worker.failure import NotSupportedError
from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch


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
    from advisor.worker.cases.computer.disk import folder_on_disk
    from advisor.worker.data.page_cache import cached_ratio, drop_pages

    try:
        folder_on_disk((tmp_path,))
    except NotSupportedError:
        pytest.skip("the folder for temporary files is in memory: nothing can be dropped")
    path = tmp_path / "file"
    path.write_bytes(os.urandom(2**20))
    with path.open("rb", buffering=0) as file:
        os.fsync(file.fileno())
        before = cached_ratio(file.fileno(), 2**20)
        if not before:
            pytest.skip("this system does not tell")
        assert before == [1.0]
        assert drop_pages(file.fileno())
        assert cached_ratio(file.fileno(), 2**20)[0] < 0.1


def test_a_slow_disk_is_read_less_often() -> None:
    """Once its time is over, two readings are enough."""
    assert len(run("disk", size=2**20, min_samples=50, budget_s=0.0).samples_s) == 2


def test_the_first_reading_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the writing a virtual disk is slow once; that is no sample."""
    from advisor.worker.cases.computer import disk

    times_s = iter((9.0, 1.0, 2.0, 3.0))
    monkeypatch.setattr(disk, "_read_all", lambda file, buffer: next(times_s))

    assert run("disk", size=2**16, min_samples=3, budget_s=60.0).samples_s == (1.0, 2.0, 3.0)


def test_no_folder_on_a_disk_is_a_reason(tmp_path: Path) -> None:
    """Where nothing can be written, the disk cannot be measured."""
    from advisor.worker.cases.computer.disk import folder_on_disk

    with pytest.raises(NotSupportedError, match="no folder on a disk"):
        folder_on_disk((tmp_path / "missing",))
