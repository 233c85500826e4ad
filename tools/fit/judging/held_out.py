"""Held-out errors of one set of measurements, and the row of the table they become."""

import re
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from fit.constants.export import DATA_SETS
from fit.constants.intervals import limits
from fit.constants.model import Case, Floats
from fit.judging.noise import Noise
from numpy.typing import NDArray

from advisor.predict.coefficients import Spread
from advisor.predict.interval import Knowledge
from advisor.records.results.validation import HeldOut, HeldOutTimes, ValidationRow

TITLES = {
    "lambda": "Training jobs on one card",
    "lambda_known": "Of these, jobs whose samples are known",
    "neusight": "Transformers in fp32 on NVIDIA cards",
    "neusight_amd": "Transformers in fp32 on AMD cards",
    "ryujaehun": "Image networks on people's own computers",
    "cnn_benchmarks": "Image networks with software of 2017",
    "gemm": "Single products of matrices",
    "timm_blackwell": "Inference of image networks on cards of 2025",
    "lamikr": "Image networks in small batches, also Radeons",
    "people": "Figures others published, not used to fit",
    "people_small": "Published: image networks in small batches",
    "texts": "Published: transformers, on 25 cards and Macs",
    "tuning": "Published: tuning language models",
    "timm_train": "Training of image networks",
    "timm_infer": "Inference of image networks",
    "pycls": "ImageNet training on eight cards",
    "timm_processor": "Inference on a processor",
    "llm_foundry": "Training of language models on up to 128 cards",
    "gpt_iteration": "Training of language models cut over eight cards",
    "training_memory": "Memory needed in training",
}
AIMS = {
    ("lambda", "device"): (0.08, 0.06, None),
    ("neusight", "device"): (0.06, 0.045, 0.30),
    ("ryujaehun", "device"): (0.18, 0.14, None),
    ("ryujaehun", "network"): (0.18, 0.14, None),
    ("cnn_benchmarks", "device"): (0.12, None, None),
    ("cnn_benchmarks", "network"): (0.12, None, None),
    ("timm_blackwell", "device"): (0.08, 0.06, None),
    ("lamikr", "device"): (0.18, 0.14, None),
    ("people", "device"): (0.08, None, None),
    ("timm_train", "network"): (0.09, 0.07, None),
    ("timm_infer", "network"): (0.08, 0.06, None),
    ("gemm", "device"): (0.10, 0.08, None),
    ("pycls", "network"): (0.07, None, None),
    ("llm_foundry", "network"): (0.10, None, None),
    ("gpt_iteration", "network"): (0.15, None, None),
    ("training_memory", "network"): (0.05, None, None),
}
"""Mean, median and largest error aimed at."""
RIVALS = {
    "lambda": ("Habitat, its own data", 0.118),
    "neusight": ("NeuSight", 0.089),
    "gemm": ("NeuSight", 0.138),
}
_PROGRAMS = (
    "Programs of the same years differ by some 20% on the same kernels, and which one you run is not known: with "
    "this one's own factors known, the error is {fitted}."
)
_KERNELS = (
    "What limits it is the time of single kinds of kernels: with one factor known for each network the error is "
    "{network}."
)
_OWNERS = (
    "Small batches wait for the processor, and which one it was is not published. Two measurements of the same "
    "card and network differ by {noise}."
)
NOTES = {
    "timm_train": _KERNELS,
    "pycls": _PROGRAMS,
    "ryujaehun": _OWNERS,
    "lamikr": _OWNERS,
    "timm_infer": _KERNELS,
    "people": "What limits it is the single card: with one factor known for each the error is {device}.",
    "people_small": "Small batches wait for the processor, and which one it was is not published: with one factor"
    " known for each card, the error is {device}.",
    "tuning": "One of these three programs takes nearly three times as long as the next, which nobody knows "
    "beforehand.",
    "timm_blackwell": "What limits it is the time of single kinds of kernels: with one factor known for each family of "
    "networks the error is {family}.",
    "lambda": "Where the length of a sample is not published, one factor for each task takes its place.",
    "gemm": "The same kernel of a T4 runs at 36 to 65% of its peak: the shorter the measurement, the faster.",
    "gpt_iteration": "Split in ways that the program does not offer; three constants were fitted for it.",
    "training_memory": "Only measurements whose image size is known; with all of them the error is {all}.",
}
"""What has to be known of a set to read its figures."""
_LEAST_TOLD = 0.5
"""Share of the rows whose card or network others must tell for its factor to say something."""
MOST_TIMES = 80
"""Measurements of each set that the picture shows."""
READ = "2026-11-21"
"""The day the measurements were read."""


@dataclass(frozen=True)
class Off:
    """How far off predictions are.

    Attributes:
        logarithms: Of predicted over measured.
        known: What the program would know of each row; None: the interval has the same limits for all.
    """

    logarithms: Floats
    known: Sequence[Knowledge] | None = None

    def of(self, chosen: Sequence[int]) -> "Off":
        """Return some of the rows."""
        return Off(self.logarithms[chosen], None if self.known is None else [self.known[index] for index in chosen])


@dataclass
class Errors:
    """Held-out errors of one set of measurements.

    Attributes:
        said: What the program says.
        untold: What it says without the year of the framework; None: nothing depends on it.
        fitted: Logarithms where the published job's own software, computer and copies are known; None: nothing differs.
        keys: What was left out of the fit for each row: its device, network or fold of networks.
        figures: Shares that the note names.
        measured_s: The times themselves; empty: no times.
        cases: What was asked, row by row; empty: not kept.
    """

    name: str
    held_out: HeldOut
    said: Off
    devices: Sequence[str]
    networks: Sequence[str]
    untold: Off | None = None
    fitted: Floats | None = None
    naive: float | None = None
    rival: tuple[str, float] | None = None
    noise: Noise | None = None
    source: str = ""
    safety: float | None = None
    figures: dict[str, float] | None = None
    measured_s: Sequence[float] = ()
    cases: Sequence[Case] = ()

    @property
    def keys(self) -> Sequence[str]:
        """What tells the portions apart on which the interval is fitted, and scored."""
        return self.devices if self.held_out == "device" else self.networks

    def row(self, portions: dict[str, int], spreads: Sequence[Spread]) -> ValidationRow:
        """Return the figures; each portion of the rows is scored by the interval fitted on the others."""
        off = self.said.logarithms
        ratio = np.exp(off)
        error = np.abs(ratio - 1.0)
        aim, aim_median, aim_largest = AIMS.get((self.name, self.held_out), (None, None, None))
        rival, rival_ratio = self.rival or (None, None)
        known = self._known()
        note, figures = NOTES.get(self.name, ""), self._figures(known)
        return ValidationRow(
            name=self.name,
            title=TITLES[self.name],
            source=self.source or DATA_SETS[self.name],
            date=READ,
            what="time" if self.said.known is not None else "memory",
            held_out=self.held_out,
            rows=len(off),
            devices=len(set(self.devices)),
            networks=len(set(self.networks)),
            error_ratio=rounded(error.mean()),
            median_ratio=rounded(np.median(error)),
            largest_ratio=rounded(error.max()),
            within_10_ratio=rounded((error <= 0.10).mean()),
            within_25_ratio=rounded((error <= 0.25).mean()),
            under_5_ratio=rounded((ratio < 0.95).mean()),
            bound_under_5_ratio=None if self.safety is None else rounded((ratio * self.safety < 0.95).mean()),
            coverage_ratio=rounded(self._inside(self.said, portions, spreads).mean()),
            untold_ratio=None if self.untold is None else mean_error(self.untold.logarithms),
            untold_coverage_ratio=None
            if self.untold is None
            else rounded(self._inside(self.untold, portions, spreads).mean()),
            fitted_ratio=None if self.fitted is None else mean_error(self.fitted),
            device_known_ratio=known.get("device"),
            network_known_ratio=known.get("network"),
            noise_ratio=None if self.noise is None else rounded(self.noise.floor_ratio),
            naive_ratio=None if self.naive is None else rounded(self.naive),
            rival=rival,
            rival_ratio=None if rival_ratio is None else rounded(rival_ratio),
            aim_ratio=aim,
            aim_median_ratio=aim_median,
            aim_largest_ratio=aim_largest,
            note=note,
            note_ratios={name: rounded(value) for name, value in figures.items() if f"{{{name}}}" in note},
        )

    def times(self, spread: Spread) -> HeldOutTimes | None:
        """Return some of the times and what was said of them; None where there are none."""
        if not self.measured_s or self.said.known is None:
            return None
        order = np.argsort(np.asarray(self.measured_s), kind="stable")
        chosen = order[np.unique(np.linspace(0, len(order) - 1, MOST_TIMES).round().astype(int))]
        measured = np.asarray(self.measured_s)[chosen]
        sides = [limits(self.said.known, spread, np.full(len(order), side)) for side in (-1.0, 1.0)]
        width = float(np.median(np.exp(np.mean(sides, axis=0))))
        return HeldOutTimes(
            name=self.name,
            title=TITLES[self.name],
            held_out=self.held_out,
            of_rows=len(order),
            width=float(f"{width:.3g}"),
            measured_s=tuple(float(f"{one:.3g}") for one in measured),
            predicted_s=tuple(float(f"{one:.3g}") for one in measured * np.exp(self.said.logarithms[chosen])),
        )

    def _known(self) -> dict[str, float]:
        """Return the errors that remain when a factor is known for each of what was left out, and for each family.

        What was not left out told its factor in the fit already.
        """
        keys = {"device": self.devices, "network": self.networks}
        own, others = keys[self.held_out], keys["network" if self.held_out == "device" else "device"]
        groups: dict[str, tuple[Floats, NDArray[np.bool_]]] = {}
        groups[self.held_out] = with_factor(self.said.logarithms, own, others)
        if self.cases:
            alike = [family_key(case, network) for case, network in zip(self.cases, self.networks, strict=True)]
            groups["family"] = with_factor(self.said.logarithms, alike, self.networks)
        return {name: mean_error(left) for name, (left, is_told) in groups.items() if is_told.mean() >= _LEAST_TOLD}

    def _figures(self, known: dict[str, float]) -> dict[str, float]:
        """Return the shares that notes may name."""
        fitted = {} if self.fitted is None else {"fitted": mean_error(self.fitted)}
        noise = {} if self.noise is None else {"noise": self.noise.difference_ratio}
        return {**fitted, **known, **noise, **(self.figures or {})}

    def widths(self, off: Off, portions: dict[str, int], spreads: Sequence[Spread]) -> Floats:
        """Return how far each row may be off, on its side, by the interval fitted on the other portions."""
        portion, result = self._portion(portions), np.zeros(len(off.logarithms))
        for own, spread in enumerate(spreads):
            chosen = np.flatnonzero(portion == own)
            result[chosen] = limits(off.of(chosen.tolist()).known or (), spread, off.logarithms[chosen])
        return result

    def _portion(self, portions: dict[str, int]) -> NDArray[np.intp]:
        return np.array([portions[key] for key in self.keys])

    def _inside(self, off: Off, portions: dict[str, int], spreads: Sequence[Spread]) -> NDArray[np.bool_]:
        if off.known is not None:
            return np.asarray(np.abs(off.logarithms) <= self.widths(off, portions, spreads))
        portion, inside = self._portion(portions), np.zeros(len(off.logarithms), dtype=bool)
        for own in range(len(spreads)):
            chosen = np.flatnonzero(portion == own)
            low, high = np.quantile(off.logarithms[portion != own], (0.1, 0.9))
            inside[chosen] = (low <= off.logarithms[chosen]) & (off.logarithms[chosen] <= high)
        return inside


def family_key(case: Case, network: str) -> Hashable:
    """Return what measurements of similar networks on one card have in common."""
    job = case.workload
    return case.device.name, family_name(network), job.precision, job.task, job.channels_last


def family_name(network: str) -> str:
    """Return the first word of a network's name, which it shares with its other sizes."""
    found = re.match(r"[a-z]+", network.removeprefix("tf_"))
    return network if found is None else found[0]


def with_factor(
    off: Floats, groups: Sequence[Hashable], others: Sequence[Hashable] | None = None
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the errors that remain when one factor for each group is known, and which rows have any to tell it.

    It is the middle of the other rows of the group: of those that differ in what ``others`` names, where anything does.
    """
    left, is_told = off.copy(), np.zeros(len(off), dtype=bool)
    members: dict[Hashable, list[int]] = defaultdict(list)
    for index, group in enumerate(groups):
        members[group].append(index)
    apart: Sequence[Hashable] = others if others is not None and len(set(others)) > 1 else range(len(off))
    for rows in members.values():
        for index in rows:
            elsewhere = [off[other] for other in rows if apart[other] != apart[index]]
            if elsewhere:
                left[index], is_told[index] = off[index] - np.median(elsewhere), True
    return left, is_told


def mean_error(off: Floats) -> float:
    """Return the mean of |predicted / measured - 1|."""
    return rounded(np.abs(np.exp(off) - 1.0).mean())


def rounded(value: float) -> float:
    """Return a number to four figures."""
    return float(f"{float(value):.4g}")
