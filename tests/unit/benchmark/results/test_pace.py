"""How steady a computer was, and how far a repeat of its check would be apart."""

import math
import statistics

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark import compare
from advisor.benchmark.diagnosis import diagnose
from advisor.benchmark.results.comparison import REPEATABILITY_RATIO
from advisor.benchmark.results.pace import FEWEST, Pace, pace_of
from advisor.locale import language
from advisor.records.results.diagnosis import Finding
from advisor.records.results.measurement import Condition, ConditionKind, Measurement
from advisor.report.words.diagnosis import SENTENCES, finding_sentence
from tests.unit.benchmark.diagnosed import benchmark, machine, product
from tests.unit.report.samples import enough

NORMAL = [statistics.NormalDist().inv_cdf((index + 0.5) / 99) for index in range(99)]
"""As many draws of a normal distribution as evenly as they can lie."""


def run_at(*paces_s: float | None, threads: int | None = None) -> tuple[Measurement, ...]:
    """Return products, each measured at a pace."""
    return tuple(product("cpu", 64 + index, pace_s=pace_s, threads=threads) for index, pace_s in enumerate(paces_s))


def scattered(ratio: float) -> tuple[Measurement, ...]:
    """Return products of a computer whose pace has this deviation."""
    return run_at(*(2e-4 * (1 + ratio * one) for one in NORMAL))


def found(*run: Measurement, **computer: str) -> list[Finding]:
    """Return what is said of a changing pace."""
    return [one for one in diagnose(machine(**computer), benchmark(*run)) if one.form.startswith("pace")]


def values(one: Finding) -> dict[str, float]:
    """Return the numbers of a finding."""
    return {reading.name: reading.value for reading in one.evidence}


def test_repeat_differs_as_two_draws_of_a_normal_distribution_do() -> None:
    """Its deviation, times the square root of two, times the 0.6745 within which half of all draws lie."""
    pace = pace_of(scattered(0.05))

    assert pace is not None
    assert pace.count == 99
    assert pace.median_s == pytest.approx(2e-4)
    assert pace.deviation_ratio == pytest.approx(0.05, rel=0.03)
    apart = [abs(one - other) * 0.05 for one in NORMAL for other in NORMAL]
    assert pace.repeat_ratio == pytest.approx(statistics.median(apart), rel=0.05)


def test_too_few_tries_say_nothing() -> None:
    """Reports of earlier versions have none; five are too few for quartiles."""
    assert pace_of(()) is None
    assert pace_of(run_at(*[None] * 20)) is None
    assert pace_of(run_at(*[1e-4] * (FEWEST - 1))) is None
    assert pace_of(run_at(*[1e-4] * FEWEST)) == Pace(count=FEWEST, fast_s=1e-4, median_s=1e-4, slow_s=1e-4)


def test_only_equal_threads_are_compared() -> None:
    """The product is slower on one core than on all; that is no change of pace."""
    pace = pace_of(run_at(*[1e-4] * 9) + run_at(*[2e-4] * 8, threads=1))

    assert pace is not None
    assert (pace.count, pace.slow_s) == (9, 1e-4)


@given(st.lists(st.none() | st.floats(), max_size=30))
def test_anything_a_file_may_hold_is_survived(paces_s: list[float | None]) -> None:
    """Reports are read from files; nonsense there makes no nonsense here."""
    pace = pace_of(run_at(*paces_s))

    assert pace is None or (0 < pace.fast_s <= pace.median_s <= pace.slow_s and math.isfinite(pace.repeat_ratio))


def test_a_changing_pace_is_a_finding_with_its_numbers() -> None:
    """What to expect of a repeat, between which times, seen how often; steady computers have none."""
    [one] = found(*scattered(0.05))

    assert (one.kind, one.form, one.device, one.remedies) == ("unstable", "pace", "cpu", ("measure_again",))
    assert values(one)["repeat_ratio"] == pytest.approx(0.048, abs=0.002)
    assert values(one)["times_seen"] == 99
    assert values(one)["fast_s"] < 2e-4 < values(one)["slow_s"]
    assert found(*scattered(0.03)) == []
    assert found() == []


@pytest.mark.parametrize("kind", ["other_load", "throttled", "on_battery", "stolen_time"])
@pytest.mark.parametrize("code", ["en", "es"])
def test_the_cause_that_was_seen_is_told(kind: ConditionKind, code: str) -> None:
    """A cause recorded beside a quarter of the cases is named in a sentence of its own; one beside less is none."""
    cases = scattered(0.05)
    seen = Condition(kind=kind, value=0.07, unit="ratio", when="during")
    count = math.ceil(len(cases) / 4)
    disturbed = [msgspec.structs.replace(one, conditions=(seen,)) for one in cases[:count]]
    [rare] = found(*disturbed[1:], cases[0], *cases[count:])
    assert rare.form == "pace"
    [one] = found(*disturbed, *cases[count:])
    text = finding_sentence(one, enough(), language(code)).replace("\N{NO-BREAK SPACE}", " ")

    assert one.form == f"pace/{kind}"
    assert f"unstable/{one.form}" in SENTENCES
    for part in ("99", "µs", "5%" if code == "en" else "5 %"):
        assert part in text


def test_neighbours_of_a_virtual_machine_are_the_likely_cause() -> None:
    """Where nothing was seen, and others share the hardware."""
    [one] = found(*scattered(0.05), isolation="virtual_machine")

    assert one.form == "pace/shared"
    assert "unstable/pace/shared" in SENTENCES


def test_a_changing_pace_is_noise_between_two_runs() -> None:
    """Eight percent are beyond the noise of steady computers, not of one whose pace has a deviation of five."""
    steady, shaky = scattered(0.0), scattered(0.05)
    slower = tuple(msgspec.structs.replace(one, median_s=1.08 * one.median_s) for one in steady)

    found = compare(benchmark(*steady), benchmark(*slower))
    assert found.first_repeat_ratio == found.second_repeat_ratio == 0.0
    assert all(one.noise_ratio == REPEATABILITY_RATIO and one.is_beyond_noise for one in found.cases)
    found = compare(benchmark(*shaky), benchmark(*slower))
    assert found.first_repeat_ratio == pytest.approx(0.048, abs=0.002)
    assert all(one.noise_ratio == pytest.approx(0.1, abs=0.006) and not one.is_beyond_noise for one in found.cases)
    assert compare(benchmark(*run_at(None)), benchmark(*run_at(None))).first_repeat_ratio is None


def test_scatter_goes_without_saying_where_the_pace_changes() -> None:
    """One finding says why measurements differ, not two."""
    shaky = Condition(kind="unstable", value=0.3, unit="ratio", when="during")
    run = [msgspec.structs.replace(one, conditions=(shaky,)) for one in scattered(0.05)]

    assert [one.form for one in diagnose(machine(), benchmark(*run)) if one.kind == "unstable"] == ["pace"]
    still = [msgspec.structs.replace(one, pace_s=None) for one in run]
    assert [one.form for one in diagnose(machine(), benchmark(*still)) if one.kind == "unstable"] == [""]
