"""What a group of workers is told to measure together, and what each of them answers."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Bytes, Record
from advisor.records.results.measured.measurement import Count, Seconds

Address = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
GroupProgram = Literal["pace", "ping", "collectives", "train"]
GroupFaultReason = Literal["port_taken", "no_interface", "unresolved", "timeout", "peer_gone", "not_supported", "error"]


class HostGroup(Record, frozen=True, kw_only=True, tag="host_group"):
    """Open the meeting point of a group; answer with ``GroupHosted`` or ``GroupFault``.

    Attributes:
        port: Of this computer; 0: any that is free.
    """

    port: Port = 0


class RunGroup(Record, frozen=True, kw_only=True, tag="run_group"):
    """Meet the others, measure together, part; answer with ``GroupResult`` or ``GroupFault``.

    Attributes:
        rank: Place of this worker in the group; 0 has opened the meeting point.
        size: Workers in the group; 1 meets nobody.
        address: Of the computer of rank 0.
        peers: Addresses of all the group's computers, by rank; the way to them tells which network card is used.
        device: torch's name of the device.
        backend: torch's name of what carries the messages.
        timeout_s: A group of which nothing is heard for so long is given up.
        budget_s: How long the measuring may take.
        sizes: Bytes of the messages.
        network: What a training step is measured of.
        batch_size: Samples of each worker's step.
        image_size: Edge of its images; 0: the usual one.
    """

    program: GroupProgram
    rank: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 0
    size: Count = 1
    address: Address = "127.0.0.1"
    port: Port = 0
    peers: tuple[Address, ...] = ()
    device: Annotated[str, msgspec.Meta(max_length=32)] = "cpu"
    backend: Annotated[str, msgspec.Meta(max_length=32)] = "gloo"
    timeout_s: Seconds = 15.0
    budget_s: Seconds = 5.0
    sizes: tuple[Bytes, ...] = ()
    network: Annotated[str, msgspec.Meta(max_length=64)] = ""
    batch_size: Count = 1
    image_size: Annotated[int, msgspec.Meta(ge=0, le=65536)] = 0


class GroupHosted(Record, frozen=True, kw_only=True, tag="group_hosted"):
    """The meeting point is open."""

    port: Port


class GroupTiming(Record, frozen=True, kw_only=True):
    """One operation of a group at one size.

    Attributes:
        operation: Such as ``all_reduce``; of training steps ``alone`` (nothing is exchanged) and ``together``.
        size_bytes: Of the message; of a training step all gradients.
        samples_s: Of the slowest worker, each.
    """

    operation: Annotated[str, msgspec.Meta(max_length=32)]
    size_bytes: Bytes = 0
    samples_s: Annotated[tuple[Seconds, ...], msgspec.Meta(min_length=1, max_length=4096)]


class GroupResult(Record, frozen=True, kw_only=True, tag="group_result"):
    """What was measured.

    Attributes:
        missing: Operations that the backend does not have.
        clock_s: The worker's calendar clock, in seconds since 1970 (Unix).
    """

    timings: Annotated[tuple[GroupTiming, ...], msgspec.Meta(max_length=256)]
    missing: Annotated[tuple[str, ...], msgspec.Meta(max_length=16)] = ()
    clock_s: Annotated[float, msgspec.Meta(ge=0, le=1e12)] = 0.0


class GroupFault(Record, frozen=True, kw_only=True, tag="group_fault"):
    """Why nothing, or no more, could be measured together.

    Attributes:
        detail: What the system said, in one line.
    """

    reason: GroupFaultReason
    detail: Annotated[str, msgspec.Meta(max_length=4096)] = ""


GroupAnswer = GroupHosted | GroupResult | GroupFault
