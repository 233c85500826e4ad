"""The program's own model of time, evaluated for many measured cases at once, as a function of its constants."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from advisor.predict.families import family_of
from advisor.predict.kernels import HALF, MODES, TF32, VECTOR, KernelConstants, KernelWork, Machines, limited_rate, operation_seconds
from advisor.predict.work import KINDS, as_arrays, row, runs, weight_conversions
from advisor.records.device import Device
from advisor.records.work import Network
from advisor.records.workload import Workload

Floats = np.ndarray
MEMORY_KINDS = ("elementwise", "normalization", "softmax", "pooling", "embedding", "reduction", "copy", "loss", "depthwise_conv")
CLASSES = ("gemm", "conv", "grouped", "attention")


@dataclass(frozen=True, kw_only=True)
class Case:
    """One measured time and what was run."""

    source: str
    network: Network
    workload: Workload
    device: Device
    time_s: float
    software: str = "eager"
    model: str = ""
    overhead: bool = False
    weight: float = 1.0


class Parameters:
    """Named positive parameters with a prior value and a spread of their logarithm."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.prior: list[float] = []
        self.sigma: list[float] = []
        self.index: dict[str, int] = {}

    def add(self, name: str, value: float, spread: float) -> None:
        self.index[name] = len(self.names)
        self.names.append(name)
        self.prior.append(np.log(value))
        self.sigma.append(spread)

    def arrays(self):
        return np.array(self.prior), np.array(self.sigma)


# GFLOP per joule that a family reaches at its power limit, by mode: prior from the process it is made in
JOULE = {
    "kepler": (14, 14, 14), "maxwell": (26, 26, 26), "pascal": (40, 40, 40), "volta": (65, 65, 450), "turing": (60, 60, 420),
    "ampere_hbm": (120, 550, 1150), "ampere": (105, 210, 420), "ada": (170, 390, 780), "hopper": (120, 700, 1350),
    "blackwell_hbm": (140, 950, 1900), "blackwell": (190, 470, 940), "gcn": (35, 35, 60), "cdna": (90, 90, 600), "rdna": (130, 130, 260),
    "intel_gpu": (80, 80, 300), "gaudi": (300, 300, 700), "apple": (300, 300, 300), "tpu": (500, 500, 500), "cpu": (60, 60, 60), "other": (80, 150, 400),
}
BANDWIDTH = {"pascal": .75, "maxwell": .75, "volta": .88, "turing": .75, "ampere_hbm": .86, "ampere": .85, "ada": .85, "hopper": .85, "cdna": .75}


def parameters(families: Sequence[str], softwares: Sequence[str]) -> Parameters:
    p = Parameters()
    for mode, base in zip(MODES, (0.9, 0.7, 0.65), strict=True):
        p.add(f"eff/gemm/{mode}", base, 0.1)
        p.add(f"eff/conv/{mode}", base * 0.85, 0.25)
        p.add(f"eff/grouped/{mode}", base * (0.6 if mode == "vector" else 0.2), 0.5)
        p.add(f"eff/attention/{mode}", base * 0.5, 0.3)
        p.add(f"back/gemm/{mode}", 1.0, 0.05)
        p.add(f"back/conv/{mode}", 0.9, 0.15)
        p.add(f"back/grouped/{mode}", 0.8, 0.3)
        p.add(f"back/attention/{mode}", 0.8, 0.15)
    p.add("winograd", 1.6, 0.2)
    p.add("tile_64", 0.9, 0.1)
    p.add("tile_32", 0.6, 0.2)
    p.add("prologue", 20.0, 0.5)
    p.add("last_wave", 0.6, 0.3)
    p.add("split_length", 400.0, 0.5)
    p.add("split_most", 12.0, 0.5)
    for kind in MEMORY_KINDS:
        p.add(f"passes/{kind}", {"normalization": 1.4, "softmax": 1.25, "depthwise_conv": 2.0}.get(kind, 1.0), 0.6 if kind == "depthwise_conv" else 0.2)
    p.add("passes/depthwise_back", 1.5, 0.5)
    p.add("cache_gain", 1.0, 0.5)
    p.add("overlap", 2.5, 0.3)
    p.add("channels_last", 1.2, 0.2)
    p.add("gap_s", 3e-6, 0.25)
    p.add("prologue_conv", 60.0, 0.6)
    p.add("fill_conv", 1.5, 0.4)
    p.add("nhwc/grouped", 1.0, 0.4)
    p.add("nhwc/depthwise", 1.0, 0.4)
    p.add("nhwc/pass", 1.0, 0.15)
    p.add("half/depthwise", 1.0, 0.4)
    p.add("slow_half", 1.1, 0.2)
    p.add("optimizer_passes", 1.1, 0.2)
    p.add("limit", 4.0, 0.2)
    p.add("measuring_s", 3.0e-5, 0.3)
    for family in families:
        for index, mode in enumerate(MODES):
            p.add(f"fam/{family}/{mode}", 1.0, 0.1)
            p.add(f"joule/{family}/{mode}", JOULE[family][index] * 1e9, 0.25)
        p.add(f"width/{family}", BANDWIDTH.get(family, 0.8), 0.05)
    for software in softwares:
        p.add(f"dispatch/{software}", 1.0e-5, 0.5)
        p.add(f"dispatch_back/{software}", 1.5, 0.3)
        p.add(f"soft/{software}", 1.0, 0.1)
        p.add(f"soft_half/{software}", 1.0, 0.1)
    return p


def constants_of(p: Parameters, x: Floats) -> KernelConstants:
    v = np.exp(x)
    g = lambda name: float(v[p.index[name]])
    efficiency = np.ones((7, 3)); backward = np.ones((7, 3))
    for c, name in enumerate(("gemm", "conv", "grouped", "attention", "gemm")):
        for m, mode in enumerate(MODES):
            efficiency[c, m] = g(f"eff/{name}/{mode}"); backward[c, m] = g(f"back/{name}/{mode}")
    passes = np.ones(len(KINDS))
    for kind in MEMORY_KINDS:
        passes[KINDS.index(kind)] = g(f"passes/{kind}")
    return KernelConstants(efficiency=efficiency, backward=backward, winograd=g("winograd"), tile_64=g("tile_64"), tile_32=g("tile_32"), prologue=np.array([g("prologue"), g("prologue_conv"), g("prologue_conv"), g("prologue"), g("prologue"), 0.0, 0.0]), fill=np.array([1.0, g("fill_conv"), g("fill_conv"), 1.0, 1.0, 1.0, 1.0]), last_wave=g("last_wave"), split_length=g("split_length"), split_most=g("split_most"), passes=passes, depthwise_backward=g("passes/depthwise_back"), depthwise_half=g("half/depthwise"), channels_last=np.array([1.0, 1 / g("channels_last"), g("nhwc/grouped"), 1.0, 1.0, g("nhwc/depthwise"), g("nhwc/pass")]), half_without_units=g("slow_half"), cache_gain=g("cache_gain"), overlap=g("overlap"))


BATCHED_WIDTH = {"maxwell": 64.0, "pascal": 64.0, "volta": 64.0, "turing": 64.0, "kepler": 64.0}
MATRIX_FP32 = {"CDNA 1.0": 2.0, "CDNA 2.0": 2.0}


class Batch:
    """Many cases flattened into arrays over operations."""

    def __init__(self, cases: Sequence[Case], p: Parameters) -> None:
        self.cases, self.p = list(cases), p
        rows, owner = [], []
        for index, case in enumerate(cases):
            batch = float(case.workload.batch_size)
            found = [row(o, case.workload, batch) for o in case.network.operations if runs(o, case.workload)]
            found += weight_conversions(case.network, case.workload)
            rows.extend(found); owner.extend([index] * len(found))
        self.work = as_arrays(rows)
        self.owner = np.array(owner)
        devices = [c.device for c in cases]
        self.family = [family_of(d) for d in devices]
        f = lambda get: np.array([get(d) for d in devices], dtype=float)
        self.peaks = np.stack([f(lambda d: d.peak_flop_per_s.get("fp32") or 0.0), f(lambda d: d.peak_flop_per_s.get("tf32") or 0.0),
                               f(lambda d: max(d.peak_flop_per_s.get("fp16", 0.0), d.peak_flop_per_s.get("bf16", 0.0)))])
        self.matrix = np.array([MATRIX_FP32.get(d.architecture, 1.0) for d in devices])
        self.bandwidth = f(lambda d: d.bandwidth_bytes_per_s)
        self.units = f(lambda d: d.multiprocessors or 60)
        self.cache = f(lambda d: d.l2_bytes or 4e6)
        self.power = f(lambda d: d.power_w or 300.0)
        self.precision = [c.workload.precision for c in cases]
        half = np.array([pr in ("fp16", "bf16", "amp") for pr in self.precision]); self.half = half
        tf = np.array([pr == "tf32" for pr in self.precision])
        fp32 = np.array([pr == "fp32" for pr in self.precision]) & np.array([c.software != "kernel" for c in cases])
        convolution = np.isin(self.work.group, (1, 2))
        every = np.ones(len(self.owner), dtype=bool)
        self.allowed = (every, tf[self.owner] | (convolution & fp32[self.owner]), half[self.owner])
        self.time = np.array([c.time_s for c in cases])
        self.software = [c.software for c in cases]
        self.overhead = np.array([c.overhead for c in cases])
        self.weight = np.array([c.weight for c in cases])
        self.has_half = self.peaks[HALF] > 0
        n = len(cases)
        self.kf = np.bincount(self.owner, self.work.kernels * ~self.work.is_backward, n)
        self.kb = np.bincount(self.owner, self.work.kernels * self.work.is_backward, n)
        self.fi = {m: np.array([p.index[f"fam/{fa}/{m}"] for fa in self.family]) for m in MODES}
        self.ji = {m: np.array([p.index[f"joule/{fa}/{m}"] for fa in self.family]) for m in MODES}
        self.wi = np.array([p.index[f"width/{fa}"] for fa in self.family])
        self.si = {k: np.array([p.index[f"{k}/{s}"] for s in self.software]) for k in ("dispatch", "dispatch_back", "soft", "soft_half")}
        self.wide = np.array([BATCHED_WIDTH.get(fa, 128.0) for fa in self.family])
        self.nhwc = np.array([c.workload.channels_last for c in cases])
        bytes_of = {"none": 0.0, "sgd": 20.0, "adam": 28.0, "adamw": 28.0}
        self.optimizer = np.array([bytes_of[c.workload.optimizer] * c.network.trainable_parameters if c.workload.task == "train" else 0.0 for c in cases])
        self.dwback = (self.work.group == 5) & self.work.is_backward

    def seconds(self, x: Floats, parts: bool = False) -> Floats:
        p, v = self.p, np.exp(x)
        constants = constants_of(p, x)
        o = self.owner
        limit = v[p.index["limit"]]
        plateau = np.zeros((3, len(o)))
        for index, mode in enumerate(MODES):
            peak = np.maximum(self.peaks[index], 1.0) * (self.matrix if index == 0 else 1.0)
            power = self.power * v[self.ji[mode]] * (self.matrix if index == 0 else 1.0)
            plateau[index] = (limited_rate(peak, power, limit) * v[self.fi[mode]])[o]
        machines = Machines(plateau_flop_per_s=plateau, units=self.units[o], bytes_per_s=(self.bandwidth * v[self.wi])[o], cache_bytes=self.cache[o], gap_s=np.full(len(o), v[p.index["gap_s"]]), batched_tile_n=self.wide[o], has_half=self.has_half[o])
        t, _, _ = operation_seconds(self.work, self.allowed, machines, constants)
        gpu = np.bincount(o, t, len(self.cases)) + self.optimizer / (self.bandwidth * v[self.wi]) * v[p.index["optimizer_passes"]]
        gpu = gpu * v[self.si["soft"]] * np.where(self.half, v[self.si["soft_half"]], 1.0)
        cpu = v[self.si["dispatch"]] * (self.kf + self.kb * v[self.si["dispatch_back"]])
        if parts:
            return gpu, cpu
        kernel = gpu + v[p.index["measuring_s"]]
        return np.where(self.overhead, kernel, (gpu**5 + cpu**5) ** 0.2)

    def residuals(self, x: Floats, spread: float = 0.12):
        return np.log(self.seconds(x) / self.time) * self.weight / spread
