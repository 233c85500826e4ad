"""What files say of their own contents: sizes of pictures, rows of arrays and tables, samples of shards."""

import struct
import tarfile
from io import BytesIO
from pathlib import Path

import numpy
import pytest

from tests.unit.probe.dataset.found import found


def test_png_gif_and_bmp_say_their_size_too(tmp_path: Path) -> None:
    """Each has it at its beginning; other files of that ending have none."""
    from PIL import Image

    for number, ending in enumerate(("png", "gif", "bmp")):
        Image.new("RGB", (30, 20)).save(tmp_path / f"{number}.{ending}")
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0" + struct.pack(">H", 4))
    data = found(tmp_path)
    assert (data.width, data.height) == (30, 20)


def test_rows_of_arrays_count_and_labels_do_not(tmp_path: Path) -> None:
    """Files shaped like the largest add up."""
    numpy.save(tmp_path / "train.npy", numpy.zeros((50, 8, 8), numpy.float32))
    numpy.save(tmp_path / "test.npy", numpy.zeros((10, 8, 8), numpy.float32))
    numpy.save(tmp_path / "labels.npy", numpy.zeros(60, numpy.int64))
    assert found(tmp_path).samples == 60


@pytest.mark.parametrize("shape", [(-9, 3), (10**18, 8), (-2, -2)])
def test_rows_that_an_array_cannot_hold_are_not_believed(shape: tuple[int, ...], tmp_path: Path) -> None:
    """Its head claims more than the file has, or less than nothing."""
    with (tmp_path / "a.npy").open("wb") as file:
        header = {"descr": "<f8", "fortran_order": False, "shape": shape}
        numpy.lib.format.write_array_header_1_0(file, header)
    assert found(tmp_path).samples is None


def test_rows_of_a_table_and_members_of_a_shard(tmp_path: Path) -> None:
    """The title of a table is no row; a picture and its label are one sample."""
    table = tmp_path / "table.csv"
    table.write_text("a,b\n" + "1,2\n" * 100)
    assert found(table).samples == 100

    shard = tmp_path / "shard.tar"
    with tarfile.open(shard, "w") as archive:
        for number in range(5):
            for ending in ("jpg", "cls"):
                member = tarfile.TarInfo(f"{number:03}.{ending}")
                member.size = 3
                archive.addfile(member, BytesIO(b"abc"))
    data = found(shard)
    assert (data.kind, data.samples) == ("archive", 5)


def test_parquet_is_counted_and_its_rows_are_not_guessed(tmp_path: Path) -> None:
    """Only a library could tell them."""
    (tmp_path / "a.parquet").write_bytes(b"PAR1" * 100)
    assert found(tmp_path).samples is None
