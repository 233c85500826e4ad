"""The user's files in the real measuring process: read, tried, loaded; what is wrong with one costs that one."""

import struct
import tarfile
import wave
import zlib
from pathlib import Path

import numpy
import pytest

from advisor import wire
from advisor.benchmark.running.runner import run_suite
from advisor.probe.dataset import survey
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement
from advisor.worker.data.photos import make_photos

PHOTOS = make_photos(4)
pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("warm_workers")]


def measured(folder: Path, **options: object) -> Benchmark:
    """Return what a real worker measures of a folder, with up to one process that helps where none is said."""
    found = survey(folder)
    case = Case(
        id="data/cpu",
        program="data",
        batch_size=2,
        size=32,
        budget_s=2.0,
        options={"kind": found.data.kind, "augmented": True, "most_workers": 1, **options},  # type: ignore[dict-item]
    )
    return run_suite(lambda ready: [case], own_files=found.files)


def only(benchmark: Benchmark) -> Measurement:
    """Return the one measurement."""
    assert not benchmark.failures
    return benchmark.measurements[0]


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Return a folder of photos with names to be kept secret."""
    folder = tmp_path / "secretfolder"
    folder.mkdir()
    for number, photo in enumerate(PHOTOS):
        (folder / f"secretphoto{number}.jpg").write_bytes(photo)
    return folder


def _bomb() -> bytes:
    """Return a PNG file of 50,000 x 50,000 black pixels in some hundred bytes and one row."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", 50_000, 50_000, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(150_001))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_photos_are_read_and_loaded_and_bad_ones_left_out(photos: Path) -> None:
    """A truncated file and a bomb are refused; no name of anything comes back."""
    (photos / "secretbad.jpg").write_bytes(PHOTOS[0][:5000])
    (photos / "secretbomb.png").write_bytes(_bomb())
    benchmark = measured(photos)
    one = only(benchmark)
    [series] = one.series
    assert [count for count, _rate in series.points] == [0, 1]
    assert all(rate > 0 for _count, rate in series.points)
    assert one.details["refused_files"] == 2
    assert one.details["fatal_files"] == 0
    assert one.details["sample_bytes"] == pytest.approx(sum(map(len, PHOTOS)) / 4, rel=0.01)
    assert "secret" not in wire.encode(benchmark).decode()


def test_a_file_no_decoder_takes_is_read_only(tmp_path: Path) -> None:
    """Also where all are so; the rates are missing, the reading is not."""
    (tmp_path / "a.jpg").write_bytes(b"no photo" * 1000)
    one = only(measured(tmp_path, most_workers=0))
    assert not one.series
    assert one.details["warm_bytes_per_s"] > 0


def test_arrays_recordings_and_shards_are_decoded(tmp_path: Path) -> None:
    """Rows of an array, sound of a wave file, pictures of a shard."""
    arrays, sounds, shards = (tmp_path / name for name in ("arrays", "sounds", "shards"))
    for folder in (arrays, sounds, shards):
        folder.mkdir()
    numpy.save(arrays / "x.npy", numpy.ones((6, 3, 8, 8), numpy.float32))
    with wave.open(str(sounds / "a.wav"), "wb") as sound:
        sound.setparams((2, 2, 16_000, 0, "NONE", ""))
        sound.writeframes(bytes(64_000))
    with tarfile.open(shards / "0.tar", "w") as shard:
        for number, photo in enumerate(PHOTOS):
            (tmp_path / "one.jpg").write_bytes(photo)
            shard.add(tmp_path / "one.jpg", f"{number}.jpg")
    assert only(measured(arrays, by_row=True, most_workers=0)).details["sample_bytes"] == 4 * 3 * 8 * 8
    for folder in (sounds, shards):
        assert only(measured(folder, most_workers=0)).series[0].points[0][1] > 0


def test_files_that_have_gone_are_a_reason_without_a_name(photos: Path) -> None:
    """Between the survey and the measurement the folder was emptied."""
    found = survey(photos)
    for file in photos.iterdir():
        file.unlink()
    case = Case(id="data/cpu", program="data", options={"kind": "image"})
    benchmark = run_suite(lambda ready: [case], own_files=found.files)
    assert [failure.reason for failure in benchmark.failures] == ["not_supported"]
    assert "secret" not in wire.encode(benchmark).decode()
