"""Cases of recent cards: inference of timm's models on Blackwell, image models of torchvision on Radeons and others."""

import random
from collections.abc import Iterator
from pathlib import Path

from fit.constants.model import Case
from fit.measurements.cases import device, job_cases, kernel_cases, table, timm_network, workload
from fit.measurements.tables import extras, number, rows

from advisor.records.base import Precision

ASSUMED_YEAR = 2023
"""Of runs of lamikr that do not say their PyTorch; the others are of 2023 and 2024."""


def timm_blackwell(folder: Path, *, count: int | None = None, seed: int = 2) -> Iterator[Case]:
    """Yield inference of timm's models, not compiled, mixed precision, on cards of 2025."""
    found: dict[str, list[Case]] = {}
    for row in rows(folder, "image_models_timm_blackwell"):
        size, batch, value = (number(row[key]) for key in ("image_or_seq", "batch_size", "value"))
        card = device(row["chip"])
        is_plain = row["precision"] == "amp" and "dynamo" not in row["framework"]
        net = timm_network(row["model"].split(".")[0], int(size)) if is_plain and size else None
        if net is None or card is None or not batch or not value:
            continue
        case = Case(
            source="timm_blackwell",
            network=net,
            workload=workload(
                net.name,
                task="infer",
                batch_size=int(batch),
                precision="amp",
                channels_last="nhwc" in row["framework"],
                framework_year=int(row["year"]),
            ),
            device=card,
            time_s=batch / value,
            model=net.name,
            machine=f"timm/{card.name}",
            weight=0.6,
        )
        found.setdefault(card.name, []).append(case)
    yield from _sample(found, count, seed)


def lamikr(folder: Path, *, count: int | None = None, seed: int = 3) -> Iterator[Case]:
    """Yield torchvision's models in small batches, no optimizer; fp32 as PyTorch runs it by default."""
    found: dict[str, list[Case]] = {}
    for row in rows(folder, "image_models_lamikr"):
        card, net, extra = device(row["chip"]), table(row["model"]), extras(row)
        if row["n_devices"] != "1" or card is None or net is None or extra.get("copy_of_ryujaehun") == "1":
            continue
        precision: Precision = "fp16" if row["precision"] == "fp16" else "fp32"
        batch = int(float(row["batch_size"]))
        case = Case(
            source="lamikr",
            network=net,
            workload=workload(
                net.name,
                task=row["task"],
                batch_size=batch,
                precision=precision,
                optimizer="none",
                framework_year=int(row["year"] or ASSUMED_YEAR),
            ),
            device=card,
            time_s=float(row["value"]) * 1e-3,
            model=net.name,
            software="torch2",
            machine=f"lamikr/{extra['dir']}",
            copied_bytes=batch * 3 * 224**2 * (2.0 if precision == "fp16" else 4.0),
            weight=0.3,
        )
        found.setdefault(case.machine, []).append(case)
    yield from _sample(found, count, seed)


def _sample(found: dict[str, list[Case]], count: int | None, seed: int) -> Iterator[Case]:
    """Yield all cases, or so many of each group."""
    pick = random.Random(seed)
    for members in found.values():
        yield from members if count is None or count >= len(members) else pick.sample(members, count)


def accelerator_cases(folder: Path) -> list[Case]:
    """Return the cases the constants of accelerators are fitted on; of large sets a sample."""
    recent = (*timm_blackwell(folder, count=100), *lamikr(folder, count=35))
    return [*job_cases(folder), *recent, *kernel_cases(folder)]
