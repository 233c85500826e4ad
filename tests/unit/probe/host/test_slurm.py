"""What a job of Slurm was given of its computer, where no control group says so."""

from advisor.probe.host.cgroup import Limits
from advisor.probe.host.slurm import check_of, within_allocation
from advisor.units import GIB, MIB

JOB = {"SLURMD_NODENAME": "n1", "SLURM_CPUS_ON_NODE": "4", "SLURM_MEM_PER_NODE": "700"}


def test_cores_and_memory_of_the_job_count() -> None:
    """The tighter of both, with where it stands."""
    found = within_allocation(Limits(), JOB)
    assert (found.cores, found.cores_from) == (4.0, "SLURM_CPUS_ON_NODE")
    assert (found.memory_bytes, found.memory_from) == (700 * MIB, "SLURM_MEM_PER_NODE")
    assert check_of(found.cores_from).startswith("scontrol")
    tighter = Limits(cores=2.0, cores_from="/sys/a", memory_bytes=GIB // 2, memory_from="/sys/b")
    assert within_allocation(tighter, JOB) == tighter


def test_memory_for_each_core() -> None:
    """Some sites give memory by the core."""
    job = {"SLURMD_NODENAME": "n1", "SLURM_CPUS_ON_NODE": "4", "SLURM_MEM_PER_CPU": "512"}
    assert within_allocation(Limits(), job).memory_bytes == 2 * GIB


def test_a_login_node_is_not_the_job() -> None:
    """There salloc leaves variables of computers elsewhere."""
    job = {name: value for name, value in JOB.items() if name != "SLURMD_NODENAME"}
    assert within_allocation(Limits(), job) == Limits()
