"""Gradient boosting: what a tree takes, and whether the table fits."""

import pytest

from advisor.catalog import find_workload, network
from advisor.predict import calibrate, predict
from advisor.predict.memory import safety_ratio
from advisor.records.job.asked_job import JOB_PROGRAM, step_settings
from advisor.records.job.prediction import MemoryEstimate
from advisor.records.results.measured.measurement import Case, Measurement, Series
from tests.unit.predict.examples import CARD, PROCESSOR, changed, workload

TREES = network("gradient_boosting", columns=100)
ROW_BYTES = 100 * 5 + 16
"""A number of 32 bits and a bin of 8 a column; gradient, Hessian, prediction and target."""


def memory(memory_bytes: int | None, rows: int = 1_000_000, device: object = PROCESSOR) -> MemoryEstimate:
    """Return what boosting on a table takes on a device with so much memory."""
    assert device in (PROCESSOR, CARD)
    job = workload(TREES, samples=rows, batch_size=rows // 10, optimizer="none")
    found = predict(TREES, job, changed(device, memory_bytes=memory_bytes))
    assert found.memory is not None
    assert found.memory_bytes == found.memory.total_bytes
    return found.memory


def test_the_whole_table_is_held() -> None:
    """All rows, also where a tree is grown on a part of them."""
    found = memory(10**9)
    assert found.total_bytes == pytest.approx(1e6 * ROW_BYTES)
    assert found.interval.low < found.total_bytes < found.interval.high


@pytest.mark.parametrize("device", [PROCESSOR, CARD], ids=["processor", "card"])
def test_a_table_larger_than_the_memory_does_not_fit(device: object) -> None:
    """Neither the processor's nor a card's; what is not known is not answered."""
    needed = round(1e6 * ROW_BYTES * safety_ratio())
    assert memory(needed + 1, device=device).fits is True
    assert memory(needed - 1, device=device).fits is False
    assert memory(None, device=device).fits is None


def test_the_usual_table_fits_any_computer() -> None:
    """Fifty thousand rows are megabytes."""
    job = find_workload("classical_ml").workload
    found = predict(network("gradient_boosting", columns=job.columns), job, changed(PROCESSOR, memory_bytes=2**30))
    assert found.memory is not None
    assert found.memory.fits


def test_a_measured_tree_counts_on_its_own_device_alone() -> None:
    """At the measured rows exactly; the card beside it is still modelled."""
    job = workload(TREES, samples=50_000, batch_size=50_000, optimizer="none")
    case = Case(
        id="job/trees",
        program=JOB_PROGRAM,
        device="cpu",
        network=TREES.name,
        batch_size=50_000,
        options=step_settings(job, TREES),
    )
    found = Measurement(
        case=case,
        samples_s=(0.25,),
        median_s=0.25,
        iqr_s=0.0,
        series=(Series(x="batch_size", y="step_s", points=((25_000.0, 0.15), (50_000.0, 0.25))),),
    )
    calibration = calibrate([found], PROCESSOR, {}, TREES)
    here, there = (predict(TREES, job, device, calibration=calibration) for device in (PROCESSOR, CARD))
    assert (here.basis, here.time_per_step_s, here.basis_detail) == ("measured", pytest.approx(0.25), ("job/trees",))
    assert here.interval.low < 0.25 < here.interval.high
    assert there.basis == "modelled"
