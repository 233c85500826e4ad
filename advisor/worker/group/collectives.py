"""Messages of a group by size: all-reduce, all-gather, reduce-scatter, all-to-all, a ring; of two there and back."""

from collections.abc import Callable

import torch
import torch.distributed as dist

from advisor.records.group import GroupTiming, RunGroup
from advisor.worker.group.exchange import Exchange

_ELEMENT_BYTES = 4

Operation = Callable[[torch.Tensor, Exchange], object]
Timed = tuple[tuple[GroupTiming, ...], tuple[str, ...]]


def run_collectives(command: RunGroup, exchange: Exchange) -> Timed:
    """Return each operation at each size, and which of them the backend lacks."""
    timings: list[GroupTiming] = []
    missing: list[str] = []
    each_s = command.budget_s / (len(_OPERATIONS) * len(command.sizes))
    for name, operation in _OPERATIONS.items():
        for size in command.sizes:
            message = torch.ones(_elements(size, exchange.size), device=exchange.device)
            try:
                samples = exchange.samples(lambda run=operation, sent=message: run(sent, exchange), each_s)  # type: ignore[misc]
            except (NotImplementedError, RuntimeError) as error:
                if not _is_lack(error):
                    raise
                missing.append(name)
                break
            size_bytes = message.numel() * _ELEMENT_BYTES
            timings.append(GroupTiming(operation=name, size_bytes=size_bytes, samples_s=samples))
    return tuple(timings), tuple(missing)


def run_ping(command: RunGroup, exchange: Exchange) -> Timed:
    """Return messages of two workers there and back; half of it is one way."""
    timings: list[GroupTiming] = []
    for size in command.sizes:
        message = torch.ones(_elements(size, 1), device=exchange.device)

        def there_and_back(sent: torch.Tensor = message) -> None:
            if exchange.rank == 0:
                dist.send(sent, 1)
                dist.recv(sent, 1)
            else:
                dist.recv(sent, 0)
                dist.send(sent, 0)

        samples = exchange.samples(there_and_back, command.budget_s / len(command.sizes))
        half = tuple(sample / 2 for sample in samples)
        timings.append(GroupTiming(operation="ping", size_bytes=message.numel() * _ELEMENT_BYTES, samples_s=half))
    return tuple(timings), ()


def _is_lack(error: Exception) -> bool:
    """Return whether a backend says that it has no such operation: in words, for torch has no type for it."""
    return isinstance(error, NotImplementedError) or any(
        said in str(error).lower() for said in ("does not support", "not supported", "not implemented")
    )


def _elements(size_bytes: int, workers: int) -> int:
    """Return numbers of a message, which the workers share evenly."""
    return max(size_bytes // _ELEMENT_BYTES // workers, 1) * workers


def _all_reduce(message: torch.Tensor, _exchange: Exchange) -> None:
    dist.all_reduce(message, op=dist.ReduceOp.MAX)  # sums would grow beyond all numbers


def _all_gather(message: torch.Tensor, exchange: Exchange) -> None:
    own = message.chunk(exchange.size)[exchange.rank].clone()
    dist.all_gather_into_tensor(message, own)


def _reduce_scatter(message: torch.Tensor, exchange: Exchange) -> None:
    own = torch.empty(message.numel() // exchange.size, device=message.device)
    dist.reduce_scatter_tensor(own, message, op=dist.ReduceOp.MAX)


def _all_to_all(message: torch.Tensor, _exchange: Exchange) -> None:
    dist.all_to_all_single(torch.empty_like(message), message)


def _ring(message: torch.Tensor, exchange: Exchange) -> None:
    after, before = (exchange.rank + 1) % exchange.size, (exchange.rank - 1) % exchange.size
    came = torch.empty_like(message)
    ways = [dist.P2POp(dist.isend, message, after), dist.P2POp(dist.irecv, came, before)]
    for work in dist.batch_isend_irecv(ways):
        work.wait()


_OPERATIONS: dict[str, Operation] = {
    "all_reduce": _all_reduce,
    "all_gather": _all_gather,
    "reduce_scatter": _reduce_scatter,
    "all_to_all": _all_to_all,
    "ring": _ring,
}
