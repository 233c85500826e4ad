"""Other programs on the processor and on a card."""

import msgspec
import pytest

from advisor.records.base import Interval
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import CaseFailure, Condition
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import CARD, benchmark, machine, product
from tests.unit.benchmark.diagnosis.seen import found, values


def test_other_load_gains_at_most_what_the_others_took() -> None:
    """Half of the processor taken: at most twice as fast without."""
    shares = [Condition(kind="other_load", value=value, unit="ratio", when="during") for value in (0.1, 0.5, 0.9)]
    run = benchmark(*(product("cpu", edge, conditions=(one,)) for edge, one in zip((1, 2, 3), shares, strict=True)))
    [hit] = found("other_load", machine(), run)
    assert hit.gain == Interval(low=1.0, high=2.0)


def test_a_moment_of_other_load_does_not_gain_for_the_whole_check() -> None:
    """Nine tenths of the processor in one case of ten is a tenth at most."""
    busy = Condition(kind="other_load", value=0.9, unit="ratio", when="during")
    calm = [product("cpu", edge) for edge in range(2, 11)]
    [hit] = found("other_load", machine(), benchmark(product("cpu", 1, conditions=(busy,)), *calm))
    assert hit.gain == Interval(low=1.0, high=pytest.approx(1 / 0.91))  # type: ignore[arg-type]
    assert (hit.severity, values(hit)["times_seen"], values(hit)["cases"]) == ("slight", 1, 10)


def test_what_others_took_before_a_quiet_check_holds_nothing_back() -> None:
    """The answer of a quiet check told to close programs that had left, for an unknown gain."""
    before = Condition(kind="other_load", value=0.47, unit="ratio", when="before")
    assert not found("other_load", machine(), benchmark(product("cpu", 1), conditions=(before,)))
    stopped, late = (CaseFailure(case=product("cpu", 1).case, reason=reason) for reason in ("cancelled", "no_time"))
    assert not found("other_load", machine(), benchmark(conditions=(before,), failures=(stopped,)))
    [hit] = found("other_load", machine(), benchmark(conditions=(before,), failures=(stopped, late)))
    assert (hit.form, hit.gain, hit.severity) == ("before", None, "slight")


def test_where_the_job_alone_was_disturbed_that_is_said() -> None:
    """An average of 1 % and almost no gain stood there, while the test that the answer rests on had been slowed."""
    busy = Condition(kind="other_load", value=0.5, unit="ratio", when="during")
    job = product("cpu", 1, conditions=(busy,))
    job = msgspec.structs.replace(job, case=msgspec.structs.replace(job.case, id="job", program=JOB_PROGRAM))
    calm = [product("cpu", edge) for edge in range(2, 15)]
    [hit] = found("other_load", machine(), benchmark(job, *calm))
    assert (hit.form, hit.gain) == ("job", Interval(low=1.0, high=2.0))
    assert (values(hit)["job_ratio"], values(hit)["other_ratio"]) == (0.5, pytest.approx(0.5 / 14))
    all_busy = [product("cpu", edge, conditions=(busy,)) for edge in range(2, 15)]
    [hit] = found("other_load", machine(), benchmark(job, *all_busy))
    assert hit.form == ""


@pytest.mark.parametrize(("used", "fires"), [(3.1, True), (2.9, False)])
def test_other_programs_on_the_card(used: float, fires: bool) -> None:
    """A quarter of the card's memory in the hands of others."""
    card = msgspec.structs.replace(CARD, memory_used_bytes=int(used * GIB), used_by=("game",))
    assert bool(found("other_load", machine(card))) == fires
    assert not found("other_load", machine(msgspec.structs.replace(card, used_by=())))
