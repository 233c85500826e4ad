"""What ``make bench`` compares, and how a case and its plain twin take turns."""

import importlib
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from advisor.benchmark.planning.suite_plan import suite_cases
from advisor.records.base import Precision
from advisor.records.channel import WorkerDevice
from advisor.records.results.measured.measurement import Case

pytestmark = pytest.mark.torch

MODULES = ("bench_cases", "bench_judgement", "bench_kinds", "bench_table", "bench_twins", "plain_loops")
EVERY_PRECISION: tuple[Precision, ...] = ("fp32", "tf32", "fp16", "bf16", "fp64")


@pytest.fixture(scope="module")
def tools() -> Iterator[SimpleNamespace]:
    """Yield the modules under their own names: processes that load images import them again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(Path(__file__).parents[3] / "tools" / "bench"), *sys.path])
        yield SimpleNamespace(**{name: importlib.import_module(name) for name in MODULES})
    for name in MODULES:
        del sys.modules[name]


@pytest.fixture(params=["cpu", "cuda:0"])
def device(request: pytest.FixtureRequest, tools: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> WorkerDevice:
    """Return a device that computes every format, as the worker would say of it."""
    known = WorkerDevice(name=request.param, memory_bytes=2**34, precisions=EVERY_PRECISION)
    monkeypatch.setattr(tools.bench_kinds, "device_named", lambda _name: known)
    return known


def kind(case: Case) -> tuple[object, ...]:
    """Return what tells a program's ways of running from each other; sizes do not."""
    ways = ("autocast", "channels_last", "augmented", "loop", "work", "to_device", "pinned")
    network = "" if case.program in {"sweep", "profile", "sustained"} else case.network
    return (case.program, network, case.precision, *(case.options.get(name) for name in ways))


def test_every_kind_of_case_is_compared(tools: SimpleNamespace, device: WorkerDevice) -> None:
    """Whatever the suites have on a processor or a card has a twin, but for what is no torch program."""
    compared = {kind(case) for _title, case in tools.bench_kinds.cases_of(device.name)}
    only_linux = {"disk"} if sys.platform != "linux" else set()
    planned = {kind(c) for c in suite_cases() if c.device == device.name and c.program not in only_linux}

    assert planned - compared == set() != planned
    for _title, case in tools.bench_kinds.cases_of(device.name):
        assert tools.bench_twins.twin_of(case).samples_s == []


def test_the_quick_form_has_every_network_once(tools: SimpleNamespace, device: WorkerDevice) -> None:
    """It leaves out formats and what reuses another's loop, and no network in any use."""
    every = dict(tools.bench_kinds.cases_of(device.name))
    quick = dict(tools.bench_kinds.quick_kinds(iter(every.items())))
    uses = [(case.program, case.network) for case in quick.values() if case.network]

    assert len(uses) == len(set(uses))
    assert set(uses) == {(case.program, case.network) for case in every.values() if case.program in {"train", "infer"}}
    assert quick.items() < every.items()


def test_titles_tell_cases_apart(tools: SimpleNamespace, device: WorkerDevice) -> None:
    """A row says what it compares."""
    titles = [title for title, _case in tools.bench_kinds.cases_of(device.name)]

    assert len(titles) == len(set(titles))


def test_formats_a_device_lacks_are_left_out_with_a_reason(
    tools: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is left out silently; only loss scaling is compared where its format is emulated."""
    monkeypatch.setattr(tools.bench_kinds, "device_named", lambda name: WorkerDevice(name=name, precisions=("fp32",)))
    left_out = dict(tools.bench_kinds.left_out("cpu"))
    short = {
        (case.precision, case.options.get("autocast"))
        for _title, case in tools.bench_kinds.cases_of("cpu")
        if case.precision != "fp32"
    }

    assert short == {("amp", "fp16")}
    assert {"products and networks in bf16", "products and networks in fp16", "transfer to a card and back"} <= set(
        left_out
    )
    assert all(left_out.values())


def test_a_device_torch_has_not_ends_the_program(tools: SimpleNamespace) -> None:
    """One sentence names those it has."""
    with pytest.raises(SystemExit, match=r"torch cannot use cuda:7; it can use cpu"):
        tools.bench_kinds.device_named("cuda:7")


def test_batches_that_lay_ready_are_left_out_of_a_turn(tools: SimpleNamespace) -> None:
    """On either side a turn begins with what processes made ahead; then come the samples that are compared."""
    ahead, kept = tools.bench_twins.AHEAD, tools.bench_twins.TURN_SAMPLES
    taken: list[int] = []

    def make(_case: Case, ending: ExitStack) -> object:
        ending.callback(taken.append, -1)
        return lambda: taken.append(1)

    twin = tools.bench_twins.Turns(Case(id="c", program="input", options={"workers": 2}), make)
    twin.check()
    for sample in range(2 * (ahead + kept) + 1):
        twin.sampled(float(sample))
    worker_s, plain_s = twin.beside((1.0,))
    twin.close()

    assert worker_s == (*range(ahead, ahead + kept), *range(2 * ahead + kept, 2 * (ahead + kept)))
    assert len(plain_s) == len(worker_s)
    assert taken == [1] * (1 + 2 * 2 * (ahead + kept)) + [-1]


def test_a_whole_run_is_taken_once(tools: SimpleNamespace) -> None:
    """Before the worker's or after it, and never while that runs."""
    ran: list[str] = []

    def whole_run(case: Case) -> list[float]:
        ran.append(case.id)
        return [2.0]

    twin = tools.bench_twins.WholeRuns(whole_run, Case(id="c", program="profile"))
    twin.check()
    twin.sampled(1.0)

    assert not ran
    assert twin.beside((1.0,)) == ((1.0,), (2.0,))
    assert twin.beside((1.0,)) == ((1.0,), (2.0,))
    assert ran == ["c"]


SIMPLE = {"network": "simple_cnn", "batch_size": 2}


@pytest.mark.parametrize(
    ("program", "fields", "samples"),
    [
        ("launch", {}, 2),
        ("threads", {"size": 16, "options": {"most_threads": 2}}, 2),
        ("train", SIMPLE, 2),
        ("sweep", {"network": "simple_cnn"}, 2),
        ("sustained", {"options": {"work": "train"}} | SIMPLE, 2),
        ("profile", SIMPLE, 2),
        ("input", {"size": 16, "batch_size": 1, "options": {"workers": 0, "augmented": True}}, 2),
        ("input", {"size": 16, "batch_size": 1, "options": {"workers": 1, "augmented": True}}, 10),
        pytest.param(
            "kept_memory", SIMPLE, 2, marks=pytest.mark.skipif(sys.platform != "linux", reason="glibc is of Linux")
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_round_has_both_sides_in_pairs(
    tools: SimpleNamespace, program: str, fields: dict[str, object], samples: int
) -> None:
    """The worker's own program runs beside its twin, either one first; the processes of both are gone afterwards."""
    before = helpers()
    case = tools.bench_kinds.shortened(Case(id="c", program=program, **fields), tools.bench_kinds.QUICK_SAMPLES)  # type: ignore[arg-type]
    pair = tools.bench_cases.Pair(case=case, title="t")
    pair.run_round()

    (only,) = pair.rounds
    assert len(only.worker_s) == len(only.plain_s) >= samples
    assert pair.row("plain loop").what == "t, worker / plain loop"
    assert helpers() <= before


def helpers() -> set[int]:
    """Return the running processes that this one started to load images."""
    return {child.pid for child in psutil.Process().children(recursive=True) if loads_images(child)}


def loads_images(process: psutil.Process) -> bool:
    """Return whether a process is one that torch starts beside a loader; what has ended has no command line."""
    try:
        return "--multiprocessing-fork" in process.cmdline()
    except psutil.Error:
        return False
