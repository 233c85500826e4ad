"""From the operators of one watched training step, at its one batch size, to the work of its network.

A step of another program ran on real tensors; only their shapes were written down. Each becomes a tensor without data
again, so that the same table (``operators``) counts the same work as a trace does. What belongs to the samples and what
does not follows from the shapes: an operand that is no parameter, and not as large as one, grows with the batch.
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import msgspec
import torch

from advisor.errors import TraceError
from advisor.records.job.work import Network, Operation, Phase
from advisor.worker.tracing.operators import FREE, Work, count_work, element_bytes, tensors_in, touched_bytes
from advisor.worker.tracing.per_sample import group_equal

MAX_FILE_BYTES = 256 * 1024**2
Extent = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Extents = Annotated[tuple[Extent, ...], msgspec.Meta(max_length=16)]


class _Call(msgspec.Struct, array_like=True):
    name: Annotated[str, msgspec.Meta(max_length=200)]
    phase: Phase
    arguments: Any
    result: Any


class _Calls(msgspec.Struct):
    torch: Annotated[str, msgspec.Meta(max_length=80)]
    calls: list[_Call]


class _Tensor(msgspec.Struct):
    shape: Extents
    stride: Extents
    dtype: str
    place: int
    parameter: bool
    frozen: bool = False


def network_of_step(calls: list[Any], *, batch: int, name: str) -> Network:
    """Return the work of a step of this process, as ``watch.injected.recorder`` wrote it down.

    Args:
        calls: What it wrote.
        batch: Samples of the step. 0: its inputs are always the same, so that nothing grows with a batch.
        name: For the record.
    """
    found = msgspec.convert({"torch": torch.__version__, "calls": calls}, _Calls)
    network = _TriedStep(found, batch or 1).network(name)
    made_with = f"torch {torch.__version__.split('+')[0]}, one step with drawn values"
    network = msgspec.structs.replace(network, traced_with=made_with)
    return network if batch else _always_the_same(network)


def _always_the_same(network: Network) -> Network:
    """Return a network of one sample as one whose work hangs on no batch."""
    operations = [
        msgspec.structs.replace(
            one,
            batch_axis=None,
            flop_per_sample=0.0,
            flop_fixed=one.flop_per_sample + one.flop_fixed,
            bytes_per_sample=0.0,
            bytes_fixed=one.bytes_per_sample + one.bytes_fixed,
        )
        for one in network.operations
    ]
    return msgspec.structs.replace(
        network,
        operations=group_equal(operations),
        saved_bytes_per_sample=0.0,
        saved_bytes_fixed=network.saved_bytes_per_sample,
        saved_integer_bytes_per_sample=0.0,
        largest_bytes_per_sample=0.0,
        peak_bytes_per_sample=0.0,
        peak_bytes_fixed=network.peak_bytes_per_sample,
        inference_bytes_per_sample=0.0,
        inference_bytes_fixed=network.inference_bytes_per_sample,
    )


def network_of_calls(path: Path, *, batch: int | None, parts: int = 1, name: str) -> Network:
    """Return the work of a watched step.

    Args:
        path: The file that ``injected.loop_watcher`` wrote.
        batch: Samples of the step; None: as many as its first operand has.
        parts: Equal ones that they go through the network in, one after another.
        name: For the record.

    Raises:
        TraceError: The file is none of these, or holds no step.
    """
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise TraceError("too_large", file=path.name)
        found = msgspec.json.decode(path.read_bytes(), type=_Calls)
        return _Step(found, batch, parts).network(name)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError, ValueError, IndexError, RuntimeError) as error:
        raise TraceError("cannot_run", file=path.name, detail=type(error).__name__) from error


class _Step:
    """The operators of a step, with what is known of their operands."""

    def __init__(self, found: _Calls, batch: int | None, parts: int = 1) -> None:
        self._parts = parts
        self._torch = found.torch
        self._parameters: dict[int, torch.Tensor] = {}
        self._facts: dict[int, tuple[int, bool]] = {}  # id of a tensor: its place, whether it is a parameter
        self._keep: list[torch.Tensor] = []
        self._frozen: set[int] = set()
        self._calls = [
            (call.name, call.phase, self._tensors(call.arguments), self._tensors(call.result)) for call in found.calls
        ]
        self._shapes = {tuple(tensor.shape) for tensor in self._parameters.values()}
        self._shapes |= {shape[::-1] for shape in self._shapes if len(shape) == 2}
        self.batch = batch or self._first_extent()

    def network(self, name: str) -> Network:
        """Return the network with the work of the step."""
        operations = [
            self._operation(phase, work, arguments, result)
            for operator, phase, arguments, result in self._calls
            if operator not in FREE
            for work in _counted(operator, arguments, result)
        ]
        if not any(one.phase == "backward" for one in operations):
            raise ValueError("no backward pass")
        saved, integers, largest = self._memory()
        sizes = [tensor.numel() for tensor in self._parameters.values()]
        trained = [tensor.numel() for place, tensor in self._parameters.items() if place not in self._frozen]
        image, sequence = self._sample()
        return Network(
            name=name,
            family=_family(operations),
            parameters=sum(sizes),
            trainable_parameters=sum(trained),
            parameter_tensors=len(trained),
            sample="image" if image else "sequence" if sequence else "row",
            image_size=image,
            sequence_length=sequence,
            operations=group_equal(operations),
            saved_bytes_per_sample=saved / self.batch,
            saved_integer_bytes_per_sample=integers / self.batch,
            largest_bytes_per_sample=largest / self.batch,
            peak_bytes_per_sample=(saved + 2 * largest) / self.batch,
            inference_bytes_per_sample=2 * largest / self.batch,
            attention="fused" if any(one.kind == "attention" for one in operations) else None,
            traced_with=f"torch {self._torch.split('+')[0]}, a watched step",
        )

    def _tensors(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._tensors(one) for one in value]
        if not isinstance(value, dict):
            return value
        known = msgspec.convert(value, _Tensor)
        dtype = getattr(torch, known.dtype, torch.float32)
        made = torch.empty_strided(known.shape, known.stride or _dense(known.shape), dtype=dtype, device="meta")
        self._keep.append(made)  # else another takes its id
        self._facts[id(made)] = (known.place, known.parameter)
        if known.frozen:
            self._frozen.add(known.place)
        if known.parameter:
            before = self._parameters.get(known.place)
            if before is None or before.numel() < made.numel():
                self._parameters[known.place] = made
        return made

    def _first_extent(self) -> int:
        for _name, _phase, arguments, _result in self._calls:
            for tensor in tensors_in(arguments):
                if not self._facts[id(tensor)][1] and tensor.dim() > 1 and tensor.shape[0] > 0:
                    return tensor.shape[0]
        return 1

    def _grows(self, tensor: torch.Tensor) -> bool:
        """Return whether a tensor has the samples in it."""
        if self._is_like_parameter(tensor):
            return False
        return any(size % self.batch == 0 and size > 0 for size in tensor.shape)

    def _is_parameter(self, tensor: torch.Tensor) -> bool:
        return self._facts.get(id(tensor), (0, False))[1]

    def _is_like_parameter(self, tensor: torch.Tensor) -> bool:
        return self._is_parameter(tensor) or tuple(tensor.shape) in self._shapes

    def _operation(self, phase: Phase, work: Work, arguments: Any, result: Any) -> Operation:
        operands = {id(tensor): tensor for tensor in (*tensors_in(arguments), *tensors_in(result))}.values()
        growing = sum(touched_bytes(tensor) for tensor in operands if self._grows(tensor))
        staying = sum(touched_bytes(tensor) for tensor in operands if not self._grows(tensor))
        share = growing / (growing + staying) if growing + staying else 0.0
        grows = growing > 0
        shape, axis = self._shape(work) if grows else (work.shape, None)
        return Operation(
            kind=work.kind,
            phase=phase,
            operator=work.operator,
            shape=shape,
            batch_axis=axis,
            flop_per_sample=work.flop / self.batch if grows else 0.0,
            flop_fixed=0.0 if grows else float(work.flop),
            bytes_per_sample=work.bytes * share / self.batch,
            bytes_fixed=work.bytes * (1 - share),
            kernels=work.kernels,
        )

    def _shape(self, work: Work) -> tuple[tuple[int, ...], int | None]:
        """Return the problem size of one sample and where the samples are in it."""
        if work.kind in ("conv", "depthwise_conv"):
            return work.shape, -1
        order = (1, 0, 3, 2) if work.kind == "gemm" else tuple(range(len(work.shape)))
        axis = next((at for at in order if at < len(work.shape) and work.shape[at] % self.batch == 0), None)
        if axis is None or work.shape[axis] == 0:
            return work.shape, None
        return (*work.shape[:axis], work.shape[axis] // self.batch, *work.shape[axis + 1 :]), axis

    def _memory(self) -> tuple[float, float, float]:
        """Return the bytes that were kept for backward, those of integers among them, and of the largest tensor.

        Kept is what was there before backward began and is read in it.
        """
        made: dict[int, int] = {}
        kept: dict[int, tuple[int, bool]] = {}
        largest = 0
        for _name, phase, arguments, result in self._calls:
            if phase == "backward":
                for tensor in tensors_in(arguments):
                    place = self._facts[id(tensor)][0]
                    if place in made:
                        kept[place] = (made[place], tensor.is_floating_point())
            for tensor in tensors_in(result if phase == "backward" else [arguments, result]):
                place, is_parameter = self._facts[id(tensor)]
                if is_parameter or not place:  # of a sparse table nobody knows the place
                    continue
                size = math.prod(tensor.shape) * element_bytes(tensor)
                largest = max(largest, size if self._grows(tensor) else 0)
                if phase == "backward":
                    made.pop(place, None)
                else:
                    made[place] = max(size, made.get(place, 0))
        saved = sum(size for size, _is_float in kept.values())
        return saved, sum(size for size, is_float in kept.values() if not is_float), largest

    def _sample(self) -> tuple[int | None, int | None]:
        """Return the edge of an image or the length of a sequence, by the first operand with the samples in it.

        Before the first operator with parameters comes what prepares the samples, and what the loop still computes from
        the step before, such as its accuracy: there a row of numbers does not say that a sample is one.
        """
        forward = [(name, list(tensors_in(given))) for name, phase, given, _result in self._calls if phase == "forward"]
        has_entered = not any(self._enters(tensors) for _name, tensors in forward)
        for name, tensors in forward:
            has_entered = has_entered or self._enters(tensors)
            for tensor in filter(self._holds_samples, tensors):
                if tensor.dim() == 4:
                    return tensor.shape[-1], None
                if tensor.dim() == 3 and name == "convolution":  # channels come before the length
                    return None, tensor.shape[2]
                if tensor.dim() == 3 or (has_entered and tensor.dim() == 2 and not tensor.is_floating_point()):
                    return None, tensor.shape[1]
                if has_entered and tensor.dim() == 2:
                    return None, None
        return None, None

    def _enters(self, operands: list[torch.Tensor]) -> bool:
        """Return whether an operator brings samples and parameters together."""
        return any(map(self._is_parameter, operands)) and any(map(self._holds_samples, operands))

    def _holds_samples(self, tensor: torch.Tensor) -> bool:
        rows = self.batch // self._parts
        return not self._is_like_parameter(tensor) and tensor.dim() > 0 and tensor.shape[0] == rows


class _TriedStep(_Step):
    """A step whose parameters are all known: whatever is not one of them, or like one, has samples in it.

    Rows that a sample's values choose are no multiple of the batch.
    """

    def _grows(self, tensor: torch.Tensor) -> bool:
        return not self._is_like_parameter(tensor) and tensor.dim() > 0


_ATTENTION = "_scaled_dot_product_"
_OPERANDS: dict[bool, Callable[[list[Any]], list[Any]]] = {
    False: lambda found: found[:3],
    True: lambda found: [found[0], *found[1:4]],
}


def _counted(operator: str, arguments: list[Any], result: Any) -> list[Work]:
    """Return the work of an operator; torch's own kinds of fused attention are one."""
    if operator.startswith(_ATTENTION):
        is_backward = operator.endswith("_backward")
        operands = [one for one in arguments if isinstance(one, torch.Tensor) and one.dim() == 4]
        flags = [one for one in arguments if isinstance(one, bool)]
        causal = flags[-1] if flags else False
        name = "attention_backward" if is_backward else "attention"
        return count_work(name, [*_OPERANDS[is_backward](operands), causal, 0.0], result)
    counted = count_work(operator, arguments, result)
    if operator.startswith("_log_softmax"):  # nothing but losses is computed with it
        return [work._replace(kind="loss") for work in counted]
    return counted


def _dense(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(shape[at + 1 :]) for at in range(len(shape)))


def _family(operations: list[Operation]) -> str:
    kinds = {operation.kind for operation in operations}
    if "attention" in kinds or "softmax" in kinds:
        return "transformer"
    return "recurrent" if "recurrent" in kinds else "cnn"
