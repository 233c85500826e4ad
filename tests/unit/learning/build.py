"""Computers of others that measured networks on a device, made up: not as the model has it, and with noise."""

import math
import random
from collections.abc import Sequence
from functools import cache

import msgspec

from advisor.catalog import find_device
from advisor.learning.gather import Gathered, shared_network
from advisor.predict.timing.step_time import plain_step_s
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement
from advisor.records.results.report import Report
from advisor.records.results.shared import SharedCase, SharedMeasurements
from tests.unit.fleet.build import machine
from tests.unit.report.samples import enough

DEVICE = "GeForce RTX 3080 10GB"
NETWORKS = ("resnet18", "resnet50", "densenet121", "vgg16", "mobilenet_v2", "bert_base")


def truth(source: random.Random) -> dict[str, float]:
    """Return, network by network, how many times as long as predicted a step takes on the real device."""
    return {name: math.exp(source.gauss(0.12, 0.04)) for name in NETWORKS}


@cache
def step_s(network: str, device: str = DEVICE) -> float:
    """Return what the model says of a training step in mixed precision."""
    work = shared_network(network)
    assert work is not None, "a network of the catalogue"
    job = Workload(id="one", title="one", network=network, samples=64, batch_size=32, precision="amp", optimizer="adam")
    return plain_step_s(work, job, find_device(device))


def shared(
    hand: int, ratios: dict[str, float], source: random.Random, *, noise: float = 0.04, device: str = DEVICE
) -> SharedMeasurements:
    """Return what one computer shares."""
    own = math.exp(source.gauss(0.0, noise))
    cases = [_case(name, ratio * own * math.exp(source.gauss(0.0, 0.01)), device) for name, ratio in ratios.items()]
    return SharedMeasurements(
        hand=f"{hand:016x}",
        device=device,
        memory_gib=10,
        cores=16,
        ram_gib=32,
        system="Linux",
        month="2026-11",
        torch="2.13",
        driver="570.86",
        program_version="0.1.0",
        cases=tuple(cases),
    )


def _case(network: str, ratio: float, device: str) -> SharedCase:
    time_s = ratio * step_s(network, device)
    return SharedCase(
        task="train",
        network=network,
        precision="amp",
        batch_size=32,
        low_s=0.99 * time_s,
        median_s=time_s,
        high_s=1.01 * time_s,
        samples=9,
    )


def poisoned(one: SharedMeasurements, factor: float) -> SharedMeasurements:
    """Return measurements that are all wrong by a factor."""
    cases = tuple(
        msgspec.structs.replace(
            case, low_s=factor * case.low_s, median_s=factor * case.median_s, high_s=factor * case.high_s
        )
        for case in one.cases
    )
    return msgspec.structs.replace(one, cases=cases)


def gathered(many: Sequence[SharedMeasurements]) -> Gathered:
    """Return records as if they had been read."""
    return Gathered(tuple(many), tuple(f"{number:032x}" for number in range(len(many))), ())


def report(ratio: float = 1.2, label: str = "pc-1", card: str = "NVIDIA GeForce RTX 3080") -> Report:
    """Return the report of a computer whose card trained two networks."""
    card_of = Accelerator(
        vendor="nvidia",
        index=0,
        name=card,
        kind="discrete",
        trains=True,
        memory_bytes=10 * 2**30,
        driver_version="570.86.15",
        power_limit_w=320.0,
    )
    seen = msgspec.structs.replace(
        machine(),
        accelerators=(card_of,),
        framework=msgspec.structs.replace(machine().framework, visible_devices=("cuda:0 NVIDIA GeForce RTX 3080 #0",)),
    )
    taken = tuple(_measurement(name, ratio * step_s(name)) for name in NETWORKS[:2])
    benchmark = Benchmark(
        suite="quick",
        started_at="2026-11-22T10:11:12+00:00",
        wall_s=40.0,
        measurements=taken,
        environment={"torch": "2.13.0+cu126"},
    )
    return msgspec.structs.replace(
        enough(), machine=seen, benchmark=benchmark, label=label, is_simulated=False, program_version="0.1.0"
    )


def _measurement(network: str, time_s: float) -> Measurement:
    case = Case(
        id=f"train/{network}", program="train", device="cuda:0", network=network, precision="amp", batch_size=32
    )
    samples = tuple(time_s * (1 + 0.002 * number) for number in range(-4, 5))
    return Measurement(case=case, samples_s=samples, median_s=time_s, iqr_s=0.01 * time_s)
