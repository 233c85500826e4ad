"""Measure what several devices and computers reach together; torch.distributed carries the messages."""

from advisor.scaling.launch_file import launch_file
from advisor.scaling.nodes import Node, check_template, nodes_from_file, nodes_from_text
from advisor.scaling.run import ScalingRequest, measure_scaling, went_wrong
from advisor.scaling.slurm import limits_of_partition, nodes_of_allocation

__all__ = [
    "Node",
    "ScalingRequest",
    "check_template",
    "launch_file",
    "limits_of_partition",
    "measure_scaling",
    "nodes_from_file",
    "nodes_from_text",
    "nodes_of_allocation",
    "went_wrong",
]
