"""What the programs for a job can use: jobs that no device of some kind can run, however fast it is."""

from advisor.errors import Phrase, PredictionError
from advisor.records.hardware.device import Device
from advisor.records.job.workload import Workload

_TREE_BUILDERS = frozenset({"nvidia", "amd", "intel"})
"""Makers of graphics cards on which LightGBM grows trees; beside them XGBoost has only NVIDIA's.

Source: LightGBM 4.6 documentation, "GPU SDK Correspondence and Device Targeting Table"; read 2026-11-22.
"""
_LEAST_CAPABILITY_4BIT = 6.0
"""CUDA compute capability from which bitsandbytes holds weights in four bits, as QLoRA needs them. TPUs are not among
what it supports, all other makers' devices are.

Source: bitsandbytes 0.50 documentation, "Installation Guide"; read 2026-11-22.
"""


def is_supported(device: Device, workload: Workload) -> bool:
    """Return whether there is a program that does such a job on such a device; what is not known speaks for it."""
    if workload.method == "classical":
        return _grows_trees(device)
    if workload.method == "qlora":
        return _holds_four_bits(device)
    return True


def require_support(device: Device, workload: Workload) -> None:
    """Check that there is a program for the job.

    Raises:
        PredictionError: There is none.
    """
    if not is_supported(device, workload):
        raise PredictionError(_WITHOUT[workload.method], device=device.name)


def require_serving(device: Device) -> None:
    """Check that a language model can be asked on the device, as its rates are known of llama.cpp.

    Raises:
        PredictionError: There is no such program for it.
    """
    if device.device_class == "tpu":
        raise PredictionError(_NO_SERVING, device=device.name)


_NO_SERVING = Phrase("How fast language models write on {device} is not known: llama.cpp does not run on it.")
_WITHOUT = {
    "classical": Phrase(
        "Gradient boosting runs on processors and on graphics cards of NVIDIA, AMD and Intel, not on {device}."
    ),
    "qlora": Phrase(
        "QLoRA does not run on {device}: bitsandbytes, which packs the weights in four bits, does not support it."
    ),
}


def _grows_trees(device: Device) -> bool:
    if device.device_class == "cpu":
        return True
    is_usable = not device.frameworks or bool({"CUDA", "OpenCL"} & set(device.frameworks))
    return device.vendor in _TREE_BUILDERS and is_usable


def _holds_four_bits(device: Device) -> bool:
    if device.device_class == "tpu":
        return False
    capability = device.compute_capability
    return device.vendor != "nvidia" or capability is None or float(capability) >= _LEAST_CAPABILITY_4BIT
