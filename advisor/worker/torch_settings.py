"""torch's global settings: set for one case and put back after it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import NotSupportedError

_DTYPES = {
    "fp64": torch.float64,
    "fp32": torch.float32,
    "tf32": torch.float32,
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "amp": torch.float32,
}


def dtype_of(case: Case) -> torch.dtype:
    """Return the element type the case's tensors are stored in."""
    return _DTYPES[case.precision]


@contextmanager
def case_settings(case: Case) -> Iterator[torch.device]:
    """Yield the case's device with threads and fp32 arithmetic as the case wants them; put everything back afterwards.

    ``fp32`` means fp32 in products and convolutions alike, ``tf32`` allows the shorter format in both. (torch's own
    default mixes them on NVIDIA devices: tf32 in convolutions, fp32 in products.)

    Raises:
        NotSupportedError: torch cannot use the device, or it has no such format.
    """
    device = _usable_device(case)
    threads = torch.get_num_threads()
    settings = _fp32_settings()
    before = [getattr(owner, name) for owner, name in settings]
    allowed: Any = case.precision == "tf32"
    if _has_named_precisions():
        allowed = "tf32" if allowed else "ieee"
    try:
        torch.set_num_threads(case.threads or threads)
        for owner, name in settings:
            setattr(owner, name, allowed)
        torch.manual_seed(0)
        yield device
    finally:
        torch.set_num_threads(threads)
        for (owner, name), value in zip(settings, before, strict=True):
            setattr(owner, name, value)


def _usable_device(case: Case) -> torch.device:
    device = torch.device(case.device)
    if case.precision == "tf32" and device.type != "cuda":
        raise NotSupportedError(f"tf32 is a format of NVIDIA devices, not of {device.type}.")
    if case.precision == "fp64" and device.type == "mps":
        raise NotSupportedError("Apple's GPU has no fp64.")
    if device.type == "cuda":
        if not torch.cuda.is_available() or (device.index or 0) >= torch.cuda.device_count():
            raise NotSupportedError(f"torch cannot use {device}.")
        torch.cuda.set_device(device)
    if device.type == "xpu":
        torch.xpu.set_device(device)
    return device


def _has_named_precisions() -> bool:
    """Return whether torch is 2.9 or later, which replaced the switch by a name and refuses a mix of both."""
    return hasattr(torch.backends.cuda.matmul, "fp32_precision")


def _fp32_settings() -> list[tuple[Any, str]]:
    """Return the settings that decide how fp32 is computed on NVIDIA devices, as (owner, attribute)."""
    if _has_named_precisions():
        cudnn: Any = torch.backends.cudnn
        return [(owner, "fp32_precision") for owner in (torch.backends.cuda.matmul, cudnn.conv, cudnn.rnn)]
    return [(torch.backends.cuda.matmul, "allow_tf32"), (torch.backends.cudnn, "allow_tf32")]
