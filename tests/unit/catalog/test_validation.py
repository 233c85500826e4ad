"""The file of the validation is read strictly."""

from pathlib import Path

import pytest

from advisor.catalog.validation import read_validation
from advisor.errors import CatalogError


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """A field nobody knows is an error that names the file."""
    path = tmp_path / "validation.json"
    path.write_text('{"made": "2026-01-01", "coverage_ratio": 0.8, "rows": [], "surprise": 1}', encoding="utf-8")
    with pytest.raises(CatalogError, match=r"validation\.json"):
        read_validation(path)
