"""What a job of Slurm was given of the computer it runs on; a site need not enforce it by control groups.

Source: sbatch(1), "OUTPUT ENVIRONMENT VARIABLES". SLURMD_NODENAME is set where a task runs; on a login node a shell of
``salloc`` has none.
Check: ``scontrol show job "$SLURM_JOB_ID"``
"""

from collections.abc import Mapping
from dataclasses import replace

from advisor.probe.host.cgroup import Limits
from advisor.probe.readers import number
from advisor.units import MIB

CHECK = 'scontrol show job "$SLURM_JOB_ID"'


def within_allocation(limits: Limits, environment: Mapping[str, str]) -> Limits:
    """Return the tighter of the control groups' limits and those of the job that this runs in."""
    if "SLURMD_NODENAME" not in environment:
        return limits
    cores = number(environment.get("SLURM_CPUS_ON_NODE"))
    if cores and (limits.cores is None or cores < limits.cores):
        limits = replace(limits, cores=float(cores), cores_from="SLURM_CPUS_ON_NODE")
    name, megabytes = "SLURM_MEM_PER_NODE", number(environment.get("SLURM_MEM_PER_NODE"))
    each = number(environment.get("SLURM_MEM_PER_CPU"))
    if each and cores:
        name, megabytes = "SLURM_MEM_PER_CPU", each * cores
    if megabytes and (limits.memory_bytes is None or megabytes * MIB < limits.memory_bytes):
        limits = replace(limits, memory_bytes=megabytes * MIB, memory_from=name)
    return limits


def check_of(source: str) -> str:
    """Return the command that shows a limit."""
    return CHECK if source.startswith("SLURM_") else f"cat {source}"
