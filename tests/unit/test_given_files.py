"""Files of many hands: what is made to cost much is refused before it does."""

import struct
import zipfile
from pathlib import Path

import pytest

from advisor import given_files
from advisor.given_files import contents
from advisor.records.results.fleet import RefusedFile


def test_an_archive_whose_files_overlap_is_refused(tmp_path: Path) -> None:
    """One packed megabyte that is listed a hundred times would be unpacked as often."""
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", "[" * 1024**2)
    content, times = path.read_bytes(), 100
    listed, end = content.find(b"PK\1\2"), content.find(b"PK\5\6")
    entries = content[listed:end] * times
    counts = struct.pack("<HHII", times, times, len(entries), listed)
    path.write_bytes(content[:listed] + entries + content[end : end + 8] + counts + content[end + 20 :])
    with zipfile.ZipFile(path) as archive:
        assert len(archive.infolist()) == times

    assert list(contents(path)) == [("bomb.zip", RefusedFile(reason="unreadable"))]


def test_folders_too_deep_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some 1,000 within each other once ended in a RecursionError."""
    monkeypatch.setattr(given_files, "_DEEPEST", 2)
    for folder in (Path("a", "b"), Path("a", "b", "c", "d")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "one.json").write_bytes(b"{}")

    deep, shallow = str(Path("a", "b", "c")), str(Path("a", "b", "one.json"))
    assert dict(contents(tmp_path)) == {deep: RefusedFile(reason="unreadable"), shallow: b"{}"}
