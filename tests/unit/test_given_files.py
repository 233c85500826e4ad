"""Files of many hands: what is made to cost much is refused before it does."""

import struct
import zipfile
from pathlib import Path

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
