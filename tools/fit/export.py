"""Writes fitted constants into the file the program reads."""

import datetime
import json
from collections import Counter
from pathlib import Path

import numpy as np
from model import BANDWIDTH, BATCHED_WIDTH, JOULE, MEMORY_KINDS, Parameters

from advisor.predict.families import FAMILIES, family_of
from advisor.predict.kernels import MODES

CALIBRATION = Path(__file__).resolve().parent.parent.parent / "resources" / "catalog" / "calibration"
CLASSES = ("gemm", "conv", "grouped", "attention")

# Families nobody measured take over the constants of a relative.
RELATIVES = {
    "kepler": "maxwell", "blackwell_hbm": "hopper", "blackwell": "ada", "gcn": "cdna", "rdna": "cdna", "intel_gpu": "ampere",
    "gaudi": "hopper", "tpu": "hopper", "other": "ampere", "ada": "ampere", "apple": "ampere", "cpu": "cpu",
}
# What is known of them beforehand: rate by mode relative to the relative's.
SLOWER = {"gcn": 0.85, "rdna": 0.7, "intel_gpu": 0.7, "other": 0.8}


def rounded(value: float) -> float:
    return float(f"{value:.4g}")


def time_file(p: Parameters, x, processor: dict, data: list[dict], cases, spread: dict, software: dict) -> dict:
    v = np.exp(x)
    g = lambda name: rounded(float(v[p.index[name]]))
    rows = Counter(family_of(c.device) for c in cases)
    families = {}
    for name in FAMILIES:
        relative = name
        while f"fam/{relative}/vector" not in p.index and relative in RELATIVES and RELATIVES[relative] != relative:
            relative = RELATIVES[relative]
        known = f"fam/{relative}/vector" in p.index
        slower = 1.0 if relative == name else SLOWER.get(name, 1.0)
        own = relative == name
        families[name] = {
            "rate": [rounded(slower * float(v[p.index[f"fam/{relative}/{m}"]])) if known else 1.0 for m in MODES],
            "flop_per_j": [g(f"joule/{name}/{m}") if own and known else JOULE[name][i] * 1e9 for i, m in enumerate(MODES)],
            "bandwidth": g(f"width/{relative}") if known else BANDWIDTH.get(name, 0.8),
            "batched_tile": int(BATCHED_WIDTH.get(name, 128)),
            "matrix_fp32": 2.0 if name == "cdna" else 1.0,
            "rows": rows.get(name, 0),
        }
    return {
        "fitted": datetime.date.today().isoformat(),
        "data": data,
        "kernels": kernels(p, g),
        "processor_kernels": processor,
        "families": families,
        "limit": g("limit"),
        "gap_s": g("gap_s"),
        "processor_gap_s": software.pop("processor_gap_s"),
        "dispatch_s": g("dispatch/eager"),
        "dispatch_backward": g("dispatch_back/eager"),
        "compiled": 0.3,
        "optimizer_passes": g("optimizer_passes"),
        "software": software,
        "spread": spread,
    }


def kernels(p: Parameters, g) -> dict:
    return {
        "efficiency": {c: [g(f"eff/{c}/{m}") for m in MODES] for c in CLASSES} | {"recurrent": [g(f"eff/gemm/{m}") for m in MODES]},
        "backward": {c: [g(f"back/{c}/{m}") for m in MODES] for c in CLASSES} | {"recurrent": [g(f"back/gemm/{m}") for m in MODES]},
        "prologue": {"gemm": g("prologue"), "conv": g("prologue_conv"), "grouped": g("prologue_conv"), "attention": g("prologue"), "recurrent": g("prologue")},
        "fill": {"conv": g("fill_conv"), "grouped": g("fill_conv")},
        "passes": {kind: g(f"passes/{kind}") for kind in MEMORY_KINDS},
        "channels_last": {"conv": rounded(1 / g("channels_last")), "grouped": g("nhwc/grouped"), "depthwise": g("nhwc/depthwise"), "other": g("nhwc/pass")},
        "winograd": g("winograd"), "tile_64": g("tile_64"), "tile_32": g("tile_32"), "last_wave": g("last_wave"),
        "split_length": g("split_length"), "split_most": g("split_most"), "depthwise_backward": g("passes/depthwise_back"),
        "depthwise_half": g("half/depthwise"), "half_without_units": g("slow_half"), "cache_gain": g("cache_gain"), "overlap": g("overlap"),
    }


def write(name: str, content: dict) -> None:
    (CALIBRATION / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
