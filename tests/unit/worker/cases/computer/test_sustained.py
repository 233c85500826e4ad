"""Work on for a minute: what a device does when it has become warm, which short measurements do not show."""

from typing import Any

import pytest

from advisor.worker.failure import AbandonedError, NotSupportedError
from tests.unit.worker.cases.runs import Listener, run

pytestmark = pytest.mark.torch


@pytest.mark.parametrize(
    ("options", "fields", "unit"),
    [
        ({"work": "matmul"}, {"size": 64}, "flop_per_s"),
        ({"work": "train"}, {"network": "simple_cnn", "batch_size": 2}, "items_per_s"),
    ],
)
def test_sustained_work_has_a_curve(options: dict[str, object], fields: dict[str, Any], unit: str) -> None:
    """Each window is a sample and a point of rate over time."""
    result = run("sustained", options=options | {"duration_s": 0.3}, **fields)
    (curve,) = result.series

    assert (curve.x, curve.y) == ("time_s", unit)
    assert len(curve.points) == len(result.samples_s)
    assert [at_s for at_s, _rate in curve.points] == sorted(at_s for at_s, _rate in curve.points)


def test_what_is_lost_after_warm_up() -> None:
    """The last tenth is compared with the first one after settling; too few samples tell nothing."""
    from advisor.worker.cases.computer.sustained import loss

    assert loss([9.0, 9.0, *[1.0] * 10, *[1.5] * 10, 2.0, 2.0]) == {"first_s": 1.0, "last_s": 2.0, "lost_ratio": 0.5}
    assert loss([1.0, 1.0, 1.0]) == {}


def test_long_cases_end_when_nobody_wants_them() -> None:
    """Both are given up at the next sample."""

    def give_up(number: int) -> None:
        raise AbandonedError("skipped")

    for program in ("sustained", "sweep"):
        listener = Listener(give_up)
        with pytest.raises(AbandonedError):
            run(program, listener, network="simple_cnn", budget_s=60, options={"duration_s": 60})
        assert listener.samples <= 1


def test_unknown_work_is_refused() -> None:
    """Work nobody wrote is said so."""
    with pytest.raises(NotSupportedError, match="'sleep'"):
        run("sustained", options={"work": "sleep"})
