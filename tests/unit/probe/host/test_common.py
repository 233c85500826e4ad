"""What systems without /proc share: psutil's counts and py-cpuinfo's instruction sets."""

import sys

import pytest

from advisor.probe import probe_machine
from advisor.probe.readers import read_cpuinfo


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it takes a second and is used anyway")
def test_cpuinfo_agrees_with_the_fast_way() -> None:
    """py-cpuinfo, the slow way, finds the same instruction sets as reading the files."""
    flags = set(read_cpuinfo()["flags"])
    found = probe_machine().host.cpu.instruction_sets
    assert ("AVX2" in found) == ("avx2" in flags)
    assert ("AVX512F" in found) == ("avx512f" in flags)
