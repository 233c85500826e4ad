"""Steps of a job while its samples are loaded from files: what was measured stays when the next number fails."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from advisor.records.channel import CaseResult
from advisor.records.job.asked_job import FED_PROGRAM, AskedJob, step_settings
from advisor.records.job.work import Network
from advisor.records.job.workload import Layer, Workload
from advisor.records.results.measured.measurement import Case
from tests.unit.worker.job.test_step import NETWORK
from tests.unit.worker.whole import Silent

pytestmark = pytest.mark.torch

LAYERS = Workload(
    id="own",
    title="own",
    network="own",
    samples=8,
    batch_size=4,
    image_size=16,
    layers=(Layer(kind="conv", size=4), Layer(kind="global_pool"), Layer(kind="dense", size=2)),
)


@pytest.fixture
def tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a photo tried without a process for it, and loaders that fail where there are three of them."""
    from advisor.worker.data import batches as known
    from advisor.worker.data import fed
    from advisor.worker.data.decode import Item
    from advisor.worker.data.photos import make_photos
    from advisor.worker.data.trial import Tried

    (tmp_path / "one.jpg").write_bytes(make_photos(1)[0])
    monkeypatch.setattr(fed, "try_files", lambda *_args, **_fields: Tried([Item(str(tmp_path / "one.jpg"))]))
    real = known.batches

    def batches(samples: Any, size: int, workers: int, **fields: Any) -> Any:
        if workers == 3:
            raise RuntimeError("DataLoader worker is killed")
        return real(samples, size, 0, **fields)

    monkeypatch.setattr(fed, "batches", batches)


def run(workload: Workload, network: Network, loaders: str) -> CaseResult:
    """Run the case as the worker does."""
    from advisor.worker.cases import program_of
    from advisor.worker.torch_settings import case_settings

    job = AskedJob(workload=workload, network=network)
    case = Case(
        id="fed",
        program=FED_PROGRAM,
        network=network.name,
        batch_size=workload.batch_size,
        size=16,
        threads=1,
        options=step_settings(workload, network) | {"files": "", "kind": "image", "loaders": loaders},
        budget_s=0.3,
        timeout_s=600.0,
    )
    with case_settings(case) as device:
        return program_of(case, job)(case, device, Silent())


@pytest.mark.usefixtures("tried")
def test_a_number_that_fails_costs_itself_and_what_comes_after_it(capfd: pytest.CaptureFixture[str]) -> None:
    """Of networks of layers, and of those known by their operations."""
    for workload in (LAYERS, msgspec.structs.replace(LAYERS, layers=())):
        result = run(workload, NETWORK, "2,0,3,1")
        fed, starts = result.series
        assert [count for count, _seconds in fed.points] == [count for count, _seconds in starts.points] == [0.0, 2.0]
        assert all(seconds > 0 for _count, seconds in fed.points)
        assert all(seconds >= 0 for _count, seconds in starts.points)
        assert 1 <= result.details["batch"] <= workload.batch_size
        assert result.details["alone_s"] > 0
    assert "3 processes: " in capfd.readouterr().err


@pytest.mark.usefixtures("tried")
def test_where_none_works_the_step_alone_is_told() -> None:
    """Nothing is said of feeding."""
    result = run(LAYERS, NETWORK, "3")
    assert result.series == ()
    assert result.samples_s == (result.details["alone_s"],)


def test_files_that_cannot_be_decoded_feed_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason names no file."""
    from advisor.worker.data import fed
    from advisor.worker.data.trial import Tried
    from advisor.worker.failure import NotSupportedError

    monkeypatch.setattr(fed, "try_files", lambda *_args, **_fields: Tried())
    with pytest.raises(NotSupportedError, match="None of the files"):
        run(LAYERS, NETWORK, "0")


def test_fewer_threads_are_tried_where_loading_costs_a_step_much() -> None:
    """Each process that loads is left a core; afterwards there are as many threads as before."""
    import torch

    from advisor.worker.data import fed

    seen: list[int] = []

    class Feeding:
        """Steps of 60 ms."""

        def points(self, numbers: list[int], _case_id: str) -> list[tuple[float, float]]:
            """Return the one number's."""
            seen.append(torch.get_num_threads())
            return [(float(number), 0.06) for number in numbers]

    feeding: Any = Feeding()
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        found = fed._with_fewer_threads(feeding, [(0.0, 0.05), (2.0, 0.1)], 0.04, "fed")
        assert found == {"fewer_threads": 1.0, "fewer_threads_loaders": 2.0, "fewer_threads_s": 0.06}
        assert (seen, torch.get_num_threads()) == ([1], 3)
        assert fed._with_fewer_threads(feeding, [(2.0, 0.041)], 0.04, "fed") == {}
        assert fed._with_fewer_threads(feeding, [(0.0, 0.5)], 0.04, "fed") == {}
    finally:
        torch.set_num_threads(before)
