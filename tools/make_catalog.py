"""Traces the networks and writes their tables to ``resources/catalog/networks``.

    python tools/make_catalog.py                     every network
    python tools/make_catalog.py resnet50 gpt2       only these, the index kept up to date
    python tools/make_catalog.py --list              names
    python tools/make_catalog.py --out FOLDER timm:vit_tiny_patch16_224 timm:resnet50d@288
                                                     any model of timm, to check predictions; read with read_table()

Networks not written by ourselves come from torchvision, timm, transformers, diffusers and nnU-Net, wanted here only:
``pip install --no-deps torchvision==0.28.0`` (for torch 2.13), ``pip install timm transformers diffusers
dynamic-network-architectures ultralytics``.
Names whose library is missing are skipped, and said so.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
import torch
from traced.entry import Traced
from traced.registry import load_registry
from traced.sizes import Sizes

from advisor.catalog.networks.tables import KINDS, PHASES, IndexEntry, Quantity, Row, Table
from advisor.errors import CatalogError
from advisor.records.job.work import Network, Operation
from advisor.worker.tracing.per_sample import group_equal
from advisor.worker.tracing.trace import trace_module

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "catalog" / "networks"
TOTALS = (
    "parameters",
    "trainable_parameters",
    "parameter_tensors",
    "saved_bytes_per_sample",
    "saved_bytes_fixed",
    "saved_integer_bytes_per_sample",
    "largest_bytes_per_sample",
    "peak_bytes_per_sample",
    "peak_bytes_fixed",
    "inference_bytes_per_sample",
    "inference_bytes_fixed",
    "largest_parameter",
)
AMOUNTS = ("flop_per_sample", "flop_fixed", "bytes_per_sample", "bytes_fixed")


def main() -> int:
    parser = argparse.ArgumentParser(description="Trace the networks and write their tables.")
    parser.add_argument("names", nargs="*", help="networks to trace; all when none is given")
    parser.add_argument("--list", action="store_true", help="print the names")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the tables")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    registry, missing = load_registry()
    if arguments.list:
        print("\n".join(registry))
        return 0
    for reason in missing:
        print(f"skipped: {reason}", file=sys.stderr)
    arguments.out.mkdir(parents=True, exist_ok=True)
    failed = [name for name in arguments.names or registry if not write(name, registry, arguments.out)]
    if arguments.out == FOLDER:
        write_index(list(registry.values()), arguments.out)
    return 1 if failed else 0


def find(name: str, registry: dict[str, Traced]) -> Traced:
    """Return an entry of the registry, or one made for a model of timm."""
    library, _, model = name.partition(":")
    if library != "timm":
        return registry[name]
    from traced.networks.validation import any_of_timm

    return any_of_timm(model)


def write(name: str, registry: dict[str, Traced], folder: Path) -> bool:
    """Trace a network and write its table; say on stderr where that fails."""
    start = time.perf_counter()
    try:
        entry = find(name, registry)
        table, interpolated = make_table(entry)
    # One network that a library no longer has, or that cannot be traced, must not stop the others.
    except Exception as error:  # noqa: BLE001
        print(f"{name}: {error}", file=sys.stderr)
        return False
    content = msgspec.json.encode(table)
    (folder / f"{entry.name}.json").write_bytes(content.replace(b"],[", b"],\n[") + b"\n")
    size = f"{len(table.rows)} rows, {len(table.profiles)} profiles ({interpolated} interpolated), {len(content)} bytes"
    print(f"{entry.name:24} {size}, {time.perf_counter() - start:.1f} s", flush=True)
    return True


def make_table(entry: Traced) -> tuple[Table, int]:
    sizes = entry.sizes or (entry.size,)
    networks = [trace(entry, size) for size in sizes]
    usual = networks[sizes.index(entry.size)]
    if entry.parameters not in (None, usual.parameters):
        raise CatalogError(f"{entry.name} has {usual.parameters:,} parameters, published are {entry.parameters:,}")
    scaling = Sizes(sizes, entry.size)
    groups = align([network.operations for network in networks], entry.name)
    operators = sorted({group[0].operator for group in groups})
    rows = tuple(make_row(group, count, operators, scaling) for group, count in groups.items())
    totals = {name: scaling.quantity([getattr(network, name) for network in networks]) for name in TOTALS}
    table = Table(
        name=entry.name,
        family=entry.family,
        sample=entry.sample,
        size=entry.size,
        step=entry.step,
        smallest=entry.smallest if len(sizes) > 1 else entry.size,
        largest=entry.largest if len(sizes) > 1 else entry.size,
        layers=entry.layers,
        attention=usual.attention,
        totals=totals,
        traced_with=", ".join([usual.traced_with, *(f"{name} {library_version(name)}" for name in entry.libraries)]),
        parameter_source=entry.source,
        operators=tuple(operators),
        profiles=tuple(scaling.profiles),
        rows=rows,
        moments=moments_at(usual, totals["peak_bytes_per_sample"]),
        validation_only=entry.validation_only,
    )
    return table, scaling.interpolated


def moments_at(usual: Network, peak: Quantity) -> tuple[tuple[Quantity, float], ...]:
    """Return the fullest moments at the usual size, all of which grow with the size as the peak does."""
    profile = peak[1] if isinstance(peak, tuple) else None
    whole = ((round(slope), round(fixed)) for slope, fixed in usual.moments)
    return tuple((slope if profile is None else (slope, profile), fixed) for slope, fixed in whole)


def trace(entry: Traced, size: int) -> Network:
    with torch.device("meta"):
        module = entry.build(size)
    learning = trace_inputs(entry, module, size)
    if entry.before is not None:
        earlier = trace(entry.before, size).operations
        learning = msgspec.structs.replace(learning, operations=(*earlier, *learning.operations))
    if entry.sizes_asked:
        learning = msgspec.structs.replace(learning, operations=(*learning.operations, gradient_sizes(learning)))
    if not entry.written:
        return learning
    writing = trace_inputs(entry, module, 1).operations
    passes = [
        msgspec.structs.replace(one, count=one.count * entry.written)
        for one in writing
        if one.phase == "forward" and one.kind != "loss" and one.operator != "nll_loss_forward"
    ]
    return msgspec.structs.replace(learning, operations=(*passes, *learning.operations))


def gradient_sizes(network: Network) -> Operation:
    """Return the norm of each gradient by itself, and its copy to the processor, for parameters of a mean size."""
    numbers = network.trainable_parameters // network.parameter_tensors
    return Operation(
        kind="reduction",
        phase="backward",
        operator="norm",
        shape=(1, numbers),
        batch_axis=None,
        count=network.parameter_tensors,
        flop_fixed=float(numbers),
        bytes_fixed=4.0 * numbers,
        kernels=2,
    )


def trace_inputs(entry: Traced, module: torch.nn.Module, size: int) -> Network:
    return trace_module(
        module,
        lambda batch: entry.inputs(size, batch),
        name=entry.name,
        family=entry.family,
        sample=entry.sample,
        loss=entry.loss,
        strict=True,
        grouped=False,
        **entry.settings,
    )


def align(traces: Sequence[Sequence[Operation]], name: str) -> dict[tuple[Operation, ...], int]:
    """Return operations that are one and the same at each size, with their count where it is the same at all sizes.

    One by one in the order they run. Where another size runs more of them (the steps of a recurrent loop), groups of
    equal operations are matched instead, and the count is part of what grows.
    """
    if len({tuple((operation.kind, operation.operator) for operation in trace) for trace in traces}) == 1:
        return Counter(zip(*traces, strict=True))
    grouped = [group_equal(trace) for trace in traces]
    if len({tuple((group.kind, group.operator, group.phase) for group in groups) for groups in grouped}) > 1:
        raise CatalogError(f"{name} does other operations at another size")
    return dict.fromkeys(zip(*grouped, strict=True), 1)


def make_row(group: tuple[Operation, ...], count: int, operators: list[str], scaling: Sizes) -> Row:
    first = group[0]
    shape: list[Quantity] = [
        scaling.quantity([operation.shape[axis] for operation in group]) for axis in range(len(first.shape))
    ]
    return Row(
        kind=KINDS.index(first.kind),
        phase=PHASES.index(first.phase),
        operator=operators.index(first.operator),
        batch_axis=first.batch_axis,
        shape=tuple(shape),
        count=scaling.quantity([operation.count * count for operation in group]),
        **{name: scaling.quantity([getattr(operation, name) for operation in group]) for name in AMOUNTS},
        kernels=scaling.quantity([operation.kernels for operation in group]),
    )


def library_version(name: str) -> str:
    try:
        return version(name).split("+")[0]
    except PackageNotFoundError:
        return "unknown"


def write_index(registry: Sequence[Traced], folder: Path) -> None:
    """Write the list of all networks that have a table, those of missing libraries kept."""
    path = folder / "index.json"
    old = msgspec.json.decode(path.read_bytes(), type=list[IndexEntry]) if path.exists() else []
    entries = {entry.name: entry for entry in [*old, CLASSICAL]}
    entries |= {
        entry.name: IndexEntry(
            name=entry.name,
            family=entry.family,
            sample=entry.sample,
            parameters=entry.parameters or 0,
            size=entry.size,
            aliases=entry.aliases,
            validation_only=entry.validation_only,
            is_language_model=entry.is_language_model,
        )
        for entry in registry
    }
    order = [CLASSICAL.name, *(entry.name for entry in registry)]
    names = [*order, *(name for name in entries if name not in order)]
    kept = [entries[name] for name in names if name == CLASSICAL.name or (folder / f"{name}.json").exists()]
    lines = b",\n".join(msgspec.json.encode(entry) for entry in kept)
    path.write_bytes(b"[" + lines + b"]\n")


CLASSICAL = IndexEntry(
    name="gradient_boosting",
    family="classical",
    sample="row",
    parameters=0,
    aliases=("xgboost", "lightgbm", "catboost", "boosted_trees", "classical_ml"),
)

if __name__ == "__main__":
    sys.exit(main())
