"""What Slurm says of the allocation that this runs in: its computers, and what its partition lets a job have."""

import os
import re
from collections.abc import Mapping

from advisor.errors import InputError
from advisor.probe.readers import CommandError, run_command
from advisor.records.results.scaling import SiteLimits
from advisor.scaling.nodes import Node, checked
from advisor.units import MIB

_COUNT = re.compile(r"\d{1,15}")
_TIME = re.compile(r"(?:(\d{1,9})-)?(\d{1,9}):(\d{1,9}):(\d{1,9})")


def nodes_of_allocation() -> tuple[Node, ...]:
    """Return the computers of the Slurm allocation that this runs in.

    Raises:
        InputError: It runs in none, or Slurm does not answer.
    """
    listed = os.environ.get("SLURM_JOB_NODELIST")
    if not listed:
        raise InputError(
            "--slurm works within an allocation of Slurm; --scaling --dry-run slurm writes the file for sbatch."
        )
    named = checked([Node(name=name, address=name) for name in _scontrol("show", "hostnames", listed).split()])
    return checked([Node(name=one.name, address=_shown("node", one.name).get("NodeAddr", one.name)) for one in named])


def limits_of_partition(node: Node) -> SiteLimits | None:
    """Return what the partition of this allocation lets a job have of such nodes; None where Slurm does not say."""
    partition = os.environ.get("SLURM_JOB_PARTITION")
    if not partition:
        return None
    try:
        return site_limits(_shown("partition", partition), _shown("node", node.name))
    except InputError:  # what was measured counts without it
        return None


def site_limits(partition: Mapping[str, str], node: Mapping[str, str]) -> SiteLimits:
    """Return the limits of what ``scontrol show`` tells of a partition and of one of its nodes."""
    megabytes = _least(partition.get("MaxMemPerNode"), node.get("RealMemory"))
    return SiteLimits(
        job_s=_seconds(partition.get("MaxTime", "")),
        nodes=_least(partition.get("MaxNodes"), partition.get("TotalNodes")),
        cores=_least(partition.get("MaxCPUsPerNode"), node.get("CPUEfctv") or node.get("CPUTot")),
        memory_bytes=None if megabytes is None else megabytes * MIB,
    )


def _least(*words: str | None) -> int | None:
    """Return the least of some numbers; UNLIMITED and what is not told do not count."""
    counts = [int(word) for word in words if word and _COUNT.fullmatch(word)]
    return min((count for count in counts if count), default=None)


def _seconds(text: str) -> float | None:
    """Return the seconds of ``1-02:00:00``; None of UNLIMITED."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds) or None


def _shown(kind: str, name: str) -> dict[str, str]:
    """Return the fields of what Slurm shows of a node or a partition.

    Raises:
        InputError: Slurm does not answer.
    """
    words = _scontrol("--oneliner", "show", kind, name).split()
    return dict(word.split("=", 1) for word in words if "=" in word)


def _scontrol(*words: str) -> str:
    try:
        return run_command(["scontrol", *words])
    except CommandError as error:
        raise InputError("Slurm does not answer: {reason}.", reason=error) from error
