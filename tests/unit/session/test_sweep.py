"""Tables of jobs on devices: shards are the whole table, each row once."""

import pytest

from advisor.catalog import find_device, find_workload
from advisor.session import sweep as module
from advisor.session.single_prediction import predict_one
from advisor.session.sweep import COLUMNS, Shard, sweep

JOBS = [(name, find_workload(name).workload) for name in ("resnet50", "simple_cnn", "bert_base")]


@pytest.fixture(autouse=True)
def _few_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many are enough."""
    names = ("T4", "RTX 4090", "GTX 1650", "A100 80GB", "H100 SXM")
    monkeypatch.setattr(module, "devices", lambda: tuple(find_device(name) for name in names))


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100])
def test_shards_are_the_whole_table(count: int) -> None:
    """However many there are, also more than rows."""
    whole = list(sweep(JOBS))
    parts = [row for index in range(1, count + 1) for row in sweep(JOBS, Shard(index, count))]
    assert len(whole) == 3 * 5 * 4
    assert sorted(parts, key=repr) == sorted(whole, key=repr)


def test_a_row_is_the_prediction_of_one() -> None:
    """What ``--predict`` says of the same."""
    row = dict(zip(COLUMNS, next(iter(sweep(JOBS[:1]))), strict=True))
    alone = predict_one("resnet50", "T4", precision=JOBS[0][1].precision, batch_size=JOBS[0][1].batch_size)
    assert row["device"] == "T4"
    assert float(row["step_s"]) == pytest.approx(alone.time_per_step_s, rel=1e-4)
