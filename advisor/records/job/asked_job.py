"""The job a check measures: as the measuring process is to do it, and what makes the steps of two jobs equal."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Record
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

JOB_PROGRAM = "job"
"""Program of the case that measures the job itself."""
FED_PROGRAM = "fed"
"""Program of the case that measures the job's steps while the user's own files are loaded for them."""
_Extent = Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class OwnSource(Record, frozen=True, kw_only=True):
    """Where the network stands in the user's own program. It names the user's folders: no report may hold it.

    Attributes:
        reference: Path and name, such as ``/somewhere/model.py:build``.
        input_shape: Of one sample; None: the file says it itself.
        input_kind: ``tokens`` are whole numbers.
    """

    reference: Annotated[str, msgspec.Meta(max_length=4096)]
    input_shape: Annotated[tuple[_Extent, ...], msgspec.Meta(min_length=1, max_length=8)] | None = None
    input_kind: Literal["numbers", "tokens"] = "numbers"


class AskedJob(Record, frozen=True, kw_only=True):
    """What the user asked about, for the measuring process.

    Attributes:
        network: The work of the workload's network at its size.
        source: Where it stands in the user's own program; None: it is a catalogue's, or described by layers.
    """

    workload: Workload
    network: Network
    source: OwnSource | None = None


def step_settings(workload: Workload, network: Network) -> dict[str, str | int | float | bool]:
    """Return what a step's time hangs on beside batch, precision and device; all else of a job may change freely."""
    return {
        "task": workload.task,
        "method": workload.method,
        "optimizer": workload.optimizer,
        "channels_last": workload.channels_last,
        "compiled": workload.compiled,
        "precision_is_default": workload.precision == "amp" and workload.precision_is_default,
        "checkpointing": workload.checkpointing,
        **({} if workload.fused_optimizer is None else {"fused_optimizer": workload.fused_optimizer}),
        "attention": network.attention or "",
        "parameters": network.parameters,
        "flop_per_sample": float(round(sum(one.count * one.flop_per_sample for one in network.operations))),
    }


def step_flop(workload: Workload, network: Network, batch_size: int) -> float:
    """Return the FLOP of one step at a batch, optimizer not included."""
    phases = ("forward",) if workload.task == "infer" else ("forward", "backward")
    return sum(
        one.count * (batch_size * one.flop_per_sample + one.flop_fixed)
        for one in network.operations
        if one.phase in phases
    )
