"""``--data`` as a user types it: the real program, real files, and no name of one in what it leaves behind."""

import os
from pathlib import Path

import pytest

from advisor import wire
from advisor.worker.data.photos import make_photos
from tests.fakes.program import run


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Return a folder of photos with names to be kept secret."""
    folder = tmp_path / "secretfolder" / "secretclass"
    folder.mkdir(parents=True)
    for number, photo in enumerate(make_photos(3)):
        (folder / f"secretphoto{number}.jpg").write_bytes(photo)
    return folder.parent


def test_the_data_make_the_job(photos: Path, tmp_path: Path) -> None:
    """Counted without measuring; the report names nothing."""
    path = tmp_path / "report.json"
    done = run("--report", str(path), "--data", str(photos), "--suite", "none", "--no-history")
    assert done.returncode == 0, done.stderr
    report = wire.read_report(path)
    assert report.data is not None
    assert (report.workload.samples, report.data.width) == (3, 500)
    assert "secret" not in path.read_text(encoding="utf-8")


@pytest.mark.torch
@pytest.mark.usefixtures("warm_workers")
def test_the_data_are_measured(photos: Path, tmp_path: Path) -> None:
    """Neither report nor history nor standard error has a name of theirs; what cannot be decoded costs itself."""
    (photos / "secretbad.jpg").write_bytes(b"\xff\xd8\xff")
    path = tmp_path / "report.json"
    done = run("--report", str(path), "--data", str(photos), "--workload", "simple_cnn", "--max-minutes", "0.9")
    assert done.returncode == 0, done.stderr
    report = wire.read_report(path)
    assert report.benchmark is not None
    [one] = [one for one in report.benchmark.measurements if one.case.program == "data"]
    assert one.series
    kept = b"".join(file.read_bytes() for file in Path(os.environ["XDG_DATA_HOME"]).rglob("*") if file.is_file())
    for told in (path.read_bytes(), kept, done.stderr.encode(), done.stdout.encode()):
        assert b"secret" not in told


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--data", "/nowhere"), "--data: there is no such file or folder."),
        (("--data", "/nowhere", "--lang", "es"), "--data: no existe ese archivo o carpeta."),
        (("--data", "x", "--machine", "y.json"), "--data goes with --report"),
    ],
)
def test_what_cannot_be_is_one_sentence(options: tuple[str, ...], sentence: str) -> None:
    """And the exit status of wrong input."""
    done = run("--report", "--suite", "none", *options)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
