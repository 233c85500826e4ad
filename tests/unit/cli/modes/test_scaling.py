"""``advisor --scaling`` of a file: what was measured is shown again, and nothing is measured."""

from pathlib import Path

import pytest

from advisor import wire
from advisor.cli import main
from tests.unit.report.documents.test_scaling import SCALING


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """A file as a job of Slurm leaves it, which nobody can read as it is."""
    path = tmp_path / "scaling.json"
    path.write_bytes(wire.encode(SCALING))
    return path


def test_a_file_is_shown_as_a_page(measured: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """On the screen, or in a file of another kind; what is slow is named."""
    assert main(["--lang", "en", "--scaling", "--cluster", str(measured)]) == 0
    assert "rack-1 computes more slowly" in " ".join(capfd.readouterr().out.split())
    assert main(["--lang", "es", "--scaling", "--cluster", str(measured), "--out", str(tmp_path / "page.html")]) == 0
    assert "nodo 2" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("more", [["--nodes", "a,b"], ["--dry-run", "slurm"], ["--queue-hours", "2"]])
def test_what_measures_or_asks_does_not_go_with_it(
    more: list[str], measured: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing that was said is passed over."""
    assert main(["--lang", "en", "--scaling", "--cluster", str(measured), *more]) == 2
    assert capfd.readouterr().err.count("\n") == 1
