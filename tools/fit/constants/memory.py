"""Measured peaks of memory in training, and the constants of ``memory.json`` fitted on them.

PYTHONPATH=tools python -m fit.constants.memory --data ../shared/data
"""

import argparse
import datetime
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fit.constants.export import rounded
from fit.constants.files import write
from fit.constants.model import Floats
from fit.measurements.cases import timm_network
from fit.measurements.tables import memory_edge, number, rows

from advisor.predict.memory import largest_unfolded_bytes
from advisor.records.job.work import Network

MIB = 2.0**20
PARAMETER_SLACK = 0.35
"""Fixed: free, it takes over what belongs to the context in networks of many parameters."""
CONTEXT_BYTES = 1445 * MIB
"""Least peak of 1,725 small networks of the same source (gpumemnet-mlp), which hold next to nothing."""
SAME_NETWORK = (0.9, 1.11)
"""Our table over torch's own estimate; outside, the run had another image size (256 is frequent) or network."""
UNDER_WEIGHT, UNDER_FROM = 5.0, 0.04
"""Too low by more than 4 % costs so many times more: too little memory ends a job."""
SAFE_SHARE, SAFE_WITHIN = 0.983, 0.05
"""Memory is called enough where so many of the held-out jobs would have fitted, give or take so much."""
SOURCE = "https://github.com/itu-rad/GPUMemNet (timm models in fp32, device-level peaks)"


@dataclass(frozen=True)
class Peak:
    """One measured peak and what it is made of, in bytes; ``fake_bytes``: torch's own estimate."""

    network: Network
    batch: int
    measured_bytes: float
    fake_bytes: float

    def terms(self) -> tuple[float, float, float, float, float]:
        """Return constant, tensors alive, unfolded plain and grouped inputs, and largest tensor."""
        net, batch = self.network, self.batch
        alive = net.peak_bytes_per_sample * batch + net.peak_bytes_fixed
        plain, grouped = (largest_unfolded_bytes(net, grouped=g) * batch for g in (False, True))
        convolves = any(operation.kind == "conv" for operation in net.operations)
        return 1.0 if convolves else 0.0, alive, plain, grouped, net.largest_bytes_per_sample * batch

    @property
    def is_same_network(self) -> bool:
        """Whether our table and the estimate published beside the peak speak of one network at one image size.

        Told without the measured peak: the data name no image size for most rows.
        """
        ours = self.terms()[1] + 4.0 * self.network.parameters
        return SAME_NETWORK[0] < ours / self.fake_bytes < SAME_NETWORK[1]

    @property
    def state_bytes(self) -> float:
        """Parameters, gradients and what is kept of them for a moment."""
        return 4.0 * self.network.parameters * (2.0 + PARAMETER_SLACK)


def peaks(folder: Path) -> list[Peak]:
    """Return the measured peaks of networks we have tables of."""
    found = []
    for row in rows(folder, "training_memory"):
        if "timm" not in row["source"]:
            continue
        size = memory_edge(row)
        net = timm_network(row["model"].split(".")[0], size)
        value, fake = number(row["value"]), number(row["faketensor_estimate_MB"])
        if net is not None and value and fake and size == net.image_size:
            peak = Peak(net, int(float(row["batch_size"])), value * MIB, fake * MIB)
            found.append(peak)
    return found


def estimate(found: Sequence[Peak], constants: Floats) -> Floats:
    """Return the estimated peaks."""
    terms = np.array([peak.terms() for peak in found])
    return np.asarray(CONTEXT_BYTES + terms @ constants + np.array([peak.state_bytes for peak in found]))


def fit(found: Sequence[Peak]) -> Floats:
    """Return the constants of the terms; relative errors, those that are too low weigh more."""
    terms = np.array([peak.terms() for peak in found])
    measured = np.array([peak.measured_bytes for peak in found])
    rest = measured - CONTEXT_BYTES - np.array([peak.state_bytes for peak in found])
    columns, wanted = terms / measured[:, None], rest / measured
    x = np.linalg.lstsq(columns, wanted, rcond=None)[0]
    for _ in range(300):
        off = columns @ x - wanted
        weight = 1.0 / np.sqrt(off**2 + 1e-4) + UNDER_WEIGHT * (off < -UNDER_FROM) / np.maximum(-off, UNDER_FROM)
        x = np.maximum(
            np.linalg.solve((columns * weight[:, None]).T @ columns, (columns * weight[:, None]).T @ wanted), 0.0
        )
    return np.asarray(x)


def held_out(found: Sequence[Peak], folds: int = 8) -> Floats:
    """Return logarithms of estimated over measured peaks, each estimated without its network."""
    names = sorted({peak.network.name for peak in found})
    fold = np.array([names.index(peak.network.name) % folds for peak in found])
    measured = np.array([peak.measured_bytes for peak in found])
    result = np.zeros(len(found))
    for index in range(folds):
        out = fold == index
        constants = fit([peak for peak, own in zip(found, out, strict=True) if not own])
        result[out] = np.log(estimate([p for p, own in zip(found, out, strict=True) if own], constants) / measured[out])
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description="Fit the constants of memory.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there; nothing was fitted.", file=sys.stderr)
        return 2
    found = [peak for peak in peaks(arguments.data) if peak.is_same_network]
    constants, off = fit(found), held_out(found)
    error = float(np.abs(np.exp(off) - 1.0).mean())
    print(f"{len(found)} rows, left-out networks: mean error {100 * error:.1f} %, constants {constants}")
    low, high = np.exp(-np.quantile(off, [0.9, 0.1]))
    safety = (1.0 - SAFE_WITHIN) / np.exp(np.quantile(off, 1.0 - SAFE_SHARE))
    write(
        "memory",
        {
            "fitted": datetime.date.today().isoformat(),
            "data": [{"name": "training_memory", "source": SOURCE, "rows": len(found), "error_ratio": rounded(error)}],
            "context_bytes": CONTEXT_BYTES,
            "convolution_bytes": rounded(constants[0]),
            "processor_bytes": 3.0e8,
            "peak": rounded(constants[1]),
            "parameter_slack": PARAMETER_SLACK,
            "workspace": rounded(constants[2]),
            "grouped_workspace": rounded(constants[3]),
            "largest": rounded(constants[4]),
            "checkpoint_ratio": 0.06,
            "low": rounded(low),
            "high": rounded(high),
            "safety": rounded(safety),
        },
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
