"""Files that start the measuring with the tool a site has: Slurm, Ansible or Kubernetes."""

import math
from string import Template

from advisor.resource import resource_path

_USUAL_NODES = 4
_START_MINUTES = 5
"""Slurm and Kubernetes count the starting of nodes and the loading of torch, too."""


def launch_file(launcher: str, *, nodes: int | None, minutes: float) -> str:
    """Return the file.

    Args:
        launcher: ``slurm``, ``ansible`` or ``kubernetes``.
        nodes: Computers to ask for; None: four.
        minutes: How long the measuring itself may take.
    """
    name = {"slurm": "scaling.sh", "ansible": "scaling.yml", "kubernetes": "scaling-kubernetes.yml"}[launcher]
    text = resource_path("collect", name).read_text("utf-8")
    return Template(text).safe_substitute(
        advisor_nodes=nodes or _USUAL_NODES,
        advisor_minutes=f"{minutes:g}",
        advisor_limit=math.ceil(minutes) + _START_MINUTES,
        advisor_limit_s=60 * (math.ceil(minutes) + _START_MINUTES),
    )
