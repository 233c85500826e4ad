"""A tree of gradient boosting is grown by whichever library is installed."""

import importlib.util
from typing import Any

import pytest

from advisor.catalog import find_workload, network_of
from advisor.catalog.networks.classical import USUAL_DEPTH
from advisor.records.job.asked_job import AskedJob
from advisor.worker.failure import MissingBoostingError
from tests.unit.worker.job.test_step import run

pytestmark = pytest.mark.torch
LIBRARIES = ("lightgbm", "xgboost", "sklearn")


def asked(rows: int, columns: int = 20) -> AskedJob:
    """Return a job that boosts trees on a table."""
    import msgspec

    usual = find_workload("classical_ml").workload
    workload = msgspec.structs.replace(usual, samples=rows, batch_size=rows, columns=columns)
    return AskedJob(workload=workload, network=network_of(workload))


@pytest.mark.parametrize("name", LIBRARIES)
@pytest.mark.slow
def test_each_library_grows_trees(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two tables, the larger at the job's rows; a tree on more rows takes longer."""
    pytest.importorskip(name, reason=f"{name} is not installed")
    found = importlib.util.find_spec
    others = set(LIBRARIES) - {name}

    def only_this(wanted: str) -> Any:
        return None if wanted in others else found(wanted)

    monkeypatch.setattr("advisor.worker.job.boosting.find_spec", only_this)
    small, large = run(asked(4000)), run(asked(200_000))
    assert [size for size, _ in large.series[0].points] == [100_000, 200_000]
    assert large.items_per_iteration == 200_000
    assert large.details["measured_batch"] == 200_000
    assert min(large.samples_s) > min(small.samples_s) > 0


@pytest.mark.slow
def test_a_table_too_large_is_measured_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest lies on the line through two sizes."""
    if not any(map(importlib.util.find_spec, LIBRARIES)):
        pytest.skip("no library that boosts trees is installed")
    monkeypatch.setattr("advisor.worker.job.boosting._MOST_CELLS", 20_000 * 20)
    found = run(asked(100_000))
    assert found.details["measured_batch"] == 20_000
    assert max(found.samples_s) >= found.series[0].points[-1][1]


def test_without_a_library_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The case is not supported, which is no fault."""
    monkeypatch.setattr("advisor.worker.job.boosting.find_spec", lambda _name: None)
    with pytest.raises(MissingBoostingError, match="scikit-learn"):
        run(asked(1000))


def test_the_trees_are_those_of_the_catalogue() -> None:
    """As deep."""
    from advisor.worker.job.boosting import DEPTH

    assert DEPTH == USUAL_DEPTH
