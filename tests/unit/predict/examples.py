"""Devices, networks and workloads for the tests of predictions; strategies that vary them."""

from typing import Any

import msgspec
from hypothesis import strategies as st

from advisor.records.hardware.device import Device
from advisor.records.job.work import Network, Operation
from advisor.records.job.workload import Workload

CARD = Device(
    name="Test card",
    vendor="nvidia",
    architecture="Ampere",
    device_class="gpu",
    for_whom="consumer",
    peak_flop_per_s={"fp32": 2e13, "tf32": 2e13, "fp16": 4e13, "bf16": 4e13},
    memory_bytes=12 * 10**9,
    memory_type="GDDR6",
    bandwidth_bytes_per_s=5e11,
    power_w=250.0,
    multiprocessors=46,
    l2_bytes=4 * 2**20,
    interconnect="PCIe 4.0 x16",
    interconnect_bytes_per_s=3.15e10,
)
SERVER_CARD = msgspec.structs.replace(
    CARD,
    name="Test server card",
    for_whom="datacenter",
    device_class="datacenter_gpu",
    memory_type="HBM2",
    memory_bytes=80 * 10**9,
    interconnect="NVLink 3",
    interconnect_bytes_per_s=3e11,
)
PROCESSOR = Device(
    name="Test processor",
    vendor="intel",
    architecture="Skylake",
    device_class="cpu",
    for_whom="consumer",
    peak_flop_per_s={"fp32": 5e11},
    bandwidth_bytes_per_s=4e10,
    multiprocessors=8,
)


def changed(device: Device, **changes: Any) -> Device:
    """Return the device with other figures."""
    result: Device = msgspec.structs.replace(device, **changes)
    return result


def convolution(phase: Any = "forward", operator: str = "conv", **changes: Any) -> Operation:
    """Return a 3x3 convolution of 64 channels over 56 x 56 pixels."""
    flop = 2.0 * 64 * 64 * 9 * 56 * 56
    figures: dict[str, Any] = {
        "kind": "conv",
        "phase": phase,
        "operator": operator,
        "shape": (64, 64, 3, 3, 56, 56, 1, 1),
        "batch_axis": -1,
        "count": 8,
        "flop_per_sample": flop,
        "bytes_per_sample": 4.0 * 2 * 64 * 56 * 56,
        "bytes_fixed": 4.0 * 64 * 64 * 9,
    }
    return Operation(**{**figures, **changes})


def product(phase: Any = "forward", axis: int = 1) -> Operation:
    """Return the product of a layer of 512 by 512 for one sample of 128 tokens."""
    shapes = {1: (1, 128, 512, 512), 3: (1, 512, 512, 128)}
    return Operation(
        kind="gemm",
        phase=phase,
        operator="mm",
        shape=shapes[axis],
        batch_axis=axis,
        count=12,
        flop_per_sample=2.0 * 128 * 512 * 512,
        bytes_per_sample=4.0 * 2 * 128 * 512,
        bytes_fixed=4.0 * 512 * 512,
    )


def activation(phase: Any = "forward") -> Operation:
    """Return an elementwise operation over 200,704 numbers of each sample."""
    return Operation(
        kind="elementwise",
        phase=phase,
        operator="relu",
        shape=(200_704,),
        batch_axis=0,
        count=10,
        flop_per_sample=200_704.0,
        bytes_per_sample=8.0 * 200_704,
    )


IMAGES = Network(
    name="images",
    family="cnn",
    parameters=2 * 10**7,
    trainable_parameters=2 * 10**7,
    parameter_tensors=60,
    sample="image",
    image_size=224,
    operations=(
        convolution(),
        activation(),
        convolution("backward", "conv_input_gradient"),
        convolution("backward", "conv_weight_gradient"),
        activation("backward"),
    ),
    saved_bytes_per_sample=4e7,
    peak_bytes_per_sample=4.2e7,
    largest_bytes_per_sample=8e5,
    inference_bytes_per_sample=2e6,
    layers=8,
)
TEXT = Network(
    name="text",
    family="transformer",
    parameters=10**9,
    trainable_parameters=10**9,
    parameter_tensors=200,
    sample="sequence",
    sequence_length=128,
    operations=(product(), product("backward"), product("backward", 3), activation(), activation("backward")),
    saved_bytes_per_sample=2e8,
    peak_bytes_per_sample=2.1e8,
    largest_bytes_per_sample=2e7,
    inference_bytes_per_sample=3e7,
    attention="fused",
    layers=24,
)


def workload(network: Network = IMAGES, **changes: Any) -> Workload:
    """Return a workload of the network."""
    figures: dict[str, Any] = {"samples": 10_000, "batch_size": 32, "optimizer": "adam"}
    return Workload(id="test", title="Test", network=network.name, **{**figures, **changes})


networks = st.sampled_from([IMAGES, TEXT])
precisions = st.sampled_from(["fp32", "tf32", "fp16", "bf16", "amp"])
tasks = st.sampled_from(["train", "infer"])
factors = st.floats(1.0, 8.0)


@st.composite
def devices(draw: st.DrawFn) -> Device:
    """Devices of all kinds with figures in the range of the catalogue."""
    base = draw(st.sampled_from([CARD, SERVER_CARD, PROCESSOR]))
    fp32 = draw(st.floats(1e11, 1e14))
    peaks = {"fp32": fp32}
    if base.device_class != "cpu":
        if draw(st.booleans()):
            peaks["tf32"] = fp32 * draw(st.floats(1.0, 8.0))
        if draw(st.booleans()):
            peaks["fp16"] = fp32 * draw(st.floats(0.5, 16.0))
    return changed(
        base,
        architecture=draw(st.sampled_from(["Pascal", "Turing", "Ampere", "Ada Lovelace", "CDNA 2.0", "unheard of"])),
        peak_flop_per_s=peaks,
        bandwidth_bytes_per_s=draw(st.floats(2e10, 8e12)),
        memory_bytes=None if base.device_class == "cpu" else draw(st.integers(2 * 10**9, 200 * 10**9)),
        power_w=draw(st.none() | st.floats(15.0, 1200.0)),
        multiprocessors=draw(st.none() | st.integers(4, 200)),
        l2_bytes=draw(st.none() | st.integers(10**6, 10**8)),
    )


@st.composite
def workloads(draw: st.DrawFn, network: Network) -> Workload:
    """Workloads of a network with every setting."""
    return workload(
        network,
        task=draw(tasks),
        batch_size=draw(st.integers(1, 256)),
        precision=draw(precisions),
        optimizer=draw(st.sampled_from(["none", "sgd", "adam", "adamw"])),
        method=draw(st.sampled_from(["scratch", "full", "transfer", "lora", "qlora"])),
        checkpointing=draw(st.booleans()),
        channels_last=draw(st.booleans()),
        compiled=draw(st.booleans()),
    )
