"""Ask every rule, and say that nothing is wrong only where enough was measured to know."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.benchmark.diagnosis import RULES, diagnose
from advisor.records.hardware.machine import Battery, Framework, Machine
from advisor.records.results.diagnosis import FindingKind, Outlook, PublishedRates
from advisor.records.results.measured.measurement import Benchmark, Condition
from tests.unit.benchmark.diagnosed import (
    CARD,
    DEVICES,
    NUMBERS,
    OUTLOOKS,
    RUNS,
    benchmark,
    machine,
    machines,
    measured,
    product,
    training,
)
from tests.unit.benchmark.diagnosis.seen import found


def test_every_kind_but_the_last_word_has_a_rule() -> None:
    """No kind is promised that nothing can find."""
    assert {*RULES, "nothing_wrong"} == set(get_args(FindingKind))


def test_nothing_known_says_nothing() -> None:
    """Without measurements there is neither a brake nor the claim that there is none."""
    assert diagnose(machine(), None) == ()
    assert diagnose(machine(), benchmark()) == ()


def test_a_cause_is_seen_beside_what_it_caused() -> None:
    """Load beside one steady case, or before all of them, made no other case scatter."""
    shaky = Condition(kind="unstable", value=0.3, unit="ratio", when="during")
    busy = Condition(kind="other_load", value=0.15, unit="ratio", when="during")
    cases = [product("cpu", edge, conditions=(shaky,)) for edge in (1, 2)]
    steady = product("cpu", 3, conditions=(busy,))
    [hit] = found("unstable", machine(), benchmark(*cases, steady, conditions=(busy,)))
    assert hit.form == ""
    disturbed = product("cpu", 1, conditions=(shaky, busy))
    [hit] = found("unstable", machine(), benchmark(disturbed, cases[1], steady))
    assert hit.form == "other_load"


# The last word


def test_nothing_wrong_takes_every_device() -> None:
    """Both devices near their limits: the last word, with the weaker share first."""
    run = benchmark(product("cpu"), training("cpu", compute=0.6), product("cuda:0"), training("cuda:0", compute=0.55))
    [hit] = found("nothing_wrong", machine(CARD), run)
    assert [reading.value for reading in hit.evidence] == [4, pytest.approx(0.55), pytest.approx(0.6)]


def test_what_jax_used_is_not_wanted() -> None:
    """JAX on the same processor has no curve of its own, and keeps nobody from saying that nothing is wrong."""
    jax = measured("xla_train", "xla:0", 1.0, network="article_cnn")
    assert found("nothing_wrong", machine(), benchmark(product("cpu"), training("cpu", compute=0.6), jax))


@pytest.mark.parametrize(
    ("computer", "run"),
    [
        (machine(CARD), benchmark(product("cpu"), training("cpu", compute=0.9))),
        (machine(CARD, torch=Framework(version="2")), benchmark(product("cpu"), training("cpu", compute=0.9))),
        (machine(), benchmark(product("cpu"), training("cpu", compute=0.49))),
        (machine(), benchmark(product("cpu"))),
        (machine(battery=Battery(charge_ratio=0.5, is_plugged_in=False)),
         benchmark(product("cpu"), training("cpu", compute=0.9))),
    ],
    ids=["card not measured", "card not seen by torch", "half unexplained", "no training", "on battery"],
)  # fmt: skip
def test_nothing_wrong_is_not_said_lightly(computer: Machine, run: Benchmark) -> None:
    """Where something was not measured, is not explained, or is amiss, the last word is not said."""
    assert not found("nothing_wrong", computer, run)


# Any machine, any measurements


@settings(max_examples=60)
@given(machines(), RUNS, st.lists(OUTLOOKS, max_size=3), st.dictionaries(DEVICES, NUMBERS, max_size=2))
def test_findings_have_evidence_and_a_steady_order(
    computer: Machine, run: Benchmark | None, outlooks: list[Outlook], rates: dict[str, float | None]
) -> None:
    """Whatever the machine and its measurements: no exception, no finding without evidence, the same order again."""
    published = {device: PublishedRates(bandwidth_bytes_per_s=rate) for device, rate in rates.items()}
    first = diagnose(computer, run, published=published, outlooks=outlooks, kernels={"article_cnn": 100.0})
    assert all(one.evidence for one in first)
    assert all(one.remedies for one in first if one.severity != "none" and one.form != "cosmic_rays")
    assert all(one.gain is None or 1 <= one.gain.low <= one.gain.high for one in first)
    assert first == diagnose(computer, run, published=published, outlooks=outlooks, kernels={"article_cnn": 100.0})
    severities = ["serious", "moderate", "slight", "none"]
    assert [one.severity for one in first] == sorted((one.severity for one in first), key=severities.index)
    if run is not None:
        backwards = msgspec.structs.replace(run, measurements=tuple(reversed(run.measurements)))
        again = diagnose(computer, backwards, published=published, outlooks=outlooks)
        assert [one.severity for one in again] == sorted((one.severity for one in again), key=severities.index)


@settings(max_examples=30)
@given(machines(), RUNS)
def test_nothing_wrong_stands_alone(computer: Machine, run: Benchmark | None) -> None:
    """It is never said beside a finding that something is."""
    hits = diagnose(computer, run)
    if any(one.kind == "nothing_wrong" for one in hits):
        assert all(one.severity == "none" for one in hits)
