"""Machines and measurements to diagnose, each with only what a test is about."""

from typing import Any

import msgspec
from hypothesis import strategies as st

from advisor.records.base import Interval
from advisor.records.hardware.machine import Accelerator, Battery, Cpu, Disk, Framework, Host, Machine, Memory, PcieLink
from advisor.records.results.diagnosis import Outlook
from advisor.records.results.measured.measurement import Benchmark, Case, Condition, Measurement, Series
from advisor.units import GIB

CARD = Accelerator(
    vendor="nvidia", index=0, name="GeForce RTX 3060", kind="discrete", trains=True, memory_bytes=12 * GIB
)
PRODUCT_FLOP_PER_S = 10e12
SMALL_S = 2.0 * 128**3 / PRODUCT_FLOP_PER_S


def machine(*cards: Accelerator, cpu: dict[str, Any] | None = None, torch: Any = None, **host: Any) -> Machine:
    """Return a desktop with six cores and these cards."""
    processor: dict[str, Any] = {"name": "Core i5", "vendor": "intel", "architecture": "x86_64", "physical_cores": 6}
    processor |= {"logical_cores": 6, "usable_cores": 6.0} | (cpu or {})
    described: dict[str, Any] = {"os_name": "Linux", "os_version": "6.8", "form_factor": "desktop", "isolation": "none"}
    described |= {"memory": Memory(total_bytes=16 * GIB, available_bytes=12 * GIB, limit_bytes=16 * GIB)}
    described |= {"disk": Disk(kind="nvme", free_bytes=None)} | host
    framework = torch or Framework(version="2.13", visible_devices=("cuda:0",) if cards else ())
    return Machine(host=Host(cpu=Cpu(**processor), **described), accelerators=cards, framework=framework)


def measured(
    program: str, device: str, median_s: float, *labels: str, iqr_s: float = 0.0, **fields: Any
) -> Measurement:
    """Return a measurement; fields of ``Case`` and of ``Measurement`` may be given alike."""
    of_case = {name: fields.pop(name) for name in list(fields) if name in Case.__struct_fields__}
    case = Case(id="/".join((program, *labels, device)), program=program, device=device, **of_case)
    rate = None if case.flop_per_iteration is None else case.flop_per_iteration / median_s
    return Measurement(
        case=case,
        samples_s=(median_s,) * 7,
        median_s=median_s,
        iqr_s=iqr_s,
        flop_per_s=rate,
        **({"items_per_s": case.batch_size / median_s} | fields),
    )


def product(device: str, edge: int = 4096, flop_per_s: float = PRODUCT_FLOP_PER_S, **fields: Any) -> Measurement:
    """Return a matrix product."""
    flop = 2.0 * edge**3
    precision = fields.get("precision", "fp32")
    return measured("matmul", device, flop / flop_per_s, precision, str(edge), size=edge, flop_per_iteration=flop,
                    **fields)  # fmt: skip


def training(device: str, step_s: float = 1.0, *, compute: float = 0.0, **fields: Any) -> Measurement:
    """Return a training step of which arithmetic at ``PRODUCT_FLOP_PER_S`` takes a share."""
    known: dict[str, Any] = {"network": "article_cnn", "batch_size": 32}
    known |= {"flop_per_iteration": max(compute, 1e-6) * step_s * PRODUCT_FLOP_PER_S} | fields
    return measured("train", device, step_s, str(known["network"]), str(known.get("precision", "fp32")), **known)


def loader(rate: float, *, workers: int = 1, augmented: bool = False, edge: int = 150) -> Measurement:
    """Return what a loader delivers."""
    return measured("input", "cpu", 32 / rate, str(edge), str(augmented), str(workers), batch_size=32, size=edge,
                    options={"workers": workers, "augmented": augmented})  # fmt: skip


def curve(program: str, device: str, x: str, y: str, *points: tuple[float, float], **fields: Any) -> Measurement:
    """Return a measurement with a series."""
    return measured(program, device, 1.0, series=(Series(x=x, y=y, points=points),), **fields)


def benchmark(*measurements: Measurement, conditions: tuple[Condition, ...] = (), **fields: Any) -> Benchmark:
    """Return a finished run."""
    return Benchmark(
        suite="full", started_at="", wall_s=1.0, measurements=measurements, conditions=conditions, **fields
    )


NUMBERS = st.one_of(
    st.none(), st.just(0.0), st.floats(allow_nan=False, allow_infinity=False), st.floats(0.01, 100), st.just(1e308)
)
WHOLE = st.one_of(st.just(0), st.integers(-5, 64), st.integers(-(2**63), 2**63))
DEVICES = st.sampled_from(["cpu", "cuda:0", "cuda:1", "mps", "?"])
CONDITIONS = st.builds(
    Condition,
    kind=st.sampled_from(
        ["on_battery", "power_saver", "other_load", "stolen_time", "throttled", "memory_pressure", "unstable"]
    ),
    value=NUMBERS,
    unit=st.sampled_from(["ratio", "bytes", "celsius", "hz", "cores", ""]),
)
POINTS = st.lists(st.tuples(NUMBERS.map(lambda n: n or 0.0), NUMBERS.map(lambda n: n or 0.0)), max_size=5)


@st.composite
def measurements(draw: st.DrawFn) -> Measurement:
    """Return any measurement, with numbers of any size."""
    number = NUMBERS.map(lambda n: n or 0.0)
    program = draw(
        st.sampled_from(["matmul", "train", "input", "bandwidth", "transfer", "sweep", "sustained", "launch"])
    )
    one = measured(
        program,
        draw(DEVICES),
        1.0,
        precision=draw(st.sampled_from(["fp32", "amp", "bf16"])),
        network=draw(st.sampled_from(["", "article_cnn", "densenet121"])),
        size=draw(WHOLE),
        batch_size=draw(WHOLE),
        bytes_per_iteration=draw(NUMBERS),
        options={"workers": draw(WHOLE), "augmented": draw(st.booleans())},
        items_per_s=draw(NUMBERS),
        conditions=tuple(draw(st.lists(CONDITIONS, max_size=2))),
        details=draw(
            st.dictionaries(st.sampled_from(["bytes_per_s", "first_batch_that_does_not_fit"]), number, max_size=2)
        ),
    )
    x, y = draw(st.sampled_from([("batch_size", "items_per_s"), ("time_s", "flop_per_s"), ("a", "b")]))
    case = msgspec.structs.replace(one.case, flop_per_iteration=draw(NUMBERS))
    series = (Series(x=x, y=y, points=tuple(draw(POINTS))),)
    return msgspec.structs.replace(
        one, case=case, median_s=draw(number), iqr_s=draw(number), series=series, flop_per_s=draw(NUMBERS)
    )


@st.composite
def machines(draw: st.DrawFn) -> Machine:
    """Return any machine, with numbers of any size."""
    cards = []
    for index in range(draw(st.integers(0, 2))):
        link = [draw(st.one_of(st.none(), WHOLE)) for _ in range(4)]
        cards.append(
            msgspec.structs.replace(
                CARD,
                index=index,
                trains=draw(st.booleans()),
                memory_bytes=draw(st.one_of(st.none(), WHOLE)),
                memory_used_bytes=draw(st.one_of(st.none(), WHOLE)),
                used_by=("game",),
                pcie=PcieLink(generation=link[0], width=link[1], max_generation=link[2], max_width=link[3]),
            )
        )
    torch = Framework(version="2", mismatch=draw(st.sampled_from([None, "cpu_only_build", "cosmic_rays"])))
    return machine(
        *cards,
        torch=torch,
        cpu={"usable_cores": draw(NUMBERS) or 0.0, "base_frequency_hz": draw(NUMBERS)},
        battery=draw(st.sampled_from([None, Battery(charge_ratio=-1.0, is_plugged_in=False)])),
    )


INTERVALS = st.one_of(
    st.none(), st.builds(Interval, low=NUMBERS.map(lambda n: n or 0.0), high=NUMBERS.map(lambda n: n or 0.0))
)
OUTLOOKS = st.builds(
    Outlook,
    device=DEVICES,
    device_samples_per_s=INTERVALS,
    loader_samples_per_s=INTERVALS,
    needed_bytes=INTERVALS,
    available_bytes=NUMBERS,
)
RUNS = st.one_of(
    st.none(),
    st.builds(
        lambda found, met: benchmark(*found, conditions=tuple(met)),
        st.lists(measurements(), max_size=6),
        st.lists(CONDITIONS, max_size=3),
    ),
)
