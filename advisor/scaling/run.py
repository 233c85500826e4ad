"""Measure a group of devices in order: each by itself, each link, then ever more of them together.

What was measured stays when something fails; nothing is measured after that, because a group in which one is missing
tells nothing of the whole.
"""

import datetime
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from advisor import __version__
from advisor.benchmark.running.control import Control
from advisor.records.base import Record
from advisor.records.channel import Ready
from advisor.records.group import GroupTiming, RunGroup
from advisor.records.results.scaling import (
    ProblemKind,
    Scaling,
    ScalingLevel,
    ScalingNode,
    ScalingPair,
    ScalingProblem,
    ScalingRank,
    SiteLimits,
)
from advisor.scaling.crew import Crew, GroupError, Member, node_name
from advisor.scaling.findings import doubted_pairs, with_slow_links, with_slow_ranks, wrong_clocks
from advisor.scaling.levels import least_s, level_of, step_networks, step_of
from advisor.scaling.nodes import Node

USUAL_S = 300.0
GROUP_TIMEOUT_S = 15.0
SIZES = (4096, 65536, 2**20, 2**22, 2**24)
_PING_SIZES = (4, 2**20, 2**22)
_ONE_BY_ONE = 8
"""Up to so many are looked at one after the other; more of them all at once."""
_PACE_S, _PING_S = 4.0, 1.5
_PACE_ROUNDS = 3
"""What disturbs one device for a moment is over when its turn comes again."""
_SECOND_LOOKS = 3
"""So often a device or link that looks slow is measured again before it is called so."""
_LEAST_S = 5.0

Announce = Callable[[str, int], None]


class ScalingRequest(Record, frozen=True, kw_only=True):
    """What is to be measured.

    Attributes:
        nodes: Computers; a single one is this one, unless there is a template.
        launch: How a worker is started on a computer; None: here.
        ranks_per_node: Processes on each computer without an accelerator; None: one, or two on a single computer.
        port: Of the meeting point; 0: any that is free.
        limit_s: How long it may take.
        network: A further network whose step is measured; empty: the usual ones only.
        limits: What the site's scheduler lets a job have; it goes into the result.
    """

    nodes: tuple[Node, ...]
    launch: str | None = None
    ranks_per_node: int | None = None
    port: int = 0
    limit_s: float = USUAL_S
    network: str = ""
    limits: SiteLimits | None = None


def measure_scaling(request: ScalingRequest, announce: Announce, control: Control) -> Scaling:
    """Return what the devices reach together, as far as it could be measured.

    Args:
        request: What is to be measured.
        announce: Hears which part begins (start, pace, pairs, level) and how many take part.
        control: Ends it.

    Raises:
        KeyboardInterrupt: It was ended.
    """
    run = _Run(request, announce)
    with Crew(request.nodes, request.launch, control, port=request.port, timeout_s=GROUP_TIMEOUT_S) as crew:
        try:
            run.measure(crew)
        except GroupError as error:
            run.problems.append(msgspec.structs.replace(error.problem, ranks=run.at))
    return run.found()


class _Run:
    """One measuring, part by part."""

    def __init__(self, request: ScalingRequest, announce: Announce) -> None:
        self._request, self._announce = request, announce
        self._began_s = time.monotonic()
        self._created_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        self._backend, self._torch = "gloo", ""
        self._nodes = tuple(ScalingNode(name=node_name(node, index)) for index, node in enumerate(request.nodes))
        self._ranks: dict[Member, ScalingRank] = {}
        self._pairs: tuple[ScalingPair, ...] = ()
        self._levels: list[ScalingLevel] = []
        self.problems: list[ScalingProblem] = []
        self.at = 0

    @property
    def _left_s(self) -> float:
        return self._request.limit_s - (time.monotonic() - self._began_s)

    def found(self) -> Scaling:
        return Scaling(
            created_at=self._created_at,
            program_version=__version__,
            backend=self._backend,
            torch_version=self._torch,
            wall_s=time.monotonic() - self._began_s,
            nodes=self._nodes,
            ranks=tuple(self._ranks.values()),
            pairs=self._pairs,
            levels=tuple(self._levels),
            problems=tuple(self.problems),
            limits=self._request.limits,
        )

    def measure(self, crew: Crew) -> None:
        members = self._start(crew)
        self._measure_pace(crew, members)
        self._measure_pairs(crew, [next(m for m in members if m.node == i) for i in range(len(self._nodes))])
        groups = list(_groups(members))
        for place, group in enumerate(groups):
            if self._left_s < _LEAST_S:
                self.problems.append(ScalingProblem(kind="too_little_time", ranks=len(group)))
                return
            self._measure_level(crew, group, self._left_s / (len(groups) - place))

    def _start(self, crew: Crew) -> list[Member]:
        """Start one worker on each computer, ask what it has, then one for each further device."""
        firsts = [Member(node=index) for index in range(len(self._nodes))]
        self._announce("start", len(firsts))
        said = crew.start(firsts)
        versions = [said[first].framework.version or "" for first in firsts]
        [(self._torch, _)] = Counter(versions).most_common(1)
        self._end_with(
            ScalingProblem(kind="torch_versions", node=first.node, detail=version)
            for first, version in zip(firsts, versions, strict=True)
            if version != self._torch
        )
        self._backend, devices = _devices(said, self._request.ranks_per_node)
        members: list[Member] = []
        for first in firsts:
            own = [Member(node=first.node, device=device, place=place) for place, device in enumerate(devices[first])]
            crew.rename(first, own[0])
            crew.start(own[1:])
            members += own
            titles = {device.name: device.title for device in said[first].devices}
            for one in own:
                self._ranks[one] = ScalingRank(node=one.node, device=one.device, title=titles.get(one.device, ""))
        return members

    def _measure_pace(self, crew: Crew, members: Sequence[Member]) -> None:
        self._announce("pace", len(members))
        samples: dict[Member, list[float]] = {member: [] for member in members}
        for _round in range(_PACE_ROUNDS):
            self._pace_round(crew, members, samples)
        for _look in range(_SECOND_LOOKS):
            self._pace_round(crew, [member for member in members if self._ranks[member].is_slow], samples)

    def _pace_round(self, crew: Crew, members: Sequence[Member], samples: dict[Member, list[float]]) -> None:
        """Measure devices by themselves once more, and say which of all are slow."""
        command = RunGroup(program="pace", budget_s=_PACE_S)
        late_s: dict[int, float] = {}
        for member, result in crew.each(members, command, len(members) > _ONE_BY_ONE):
            late_s[member.node] = result.answer.clock_s - result.heard_s
            samples[member] += result.answer.timings[0].samples_s
            self._ranks[member] = msgspec.structs.replace(
                self._ranks[member], pace_s=statistics.median(samples[member]), pace_low_s=min(samples[member])
            )
        self._ranks = dict(zip(self._ranks, with_slow_ranks(tuple(self._ranks.values())), strict=True))
        self._end_with(
            ScalingProblem(kind="clock", node=node, detail=f"{late:+.0f} s") for node, late in wrong_clocks(late_s)
        )

    def _end_with(self, problems: Iterable[ScalingProblem]) -> None:
        """Say all of some problems, and measure no more where there is one.

        Raises:
            GroupError: There is.
        """
        found = list(problems)
        if found:
            self.problems += found[1:]
            raise GroupError(found[0])

    def _measure_pairs(self, crew: Crew, firsts: Sequence[Member]) -> None:
        if len(firsts) < 2:
            return
        self._announce("pairs", len(firsts))
        found: dict[tuple[int, int], ScalingPair] = {}
        self.at = 2
        for pairs in _rounds(len(firsts)):
            self._measure_round(crew, firsts, pairs, found)
        for _look in range(_SECOND_LOOKS):
            for pair in doubted_pairs(self._nodes, self._pairs):
                self._measure_round(crew, firsts, [pair], found)

    def _measure_round(
        self,
        crew: Crew,
        firsts: Sequence[Member],
        pairs: Sequence[tuple[int, int]],
        found: dict[tuple[int, int], ScalingPair],
    ) -> None:
        """Measure pairs at once; of one that was measured before, the better time stands: load only ever adds."""
        command = RunGroup(program="ping", backend=self._backend, sizes=_PING_SIZES, budget_s=_PING_S)
        results = crew.together_many([(firsts[a], firsts[b]) for a, b in pairs], command)
        for pair, result in zip(pairs, results, strict=True):
            new = _pair(pair, result.timings)
            old = found.get(pair, new)
            found[pair] = max(old, new, key=lambda one: one.bytes_per_s)
        self._nodes, self._pairs = with_slow_links(self._nodes, tuple(found.values()))

    def _measure_level(self, crew: Crew, group: Sequence[Member], room_s: float) -> None:
        self._announce("level", len(group))
        self.at = len(group)
        nodes = len({member.node for member in group})
        command = RunGroup(program="collectives", backend=self._backend, sizes=SIZES, budget_s=min(room_s / 3, 30.0))
        result = crew.together(group, command)
        level = level_of(result, nodes, len(group))
        self._levels.append(level)
        is_processor = group[0].device == "cpu"
        for network in step_networks(self._request.network, is_processor=is_processor):
            expected_s = least_s(level, network)
            if expected_s > self._left_s:
                self.problems.append(ScalingProblem(kind="too_little_time", ranks=len(group), detail=network.name))
                continue
            command = RunGroup(
                program="train",
                backend=self._backend,
                network=network.name,
                batch_size=network.batch_size,
                image_size=network.image_size,
                budget_s=max(min(room_s / 6, 10.0), expected_s),
            )
            step = step_of(crew.together(group, command), level, network)
            level = msgspec.structs.replace(level, steps=(*level.steps, step))
            self._levels[-1] = level


def _devices(said: dict[Member, Ready], wanted: int | None) -> tuple[str, dict[Member, list[str]]]:
    """Return what carries the messages, and the devices of each computer: accelerators where all have some."""
    for kind, backend in (("cuda", "nccl"), ("xpu", "xccl")):
        found = {m: [d.name for d in ready.devices if d.name.startswith(kind)] for m, ready in said.items()}
        if all(found.values()):
            return backend, {member: names[: wanted or len(names)] for member, names in found.items()}
    count = wanted or (2 if len(said) == 1 else 1)
    return "gloo", {member: ["cpu"] * count for member in said}


def _rounds(nodes: int) -> list[list[tuple[int, int]]]:
    """Return every pair of a few nodes one by one; of many, pairs at growing distances, a round at once."""
    if nodes <= _ONE_BY_ONE:
        return [[(a, b)] for a in range(nodes) for b in range(a + 1, nodes)]
    rounds: list[list[tuple[int, int]]] = []
    distance = 1
    while distance < nodes:
        pairs = [(a, a + distance) for a in range(nodes - distance) if a // distance % 2 == 0]
        rounds.append(pairs)
        distance *= 2
    return rounds


def _pair(nodes: tuple[int, int], timings: Sequence[GroupTiming]) -> ScalingPair:
    largest = timings[-1]  # the quickest of each: load only ever adds
    return ScalingPair(
        nodes=nodes,
        latency_s=min(timings[0].samples_s),
        bytes_per_s=largest.size_bytes / min(largest.samples_s),
    )


def _groups(members: Sequence[Member]) -> list[list[Member]]:
    """Return 2, 4, 8 … and all devices of the first computer, then all devices of 2, 4, 8 … and of all computers."""
    first = [member for member in members if member.node == members[0].node]
    nodes = members[-1].node + 1
    groups = [first[:count] for count in _doubling(len(first))]
    groups += [[member for member in members if member.node < count] for count in _doubling(nodes)]
    return groups


def _doubling(most: int) -> list[int]:
    counts = [2**power for power in range(1, most.bit_length()) if 2**power <= most]
    return counts if most < 2 or most in counts else [*counts, most]


_KINDS_LEFT_OUT: tuple[ProblemKind, ...] = ("too_little_time",)


def went_wrong(scaling: Scaling) -> bool:
    """Return whether something failed; what was left out for lack of time is no failure."""
    return any(problem.kind not in _KINDS_LEFT_OUT for problem in scaling.problems)
