"""``advisor --share`` and ``--learn``: shown before it is written, learned and undone."""

import random
from pathlib import Path

import pytest

from advisor import wire
from advisor.catalog.learned import learned_calibrations, learned_path
from advisor.cli import main
from tests.unit.learning.build import NETWORKS, report, shared


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Nothing was learned before, and nothing is afterwards."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    learned_calibrations.cache_clear()
    yield
    learned_calibrations.cache_clear()


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """Return a folder of four computers that are 30 % slower than predicted, and a file that is none of theirs."""
    folder = tmp_path / "room"
    folder.mkdir()
    source = random.Random(1)
    for hand in range(4):
        (folder / f"{hand}.json").write_bytes(wire.encode(shared(hand, dict.fromkeys(NETWORKS, 1.3), source)))
    (folder / "bad.json").write_text("{")
    return folder


def _step(capfd: pytest.CaptureFixture[str]) -> str:
    assert main(["--lang", "en", "--predict", "resnet50", "--on", "RTX 3080", "--precision", "amp"]) == 0
    return capfd.readouterr().out


def test_learned_said_and_undone(room: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A prediction says whose measurements it rests on; afterwards all is as before."""
    before = _step(capfd)
    assert main(["--lang", "en", "--learn", str(room)]) == 0
    out, err = capfd.readouterr()
    assert "24 measurements on 4 computers. A computer left out was predicted" in out
    assert "bad.json: left out: neither a report" in err
    after = _step(capfd)
    assert "24 measurements on 4 computers of others with this device" in after
    assert main(["--lang", "en", "--learn", "none"]) == 0
    capfd.readouterr()
    assert _step(capfd) == before
    assert not learned_path().exists()


def test_nothing_learned_keeps_what_was(tmp_path: Path, room: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A folder that teaches nothing is a failure, and takes nothing away."""
    assert main(["--learn", str(room)]) == 0
    kept = learned_path().read_bytes()
    empty = tmp_path / "empty"
    empty.mkdir()
    assert main(["--learn", str(empty)]) == 1
    assert learned_path().read_bytes() == kept


def test_a_damaged_file_is_no_silent_loss(room: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is said, with the way out."""
    assert main(["--learn", str(room)]) == 0
    learned_path().write_text("{")
    learned_calibrations.cache_clear()
    assert main(["--lang", "en", "--predict", "resnet50", "--on", "RTX 3080"]) == 2
    assert "advisor --learn none" in capfd.readouterr().err


def test_many_wrong_files_are_counted_by_kind(room: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Ten of each kind are named; a single one of another kind is not lost among them."""
    for number in range(40):
        (room / f"wrong-{number:02}.json").write_text("{" * number)
    (room / "link.json").symlink_to(room / "nowhere")
    assert main(["--lang", "en", "--learn", str(room)]) == 0
    lines = capfd.readouterr().err.splitlines()
    assert sum("neither a report" in line for line in lines) == 11
    assert any(line.startswith("31 more files: left out: neither a report") for line in lines)
    assert any(line.startswith("link.json: left out") for line in lines)


def test_shown_before_it_is_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Where nobody can be asked nothing is written without --yes."""
    (tmp_path / "mine.json").write_bytes(wire.encode(report(label="room of ana")))
    asked = ["--lang", "en", "--share", str(tmp_path / "out"), "--machine", str(tmp_path / "mine.json")]
    assert main(asked) == 2
    out, err = capfd.readouterr()
    assert '"device": "GeForce RTX 3080 10GB"' in out
    assert "ana" not in out
    assert "--yes" in err
    assert not (tmp_path / "out").exists()
    assert main([*asked, "--yes"]) == 0
    [written] = (tmp_path / "out").iterdir()
    assert written.read_text() in capfd.readouterr().out + "\n"


def test_no_check_yet(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is said how to make one."""
    assert main(["--lang", "en", "--share", str(tmp_path)]) == 2
    assert "advisor --report" in capfd.readouterr().err
