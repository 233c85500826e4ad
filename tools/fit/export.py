"""Writes fitted constants into the files the program reads."""

import datetime
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from model import (
    BANDWIDTH,
    BATCHED_TILE,
    FITTED_CLASSES,
    GFLOP_PER_J,
    MEMORY_KINDS,
    OLD_KERNELS,
    PROCESS,
    WIDTHS,
    Case,
    Floats,
    Parameters,
    width_of,
)

from advisor.catalog.networks.tables import network_index
from advisor.predict.timing.families import FAMILIES, family_of
from advisor.predict.timing.kernels import MODES

CALIBRATION = Path(__file__).resolve().parent.parent.parent / "resources" / "catalog" / "calibration"

DATA_SETS = {
    "neusight": "https://github.com/sitar-lab/NeuSight (fp32 transformers, 2024)",
    "neusight_fused": "https://github.com/sitar-lab/NeuSight (the same, predicted with fused attention)",
    "lambda": "https://github.com/lambdal/deeplearning-benchmark (training throughput, 2021 to 2024)",
    "ryujaehun": "https://github.com/ryujaehun/pytorch-gpu-benchmark (image models, 2020)",
    "cnn_benchmarks": "https://github.com/jcjohnson/cnn-benchmarks (image models, 2017)",
    "u39kun": "https://github.com/u39kun/deep-learning-benchmark (image models, 2018)",
    "timm_train": "https://github.com/huggingface/pytorch-image-models (RTX 3090, 2022)",
    "timm_infer": "https://github.com/huggingface/pytorch-image-models (RTX 3090, 2022 to 2024)",
    "timm_processor": "https://github.com/huggingface/pytorch-image-models (Core i9-10940X, 2024)",
    "gemm": "https://github.com/sitar-lab/NeuSight (fp32 products, 2024; a sample)",
    "elementwise": "https://github.com/sitar-lab/NeuSight (fp32 passes, 2024; a sample)",
    "best_gemm": "https://github.com/stas00/ml-engineering (best 16-bit products, 2025)",
    "apple": "https://github.com/TristanBilot/mlx-benchmark (torch on Apple GPUs, 2024)",
    "llm_foundry": "https://github.com/mosaicml/llm-foundry (A100, one node, 2023)",
    "pycls": "https://github.com/facebookresearch/pycls (100 ImageNet epochs on 8 V100, 2020)",
    "pycls_infer": "https://github.com/facebookresearch/pycls (64 images on a V100, 2020)",
    "own_processor": "own runs on one core of an AMD EPYC, 2026-11-21",
    "article_cnn": "article on a CNN with Keras, Core i7-10750H, 2021",
}

RELATIVES = {
    "kepler": "maxwell",
    "blackwell_hbm": "hopper",
    "blackwell": "ada",
    "gcn": "cdna",
    "rdna": "cdna",
    "intel_gpu": "ampere",
    "gaudi": "hopper",
    "tpu": "hopper",
    "other": "ampere",
}
"""Families nobody measured as a whole take over the constants of a relative."""
SLOWER = {"gcn": 0.85, "rdna": 0.75, "intel_gpu": 0.7, "other": 0.8}
"""... and reach this share of its rates: their libraries are less tuned (an assumption, within the wider interval)."""
GENERATIONS: tuple[tuple[int | None, tuple[str, ...]], ...] = (
    (2017, ("torch7",)),
    (2021, ("torch1", "pycls", "ngc20")),
    (None, ("ngc22", "ngc24", "eager", "composer")),
)
"""Last year, and the published programs whose frameworks are of these years: torch7 with cuDNN 5; PyTorch 0.3 to 1.7; since."""
APPLYING = ("torch7", "torch1", "pycls", "eager")
"""Programs that also measured inference."""
MACHINES = {"torch1": "u39kun/", "pycls": "pycls", "ngc20": "lambda/", "ngc22": "lambda/", "ngc24": "lambda/"}
"""Whose computers belong to the program; ryujaehun's are left out, which differ from each other by more than programs do."""
LAUNCHING = ("eager", "torch1")
"""Software between whose launches lie those shipped: of a well-tuned benchmark, and of people's own computers in 2020,
whose launches in the backward pass took twice as long as anything since shows."""
COPYING_RATIO = 0.75
"""Three of four published programs that train on photos (Lambda's, ryujaehun's, u39kun's) let the device wait while a
batch is copied; pycls copies from pinned memory beside the computing."""
_KERNELS_ONLY = ("gemm", "elementwise", "best_gemm", "neusight_fused")

PROCESSOR_TRAIN = 3.0
"""Training on a processor as people do it, relative to the kernels on one core.

Geometric mean of our own run (1.0), the article's CNN (2.2) and cnn-benchmarks (9.5, two Xeon E5-2630 v3, torch7), rounded
up; the DenseNet article (15, of an unknown program) would make it 4.
"""


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


def data_set(name: str, rows: int, error: float) -> dict[str, Any]:
    return {"name": name, "source": DATA_SETS.get(name, name), "rows": rows, "error_ratio": rounded(error)}


def time_file(
    accelerators: tuple[Parameters, Floats],
    processors: tuple[Parameters, Floats],
    cases: Sequence[Case],
    processor_cases: Sequence[Case],
    *,
    spread: dict[str, float],
    errors: dict[str, tuple[int, float]],
) -> dict[str, Any]:
    """Return the content of ``time.json``."""
    (p, x), (q, y) = accelerators, processors
    g, own = _rounded(p, x), _rounded(q, y)
    rows = Counter(family_of(case.device) for case in cases if case.source not in _KERNELS_ONLY)
    devices = {case.device.name for case in cases if not case.overhead and case.source not in _KERNELS_ONLY}
    families = {name: family(name, p, g, rows.get(name, 0)) for name in FAMILIES}
    families["cpu"] = family("cpu", q, own, len(processor_cases))
    return {
        "fitted": datetime.date.today().isoformat(),
        "data": [data_set(name, *found) for name, found in errors.items()],
        "kernels": kernels(g),
        "processor_kernels": kernels(own),
        "families": families,
        "devices": sorted(devices),
        "limit": g("limit"),
        "wide_units": g("wide_units"),
        "static_w": g("static_w"),
        "gap_s": g("gap_s"),
        "processor_gap_s": own("gap_s"),
        "copy_bytes_per_s": rounded(g("copy_bytes_per_s") / COPYING_RATIO),
        "dispatch_s": rounded(float(np.sqrt(np.prod([g(f"dispatch/{name}") for name in LAUNCHING])))),
        "dispatch_backward": g("dispatch_back/eager"),
        "compiled": 0.3,
        "optimizer_passes": g("optimizer_passes"),
        "software": software(p, x, own),
        "networks": networks(g, cases),
        "generations": generations(p, x),
        "spread": spread,
    }


def _rounded(p: Parameters, x: Floats) -> Callable[[str], float]:
    value = p.value(x)
    return lambda name: rounded(value(name))


def family(name: str, p: Parameters, g: Callable[[str], float], rows: int) -> dict[str, Any]:
    """Return the constants of a family, or of its nearest measured relative."""
    source = name
    while f"fam/{source}/vector" not in p.index and source in RELATIVES:
        source = RELATIVES[source]
    known, slower = f"fam/{source}/vector" in p.index, SLOWER.get(name, 1.0) if source != name else 1.0
    return {
        "rate": [rounded(slower * g(f"fam/{source}/{mode}")) if known else slower for mode in MODES],
        "flop_per_j": [
            rounded(
                (g(f"joule/{name}/{m}") if source == name and known else v * 1e9)
                * (g(f"process/{PROCESS[name]}/{m}") if name in PROCESS else 1.0)
            )
            for m, v in zip(MODES, GFLOP_PER_J[name], strict=True)
        ],
        "bandwidth": g(f"width/{source}") if known else BANDWIDTH.get(name, 0.8),
        "batched_tile": BATCHED_TILE.get(name, (0, 0)),
        "reread": g("reread_old") if name in OLD_KERNELS else 1.0,
        "matrix_fp32": 2.0 if name == "cdna" else 1.0,
        "rows": rows if source == name else 0,
    }


Program = tuple[str, str]
"""A software, and how the names of its computers begin; empty: none has a factor of its own."""


def software(p: Parameters, x: Floats, own: Callable[[str], float]) -> dict[str, float]:
    """Return the time of a program over the sum of its kernels: the middle of what published programs took.

    A set counts as one program, however many computers it ran on; software older than 2021 is left out, because people
    run later ones.
    """
    jobs = [(name, "lambda/") for name in ("ngc20", "ngc22", "ngc24")]
    return {
        "train": _mean(p, x, [*jobs, ("eager", "")], half=False),
        "train_half": _mean(p, x, [*jobs, ("eager", "timm/train")], half=True),
        "train_half_transformer": _mean(p, x, [*jobs[1:], ("eager", ""), ("composer", "")], half=True),
        "infer": _mean(p, x, [("eager", "")], half=False),
        "infer_half": _mean(p, x, [("eager", "timm/infer")], half=True),
        "processor_train": PROCESSOR_TRAIN,
        "processor_infer": own("soft/compiled"),
    }


def networks(g: Callable[[str], float], cases: Sequence[Case]) -> dict[str, list[float | None]]:
    """Return the factors of the catalogue's networks; None where nothing of that width was measured."""
    known = {entry.name for entry in network_index()}
    found = {(case.network_key, width_of(case)) for case in cases if case.network_key and case.network.name in known}
    return {
        key: [g(f"net/{key}/{width}") if (key, width) in found else None for width in WIDTHS]
        for key in sorted({key for key, _ in found})
    }


def generations(p: Parameters, x: Floats) -> list[dict[str, Any]]:
    """Return the same for programs of some years, and how they launch."""
    return [_generation(p, x, until, names) for until, names in GENERATIONS]


def _generation(p: Parameters, x: Floats, until: int | None, names: tuple[str, ...]) -> dict[str, Any]:
    def one(task: str, *, half: bool) -> float:
        known = [name for name in names if task == "train" or name in APPLYING]
        return _mean(p, x, [(name, _machines_of(name, task)) for name in known], half=half)

    return {
        "until": until,
        "programs": names,
        "software": {f"{task}{end}": one(task, half=bool(end)) for task in ("train", "infer") for end in ("", "_half")},
        "dispatch_s": _middle(p, x, [f"dispatch/{name}" for name in names]),
        "dispatch_backward": _middle(p, x, [f"dispatch_back/{name}" for name in names]),
    }


def _machines_of(software: str, task: str) -> str:
    return f"timm/{task}" if software == "eager" else MACHINES.get(software, "")


def _middle(p: Parameters, x: Floats, names: Sequence[str]) -> float:
    return rounded(float(np.exp(np.mean([x[p.index[name]] for name in names]))))


def _mean(p: Parameters, x: Floats, programs: Sequence[Program], *, half: bool) -> float:
    return rounded(float(np.exp(np.mean([_factor(p, x, *program, half=half) for program in programs]))))


def _factor(p: Parameters, x: Floats, software: str, machine: str, *, half: bool) -> float:
    """Return the logarithm of a program's time over the sum of its kernels."""
    found = x[p.index[f"soft/{software}"]] + (x[p.index[f"soft_half/{software}"]] if half else 0.0)
    for kind in ("machine", "machine_half") if half else ("machine",):
        own = [x[index] for name, index in p.index.items() if machine and name.startswith(f"{kind}/{machine}")]
        found += float(np.mean(own)) if own else 0.0
    return float(found)


def kernels(g: Callable[[str], float]) -> dict[str, Any]:
    """Return the constants of kernels by name."""
    names = {**{c: c for c in FITTED_CLASSES}, "recurrent": "gemm"}
    plain, conv = g("prologue"), g("prologue_conv")
    return {
        "efficiency": {
            **{c: [g(f"eff/{of}/{m}") for m in MODES] for c, of in names.items()},
            **{c: [g(f"eff/{c}")] * len(MODES) for c in ("depthwise", "other")},
        },
        "backward": {c: [g(f"back/{of}/{m}") for m in MODES] for c, of in names.items()},
        "prologue": {"gemm": plain, "conv": conv, "grouped": conv, "attention": plain, "recurrent": plain},
        "fill": {"conv": g("fill_conv"), "grouped": g("fill_conv")},
        "passes": {kind: g(f"passes/{kind}") for kind in MEMORY_KINDS},
        "channels_last": {c: g(f"channels_last/{c}") for c in ("conv", "grouped", "depthwise", "other")},
        **{
            name: g(name)
            for name in (
                "grouped_width",
                "winograd",
                "tile_64",
                "tile_32",
                "last_wave",
                "split_length",
                "split_most",
                "depthwise_backward",
                "depthwise_half",
                "half_without_units",
                "cache_gain",
                "reread",
                "reread_batched",
                "reread_cache",
                "overlap",
            )
        },
    }


def write(name: str, content: dict[str, Any]) -> None:
    """Write a file of constants."""
    (CALIBRATION / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
