"""What is found in folders, also in those made to be trouble; no test here starts another process."""

import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import wire
from advisor.errors import InputError
from advisor.probe.dataset import survey
from advisor.worker.data.photos import make_photos
from tests.unit.probe.dataset.found import found

PHOTO = make_photos(1)[0]
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and permissions are those of Unix")


def test_photos_are_counted_weighed_and_measured(tmp_path: Path) -> None:
    """Folders of classes, one of them linked; hidden files and others do not count as data."""
    for number, place in enumerate(("cats", "dogs/small")):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / f"{number}.JPG").write_bytes(PHOTO)
    (tmp_path / "labels.csv").write_text("a,b\n1,2\n")
    (tmp_path / ".hidden.jpg").write_bytes(PHOTO)
    (tmp_path / "notes.txt").write_text("x")

    data = found(tmp_path)
    assert (data.kind, data.files, data.samples, data.other_files) == ("image", 2, 2, 2)
    assert [(one.name, one.files) for one in data.formats] == [("jpeg", 2)]
    assert (data.width, data.height, data.size_bytes) == (500, 375, 2 * len(PHOTO))
    assert data.disk.free_bytes is not None


def test_folders_are_classes_that_training_and_validation_share(tmp_path: Path) -> None:
    """Photos in one folder alone say nothing of classes."""
    for place in ("train/cats", "train/dogs", "val/cats", "val/dogs"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "1.jpg").write_bytes(PHOTO)
    assert found(tmp_path).classes == 2
    assert found(tmp_path / "train" / "cats").classes is None


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda folder: folder / "missing", "--data: there is no such file or folder."),
        (lambda folder: folder, "--data: nothing there is an image"),
    ],
)
def test_nothing_to_find_is_one_sentence(tmp_path: Path, make, sentence: str) -> None:  # type: ignore[no-untyped-def]
    """An empty folder and none at all; the name is not repeated."""
    with pytest.raises(InputError, match=sentence) as told:
        survey(make(tmp_path))
    assert str(tmp_path) not in str(told.value)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("a.zip", "notes.md"), "files in .zip are not looked into. Unpack them"),
        (("a.dcm", "b.DCM", "c.zip"), r".dcm is not read here \([12] of them\)"),
        (("a.nii.gz",), r".nii is not read here \(1 of them\)"),
        ((".hidden.zip", "Makefile", "zip"), "nothing there is an image"),
    ],
)
def test_what_is_not_read_is_called_by_its_kind(tmp_path: Path, names: tuple[str, ...], sentence: str) -> None:
    """In a folder, and where the file itself was given; the name is not repeated."""
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    for place in (tmp_path, tmp_path / names[0]):
        with pytest.raises(InputError, match=sentence):
            survey(place)


@on_unix
def test_links_in_a_ring_pipes_and_dead_links_are_passed(tmp_path: Path) -> None:
    """Each folder is entered once; what is no plain file is no data."""
    (tmp_path / "a.jpg").write_bytes(PHOTO)
    (tmp_path / "ring").symlink_to(tmp_path)
    (tmp_path / "self.jpg").symlink_to(tmp_path / "self.jpg")
    (tmp_path / "dead.jpg").symlink_to(tmp_path / "gone.jpg")
    os.mkfifo(tmp_path / "pipe.jpg")
    assert found(tmp_path).files == 1


@on_unix
def test_a_linked_folder_is_followed(tmp_path: Path) -> None:
    """As data loaders do."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.jpg").write_bytes(PHOTO)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "link").symlink_to(tmp_path / "elsewhere")
    assert found(tmp_path / "data").files == 1


def test_what_may_not_be_read_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed folder among open ones; where nothing is left, that is said."""
    (tmp_path / "closed").mkdir()
    look = os.scandir

    def refuse(folder: str) -> object:
        if folder.endswith("closed"):
            raise PermissionError
        return look(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(InputError, match="none of its files and folders can be read"):
        survey(tmp_path)
    (tmp_path / "a.jpg").write_bytes(PHOTO)
    assert found(tmp_path).unreadable == 1


def test_a_file_that_has_vanished_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was listed, and is gone when it is weighed."""
    (tmp_path / "a.jpg").write_bytes(PHOTO)
    (tmp_path / "b.jpg").write_bytes(PHOTO)
    access = os.access

    def vanishing(path: str, mode: int) -> bool:
        (tmp_path / "b.jpg").unlink(missing_ok=True)
        return access(path, mode)

    monkeypatch.setattr(os, "access", vanishing)
    assert found(tmp_path).width == 500


def test_many_files_are_counted_all_and_few_are_kept(tmp_path: Path) -> None:
    """Ten thousand names; their sizes are estimated from some thousands."""
    for part in range(10):
        (tmp_path / str(part)).mkdir()
        first = tmp_path / str(part) / "first.jpg"
        first.write_bytes(PHOTO)
        for number in range(999):
            os.link(first, tmp_path / str(part) / f"{number}.jpg")
    kept = survey(tmp_path)
    assert kept.data.files == 10_000
    assert kept.data.size_bytes == pytest.approx(10_000 * len(PHOTO), rel=0.01)
    assert len(kept.files) == 256


def test_a_walk_that_takes_too_long_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was seen until then counts."""
    for number in range(10):
        (tmp_path / f"{number}.jpg").write_bytes(PHOTO)
    clock = iter(range(1000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    data = survey(tmp_path, time_s=5.0).data
    assert not data.is_complete
    assert 0 < data.files < 10


@on_unix
@given(st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=6, max_size=30))
def test_no_name_reaches_what_goes_into_a_report(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    """Neither that of a file nor that of a folder, whatever they are called."""
    folder = tmp_path_factory.mktemp("data") / f"zq{name.strip('.')}"
    if len(os.fsencode(folder.name)) > 200:
        return
    folder.mkdir()
    (folder / f"{folder.name}.jpg").write_bytes(PHOTO)
    told = wire.encode(survey(folder).data).decode()
    assert folder.name not in told
    assert str(folder.parent) not in told


def test_names_that_are_no_text_are_kept_for_measuring(tmp_path: Path) -> None:
    """Linux allows any bytes in a name."""
    if sys.platform != "linux":
        pytest.skip("only Linux has such names")
    (tmp_path / os.fsdecode(b"\xff\xfe.jpg")).write_bytes(PHOTO)
    assert survey(tmp_path).files[0].endswith(b"\xff\xfe.jpg")
