"""The program's own model of time, evaluated for many measured cases at once, as a function of its constants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.predict.coefficients import time_coefficients
from advisor.predict.timing.device_rates import (
    EARLY_UNITS,
    gap_age,
    has_fast_link,
    host_age,
    host_kind,
    limiting_units,
    peaks,
    width_ratio,
)
from advisor.predict.timing.families import class_of, family_of
from advisor.predict.timing.kernels import (
    CLASSES,
    CONV,
    DEPTHWISE,
    GROUPED,
    HALF,
    MODES,
    OTHER,
    VECTOR,
    KernelConstants,
    Machines,
    limited_rate,
    operation_seconds,
)
from advisor.predict.timing.network_factors import network_key
from advisor.predict.timing.optimizer_work import FUSED_BYTES, clearing_kernels, optimizer_bytes, optimizer_kernels
from advisor.predict.timing.step_time import joined_s
from advisor.predict.timing.step_work import (
    APPLIED,
    KINDS,
    REDUCED,
    LaunchWeights,
    as_arrays,
    launches,
    row,
    runs,
    weight_conversions,
)
from advisor.records.hardware.device import Device
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
MEMORY_KINDS = (
    "elementwise",
    "normalization",
    APPLIED,
    "softmax",
    "pooling",
    "embedding",
    "reduction",
    "copy",
    "loss",
    "depthwise_conv",
)
NO_LIMIT = 1e18
"""Rate of a multiprocessor in plain fp32, whose units read single numbers."""
FITTED_CLASSES = ("gemm", "conv", "grouped", "attention")
SPREAD = 0.12
"""Residuals are in units of this (of the logarithm); beyond it a case counts as an outlier and pulls less."""

NO_NETWORKS = ("apple", "best_gemm", "elementwise", "gemm", "llm_foundry")
"""Sources that measured single operations, or sizes of one network whose factor is that of their program."""

MACHINE_SPREAD = {
    "ryujaehun": 0.2,
    "u39kun": 0.1,
    "cnn_benchmarks": 0.06,
    "pycls": 0.1,
    "timm": 0.1,
    "lamikr": 0.2,
}
"""Of the logarithm of the factor of one computer, by data set: small where machines were set up with care."""

WIDTHS = ("full", "half")
DEVICE_SPREAD = 0.1
"""Of the logarithm of the factor of one device in jobs: clocks, cooling and libraries beyond what its figures say."""
NETWORK_SPREAD = {"full": 0.07, "half": 0.15}
"""Of the logarithm of the factor of one network, by width: what kernels of its shapes take beyond what the model says.

Wide in 16 bit, where the residual of a network on one card recurs on the next.
"""

WAITING_RATIO = 0.03
"""Share of a published job's time in which the device waits for samples or for the program, before fitting."""

DISPATCH_FALL = 0.085
"""What one thread of a desktop processor gains a year, as a logarithm: data beside
younger processors are few, so that it is hardly fitted.

PassMark's mark of one thread: Core i9-9900K (2018) 2,899, Ryzen 5 5600X (2020) 3,495. Sources: theinquirer.net, 2019-07;
game-debate.com, 2020-10.
"""

RECENT_SINCE = 2022
"""First year of the frameworks that people run today; the years before are those of other generations in ``export``."""

GFLOP_PER_J: dict[str, tuple[float, float, float]] = {
    "kepler": (16, 16, 16),
    "maxwell": (28, 28, 28),
    "pascal": (58, 58, 58),
    "volta": (58, 58, 450),
    "turing": (58, 58, 450),
    "ampere_hbm": (110, 550, 1150),
    "ampere": (110, 210, 440),
    "ada": (230, 400, 850),
    "hopper": (170, 700, 1400),
    "blackwell_hbm": (180, 950, 1900),
    "blackwell": (240, 470, 940),
    "gcn": (40, 40, 65),
    "cdna": (95, 95, 600),
    "rdna": (130, 130, 260),
    "intel_gpu": (85, 85, 320),
    "gaudi": (300, 300, 700),
    "apple": (400, 400, 400),
    "tpu": (500, 500, 500),
    "cpu": (1e6, 1e6, 1e6),
    "other": (80, 150, 400),
}
"""What a family computes per joule at its power limit, by mode, before fitting.

Equal for families of one process: 16 and 12 nm (Pascal, Volta, Turing), 8 nm (Ampere), 7 nm (A100), 4 and 5 nm (Ada,
Hopper, Blackwell). Levels: data-sheet peaks over power of parts that are known to hold them.
"""
PROCESS = {
    "pascal": "16nm",
    "volta": "16nm",
    "turing": "16nm",
    "ampere_hbm": "7nm",
    "cdna": "7nm",
    "ampere": "8nm",
    "ada": "4nm",
    "hopper": "4nm",
    "blackwell": "4nm",
    "blackwell_hbm": "4nm",
}
"""Families of one process share what their arithmetic per joule differs from the values before fitting."""
BANDWIDTH = {
    "maxwell": 0.75,
    "pascal": 0.75,
    "volta": 0.88,
    "turing": 0.75,
    "ampere_hbm": 0.86,
    "ampere": 0.85,
    "ada": 0.85,
    "hopper": 0.85,
    "cdna": 0.75,
    "cpu": 0.7,
}
BATCHED_TILE = {
    **dict.fromkeys(("kepler", "maxwell", "pascal"), (64, 128)),
    **dict.fromkeys(("ampere_hbm", "ampere"), (128, 128)),
}
"""Height and width of the only tile cuBLAS takes for batched fp32 products, from the kernel names NeuSight recorded: on
P4 and P100 for all but 34 of 10,874 products, on the A100 for all but 18 of 5,461; on V100, T4 and H100 there are many."""
OLD_KERNELS = ("kepler", "maxwell", "pascal")
"""Families whose fp32 products run kernels written for Maxwell, which read their tiles again more often."""
MATRIX_FP32 = {"CDNA 1.0": 2.0, "CDNA 2.0": 2.0}
CLASS_SHARE: dict[str, tuple[float, float, float]] = {
    "halved": (1.0, 1.06, 1.06),
    "full": (1.0, 0.75, 0.78),
    "laptop": (1.3, 1.4, 1.4),
    "processor": (1.0, 1.0, 1.0),
    "radeon": (0.8, 0.8, 0.8),
    "other": (1.0, 0.8, 0.8),
}
"""Of the peak, by mode, before fitting: what best products reach on cards whose power does not hold them back."""
CLASS_SPREAD = {"halved": 0.1, "full": 0.1, "laptop": 0.2, "processor": 1e-6, "radeon": 0.2, "other": 0.2}
FREE_FAMILIES = {"apple": 0.4, "cdna": 0.3, "cpu": 0.05}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One measured time and what was run.

    Attributes:
        software: Group of programs that share launch costs and a factor.
        scale: Task the length of whose samples is not published, so that it is fitted; empty: none.
        machine: The computer it was measured in, which has a factor of its own: cooling, clocks, processor, driver.
        copied_bytes: What the measured program moved to the device within the step.
        overhead: A single kernel, timed with the overhead of timing.
        is_best: The best rate of large products: what the rule for devices nobody measured is fitted on.
        count, parts: Devices, and micro-batches of a step; the time is that of one micro-batch.
    """

    source: str
    network: Network
    workload: Workload
    device: Device
    time_s: float
    model: str = ""
    software: str = "eager"
    scale: str = ""
    machine: str = ""
    copied_bytes: float = 0.0
    overhead: bool = False
    is_best: bool = False
    weight: float = 1.0
    count: int = 1
    parts: int = 1

    @property
    def is_job(self) -> bool:
        """Whether a whole job was measured on an accelerator, not a single kernel."""
        return not (self.overhead or self.is_best or self.device.device_class == "cpu")

    @property
    def network_key(self) -> str:
        """Name of the network's factor; empty: it has none, because its samples or the kernel have one of their own."""
        has_one = not (self.scale or not self.is_job or self.source in NO_NETWORKS)
        return network_key(self.network) if has_one else ""


def width_of(case: Case) -> str:
    """Return which of ``WIDTHS`` the numbers of a case have."""
    return WIDTHS[int(case.workload.precision in REDUCED)]


class Parameters:
    """Named positive parameters; each with a prior value and a spread of its logarithm."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.index: dict[str, int] = {}
        self._prior: list[float] = []
        self._sigma: list[float] = []

    def add(self, name: str, value: float, spread: float) -> None:
        """Add a parameter."""
        self.index[name] = len(self.names)
        self.names.append(name)
        self._prior.append(float(np.log(value)))
        self._sigma.append(spread)

    def change(self, name: str, value: float, spread: float) -> None:
        """Give a parameter another prior."""
        self._prior[self.index[name]] = float(np.log(value))
        self._sigma[self.index[name]] = spread

    @property
    def prior(self) -> Floats:
        """Logarithms of the prior values."""
        return np.array(self._prior)

    @property
    def sigma(self) -> Floats:
        """Spreads of the logarithms."""
        return np.array(self._sigma)

    def value(self, x: Floats) -> Callable[[str], float]:
        """Return the function from name to value at a point."""
        return lambda name: float(np.exp(x[self.index[name]]))

    def named(self, x: Floats) -> dict[str, float]:
        """Return all values at a point by name."""
        return dict(zip(self.names, np.exp(x).tolist(), strict=True))

    def start(self, known: dict[str, float]) -> Floats:
        """Return the prior, with what is known of an earlier fit."""
        return np.array([np.log(known[n]) if n in known else p for n, p in zip(self.names, self._prior, strict=True)])


def parameters(cases: Sequence[Case]) -> Parameters:
    """Return the parameters that matter to the cases."""
    p = Parameters()
    _add_kernels(p)
    _add_rates(p, sorted({family_of(case.device) for case in cases}))
    for key, width in sorted({(case.network_key, width_of(case)) for case in cases if case.network_key}):
        p.add(f"net/{key}/{width}", 1.0, NETWORK_SPREAD[width])
    for scale in sorted({case.scale for case in cases if case.scale}):
        p.add(f"scale/{scale}", 1.0, 3.0)
        p.add(f"launches/{scale}", 1.0, 0.5)
        p.add(f"wait_s/{scale}", WAITING_RATIO * _usual_sample_s(cases, scale), 1.0)
        for precision in ("amp", "tf32", "fp32"):
            p.add(f"scale/{scale}/{precision}", 1.0, 0.08)
    for machine in sorted({case.machine for case in cases if case.machine}):
        spread = MACHINE_SPREAD[machine.split("/")[0]]
        p.add(f"machine/{machine}", 1.0, spread)
        p.add(f"machine_half/{machine}", 1.0, spread / 2)
    for name, width in sorted({(case.device.name, width_of(case)) for case in cases if case.is_job}):
        p.add(f"device/{name}/{width}", 1.0, DEVICE_SPREAD)
    p.add("copy_bytes_per_s", 5.0e9, 0.4)
    p.add("copy_gain", 2.0, 0.15)
    for software in sorted({case.software for case in cases}):
        p.add(f"dispatch/{software}", 1.0, 0.2)
        p.add(f"soft/{software}", 1.0, 0.1)
        p.add(f"soft_half/{software}", 1.0, 0.1)
    return p


def _add_rates(p: Parameters, families: Sequence[str]) -> None:
    """Add the rates of families, processes and classes of devices."""
    for family in families:
        for index, mode in enumerate(MODES):
            p.add(f"fam/{family}/{mode}", 1.0, FREE_FAMILIES.get(family, 0.05))
            p.add(f"joule/{family}/{mode}", GFLOP_PER_J[family][index] * 1e9, 0.12 if family in PROCESS else 0.25)
        p.add(f"width/{family}", BANDWIDTH.get(family, 0.8), 0.25 if family in ("apple", "cpu") else 0.05)
    for process in sorted(set(PROCESS.values())):
        for mode in MODES:
            p.add(f"process/{process}/{mode}", 1.0, 0.25)
    for name, shares in CLASS_SHARE.items():
        for mode, share in zip(MODES, shares, strict=True):
            p.add(f"class/{name}/{mode}", share, CLASS_SPREAD[name])
    p.add("laptop_power", 1.6, 0.3)
    for mode in MODES:
        p.add(f"best/{mode}", 1.05, 0.1)


def _usual_sample_s(cases: Sequence[Case], scale: str) -> float:
    return float(np.median([case.time_s / case.workload.batch_size for case in cases if case.scale == scale]))


def _add_kernels(p: Parameters) -> None:
    for mode, base in zip(MODES, (0.9, 0.88, 0.88), strict=True):
        p.add(f"eff/gemm/{mode}", base, 0.1)
        p.add(f"eff/conv/{mode}", base * 0.85, 0.25)
        p.add(f"eff/grouped/{mode}", base * (0.6 if mode == "vector" else 0.2), 0.5)
        p.add(f"eff/attention/{mode}", base * 0.5, 0.3)
        p.add(f"back/gemm/{mode}", 1.0, 0.05)
        p.add(f"back/conv/{mode}", 0.9, 0.15)
        p.add(f"back/grouped/{mode}", 0.8, 0.3)
        p.add(f"back/attention/{mode}", 0.8, 0.15)
    for kind in MEMORY_KINDS:
        start = {"normalization": 1.4, "softmax": 1.25, "depthwise_conv": 2.0}.get(kind, 1.0)
        p.add(f"passes/{kind}", start, 0.6 if kind in ("depthwise_conv", "pooling", APPLIED) else 0.2)
    for name, value, spread in (
        ("eff/depthwise", 0.15, 0.7),
        ("eff/other", 0.15, 0.7),
        ("grouped_uneven", 1.5, 0.6),
        ("grouped_uneven_backward", 2.0, 0.6),
        ("grouped_width", 0.3, 0.8),
        ("unaligned/tf32", 1.5e12, 0.5),
        ("unaligned/half", 3.0e12, 0.5),
        ("winograd", 2.5, 0.3),
        ("winograd_traffic", 2.0, 0.5),
        ("tile_64", 0.9, 0.1),
        ("tile_32", 0.6, 0.2),
        ("prologue", 20.0, 0.5),
        ("prologue_conv", 60.0, 0.6),
        ("tile_s", 1.0e-6, 0.7),
        ("tile_conv_s", 1.0e-6, 0.7),
        ("fill_conv", 1.5, 0.4),
        ("last_wave", 0.6, 0.3),
        ("split_length", 400.0, 0.5),
        ("split_most", 12.0, 0.5),
        ("depthwise_backward", 1.5, 0.5),
        ("depthwise_half", 1.0, 0.4),
        ("channels_last/conv", 0.83, 0.2),
        ("channels_last/grouped", 1.0, 0.4),
        ("channels_last/depthwise", 1.0, 0.4),
        ("channels_last/other", 1.0, 0.15),
        ("half_without_units", 1.1, 0.2),
        ("cache_gain", 1.0, 0.5),
        ("reread", 1.5, 0.5),
        ("reread_batched", 0.2, 0.5),
        ("reread_cache", 100.0, 0.7),
        ("reread_old", 2.0, 0.4),
        ("overlap", 2.5, 0.3),
        ("unit_bytes_per_s", 3e10, 0.7),
        ("unit_half_flop_per_s", 4e12, 0.7),
        ("gap_s", 3e-6, 0.25),
        ("dispatch", 1.0e-5, 0.7),
        ("dispatch_back", 1.5, 0.5),
        ("dispatch_back/recent", 1.0, 0.5),
        ("dispatch_fall", DISPATCH_FALL, 0.03),
        ("host/laptop", 1.2, 0.2),
        ("host/rocm", 1.2, 0.2),
        ("launch/product", 1.5, 0.4),
        ("launch/normalization", 1.5, 0.4),
        ("launch/backward", 0.5, 0.4),
        ("optimizer_passes", 1.1, 0.2),
        ("limit", 12.0, 0.2),
        ("wide_units", 0.85, 0.15),
        ("static_w", 20.0, 0.25),
        ("measuring_s", 3.0e-5, 0.3),
    ):
        p.add(name, value, spread)


def constants_of(p: Parameters, x: Floats) -> KernelConstants:
    """Return the program's constants of kernels at a point."""
    g = p.value(x)
    efficiency, backward = np.ones((len(CLASSES), 3)), np.ones((len(CLASSES), 3))
    for index, name in enumerate((*FITTED_CLASSES, "gemm")):
        efficiency[index] = [g(f"eff/{name}/{mode}") for mode in MODES]
        backward[index] = [g(f"back/{name}/{mode}") for mode in MODES]
    passes = np.ones(len(KINDS))
    for kind in MEMORY_KINDS:
        passes[KINDS.index(kind)] = g(f"passes/{kind}")
    for index, name in ((DEPTHWISE, "depthwise"), (OTHER, "other")):
        efficiency[index] = g(f"eff/{name}")
    plain, conv, fill = g("prologue"), g("prologue_conv"), g("fill_conv")
    tile, tile_conv = g("tile_s"), g("tile_conv_s")
    last = {name: g(f"channels_last/{name}") for name in ("conv", "grouped", "depthwise", "other")}
    return KernelConstants(
        efficiency=efficiency,
        backward=backward,
        grouped_uneven=g("grouped_uneven"),
        grouped_uneven_backward=g("grouped_uneven_backward"),
        grouped_width=g("grouped_width"),
        winograd=g("winograd"),
        winograd_traffic=g("winograd_traffic"),
        tile_64=g("tile_64"),
        tile_32=g("tile_32"),
        prologue=np.array([plain, conv, conv, plain, plain, 0.0, 0.0]),
        tile_s=np.array([tile, tile_conv, tile_conv, tile, tile, 0.0, 0.0]),
        fill=np.array([1.0, fill, fill, 1.0, 1.0, 1.0, 1.0]),
        last_wave=g("last_wave"),
        split_length=g("split_length"),
        split_most=g("split_most"),
        passes=passes,
        unaligned=np.array([NO_LIMIT, g("unaligned/tf32"), g("unaligned/half")]),
        depthwise_backward=g("depthwise_backward"),
        depthwise_half=g("depthwise_half"),
        channels_last=np.array([last.get(name, 1.0) for name in CLASSES]),
        half_without_units=g("half_without_units"),
        cache_gain=g("cache_gain"),
        reread=g("reread"),
        reread_batched=g("reread_batched"),
        reread_cache=g("reread_cache"),
        overlap=g("overlap"),
        unit_bytes_per_s=g("unit_bytes_per_s"),
        unit_half_flop_per_s=g("unit_half_flop_per_s"),
    )


class Batch:
    """Many cases, flattened into arrays over their operations, for a quick evaluation at many points."""

    def __init__(self, cases: Sequence[Case], p: Parameters) -> None:
        self.cases, self.p = list(cases), p
        self._flatten()
        self._devices([case.device for case in cases])
        half = np.array([case.workload.precision in REDUCED for case in cases])
        exact = np.array([case.workload.precision == "fp32" and case.software != "kernel" for case in cases])
        tf32 = np.array([case.workload.precision == "tf32" for case in cases])
        convolution = np.isin(self.work.group, (CONV, GROUPED))
        every, owner = np.ones(len(self.owner), dtype=bool), self.owner
        self.allowed = (every, tf32[owner] | (convolution & exact[owner]), half[owner])
        self.half = half
        self.time = np.array([case.time_s for case in cases])
        self.overhead = np.array([case.overhead for case in cases])
        self.weight = np.array([case.weight for case in cases])
        self.optimizer = np.array([_optimizer_bytes(case) for case in cases])
        self.updates = np.array([optimizer_kernels(case.network, case.workload) for case in cases])
        self.cleared = np.array([clearing_kernels(case.network, case.workload) for case in cases])
        self.batch = np.array([float(case.workload.batch_size) for case in cases])
        self.copied = np.array([case.copied_bytes for case in cases])
        self.is_fast_link = np.array([has_fast_link(case.device) for case in cases])
        self.host_age = np.array([host_age(case.device) for case in cases])
        self.gap_age = np.array([gap_age(case.device) for case in cases])
        self.is_recent = np.array([is_recent(case.workload.framework_year) for case in cases])
        self.is_amd = np.array([case.device.vendor == "amd" for case in cases])
        self._indices()

    def _flatten(self) -> None:
        found, owner = [], []
        for index, case in enumerate(self.cases):
            batch = float(case.workload.batch_size)
            own = [row(o, case.workload, batch) for o in case.network.operations if runs(o, case.workload)]
            own += weight_conversions(case.network, case.workload)
            found.extend(own)
            owner.extend([index] * len(own))
        self.work, self.owner = as_arrays(found), np.array(owner)
        count = len(self.cases)
        ones = (LaunchWeights(*weights) for weights in np.eye(3))
        none = launches(self.work, LaunchWeights(0.0, 0.0, 0.0))
        self.launched = [
            [np.bincount(self.owner, part, count) for part in found]
            for found in (none, *(launches(self.work, one) for one in ones))
        ]

    def _devices(self, devices: Sequence[Device]) -> None:
        self.peaks = np.array([peaks(device) for device in devices]).T
        self.matrix = np.array([MATRIX_FP32.get(device.architecture, 1.0) for device in devices])
        self.bandwidth = np.array([device.bandwidth_bytes_per_s or 0.0 for device in devices])
        self.wide = np.array([width_ratio(device) for device in devices])
        self.units = np.array([float(device.multiprocessors or 60) for device in devices])
        self.limiting = np.array([limiting_units(device) for device in devices])
        self.cache = np.array([float(device.l2_bytes or 4e6) for device in devices])
        self.power = np.array([device.power_w or 300.0 for device in devices])
        self.classes = [class_of(device) for device in devices]
        self.is_laptop = np.array([name == "laptop" for name in self.classes])
        plateaus, unknown = time_coefficients().plateaus, (0.0, 0.0, 0.0)
        known = [unknown if case.is_best else plateaus.get(case.device.name, unknown) for case in self.cases]
        self.measured = self.peaks * np.array(known).T
        self.families = [family_of(device) for device in devices]
        self.tile = np.array([BATCHED_TILE.get(family, (0, 0)) for family in self.families], dtype=float)
        self.is_old = np.array([family in OLD_KERNELS for family in self.families])
        self.is_early = np.array([float(family in EARLY_UNITS) for family in self.families])
        self.is_processor = np.array([family == "cpu" for family in self.families])

    def _indices(self) -> None:
        index, cases = self.p.index, self.cases
        kinds = [host_kind(case.device) for case in cases]
        self.host = np.array([index.get(f"host/{kind}", -1) for kind in kinds])
        self.fam = {m: np.array([index[f"fam/{f}/{m}"] for f in self.families]) for m in MODES}
        self.joule = {m: np.array([index[f"joule/{f}/{m}"] for f in self.families]) for m in MODES}
        self.process = {
            m: np.array([index.get(f"process/{PROCESS.get(f)}/{m}", -1) for f in self.families]) for m in MODES
        }
        self.share = {m: np.array([index[f"class/{c}/{m}"] for c in self.classes]) for m in MODES}
        modes = [MODES[_mode_of(case)] for case in cases]
        self.best = np.array([index[f"best/{m}"] if case.is_best else -1 for m, case in zip(modes, cases, strict=True)])
        self.width = np.array([index[f"width/{f}"] for f in self.families])
        self.soft = {
            key: np.array([index[f"{key}/{case.software}"] for case in cases])
            for key in ("dispatch", "soft", "soft_half")
        }
        self.machine = np.array([index.get(f"machine/{case.machine}", -1) for case in cases])
        self.machine_half = np.array([index.get(f"machine_half/{case.machine}", -1) for case in cases])
        names = [f"device/{case.device.name}/{width_of(case)}" if case.is_job else "" for case in cases]
        self.device = np.array([index.get(name, -1) for name in names])
        keys = [f"net/{case.network_key}/{width_of(case)}" for case in cases]
        self.net = np.array([index.get(key, -1) for key in keys])
        self.wait = np.array([index.get(f"wait_s/{case.scale}", -1) for case in cases])
        self.launches = np.array([index.get(f"launches/{case.scale}", -1) for case in cases])
        self.scale = np.array([index.get(f"scale/{case.scale}", -1) for case in cases])
        self.scale_at = np.array([index.get(f"scale/{c.scale}/{c.workload.precision}", -1) for c in cases])

    @property
    def apart(self) -> list[Indices]:
        """Parameters of which each case has one at most: by case, or -1; see ``solver.derivative``."""
        by_mode = [kind[mode] for kind in (self.fam, self.joule, self.process, self.share) for mode in MODES]
        others = (
            self.best,
            self.net,
            self.device,
            self.machine,
            self.machine_half,
            self.wait,
            self.launches,
            self.scale,
            self.scale_at,
        )
        return [*by_mode, self.width, *self.soft.values(), *others]

    def parts(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Return by case the device's time, the processor's time to launch, and the share of convolutions."""
        v, o, count = np.exp(x), self.owner, len(self.cases)
        seconds, _, _ = operation_seconds(self.work, self.allowed, self._machines(x), constants_of(self.p, x))
        device_s = np.bincount(o, seconds, count)
        convolution = np.bincount(o, seconds * (self.work.group <= GROUPED) * (self.work.group > 0), count) / device_s
        device_s = device_s * v[self.soft["soft"]] * np.where(self.half, v[self.soft["soft_half"]], 1.0)
        device_s = device_s / np.where(self.best >= 0, v[self.best], 1.0)
        device_s = device_s * np.where(self.net >= 0, v[self.net], 1.0)
        device_s = device_s * np.where(self.device >= 0, v[self.device], 1.0)
        device_s = device_s * np.where(self.machine >= 0, v[self.machine], 1.0)
        device_s = device_s * np.where(self.half & (self.machine_half >= 0), v[self.machine_half], 1.0)
        optimizer = self.optimizer / (self.bandwidth * v[self.width]) * v[self.p.index["optimizer_passes"]]
        launch_s = np.where(self.launches >= 0, v[self.launches], 1.0)
        launch_s = launch_s * np.exp(v[self.p.index["dispatch_fall"]] * self.host_age)
        launch_s = launch_s * np.where(self.host >= 0, v[self.host], 1.0)
        launch_s = launch_s * np.where(self.is_amd, v[self.p.index["host/rocm"]], 1.0)
        launched = self._launches(v)
        launch_s = launch_s * v[self.p.index["dispatch"]] * v[self.soft["dispatch"]] * launched
        scale = np.where(self.scale >= 0, v[self.scale], 1.0) * np.where(self.scale_at >= 0, v[self.scale_at], 1.0)
        return (device_s + optimizer) * scale, np.where(self.is_processor, 0.0, launch_s * scale), convolution

    def _launches(self, v: Floats) -> Floats:
        """Return how many launches of a simple operation those of each case cost alike."""
        weights = [v[self.p.index[f"launch/{name}"]] for name in ("product", "normalization", "backward")]
        simple = self.launched[0]
        forward, backward = (
            simple[index]
            + sum(w * (one[index] - simple[index]) for w, one in zip(weights, self.launched[1:], strict=True))
            for index in range(2)
        )
        backward = backward + self.cleared * weights[2]
        recent = np.where(self.is_recent, v[self.p.index["dispatch_back/recent"]], 1.0)
        return np.asarray(forward + backward * v[self.p.index["dispatch_back"]] * recent + self.updates)

    def _machines(self, x: Floats) -> Machines:
        v, o, p = np.exp(x), self.owner, self.p
        power = np.maximum(self.power - v[p.index["static_w"]], 0.3 * self.power)
        power = power * np.where(self.is_laptop, v[p.index["laptop_power"]], 1.0)
        plateau = np.zeros((len(MODES), len(o)))
        for index, mode in enumerate(MODES):
            gain = self.matrix if index == 0 else 1.0
            reached = limited_rate(
                np.maximum(self.peaks[index] * gain * v[self.share[mode]], 1.0),
                power * v[self.joule[mode]] * np.where(self.process[mode] >= 0, v[self.process[mode]], 1.0) * gain,
                v[p.index["limit"]],
            )
            if index == VECTOR:
                reached = reached * (1.0 - self.wide * (1.0 - v[p.index["wide_units"]]))
            reached = np.where(self.measured[index] > 0.0, self.measured[index], reached)
            plateau[index] = (reached * v[self.fam[mode]])[o]
        return Machines(
            plateau_flop_per_s=plateau,
            units=self.units[o],
            limiting_units=self.limiting[o],
            bytes_per_s=(self.bandwidth * v[self.width])[o],
            cache_bytes=self.cache[o],
            gap_s=(v[p.index["gap_s"]] * np.exp(v[p.index["dispatch_fall"]] * self.gap_age))[o],
            batched_height=self.tile[o, 0],
            batched_width=self.tile[o, 1],
            reread=np.where(self.is_old, v[p.index["reread_old"]], 1.0)[o],
            has_half=(self.peaks[2] > 0)[o],
            is_early=self.is_early[o],
        )

    def seconds(self, x: Floats) -> Floats:
        """Return the predicted time of each case."""
        device_s, launch_s, _ = self.parts(x)
        whole = joined_s(device_s, launch_s)
        gain = np.where(self.is_fast_link, np.exp(x[self.p.index["copy_gain"]]), 1.0)
        whole = whole + self.copied / (np.exp(x[self.p.index["copy_bytes_per_s"]]) * gain)
        whole = whole + np.where(self.wait >= 0, np.exp(x[self.wait]) * self.batch, 0.0)
        seconds: Floats = np.where(self.overhead, device_s + np.exp(x[self.p.index["measuring_s"]]), whole)
        return seconds

    def residuals(self, x: Floats) -> Floats:
        """Return logarithms of predicted over measured time, weighted, in units of ``SPREAD``."""
        return np.asarray(np.log(self.seconds(x) / self.time) * self.weight / SPREAD)


def is_recent(year: int | None) -> bool:
    """Return whether launches of backward take what they do since ``RECENT_SINCE``; None: the framework is of today."""
    return year is None or year >= RECENT_SINCE


def _optimizer_bytes(case: Case) -> float:
    if case.workload.task == "infer":
        return 0.0
    is_processor = case.device.device_class == "cpu"
    per_parameter = FUSED_BYTES[case.workload.optimizer] if is_processor else optimizer_bytes(case.workload)
    return per_parameter * case.network.trainable_parameters / case.count / case.parts


def _mode_of(case: Case) -> int:
    return HALF if case.workload.precision in REDUCED else int(case.workload.precision == "tf32")
