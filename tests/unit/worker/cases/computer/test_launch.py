"""What starting one operation costs, however small it is: the time that bounds networks of many small operations."""

import pytest

from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch


def test_launch_has_a_round_trip() -> None:
    """Both times of the smallest operation are there."""
    result = run("launch")

    assert len(result.samples_s) >= 2
    assert 0 < result.details["round_trip_s"] < 1
