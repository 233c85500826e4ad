"""Samples shared by the tests of nvidia, nvml, card_sleep."""

from pathlib import Path

from advisor.monitor.nvidia import NvidiaSource
from advisor.monitor.source import Files
from tests.unit.monitor.computers.fakes import FakeNvml


def make(root: Path, *cards: dict[str, object], **rest: int) -> tuple[NvidiaSource, FakeNvml]:
    """Return a source over a fake library."""
    library = FakeNvml(*cards, **rest)
    return NvidiaSource(library, Files(root)), library
