"""Realistic reports of several tiers, built from records; shared by the tests of report and window."""

from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from advisor.catalog import network_of
from advisor.recommend import advise, load_rules
from advisor.records.base import Gap, Interval
from advisor.records.hardware.device import Device, Offer
from advisor.records.hardware.machine import Accelerator, Cpu, Disk, Framework, Host, Machine, Memory
from advisor.records.job.advice import Option, Tier
from advisor.records.job.asked_job import JOB_PROGRAM, step_settings
from advisor.records.job.prediction import CostPart, Limit, MemoryEstimate, Prediction, TimePart
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Benchmark, CaseFailure, Condition, Measurement
from advisor.records.results.report import NetworkSummary, Report
from advisor.session.forecast import conclude
from advisor.units import DAY_S, GB, GIB, HOUR_S
from tests.fakes.measured import matmul_case, measured, train_case

DEVICES = {
    device.name: device
    for device in (
        Device(
            name="GeForce RTX 5060 Ti 16 GB",
            vendor="nvidia",
            device_class="gpu",
            for_whom="consumer",
            memory_bytes=16 * GIB,
            memory_type="GDDR7",
        ),
        Device(
            name="GeForce RTX 2060 Laptop",
            vendor="nvidia",
            device_class="laptop_gpu",
            for_whom="consumer",
            memory_bytes=6 * GIB,
            memory_type="GDDR6",
        ),
        Device(
            name="L4",
            vendor="nvidia",
            device_class="datacenter_gpu",
            for_whom="datacenter",
            memory_bytes=24 * GIB,
            memory_type="GDDR6",
        ),
        Device(
            name="H100 SXM",
            vendor="nvidia",
            device_class="datacenter_gpu",
            for_whom="datacenter",
            memory_bytes=80 * GIB,
            memory_type="HBM3",
        ),
    )
}
HOSTILE = '<script>alert("x")</script> <img src="/etc/passwd"> | *b* `c` [d](http://e)'
ARTICLE_CNN = Workload(
    id="article_cnn",
    title="Sort photos into 8 kinds",
    network="article_cnn",
    samples=18_687,
    epochs=5,
    steps_per_epoch=1000,
    batch_size=32,
    image_size=150,
    classes=8,
    input_kind="jpeg",
    augmentation=True,
)
ARTICLE_NETWORK = NetworkSummary(
    name="article_cnn",
    family="cnn",
    parameters=42_520_584,
    flop_per_sample_forward=2.4e8,
    flop_per_sample_train=7.2e8,
)


def laptop(*, card: bool = True) -> Machine:
    """Return the article's laptop, with or without its graphics card."""
    accelerators = (
        Accelerator(
            vendor="nvidia",
            index=0,
            name="NVIDIA GeForce RTX 2060",
            kind="discrete",
            trains=True,
            memory_bytes=6 * GIB,
            driver_version="560.35.03",
            compute_api_version="12.6",
            compute_capability="7.5",
        ),
    )
    return Machine(
        host=Host(
            os_name="Linux",
            os_version="6.8",
            form_factor="laptop",
            isolation="none",
            cpu=Cpu(
                name="Intel Core i7-10750H",
                vendor="intel",
                architecture="x86_64",
                physical_cores=6,
                logical_cores=12,
                usable_cores=12,
                instruction_sets=("AVX2",),
            ),
            memory=Memory(total_bytes=16 * GIB, available_bytes=11 * GIB, limit_bytes=16 * GIB),
            disk=Disk(kind="nvme", free_bytes=200 * GB),
        ),
        accelerators=accelerators if card else (),
        framework=Framework(version="2.13.0", built_for="cuda" if card else "cpu"),
        gaps=(
            Gap(field="accelerators.0.power_limit_w", reason="not_supported"),
            Gap(field="battery", reason="not_applicable"),
        )
        if card
        else (),
    )


def option(
    option_id: str,
    tier: Tier,
    device: str,
    run_s: float | None,
    *,
    count: int = 1,
    needed_gib: float | None = 1.9,
    memory_gib: float | None = 24.0,
    purchase_usd: float = 0.0,
    host_usd: float = 0.0,
    usd_per_h: float = 0.0,
    runs: float = 48.0,
    watts: float = 200.0,
    spread: float = 1.14,
    idle: float = 0.0,
    limit: Limit = "compute",
    steps: float = 5000.0,
    spot: bool = False,
) -> Option:
    """Return an option with its prediction, priced like the program prices: electricity at 0.30 USD a kWh."""
    offer = None
    if usd_per_h > 0:
        offer = Offer(
            provider=option_id.split("/")[1],
            instance=option_id.rsplit("/", maxsplit=1)[-1],
            region="eu",
            device=device,
            device_name=device,
            device_count=count,
            device_memory_bytes=None,
            cpu_cores=8,
            memory_bytes=32 * GIB,
            price_usd_per_h=usd_per_h,
            spot=spot,
            as_of="2026-11-01",
        )
    title = device if count == 1 else f"{count} × {device}"
    shared: dict[str, Any] = {
        "id": option_id,
        "tier": tier,
        "title": title,
        "device": device,
        "device_count": count,
        "offer": offer,
    }
    if run_s is None:
        return Option(**shared, purchase_usd=purchase_usd)
    energy_j = watts * count * run_s
    run_usd = usd_per_h * run_s / HOUR_S if usd_per_h else energy_j / 3.6e6 * 0.30
    prediction = Prediction(
        device=device,
        device_count=count,
        network="article_cnn",
        task="train",
        batch_size=32,
        precision="fp32",
        optimizer="adam",
        time_per_step_s=run_s / steps,
        interval=Interval(low=run_s / steps / spread, high=run_s / steps * spread),
        samples_per_s=32 * steps / run_s,
        limit="input" if idle else limit,
        parts=(
            TimePart(name="compute", time_s=(1 - idle) * run_s / steps),
            TimePart(name="input", time_s=idle * run_s / steps),
        ),
        memory=None if needed_gib is None else memory_estimate(needed_gib, memory_gib),
        confidence="good" if spread <= 1.15 else "fair" if spread <= 1.3 else "rough",
        basis="scaled" if tier == "this_computer" else "modelled",
    )
    return Option(
        **shared,
        prediction=prediction,
        run_s=run_s,
        interval=Interval(low=run_s / spread, high=run_s * spread),
        purchase_usd=purchase_usd,
        host_usd=host_usd,
        run_usd=run_usd,
        horizon_usd=purchase_usd * 0.6 + runs * run_usd,
        cost_parts=_cost_parts(purchase_usd, run_usd, is_rented=usd_per_h > 0),
        energy_j=energy_j,
        co2_g=energy_j / 3.6e6 * 300,
        price_as_of="2026-11-01" if purchase_usd or usd_per_h else None,
    )


def _cost_parts(purchase_usd: float, run_usd: float, *, is_rented: bool) -> tuple[CostPart, ...]:
    """Return the parts of a cost: two fifths of a price come back."""
    of_run = CostPart(kind="rent" if is_rented else "electricity", run_usd=run_usd)
    if not purchase_usd:
        return (of_run,)
    bought = CostPart(kind="purchase", fixed_usd=purchase_usd)
    return bought, CostPart(kind="resale", fixed_usd=-0.4 * purchase_usd), of_run


def memory_estimate(needed_gib: float, memory_gib: float | None) -> MemoryEstimate:
    """Return a memory estimate of so much on a device with so much."""
    needed = needed_gib * GIB
    return MemoryEstimate(
        parameters_bytes=needed * 0.1,
        gradients_bytes=needed * 0.1,
        optimizer_bytes=needed * 0.2,
        activations_bytes=needed * 0.4,
        temporary_bytes=needed * 0.1,
        context_bytes=needed * 0.1,
        total_bytes=needed,
        available_bytes=None if memory_gib is None else memory_gib * GIB,
        fits=None if memory_gib is None else needed_gib <= memory_gib,
        largest_batch=64 if memory_gib is None or needed_gib <= memory_gib else 8,
        interval=Interval(low=needed * 0.95, high=needed * 1.05),
    )


def benchmark(*, card: bool = True) -> Benchmark:
    """Return measurements of the article's laptop."""
    found = [
        *(_matmul("cpu", size, rate) for size, rate in ((128, 21e9), (512, 96e9), (1024, 160e9), (2048, 181e9))),
        measured(train_case("cpu"), 0.413),
    ]
    if card:
        found += [
            _matmul("cuda:0", size, rate)
            for size, rate in ((512, 1.1e12), (1024, 3.0e12), (2048, 5.2e12), (4096, 5.6e12))
        ]
        found.append(measured(train_case("cuda:0"), 0.0429))
    return Benchmark(
        suite="quick",
        started_at="2026-11-21T09:30:00Z",
        wall_s=41.0,
        measurements=tuple(found),
        failures=(
            CaseFailure(
                case=matmul_case(8192, "cuda:0"),
                reason="does_not_fit",
            ),
        )
        if card
        else (),
        conditions=(Condition(kind="other_load", value=0.12, unit="ratio"),),
        environment={"torch": "2.13.0"},
    )


def slowed(
    job_ratio: float, other_ratio: float, circumstances: Circumstances | None = None, *, card: bool = False
) -> Report:
    """Return the answer for a computer that other programs slowed while it was measured.

    Args:
        job_ratio: Share of the processor that others took while the job was measured.
        other_ratio: The same of all other measurements.
        circumstances: Those asked about.
        card: Whether it has one.
    """
    seen = benchmark(card=card)
    slow = measured(train_case("cpu"), 3.0)  # on an old processor
    seen = replace(seen, measurements=tuple(slow if one.case == slow.case else one for one in seen.measurements))
    shares = [job_ratio if one.case.program == "train" else other_ratio for one in seen.measurements]
    loads = [(Condition(kind="other_load", value=share, unit="ratio"),) if share else () for share in shares]
    measurements = [replace(one, conditions=load) for one, load in zip(seen.measurements, loads, strict=True)]
    observation = Observation(
        machine=laptop(card=card), benchmark=replace(seen, measurements=tuple(measurements), conditions=())
    )
    return conclude(observation, ARTICLE_CNN, circumstances or Circumstances())


def with_job_tried(
    ratio: float, job_s: float = 3.0, others_ratio: float = 0.9, workload: Workload = ARTICLE_CNN
) -> Report:
    """Return the answer after a disturbed check, for which the job was then measured by itself.

    Args:
        ratio: Share of the processor that others took meanwhile.
        job_s: What a step took.
        others_ratio: Share they took during the check.
        workload: The job.
    """
    asked = slowed(others_ratio, others_ratio)
    assert asked.benchmark is not None
    case = replace(
        train_case("cpu"),
        id="job/cpu",
        program=JOB_PROGRAM,
        options=step_settings(workload, network_of(workload)),
    )
    load = Condition(kind="other_load", value=ratio, unit="ratio")
    job = replace(measured(case, job_s), conditions=(load,) if ratio else ())
    seen = replace(asked.benchmark, measurements=(*asked.benchmark.measurements, job))
    return conclude(Observation(machine=asked.machine, benchmark=seen), workload, Circumstances())


def _matmul(device: str, size: int, flop_per_s: float) -> Measurement:
    return measured(matmul_case(size, device), 2.0 * size**3 / flop_per_s)


def _report(
    machine: Machine,
    workload: Workload,
    circumstances: Circumstances,
    options: list[Option],
    *,
    seen: Benchmark | None,
    rate: float = 1.0,
) -> Report:
    advice = advise(
        workload,
        circumstances,
        machine,
        [_with_break_even(one, options, circumstances.runs_per_month) for one in options],
        rules=load_rules(),
        benchmark=seen,
        network=ARTICLE_NETWORK,
        devices=DEVICES,
    )
    return Report(
        created_at="2026-11-21T09:31:00Z",
        program_version="0.1.0",
        machine=machine,
        benchmark=seen,
        workload=workload,
        circumstances=circumstances,
        network=ARTICLE_NETWORK,
        advice=advice,
        titles={"en": workload.title, "es": workload.title},
        prices_as_of={"devices": "2026-10-15", "offers": "2026-11-01"},
        currency_per_usd=rate,
    )


def _with_break_even(one: Option, options: list[Option], runs_per_month: float) -> Option:
    """Return a purchase with the months after which the cheapest rent would have cost as much."""
    rents = [o.run_usd for o in options if o.tier == "cloud" and o.run_usd is not None]
    if one.purchase_usd <= 0 or one.run_usd is None or not rents:
        return one
    saved = (min(rents) - one.run_usd) * runs_per_month
    return msgspec.structs.replace(one, break_even_months=one.purchase_usd / saved if saved > 0 else None)


def _market(card_s: float, runs: float, needed_gib: float = 1.9, host_usd: float = 0.0) -> list[Option]:
    """Return what can be bought and rented, for a job that takes ``card_s`` on a GeForce RTX 5060 Ti."""

    def buy(name: str, speed: float, price: float, memory: float) -> Option:
        return option(
            f"buy/{name}",
            "single_gpu",
            name,
            card_s / speed,
            purchase_usd=price + host_usd,
            host_usd=host_usd,
            runs=runs,
            needed_gib=needed_gib,
            memory_gib=memory,
            spread=1.25,
        )

    def rent(provider: str, name: str, speed: float, price: float, *, memory: float, count: int = 1) -> Option:
        return option(
            f"rent/{provider}/{name}{count}",
            "cloud",
            name,
            card_s / speed,
            usd_per_h=price,
            runs=runs,
            count=count,
            needed_gib=needed_gib,
            memory_gib=memory,
            spread=1.25,
        )

    return [
        buy("GeForce RTX 5060 Ti 16 GB", 1.0, 430, 16),
        buy("GeForce RTX 5070 Ti", 1.9, 780, 16),
        buy("GeForce RTX 5090", 4.0, 2400, 32),
        buy("Radeon RX 9070 XT", 1.3, 640, 16),
        rent("runpod", "L4", 0.9, 0.44, memory=24),
        rent("gcp", "L4", 0.9, 0.71, memory=24),
        rent("lambda", "A10", 1.1, 0.75, memory=24),
        rent("runpod", "RTX A6000", 1.4, 0.76, memory=48),
        rent("lambda", "H100 SXM", 6.0, 3.29, memory=80),
        rent("aws", "H100 SXM", 38.0, 55.0, memory=80, count=8),
    ]


@cache
def enough() -> Report:
    """Return the hobbyist's report: the laptop's card does it in minutes."""
    here = [
        option("here/cpu", "this_computer", "Intel Core i7-10750H", 2065, watts=90, memory_gib=16),
        option("here/cuda:0", "this_computer", "GeForce RTX 2060 Laptop", 215, watts=150, memory_gib=6, idle=0.7),
    ]
    asked = Circumstances(who="hobbyist", runs_per_month=2, deadline_s=DAY_S, currency="EUR", country="ES")
    return _report(laptop(), ARTICLE_CNN, asked, here + _market(150, 48), seen=benchmark(), rate=0.92)


@cache
def rent() -> Report:
    """Return the student's report: a thesis overnight, on a laptop without a card."""
    work = Workload(
        id="densenet_cats_dogs",
        title="DenseNet-121, cats and dogs",
        network="densenet121",
        method="transfer",
        samples=8005,
        epochs=20,
        batch_size=64,
        image_size=224,
        input_kind="jpeg",
    )
    here = [
        option("here/cpu", "this_computer", "Intel Core i5-8265U", 32 * HOUR_S, watts=60, memory_gib=16, spread=1.3)
    ]
    asked = Circumstances(who="student", runs_per_month=4, deadline_s=12 * HOUR_S, horizon_months=12)
    return _report(
        laptop(card=False), work, asked, here + _market(1.5 * HOUR_S, 48, 9.0, 700.0), seen=benchmark(card=False)
    )


@cache
def buy() -> Report:
    """Return the small firm's report: twenty long trainings a month for two years."""
    work = Workload(
        id="vision", title="Train a vision model", network="resnet50", samples=400_000, epochs=30, batch_size=128
    )
    here = [
        option(
            "here/cpu",
            "this_computer",
            "Intel Core i5-9500",
            40 * DAY_S,
            runs=480,
            memory_gib=16,
            needed_gib=20,
            watts=80,
        )
    ]
    asked = Circumstances(who="company", runs_per_month=20, budget_usd=4000, horizon_months=24)
    return _report(laptop(card=False), work, asked, here + _market(14 * HOUR_S, 480, 14.0, 900.0), seen=None)


@cache
def cluster() -> Report:
    """Return the big company's report: 70 billion parameters from scratch."""
    work = Workload(
        id="llama_70b_scratch",
        title="Train a 70B language model from scratch",
        network="llama_70b",
        samples=250_000_000,
        batch_size=1024,
        precision="bf16",
        optimizer="adamw",
        sequence_length=4096,
    )
    options = [
        option("here/cpu", "this_computer", "Intel Xeon Gold 6256", None),
        *(
            option(
                f"rent/aws/{count}x{name}",
                "cloud",
                name,
                400 * 365 * DAY_S / count / speed,
                count=count,
                usd_per_h=price,
                needed_gib=needed,
                memory_gib=memory,
                steps=250_000,
                runs=1,
                spread=1.8,
            )
            for name, count, speed, price, needed, memory in (
                ("H100 SXM", 1, 1.0, 4.0, 1100.0, 80.0),
                ("H100 SXM", 8, 1.0, 55.0, 180.0, 80.0),
                ("B200", 8, 2.2, 90.0, 180.0, 180.0),
            )
        ),
    ]
    asked = Circumstances(who="large_company", runs_per_month=1 / 12, horizon_months=12)
    return _report(laptop(card=False), work, asked, options, seen=None)


@cache
def classical() -> Report:
    """Return the statistics student's report: gradient boosting on a table."""
    work = Workload(
        id="gradient_boosting",
        title="Gradient boosting on a table",
        network="gradient_boosting",
        method="classical",
        samples=50_000,
        columns=30,
        input_kind="table",
    )
    here = [option("here/cpu", "this_computer", "Intel Core i5-8265U", 40, needed_gib=None, watts=40, spread=1.8)]
    asked = Circumstances(who="student", runs_per_month=2)
    return _report(laptop(card=False), work, asked, here, seen=benchmark(card=False))


def hostile() -> Report:
    """Return a report read from an unfriendly file: markup in every text it can carry."""
    report = enough()
    options = tuple(
        msgspec.structs.replace(one, title=HOSTILE, device=f"{HOSTILE}{n}")
        for n, one in enumerate(report.advice.options)
    )
    card = msgspec.structs.replace(report.machine.accelerators[0], name=HOSTILE)
    return msgspec.structs.replace(
        report,
        titles={"en": HOSTILE},
        machine=msgspec.structs.replace(report.machine, accelerators=(card,)),
        advice=msgspec.structs.replace(report.advice, options=options),
    )


def every() -> dict[str, Report]:
    """Return all sample reports by name."""
    return {"enough": enough(), "rent": rent(), "buy": buy(), "cluster": cluster(), "classical": classical()}
