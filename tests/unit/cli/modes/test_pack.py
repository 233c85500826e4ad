"""Asking before the measuring pack is downloaded."""

from pathlib import Path

import pytest

from advisor.cli.modes.pack import _agrees
from advisor.errors import InputError
from advisor.locale import language
from advisor.pack.store import Store
from advisor.records.hardware.measuring_pack import PackPlan


def plan(folder: Path, *, is_resumed: bool) -> PackPlan:
    """Return a plan for a small pack."""
    return PackPlan(
        backend="cpu",
        torch_version="2.9",
        packages=1,
        download_bytes=1000,
        needed_bytes=4000,
        free_bytes=10**9,
        hosts=("host.invalid",),
        folder=str(folder),
        is_resumed=is_resumed,
    )


@pytest.mark.parametrize("is_resumed", [False, True])
def test_where_nobody_can_be_asked_nothing_new_stays(tmp_path: Path, is_resumed: bool) -> None:
    """Looking up fetches descriptions of packages; they go, unless they belong to a download agreed to before."""
    store = Store(tmp_path)
    store.begin("cpu")
    (store.downloads / "wheels").mkdir(parents=True)

    with pytest.raises(InputError):
        _agrees(plan(tmp_path, is_resumed=is_resumed), store, language("en"))

    assert store.downloads.exists() is is_resumed


@pytest.mark.parametrize(("answer", "agrees"), [("y\n", True), ("Yes\n", True), ("\n", False), ("no\n", False)])
def test_only_a_clear_yes_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, agrees: bool) -> None:
    """A download of gigabytes is not begun by an empty line."""
    monkeypatch.setattr("sys.stdin", Terminal(answer))

    assert _agrees(plan(tmp_path, is_resumed=False), Store(tmp_path), language("en")) is agrees


class Terminal:
    """A user at a terminal with one answer."""

    def __init__(self, answer: str) -> None:
        self._answer = answer

    def isatty(self) -> bool:
        """Say that it is one."""
        return True

    def readline(self) -> str:
        """Return the answer."""
        return self._answer
