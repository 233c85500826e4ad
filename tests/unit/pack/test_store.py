"""Environments on the disk: there is always a whole one in use, whatever is interrupted."""

import os
import sys
from pathlib import Path

import pytest

from advisor.errors import PackError
from advisor.pack.store import MAKING, MANIFEST, Store, folder_bytes, interpreter
from advisor.records.hardware.measuring_pack import PackManifest


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return an empty store."""
    return Store(tmp_path / "pack")


def make(store: Store, backend: str = "cpu") -> PackManifest:
    """Make an environment with one file and return what describes it."""
    making = store.begin(backend)
    python = interpreter(store.environment(making.environment))
    python.parent.mkdir(parents=True, exist_ok=True)
    python.write_text(backend, encoding="utf-8")
    store.mark_begun(making)
    return PackManifest(environment=making.environment, backend=backend, torch_version="2", installed_at="2026-11-21")


def test_what_is_in_use_stays_until_the_next_one_is_whole(store: Store) -> None:
    """A second environment is made beside the first, and only then is the first one removed."""
    first = make(store)
    store.use(first)
    second = make(store, "cu126")

    assert store.manifest() == first
    assert store.environment(first.environment).is_dir()
    store.use(second)
    assert store.manifest() == second
    assert not store.environment(first.environment).exists()
    assert not (store.folder / MAKING).exists()


def test_an_interruption_is_resumed_with_the_same_build_only(store: Store) -> None:
    """What was downloaded of another build is of no use."""
    make(store, "cpu")

    assert store.is_unfinished
    assert store.begin("cpu").has_begun
    assert not store.begin("cu126").has_begun
    assert not store.is_unfinished


def test_looking_is_no_interruption(store: Store) -> None:
    """As long as nobody agreed to the download, nothing waits."""
    making = store.begin("cpu")
    store.environment(making.environment).mkdir(parents=True)

    assert not store.is_unfinished


@pytest.mark.parametrize("damage", [b"", b"{", b'{"environment": 1}', b"\xff\xfe"])
def test_a_damaged_file_counts_as_no_pack(store: Store, damage: bytes) -> None:
    """The program goes on with the torch it came with."""
    store.use(make(store))
    (store.folder / MANIFEST).write_bytes(damage)

    assert store.manifest() is None


@pytest.mark.skipif(sys.platform != "linux", reason="made with Linux' special files")
@pytest.mark.parametrize("name", [MANIFEST, MAKING])
def test_a_file_without_end_counts_as_no_pack(store: Store, name: str) -> None:
    """Nor does a pipe hold the program."""
    store.use(make(store))
    for make_it in (os.mkfifo, lambda path: path.symlink_to("/dev/zero"), lambda path: path.mkdir()):
        path = store.folder / name
        path.unlink(missing_ok=True)
        make_it(path)

        assert (store.manifest() if name == MANIFEST else store.making()) is None


def test_removing_leaves_nothing(store: Store) -> None:
    """Removing twice is as good as once."""
    store.use(make(store))

    store.remove()
    store.remove()

    assert not store.folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights of their own there")
def test_what_a_link_leads_to_is_not_removed(store: Store, tmp_path: Path) -> None:
    """It may hold more than the pack; the sentence says what to do."""
    precious = tmp_path / "precious"
    precious.mkdir()
    store.folder.symlink_to(precious)

    with pytest.raises(PackError, match="it is a link; remove what it leads to by hand"):
        store.remove()
    assert precious.is_dir()


def test_a_folder_that_cannot_be_used_is_said_in_a_sentence(tmp_path: Path) -> None:
    """A file lies where the folder should be."""
    (tmp_path / "pack").write_text("a file", encoding="utf-8")

    with pytest.raises(PackError, match="cannot be used"):
        Store(tmp_path / "pack").begin("cpu")


def test_hard_links_take_room_once(tmp_path: Path) -> None:
    """Downloads and environment share their files."""
    (tmp_path / "a").write_bytes(b"x" * 1000)
    (tmp_path / "b").hardlink_to(tmp_path / "a")

    assert folder_bytes(tmp_path) == 1000


@pytest.mark.parametrize("name", ["../precious", "/precious", "..", "env-1/../../precious", "env-3", "e" * 5000])
def test_no_folder_but_the_packs_own_is_removed(store: Store, tmp_path: Path, name: str) -> None:
    """A file that names another one is damaged."""
    precious = tmp_path / "precious"
    precious.mkdir()
    store.folder.mkdir()
    text = (
        f'{{"environment": "{name}", "backend": "cu126", "has_begun": true, "torch_version": "2", "installed_at": ""}}'
    )
    for file in (MAKING, MANIFEST):
        (store.folder / file).write_text(text, encoding="utf-8")

    assert store.manifest() is None
    store.begin("cpu")
    store.abandon()
    assert precious.is_dir()


def test_a_file_of_nothing_but_brackets_is_damaged(store: Store) -> None:
    """The decoder gives up at some depth."""
    store.folder.mkdir()
    (store.folder / MANIFEST).write_text('{"environment": ' + "[" * 100_000, encoding="utf-8")
    assert store.manifest() is None
