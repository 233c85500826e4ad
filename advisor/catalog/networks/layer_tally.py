"""Keeps the books of a network that is described layer by layer: operations, kept tensors, memory.

Knows nothing of layers; ``layers`` tells it what each one does.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from advisor.records.job.work import Network, Operation, OperationKind, highest_lines


@dataclass(frozen=True, eq=False)
class Tensor:
    """What one layer hands to the next, for one sample.

    Attributes:
        shape: (channels, height, width), (steps, width) or (width,); token numbers are (steps,).
        element_bytes: 4, or 8 for token numbers.
        is_transposed: Stored in another order than its shape says, so that flattening copies it.
    """

    shape: tuple[int, ...]
    element_bytes: int = 4
    is_transposed: bool = False

    @property
    def elements(self) -> int:
        """Numbers in it."""
        return math.prod(self.shape)

    @property
    def bytes(self) -> int:
        """Bytes it takes."""
        return self.elements * self.element_bytes


@dataclass
class _Stage:
    """One layer as far as memory sees it.

    ``gradients``: numbers of those of parameters that it makes; ``learns``: it, or something before it, has some.
    """

    before: Tensor
    after: Tensor
    keeps: tuple[Tensor, ...]
    kept_bytes: float
    kept_masks: float
    beside: float
    is_loss: bool
    gradients: int
    learns: bool


@dataclass
class LayerTally:
    """What a network's layers amount to.

    Attributes:
        tensor: What the last layer put out.
        shortcut: What waits beside the layers to be added later.
        frozen: What is added from now on is not trained, and keeps nothing where nothing before it is.
        gradients: Numbers of those of parameters that the next layer to be added makes.
    """

    tensor: Tensor
    parameters: int = 0
    parameter_tensors: int = 0
    has_attention: bool = False
    is_attention_decomposed: bool = False
    shortcut: Tensor | None = None
    frozen: bool = False
    frozen_parameters: int = 0
    gradients: int = 0
    largest_parameter: int = 0
    _input: Tensor = field(init=False)
    _forward: list[Operation] = field(default_factory=list)
    _backward: list[list[Operation]] = field(default_factory=list)
    _stages: list[_Stage] = field(default_factory=list)
    _same: dict[Tensor, Tensor] = field(default_factory=dict)  # a view: what it is a view of

    def __post_init__(self) -> None:
        self._input = self.tensor

    @property
    def has_parameters(self) -> bool:
        """Whether gradients flow back to here."""
        return self.parameters > self.frozen_parameters

    def own(self, *sizes: int) -> None:
        """Add parameter tensors."""
        self.parameters += sum(sizes)
        self.parameter_tensors += len(sizes)
        if self.frozen:
            self.frozen_parameters += sum(sizes)
        else:
            self.gradients += sum(sizes)
            self.largest_parameter = max((self.largest_parameter, *sizes))

    def own_frozen(self, size: int) -> None:
        """Add a parameter tensor that is not trained."""
        self.parameters += size
        self.parameter_tensors += 1
        self.frozen_parameters += size

    def add(
        self,
        after: Tensor,
        forward: Iterable[Operation],
        backward: Iterable[Operation] = (),
        *,
        keeps: tuple[Tensor, ...] = (),
        kept_bytes: float = 0.0,
        kept_masks: float = 0.0,
    ) -> None:
        """Add a layer.

        Args:
            after: What it puts out.
            forward: Its operations.
            backward: Its operations in the backward pass.
            keeps: Tensors it keeps for backward; one kept twice counts once.
            kept_bytes: What else it keeps for each sample.
            kept_masks: The same for masks and indices.
        """
        if self.frozen and not self.has_parameters:
            backward, keeps, kept_bytes, kept_masks = (), (), 0.0, 0.0
        works = list(forward)
        self._forward += works
        self._backward.append(list(backward))
        beside = self.shortcut.bytes if self.shortcut is not None else 0.0
        kept = tuple(self._same.get(tensor, tensor) for tensor in keeps)
        is_loss = any(work.kind == "loss" for work in works)
        stage = _Stage(
            self.tensor, after, kept, kept_bytes, kept_masks, beside, is_loss, self.gradients, self.has_parameters
        )
        self._stages.append(stage)
        self.tensor, self.gradients = after, 0

    def reshape(self, shape: tuple[int, ...]) -> None:
        """See the same numbers in another shape."""
        seen = Tensor(shape, self.tensor.element_bytes)
        self.see(seen, self.tensor)
        self.tensor = seen

    def see(self, part: Tensor, whole: Tensor) -> None:
        """Take a tensor for a view of another: who keeps it keeps the other."""
        self._same[part] = self._same.get(whole, whole)

    def network(self, name: str, family: str) -> Network:
        """Return the network."""
        operations = [*self._forward, *(operation for stage in reversed(self._backward) for operation in stage)]
        counts: dict[Operation, int] = {}
        for operation in operations:
            counts[operation] = counts.get(operation, 0) + operation.count
        kept = {id(tensor): tensor for stage in self._stages for tensor in stage.keeps}
        masks = math.fsum(tensor.bytes for tensor in kept.values() if tensor.element_bytes != 4)
        masks += sum(stage.kept_masks for stage in self._stages)
        largest = max(tensor.bytes for stage in self._stages for tensor in (stage.before, stage.after, *stage.keeps))
        moments = self._moments()
        return Network(
            name=name,
            family=family,
            parameters=self.parameters,
            trainable_parameters=self.parameters - self.frozen_parameters,
            parameter_tensors=self.parameter_tensors,
            sample="image" if len(self._input.shape) == 3 else "sequence",
            operations=tuple(msgspec.structs.replace(operation, count=count) for operation, count in counts.items()),
            saved_bytes_per_sample=self._kept(),
            saved_integer_bytes_per_sample=masks,
            largest_bytes_per_sample=float(largest),
            peak_bytes_per_sample=max(slope for slope, _fixed in moments),
            inference_bytes_per_sample=float(
                max(
                    self._input.bytes + stage.before.bytes + stage.after.bytes + stage.beside
                    for stage in self._stages
                    if not stage.is_loss
                )
            ),
            moments=highest_lines(moments),
            largest_parameter=self.largest_parameter,
            attention="decomposed" if self.is_attention_decomposed else "fused" if self.has_attention else None,
            layers=len(self._stages),
            traced_with="counted from its layers",
            parameter_source="counted from its layers",
        )

    def _kept(self) -> float:
        """Return the bytes that all layers keep."""
        kept = {id(tensor): tensor.bytes for stage in self._stages for tensor in stage.keeps}
        return float(sum(kept.values()) + sum(stage.kept_bytes + stage.kept_masks for stage in self._stages))

    def _moments(self) -> list[tuple[float, float]]:
        """Return what is alive while each layer goes backward: for each sample, and gradients of parameters.

        Of samples it is what is still kept, and the gradients before and after a layer.
        """
        found, kept, seen = [], 0.0, set[int]()
        made = self.gradients + sum(stage.gradients for stage in self._stages)
        for stage in self._stages:
            fresh = {id(tensor): tensor.bytes for tensor in stage.keeps if id(tensor) not in seen}
            seen |= fresh.keys()
            kept += sum(fresh.values()) + stage.kept_bytes + stage.kept_masks
            fixed = 4.0 * made if stage.learns else 0.0  # what is frozen was fullest on the way forward
            found.append((float(kept + stage.before.bytes + stage.after.bytes), fixed))
            made -= stage.gradients
        return found


def forward(
    kind: OperationKind,
    operator: str,
    shape: tuple[int, ...],
    *,
    flop: float = 0.0,
    flop_fixed: float = 0.0,
    moved: float = 0.0,
    fixed: float = 0.0,
    axis: int | None = 0,
    kernels: int = 1,
) -> Operation:
    """Return an operation of the forward pass.

    Raises:
        ValueError: It has no size: a network may be described with a width of 0, or more heads than numbers.
    """
    if min(shape, default=1) < 1:
        raise ValueError(f"{operator}: {' × '.join(map(str, shape))}")
    return Operation(
        kind=kind,
        phase="forward",
        operator=operator,
        shape=shape,
        batch_axis=axis,
        flop_per_sample=float(flop),
        flop_fixed=float(flop_fixed),
        bytes_per_sample=float(moved),
        bytes_fixed=float(fixed),
        kernels=kernels,
    )


def backward(operation: Operation) -> Operation:
    """Return the operation as part of the backward pass."""
    return msgspec.structs.replace(operation, phase="backward")
