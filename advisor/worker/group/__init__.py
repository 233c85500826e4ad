"""Measure together with other workers: each is one rank of a group of torch.distributed."""

from advisor.worker.group.serve import GroupServer

__all__ = ["GroupServer"]
