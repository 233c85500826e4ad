"""What is believed of others: gates, each with its reason."""

import random
from pathlib import Path

import msgspec
import pytest

from advisor import wire
from advisor.errors import InputError
from advisor.learning.gather import gather
from advisor.records.results.shared import SharedMeasurements
from tests.unit.learning.build import NETWORKS, poisoned, report, shared


def _one(ratio: float = 1.1) -> SharedMeasurements:
    return shared(1, dict.fromkeys(NETWORKS[:2], ratio), random.Random(1))


def _written(folder: Path, *many: SharedMeasurements) -> Path:
    for number, one in enumerate(many):
        (folder / f"{number}.json").write_bytes(wire.encode(one))
    return folder


def test_reports_and_shared_files_side_by_side(tmp_path: Path) -> None:
    """Of a report, what could be shared of it counts; the same label is the same hand."""
    _written(tmp_path, _one())
    for number, ratio in enumerate((1.1, 1.2)):
        (tmp_path / f"report-{number}.json").write_bytes(wire.encode(report(ratio, label="pc-7")))
    (tmp_path / "other.json").write_bytes(wire.encode(report(1.3, label="pc-8")))
    found = gather(tmp_path)
    assert not found.left_out
    assert len(found.shared) == 4
    assert len({one.hand for one in found.shared}) == 3


def test_faster_than_the_card_can_compute(tmp_path: Path) -> None:
    """Physics refuses what no vote has to."""
    found = gather(_written(tmp_path, poisoned(_one(), 0.02)))
    assert not found.shared
    assert [(one.reason, one.cases) for one in found.left_out] == [("physics", 2)]


def test_samples_too_far_apart(tmp_path: Path) -> None:
    """Such a case is left out; the others of the file stay."""
    one = _one()
    wide = msgspec.structs.replace(one.cases[0], high_s=1.5 * one.cases[0].median_s)
    found = gather(_written(tmp_path, msgspec.structs.replace(one, cases=(wide, one.cases[1]))))
    assert [(left.reason, left.cases) for left in found.left_out] == [("spread", 1)]
    assert found.shared[0].cases == (one.cases[1],)


@pytest.mark.parametrize(
    ("field", "value"),
    [("device", "GeForce RTX 3081"), ("device", "rtx 3080"), ("device", "GeForce RTX 3090"), ("memory_gib", 12)],
)
def test_a_device_by_another_name(tmp_path: Path, field: str, value: str | int) -> None:
    """Only the catalogue's own name is one, with the memory that such a card has."""
    found = gather(_written(tmp_path, msgspec.structs.replace(_one(), **{field: value})))
    assert [one.reason for one in found.left_out] == ["device"]


@pytest.mark.parametrize(
    "change",
    [
        b'"note":"my pc",',
        b'"cores":-1,',
        b'"month":"2026-11-23",',
        b'"hand":"ana",',
    ],
)
def test_a_file_with_more_or_other_than_allowed(tmp_path: Path, change: bytes) -> None:
    """It is refused whole."""
    content = wire.encode_line(_one()).replace(b'"format"', change + b'"format"', 1)
    (tmp_path / "x.json").write_bytes(content)
    found = gather(tmp_path)
    assert not found.shared or change.startswith((b'"cores"', b'"month"', b'"hand"'))
    assert found.shared or [one.reason for one in found.left_out] == ["format"]


def test_a_report_that_windows_wrote(tmp_path: Path) -> None:
    """PowerShell's ``>`` writes UTF-16, an editor a mark at the beginning; equal ones count once."""
    written = wire.encode(report()).decode()
    (tmp_path / "power.json").write_bytes(written.encode("utf-16"))
    (tmp_path / "marked.json").write_bytes(written.encode("utf-8-sig"))
    (tmp_path / "plain.json").write_text(written, "utf-8")
    found = gather(tmp_path)
    assert not found.left_out
    assert len(found.digests) == 1


def test_links_and_equal_files(tmp_path: Path) -> None:
    """No link is followed, and a copy counts once."""
    _written(tmp_path, _one(), _one())
    (tmp_path / "link.json").symlink_to(tmp_path / "0.json")
    found = gather(tmp_path)
    assert len(found.shared) == 1
    assert [one.reason for one in found.left_out] == ["link"]


def test_no_folder(tmp_path: Path) -> None:
    """It is said."""
    with pytest.raises(InputError):
        gather(tmp_path / "nothing")
