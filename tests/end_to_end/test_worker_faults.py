"""Whatever the measuring process does costs that case only, and leaves no process behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import wire
from advisor.benchmark.planning import suite_plan
from advisor.benchmark.running import runner
from advisor.benchmark.running.control import Control
from advisor.benchmark.running.runner import HELD_BYTES, Limits
from advisor.benchmark.running.worker_process import Graces, WorkerProcess, worker_command
from advisor.catalog import find_workload
from advisor.locale import language
from advisor.records.events import CaseFinished, CaseStarted, Event, SampleTaken, WorkerStartsSlowly
from advisor.records.job.asked_job import FED_PROGRAM
from advisor.records.request import Request
from advisor.report.formats.write import render
from advisor.session.run import run_session
from tests.fakes.suite import IMPATIENT, case, has_ended_soon, run_cases


def kill_workers() -> None:
    """Kill the measuring processes and wait until they are dead, not yet buried; multiprocessing's helper lives on."""
    workers = [one for one in psutil.Process().children() if is_worker(one)]
    for worker in workers:
        worker.kill()
    deadline = time.monotonic() + 60
    while any(is_alive(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.01)


def is_worker(process: psutil.Process) -> bool:
    """Return whether a child runs and is neither multiprocessing's own nor the one that workers are forked from."""
    try:
        words = process.cmdline()
    except psutil.Error:  # it has just ended
        return False
    return bool(words) and not any("resource_tracker" in word or word.endswith("warm_python.py") for word in words)


def is_alive(process: psutil.Process) -> bool:
    """Return whether a process runs; who waited for it would take its exit status away from its parent's Popen."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")

FATES = [
    ("kill_itself", "killed", "SIGKILL"),
    ("crash", "crashed", "SIGSEGV"),
    ("exit_with_message", "crashed", "exit status 3: RuntimeError: the driver is gone"),
    ("hang", "hung", "No result within 0.5 s."),
    ("hang_firmly", "hung", "No result within 0.5 s."),
    ("flood", "hung", "No result within 0.5 s."),
    ("write_garbage", "garbage", "Not a valid line"),
    ("write_overlong", "garbage", "longer than the allowed"),
    ("write_partial", "crashed", "exit status 0"),
    ("write_other_case", "garbage", "said CaseResult out of turn"),
    ("write_impossible", "garbage", "Not a valid line"),
    ("run_out_of_memory", "does_not_fit", "MemoryError"),
    ("lose_device", "error", "RuntimeError: CUDA error: unspecified launch failure"),
    ("leave_grandchild", "crashed", "exit status 4"),
    ("shout", "crashed", "exit status 5: ValueError: the last line counts"),
]


@posix_only
@pytest.mark.parametrize(("fate", "reason", "detail"), FATES, ids=[fate for fate, _, _ in FATES])
def test_a_fault_costs_its_own_case_only(fate: str, reason: str, detail: str) -> None:
    """The faulty case has its reason, its neighbours are measured, and nothing is left running."""
    timeout_s = 0.5 if reason == "hung" else 60.0
    outcome = run_cases([case("a"), case("faulty", fate, timeout_s=timeout_s, device="cuda:0"), case("b")])

    assert outcome.measured == ["a", "b"]
    assert outcome.reasons == {"faulty": reason}
    assert detail in outcome.details["faulty"]
    assert (outcome.left, outcome.benchmark.worker_lingers) == ([], False)


def test_prints_do_not_reach_the_channel() -> None:
    """A library that prints, from Python or from C, disturbs nothing."""
    assert run_cases([case("a", "print_everywhere")]).measured == ["a"]


def test_what_prints_before_the_program_is_no_answer() -> None:
    """A site that greets every Python process does not stop the measuring."""
    assert run_cases([case("a")], start="greeting").measured == ["a"]


@pytest.mark.parametrize(
    ("start", "reason", "detail"),
    [
        ("missing_torch", "missing_torch", "No module named 'torch'"),
        ("die", "crashed", "exit status 1: ImportError: a library of torch is broken"),
        ("garbage", "crashed", "exit status 0"),
        ("hang", "hung", "No result within 1 s."),
    ],
)
def test_a_worker_that_cannot_start_is_said_of_each_case(start: str, reason: str, detail: str) -> None:
    """Nothing can be measured then, and every case says why."""
    limits = Limits(start_s=1.0 if start == "hang" else IMPATIENT.start_s, graces=IMPATIENT.graces)
    outcome = run_cases([case("a"), case("b")], start=start, limits=limits)

    assert outcome.reasons == {"a": reason, "b": reason}
    assert detail in outcome.details["b"]
    assert outcome.left == []


def test_a_command_that_does_not_exist() -> None:
    """A worker that cannot be started at all is an error said of each case."""
    outcome = run_cases([case("a")], command=("/nonexistent/python",))

    assert outcome.reasons == {"a": "error"}
    assert outcome.details["a"].startswith("The measuring process could not be started:")


@posix_only
def test_a_device_that_always_kills_the_worker_is_given_up() -> None:
    """After three deaths in a row on one device its other cases fail at once, those of other devices are measured."""
    broken = [case(str(number), "kill_itself", device="cuda:0") for number in range(3)]
    started: list[str] = []

    def note(event: Event) -> None:
        if isinstance(event, CaseStarted):
            started.append(event.case.id)

    outcome = run_cases([*broken, case("late", device="cuda:0"), case("sound")], on_event=note)

    assert outcome.reasons == {"0": "killed", "1": "killed", "2": "killed", "late": "given_up"}
    assert (outcome.measured, "late" in started) == (["sound"], False)


@posix_only
def test_a_slow_processor_is_not_given_up() -> None:
    """However many cases take too long on a busy computer, the next one is tried."""
    slow = [case(str(number), "hang", timeout_s=0.3) for number in range(3)]
    outcome = run_cases([*slow, case("sound")])

    assert outcome.reasons == dict.fromkeys("012", "hung")
    assert outcome.measured == ["sound"]


@posix_only
def test_deaths_apart_do_not_give_a_device_up() -> None:
    """A result between two deaths starts the count again."""
    fates = ["kill_itself", "kill_itself", "", "kill_itself", "kill_itself", ""]
    outcome = run_cases([case(str(number), fate) for number, fate in enumerate(fates)])

    assert outcome.measured == ["2", "5"]


@posix_only
def test_a_worker_killed_from_outside_between_two_cases_costs_nothing() -> None:
    """The next case gets a new worker."""
    control = Control()

    def kill_while_paused(event: Event) -> None:
        if isinstance(event, CaseFinished) and event.measurement.case.id == "a":
            control.pause()
            threading.Timer(0.3, kill_and_resume).start()

    def kill_and_resume() -> None:
        try:
            kill_workers()
        finally:
            control.resume()

    outcome = run_cases(
        [case("a", min_samples=1), case("b", min_samples=1)], control=control, on_event=kill_while_paused
    )

    assert outcome.measured == ["a", "b"]


def test_a_network_is_measured_in_memory_like_new() -> None:
    """What earlier cases left in the heap would spare a network its page faults; products do not mind."""
    leaves: dict[str, Any] = {"options": {"held_bytes": HELD_BYTES + 1}}
    network: dict[str, Any] = {"program": "train", "network": "article_cnn"}
    cases = [
        case("a", **network),
        case("b", **network | leaves),
        case("c", **leaves),
        case("d", **network),
        case("e", **network),
    ]
    processes = {m.case.id: m.details["pid"] for m in run_cases(cases).benchmark.measurements}

    assert processes["a"] == processes["b"]
    assert processes["c"] != processes["d"] == processes["e"]


def test_steps_that_are_fed_are_measured_in_a_process_of_their_own() -> None:
    """As the user's program is one: whether glibc keeps a decoded photo's memory hangs on what was freed before."""
    cases = [case("a"), case("b", program=FED_PROGRAM), case("c")]
    processes = {m.case.id: m.details["pid"] for m in run_cases(cases).benchmark.measurements}

    assert processes["a"] != processes["b"] == processes["c"]


@posix_only
def test_a_grandchild_does_not_survive() -> None:
    """What the worker has started ends with it, even when it holds the channel open."""
    outcome = run_cases([case("a", "leave_grandchild")])
    pid = int(outcome.details["a"].rsplit(" ", maxsplit=1)[1])

    assert has_ended_soon(pid)


@settings(max_examples=10)
@given(st.floats(0, 0.6), st.sampled_from(["", "be_slow", "hang", "hang_firmly", "flood"]))
def test_cancel_at_any_moment(delay_s: float, fate: str) -> None:
    """Whenever the user cancels, the run ends, every case is accounted for, and no process is left."""
    control = Control()
    timer = threading.Timer(delay_s, control.cancel)
    timer.start()
    outcome = run_cases([case("a"), case("b", fate, min_samples=300), case("c")], control=control)
    timer.join()

    assert sorted([*outcome.measured, *outcome.reasons]) == ["a", "b", "c"]
    assert set(outcome.reasons.values()) <= {"cancelled"}
    assert outcome.left == []


@posix_only
@pytest.mark.parametrize("fate", ["", "hang"])
def test_the_worker_does_not_outlive_its_parent(fate: str, tmp_path: Path) -> None:
    """When the program itself is killed in mid-case, the worker notices and ends."""
    script = tmp_path / "parent.py"
    script.write_text(
        "from tests.fakes.suite import case, run_cases\n"
        "from advisor.records.events import CaseStarted\n"
        "import psutil\n"
        "def tell(event):\n"
        "    if isinstance(event, CaseStarted):\n"
        "        print(psutil.Process().children()[0].pid, flush=True)\n"
        f"run_cases([case('a', {fate!r}, min_samples=100000, timeout_s=60.0)], on_event=tell)\n",
        encoding="utf-8",
    )
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root}
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        worker_pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)

    assert has_ended_soon(worker_pid)


REAL = worker_command()


@pytest.fixture
def torch_worker(warm: str) -> tuple[str, ...]:
    """Return the command of the real worker, which has torch at once."""
    return (warm, *REAL[1:])


def product(name: str, size: int = 256, **fields: Any) -> object:
    """Return a short product for the real worker."""
    known: dict[str, Any] = {"size": size, "sample_s": 0.005, "budget_s": 0.2, "threads": 1}
    return case(name, **(known | fields))


@pytest.mark.torch
@posix_only
def test_real_worker_killed_in_mid_case(torch_worker: tuple[str, ...]) -> None:
    """A real measurement whose process is killed fails with that reason; the next one is made."""

    def kill_at_the_first_sample(event: Event) -> None:
        if isinstance(event, SampleTaken) and event.case_id == "a":
            kill_workers()

    cases = [product("a", min_samples=10_000), product("b")]
    outcome = run_cases(cases, command=torch_worker, on_event=kill_at_the_first_sample)  # type: ignore[arg-type]

    assert (outcome.measured, outcome.reasons) == (["b"], {"a": "killed"})
    assert outcome.left == []


@pytest.mark.torch
def test_real_worker_out_of_memory(torch_worker: tuple[str, ...]) -> None:
    """A product larger than any memory does not fit, which is a result; the same worker goes on."""
    outcome = run_cases([product("huge", size=10_000_000), product("b")], command=torch_worker)  # type: ignore[list-item]

    assert (outcome.measured, outcome.reasons) == (["b"], {"huge": "does_not_fit"})


@pytest.mark.torch
def test_real_worker_hangs(torch_worker: tuple[str, ...]) -> None:
    """A real measurement that exceeds its time is stopped, and the next one is made."""
    cases = [product("long", size=2048, min_samples=10_000, timeout_s=1.0), product("b")]
    outcome = run_cases(cases, command=torch_worker)  # type: ignore[arg-type]

    assert (outcome.measured, outcome.reasons) == (["b"], {"long": "hung"})
    assert outcome.left == []


@pytest.mark.torch
@pytest.mark.parametrize(("is_warm", "delay_s"), [(False, 0.0), (False, 0.6), (True, 0.2), (True, 0.6)], ids=str)
def test_real_worker_cancelled(is_warm: bool, delay_s: float, torch_worker: tuple[str, ...]) -> None:
    """While torch is imported, at the start of a case or in its midst: a cancel leaves no process."""
    control = Control()
    timer = threading.Timer(delay_s, control.cancel)
    timer.start()
    command = torch_worker if is_warm else REAL
    outcome = run_cases([product("a", min_samples=10_000)], command=command, control=control)  # type: ignore[list-item]

    assert (outcome.reasons, outcome.left) == ({"a": "cancelled"}, [])


@pytest.mark.torch
def test_missing_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python without torch measures nothing and says so of each case."""
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\")\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    outcome = run_cases([product("a")], command=REAL)  # type: ignore[list-item]

    assert outcome.reasons == {"a": "missing_torch"}
    assert "No module named 'torch'" in outcome.details["a"]


def sweep(name: str, **fields: Any) -> object:
    """Return a search for the best batch, for the real worker: of a small network, from one sample on."""
    known: dict[str, Any] = {"program": "sweep", "network": "simple_cnn", "threads": 1}
    known |= {"min_samples": 1, "sample_s": 0.001, "budget_s": 60.0, "timeout_s": 120.0}
    return case(name, **(known | fields))


@pytest.mark.torch
@posix_only
def test_real_worker_killed_in_mid_sweep(torch_worker: tuple[str, ...]) -> None:
    """A sweep whose process is killed after some batches fails with that reason; the next case is measured."""
    seen: list[float] = []

    def kill_after_three_batches(event: Event) -> None:
        if isinstance(event, SampleTaken) and event.case_id == "swept":
            seen.append(event.sample_s)
            if len(seen) == 3:
                kill_workers()

    cases: list[Any] = [product("a"), sweep("swept"), product("b")]
    outcome = run_cases(cases, command=torch_worker, on_event=kill_after_three_batches)

    assert (outcome.measured, outcome.reasons) == (["a", "b"], {"swept": "killed"})
    assert len(seen) >= 3
    assert outcome.left == []


ROOM_KIB = 768 * 1024
OWN_SPACE = "import torch; print(open('/proc/self/status').read().partition('VmPeak:')[2].split()[0])"


def limited() -> tuple[str, ...]:
    """Return the real worker with so little address space that real allocations fail, and the computer is in no danger.

    What torch takes for itself depends on its build; the room beside it is filled within seconds.
    """
    own = subprocess.run([sys.executable, "-c", OWN_SPACE], capture_output=True, text=True, check=True, timeout=240)
    return ("sh", "-c", f'ulimit -v {int(own.stdout) + ROOM_KIB}; exec "$@"', "sh", *REAL)


@pytest.mark.torch
@pytest.mark.timeout(900)  # a busy computer takes long to fill the memory
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the shell cannot limit a process's memory")
def test_real_worker_runs_out_of_memory() -> None:
    """A training step and a sweep that run into the limit say so; the sweep knows the last batch that fitted."""
    huge = case("huge", program="train", network="simple_cnn", batch_size=2_000_000, threads=1, timeout_s=60.0)
    filling = sweep("swept", budget_s=600.0, timeout_s=600.0)
    outcome = run_cases([product("a"), huge, filling, product("b")], command=limited())  # type: ignore[list-item]

    assert (outcome.measured, outcome.reasons) == (["a", "swept", "b"], {"huge": "does_not_fit"})
    swept = outcome.benchmark.measurements[1].details
    assert swept["first_batch_that_does_not_fit"] == 2 * swept["largest_batch_that_fits"]
    assert outcome.left == []


@pytest.mark.torch
@posix_only
@pytest.mark.usefixtures("warm_workers")
def test_a_session_says_what_went_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """A case that hangs, one that is killed and one that does not fit are in the report, in words; the rest as well."""
    planned = [product("a"), product("hangs", min_samples=10**6, timeout_s=1.0), sweep("dies")]
    planned += [product("huge", size=10_000_000), product("b")]
    monkeypatch.setattr(suite_plan, "plan_suite", lambda suite, machine, ready, job: tuple(planned))

    def kill(event: Event) -> None:
        if isinstance(event, SampleTaken) and event.case_id == "dies":
            kill_workers()

    preset = find_workload("article_cnn")
    request = Request(workload=preset.workload, circumstances=preset.circumstances, suite="full")
    report = run_session(request, kill)

    assert report.benchmark is not None
    assert [m.case.id for m in report.benchmark.measurements] == ["a", "b"]
    assert {f.case.id: f.reason for f in report.benchmark.failures} == {
        "hangs": "hung",
        "dies": "killed",
        "huge": "does_not_fit",
    }
    assert wire.decode_report(wire.encode(report)) == report
    for code, words in (("en", "took too long and was stopped"), ("es", "tardó demasiado")):
        assert words in " ".join(render(report, "text", language(code)).decode().split())


def test_a_worker_that_hangs_in_its_start_does_not_outlast_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of the suite counts from the command; the user hears what is waited for."""
    monkeypatch.setattr(runner, "LEAST_START_S", 1.0)
    monkeypatch.setattr(runner, "SLOW_START_S", 0.2)
    outcome = run_cases([case("a")], start="hang", limit_for=lambda ready: 0.5)

    assert outcome.reasons == {"a": "hung"}
    assert [event for event in outcome.events if isinstance(event, WorkerStartsSlowly)] == [WorkerStartsSlowly()]
    assert outcome.left == []


def test_a_worker_that_still_starts_is_not_asked_to_end() -> None:
    """It could not hear the question, and whoever cancels would wait for nothing."""
    never = Limits(graces=Graces(ask_s=1000.0, terminate_s=60.0, kill_s=60.0))
    control = Control()
    threading.Timer(0.5, control.cancel).start()
    outcome = run_cases([case("a")], start="hang", limits=never, control=control)

    assert outcome.reasons == {"a": "cancelled"}
    assert outcome.left == []


@posix_only
def test_a_child_that_left_the_workers_group_is_ended(tmp_path: Path) -> None:
    """Neither a session of its own nor a parent that has ended hides it."""
    script = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        f"        open({str(tmp_path / 'child')!r}, 'w').write(str(os.getpid()))\n"
        "        time.sleep(1000)\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        f"while not os.path.exists({str(tmp_path / 'child')!r}): time.sleep(0.01)\n"
        "time.sleep(1000)\n"
    )
    worker = WorkerProcess((sys.executable, "-c", script), Graces(ask_s=0.1, terminate_s=60.0, kill_s=60.0))
    place = tmp_path / "child"
    deadline = time.monotonic() + 60
    while not (place.exists() and place.read_text("ascii")) and time.monotonic() < deadline:
        time.sleep(0.01)

    assert worker.stop()
    assert has_ended_soon(int(place.read_text("ascii")))
