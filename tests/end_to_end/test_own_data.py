"""``--data`` as a user types it: real files, and no name of one in what it leaves behind."""

import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from advisor import wire
from advisor.records.results.measured.measurement import Case
from advisor.session.given.data import with_data
from advisor.worker.data.photos import make_photos
from tests.fakes.program import run_here


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
    done = run_here("--report", str(path), "--data", str(photos), "--suite", "none", "--no-history")
    assert done.returncode == 0, done.stderr
    report = wire.read_report(path)
    assert report.data is not None
    assert (report.workload.samples, report.data.width) == (3, 500)
    assert "secret" not in path.read_text(encoding="utf-8")


@pytest.mark.torch
@pytest.mark.usefixtures("warm_workers")
def test_the_data_are_measured(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Neither report nor history nor standard error has a name of theirs; what cannot be decoded costs itself.

    Of the suite the data's own case alone is run, and for a second.
    """
    (photos / "secretbad.jpg").write_bytes(b"\xff\xd8\xff")
    path = tmp_path / "report.json"

    def data_alone(*asked: Any) -> tuple[Case, ...]:
        return tuple(replace(case, budget_s=1.0) for case in with_data(*asked) if case.program == "data")

    monkeypatch.setattr("advisor.session.given.data.with_data", data_alone)
    done = run_here("--report", str(path), "--data", str(photos), "--workload", "simple_cnn")
    assert done.returncode == 0, done.stderr
    report = wire.read_report(path)
    assert report.benchmark is not None
    [one] = [one for one in report.benchmark.measurements if one.case.program == "data"]
    assert one.series
    kept = b"".join(file.read_bytes() for file in Path(os.environ["XDG_DATA_HOME"]).rglob("*") if file.is_file())
    said = "".join((done.stderr, done.stdout, *capfd.readouterr()))
    for told in (path.read_bytes(), kept, said.encode()):
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
    done = run_here("--report", "--suite", "none", *options)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
