"""What an optimizer's step takes: bytes a parameter, and kernels where each tensor is stepped by itself."""

import numpy as np

from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

FUSED_BYTES = {"none": 0.0, "sgd": 20.0, "adam": 28.0, "adamw": 28.0, "adamw_8bit": 16.0}
"""Bytes an optimizer step moves for each trained parameter: weight, gradient and states read, the new ones written."""
UNFUSED_BYTES = {"none": 0.0, "sgd": 44.0, "adam": 72.0, "adamw": 80.0, "adamw_8bit": 16.0}
"""The same where each operation is a pass of its own: weight decay, both means, root, division, update.

Source: PyTorch 2.9, torch/optim, ``_multi_tensor_adam`` and ``_multi_tensor_sgd``, their in-place operations.
"""
_UNFUSED_KERNELS = {"none": 0.0, "sgd": 4.0, "adam": 7.0, "adamw": 8.0, "adamw_8bit": 1.0}
_LISTS_SINCE = 2023
"""Year from which an optimizer that is not fused takes many tensors with one kernel, not each by itself: PyTorch 2.0.

Source: PyTorch documentation, ``torch.optim.Adam``, ``foreach``, 2025.
"""


def optimizer_bytes(workload: Workload) -> float:
    """Return the bytes an optimizer step moves for each trained parameter, by what is known of its kernels.

    Where nothing is known the middle is taken: plain PyTorch does not fuse, libraries that train language models do.
    """
    fused, unfused = FUSED_BYTES[workload.optimizer], UNFUSED_BYTES[workload.optimizer]
    if workload.fused_optimizer is None and not _steps_by_tensor(workload):
        return float(np.sqrt(fused * unfused))
    return fused if workload.fused_optimizer else unfused


def optimizer_doubt(workload: Workload) -> float:
    """Return by what factor an optimizer step may move more bytes, or fewer, where nobody said whether it is fused."""
    if workload.fused_optimizer is not None or workload.optimizer == "none" or _steps_by_tensor(workload):
        return 1.0
    return float(np.sqrt(UNFUSED_BYTES[workload.optimizer] / FUSED_BYTES[workload.optimizer]))


def optimizer_kernels(network: Network, workload: Workload) -> float:
    """Return the launches of an optimizer that takes one tensor after the other; 0 for those that take lists."""
    if workload.task == "infer" or workload.fused_optimizer or not _steps_by_tensor(workload):
        return 0.0
    return _UNFUSED_KERNELS[workload.optimizer] * network.parameter_tensors


def _steps_by_tensor(workload: Workload) -> bool:
    return workload.framework_year is not None and workload.framework_year < _LISTS_SINCE


def clearing_kernels(network: Network, workload: Workload) -> float:
    """Return the launches of setting gradients to zero and adding the new ones; 0 where they are made anew each step.

    Source: PyTorch 2.0 release notes, 2023: ``zero_grad`` sets gradients to None by default.
    """
    return 2.0 * network.parameter_tensors if workload.task == "train" and _steps_by_tensor(workload) else 0.0
