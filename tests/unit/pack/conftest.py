"""Making a pack with a stand-in for uv, a real process; trying a pack with this very interpreter."""

import stat
from pathlib import Path

import pytest

from advisor.pack.install import Installer
from advisor.pack.store import Store
from advisor.pack.uv import Uv
from tests.unit.pack.stand_in import FAKE_UV

WELL = '#!/bin/sh\necho \'{"version": "2.9", "python": "3.12", "devices": ["cpu"], "faults": {}}\'\n'


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Return an empty store."""
    return Store(tmp_path / "pack")


@pytest.fixture
def installer(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installer:
    """Return an installer with the stand-in."""
    script = tmp_path / "uv"
    script.write_text(FAKE_UV, encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("FAKE_PYTHON", WELL)
    return Installer("cpu", store, Uv(script, store.downloads), python="python")
