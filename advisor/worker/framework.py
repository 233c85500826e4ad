"""What this torch is and which devices it can use; also when it cannot be imported at all."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING, Any

from advisor.card_matching import Seen
from advisor.records.channel import Ready, WorkerDevice
from advisor.records.hardware.machine import Framework
from advisor.worker.failure import describe

if TYPE_CHECKING:
    from collections.abc import Callable

    from advisor.records.base import Precision

# Compute capability from which an NVIDIA device has its own units for a format.
# Source: CUDA C++ Programming Guide, "Arithmetic Instructions" and "Tensor cores": fp16 products run at full rate from
# 6.0 (and 5.3), on tensor cores from 7.0; bf16 and tf32 from 8.0.
_FP16_FROM = (5, 3)
_BF16_AND_TF32_FROM = (8, 0)

# As torch.cpu.get_capabilities names them, on x86 and on ARM.
_BF16_INSTRUCTIONS = ("avx512_bf16", "amx_bf16", "bf16", "sve_bf16")
_FP16_INSTRUCTIONS = ("avx512_fp16", "amx_fp16", "fp16_arith")

# What changes the numbers. Only plain numbers are shown: a card may be chosen by an identifier that is its own alone.
_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ZE_AFFINITY_MASK")


def read_framework() -> Ready:
    """Return what can be measured with the installed torch."""
    try:
        import torch
    except (ImportError, OSError) as error:  # OSError: a library of torch cannot be loaded
        return Ready(framework=Framework(version=None), problem=describe(error))
    devices, problems = _devices(torch)
    built_for, built_for_version = _build_of(torch)
    return Ready(
        framework=Framework(
            version=str(torch.__version__),
            built_for=built_for,
            built_for_version=built_for_version,
            architectures=tuple(torch.cuda.get_arch_list()) if torch.cuda.is_available() else (),
            visible_devices=tuple(_seen(device, built_for).spelled() for device in devices if device.name != "cpu"),
        ),
        devices=tuple(devices),
        environment=_environment(torch),
        problem="; ".join(problems)[:4000],
    )


def _seen(device: WorkerDevice, built_for: str | None) -> Seen:
    """Return a device with its position among all cards, where only some of them are shown by their numbers.

    Source: CUDA C++ Programming Guide, "CUDA Environment Variables"; ROCm documentation, "GPU isolation techniques".
    """
    names = ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES") if built_for == "rocm" else ("CUDA_VISIBLE_DEVICES",)
    shown = next((value for name in names if (value := os.environ.get(name))), "").split(",")
    kind, _colon, number = device.name.partition(":")
    if kind != "cuda" or int(number) >= len(shown) or not shown[int(number)].strip().isdecimal():
        return Seen(device.name, device.title)
    return Seen(device.name, device.title, int(shown[int(number)]))


def _devices(torch: Any) -> tuple[list[WorkerDevice], list[str]]:
    """Return the devices, the processor first, and what was said by those that failed; each hides itself only."""
    readers: list[tuple[Callable[[Any, int], WorkerDevice], int]] = []
    if torch.cuda.is_available():
        readers += [(_cuda_device, index) for index in range(torch.cuda.device_count())]
    if hasattr(torch, "xpu") and torch.xpu.is_available():
        readers += [(_xpu_device, index) for index in range(torch.xpu.device_count())]
    if torch.backends.mps.is_available():
        readers.append((_mps_device, 0))
    devices, problems = [_processor(torch)], []
    for read, index in readers:
        try:
            devices.append(read(torch, index))
        except (RuntimeError, AssertionError, OSError) as error:  # full, taken by another program, or broken
            problems.append(describe(error))
    return devices, problems


def _build_of(torch: Any) -> tuple[str, str | None]:
    if torch.version.hip:
        return "rocm", str(torch.version.hip)
    if torch.version.cuda:
        return "cuda", str(torch.version.cuda)
    if getattr(torch.version, "xpu", None):
        return "xpu", str(torch.version.xpu)
    if torch.backends.mps.is_built():
        return "mps", None
    return "cpu", None


def _environment(torch: Any) -> dict[str, str]:
    facts = {
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "threads": str(torch.get_num_threads()),
        "mkldnn": "yes" if torch.backends.mkldnn.is_available() else "no",
        "mkl": "yes" if torch.backends.mkl.is_available() else "no",
    }
    if hasattr(torch.backends, "cpu"):  # not before 2.1; a version that differs is to be said, not to crash
        facts["cpu_capability"] = str(torch.backends.cpu.get_cpu_capability())
    if torch.cuda.is_available() and torch.backends.cudnn.is_available():
        facts["cudnn"] = str(torch.backends.cudnn.version())
    for name in _VARIABLES:
        if value := os.environ.get(name):
            facts[name] = value if value.replace(",", "").isdecimal() else "set"
    return facts


def _processor(torch: Any) -> WorkerDevice:
    """Return the processor with the formats it has instructions for; torch emulates the others, slowly."""
    capabilities = _capabilities(torch)
    precisions: list[Precision] = ["fp32", "fp64"]
    if any(capabilities.get(name) for name in _BF16_INSTRUCTIONS):
        precisions.append("bf16")
    if any(capabilities.get(name) for name in _FP16_INSTRUCTIONS):
        precisions.append("fp16")
    return WorkerDevice(name="cpu", precisions=tuple(precisions))


def _capabilities(torch: Any) -> dict[str, Any]:
    """Return the processor's features as torch names them, with those its older versions know under other names."""
    found: dict[str, Any] = {}
    if hasattr(torch.cpu, "get_capabilities"):
        found.update(torch.cpu.get_capabilities())
    for name in ("avx512_bf16", "amx_fp16"):
        check = getattr(torch.cpu, f"_is_{name}_supported", None)
        if check is not None:
            found[name] = found.get(name) or check()
    return found


def _cuda_device(torch: Any, index: int) -> WorkerDevice:
    """Return one of NVIDIA's or AMD's devices; torch calls both ``cuda``."""
    properties = torch.cuda.get_device_properties(index)
    free_bytes, total_bytes = torch.cuda.mem_get_info(index)
    is_amd = bool(torch.version.hip)
    capability = (properties.major, properties.minor)
    return WorkerDevice(
        name=f"cuda:{index}",
        title=str(properties.name),
        memory_bytes=total_bytes,
        free_bytes=free_bytes,
        precisions=_amd_precisions(properties) if is_amd else _nvidia_precisions(capability),
        compute_capability=None if is_amd else f"{capability[0]}.{capability[1]}",
        multiprocessors=properties.multi_processor_count,
    )


def _nvidia_precisions(capability: tuple[int, int]) -> tuple[Precision, ...]:
    precisions: list[Precision] = ["fp32", "fp64"]
    if capability >= _FP16_FROM:
        precisions.append("fp16")
    if capability >= _BF16_AND_TF32_FROM:
        precisions += ["bf16", "tf32"]
    return tuple(precisions)


def _amd_precisions(properties: Any) -> tuple[Precision, ...]:
    """Return the formats of an AMD device.

    bf16 has matrix instructions on CDNA (gfx908 and later) and on RDNA 3 (gfx11) and later. TF32 exists on gfx942 alone
    and is not claimed: torch's setting for it does not reach AMD's library in every version.
    Source: ROCm documentation, "Data types and precision support" (2025-10-30).
    """
    name = str(getattr(properties, "gcnArchName", "")).split(":")[0]
    has_bf16 = name.startswith(("gfx908", "gfx90a", "gfx94", "gfx95", "gfx11", "gfx12"))
    return ("fp32", "fp64", "fp16", "bf16") if has_bf16 else ("fp32", "fp64", "fp16")


def _xpu_device(torch: Any, index: int) -> WorkerDevice:
    """Return one of Intel's devices."""
    properties = torch.xpu.get_device_properties(index)
    short: tuple[Precision, ...] = ("fp32", "fp16", "bf16")
    return WorkerDevice(
        name=f"xpu:{index}",
        title=str(properties.name),
        memory_bytes=properties.total_memory,
        precisions=(*short, "fp64") if getattr(properties, "has_fp64", False) else short,
    )


def _mps_device(torch: Any, index: int) -> WorkerDevice:
    """Return Apple's device, of which there is one; it computes no fp64."""
    return WorkerDevice(
        name="mps",
        title="Apple GPU",
        memory_bytes=torch.mps.recommended_max_memory(),
        precisions=("fp32", "fp16", "bf16"),
    )
