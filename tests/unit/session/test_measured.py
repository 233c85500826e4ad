"""What the full suite measured on a computer is what that computer is predicted to take."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Workload
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Benchmark
from advisor.session.forecast import forecast_job
from tests.unit.benchmark.diagnosed import machine

RECORDED = Path(__file__).parents[2] / "data" / "sessions" / "full_two_cores.json"
TWO_CORES = {"name": "Two cores", "physical_cores": 2, "logical_cores": 2, "usable_cores": 2.0}


def foretold(network: str, batch_size: int, task: str = "train", **settings: Any) -> Prediction:
    """Return what a job is predicted to take on the computer that was measured."""
    seen = msgspec.json.decode(RECORDED.read_bytes(), type=Benchmark)
    calm = tuple(msgspec.structs.replace(one, conditions=()) for one in seen.measurements)  # two ran beside others
    benchmark = msgspec.structs.replace(seen, measurements=calm)
    optimizer: Any = "adam" if task == "train" else "none"
    job: Any = {"task": task, "batch_size": batch_size, "samples": 8000, "optimizer": optimizer} | settings
    workload = Workload(id="x", title="x", network=network, **job)
    known = forecast_job(Observation(machine=machine(cpu=TWO_CORES), benchmark=benchmark), workload)
    found = dict(zip([one.id for one in known.candidates], known.predictions, strict=True))["here/cpu"]
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("network", "batch_size", "settings", "measured_s"),
    [
        ("densenet121", 4, {}, 9.64),
        ("densenet121", 1, {"task": "infer"}, 4.57),
        ("resnet50", 8, {}, 9.38),
        ("resnet50", 8, {"channels_last": True}, 15.2),
        ("resnet50", 8, {"precision": "amp"}, 20.4),
        ("resnet50", 8, {"precision": "amp", "channels_last": True}, 17.4),
        ("resnet50", 8, {"task": "infer"}, 5.84),
        ("resnet50", 8, {"task": "infer", "channels_last": True}, 1.82),
        ("article_cnn", 32, {}, 0.704),
    ],
)
def test_what_was_measured_is_foretold(
    network: str, batch_size: int, settings: dict[str, Any], measured_s: float
) -> None:
    """Each task in each layout by its own case, of networks that the study calls by another name as well."""
    found = foretold(network, batch_size, **settings)
    assert found.basis == "measured"
    assert found.time_per_step_s == pytest.approx(measured_s, rel=0.02)
    assert len(found.basis_detail) == 1


def test_what_was_not_measured_is_no_measurement() -> None:
    """DenseNet in half precision was not trained: its training in fp32, and that of others, says something of it."""
    found = foretold("densenet121", 4, precision="amp")
    assert found.basis == "scaled"
    assert not any(case.startswith("infer/") for case in found.basis_detail)
