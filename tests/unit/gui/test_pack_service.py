"""The measuring pack as the window sees it, without a window."""

from pathlib import Path

import pytest

from advisor.gui.pack_service import CorePackService


def test_without_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new user has none; removing nothing is no fault, stopping nothing neither."""
    monkeypatch.setattr("advisor.pack.store.pack_folder", lambda: tmp_path / "pack")
    service = CorePackService()

    service.stop()

    assert service.status().health == "absent"
    assert service.remove().health == "absent"
    assert service.progress is None
