"""Traces the timm models that were measured, so that they can be predicted; writes ``build/timm_tables.jsonl``.

    python tools/fit/trace_timm.py --data ../shared/data

Needs timm and torchvision beside torch: ``pip install --no-deps timm==1.0.31 torchvision==0.28.0 safetensors`` and
``huggingface_hub``; no weights are loaded. Models that are there already are kept, so an interrupted run goes on.
"""

import argparse
import sys
from pathlib import Path

import msgspec
import torch
from cases import TRACED, traced_key
from tables import number, rows

from advisor.records.work import Network
from advisor.worker.trace import trace_module

sys.path.append(str(Path(__file__).resolve().parent.parent))
import traced.libraries  # noqa: F401 - lets timm import torchvision

# isort: split
import timm

LEAST_EDGE = 140
"""In names such as ``lcnet_100`` the number is a width, not an edge."""


def measured(folder: Path) -> dict[tuple[str, int], int]:
    """Return (model, image edge) of what was measured, trained ones first, with the number of rows."""
    found: dict[tuple[str, int], int] = {}
    for row in rows(folder, "image_models_timm"):
        edge = number(row["image_or_seq"])
        if edge and number(row["value"]):
            key = row["model"].split(".")[0], int(edge)
            found[key] = found.get(key, 0) + (100 if row["task"] == "train" else 1)
    for row in rows(folder, "training_memory"):
        edge = number(row["image_or_seq"]) or 224.0
        if "timm" in row["source"]:
            key = row["model"].split(".")[0], int(edge) if edge >= LEAST_EDGE else 224
            found[key] = found.get(key, 0) + 1000
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def trace(name: str, edge: int) -> Network:
    """Return the work of a model at an image edge."""
    with torch.device("meta"):
        try:
            module = timm.create_model(name, img_size=edge)
        except TypeError:  # convolutional models take every size and no such argument
            module = timm.create_model(name)
    net = trace_module(module, lambda batch: torch.empty(batch, 3, edge, edge), name=traced_key(name, edge))
    family = "cnn" if net.attention is None else "transformer"
    return msgspec.structs.replace(net, family=family, image_size=edge)


def main() -> int:
    parser = argparse.ArgumentParser(description="Trace the timm models that were measured.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    parser.add_argument("--most", type=int, default=10_000, help="so many at most")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there; nothing was traced.", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    TRACED.parent.mkdir(parents=True, exist_ok=True)
    known = {line.split(b'"', 4)[3].decode() for line in TRACED.read_bytes().splitlines()} if TRACED.exists() else set()
    with TRACED.open("ab") as file:
        for name, edge in list(measured(arguments.data))[: arguments.most]:
            if traced_key(name, edge) in known:
                continue
            try:
                net = trace(name, edge)
            # A model that timm no longer has, or that cannot be traced, must not stop the others.
            except Exception as error:  # noqa: BLE001
                print(f"{name}@{edge}: {str(error).splitlines()[0] if str(error) else error!r}", file=sys.stderr)
                continue
            file.write(msgspec.json.encode(net) + b"\n")
            file.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
