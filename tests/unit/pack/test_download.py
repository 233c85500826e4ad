"""What a list of packages (pylock.toml, PEP 751) would download: how many bytes, and from where."""

import sys
from pathlib import Path

import pytest

from advisor.errors import PackError
from advisor.pack.download import read_lock
from advisor.pack.install import _check
from advisor.records.hardware.measuring_pack import PackTorch

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are scripts of a Unix system")


def test_a_wrong_sum_is_a_fault() -> None:
    """A device that computes nonsense measures nothing."""
    with pytest.raises(PackError, match="cuda:0"):
        _check(PackTorch(version="2", devices=("cpu",), faults={"cuda:0": "8 x 8 products sum up to 0.0, not to 512"}))


@pytest.mark.parametrize(
    "content", [None, "", "packages = 7", "packages = [7]", "packages = []", "[[packages]]\nname = 'x'\n", "[["]
)
def test_a_list_that_is_none_is_said(tmp_path: Path, content: str | None) -> None:
    """As of a uv of another kind, which ends well and writes nothing."""
    lock = tmp_path / "pylock.toml"
    if content is not None:
        lock.write_text(content)
    with pytest.raises(PackError, match="did not make a list of packages that can be read"):
        read_lock(lock)


def test_sizes_that_nobody_tells_are_unknown(tmp_path: Path) -> None:
    """A file without a size on a server that does not answer leaves the whole size open."""
    lock = tmp_path / "pylock.toml"
    lock.write_text('[[packages]]\nname = "torch"\nversion = "2"\nwheels = [{ url = "http://localhost/a.whl" }]\n')

    assert read_lock(lock).size_bytes is None
