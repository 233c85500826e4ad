"""What several devices and computers reach together: measured by themselves, link by link, and in steps of training."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Amount, Bytes, Duration, Record

SCALING_VERSION = 1

Whole = Annotated[int, msgspec.Meta(ge=0, le=10**9)]
ProblemKind = Literal[
    "clock",
    "ended",
    "launch",
    "no_answer",
    "no_interface",
    "not_supported",
    "peer_gone",
    "port_taken",
    "timeout",
    "torch",
    "too_little_time",
    "torch_versions",
    "unresolved",
    "error",
]


class ScalingRank(Record, frozen=True, kw_only=True):
    """One device that takes part.

    Attributes:
        node: Index of its computer.
        device: torch's name of it.
        title: Of the device; empty for a processor.
        pace_s: Of a matrix product by itself; None where it was not measured.
        pace_low_s: Of its quickest block.
        is_slow: It computes more slowly than the others, beyond what chance explains.
    """

    node: Whole
    device: str
    title: str = ""
    pace_s: Duration | None = None
    pace_low_s: Duration | None = None
    is_slow: bool = False


class ScalingNode(Record, frozen=True, kw_only=True):
    """One computer.

    Attributes:
        name: The administrator's label, else ``node 2``; never a host name.
        has_slow_link: What joins it to all others is slower than what joins those.
    """

    name: str
    has_slow_link: bool = False


class ScalingPair(Record, frozen=True, kw_only=True):
    """The link of two computers.

    Attributes:
        nodes: Their indices.
        latency_s: Of the shortest message, one way.
        bytes_per_s: Of the longest message.
        is_slow: Slower than the other links of both.
    """

    nodes: tuple[Whole, Whole]
    latency_s: Duration
    bytes_per_s: Amount
    is_slow: bool = False


class ScalingTiming(Record, frozen=True, kw_only=True):
    """An operation at one size.

    Attributes:
        size_bytes: Of the message that all workers share or end with.
        low_s: First quartile; ``high_s`` is the third.
        bus_bytes_per_s: Rate of the slowest link that the operation needs, whatever the number of workers.
    """

    operation: str
    size_bytes: Bytes
    median_s: Duration
    low_s: Duration
    high_s: Duration
    bus_bytes_per_s: Amount


class ScalingLink(Record, frozen=True, kw_only=True):
    """A line through the all-reduces: ``latency_s`` for each, and ``bytes_per_s`` of what each worker must send.

    Attributes:
        fit_ratio: Share of the times' variance that the line explains (r squared).
    """

    latency_s: Amount
    bytes_per_s: Amount
    fit_ratio: float


class ScalingStep(Record, frozen=True, kw_only=True):
    """A step of training, together.

    Attributes:
        batch_size: Of each worker.
        gradient_bytes: What all workers add up.
        alone_s: Without exchange, on all of them at once.
        together_s: With it.
        exchange_s: What the fitted line says of the exchange by itself.
        hidden_ratio: Share of the exchange that hides behind computing.
        speedup: Samples a second over those of one worker by itself.
    """

    network: str
    batch_size: Whole
    gradient_bytes: Bytes
    alone_s: Duration
    together_s: Duration
    exchange_s: Amount | None = None
    hidden_ratio: float | None = None
    speedup: Amount


class ScalingLevel(Record, frozen=True, kw_only=True):
    """So many devices together.

    Attributes:
        nodes: Computers they are in.
        ranks: Devices.
        missing: Operations that the backend lacks.
    """

    nodes: Whole
    ranks: Whole
    timings: tuple[ScalingTiming, ...] = ()
    missing: tuple[str, ...] = ()
    link: ScalingLink | None = None
    steps: tuple[ScalingStep, ...] = ()


class ScalingProblem(Record, frozen=True, kw_only=True):
    """What ended the measuring, or left a part of it out.

    Attributes:
        node: Index of the computer it was seen on; None where it concerns all.
        ranks: Of the level it happened at; 0 before the first.
        detail: What the system said; names no host.
    """

    kind: ProblemKind
    node: Whole | None = None
    ranks: Whole = 0
    detail: str = ""


class MeasuredLink(Record, frozen=True, kw_only=True):
    """What joins the devices of a step, as it was measured.

    Attributes:
        line: Between so many workers as were measured, or the most of them.
        behind_ratio: Share of the computing behind which exchange hides, where there is as much of it.
        sigma: Standard deviation of the logarithm of a step's time that is due to it.
    """

    line: ScalingLink
    behind_ratio: float
    sigma: float


class SiteLimits(Record, frozen=True, kw_only=True):
    """What the site's scheduler lets a job have; None where it sets no limit, or none is known.

    Attributes:
        job_s: Longest that it lets a job run.
        nodes: Most nodes of a job.
        cores: Of a node.
        memory_bytes: Of a node.
    """

    job_s: Duration | None = None
    nodes: Annotated[int, msgspec.Meta(ge=1)] | None = None
    cores: Annotated[int, msgspec.Meta(ge=1)] | None = None
    memory_bytes: Annotated[int, msgspec.Meta(ge=1)] | None = None


class Scaling(Record, frozen=True, kw_only=True):
    """What was measured of a group of devices.

    Attributes:
        created_at: ISO time.
        backend: torch's name of what carried the messages.
        torch_version: Of all of them.
        wall_s: How long it took.
        limits: Of the partition it was measured in; None where no scheduler was asked.
    """

    scaling_version: int = SCALING_VERSION
    created_at: str
    program_version: str
    backend: str
    torch_version: str = ""
    wall_s: Amount
    nodes: tuple[ScalingNode, ...]
    ranks: tuple[ScalingRank, ...]
    pairs: tuple[ScalingPair, ...] = ()
    levels: tuple[ScalingLevel, ...] = ()
    problems: tuple[ScalingProblem, ...] = ()
    limits: SiteLimits | None = None

    def __post_init__(self) -> None:
        """Refuse a file that speaks of a computer which it does not list."""
        told = [rank.node for rank in self.ranks] + [node for pair in self.pairs for node in pair.nodes]
        told += [problem.node for problem in self.problems if problem.node is not None]
        if told and max(told) >= len(self.nodes):
            raise ValueError("no such computer")


class SiteCluster(Record, frozen=True, kw_only=True):
    """Computers that the user's own site lets work together.

    Attributes:
        scaling: What was measured of them.
        nodes: How many of them one may have; None: as many as were measured.
        node_usd_per_h: Paid for each of them and hour.
        queue_s: From asking for them to the start of a run.
    """

    scaling: Scaling
    nodes: Annotated[int, msgspec.Meta(ge=1, le=65_536)] | None = None
    node_usd_per_h: Amount = 0.0
    queue_s: Amount = 0.0
