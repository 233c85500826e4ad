"""Fits the constants of processors: published inference on a Core i9, an article's training, and runs of our own."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from fit.constants.model import Case, Parameters, parameters
from fit.measurements.cases import device, table, timm_processor, workload

from advisor.predict.timing.step_work import APPLIED
from advisor.records.hardware.device import Device

OWN = Path(__file__).with_name("own_processor.toml")
ARTICLE_STEPS_S = (0.423, 0.412, 0.412, 0.408, 0.407)
"""Five epochs of the article's CNN on a Core i7-10750H, batch 32, Adam, Keras; the loader shares the processor."""


def processor_cases(folder: Path, *, count: int = 350) -> list[Case]:
    """Return the cases the constants of processors are fitted on."""
    return [*timm_processor(folder, count=count), *_own(), *_article()]


def _own() -> Iterator[Case]:
    content = tomllib.loads(OWN.read_text(encoding="utf-8"))
    core = Device(
        name="one core of an AMD EPYC",
        vendor="amd",
        architecture="Zen",
        device_class="cpu",
        for_whom="datacenter",
        peak_flop_per_s={"fp32": content["peak_flop_per_s"]},
        bandwidth_bytes_per_s=content["bandwidth_bytes_per_s"],
        multiprocessors=1,
        l2_bytes=2**20,
    )
    for key, time_s in content["time_s"].items():
        name, task, batch = key.split("/")
        net = table(name)
        if net is not None:
            optimizer = "adam" if task == "train" else "none"
            yield Case(
                source="own_processor",
                network=net,
                workload=workload(name, task=task, batch_size=int(batch), optimizer=optimizer),
                device=core,
                time_s=time_s,
                model=name,
                weight=2.5,
            )


def _article() -> Iterator[Case]:
    net, found = table("article_cnn"), device("Core i7-10750H")
    for time_s in ARTICLE_STEPS_S:
        if net is not None and found is not None:
            job = workload("article_cnn", task="train", batch_size=32, optimizer="adam")
            yield Case(source="article_cnn", network=net, workload=job, device=found, time_s=time_s, software="article")


def processor_parameters(cases: list[Case]) -> Parameters:
    """Return the parameters of processors: no power limit, no launches, and priors of their own."""
    p = parameters(cases)
    for name, value, spread in (
        ("gap_s", 5e-6, 0.7),
        ("winograd", 1.2, 0.2),
        ("winograd_traffic", 0.01, 0.1),
        ("prologue", 8.0, 0.7),
        ("prologue_conv", 20.0, 0.7),
        ("tile_s", 1e-9, 0.1),
        (f"passes/{APPLIED}", 1.15, 0.1),
        ("tile_conv_s", 1e-9, 0.1),
        ("fill_conv", 1.0, 0.4),
        ("cache_gain", 2.0, 0.6),
        ("overlap", 1.6, 0.1),
        ("reread", 0.01, 0.1),
        ("reread_batched", 0.01, 0.1),
        ("eff/gemm/vector", 0.6, 0.4),
        ("eff/conv/vector", 0.5, 0.5),
        ("eff/grouped/vector", 0.3, 0.6),
        ("eff/attention/vector", 0.3, 0.5),
    ):
        p.change(name, value, spread)
    for software, spread in (("eager", 0.02), ("compiled", 0.3), ("article", 0.8)):
        p.change(f"soft/{software}", 1.0, spread)
    return p
