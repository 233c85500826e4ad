"""Cloud offers: the shipped snapshot, a newer one of the user, and its renewal with everything that can go wrong."""

from pathlib import Path

import pytest


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Return the place of the user's own snapshot, with nothing there yet."""
    return tmp_path / "data" / "offers"
