"""What the window asks of the rest of the program, without a window."""

from pathlib import Path

import pytest

from advisor.gui.backend import Backend


def test_without_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new user has none; removing nothing is no fault, stopping nothing neither."""
    monkeypatch.setattr("advisor.pack.store.pack_folder", lambda: tmp_path / "pack")
    backend = Backend()

    backend.cancel_pack()

    assert backend.pack_status().health == "absent"
    assert backend.remove_pack().health == "absent"
    assert backend.pack_progress is None
