"""What a survey finds in a folder."""

from pathlib import Path

from advisor.probe.dataset import survey
from advisor.records.results.measured.own_data import OwnData


def found(folder: Path) -> OwnData:
    """Return what a folder holds."""
    return survey(folder).data
