"""What Slurm's scontrol tells of an allocation, as version 22.05 of Debian printed it."""

import sys
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.records.results.scaling import SiteLimits
from advisor.scaling import limits_of_partition, nodes_of_allocation
from advisor.scaling.nodes import Node
from advisor.scaling.slurm import site_limits
from advisor.units import MIB

PARTITION = {"PartitionName": "main", "MaxTime": "1-02:00:00", "MaxNodes": "3", "MaxCPUsPerNode": "UNLIMITED",
             "MaxMemPerNode": "1500", "TotalNodes": "4"}  # fmt: skip
NODE = {"NodeName": "n1", "CPUEfctv": "2", "CPUTot": "2", "RealMemory": "2000"}


def test_outside_an_allocation_slurm_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence says what to do instead; there is no partition to ask about."""
    monkeypatch.delenv("SLURM_JOB_NODELIST", raising=False)
    monkeypatch.delenv("SLURM_JOB_PARTITION", raising=False)
    with pytest.raises(InputError, match="sbatch"):
        nodes_of_allocation()
    assert limits_of_partition(Node(name="n1", address="n1")) is None


@pytest.mark.skipif(sys.platform == "win32", reason="made with a shell")
@pytest.mark.parametrize(
    ("prints", "says"),
    [
        ("seq 513", "513 computers are named"),
        ("printf '\\377\\000a'", "is not a computer"),
        ("exit 3", "Slurm does not answer: scontrol: exit status 3"),
    ],
)
def test_a_slurm_that_lies_is_refused(prints: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each of its computers is asked about."""
    program = tmp_path / "scontrol"
    program.write_text(f'#!/bin/sh\n[ "$2" = hostnames ] || exit 9\n{prints}\n', "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[1-2]")

    with pytest.raises(InputError, match=says):
        nodes_of_allocation()


def test_the_tighter_of_partition_and_node_counts() -> None:
    """Time and nodes are the partition's; cores and memory of a node are what it has, or what the partition gives."""
    assert site_limits(PARTITION, NODE) == SiteLimits(job_s=26 * 3600.0, nodes=3, cores=2, memory_bytes=1500 * MIB)


def test_what_is_unlimited_is_no_limit() -> None:
    """UNLIMITED, and what is not told."""
    found = site_limits(PARTITION | {"MaxTime": "UNLIMITED", "MaxNodes": "UNLIMITED"}, {})
    assert found == SiteLimits(nodes=4, memory_bytes=1500 * MIB)
    assert site_limits({}, {}) == SiteLimits()
    assert site_limits({"MaxNodes": "9" * 5000, "MaxTime": "9" * 5000 + ":00:00"}, {}) == SiteLimits()
