"""One suite of the protocol for the fake worker and the real one: both say the same in the same situations."""

import sys
from collections.abc import Iterator

import pytest

from advisor.benchmark.running.worker_process import Ended, Garbage, Graces, Heard, WorkerProcess, worker_command
from advisor.records.channel import (
    PROTOCOL_VERSION,
    AbandonCase,
    Bye,
    CaseBegun,
    CaseError,
    CaseResult,
    Ready,
    RunCase,
    Sample,
    Stop,
)
from advisor.records.results.measured.measurement import Case
from tests.fakes.suite import FAKE_WORKER, has_ended_soon

pytestmark = pytest.mark.slow

PATIENCE_S = 120.0
GRACES = Graces(ask_s=60.0, terminate_s=10.0, kill_s=60.0)


def a_case(case_id: str = "a", **fields: object) -> Case:
    """Return a product that takes a few milliseconds."""
    known: dict[str, object] = {"program": "matmul", "size": 64, "sample_s": 0.002, "budget_s": 0.05, "threads": 1}
    return Case(id=case_id, **(known | fields))  # type: ignore[arg-type]


def endless_case(case_id: str = "endless") -> Case:
    """Return a product with so many samples that it is given up in its midst."""
    return a_case(case_id, min_samples=9000, timeout_s=300.0)


def hear(worker: WorkerProcess) -> Heard:
    """Return the next thing the worker says."""
    heard = worker.hear(PATIENCE_S)
    assert heard is not None, f"The worker said nothing within {PATIENCE_S} s."
    return heard


def answers(worker: WorkerProcess, case: Case) -> list[Heard]:
    """Run a case and return all that is said up to its result or error."""
    worker.send(RunCase(case=case))
    said = [hear(worker)]
    while not isinstance(said[-1], CaseResult | CaseError | Ended | Garbage | Bye):
        said.append(hear(worker))
    return said


def running(command: tuple[str, ...]) -> Iterator[tuple[WorkerProcess, Ready]]:
    """Start a worker, yield it with its first answer, and end it."""
    worker = WorkerProcess(command, GRACES)
    try:
        ready = hear(worker)
        assert isinstance(ready, Ready)
        yield worker, ready
    finally:
        assert worker.stop()


@pytest.fixture(scope="class")
def started(command: tuple[str, ...]) -> Iterator[tuple[WorkerProcess, Ready]]:
    """A worker that has said it is ready, shared by the tests of a class that leave it running."""
    yield from running(command)


class WorkerContract:
    """What every measuring process keeps to."""

    @pytest.fixture(scope="class")
    @classmethod
    def command(cls) -> tuple[str, ...]:
        """Return what starts it."""
        raise NotImplementedError

    @pytest.fixture
    def mortal(self, command: tuple[str, ...]) -> Iterator[WorkerProcess]:
        """A worker for one test, which may end it."""
        for worker, _ in running(command):
            yield worker

    @pytest.fixture
    def worker(self, started: tuple[WorkerProcess, Ready]) -> WorkerProcess:
        """The shared worker alone."""
        return started[0]

    def test_says_what_it_can_do(self, started: tuple[WorkerProcess, Ready]) -> None:
        """The first answer names version, devices and settings; the processor comes first and computes fp32."""
        _, ready = started

        assert ready.protocol == PROTOCOL_VERSION
        assert ready.framework.version is not None
        assert ready.devices[0].name == "cpu"
        assert "fp32" in ready.devices[0].precisions
        assert int(ready.environment["threads"]) >= 1

    def test_measures(self, worker: WorkerProcess) -> None:
        """A case is begun, sampled and answered; the samples of the result are the last that were sent live.

        The first ones are left out where they turned out to be a slow start.
        """
        begun, *samples, result = answers(worker, a_case())

        assert begun == CaseBegun(case_id="a")
        assert isinstance(result, CaseResult)
        assert [Sample(case_id="a", sample_s=s) for s in result.samples_s] == samples[-len(result.samples_s) :]
        assert len(samples) >= a_case().min_samples
        assert result.iterations_per_sample >= 1

    def test_measures_one_after_another(self, worker: WorkerProcess) -> None:
        """The same process serves several cases, each answer under its own name."""
        named = [answers(worker, a_case(name))[-1] for name in ("a", "b", "c")]

        assert [(type(a), a.case_id) for a in named] == [  # type: ignore[union-attr]
            (CaseResult, "a"),
            (CaseResult, "b"),
            (CaseResult, "c"),
        ]

    def test_refuses_what_it_does_not_know(self, worker: WorkerProcess) -> None:
        """An unknown program is not supported, which costs that case only."""
        refused = answers(worker, a_case("x", program="no_such_program"))[-1]

        assert isinstance(refused, CaseError)
        assert (refused.reason, refused.ends_worker) == ("not_supported", False)
        assert isinstance(answers(worker, a_case())[-1], CaseResult)

    def test_gives_up_a_case_when_told(self, worker: WorkerProcess) -> None:
        """A case that is abandoned in its midst is answered as skipped, and the next one is measured."""
        worker.send(RunCase(case=endless_case()))
        while not isinstance(hear(worker), Sample):
            pass
        worker.send(AbandonCase(case_id="endless"))
        while isinstance(said := hear(worker), Sample):
            pass

        assert isinstance(said, CaseError)
        assert (said.case_id, said.reason, said.detail) == ("endless", "skipped", "")
        assert isinstance(answers(worker, a_case())[-1], CaseResult)

    def test_ignores_a_late_request_to_give_up(self, worker: WorkerProcess) -> None:
        """Abandoning a case that is over does not touch the next one."""
        answers(worker, a_case("a"))
        worker.send(AbandonCase(case_id="a"))

        assert isinstance(answers(worker, a_case("b"))[-1], CaseResult)

    def test_stops_when_asked(self, mortal: WorkerProcess) -> None:
        """An idle worker says good-bye and ends with status 0."""
        mortal.send(Stop())

        assert hear(mortal) == Bye()
        assert hear(mortal) == Ended()
        assert mortal.end_of_life() == 0

    def test_stops_in_the_midst_of_a_case_when_asked(self, mortal: WorkerProcess) -> None:
        """A measuring worker gives its case up as cancelled, says good-bye and ends in order."""
        mortal.send(RunCase(case=endless_case()))
        while not isinstance(hear(mortal), Sample):
            pass
        mortal.send(Stop())
        while isinstance(said := hear(mortal), Sample):
            pass

        assert isinstance(said, CaseError)
        assert (said.case_id, said.reason, said.detail) == ("endless", "cancelled", "")
        assert hear(mortal) == Bye()
        assert mortal.end_of_life() == 0

    def test_ends_when_its_parent_is_gone(self, mortal: WorkerProcess) -> None:
        """The end of its input ends it, in mid-case too."""
        mortal.send(RunCase(case=endless_case()))
        assert hear(mortal) == CaseBegun(case_id="endless")
        mortal.hang_up()

        assert has_ended_soon(mortal.pid)

    def test_ends_on_a_command_it_cannot_read(self, mortal: WorkerProcess) -> None:
        """A command that is no record ends it with a status of its own: the parent is not the one it knows."""
        mortal.send_line(b'{"type":"launch"}\n')

        assert hear(mortal) == Ended()
        assert mortal.end_of_life() not in (0, None)

    def test_ladder_ends_it(self, mortal: WorkerProcess) -> None:
        """The first rung suffices for a worker that listens."""
        mortal.send(RunCase(case=endless_case()))
        assert hear(mortal) == CaseBegun(case_id="endless")

        assert mortal.stop()
        assert mortal.exit_status == 0


class TestFakeWorker(WorkerContract):
    """The worker of the tests keeps the contract."""

    @pytest.fixture(scope="class")
    @classmethod
    def command(cls) -> tuple[str, ...]:
        """Return what starts it."""
        return FAKE_WORKER


@pytest.mark.torch
class TestRealWorker(WorkerContract):
    """The worker that measures keeps the contract."""

    @pytest.fixture(scope="class")
    @classmethod
    def command(cls, warm: str) -> tuple[str, ...]:
        """Return what starts it; the test below starts one as the program does."""
        return (warm, *worker_command()[1:])


@pytest.mark.torch
def test_real_worker_knows_its_torch() -> None:
    """Version and processor are those of the torch installed here."""
    from importlib.metadata import version

    worker = WorkerProcess(worker_command(), GRACES)
    ready = hear(worker)
    worker.stop()

    assert isinstance(ready, Ready)
    assert ready.framework.version is not None
    assert ready.framework.version.split("+")[0] == version("torch").split("+")[0]
    assert ready.framework.built_for in {"cpu", "cuda", "rocm", "xpu", "mps"}
    assert sys.version.startswith(ready.environment["python"])
