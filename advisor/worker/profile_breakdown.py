"""The profiler's events summed up: by operation and shapes, and by class of work. Needs no torch."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from advisor.records.results.measured.profile import (
    MAX_OPERATIONS,
    Profile,
    ProfiledOperation,
    ProfileKind,
    ProfileShare,
)

LOADING = "data_loading"
_SPAN = "ProfilerStep"  # the whole step; what is its own is the time between operators
_MICRO = 1e-6
_LONGEST_TEXT = 200

_INSIDE: tuple[tuple[str, ProfileKind], ...] = (
    (LOADING, "data_loading"),
    ("enumerate(DataLoader)", "data_loading"),
    ("Optimizer.", "optimizer"),
)
"""Marks around operators; what they call belongs to them whatever it is."""

# In this order: the first that is found decides.
_BY_NAME: tuple[tuple[frozenset[str], ProfileKind], ...] = (
    (frozenset(("convolution", "conv1d", "conv2d", "conv3d")), "convolution"),
    (frozenset(("scaled_dot_product", "flash_attention", "efficient_attention")), "attention"),
    (frozenset(("lstm", "gru", "rnn")), "recurrent"),
    (frozenset(("batch_norm", "layer_norm", "group_norm")), "normalization"),
    (frozenset(("pool1d", "pool2d", "pool3d")), "pooling"),
    (frozenset(("addmm", "baddbmm", "bmm", "mm", "matmul", "linear")), "matrix_product"),
    (frozenset(("softmax", "nll_loss", "cross_entropy", "mse_loss", "sum", "mean", "argmax")), "reduction"),
    (
        frozenset((
            "alias", "as_strided", "cat", "chunk", "clone", "contiguous", "copy", "detach", "empty", "expand",
            "fill", "flatten", "full", "item", "lift", "memcpy", "memset", "narrow", "ones", "permute", "reshape",
            "resize", "resolve_conj", "select", "set", "slice", "split", "squeeze", "stack", "t", "to",
            "transpose", "unbind", "unsqueeze", "view", "zero", "zeros",
        )),
        "copy",
    ),
)  # fmt: skip
_LONG = 6
"""From this length on a part may stand anywhere in a name; shorter ones only as a word between underscores."""


@dataclass
class _Row:
    calls: int = 0
    cpu_us: float = 0.0
    device_us: float = 0.0
    cpu_bytes: int = 0
    device_bytes: int = 0


def break_down(
    events: Iterable[Any],
    *,
    steps: int,
    wall_s: float,
    plain_step_s: float,
    is_device_time: bool,
    traced: bool,
) -> Profile:
    """Return the profile of the events torch's profiler gives (``FunctionEvent``)."""
    rows: dict[tuple[str, ProfileKind, str], _Row] = defaultdict(_Row)
    for event in _on_the_host(events):
        row = rows[event.name[:_LONGEST_TEXT], kind_of(event), _shapes(event)]
        row.calls += 1
        row.cpu_us += max(0.0, event.self_cpu_time_total)
        row.device_us += max(0.0, event.self_device_time_total)
        row.cpu_bytes += event.self_cpu_memory_usage
        row.device_bytes += event.self_device_memory_usage
    operations = sorted((_operation(key, row) for key, row in rows.items()), key=_by_time(is_device_time), reverse=True)
    rest = operations[MAX_OPERATIONS:]
    return Profile(
        steps=steps,
        wall_s=wall_s,
        plain_step_s=plain_step_s,
        is_device_time=is_device_time,
        operations=tuple(operations[:MAX_OPERATIONS]),
        omitted=len(rest),
        omitted_s=sum(map(_by_time(is_device_time), rest)),
        shares=shares(operations, wall_s, is_device_time=is_device_time),
        traced=traced,
    )


def shares(operations: Iterable[ProfiledOperation], wall_s: float, *, is_device_time: bool) -> tuple[ProfileShare, ...]:
    """Return the time by class, largest first; what no operation accounts for is idle, so that all sum up to 1.

    An accelerator that waits while the host loads data is not simply idle: that much of its idle time is data loading.
    """
    times_s: dict[ProfileKind, float] = defaultdict(float)
    host_loading_s = 0.0
    for one in operations:
        times_s[one.kind] += one.device_s if is_device_time else one.cpu_s
        host_loading_s += one.cpu_s if one.kind == "data_loading" else 0.0
    idle_s = max(0.0, wall_s - sum(times_s.values()))
    if is_device_time:
        waiting_s = min(idle_s, host_loading_s)
        times_s["data_loading"] += waiting_s
        idle_s -= waiting_s
    times_s["idle"] = idle_s
    whole_s = sum(times_s.values()) or 1.0  # more than the wall where threads work side by side
    found = (ProfileShare(kind=kind, time_s=time_s, ratio=time_s / whole_s) for kind, time_s in times_s.items())
    return tuple(sorted((share for share in found if share.time_s > 0), key=lambda share: share.time_s, reverse=True))


def kind_of(event: Any) -> ProfileKind:
    """Return the class of an event: that of a mark around it, else by its name."""
    around = event
    while around is not None:
        for mark, kind in _INSIDE:
            if around.name.startswith(mark):
                return kind
        around = around.cpu_parent
    return _kind_of_name(event.name)


def _kind_of_name(name: str) -> ProfileKind:
    space, _separator, operator = name.rpartition("::")
    if space not in {"aten", "mkldnn", "cudnn"} and not operator.lower().startswith("memc"):
        return "other"  # the framework's own bookkeeping, such as autograd's, and the driver's calls
    plain = operator.lower().strip("_")
    words = set(plain.split("_"))
    for parts, kind in _BY_NAME:
        if words & parts or any(len(part) >= _LONG and part in plain for part in parts):
            return kind
    return "elementwise"


def _on_the_host(events: Iterable[Any]) -> Iterator[Any]:
    """Yield the events of the host, which carry the time of the kernels they started; steps as a whole are no event."""
    for event in events:
        if event.device_type.name == "CPU" and not event.name.startswith(_SPAN):
            yield event


def _shapes(event: Any) -> str:
    shapes = ["x".join(map(str, shape)) for shape in event.input_shapes or () if shape]
    return ", ".join(shapes)[:_LONGEST_TEXT]


def _operation(key: tuple[str, ProfileKind, str], row: _Row) -> ProfiledOperation:
    name, kind, shapes_text = key
    return ProfiledOperation(
        name=name,
        kind=kind,
        shapes=shapes_text,
        calls=row.calls,
        cpu_s=row.cpu_us * _MICRO,
        device_s=row.device_us * _MICRO,
        cpu_memory_bytes=row.cpu_bytes,
        device_memory_bytes=row.device_bytes,
    )


def _by_time(is_device_time: bool) -> Any:
    return (lambda one: one.device_s) if is_device_time else (lambda one: one.cpu_s)
