"""The profiler's events summed up: by operation and shapes, and by class of work. Needs no torch."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.records.results.measured.profile import MAX_OPERATIONS, ProfiledOperation
from advisor.worker.profile_breakdown import break_down, kind_of, shares


@dataclass
class Event:
    """What torch's profiler says of one call."""

    name: str
    self_cpu_time_total: float = 0.0
    self_device_time_total: float = 0.0
    cpu_parent: "Event | None" = None
    input_shapes: list[list[int]] = field(default_factory=list)
    self_cpu_memory_usage: int = 0
    self_device_memory_usage: int = 0
    device_type: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(name="CPU"))


def breakdown(events: list[Event], wall_s: float = 1.0, *, is_device_time: bool = False):  # type: ignore[no-untyped-def]
    """Break down as for one step."""
    return break_down(events, steps=1, wall_s=wall_s, plain_step_s=wall_s, is_device_time=is_device_time, traced=False)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("aten::mkldnn_convolution", "convolution"),
        ("aten::cudnn_convolution_backward", "convolution"),
        ("aten::addmm", "matrix_product"),
        ("aten::mm", "matrix_product"),
        ("aten::bmm", "matrix_product"),
        ("aten::_scaled_dot_product_flash_attention_backward", "attention"),
        ("aten::_cudnn_rnn", "recurrent"),
        ("aten::_thnn_fused_lstm_cell", "recurrent"),
        ("aten::native_batch_norm_backward", "normalization"),
        ("aten::native_layer_norm", "normalization"),
        ("aten::max_pool2d_with_indices_backward", "pooling"),
        ("aten::_log_softmax_backward_data", "reduction"),
        ("aten::sum", "reduction"),
        ("aten::threshold_backward", "elementwise"),
        ("aten::add_", "elementwise"),
        ("aten::mul", "elementwise"),
        ("aten::tanh", "elementwise"),
        ("aten::sqrt", "elementwise"),
        ("aten::dropout", "elementwise"),
        ("aten::native_dropout", "elementwise"),
        ("aten::addcmul_", "elementwise"),
        ("aten::copy_", "copy"),
        ("aten::_to_copy", "copy"),
        ("aten::cat", "copy"),
        ("Memcpy HtoD (Pinned -> Device)", "copy"),
        ("autograd::engine::evaluate_function: AddmmBackward0", "other"),
        ("cudaLaunchKernel", "other"),
        ("Optimizer.step#Adam.step", "optimizer"),
        ("data_loading", "data_loading"),
    ],
)
def test_classes(name: str, kind: str) -> None:
    """Each operation of the networks measured here is of its class."""
    assert kind_of(Event(name)) == kind


def test_marks_win_over_names() -> None:
    """What the optimizer or the loading calls is theirs, however deep."""
    mark = Event("Optimizer.step#Adam.step")
    inner = Event("aten::mul_", cpu_parent=Event("aten::_foreach_mul", cpu_parent=mark))

    assert kind_of(inner) == "optimizer"


def test_equal_calls_are_one_row() -> None:
    """Calls of the same operation with the same shapes are added up; other shapes are another row."""
    product = {"name": "aten::mm", "self_cpu_time_total": 1e5, "self_cpu_memory_usage": 8}
    events = [Event(**product, input_shapes=[[2, 3], [], [3, 4]]) for _call in range(3)]  # type: ignore[arg-type]
    profile = breakdown([*events, Event(**product, input_shapes=[[5, 5]]), Event("ProfilerStep#1", 5e6)])  # type: ignore[arg-type]
    first, second = profile.operations

    assert (first.shapes, first.calls, first.cpu_memory_bytes) == ("2x3, 3x4", 3, 24)
    assert first.cpu_s == pytest.approx(0.3)
    assert second.shapes == "5x5"
    assert {share.kind: round(share.ratio, 6) for share in profile.shares} == {"matrix_product": 0.4, "idle": 0.6}


def test_only_the_longest_rows_travel() -> None:
    """The rest is counted and its time kept."""
    events = [Event(f"aten::op{number}", 1e3 * (number + 1)) for number in range(MAX_OPERATIONS + 5)]
    profile = breakdown(events)

    assert len(profile.operations) == MAX_OPERATIONS
    assert (profile.omitted, profile.omitted_s) == (5, pytest.approx(0.015))


def test_a_waiting_device_is_not_simply_idle() -> None:
    """While the host loads data the accelerator waits for it; what remains without a kernel is idle."""
    events = [
        Event("data_loading", self_cpu_time_total=3e5),
        Event("aten::mm", self_cpu_time_total=1e4, self_device_time_total=5e5),
        Event("kernel", self_device_time_total=5e5, device_type=SimpleNamespace(name="CUDA")),
    ]
    profile = breakdown(events, is_device_time=True)

    assert {share.kind: round(share.ratio, 6) for share in profile.shares} == {
        "matrix_product": 0.5,
        "data_loading": 0.3,
        "idle": 0.2,
    }


@given(times_s=st.lists(st.floats(0, 10), min_size=1, max_size=8), wall_s=st.floats(1e-6, 20), on_device=st.booleans())
def test_shares_sum_up_to_the_whole(times_s: list[float], wall_s: float, on_device: bool) -> None:
    """Whatever the operations took, the shares are between 0 and 1 and make one."""
    operations = [
        ProfiledOperation(name="a", kind="convolution" if n % 2 else "copy", calls=1, cpu_s=time_s, device_s=time_s / 2)
        for n, time_s in enumerate(times_s)
    ]
    found = shares(operations, wall_s, is_device_time=on_device)

    assert sum(share.ratio for share in found) == pytest.approx(1)
    assert all(0 <= share.ratio <= 1 for share in found)
