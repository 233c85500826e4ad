"""Writes fitted constants into the files the program reads."""

import datetime
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from fit.constants.model import (
    BANDWIDTH,
    BATCHED_TILE,
    FITTED_CLASSES,
    GFLOP_PER_J,
    MEMORY_KINDS,
    NO_LIMIT,
    OLD_KERNELS,
    PROCESS,
    WIDTHS,
    Case,
    Floats,
    Parameters,
    is_recent,
    width_of,
)
from fit.constants.network_cells import Cells

from advisor.catalog.networks.tables import network_index, timm_names
from advisor.predict.coefficients import time_coefficients
from advisor.predict.timing.families import CLASSES as DEVICE_CLASSES
from advisor.predict.timing.families import FAMILIES, family_of
from advisor.predict.timing.kernels import MODES

DATA_SETS = {
    "neusight": "https://github.com/sitar-lab/NeuSight (fp32 transformers, 2024)",
    "neusight_fused": "https://github.com/sitar-lab/NeuSight (the same, predicted with fused attention)",
    "lambda": "https://github.com/lambdal/deeplearning-benchmark (training throughput, 2021 to 2024)",
    "ryujaehun": "https://github.com/ryujaehun/pytorch-gpu-benchmark (image models, 2020)",
    "cnn_benchmarks": "https://github.com/jcjohnson/cnn-benchmarks (image models, 2017)",
    "u39kun": "https://github.com/u39kun/deep-learning-benchmark (image models, 2018)",
    "timm_train": "https://github.com/huggingface/pytorch-image-models (RTX 3090, 2022)",
    "timm_infer": "https://github.com/huggingface/pytorch-image-models (RTX 3090, 2022 to 2024)",
    "timm_blackwell": "https://github.com/huggingface/pytorch-image-models (RTX 5090, RTX PRO 6000 Max-Q, 2026; a sample)",
    "lamikr": "https://github.com/lamikr/pytorch-gpu-benchmark (image models, 2020 to 2024; a sample)",
    "people": "https://nikolasent.github.io (2022, 2025), and on GitHub XHMY/torch_benchmark (2023), nehemiah888/rtx5090aitest (2025), sandeepkumar-skb/pytorch_experiments (2021), artyom-beilis/pytorch_dlprim (2024), karimamunaff/apple-silicon-pytorch (2022), pytorch/TensorRT (2023), ROCm/pytorch (2023)",
    "people_small": "https://github.com/MatrixSP/pytorch-gpu-benchmark (RTX 5090 and 4060 Ti, 2024 and 2025)",
    "texts": "https://github.com/lucadiliello/pytorch-apple-silicon-benchmarks (2023), GPT-2 on cards rented at RunPod (2025)",
    "tuning": "https://github.com/ljm565/universal-llm-trainer (2025), on GitHub QwenLM/Qwen (2023), foundation-model-stack/fms-acceleration (2025)",
    "timm_processor": "https://github.com/huggingface/pytorch-image-models (Core i9-10940X, 2024)",
    "gemm": "https://github.com/sitar-lab/NeuSight (fp32 products, 2024; a sample)",
    "elementwise": "https://github.com/sitar-lab/NeuSight (fp32 passes, 2024; a sample)",
    "best_gemm": "https://github.com/stas00/ml-engineering (best 16-bit products, 2025), https://github.com/zzc0721/torch-performance-test-data (best products, 2025)",
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
Sets = tuple[tuple[str, ...], ...]
GENERATIONS: tuple[tuple[int | None, Sets], ...] = (
    (2017, (("torch7",),)),
    (2021, (("torch1",), ("pycls",), ("ngc20",))),
    (None, (("ngc22", "ngc24"), ("eager",), ("composer",))),
)
"""Last year, and the published programs whose frameworks are of these years, by publisher: torch7 with cuDNN 5; PyTorch
0.3 to 1.7; since."""
TASKS = ("train", "infer")
LANGUAGE = ("composer",)
"""Programs that train language models alone."""
APPLYING = ("torch7", "torch1", "pycls", "eager")
"""Programs that also measured inference."""
MACHINES = {"torch7": "cnn_benchmarks/", "torch1": "u39kun/", "pycls": "pycls"}
"""Whose computers belong to the program; ryujaehun's are left out, which differ from each other by more than programs do."""
OWN = ("torch2",)
"""lamikr's, of people's own computers: they show how long launches take, but differ by more than programs do."""
LAUNCHING = ("torch7", "torch1", "pycls", "ngc20", "eager", "torch2")
"""Programs that also ran batches small enough to be bound by launches."""
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
    cells: tuple[Cells, Cells],
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
        "devices": {name: own_factors(name, p, g) for name in sorted(devices)},
        "classes": {name: [g(f"class/{name}/{mode}") for mode in MODES] for name in DEVICE_CLASSES},
        "laptop_power": g("laptop_power"),
        "plateaus": time_coefficients().plateaus,
        "limit": g("limit"),
        "wide_units": g("wide_units"),
        "static_w": g("static_w"),
        "gap_s": g("gap_s"),
        "processor_gap_s": own("gap_s"),
        "copy_bytes_per_s": rounded(g("copy_bytes_per_s") / COPYING_RATIO),
        "copy_gain": g("copy_gain"),
        "dispatch_fall": g("dispatch_fall"),
        "hosts": {"desktop": 1.0, **{name: g(f"host/{name}") for name in ("laptop", "rocm")}},
        **launching(p, x, None, (*(name for some in GENERATIONS[-1][1] for name in some), *OWN)),
        "launch_weights": {name: g(f"launch/{name}") for name in ("product", "normalization", "backward")},
        "compiled": 0.3,
        "optimizer_passes": g("optimizer_passes"),
        "software": software(p, x, own),
        "networks": networks(g, cases),
        "cells": cells[0],
        "family_cells": cells[1],
        "generations": generations(p, x),
        "spread": spread,
    }


def own_factors(device: str, p: Parameters, g: Callable[[str], float]) -> list[float]:
    """Return the factors of a device in jobs, by width; 1 where no job of that width was measured."""
    keys = [f"device/{device}/{width}" for width in WIDTHS]
    return [g(key) if key in p.index else 1.0 for key in keys]


def launching(p: Parameters, x: Floats, until: int | None, programs: Sequence[str]) -> dict[str, float]:
    """Return how such programs launch kernels: the middle of those whose batches show it; ``until``: their last year."""
    g = p.value(x)
    shown = [name for name in programs if name in LAUNCHING and f"dispatch/{name}" in p.index]
    return {
        "dispatch_s": rounded(g("dispatch") * _middle(p, x, [f"dispatch/{name}" for name in shown])),
        "dispatch_backward": rounded(g("dispatch_back") * (g("dispatch_back/recent") if is_recent(until) else 1.0)),
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


def software(p: Parameters, x: Floats, own: Callable[[str], float]) -> dict[str, float]:
    """Return the time of a program over the sum of its kernels: of processors, and what people run since 2021."""
    until, sets = GENERATIONS[-1]
    return {
        **_generation(p, x, until, sets)["software"],
        "processor_train": PROCESSOR_TRAIN,
        "processor_infer": own("soft/compiled"),
    }


def networks(g: Callable[[str], float], cases: Sequence[Case]) -> dict[str, list[float | None]]:
    """Return the factors of networks that people can ask for; None where nothing of that width was measured."""
    known = {*(entry.name for entry in network_index()), *timm_names()}
    found = {(case.network_key, width_of(case)) for case in cases if case.network_key and case.network.name in known}
    return {
        key: [g(f"net/{key}/{width}") if (key, width) in found else None for width in WIDTHS]
        for key in sorted({key for key, _ in found})
    }


def generations(p: Parameters, x: Floats) -> list[dict[str, Any]]:
    """Return the same for programs of some years, and how they launch."""
    return [_generation(p, x, until, sets) for until, sets in GENERATIONS]


def _generation(p: Parameters, x: Floats, until: int | None, sets: Sets) -> dict[str, Any]:
    """Return the middle of published programs; those of one publisher count as one."""

    def one(task: str, *, half: bool, of: Sequence[str]) -> float:
        known = [[name for name in some if name in of and (task == "train" or name in APPLYING)] for some in sets]
        factors = [[_factor(p, x, name, task, half=half) for name in some] for some in known if some]
        return rounded(float(np.exp(np.mean([np.mean(some) for some in factors]))))

    every = [name for some in sets for name in some]
    images = [name for name in every if name not in LANGUAGE]
    found = {f"{task}{end}": one(task, half=bool(end), of=images) for task in TASKS for end in ("", "_half")}
    if len(images) < len(every):
        found["train_half_transformer"] = one("train", half=True, of=every)
    return {
        "until": until,
        "programs": every,
        "software": found,
        **launching(p, x, until, (*every, *OWN) if until is None else every),
    }


def _middle(p: Parameters, x: Floats, names: Sequence[str]) -> float:
    return rounded(float(np.exp(np.mean([x[p.index[name]] for name in names]))))


def _factor(p: Parameters, x: Floats, software: str, task: str, *, half: bool) -> float:
    """Return the logarithm of a program's time over the sum of its kernels."""
    found = x[p.index[f"soft/{software}"]] + (x[p.index[f"soft_half/{software}"]] if half else 0.0)
    machine = f"timm/{task}" if software == "eager" and half else MACHINES.get(software, "")
    for kind in ("machine", "machine_half") if half else ("machine",):
        own = [x[index] for name, index in p.index.items() if machine and name.startswith(f"{kind}/{machine}")]
        found += float(np.mean(own)) if own else 0.0
    return float(found)


def kernels(g: Callable[[str], float]) -> dict[str, Any]:
    """Return the constants of kernels by name."""
    names = {**{c: c for c in FITTED_CLASSES}, "recurrent": "gemm"}
    plain, conv = g("prologue"), g("prologue_conv")
    tile, tile_conv = g("tile_s"), g("tile_conv_s")
    return {
        "efficiency": {
            **{c: [g(f"eff/{of}/{m}") for m in MODES] for c, of in names.items()},
            **{c: [g(f"eff/{c}")] * len(MODES) for c in ("depthwise", "other")},
        },
        "backward": {c: [g(f"back/{of}/{m}") for m in MODES] for c, of in names.items()},
        "prologue": {"gemm": plain, "conv": conv, "grouped": conv, "attention": plain, "recurrent": plain},
        "tile_s": {"gemm": tile, "conv": tile_conv, "grouped": tile_conv, "attention": tile, "recurrent": tile},
        "fill": {"conv": g("fill_conv"), "grouped": g("fill_conv")},
        "unaligned": [NO_LIMIT, g("unaligned/tf32"), g("unaligned/half")],
        "passes": {kind: g(f"passes/{kind}") for kind in MEMORY_KINDS},
        "channels_last": {c: g(f"channels_last/{c}") for c in ("conv", "grouped", "depthwise", "other")},
        **{
            name: g(name)
            for name in (
                "grouped_uneven",
                "grouped_uneven_backward",
                "grouped_width",
                "winograd",
                "winograd_traffic",
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
                "unit_bytes_per_s",
                "unit_half_flop_per_s",
            )
        },
    }
