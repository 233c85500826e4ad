"""The workers of a group: started, told what to do at once, listened to by the clock, and ended whatever happens."""

import concurrent.futures
import re
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TypeVar

import msgspec

from advisor.benchmark.running.control import Control
from advisor.benchmark.running.worker_process import Ended, Garbage, Graces, WorkerProcess
from advisor.errors import WorkerError
from advisor.records.base import Record
from advisor.records.channel import Ready
from advisor.records.group import GroupFault, GroupHosted, GroupResult, HostGroup, RunGroup
from advisor.records.results.scaling import ProblemKind, ScalingProblem
from advisor.scaling.nodes import Node, launch_command

START_S = 90.0
"""torch is loaded by many at once, often from one network disk."""
_HOST_S = 10.0
_REST_S = 25.0
"""What a group may take beyond its own limits, to meet, to part and to be heard, on a computer that is busy as well.
Who has lost a peer says so before."""
_TICK_S = 0.05
_SECOND_THOUGHT_S = 1.5
"""After one has failed, so long is waited for what others say: the first to notice is seldom the cause."""
_TELLING: tuple[ProblemKind, ...] = (
    "ended",
    "launch",
    "no_interface",
    "unresolved",
    "port_taken",
    "not_supported",
    "error",
    "timeout",
    "peer_gone",
)
"""What explains most, first."""
Said = TypeVar("Said", Ready, GroupHosted, GroupResult)
_GRACES = Graces(ask_s=0.5, terminate_s=2.0, kill_s=3.0)


class Member(Record, frozen=True, kw_only=True):
    """A worker: index of its computer, torch's name of its device, its place among those of the computer."""

    node: int
    device: str = "cpu"
    place: int = 0


class HeardResult(Record, frozen=True, kw_only=True):
    """What one worker measured, and when it was heard by this computer's clock (seconds since 1970)."""

    answer: GroupResult
    heard_s: float


class GroupError(Exception):
    """A group came to nothing; what was measured before stands."""

    def __init__(self, problem: ScalingProblem) -> None:
        super().__init__(problem.kind)
        self.problem = problem


class Crew:
    """All workers; use it in a ``with`` statement, at whose end none of them is left."""

    def __init__(
        self, nodes: Sequence[Node], template: str | None, control: Control, *, port: int, timeout_s: float
    ) -> None:
        self.nodes = nodes
        self._template, self._control = template, control
        self._port, self._timeout_s = port, timeout_s
        self._workers: dict[Member, WorkerProcess] = {}

    def __enter__(self) -> "Crew":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        workers = list(self._workers.values())
        if workers:
            with concurrent.futures.ThreadPoolExecutor(min(len(workers), 32)) as pool:
                list(pool.map(WorkerProcess.stop, workers))

    def start(self, members: Sequence[Member]) -> dict[Member, Ready]:
        """Start workers and return what each said of itself.

        Raises:
            GroupError: One of them could not be started, or has no torch.
        """
        for member in members:
            command = launch_command(self._template, self.nodes[member.node])
            try:
                self._workers[member] = WorkerProcess(command, _GRACES)
            except WorkerError as error:
                problem = ScalingProblem(kind="launch", node=member.node, detail=self._unnamed(str(error)))
                raise GroupError(problem) from error
        said = self._hear(members, Ready, START_S)
        for member, ready in said.items():
            if ready.framework.version is None:
                raise GroupError(ScalingProblem(kind="torch", node=member.node, detail=ready.problem))
        return said

    def each(self, members: Sequence[Member], command: RunGroup, at_once: bool) -> Iterator[tuple[Member, HeardResult]]:
        """Yield what each worker measures by itself, one after the other or all at once."""
        for part in [members] if at_once else [[member] for member in members]:
            for member in part:
                self._workers[member].send(msgspec.structs.replace(command, device=member.device))
            for member, answer in self._hear(part, GroupResult, command.budget_s + _REST_S).items():
                yield member, HeardResult(answer=answer, heard_s=time.time())

    def together(self, members: Sequence[Member], command: RunGroup) -> GroupResult:
        """Return what workers measure together; see ``together_many``."""
        return self.together_many([members], command)[0]

    def together_many(self, groups: Sequence[Sequence[Member]], command: RunGroup) -> list[GroupResult]:
        """Return what each of several groups measures, all at once.

        Raises:
            GroupError: One of them could not; the others are not waited for.
        """
        firsts = [group[0] for group in groups]
        for first in firsts:
            self._workers[first].send(HostGroup(port=self._port))
        hosted = self._hear(firsts, GroupHosted, _HOST_S)
        for group in groups:
            peers = tuple(self.nodes[member.node].address for member in group)
            for rank, member in enumerate(group):
                own = msgspec.structs.replace(
                    command,
                    rank=rank,
                    size=len(group),
                    address=peers[0],
                    port=hosted[group[0]].port,
                    peers=peers,
                    device=member.device,
                    timeout_s=self._timeout_s,
                )
                self._workers[member].send(own)
        everybody = [member for group in groups for member in group]
        limit_s = command.budget_s + self._timeout_s + _REST_S
        results = self._hear(everybody, GroupResult, limit_s)
        return [results[first] for first in firsts]

    def rename(self, before: Member, after: Member) -> None:
        """Give a worker that has told what its computer has the place of its first device."""
        self._workers[after] = self._workers.pop(before)

    def _hear(self, members: Sequence[Member], kind: type[Said], limit_s: float) -> dict[Member, Said]:
        """Return one answer of each.

        Raises:
            GroupError: One of them failed, ended or is silent; the most telling of what was heard within a moment.
            KeyboardInterrupt: The user has had enough.
        """
        deadline_s = time.monotonic() + limit_s
        said: dict[Member, Said] = {}
        faults: list[ScalingProblem] = []
        waiting = list(members)
        while waiting and time.monotonic() < deadline_s:
            if self._control.is_cancelled:
                raise KeyboardInterrupt
            for member in tuple(waiting):
                heard = self._workers[member].hear(_TICK_S / len(waiting))
                if heard is None:
                    continue
                waiting.remove(member)
                if isinstance(heard, kind):
                    said[member] = heard
                    continue
                faults.append(self._problem(member, heard, has_begun=kind is not Ready))
                deadline_s = min(deadline_s, time.monotonic() + _SECOND_THOUGHT_S)
        if faults:
            raise GroupError(min(faults, key=lambda one: _TELLING.index(one.kind)))
        if waiting:
            raise GroupError(ScalingProblem(kind="no_answer", node=waiting[0].node))
        return said

    def _problem(self, member: Member, heard: object, *, has_begun: bool) -> ScalingProblem:
        worker = self._workers[member]
        if isinstance(heard, Ended):
            worker.end_of_life()
            kind: ProblemKind = "ended" if has_begun else "launch"
            return ScalingProblem(kind=kind, node=member.node, detail=self._unnamed(worker.last_words))
        if isinstance(heard, GroupFault):
            return ScalingProblem(kind=heard.reason, node=member.node, detail=self._unnamed(heard.detail))
        detail = heard.detail if isinstance(heard, Garbage) else type(heard).__name__
        return ScalingProblem(kind="error", node=member.node, detail=self._unnamed(detail))

    def _unnamed(self, text: str) -> str:
        """Return what a system said, with the report's names in place of addresses."""
        for index, node in enumerate(self.nodes):
            for name in sorted({node.name, node.address}, key=len, reverse=True):
                text = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w]|\.\w)", node_name(node, index), text)
        return text


def node_name(node: Node, index: int) -> str:
    """Return what the report calls a computer."""
    return node.label or f"node {index + 1}"
