"""What several test files here share."""

from typing import Any

import msgspec

from advisor.catalog import find_device
from advisor.catalog.networks.tables import network
from advisor.catalog.workloads import network_of
from advisor.predict import predict
from advisor.records.job.prediction import Prediction
from tests.unit.predict.examples import workload


def job(name: str = "resnet50", **settings: Any) -> Prediction:
    """Predict a network of the catalogue on a measured card."""
    asked = workload(network(name), **{"batch_size": 32, "precision": "amp", **settings})
    return predict(network_of(asked), asked, find_device("RTX 3090"))


def single_image(name: str, vendor: str) -> Prediction:
    """Predict how long a small board's four cores look at one image of 640 x 640."""
    board = msgspec.structs.replace(
        find_device("EPYC 9654"),
        name="Cortex-A76",
        vendor=vendor,
        peak_flop_per_s={"fp32": 4 * 16 * 2.4e9},
        bandwidth_bytes_per_s=17e9,
        multiprocessors=4,
    )
    asked = workload(network(name), task="infer", batch_size=1, precision="fp32", image_size=640)
    return predict(network_of(asked), asked, board)
