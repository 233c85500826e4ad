"""Answer the commands of a group: open a meeting point, meet, measure, part."""

import contextlib
import datetime
import re
import socket
import sys
import time
from collections.abc import Iterator

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import Store, TCPStore

from advisor.records.group import (
    GroupAnswer,
    GroupFault,
    GroupFaultReason,
    GroupHosted,
    GroupResult,
    HostGroup,
    RunGroup,
)
from advisor.worker.failure import NotSupportedError, describe
from advisor.worker.group.collectives import run_collectives, run_ping
from advisor.worker.group.exchange import Exchange
from advisor.worker.group.network_card import choose_network_card
from advisor.worker.group.pace import run_pace
from advisor.worker.group.train import run_train_together

_MEETING_S = 20.0
"""The others have heard of the meeting at the same moment; one that does not come within this is not coming."""
_PROGRAMS = {"ping": run_ping, "collectives": run_collectives, "train": run_train_together}
_MOST_DETAIL = 400

_SAID: tuple[tuple[str, GroupFaultReason], ...] = (
    (r"EADDRINUSE|address already in use", "port_taken"),
    (r"Unable to find address for: |no socket interface found", "no_interface"),  # of gloo, and of NCCL
    (r"gaierror|Name or service not known|resolve|nodename nor servname", "unresolved"),
    (r"closed by peer|reset by peer|Broken pipe|remote process exited", "peer_gone"),
    (r"timed? ?out|timeout|unreachable|No route", "timeout"),
)
"""What torch and the system say of each fault; neither gives it a type of its own."""


class GroupServer:
    """Keeps the meeting point between two commands: the others are told its port first."""

    def __init__(self) -> None:
        self._store: TCPStore | None = None

    def answer(self, command: HostGroup | RunGroup) -> GroupAnswer:
        """Return what a command led to, or why to nothing."""
        try:
            return self._host(command) if isinstance(command, HostGroup) else self._run(command)
        # Whatever a library raises costs this measurement only; the reason goes to the report.
        except Exception as error:  # noqa: BLE001
            sys.stderr.write(f"{command}: {describe(error)}\n")
            return fault_of(error)

    def _host(self, command: HostGroup) -> GroupHosted:
        self._store = None  # a port that is asked for again must be free by now
        self._store = TCPStore("0.0.0.0", command.port, is_master=True, wait_for_workers=False)
        return GroupHosted(port=self._store.port)

    def _run(self, command: RunGroup) -> GroupResult:
        if command.program == "pace":
            return GroupResult(timings=run_pace(command), clock_s=time.time())
        with self._met(command) as exchange:
            timings, missing = _PROGRAMS[command.program](command, exchange)
        return GroupResult(timings=timings, missing=missing, clock_s=time.time())

    @contextlib.contextmanager
    def _met(self, command: RunGroup) -> Iterator[Exchange]:
        device = torch.device(command.device)
        if device.type == "cuda":
            torch.cuda.set_device(device)
        elif device.type == "xpu":
            torch.xpu.set_device(device)
        choose_network_card(command)
        dist.init_process_group(
            command.backend,
            store=self._meeting_point(command),
            rank=command.rank,
            world_size=command.size,
            timeout=datetime.timedelta(seconds=command.timeout_s),
        )
        try:
            yield Exchange(device)
        finally:
            dist.destroy_process_group()

    def _meeting_point(self, command: RunGroup) -> Store:
        if command.rank == 0:
            assert self._store is not None, "rank 0 is told to open it first"
            return self._store
        socket.getaddrinfo(command.address, command.port)  # torch would say less of a name that nobody knows
        return TCPStore(
            command.address,
            command.port,
            is_master=False,
            wait_for_workers=False,
            timeout=datetime.timedelta(seconds=min(_MEETING_S, command.timeout_s)),
        )


def fault_of(error: Exception) -> GroupFault:
    """Return why a group could not measure, by what was said of it."""
    detail = " ".join(describe(error).split())[:_MOST_DETAIL]
    if isinstance(error, NotSupportedError):
        return GroupFault(reason="not_supported", detail=detail)
    text = f"{type(error).__name__}: {error}"
    found = (reason for pattern, reason in _SAID if re.search(pattern, text, re.IGNORECASE))
    return GroupFault(reason=next(found, "error"), detail=detail)
