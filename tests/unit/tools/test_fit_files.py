"""How constants are kept in their files."""

import json
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


def test_one_part_is_written_anew_and_the_others_stay(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A part stays in its place, so that only it differs between two versions of the file."""
    monkeypatch.syspath_prepend(str(TOOLS))
    from fit.constants import files

    monkeypatch.setattr(files, "CALIBRATION", tmp_path)
    files.write("some", {"first": 1, "second": {"a": 2.5}, "third": [3]})
    files.change("some", second={"b": 4})
    text = (tmp_path / "some.json").read_text(encoding="utf-8")
    assert text == json.dumps({"first": 1, "second": {"b": 4}, "third": [3]}, indent=1) + "\n"


def test_the_shipped_constants_are_as_the_tools_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading and writing them changes nothing, and the last fit knows what they came from."""
    monkeypatch.syspath_prepend(str(TOOLS))
    from fit.constants import files

    path = files.CALIBRATION / "time.json"
    text = path.read_text(encoding="utf-8")
    assert json.dumps(json.loads(text), indent=1) + "\n" == text
    assert json.loads(text)["optimizer_passes"] == pytest.approx(files.fitted("accelerators")["optimizer_passes"], 1e-3)
