"""What the diagnosis is told of a prediction: rates without the wait for data, and a step's kernels and traffic."""

import msgspec
import pytest

from advisor.benchmark.diagnosis.outlook import kernels_of, outlook_of, traffic_of
from advisor.records.base import Interval
from advisor.records.job.prediction import InputRate, Prediction, TimePart
from advisor.records.job.work import Network, Operation

PREDICTION = Prediction(
    device="d",
    device_count=2,
    network="n",
    task="train",
    batch_size=32,
    precision="fp32",
    optimizer="adam",
    time_per_step_s=0.5,
    interval=Interval(low=0.4, high=0.625),
    samples_per_s=128.0,
    limit="input",
    parts=(TimePart(name="compute", time_s=0.1), TimePart(name="input", time_s=0.4)),
    confidence="good",
    basis="modelled",
)


def test_a_device_that_need_not_wait_takes_more() -> None:
    """64 samples in the tenth of a second that is left without the wait, with the band of the whole step."""
    seen = outlook_of("cuda:0", PREDICTION, None)
    assert seen.device_samples_per_s is not None
    assert seen.device_samples_per_s.low == pytest.approx(640 / 1.25)
    assert seen.device_samples_per_s.high == pytest.approx(640 * 1.25)
    assert (seen.device, seen.limit, seen.loader_samples_per_s, seen.needed_bytes) == ("cuda:0", "input", None, None)

    waits = msgspec.structs.replace(PREDICTION, parts=(TimePart(name="input", time_s=0.5),))
    assert outlook_of("cuda:0", waits, None).device_samples_per_s is None
    assert outlook_of("cuda:0", waits, None).waiting_ratio is None
    assert seen.waiting_ratio == pytest.approx(0.8)


def test_what_the_processor_delivers_has_its_own_band() -> None:
    """Where it was measured for this very input, it is one number."""
    band = Interval(low=50.0, high=200.0)
    guessed = InputRate(samples_per_s=100.0, interval=band, workers=4)
    assert outlook_of("cpu", PREDICTION, guessed).loader_samples_per_s == band
    measured = msgspec.structs.replace(guessed, interval=None)
    assert outlook_of("cpu", PREDICTION, measured).loader_samples_per_s == Interval(low=100.0, high=100.0)


def test_a_step_is_counted_with_every_repeat() -> None:
    """Arithmetic apart from what hardly computes; what a batch makes larger apart from what it does not."""
    conv = Operation(kind="conv", phase="forward", count=3, kernels=2, bytes_per_sample=10.0, bytes_fixed=1.0, shape=())
    sums = Operation(kind="reduction", phase="backward", count=5, bytes_per_sample=100.0, bytes_fixed=7.0, shape=())
    network = Network(
        name="n", family="cnn", parameters=1, trainable_parameters=1, sample="image", operations=(conv, sums)
    )
    traffic = traffic_of(network)

    assert kernels_of(network) == 3 * 2 + 5
    assert (traffic.arithmetic_per_sample, traffic.arithmetic_fixed) == (30.0, 3.0)
    assert (traffic.other_per_sample, traffic.other_fixed) == (500.0, 35.0)
