"""What an earlier version has written is read as it was meant: its history, settings, measuring pack and jobs.

``tests/data/upgrade`` was written by the program of 944dcac (version 0.1.0), when the history kept reports alone.
"""

import gzip
import shutil
import sqlite3
from pathlib import Path

import msgspec

from advisor.catalog import find_workload
from advisor.gui.base.settings import load_settings
from advisor.history import History
from advisor.pack.store import MANIFEST, Store
from advisor.records.job.changes import JobChanges

WRITTEN = Path(__file__).resolve().parents[1] / "data" / "upgrade"


def test_a_history_of_a_thousand_checks_survives(tmp_path: Path) -> None:
    """Every check is there and can be read and removed; what the file lacked is added."""
    path = tmp_path / "history.sqlite3"
    path.write_bytes(gzip.decompress((WRITTEN / "history.sqlite3.gz").read_bytes()))
    with sqlite3.connect(path) as database:
        database.executemany(
            "INSERT INTO report (created_at, origin, label, digest, summary, content) "
            "SELECT created_at, origin, ?, ?, summary, content FROM report WHERE id = 1",
            [(f"check {number}", number.to_bytes(32, "big")) for number in range(999)],
        )
    database.close()

    history = History(path)
    entries = history.entries()
    assert len(entries) == 1000
    assert history.set_aside is None
    assert {entry.label for entry in entries} == {"", *(f"check {number}" for number in range(999))}
    report = history.report(entries[-1].id)
    assert report.workload.network == "resnet50"
    assert report.benchmark is not None
    with sqlite3.connect(path) as database:  # the place for what came of an answer is there now
        assert database.execute("SELECT count(*) FROM receipt").fetchone() == (0,)
    database.close()
    history.remove([entry.id for entry in entries[:10]])
    assert len(History(path).entries()) == 990


def test_settings_survive(tmp_path: Path) -> None:
    """Each choice that the earlier version kept."""
    shutil.copy(WRITTEN / "window.ini", tmp_path / "window.ini")
    kept = load_settings(tmp_path / "window.ini")
    assert (kept.language_code, kept.theme, kept.currency, kept.country) == ("es", "dark", "EUR", "ES")
    assert (kept.interval_s, kept.notifies, kept.warns_before, kept.geometry) == (2.0, False, True, "01d9d0cb")
    assert kept.electricity_usd_per_kwh == 0.21
    assert kept.overrides == ("0=RTX 3060:12GB", "1=T4")


def test_the_measuring_pack_survives(tmp_path: Path) -> None:
    """It stays in use."""
    shutil.copy(WRITTEN / "pack.json", tmp_path / MANIFEST)
    (tmp_path / "env-1").mkdir()
    manifest = Store(tmp_path).manifest()
    assert manifest is not None
    assert (manifest.environment, manifest.backend, manifest.torch_version) == ("env-1", "cu126", "2.13.0+cu126")


def test_a_job_file_survives() -> None:
    """The example of the earlier README asks the same."""
    job = find_workload(str(WRITTEN / "job.toml"))
    assert (job.workload.network, job.workload.samples, job.workload.epochs, job.workload.batch_size) == (
        "resnet50", 12000, 30, 64,
    )  # fmt: skip
    assert (job.workload.precision, job.workload.loaders) == ("amp", 8)
    assert (job.circumstances.runs_per_month, job.circumstances.budget_usd) == (8, 900)


def test_changes_of_a_report_of_november_are_read() -> None:
    """They told the least memory as one number; the program of 8ffab2b wrote these."""
    written = (
        b'{"option": "here/cuda:0", "whole_bytes": 27e9, "available_bytes": 12e9, "run_s": 60.0, "fits": false, '
        b'"least_bytes": 14e9, "changes": []}'
    )
    found = msgspec.json.decode(written, type=JobChanges)
    assert (found.least_bytes, found.least) == (14e9, ())
