# ruff: noqa: PLR0917  operators of torch take their arguments by position
"""Stands in for torch functions whose CUDA kernels a trace without CUDA would not see.

On a device without kernels torch takes apart what a GPU runs as one kernel: attention, recurrent layers, dropout. While
``FusedKernels`` is active these calls become operators of our own (or torch's own fused one) that a tracer sees whole.
They compute nothing: they only have the right shapes and keep the right tensors for backward.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.nn import functional
from torch.overrides import TorchFunctionMode

from advisor.worker.tracing.known_values import KnownValues

_GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
_KEPT_PER_GATE = {4: 6, 3: 5, 1: 1}
"""Values of the hidden size kept for backward by step and sample: gates, and the states between them.

The LSTM keeps its four gates, the cell and its tanh; the GRU its three gates, the reset product and the state.
"""


@torch.library.custom_op("advisor::attention", mutates_args=())
def attention(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None, causal: bool, dropout: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return output (batch, heads, queries, size) and the logarithm of each row's sum, as flash attention keeps it."""
    raise NotImplementedError("only for tracing")


@attention.register_fake
def _(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None, causal: bool, dropout: bool
) -> tuple[torch.Tensor, torch.Tensor]:
    samples, heads, queries, _size = query.shape
    return _heads_inside((samples, heads, queries, value.shape[-1]), query), query.new_empty(query.shape[:-1])


def _heads_inside(shape: tuple[int, ...], like: torch.Tensor) -> torch.Tensor:
    """Return (batch, heads, length, size) stored as (batch, length, heads, size), as the fused kernels write it."""
    samples, heads, length, size = shape
    return like.new_empty((samples, length, heads, size)).transpose(1, 2)


@torch.library.custom_op("advisor::attention_backward", mutates_args=())
def attention_backward(
    gradient: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    output: torch.Tensor,
    row_sum: torch.Tensor,
    causal: bool,
    dropout: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the gradients of query, key and value."""
    raise NotImplementedError("only for tracing")


@attention_backward.register_fake
def _(
    gradient: torch.Tensor,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    output: torch.Tensor,
    row_sum: torch.Tensor,
    causal: bool,
    dropout: bool,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    return _heads_inside(query.shape, query), _heads_inside(key.shape, key), _heads_inside(value.shape, value)


def _keep_attention(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, torch.Tensor]) -> None:
    query, key, value, _, *ctx.flags = inputs
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(query, key, value, *output)


def _attention_gradients(ctx: Any, gradient: torch.Tensor, _: object) -> tuple[torch.Tensor | None, ...]:
    return (*attention_backward(gradient, *ctx.saved_tensors, *ctx.flags), None, None, None)


attention.register_autograd(_attention_gradients, setup_context=_keep_attention)


@torch.library.custom_op("advisor::recurrent", mutates_args=())
def recurrent(
    inputs: torch.Tensor,
    weights: Sequence[torch.Tensor],
    keeps: bool,
    hidden: int,
    layers: int,
    directions: int,
    gates: int,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return output (steps, batch, all directions), last state (layers x directions, batch, hidden), kept ones."""
    raise NotImplementedError("only for tracing")


@recurrent.register_fake
def _(
    inputs: torch.Tensor,
    weights: Sequence[torch.Tensor],
    keeps: bool,
    hidden: int,
    layers: int,
    directions: int,
    gates: int,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    steps, samples, _width = inputs.shape
    kept = (layers, directions, steps, samples, _KEPT_PER_GATE[gates] * hidden if keeps else 0)
    return (
        inputs.new_empty((steps, samples, directions * hidden)),
        inputs.new_empty((layers * directions, samples, hidden)),
        inputs.new_empty(kept),
    )


@torch.library.custom_op("advisor::recurrent_backward", mutates_args=())
def recurrent_backward(
    gradient: torch.Tensor,
    inputs: torch.Tensor,
    weights: Sequence[torch.Tensor],
    kept: torch.Tensor,
    hidden: int,
    layers: int,
    directions: int,
    gates: int,
) -> list[torch.Tensor]:
    """Return the gradients of the input and of each weight."""
    raise NotImplementedError("only for tracing")


@recurrent_backward.register_fake
def _(
    gradient: torch.Tensor,
    inputs: torch.Tensor,
    weights: Sequence[torch.Tensor],
    kept: torch.Tensor,
    hidden: int,
    layers: int,
    directions: int,
    gates: int,
) -> list[torch.Tensor]:
    return [inputs.new_empty(inputs.shape), *(weight.new_empty(weight.shape) for weight in weights)]


def _keep_recurrent(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, ...]) -> None:
    sequence, weights, _keeps, *ctx.sizes = inputs
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(sequence, output[0], output[2], *weights)


def _recurrent_gradients(ctx: Any, gradient: torch.Tensor, *_: object) -> tuple[Any, ...]:
    sequence, _output, kept, *weights = ctx.saved_tensors
    first, *others = recurrent_backward(gradient, sequence, weights, kept, *ctx.sizes)
    return first, others, None, None, None, None, None


recurrent.register_autograd(_recurrent_gradients, setup_context=_keep_recurrent)


class FusedKernels(TorchFunctionMode):
    """Send attention, recurrent layers and dropout to the operators a GPU would run.

    torch turns a mode off while its handler runs, so what a function written in Python calls inside is not seen. Of
    these only ``multi_head_attention_forward`` (behind ``nn.MultiheadAttention`` and ``nn.Transformer``) calls one that
    is replaced; while it runs, the names it looks up are the replacements.

    Args:
        known: Is told the values of ``torch.tensor([…])``, which no operator shows.
    """

    def __init__(self, known: KnownValues | None = None) -> None:
        super().__init__()
        self._known = known

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "")
        if func in (torch.tensor, torch.as_tensor) and self._known is not None:
            return self._made(func, args, kwargs)
        if name == "scaled_dot_product_attention":
            return _fused_attention(*args, **kwargs)
        if name == "dropout" and not isinstance(func, type(torch.Tensor.add)):
            return _fused_dropout(*args, **kwargs)
        if name in _GATES and not _projects(name, args):
            run = _fused_recurrent if isinstance(args[3], bool) else _packed_recurrent
            return run(name, *args, **kwargs)
        if name == "multi_head_attention_forward":
            with _replaced_inside():
                return func(*args, **kwargs)
        return func(*args, **kwargs)

    def _made(self, func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        made = func(*args, **kwargs)
        if self._known is not None and made.is_meta and not isinstance(args[0] if args else None, torch.Tensor):
            self._known.remember(made, func(*args, **kwargs | {"device": "cpu"}))
        return made


@contextmanager
def _replaced_inside() -> Iterator[None]:
    """Replace what ``torch.nn.functional`` calls by its own names."""
    replacements = {"scaled_dot_product_attention": _fused_attention, "dropout": _fused_dropout}
    originals = {name: getattr(functional, name) for name in replacements}
    try:
        for name, replacement in replacements.items():
            setattr(functional, name, replacement)
        yield
    finally:
        for name, original in originals.items():
            setattr(functional, name, original)


def _fused_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attn_mask: torch.Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> torch.Tensor:
    del scale, enable_gqa  # inside the same kernel
    leading = query.shape[:-1]
    query, key, value = (_four_dimensional(tensor) for tensor in (query, key, value))
    output: torch.Tensor = attention(query, key, value, attn_mask, is_causal, dropout_p > 0)[0]
    return output if len(leading) == 3 else output.reshape(*leading, value.shape[-1])


def _four_dimensional(tensor: torch.Tensor) -> torch.Tensor:
    if tensor.dim() < 4:
        return tensor.view(*[1] * (4 - tensor.dim()), *tensor.shape)
    return tensor.flatten(0, tensor.dim() - 4) if tensor.dim() > 4 else tensor


def _fused_dropout(input: torch.Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> torch.Tensor:  # noqa: A002  torch's name
    del inplace
    if not training or p == 0:
        return input
    output: torch.Tensor = torch.native_dropout(input, p, True)[0]
    return output


def _projects(name: str, args: tuple[Any, ...]) -> bool:
    """Return whether an LSTM puts out fewer numbers than it keeps, which torch runs step by step."""
    [recurrent_weight] = (args[2] if isinstance(args[3], bool) else args[3])[1:2]
    return bool(recurrent_weight.shape[0] != _GATES[name] * recurrent_weight.shape[1])


def _packed_recurrent(
    name: str,
    inputs: torch.Tensor,
    batch_sizes: torch.Tensor,
    states: Any,
    weights: Sequence[torch.Tensor],
    has_biases: bool,
    layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
) -> tuple[torch.Tensor, ...]:
    """Run packed sequences (all steps, width) as so many full ones: the same kernel leaves out what is not there."""
    samples = int(batch_sizes[0])
    steps = max(1, len(inputs) // samples)
    full = inputs[: steps * samples].view(steps, samples, inputs.shape[1])
    output, *last = _fused_recurrent(
        name, full, states, weights, has_biases, layers, dropout, train, bidirectional, batch_first=False
    )
    rest = len(inputs) - steps * samples
    output = output.flatten(0, 1)
    return (functional.pad(output, (0, 0, 0, rest)) if rest else output, *last)


def _fused_recurrent(
    name: str,
    inputs: torch.Tensor,
    states: Any,
    weights: Sequence[torch.Tensor],
    has_biases: bool,
    layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
) -> tuple[torch.Tensor, ...]:
    del states, has_biases, dropout, train
    sequence = inputs.transpose(0, 1) if batch_first else inputs
    hidden = weights[1].shape[1]
    directions = 2 if bidirectional else 1
    output, last, _ = recurrent(
        sequence, list(weights), torch.is_grad_enabled(), hidden, layers, directions, _GATES[name]
    )
    output = output.transpose(0, 1) if batch_first else output
    return (output, last, last) if name == "lstm" else (output, last)
