"""Packs traced models of timm into ``resources/catalog/networks/timm.zip``, one table each at the usual image edge.

    PYTHONPATH=tools python -m fit.measurements.trace_timm --usual "*"    traces every model, which takes an hour
    python tools/pack_timm.py

Needs timm, for the usual edge of each model. Models that the catalogue has a table of its own for are left out; those
that are packed already stay, so that a part can be traced at a time.
"""

import sys
import zipfile
from collections import defaultdict
from pathlib import Path

import msgspec

from advisor.catalog.networks.tables import KINDS, PHASES, Quantity, Row, Table, network_index
from advisor.catalog.spelling import plain_name
from advisor.records.job.work import Network

sys.path.append(str(Path(__file__).resolve().parent))
from fit.measurements.cases import TRACED
from fit.measurements.trace_timm import usual_edge
from make_catalog import AMOUNTS, FOLDER, TOTALS, library_version

# isort: split
import timm

PACKED = FOLDER / "timm.zip"
NO_TIME = (1980, 1, 1, 0, 0, 0)
"""Of every member, so that the same tables make the same bytes."""


def main() -> int:
    if not TRACED.exists():
        print(f"The traced models {TRACED} are not there: run fit.measurements.trace_timm first.", file=sys.stderr)
        return 2
    current = set(timm.list_models())  # of names that timm gave to other models later nothing is packed
    own = {plain_name(name) for entry in network_index() for name in (entry.name, *entry.aliases)}
    by_model: dict[str, list[Network]] = defaultdict(list)
    for line in TRACED.read_bytes().splitlines():
        if line.endswith(b"}"):
            one = msgspec.json.decode(line, type=Network)
            by_model[one.name.partition("@")[0]].append(one)
    contents = packed_already()
    for name, found in by_model.items():
        net = usual(name, found)
        if net is not None:
            contents[name] = msgspec.json.encode(table(name, net))
    with zipfile.ZipFile(PACKED, "w") as packed:
        for name, content in sorted(contents.items()):
            if plain_name(name) not in own and name in current:
                packed.writestr(zipfile.ZipInfo(f"{name}.json", NO_TIME), content, zipfile.ZIP_DEFLATED, 9)
        print(f"{len(packed.namelist())} models, {PACKED.stat().st_size} bytes")
    return 0


def packed_already() -> dict[str, bytes]:
    """Return the tables that are packed, by the names of their models."""
    if not PACKED.exists():
        return {}
    with zipfile.ZipFile(PACKED) as packed:
        return {member.removesuffix(".json"): packed.read(member) for member in packed.namelist()}


def usual(name: str, found: list[Network]) -> Network | None:
    """Return its trace at the edge its weights were trained with; the smallest where timm names no edge."""
    edge = usual_edge(name)
    some = [one for one in found if edge in (None, one.image_size)]
    return min(some, key=lambda one: one.image_size or 0, default=None)


def table(name: str, net: Network) -> Table:
    """Return a network at one size as a table."""
    operators = tuple(sorted({operation.operator for operation in net.operations}))
    return Table(
        name=name,
        family=net.family,
        sample="image",
        size=net.image_size,
        step=1,
        smallest=net.image_size or 0,
        largest=net.image_size,
        layers=None,
        attention=net.attention,
        totals={key: plain(getattr(net, key)) for key in TOTALS},
        traced_with=f"{net.traced_with}, timm {library_version('timm')}",
        parameter_source=f"counted in the model of timm {library_version('timm')}",
        operators=operators,
        profiles=(),
        rows=tuple(
            Row(
                kind=KINDS.index(one.kind),
                phase=PHASES.index(one.phase),
                operator=operators.index(one.operator),
                batch_axis=one.batch_axis,
                shape=one.shape,
                count=one.count,
                **{key: plain(getattr(one, key)) for key in AMOUNTS},
                kernels=one.kernels,
            )
            for one in net.operations
        ),
        moments=net.moments,
    )


def plain(value: float) -> Quantity:
    """Return a number without a fraction as a whole one, which is shorter."""
    return int(value) if float(value).is_integer() else value


if __name__ == "__main__":
    sys.exit(main())
