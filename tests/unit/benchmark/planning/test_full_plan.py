"""What the full suite measures beside the products and the articles' CNN."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.planning.full_plan import Place, bandwidth_elements, further_cases, loader_counts, xla_cases
from advisor.benchmark.planning.suite_plan import plan_suite
from advisor.records.base import Precision
from advisor.records.channel import WorkerDevice
from advisor.units import GIB
from tests.unit.benchmark.planning.test_suite_plan import CARD, CPU, machine, ready

FULL_S = 12 * 60.0
MARGIN_RATIO = 0.9
"""What cases may take of the time promised; the rest is for building networks and starting processes."""
PRECISIONS: tuple[Precision, ...] = ("fp32", "fp64", "tf32", "fp16", "bf16")


def place(
    name: str = "cpu", free_bytes: float = 16.0 * GIB, cores: int = 2, precisions: tuple[Precision, ...] = PRECISIONS
) -> Place:
    """Return a place with so much memory."""
    return Place(device=WorkerDevice(name=name, precisions=precisions), free_bytes=free_bytes, cores=cores)


@given(
    memory_bytes=st.integers(min_value=GIB, max_value=512 * GIB),
    precisions=st.sets(st.sampled_from(["fp64", "bf16", "fp16"])),
)
def test_the_full_suite_ends_in_time_on_two_cores(memory_bytes: int, precisions: set[Precision]) -> None:
    """Whatever the memory and the formats, the budgets on two cores leave a margin in the twelve minutes."""
    processor = WorkerDevice(name="cpu", precisions=("fp32", *sorted(precisions)))
    cases = plan_suite("full", machine(memory_bytes, usable_cores=2.0), ready(processor, threads=2))

    assert sum(case.budget_s for case in cases) <= MARGIN_RATIO * FULL_S


@given(
    free_bytes=st.floats(min_value=1e8, max_value=1e13), cores=st.integers(1, 256), name=st.sampled_from(["cpu", "mps"])
)
def test_what_a_case_takes_fits(free_bytes: float, cores: int, name: str) -> None:
    """Arrays stay far below the free memory, processes below the cores, timeouts above budgets; no name twice."""
    where = place(name, free_bytes, cores)
    cases = list(further_cases(where))

    assert 3 * 4 * bandwidth_elements(where) <= 0.25 * free_bytes
    assert all(int(c.options.get("workers", 0)) <= cores for c in cases)
    assert all(c.timeout_s > 2 * c.budget_s for c in cases)
    assert len({c.id for c in cases}) == len(cases)


@given(precisions=st.sets(st.sampled_from(PRECISIONS)))
def test_formats_a_device_lacks_are_not_planned(precisions: set[Precision]) -> None:
    """Beside fp32 only the device's own formats are measured, mixed precision with one of them."""
    known = (*precisions, "fp32")
    for case in further_cases(place("cuda:0", precisions=known)):
        assert case.precision in {*known, "amp"}
        assert case.precision != "amp" or case.options["autocast"] in known


def test_every_case_of_the_articles_is_there() -> None:
    """Each network, loop, link, count of processes and long run that the articles had is planned on its device."""
    cases = plan_suite("full", machine(), ready(CPU, CARD))
    done = {(c.program, c.network, c.device) for c in cases}
    for network in ("simple_cnn", "rnn_cell", "lstm_cell", "stacked_lstm", "fused_lstm", "resnet50"):
        assert {("train", network, "cpu"), ("train", network, "cuda:0")} <= done
    sizes = {c.batch_size for c in cases if c.network == "densenet121_transfer" and c.program == "train"}
    assert {64, 128} <= sizes
    layouts = {bool(c.options.get("channels_last")) for c in cases if c.network == "resnet50"}
    assert layouts == {False, True}
    for program in ("bandwidth", "launch", "sweep", "profile", "infer"):
        assert {device for name, _network, device in done if name == program} == {"cpu", "cuda:0"}
    assert {c.device for c in cases if c.program == "transfer"} == {"cuda:0"}
    assert {c.device for c in cases if c.program in {"disk", "input", "threads"}} == {"cpu"}
    assert {c.device for c in cases if c.program.startswith("xla")} == {"xla:0"}


def test_the_study_is_projected_to_its_epochs() -> None:
    """Each case of the study knows its 8,005 images and 20 epochs."""
    studied = [c for c in further_cases(place()) if c.program == "train" and c.network.startswith("densenet121")]

    assert {(c.options["epoch_items"], c.options["epochs"]) for c in studied} == {(8005, 20)}


def test_beside_an_accelerator_the_processor_is_spared_long_runs() -> None:
    """The sustained cases run where training would."""
    alone, beside = (plan_suite("full", machine(), ready(*devices)) for devices in ((CPU,), (CPU, CARD)))

    assert [{c.device for c in cases if c.program == "sustained"} for cases in (alone, beside)] == [{"cpu"}, {"cuda:0"}]


@pytest.mark.parametrize(
    ("cores", "counts"),
    [(1, (0, 1)), (2, (0, 1, 2)), (6, (0, 1, 2, 4, 6)), (12, (0, 1, 2, 4, 8, 12)), (99, (0, 1, 2, 4, 8, 16))],
)
def test_loader_counts(cores: int, counts: tuple[int, ...]) -> None:
    """None, then powers of two, and at last as many as there are cores."""
    assert loader_counts(cores) == counts


def test_arrays_exceed_caches() -> None:
    """A processor with large caches gets larger arrays, a card the larger ones at once, scarce memory smaller ones."""
    usual = place(free_bytes=math.inf)
    cached = msgspec.structs.replace(usual, caches_bytes=GIB)

    assert bandwidth_elements(cached) * 4 == 4 * GIB
    assert bandwidth_elements(place("cuda:0", math.inf)) == 4 * bandwidth_elements(usual)
    assert bandwidth_elements(place(free_bytes=GIB)) * 4 == GIB // 16


def test_xla_is_always_asked_for() -> None:
    """Both cases are planned; a worker without JAX says why it has no result."""
    assert [c.program for c in xla_cases()] == ["xla_matmul", "xla_train"]
