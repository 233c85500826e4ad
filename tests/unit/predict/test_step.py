"""Predictions of a small network on made-up devices."""

from advisor.predict import predict
from advisor.records.device import Device
from advisor.records.work import Network, Operation
from advisor.records.workload import Workload

DEVICE = Device(
    name="Test",
    vendor="nvidia",
    architecture="Ampere",
    device_class="gpu",
    for_whom="consumer",
    peak_flop_per_s={"fp32": 1e13, "fp16": 4e13},
    memory_bytes=8 * 10**9,
    bandwidth_bytes_per_s=5e11,
)
NETWORK = Network(
    name="net",
    family="cnn",
    parameters=10**7,
    trainable_parameters=10**7,
    sample="image",
    operations=tuple(
        Operation(
            kind="conv",
            phase=phase,
            shape=(64, 64, 3, 3, 56, 56, 1, 1),
            batch_axis=-1,
            count=20,
            flop_per_sample=2e8,
            bytes_per_sample=2e6,
        )
        for phase in ("forward", "backward")
    ),
    saved_bytes_per_sample=2e7,
    largest_bytes_per_sample=1e6,
)
WORKLOAD = Workload(id="w", title="W", network="net", samples=1000, batch_size=32)


def test_prediction_has_time_memory_and_interval() -> None:
    """A prediction carries a time inside its interval and the memory it needs."""
    prediction = predict(NETWORK, WORKLOAD, DEVICE)
    assert prediction.interval.low < prediction.time_per_step_s < prediction.interval.high
    assert prediction.memory is not None
    assert prediction.memory.fits
