"""Classes of work as a processor was measured, and what they say of it."""

from functools import cache
from pathlib import Path

import msgspec

from advisor.predict import calibrate
from advisor.records.channel import CaseResult
from advisor.records.job.prediction import Calibration
from advisor.records.results.measured.measurement import CLASSES_PROGRAM, Case, Measurement
from tests.unit.predict.examples import PROCESSOR

RECORDED = Path(__file__).parents[3] / "data" / "work_classes" / "processor_fp32.json"
"""What one thread of an AMD EPYC with AVX2 took, 2026-11-22, torch 2.13."""


@cache
def recorded() -> Measurement:
    """Return the case as a processor answered it."""
    result = msgspec.json.decode(RECORDED.read_bytes(), type=CaseResult)
    case = Case(id="work_classes/fp32/cpu", program=CLASSES_PROGRAM, device="cpu", precision="fp32")
    [sum_s] = result.samples_s
    return Measurement(case=case, samples_s=(sum_s,), median_s=sum_s, iqr_s=0.0, series=result.series)


@cache
def calibration() -> Calibration:
    """Return what they say of a processor."""
    return calibrate([recorded()], PROCESSOR, {})


IN_SOFTWARE = RECORDED.with_name("first_epyc.json")
"""In fp32, and in bf16 as far as its time went, on two cores of an AMD EPYC of the first generation, 2026-11-28, torch
2.13: a processor without instructions for bf16."""


@cache
def without_instructions() -> tuple[Measurement, ...]:
    """Return both cases as that processor answered them."""
    return msgspec.json.decode(IN_SOFTWARE.read_bytes(), type=tuple[Measurement, ...])
