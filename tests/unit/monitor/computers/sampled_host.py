"""Samples shared by the tests of host, processor_sensors."""

from pathlib import Path

from advisor.monitor.host import SystemSource
from advisor.monitor.source import Files
from tests.unit.monitor.computers.fakes import FakeSystem


def make(system: FakeSystem, root: Path) -> SystemSource:
    """Return a source over a fake system and an empty tree."""
    return SystemSource(system, Files(root), is_linux=True)
