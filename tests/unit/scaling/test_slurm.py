"""What Slurm's scontrol tells of an allocation, as version 22.05 of Debian printed it."""

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


def test_the_tighter_of_partition_and_node_counts() -> None:
    """Time and nodes are the partition's; cores and memory of a node are what it has, or what the partition gives."""
    assert site_limits(PARTITION, NODE) == SiteLimits(job_s=26 * 3600.0, nodes=3, cores=2, memory_bytes=1500 * MIB)


def test_what_is_unlimited_is_no_limit() -> None:
    """UNLIMITED, and what is not told."""
    found = site_limits(PARTITION | {"MaxTime": "UNLIMITED", "MaxNodes": "UNLIMITED"}, {})
    assert found == SiteLimits(nodes=4, memory_bytes=1500 * MIB)
    assert site_limits({}, {}) == SiteLimits()
