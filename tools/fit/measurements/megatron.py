"""GPT training with tensor and pipeline parallelism: what the vTrain measurements need beyond the program's own model.

The program offers data parallelism and sharding only. Here the time of one device is divided over tensor-parallel
devices, exchanges of activations are added, and a pipeline waits while it fills and drains.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from fit.measurements.cases import device
from fit.measurements.tables import extras, rows
from fit.measurements.transformer import TransformerShape, transformer_network

from advisor.predict.coefficients import link_coefficients, time_coefficients
from advisor.predict.scaling import Wiring, exchange_s
from advisor.predict.timing.step_time import StepTimes, step_times
from advisor.records.hardware.device import Device
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

VOCABULARY = 51200
NODE_BYTES_PER_S = 1.0e11  # four HDR InfiniBand cards in each node of the vTrain measurements


@dataclass(frozen=True)
class Run:
    """One measured iteration: sizes, the cut, and what the program's model says of its parts."""

    model: str
    time_s: float
    device: Device
    network: Network
    layers: int
    hidden: int
    micro_batch: int
    parts: int
    tensor: int
    pipeline: int
    data: int
    times: StepTimes


@cache
def _network(hidden: int, layers: int, heads: int, sequence: int) -> Network:
    shape = TransformerShape(
        layers=layers,
        hidden=hidden,
        heads=heads,
        sequence=sequence,
        vocabulary=VOCABULARY,
        attention="decomposed",
        dropout=True,
        positions=sequence,
    )
    return transformer_network(f"gpt_{hidden}_{layers}", shape)


@cache
def _times(hidden: int, layers: int, heads: int, sequence: int, batch: int, chip: str) -> StepTimes:
    found = device(chip)
    assert found is not None
    job = Workload(
        id="gpt",
        title="gpt",
        network="gpt",
        samples=1,
        batch_size=batch,
        precision="fp16",
        optimizer="adam",
    )
    return step_times(_network(hidden, layers, heads, sequence), job, [found], batch)


def runs(folder: Path, device_count: int) -> Iterator[Run]:
    """Yield the measured iterations on so many devices."""
    for row in rows(folder, "gpt_iteration_a100_vtrain"):
        found, size = device(row["chip"]), re.search(r"h(\d+)_L(\d+)_heads(\d+)", row["model"])
        if found is None or size is None or int(row["n_devices"]) != device_count:
            continue
        hidden, layers, heads = (int(part) for part in size.groups())
        cut = {key: int(value) for key, value in extras(row).items() if key in ("micro_bs", "tp", "dp", "pp")}
        sequence, batch = int(row["image_or_seq"]), int(float(row["batch_size"]))
        yield Run(
            model=row["model"],
            time_s=float(row["value"]) * 1e-3,
            device=found,
            network=_network(hidden, layers, heads, sequence),
            layers=layers,
            hidden=hidden,
            micro_batch=cut["micro_bs"],
            parts=max(1, batch // (cut["micro_bs"] * cut["dp"])),
            tensor=cut["tp"],
            pipeline=cut["pp"],
            data=cut["dp"],
            times=_times(hidden, layers, heads, sequence, cut["micro_bs"], row["chip"]),
        )


def seconds(run: Run, software: float, launch: float, recompute: float) -> float:
    """Return the time of an iteration.

    Args:
        run: What ran.
        software: Time of the kernels relative to the program's constants.
        launch: Seconds to launch a kernel.
        recompute: Share of the forward pass that is computed again in the backward pass.
    """
    links, t = link_coefficients(), run.times
    kernels = sum(o.kernels * o.count for o in run.network.operations)
    device_s = float(t.arithmetic[0] + t.traffic[0]) / run.tensor * software * (1.0 + recompute / 3.0)
    gaps_s = kernels * time_coefficients().gap_s * software
    launch_s = kernels * launch * (1.0 + recompute / 3.0)
    whole = ((device_s + gaps_s) ** 5 + launch_s**5) ** 0.2 / run.pipeline
    tokens = run.network.sequence_length or 0
    activations = 2.0 * run.micro_batch * tokens * run.hidden
    if run.tensor > 1:
        whole += (
            (4 + 2 * recompute) * run.layers / run.pipeline * exchange_s(activations, run.device, run.tensor, links)
        )
    own = run.network.parameters / run.tensor / run.pipeline
    wiring = Wiring(nodes=math.ceil(run.data / links.devices_per_node), node_bytes_per_s=NODE_BYTES_PER_S)
    gradients = exchange_s(2.0 * own, run.device, run.data, links, wiring)
    optimizer = float(t.optimizer[0]) / run.tensor / run.pipeline
    return float(whole * (run.parts + run.pipeline - 1) + gradients * (1.0 - links.hidden_ratio) + optimizer)


def fit(found: list[Run]) -> tuple[float, float, float]:
    """Return (software, launch, recompute) that fit best, by search on a grid made finer twice."""
    centre, width = np.array([0.0, np.log(1.5e-5), 0.3]), np.array([0.6, 1.0, 0.4])
    measured = np.log([run.time_s for run in found])
    for _ in range(4):
        best = (np.inf, centre)
        for a in np.linspace(-1, 1, 7):
            for b in np.linspace(-1, 1, 7):
                for c in np.linspace(-1, 1, 5):
                    point = centre + width * np.array([a, b, c])
                    point[2] = np.clip(point[2], 0.0, 1.0)
                    off = np.log([seconds(r, np.exp(point[0]), np.exp(point[1]), point[2]) for r in found]) - measured
                    cost = float(np.mean(np.abs(off)))
                    if cost < best[0]:
                        best = (cost, point)
        centre, width = best[1], width / 2.5
    return float(np.exp(centre[0])), float(np.exp(centre[1])), float(centre[2])
