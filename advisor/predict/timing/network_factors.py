"""What is known of a network's time on accelerators beyond what its kernels take: its own factor, or its family's."""

import re

from advisor.predict.coefficients import TimeCoefficients
from advisor.predict.timing.step_work import REDUCED
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload


def own_factor(coefficients: TimeCoefficients, network: Network, workload: Workload) -> float | None:
    """Return a network's time over what its kernels take; None where it was not measured."""
    key = network_key(network)
    full, half = coefficients.networks.get(key, (None, None))
    if workload.precision not in REDUCED:
        return full
    return coefficients.cells.get(key, {}).get(cell_of(workload), half)


def usual_factor(coefficients: TimeCoefficients, network: Network, workload: Workload) -> float:
    """Return a network's own factor, else that of networks whose names begin alike; 1 where nothing is known."""
    own = own_factor(coefficients, network, workload)
    if own is not None:
        return own
    if workload.precision not in REDUCED or not _IS_NAME(network.name):
        return 1.0
    return coefficients.family_cells.get(first_word(network.name), {}).get(cell_of(workload), 1.0)


def network_key(network: Network) -> str:
    """Return the name of a network's factor: of one whose attention is taken apart it is another."""
    return f"{network.name}+decomposed" if network.attention == "decomposed" else network.name


def cell_of(workload: Workload) -> str:
    """Return the name of what a factor of 16 bit is for: a task, in a layout."""
    return f"{workload.task}_channels_last" if workload.channels_last else workload.task


_IS_NAME = re.compile(r"\w+").fullmatch
"""Of a published network; a user's own, such as ``model.py:build``, says nothing by its name."""


def first_word(name: str) -> str:
    """Return the letters a network's name begins with, which its relatives share, also those ported to timm."""
    found = re.match(r"[a-z]+", name.removeprefix("tf_"))
    return name if found is None else found[0]
