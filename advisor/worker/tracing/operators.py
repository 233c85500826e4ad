"""Counts the work of one torch operator: kind, problem size, FLOP, bytes, kernels. See ``trace`` for the rules.

Owns the table of operators. Knows tensors (of any device, only their shapes are read); must not know networks.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch

from advisor.records.job.work import OperationKind


class Work(NamedTuple):
    """One operator call, at the batch size it was called with.

    Attributes:
        shape: As ``records.work.Operation`` describes it, with the samples of this batch in it.
    """

    kind: OperationKind
    operator: str
    shape: tuple[int, ...]
    flop: int
    bytes: int
    kernels: int = 1


Counter = Callable[[str, Sequence[Any], object], Work]
"""From operator name, arguments and result to its work."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


FREE = _names(
    """
    alias detach detach_ empty empty_like empty_strided new_empty new_empty_strided lift_fresh _unsafe_view
    _reshape_alias set_ resize_ prim_device as_strided_ transpose_ unsafe_split unsafe_split_with_sizes unsafe_chunk
    _local_scalar_dense
    """
)
"""Operators that launch nothing: allocations, a number asked for, views (which are also known by their schema)."""

_GEMM = _names("mm addmm bmm baddbmm addbmm mv addmv dot vdot")
_NORMALIZATION = _names(
    """
    native_batch_norm _native_batch_norm_legit _native_batch_norm_legit_no_training _batch_norm_with_update
    _batch_norm_no_update native_layer_norm native_group_norm _fused_rms_norm
    """
)
_SOFTMAX = _names("_softmax _log_softmax _safe_softmax")
_NLL_LOSS = _names("nll_loss nll_loss_forward nll_loss2d nll_loss2d_forward")
_LOSS = _names(
    """
    mse_loss smooth_l1_loss huber_loss binary_cross_entropy
    binary_cross_entropy_with_logits _ctc_loss multi_margin_loss multilabel_margin_loss_forward kl_div
    """
)
_POOLING = _names(
    """
    max_pool2d_with_indices max_pool3d_with_indices avg_pool1d avg_pool2d avg_pool3d _adaptive_avg_pool2d
    _adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d upsample_nearest1d upsample_nearest2d
    upsample_nearest3d _upsample_nearest_exact2d upsample_bilinear2d upsample_bicubic2d upsample_trilinear3d
    upsample_linear1d _upsample_bilinear2d_aa _upsample_bicubic2d_aa grid_sampler_2d roi_align
    """
)
_EMBEDDING = _names(
    """
    embedding embedding_dense index index_select gather take masked_select _unsafe_index scatter scatter_ scatter_add
    scatter_add_ index_put index_put_ _index_put_impl_ _unsafe_index_put index_add index_add_
    """
)
_COPY = _names(
    """
    clone copy copy_ _to_copy cat stack constant_pad_nd reflection_pad1d reflection_pad2d reflection_pad3d
    replication_pad1d replication_pad2d replication_pad3d randn_like rand_like randint_like
    slice select as_strided unfold fill fill_ zero_ zeros zeros_like ones ones_like full full_like new_zeros new_ones
    new_full scalar_tensor arange linspace eye randn rand randperm randint roll flip repeat tril triu tril_ triu_
    expand_copy slice_scatter select_scatter diagonal im2col col2im repeat_interleave split_with_sizes_copy
    uniform_ normal_ bernoulli bernoulli_ rot90 diag_embed channel_shuffle pixel_shuffle pixel_unshuffle
    """
)
_REDUCTION = _names(
    """
    sum mean amax amin max min argmax argmin prod norm linalg_vector_norm var var_mean std std_mean any all logsumexp
    cumsum cumprod sort topk count_nonzero bincount _weight_norm_interface _cdist _euclidean_dist
    """
)
_FOURIER = _names("_fft_r2c _fft_c2r _fft_c2c")
_ELEMENTWISE = _names(
    """
    native_dropout _fused_dropout where masked_fill masked_fill_ hardtanh hardswish hardsigmoid hardshrink softshrink
    elu celu selu leaky_relu rrelu_with_noise silu mish gelu glu softplus log_sigmoid _prelu_kernel tanh sigmoid
    threshold bucketize log_sigmoid_forward
    """
)
_SAME_AS_FORWARD = ("_backward_data", "_backward_input", "_backward")

_KERNELS = {
    "native_layer_norm_backward": 2,  # gradient of the input; gradients of weight and bias
    "_fused_rms_norm_backward": 2,
    "native_group_norm": 3,  # moments, scale and shift, application
    "native_group_norm_backward": 5,
    "slice_backward": 2,  # zeros, then a copy
    "select_backward": 2,
    "as_strided_backward": 2,
    "embedding_dense_backward": 2,  # zeros, then accumulation; large vocabularies sort first
    "nll_loss_backward": 2,
    "max_pool2d_with_indices_backward": 2,
}
"""Operators of more than one kernel on CUDA. Source: launches in aten/src/ATen/native/cuda of PyTorch 2.13."""


def tensors_in(values: object) -> Iterator[torch.Tensor]:
    """Yield the tensors in arguments or results, lists entered."""
    if isinstance(values, torch.Tensor):
        yield values
    elif isinstance(values, (tuple, list)):
        for value in values:
            yield from tensors_in(value)
    elif isinstance(values, dict):
        yield from tensors_in(list(values.values()))


def element_bytes(tensor: torch.Tensor) -> int:
    """Return 4 for floating-point numbers of any precision, 8 for complex ones, else the true size."""
    if tensor.is_complex():
        return 8
    return 4 if tensor.is_floating_point() else tensor.element_size()


def touched_bytes(tensor: torch.Tensor) -> int:
    """Return the bytes a full pass over the tensor touches; expanded dimensions count once."""
    sizes = (size for size, stride in zip(tensor.shape, tensor.stride(), strict=True) if stride != 0)
    return math.prod(sizes) * element_bytes(tensor)


def count_work(operator: str, args: Sequence[Any], result: object) -> list[Work]:
    """Return the work of one operator call; several entries where torch runs several products for it.

    Args:
        operator: Name without namespace and overload, such as ``addmm``.
        args: Positional and keyword arguments, in one list.
        result: What it returned.
    """
    if operator == "convolution":
        return _convolution(args, result)
    if operator == "convolution_backward":
        return _convolution_backward(args, result)
    base = _forward_name(operator)
    counted = _COUNTERS.get(base)
    if counted is not None:
        return [counted(operator, args, result)]
    kind = _kind(base)
    return [_by_elements(kind, operator, args, result)]


def is_known(operator: str, is_pointwise: bool) -> bool:
    """Return whether the operator is in a table, or guessed to be elementwise."""
    base = _forward_name(operator)
    return is_pointwise or base in _COUNTERS or base in _KINDS or operator.startswith("convolution")


def _forward_name(operator: str) -> str:
    for ending in _SAME_AS_FORWARD:
        operator = operator.removesuffix(ending)
    in_place = operator not in _KINDS and operator not in _COUNTERS
    return operator.removesuffix("_") if in_place else operator


def _kind(base: str) -> OperationKind:
    return _KINDS.get(base, "elementwise")


def _moved_bytes(args: Sequence[Any], result: object) -> int:
    read = {id(tensor): touched_bytes(tensor) for tensor in tensors_in(args)}
    return sum(read.values()) + sum(touched_bytes(tensor) for tensor in tensors_in(result))


def _largest(values: object) -> int:
    return max((tensor.numel() for tensor in tensors_in(values)), default=0)


def _kernels(operator: str) -> int:
    return _KERNELS.get(operator, 1)


def _by_elements(kind: OperationKind, operator: str, args: Sequence[Any], result: object) -> Work:
    written = _largest(result)
    elements = written
    shape: tuple[int, ...] = (elements,)
    if kind in ("reduction", "loss"):
        elements = max(written, _largest(args))
        rows = max(1, min(written, elements))
        shape = (rows, elements // rows)
    moved = _moved_bytes(args, result)
    if kind == "copy":
        return Work(kind, operator, shape, 0, _copy_bytes(operator, args, result, moved), _kernels(operator))
    return Work(kind, operator, shape, elements, moved, _kernels(operator))


def _copy_bytes(operator: str, args: Sequence[Any], result: object, moved: int) -> int:
    """Copies into an existing tensor do not read it; writes into zeros write twice."""
    written = sum(touched_bytes(tensor) for tensor in tensors_in(result))
    if operator in ("copy_", "fill_", "zero_", "uniform_", "normal_", "bernoulli_"):
        return moved - written
    if operator.endswith("_backward"):
        return moved + sum(touched_bytes(tensor) for tensor in tensors_in(args))
    return moved


def _gemm(operator: str, args: Sequence[Any], result: object) -> Work:
    operands = [tensor for tensor in tensors_in(args) if tensor.dim() > 0]
    left, right = operands[-2:]
    batch = left.shape[0] if left.dim() == 3 else 1
    m, k = (left.shape[-2], left.shape[-1]) if left.dim() > 1 else (1, left.shape[0])
    n = right.shape[-1] if right.dim() > 1 else 1
    moved = _moved_bytes(args, result)
    return Work("gemm", operator, (batch, m, n, k), 2 * batch * m * n * k, moved, 1)


def _conv_shape(
    weight: torch.Tensor, small_side: Sequence[int], stride: Sequence[int], groups: int, transposed: bool
) -> tuple[int, ...]:
    """Return (c_in, c_out, kernel_h, kernel_w, h, w, groups, stride); 1-D has height 1, 3-D has depth in the height."""
    kernel, side = list(weight.shape[2:]), list(small_side)
    while len(kernel) < 2:
        kernel, side = [1, *kernel], [1, *side]
    c_in, c_out = (weight.shape[1] * groups, weight.shape[0])
    if transposed:
        c_in, c_out = weight.shape[0], weight.shape[1] * groups
    return (c_in, c_out, math.prod(kernel[:-1]), kernel[-1], math.prod(side[:-1]), side[-1], groups, max(stride))


def _conv_kind(shape: Sequence[int]) -> OperationKind:
    return "depthwise_conv" if shape[6] > 1 and shape[6] == shape[0] else "conv"


def _conv_name(weight: torch.Tensor, *, transposed: bool) -> str:
    return ("conv_transposed" if transposed else "conv") + ("3d" if weight.dim() == 5 else "")


def _conv_flop(shape: Sequence[int], batch: int) -> int:
    c_in, c_out, kernel_h, kernel_w, height, width, groups, _ = shape
    return 2 * batch * c_in * c_out // groups * kernel_h * kernel_w * height * width


def _convolution(args: Sequence[Any], result: object) -> list[Work]:
    inputs, weight, bias, stride, _, _, transposed, _, groups = args[:9]
    (output,) = tensors_in(result)
    small_side = inputs.shape[2:] if transposed else output.shape[2:]
    shape = _conv_shape(weight, small_side, stride, groups, transposed)
    kind, name = _conv_kind(shape), _conv_name(weight, transposed=transposed)
    flop = _conv_flop(shape, inputs.shape[0])
    work = [Work(kind, name, shape, flop, _moved_bytes((inputs, weight), output))]
    if bias is not None:
        moved = 2 * touched_bytes(output) + touched_bytes(bias)
        work.append(Work("elementwise", "conv_bias", (output.numel(),), output.numel(), moved))
    return work


def _convolution_backward(args: Sequence[Any], result: object) -> list[Work]:
    gradient, inputs, weight, _, stride, _, _, transposed, _, groups, mask = args[:11]
    small_side = inputs.shape[2:] if transposed else gradient.shape[2:]
    shape = _conv_shape(weight, small_side, stride, groups, transposed)
    kind, name = _conv_kind(shape), _conv_name(weight, transposed=transposed)
    flop = _conv_flop(shape, inputs.shape[0])
    work = []
    if mask[0]:
        work.append(Work(kind, f"{name}_input_gradient", shape, flop, _moved_bytes((gradient, weight), inputs)))
    if mask[1]:
        work.append(Work(kind, f"{name}_weight_gradient", shape, flop, _moved_bytes((gradient, inputs), weight)))
    if mask[2]:
        channels = weight.shape[1] * groups if transposed else weight.shape[0]
        elements = gradient.numel()
        moved = touched_bytes(gradient) + 4 * channels
        work.append(Work("reduction", f"{name}_bias_gradient", (channels, elements // channels), elements, moved))
    return work


def _normalization(operator: str, args: Sequence[Any], result: object) -> Work:
    tensors = [tensor for tensor in tensors_in(args) if tensor.dim() > 0]
    elements = tensors[0].numel()
    if "batch_norm" in operator:
        rows = tensors[0].shape[1]
    elif "group_norm" in operator:
        rows = tensors[0].shape[0] * next(value for value in reversed(args) if type(value) is int)
    else:
        width = math.prod(next(value for value in args if isinstance(value, (list, tuple))))
        rows = elements // width
    moved = _moved_bytes(args, result)
    return Work("normalization", operator, (rows, elements // rows), elements, moved, _kernels(operator))


def _softmax(operator: str, args: Sequence[Any], result: object) -> Work:
    (output,) = tensors_in(result)
    dimension = next(value for value in args if type(value) is int)
    width = output.shape[dimension] if output.dim() else 1
    elements, moved = output.numel(), _moved_bytes(args, result)
    return Work("softmax", operator, (elements // width, width), elements, moved)


def _pooling(operator: str, args: Sequence[Any], result: object) -> Work:
    written, read = _largest(result), next(tensors_in(args)).numel()
    coarse, fine = sorted((written, read))
    window = max(1, round(fine / max(coarse, 1)))
    kernel = next((value for value in args if isinstance(value, (list, tuple)) and value), None)
    if "pool" in operator and "adaptive" not in operator and kernel is not None and type(kernel[0]) is int:
        window = math.prod(kernel) if len(kernel) > 1 else kernel[0] ** 2
    flop = coarse * window
    return Work("pooling", operator, (written, window), flop, _moved_bytes(args, result), _kernels(operator))


def _embedding(operator: str, args: Sequence[Any], result: object) -> Work:
    """Look-ups read only the rows they need; gradients and scatters write the whole table once more."""
    written = sum(touched_bytes(tensor) for tensor in tensors_in(result))
    operands = list(tensors_in(args))
    if operator in ("embedding", "index", "index_select", "gather", "take", "_unsafe_index", "masked_select"):
        indices = sum(touched_bytes(tensor) for tensor in operands[1:])
        rows = max(1, max((tensor.numel() for tensor in operands[1:]), default=1))
        elements = _largest(result)
        return Work("embedding", operator, (rows, max(1, elements // rows)), 0, 2 * written + indices)
    index = next((tensor for tensor in operands if not tensor.is_floating_point()), operands[0])
    rows = max(1, index.numel())
    values = operands[0] if operator == "embedding_dense_backward" else operands[-1]
    moved = written + 2 * touched_bytes(values) + touched_bytes(index)
    elements = values.numel()
    return Work("embedding", operator, (rows, max(1, elements // rows)), elements, moved, _kernels(operator))


def _negative_log_likelihood(operator: str, args: Sequence[Any], result: object) -> Work:
    """Forward reads one entry of each row; the gradient is all zeros but that entry."""
    scores = next(tensor for tensor in tensors_in(args) if tensor.is_floating_point() and tensor.dim() > 1)
    rows, elements = scores.numel() // scores.shape[1], scores.numel()
    written = sum(touched_bytes(tensor) for tensor in tensors_in(result))
    return Work("loss", operator, (rows, scores.shape[1]), elements, written + 12 * rows, _kernels(operator))


def _fourier(operator: str, args: Sequence[Any], result: object) -> Work:
    """A pass over the numbers for each dimension, with 5 n log2 n additions and multiplications in it."""
    numbers, dimensions = args[:2]
    full = max([numbers, *tensors_in(result)], key=lambda tensor: tensor.numel())
    stages = sum(math.log2(max(2, full.shape[dimension])) for dimension in dimensions)
    passes = len(dimensions)
    moved = passes * _moved_bytes((numbers,), result)
    return Work("elementwise", operator, (full.numel(),), round(5 * full.numel() * stages), moved, passes)


def _attention(operator: str, args: Sequence[Any], result: object) -> Work:
    """Fused attention: two products forward; backward computes the scores once more, five products."""
    is_backward = operator.endswith("_backward")
    query, key = args[1:3] if is_backward else args[0:2]
    samples, heads, queries, size = query.shape
    keys, products = key.shape[2], 5 if is_backward else 2
    flop = products * 2 * samples * heads * queries * keys * size
    shape = (samples, heads, queries, keys, size)
    causal, dropout = args[-2:]
    name = operator + ("_causal" if causal else "") + ("_dropout" if dropout else "")
    return Work("attention", name, shape, flop, _moved_bytes(args, result), 3 if is_backward else 1)


def _recurrent(operator: str, args: Sequence[Any], result: object) -> Work:
    """All steps, layers and directions of an LSTM, GRU or plain recurrent layer in one call."""
    is_backward = operator.endswith("_backward")
    inputs = args[1] if is_backward else args[0]
    hidden, layers, directions, gates = args[-4:]
    steps, samples, width = inputs.shape
    flop = 0
    for layer in range(layers):
        layer_width = width if layer == 0 else hidden * directions
        flop += 2 * steps * samples * directions * gates * hidden * (layer_width + hidden)
    shape = (steps, samples, width, hidden, layers, directions, gates)
    kernels = layers * directions * (1 + 2 * steps)
    factor = 2 if is_backward else 1
    return Work("recurrent", operator, shape, factor * flop, _moved_bytes(args, result), factor * kernels)


_COUNTERS: dict[str, Counter] = {
    **dict.fromkeys(_GEMM, _gemm),
    **dict.fromkeys(_NORMALIZATION, _normalization),
    **dict.fromkeys(_SOFTMAX, _softmax),
    **dict.fromkeys(_POOLING, _pooling),
    **dict.fromkeys(_EMBEDDING, _embedding),
    **dict.fromkeys(_NLL_LOSS, _negative_log_likelihood),
    **dict.fromkeys(_FOURIER, _fourier),
    "attention": _attention,
    "recurrent": _recurrent,
}
_KINDS: dict[str, OperationKind] = {
    **dict.fromkeys(_COPY, "copy"),
    **dict.fromkeys(_REDUCTION, "reduction"),
    **dict.fromkeys(_LOSS, "loss"),
    **dict.fromkeys(_ELEMENTWISE, "elementwise"),
}
