"""Twelve people ask; the program answers as an experienced engineer would, and names the reason."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import conclude
from advisor.units import GB, HOUR_S
from tests.end_to_end.askers import chosen, machine_of

PERSONAS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent.parent / "data" / "personas" / "personas.toml").read_text(encoding="utf-8")
)["persona"]


def answer_to(persona: dict[str, Any]) -> Report:
    """Return the report the program makes for a persona, from specifications alone."""
    if "preset" in persona:
        workload = find_workload(persona["preset"]).workload
    else:
        workload = msgspec.convert(persona["workload"], Workload)
    circumstances = msgspec.convert(persona["circumstances"], Circumstances)
    return conclude(Observation(machine=machine_of(persona["machine"])), workload, circumstances)


@pytest.fixture(scope="module", params=PERSONAS, ids=[row["name"].replace(" ", "-") for row in PERSONAS])
def asked(request: pytest.FixtureRequest) -> tuple[dict[str, Any], Report]:
    """A persona and the answer."""
    return request.param, answer_to(request.param)


def test_the_answer_is_the_engineers(asked: tuple[dict[str, Any], Report]) -> None:
    """The tier is defensible, and where two are, both are shown."""
    persona, report = asked

    assert report.advice.tier in persona["tiers"]
    if len(persona["tiers"]) > 1:
        assert set(persona["tiers"]) <= {option.tier for option in report.advice.options if option.feasible}
    if "chosen" in persona:
        assert report.advice.chosen == persona["chosen"]


def test_the_reason_is_named(asked: tuple[dict[str, Any], Report]) -> None:
    """Of each group of reasons at least one is given."""
    persona, report = asked
    given = {reason.code for reason in report.advice.reasons} | {fired.rule.id for fired in report.advice.fired}

    for group in persona["reasons"]:
        assert given & set(group), f"{group} not in {sorted(given)}"


def test_the_numbers_are_those_an_engineer_expects(asked: tuple[dict[str, Any], Report]) -> None:
    """Hours, money, number of devices and whether a card would help lie where experience says."""
    persona, report = asked
    if "shortest_h" in persona:
        assert chosen(report).run_s > persona["shortest_h"] * HOUR_S
    if "longest_h" in persona:
        assert chosen(report).run_s < persona["longest_h"] * HOUR_S
    if "dearest_month_usd" in persona:
        assert chosen(report).run_usd * persona["circumstances"]["runs_per_month"] < persona["dearest_month_usd"]
    if "least_memory_gb" in persona:
        prediction = chosen(report).prediction
        assert prediction is not None
        assert prediction.memory is not None
        assert prediction.memory.total_bytes * chosen(report).device_count >= persona["least_memory_gb"] * GB
    if "gpu_would_help" in persona:
        assert report.advice.gpu_would_help == persona["gpu_would_help"]
