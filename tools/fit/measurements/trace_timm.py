"""Traces the timm models that were measured, so that they can be predicted; writes ``build/timm_tables.jsonl``.

    PYTHONPATH=tools python -m fit.measurements.trace_timm --data ../shared/data
    PYTHONPATH=tools python -m fit.measurements.trace_timm --usual "convnextv2*" "swin*"    models by name, each at its usual edge, to be packed

Needs timm and torchvision beside torch, which ``make validate`` installs; no weights are loaded. Models that are there
already are kept, so an interrupted run goes on; of those that are shipped at this edge no other table is made.
"""

import argparse
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch
import traced.libraries  # noqa: F401 - lets timm import torchvision
from fit.measurements import people
from fit.measurements.cases import TRACED, packed_network, traced_key
from fit.measurements.tables import memory_edge, number, rows
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_unflatten

from advisor.records.job.work import Network
from advisor.worker.tracing.trace import trace_module

# isort: split
import timm


class RememberedShapes(TorchDispatchMode):
    """Answers operators on tensors without data from what they answered before; torch works it out again, slowly.

    Views, changes in place and whatever hands an argument back are always run.
    """

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[Any, Any] = {}
        self._aliasing: set[Any] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        leaves, form = tree_flatten((args, kwargs))
        if func.is_view or func._schema.is_mutable or func in self._aliasing:
            return func(*args, **kwargs)
        key = func, form, tuple(_meaning(leaf) for leaf in leaves)
        if key in self._known:
            shapes, form = self._known[key]
            return tree_unflatten([_fresh(shape) for shape in shapes], form)
        result = func(*args, **kwargs)
        found, form = tree_flatten(result)
        given = {leaf.untyped_storage()._cdata for leaf in leaves if isinstance(leaf, torch.Tensor)}
        if any(isinstance(leaf, torch.Tensor) and leaf.untyped_storage()._cdata in given for leaf in found):
            self._aliasing.add(func)
        elif all(leaf is None or (isinstance(leaf, torch.Tensor) and leaf.is_meta) for leaf in found):
            self._known[key] = [leaf if leaf is None else _meaning(leaf) for leaf in found], form
        return result


def _meaning(leaf: Any) -> Any:
    if isinstance(leaf, torch.Tensor):
        return tuple(leaf.shape), leaf.stride(), leaf.dtype, leaf.device
    return type(leaf), leaf


def _fresh(shape: Any) -> torch.Tensor | None:
    if shape is None:
        return None
    size, stride, dtype, where = shape
    return torch.empty_strided(size, stride, dtype=dtype, device=where)


def measured(folder: Path) -> list[tuple[str, int]]:
    """Return (model, image edge) of what was measured, shuffled by the hash of the name: any beginning is a sample."""
    found = set()
    for row in rows(folder, "image_models_timm"):
        edge = number(row["image_or_seq"])
        if edge and number(row["value"]):
            found.add((row["model"].split(".")[0], int(edge)))
    for row in rows(folder, "training_memory"):
        if "timm" in row["source"]:
            found.add((row["model"].split(".")[0], memory_edge(row)))
    found |= {(figure.model, figure.edge) for figure in people.rows()}
    return sorted(found, key=lambda key: hashlib.sha256(traced_key(*key).encode()).digest())


def usual_edge(name: str) -> int | None:
    """Return the image edge that a model of timm was trained with; None where timm does not say."""
    known = timm.models.get_pretrained_cfg(name)
    return None if known is None else int(known.input_size[-1])


def usual(patterns: Sequence[str]) -> list[tuple[str, int]]:
    """Return (model, usual image edge) of the models whose names fit a pattern."""
    names = dict.fromkeys(name for pattern in patterns for name in timm.list_models(pattern))
    return [(name, edge) for name in names if (edge := usual_edge(name)) is not None]


def trace(name: str, edge: int, shapes: RememberedShapes) -> Network:
    """Return the work of a model at an image edge."""
    with torch.device("meta"):
        try:
            module = timm.create_model(name, img_size=edge)
        except TypeError:  # convolutional models take every size and no such argument
            module = timm.create_model(name)
    with shapes:
        net = trace_module(module, lambda batch: torch.empty(batch, 3, edge, edge), name=traced_key(name, edge))
    family = "cnn" if net.attention is None else "transformer"
    return msgspec.structs.replace(net, family=family, image_size=edge)


def main() -> int:
    parser = argparse.ArgumentParser(description="Trace the timm models that were measured.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    parser.add_argument("--most", type=int, help="so many of the measured models at most")
    parser.add_argument("--usual", nargs="+", metavar="PATTERN", help="trace these models at their usual edge instead")
    arguments = parser.parse_args()
    if not arguments.usual and not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there; nothing was traced.", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    shapes = RememberedShapes()
    TRACED.parent.mkdir(parents=True, exist_ok=True)
    known = {line.split(b'"', 4)[3].decode() for line in TRACED.read_bytes().splitlines()} if TRACED.exists() else set()
    with TRACED.open("ab") as file:
        wanted = usual(arguments.usual) if arguments.usual else measured(arguments.data)
        for name, edge in wanted[: arguments.most]:
            if traced_key(name, edge) in known or (not arguments.usual and packed_network(name, edge)):
                continue
            try:
                net = trace(name, edge, shapes)
            # A model that timm no longer has, or that cannot be traced, must not stop the others.
            except Exception as error:  # noqa: BLE001
                print(f"{name}@{edge}: {str(error).splitlines()[0] if str(error) else error!r}", file=sys.stderr)
                continue
            file.write(msgspec.json.encode(net) + b"\n")
            file.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
