"""Images per second that people publish of their own cards: a check on figures that nothing was fitted on.

``people.csv`` has them as published: the model as timm or torchvision names it, float16 as ``fp16`` (``amp`` where
autocast), float32 as ``fp32``, or ``tf32`` where the program asks for it in products as well. Programs time steps on
samples that lie on the device, but those of ``COPYING``, with batches of twelve: of these the mean of 50 steps of eleven
of 34 networks. Left out: a Swin in fp32 on the RTX 4090 of 2022, trained at 60 % of the time of its forward pass alone.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from fit.constants.model import Case
from fit.measurements.cases import device, timm_network, workload

from advisor.catalog.networks.attention import decompose
from advisor.catalog.workloads import FUSED_SINCE

TABLE = Path(__file__).with_name("people.csv")
SOURCES = {
    "nikolasent_2022": "https://nikolasent.github.io, Four generations of Nvidia GPUs compared, 2022-11-30",
    "nikolasent_2025": "https://nikolasent.github.io, Benchmarking Nvidia RTX 5090, 2025-02-17; batch of Swin as in 2022",
    "xhmy_2023": "https://github.com/XHMY/torch_benchmark, read 2026-11-23",
    "nehemiah_2025": "https://github.com/nehemiah888/rtx5090aitest, read 2026-11-23",
    "matrixsp_2025": "https://github.com/MatrixSP/pytorch-gpu-benchmark, results/5090/Fedora, 2025-07-08, PyTorch 2.7",
    "matrixsp_2024": "https://github.com/MatrixSP/pytorch-gpu-benchmark, results/4060Ti16GB, 2024-02-17, WSL 2",
    "artyom_2024": "https://github.com/artyom-beilis/pytorch_dlprim, benchmarks/v0.2.0/summary.md: PyTorch 2.4 with ROCm "
    "6.1 and CUDA 12.2, PyTorch 2.1 with Intel's extension, not its OpenCL; optimizer not named",
    "simjeg_2023": "https://github.com/pytorch/TensorRT/issues/1860, 2023-04-26, container 23.04, where products take TF32",
    "briansp2020_2023": "https://github.com/ROCm/pytorch/issues/1276, 2023-09-16, ROCm 5.7",
    "karimamunaff_2022": "https://github.com/karimamunaff/apple-silicon-pytorch, 2022-07-17: a MacBook Pro, a Mac Studio",
    "sandeepkumar_2021": "https://github.com/sandeepkumar-skb/pytorch_experiments, read 2026-11-23; year from its images",
}

COPYING = ("matrixsp_2024", "matrixsp_2025")
"""Sources whose programs copy their batch in each step and update no parameters; a set of its own, ``people_small``."""


class Figure(NamedTuple):
    """One published figure; ``rate``: images a second."""

    source: str
    year: int
    device: str
    model: str
    task: str
    precision: str
    layout: str
    batch: int
    edge: int
    rate: float


def rows() -> Iterator[Figure]:
    """Yield every figure."""
    with TABLE.open(newline="", encoding="utf-8") as file:
        yield from (msgspec.convert([*row.values()], Figure, strict=False) for row in csv.DictReader(file))


def figures() -> Iterator[Case]:
    """Yield the figures whose model is in the catalogue or was traced."""
    for figure in rows():
        card, net = device(figure.device), timm_network(figure.model, figure.edge)
        if card is None or net is None:
            continue
        if net.attention == "fused" and figure.year < FUSED_SINCE:
            net = decompose(net)
        copies = figure.source in COPYING
        yield Case(
            source="people_small" if copies else "people",
            network=net,
            workload=workload(
                net.name,
                task=figure.task,
                batch_size=figure.batch,
                precision=figure.precision,
                optimizer="sgd" if figure.task == "train" and not copies else "none",
                channels_last=figure.layout == "nhwc",
                framework_year=figure.year,
                attention=net.attention,
            ),
            device=card,
            time_s=figure.batch / figure.rate,
            model=net.name,
            machine=figure.source,
            copied_bytes=_image_bytes(figure) if copies else 0.0,
        )


def _image_bytes(figure: Figure) -> float:
    return figure.batch * 3 * figure.edge**2 * (2.0 if figure.precision == "fp16" else 4.0)
