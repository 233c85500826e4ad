"""Sees one run of a network: every operator, what autograd keeps, and which storages live."""

import weakref
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from advisor.records.job.work import Phase
from advisor.worker.tracing.known_values import KnownValues
from advisor.worker.tracing.operators import FREE, Work, count_work, element_bytes, is_known, tensors_in


@dataclass
class Trace:
    """What one run recorded, at one batch size.

    Attributes:
        sizes: Bytes of each storage, in the order they were made; 0 for gradients of parameters.
        gradients: Places in ``sizes`` of the latter, and their bytes.
        timeline: +1 (made) or -1 (ended) and the storage's place in ``sizes``.
    """

    work: list[tuple[Phase, Work]] = field(default_factory=list)
    saved_bytes: int = 0
    saved_integer_bytes: int = 0
    sizes: list[int] = field(default_factory=list)
    gradients: dict[int, int] = field(default_factory=dict)
    timeline: list[tuple[int, int]] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)


def own_storages(module: nn.Module) -> set[int]:
    """Return the storages of a network's parameters and buffers; a sparse one has none."""
    own = (*module.parameters(), *module.buffers())
    return {tensor.untyped_storage()._cdata for tensor in own if tensor.layout is torch.strided}


class Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch ships it without types
    """Writes down every operator, what autograd keeps, and which storages live.

    Attributes:
        phase: Set by the caller.
        is_loss: The caller is computing the loss.
        known: Values that hang on no sample.
    """

    def __init__(self, own_storages: set[int]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.phase: Phase = "forward"
        self.is_loss = False
        self.known = KnownValues()
        self._trace = Trace()
        self._own = own_storages
        self._kept: dict[int, tuple[torch.UntypedStorage, bool]] = {}
        self._living: dict[int, int] = {}  # storage: its place in the trace's sizes
        self._loss_operators: set[str] = set()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        result = self.known.run(func, args, kwargs or {})
        name = func._schema.name.partition("::")[2]
        if not func.is_view and name not in FREE:
            self._count(name, [*args, *(kwargs or {}).values()], result)
            if not is_known(name, torch.Tag.pointwise in func.tags):
                self._trace.unknown[name] += 1
        self.watch(tensors_in(result))
        return result

    def keeping(self) -> torch.autograd.graph.saved_tensors_hooks:
        """Return the hooks that see what autograd keeps."""
        return torch.autograd.graph.saved_tensors_hooks(self._keep, lambda tensor: tensor)

    def watch(self, tensors: Iterable[torch.Tensor]) -> None:
        """Follow the life of the tensors' storages."""
        for tensor in tensors:
            storage = tensor.untyped_storage()
            key: int = storage._cdata
            if key in self._own or key in self._living:
                continue
            size = storage.nbytes() // max(1, tensor.element_size()) * element_bytes(tensor)
            index = len(self._trace.sizes)
            self._trace.sizes.append(size)
            self._living[key] = index
            self._trace.timeline.append((1, index))
            weakref.finalize(storage, self._end, key, index)

    def count_kept(self) -> None:
        """Sum up what is kept for backward; from here on autograd frees it as it goes."""
        for storage, is_float in self._kept.values():
            self._trace.saved_bytes += storage.nbytes()
            self._trace.saved_integer_bytes += 0 if is_float else storage.nbytes()
        self._kept.clear()

    def finish(self, gradients: Iterable[torch.Tensor | None]) -> Trace:
        """Return the trace, the gradients of parameters taken out of what lives."""
        for gradient in gradients:
            place = None if gradient is None else self._living.get(gradient.untyped_storage()._cdata)
            if place is not None:
                self._trace.gradients[place] = self._trace.sizes[place]
                self._trace.sizes[place] = 0
        return self._trace

    def _count(self, name: str, args: list[Any], result: object) -> None:
        for work in count_work(name, args, result):
            self._trace.work.append((self.phase, self._as_loss(work)))

    def _as_loss(self, work: Work) -> Work:
        """Operators of the loss, and their gradients, are of kind loss, whatever they do."""
        if self.is_loss:
            self._loss_operators.add(work.operator)
            return work._replace(kind="loss") if work.kind == "softmax" else work
        forward = work.operator.removesuffix("_backward_data")
        if self.phase == "backward" and work.kind == "softmax" and forward in self._loss_operators:
            return work._replace(kind="loss")
        return work

    def _keep(self, tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        key: int = storage._cdata
        if key not in self._own and self.phase == "forward":  # held in the backward pass, it would never end
            self._kept.setdefault(key, (storage, tensor.is_floating_point()))
        return tensor

    def _end(self, key: int, index: int) -> None:
        if self._living.get(key) == index:
            del self._living[key]
        self._trace.timeline.append((-1, index))
