"""How much memory a case may take."""

from pathlib import Path

import pytest

from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch


def left(root: Path, own: Path) -> list[int]:
    """Return what the limits leave."""
    from advisor.worker.memory_guard import _left_by_cgroups

    return list(_left_by_cgroups(root, own))


def test_the_group_and_those_above_it_limit(tmp_path: Path) -> None:
    """Each limit counts, ``max`` is none, and file pages that can be dropped are free."""
    own = tmp_path / "own"
    own.write_text("0::/a/b\n")
    root = tmp_path / "groups"
    for name, limit in (("a/b", "max"), ("a", "1000")):
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "memory.max").write_text(limit)
        (folder / "memory.current").write_text("700")
        (folder / "memory.stat").write_text("anon 600\ninactive_file 50\n")

    assert left(root, own) == [350]


def test_version_1(tmp_path: Path) -> None:
    """The older layout is read too."""
    own = tmp_path / "own"
    own.write_text("5:memory:/c\n4:cpu:/c\n")
    folder = tmp_path / "memory" / "c"
    folder.mkdir(parents=True)
    (folder / "memory.limit_in_bytes").write_text("500")
    (folder / "memory.usage_in_bytes").write_text("100")

    assert left(tmp_path, own) == [400]


def test_no_groups_no_limits(tmp_path: Path) -> None:
    """Systems without control groups limit nothing."""
    assert left(tmp_path / "none", tmp_path / "missing") == []


def test_the_processor_has_room() -> None:
    """What may be taken is positive and below what the computer has."""
    import psutil
    import torch

    from advisor.worker.memory_guard import free_bytes

    free = free_bytes(torch.device("cpu"))
    assert free is not None
    assert 0 < free < psutil.virtual_memory().total


def test_what_needs_more_memory_than_there_is_does_not_begin() -> None:
    """A case that states its need is refused before it takes anything, as one that does not fit."""
    from advisor.worker.failure import reason_of

    with pytest.raises(MemoryError, match=r"needs about 1000000\.0 GB") as caught:
        run("bandwidth", size=10, options={"needs_bytes": 1e15})
    assert reason_of(caught.value) == "does_not_fit"
