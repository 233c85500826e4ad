"""Where the time of a training step goes, operation by operation, as the profiler of the framework saw it."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Record

ProfileKind = Literal[
    "convolution",
    "matrix_product",
    "attention",
    "recurrent",
    "elementwise",
    "normalization",
    "pooling",
    "reduction",
    "copy",
    "data_loading",
    "optimizer",
    "other",
    "idle",
]

MAX_OPERATIONS = 60
"""The rows of a profile that travel; the rest is summed up in ``omitted_s``."""

_Amount = Annotated[float, msgspec.Meta(ge=0, le=86_400)]
_Name = Annotated[str, msgspec.Meta(max_length=200)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class ProfiledOperation(Record, frozen=True, kw_only=True):
    """All calls of one operator with the same shapes, over all profiled steps.

    Attributes:
        name: The framework's, such as ``aten::mkldnn_convolution``.
        kind: Class of work.
        shapes: Of its tensors, such as ``32x3x150x150, 32x3x3x3``; empty where it has none.
        calls: In all steps together.
        cpu_s: Time on the processor without that of the operators it called.
        device_s: Time of its kernels on the accelerator; 0 on the processor.
        cpu_memory_bytes: Memory it took and did not give back; negative where it gave back more.
        device_memory_bytes: The same on the accelerator.
    """

    name: _Name
    kind: ProfileKind
    shapes: _Name = ""
    calls: _Count
    cpu_s: _Amount
    device_s: _Amount = 0.0
    cpu_memory_bytes: int = 0
    device_memory_bytes: int = 0


class ProfileShare(Record, frozen=True, kw_only=True):
    """The time of one class of work, and its part of the whole; the parts sum up to 1.

    Attributes:
        kind: Class of work. ``idle`` is what no operator accounts for: on an accelerator, the time no kernel ran; on
            the processor, the framework's own code between operators.
        time_s: In all steps together.
        ratio: Of the duration of all steps.
    """

    kind: ProfileKind
    time_s: _Amount
    ratio: Annotated[float, msgspec.Meta(ge=0, le=1)]


class Profile(Record, frozen=True, kw_only=True):
    """A few steps under the profiler, which slows them down; the times of other cases are taken without it.

    Attributes:
        steps: Profiled steps.
        wall_s: Their duration.
        plain_step_s: Duration of a step without the profiler, to tell what it costs.
        is_device_time: Shares are of the accelerator's time; else of the processor's.
        operations: The longest ones, longest first.
        omitted: How many more there were.
        omitted_s: Their time.
        shares: By class, largest first.
        traced: A trace for Perfetto or ``chrome://tracing`` was written where the caller asked for it.
    """

    steps: _Count
    wall_s: _Amount
    plain_step_s: _Amount
    is_device_time: bool
    operations: Annotated[tuple[ProfiledOperation, ...], msgspec.Meta(max_length=MAX_OPERATIONS)]
    omitted: _Count = 0
    omitted_s: _Amount = 0.0
    shares: Annotated[tuple[ProfileShare, ...], msgspec.Meta(max_length=16)]
    traced: bool = False
