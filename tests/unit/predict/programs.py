"""What several test files here share."""

from typing import Any

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
