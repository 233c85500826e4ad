"""Conditions on the answer: read, refused, met and not met."""

import msgspec
import pytest

from advisor.cli.report import _print_unmet
from advisor.cli.requirement import read_requirement, unmet
from advisor.errors import InputError
from advisor.locale import language
from advisor.records.results.report import Report
from advisor.units import GIB, HOUR_S
from tests.unit.report import samples


def _with(report: Report, **changes: object) -> Report:
    chosen = msgspec.structs.replace(report.advice.options[0], **changes)
    advice = msgspec.structs.replace(report.advice, options=(chosen, *report.advice.options[1:]))
    return msgspec.structs.replace(report, advice=advice)


@pytest.mark.parametrize("text", ["", "hours", "hours<", "hours<<8", "fits=1", "days<3", "hours<8 or fits", "hours<-1"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    """With what would be one."""
    with pytest.raises(InputError, match="not a condition"):
        read_requirement(text)


@pytest.mark.parametrize(
    ("text", "failing"),
    [
        ("hours<8 and fits", []),
        ("hours < 2", ["hours < 2"]),
        ("hours<=2", []),
        ("hours>=2 and longest_hours<8", []),
        ("longest_hours<3", ["longest_hours<3"]),
        ("here and hours>3", ["hours>3"]),
        ("memory_gb<1", ["memory_gb<1"]),
        ("usd<100 and run_usd<0.5", ["run_usd<0.5"]),
    ],
)
def test_conditions_are_compared_with_the_answer(text: str, failing: list[str]) -> None:
    """Two hours, perhaps five; 1.9 GB; 0.60 USD a run, 14.40 in all."""
    interval = msgspec.convert({"low": HOUR_S, "high": 5 * HOUR_S}, type(samples.enough().advice.options[0].interval))
    report = _with(samples.enough(), run_s=2 * HOUR_S, interval=interval, run_usd=0.6, horizon_usd=14.4)
    assert list(unmet(read_requirement(text), report)) == failing


def test_a_value_that_is_not_met_is_told() -> None:
    """The script's log says by how much."""
    report = _with(samples.enough(), run_s=12 * HOUR_S)
    assert unmet(read_requirement("hours<8"), report) == {"hours<8": 12.0}


def test_what_is_not_known_meets_nothing() -> None:
    """Neither an unknown time nor a missing answer."""
    report = samples.enough()
    assert unmet(read_requirement("hours<8"), _with(report, run_s=None)) == {"hours<8": None}
    none = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, chosen=None))
    assert set(unmet(read_requirement("here and fits"), none)) == {"here", "fits"}


def test_what_does_not_fit_does_not_fit() -> None:
    """Memory of the answer itself; on a rented machine it is not here."""
    report = samples.enough()
    prediction = report.advice.options[0].prediction
    assert prediction is not None
    assert prediction.memory is not None
    memory = msgspec.structs.replace(prediction.memory, fits=False, total_bytes=90 * GIB)
    full = _with(report, prediction=msgspec.structs.replace(prediction, memory=memory))
    assert set(unmet(read_requirement("fits and memory_gb<80"), full)) == {"fits", "memory_gb<80"}
    assert set(unmet(read_requirement("here"), samples.rent())) == {"here"}


def test_a_condition_on_what_is_not_known_is_said_to_be_on_that(capfd: pytest.CaptureFixture[str]) -> None:
    """A script's log had "Not met: usd<100." and no why."""
    report = _with(samples.rent(), horizon_usd=None)
    assert _print_unmet(read_requirement("usd<100 and here"), report, language("en"))
    assert capfd.readouterr().err.splitlines() == ["Not met: usd<100; it is not known.", "Not met: here."]
