"""The pace of the computer, measurements that scatter, and what is said to have caused it."""

import math
from typing import Any

import msgspec
import pytest

from advisor.benchmark.diagnosis import diagnose
from advisor.benchmark.results.comparison import compare
from advisor.locale import language
from advisor.records.results.comparison import REPEATABILITY_RATIO
from advisor.records.results.diagnosis import Finding
from advisor.records.results.measured.measurement import Condition, ConditionKind, Measurement
from advisor.report.words.diagnosis import SENTENCES, finding_sentence
from tests.unit.benchmark.diagnosed import benchmark, machine, product
from tests.unit.benchmark.diagnosis.seen import found, values
from tests.unit.benchmark.paced import run_at, scattered
from tests.unit.report.samples import enough


def of_pace(*run: Measurement, **computer: Any) -> list[Finding]:
    """Return what is said of a changing pace."""
    return [one for one in diagnose(machine(**computer), benchmark(*run)) if one.form.startswith("pace")]


def test_a_changing_pace_is_a_finding_with_its_numbers() -> None:
    """What to expect of a repeat, between which times, seen how often; steady computers have none."""
    [one] = of_pace(*scattered(0.05))

    assert (one.kind, one.form, one.device, one.remedies) == ("unstable", "pace", "cpu", ("measure_again",))
    assert values(one)["repeat_ratio"] == pytest.approx(0.048, abs=0.002)
    assert values(one)["times_seen"] == 99
    assert values(one)["fast_s"] < 2e-4 < values(one)["slow_s"]
    assert of_pace(*scattered(0.03)) == []
    assert of_pace() == []


@pytest.mark.parametrize("kind", ["other_load", "throttled", "on_battery", "stolen_time"])
@pytest.mark.parametrize("code", ["en", "es"])
def test_the_cause_that_was_seen_is_told(kind: ConditionKind, code: str) -> None:
    """A cause recorded beside a quarter of the cases is named in a sentence of its own; one beside less is none."""
    cases = scattered(0.05)
    seen = Condition(kind=kind, value=0.07, unit="ratio", when="during")
    count = math.ceil(len(cases) / 4)
    disturbed = [msgspec.structs.replace(one, conditions=(seen,)) for one in cases[:count]]
    [rare] = of_pace(*disturbed[1:], cases[0], *cases[count:])
    assert rare.form == "pace"
    [one] = of_pace(*disturbed, *cases[count:])
    text = finding_sentence(one, enough(), language(code)).replace("\N{NO-BREAK SPACE}", " ")

    assert one.form == f"pace/{kind}"
    assert f"unstable/{one.form}" in SENTENCES
    for part in ("99", "µs", "5%" if code == "en" else "5 %"):
        assert part in text


def test_neighbours_of_a_virtual_machine_are_the_likely_cause() -> None:
    """Where nothing was seen, and others share the hardware."""
    [one] = of_pace(*scattered(0.05), isolation="virtual_machine")

    assert one.form == "pace/shared"
    assert "unstable/pace/shared" in SENTENCES


def test_a_changing_pace_is_noise_between_two_runs() -> None:
    """Eight percent are beyond the noise of steady computers, not of one whose pace has a deviation of five."""
    steady, shaky = scattered(0.0), scattered(0.05)
    slower = tuple(msgspec.structs.replace(one, median_s=1.08 * one.median_s) for one in steady)

    compared = compare(benchmark(*steady), benchmark(*slower))
    assert compared.first_repeat_ratio == compared.second_repeat_ratio == 0.0
    assert all(one.noise_ratio == REPEATABILITY_RATIO and one.is_beyond_noise for one in compared.cases)
    compared = compare(benchmark(*shaky), benchmark(*slower))
    assert compared.first_repeat_ratio == pytest.approx(0.048, abs=0.002)
    assert all(one.noise_ratio == pytest.approx(0.1, abs=0.006) and not one.is_beyond_noise for one in compared.cases)
    assert compare(benchmark(*run_at(None)), benchmark(*run_at(None))).first_repeat_ratio is None


def test_scatter_goes_without_saying_where_the_pace_changes() -> None:
    """One finding says why measurements differ, not two."""
    shaky = Condition(kind="unstable", value=0.3, unit="ratio", when="during")
    run = [msgspec.structs.replace(one, conditions=(shaky,)) for one in scattered(0.05)]

    assert [one.form for one in diagnose(machine(), benchmark(*run)) if one.kind == "unstable"] == ["pace"]
    still = [msgspec.structs.replace(one, pace_s=None) for one in run]
    assert [one.form for one in diagnose(machine(), benchmark(*still)) if one.kind == "unstable"] == [""]


@pytest.mark.parametrize(("steady", "fires"), [(8, True), (9, False)])
def test_unstable(steady: int, fires: bool) -> None:
    """A fifth of the measurements scatters; in a virtual machine the others are the likely cause."""
    shaky = Condition(kind="unstable", value=0.3, unit="ratio", when="during")
    cases = [product("cpu", edge, conditions=(shaky,)) for edge in (1, 2)]
    run = benchmark(*cases, *(product("cpu", 10 + edge) for edge in range(steady)))
    hits = found("unstable", machine(isolation="virtual_machine"), run)
    assert [one.form for one in hits] == (["shared"] if fires else [])


def test_a_host_that_takes_time_is_named_with_its_share() -> None:
    """Where the host was seen to take time, that is the cause, with the largest share; it spoils no bandwidth."""
    shaky = Condition(kind="unstable", value=0.3, unit="ratio", when="during")
    shares = [Condition(kind="stolen_time", value=value, unit="ratio", when="during") for value in (0.03, 0.07)]
    run = benchmark(*(product("cpu", 1 + index, conditions=(shaky, one)) for index, one in enumerate(shares)))
    [hit] = found("unstable", machine(isolation="virtual_machine"), run)
    assert (hit.form, values(hit)["stolen_ratio"]) == ("stolen_time", 0.07)
