"""Which cases a suite has."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.planning.suite_plan import plan_suite, suite_cases
from advisor.records.channel import Ready, WorkerDevice
from advisor.records.hardware.machine import Cpu, Disk, Framework, Host, Machine, Memory
from advisor.records.results.measured.measurement import Case, Suite
from advisor.units import GIB

CPU = WorkerDevice(name="cpu", precisions=("fp32", "fp64", "bf16"))
PLAIN_CPU = WorkerDevice(name="cpu", precisions=("fp32", "fp64"))
CARD = WorkerDevice(
    name="cuda:0",
    memory_bytes=140 * GIB,
    free_bytes=139 * GIB,
    precisions=("fp32", "fp64", "fp16", "bf16", "tf32"),
)
START_S = 4.0
"""Importing torch and waking a card, beside the cases."""


def machine(memory_bytes: int = 16 * GIB, usable_cores: float = 4.0) -> Machine:
    """Return a computer with so much memory and so many cores."""
    return Machine(
        host=Host(
            os_name="Linux",
            os_version="",
            form_factor="desktop",
            isolation="none",
            cpu=Cpu(
                name="P", vendor="V", architecture="A", physical_cores=4, logical_cores=8, usable_cores=usable_cores
            ),
            memory=Memory(total_bytes=memory_bytes, available_bytes=memory_bytes, limit_bytes=memory_bytes),
            disk=Disk(kind=None, free_bytes=None),
        ),
        framework=Framework(),
    )


def ready(*devices: WorkerDevice, threads: int = 4) -> Ready:
    """Return what a worker with these devices says."""
    return Ready(framework=Framework(version="2"), devices=devices, environment={"threads": str(threads)})


def products(cases: tuple[Case, ...], device: str, precision: str) -> list[int]:
    """Return the matrix edges planned for a device and format."""
    return [c.size for c in cases if (c.program, c.device, c.precision) == ("matmul", device, precision)]


def test_quick_on_a_processor() -> None:
    """A computer without a card gets the curve up to 4096, the article's training, and the short format it has."""
    cases = plan_suite("quick", machine(), ready(CPU))

    assert products(cases, "cpu", "fp32") == [128, 256, 512, 1024, 2048, 4096]
    assert products(cases, "cpu", "bf16") == [512, 1024, 2048, 4096]
    assert [(c.network, c.batch_size, c.precision) for c in cases if c.program == "train"] == [
        ("article_cnn", 32, "fp32")
    ]


def test_quick_on_a_large_card() -> None:
    """A large card is measured up to 16384 in every format it has, fp64 apart."""
    cases = plan_suite("quick", machine(), ready(CPU, CARD))

    assert products(cases, "cuda:0", "fp32")[-1] == 16384
    assert [products(cases, "cuda:0", p)[-1:] for p in ("tf32", "fp16", "bf16", "fp64")] == [[16384]] * 3 + [[]]
    assert {c.precision for c in cases if c.program == "train" and c.device == "cuda:0"} == {"fp32", "tf32", "amp"}


def test_the_processor_is_always_trained_on() -> None:
    """An accelerator has a processor to be compared with, at the same work."""
    cases = plan_suite("quick", machine(), ready(CPU, CARD))
    fp32 = {c.device for c in cases if c.program == "train" and c.precision == "fp32" and c.batch_size == 32}

    assert fp32 == {"cpu", "cuda:0"}


@pytest.mark.parametrize(("devices", "limit_s"), [((CPU,), 60.0), ((CPU, CARD), 45.0)], ids=["processor", "card"])
def test_quick_is_quick(devices: tuple[WorkerDevice, ...], limit_s: float) -> None:
    """The budgets of the quick suite and the start fit into the time promised."""
    cases = plan_suite("quick", machine(), ready(*devices))

    assert START_S + sum(case.budget_s for case in cases) <= limit_s


def test_second_card_is_measured_briefly() -> None:
    """Further cards get few cases in the quick suite, and in the full one those of a quick one and of its parts."""
    second = msgspec.structs.replace(CARD, name="cuda:1")

    def counts(suite: Suite) -> list[int]:
        plan = plan_suite(suite, machine(), ready(CPU, CARD, second))
        return [sum(case.device == name for case in plan) for name in ("cuda:0", "cuda:1")]

    assert counts("quick")[1] <= 2 < counts("quick")[0]
    parts = 7  # two loops of its memory, launches, four ways over its link
    assert counts("quick")[0] + parts == counts("full")[1] < counts("full")[0]


def test_formats_the_device_lacks_are_not_planned() -> None:
    """A processor without instructions for short formats is not asked to emulate them."""
    cases = plan_suite("full", machine(), ready(PLAIN_CPU))

    assert {c.precision for c in cases} == {"fp32", "fp64"}


def test_mixed_precision_prefers_bf16() -> None:
    """Mixed precision uses bf16 where the device has it, else fp16."""
    old = msgspec.structs.replace(CARD, precisions=("fp32", "fp16"))

    for device, expected in ((CARD, "bf16"), (old, "fp16")):
        cases = plan_suite("quick", machine(), ready(CPU, device))
        assert [c.options["autocast"] for c in cases if c.precision == "amp"] == [expected]


def test_none_measures_nothing() -> None:
    """The suite ``none`` has no cases."""
    assert plan_suite("none", machine(), ready(CPU, CARD)) == ()


def test_without_torch_the_processor_is_planned() -> None:
    """A worker that can do nothing still gets the processor's cases, each to be refused with its reason."""
    cases = plan_suite("quick", machine(), Ready(framework=Framework()))

    assert {c.device for c in cases} == {"cpu"}
    assert {c.program for c in cases} == {"matmul", "train"}


@given(st.integers(0, 200 * GIB), st.integers(0, 200 * GIB), st.sampled_from(("quick", "full")))
def test_more_memory_never_loses_a_case(one: int, other: int, suite: Suite) -> None:
    """A computer with more memory gets every case of one with less."""
    less, more = sorted((one, other))
    ids = [{c.id for c in plan_suite(suite, machine(m), ready(CPU, CARD))} for m in (less, more)]

    assert ids[0] <= ids[1]


@given(st.integers(0, 200 * GIB), st.integers(1, 200 * GIB))
def test_products_fit_the_memory(memory_bytes: int, card_bytes: int) -> None:
    """No product needs more than a quarter of the memory that is free where it runs."""
    card = msgspec.structs.replace(CARD, memory_bytes=card_bytes, free_bytes=card_bytes)
    free = {"cpu": memory_bytes, "cuda:0": card_bytes}
    cases = plan_suite("full", machine(memory_bytes), ready(CPU, card))

    assert all(c.bytes_per_iteration <= free[c.device] / 4 for c in cases if c.program == "matmul")  # type: ignore[operator]


def test_card_of_unknown_memory_gets_every_product() -> None:
    """Where the memory is unknown the case is tried, and may be refused by the device."""
    unknown = msgspec.structs.replace(CARD, memory_bytes=None, free_bytes=None)

    assert products(plan_suite("quick", machine(), ready(CPU, unknown)), "cuda:0", "fp32")[-1] == 16384


@pytest.mark.parametrize(("usable", "threads"), [(1.5, 1), (2.0, 2), (4.0, None), (64.0, None)])
def test_threads_follow_a_container(usable: float, threads: int | None) -> None:
    """Torch is told to start fewer threads only where fewer cores are granted than it would use."""
    cases = plan_suite("quick", machine(usable_cores=usable), ready(CPU, CARD))

    assert {c.threads for c in cases if c.device == "cpu"} == {threads}
    assert {c.threads for c in cases if c.device != "cpu"} == {None}


@pytest.mark.parametrize("suite", ["quick", "full"])
def test_every_case_has_its_own_name_and_work(suite: Suite) -> None:
    """Names are unique, and FLOP and bytes are known for every product and every network that is timed."""
    cases = plan_suite(suite, machine(), ready(CPU, CARD))
    counted = [c for c in cases if c.program in {"matmul", "train", "infer"}]

    assert len({c.id for c in cases}) == len(cases)
    assert all(c.flop_per_iteration and c.bytes_per_iteration for c in counted)
    assert suite == "full" or counted == list(cases)


def test_list_of_cases_holds_every_plan() -> None:
    """What the program says it can measure includes all it would measure on a large computer."""
    listed = {c.id for c in suite_cases()}
    planned = {c.id for suite in ("quick", "full") for c in plan_suite(suite, machine(), ready(CPU, CARD))}

    assert planned <= listed


def test_further_cards_get_the_short_cases() -> None:
    """Of each its memory, its link and its launches; the long cases run on the first, and all stays in time."""
    second = msgspec.structs.replace(CARD, name="cuda:1")
    cases = plan_suite("full", machine(), ready(CPU, CARD, second))
    programs = {card: {c.program for c in cases if c.device == card} for card in ("cuda:0", "cuda:1")}

    assert programs["cuda:1"] == {"matmul", "train", "bandwidth", "launch", "transfer"}
    assert programs["cuda:0"] > programs["cuda:1"]
    assert len({c.id for c in cases}) == len(cases)
