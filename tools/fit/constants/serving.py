"""Constants of ``serving.json``, fitted on published rates of language models: resources/references/serving.csv.

PYTHONPATH=tools python -m fit.constants.serving [--write]
"""

import argparse
import datetime
import math
import statistics
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec
from fit.constants.files import write

from advisor.catalog import find_device
from advisor.catalog.language import find_format, find_model
from advisor.catalog.language.published import job_of, published_rates
from advisor.predict.serving import answer, constants, predict_serving
from advisor.predict.serving.constants import ServingConstants, ServingTable, class_of
from advisor.records.hardware.device import Device
from advisor.records.job.serving import LanguageModel, PublishedRate, WeightFormat

FITTED_ON = "github.com/XiongjieDai/GPU-Benchmarks-on-LLM-Inference"
FEW, FEW_SIGMA = 12, 0.25
"""A class with fewer rows tells only two constants, and its own spread not at all."""
_STEPS = (0.3, 0.1, 0.03, 0.01)
_START = ServingConstants(
    bandwidth=0.9,
    short=0.95,
    cache=0.35,
    layer_s=4e-5,
    layer_old_s=9e-5,
    arithmetic=0.5,
    slope=0.3,
    unpacking=0.8,
    attention=0.15,
    decode_sigma=0.2,
    prefill_sigma=0.3,
)


class Published(NamedTuple):
    """One published rate with what it is about."""

    row: PublishedRate
    device: Device
    model: LanguageModel
    weights: WeightFormat

    def predicted(self) -> float:
        """Return the rate as predicted, in tokens a second."""
        row = self.row
        found = predict_serving(self.model, self.weights, self.device, job_of(row), device_count=row.count)
        return found.prefill_tokens_per_s if row.kind == "prefill" else found.decode_tokens_per_s


def published() -> list[Published]:
    """Return every row that has a rate, without what its source itself casts doubt on."""
    return [
        Published(row, find_device(row.device), find_model(row.model), find_format(row.weights))
        for row in published_rates()
        if row.tokens_per_s is not None and row.doubt is None
    ]


def errors(rows: list[Published]) -> list[float]:
    """Return the logarithms of predicted over published."""
    return [math.log(one.predicted() / (one.row.tokens_per_s or 1.0)) for one in rows]


def _search(
    rows: list[Published], names: tuple[str, ...], read: Callable[[], object], put: Callable[..., None]
) -> None:
    """Move one constant after the other up and down while the mean absolute error falls."""
    best = statistics.fmean(map(abs, errors(rows)))
    for step in _STEPS:
        moved = True
        while moved:
            moved = False
            for name in names:
                for factor in (1 + step, 1 / (1 + step)):
                    old = getattr(read(), name)
                    put(name, min(old * factor, 1.0) if name in ("bandwidth", "unpacking") else old * factor)
                    found = statistics.fmean(map(abs, errors(rows)))
                    if found < best - 1e-5:
                        best, moved = found, True
                    else:
                        put(name, old)


def fit(rows: list[Published]) -> ServingTable:
    """Return the constants of every class that the rows have, and put them where predictions look."""
    holder = [_blank()]
    for module in (constants, answer):
        module.serving_table = lambda: holder[0]  # type: ignore[attr-defined]
    for name in holder[0].classes:
        own = [row for row in rows if class_of(row.device) == name]
        _fit_class(holder, name, own)
        if name != "card":
            _take_over(holder, name, own)
    several = [row for row in rows if row.row.count > 1]
    _search(
        several,
        ("pipeline", "hop_s"),
        lambda: holder[0],
        lambda name, value: holder.__setitem__(0, msgspec.structs.replace(holder[0], **{name: value})),
    )
    return holder[0]


def _take_over(holder: list[ServingTable], name: str, rows: list[Published]) -> None:
    """Take what the rows of a class do not tell from the cards: what newer programs gained, and the least error."""
    card, one = holder[0].classes["card"], holder[0].classes[name]
    if name == "stacked":  # CUDA alone launches graphs
        one = msgspec.structs.replace(one, layer_s=one.layer_old_s * card.layer_s / card.layer_old_s)
    elif name == "apple":
        one = msgspec.structs.replace(one, layer_s=one.layer_old_s)
    if len(rows) < FEW:
        one = msgspec.structs.replace(one, decode_sigma=FEW_SIGMA, prefill_sigma=2 * FEW_SIGMA)
    holder[0] = msgspec.structs.replace(holder[0], classes=holder[0].classes | {name: one})


def _fit_class(holder: list[ServingTable], name: str, rows: list[Published]) -> None:
    def put(field: str, value: float) -> None:
        one = msgspec.structs.replace(holder[0].classes[name], **{field: value})
        holder[0] = msgspec.structs.replace(holder[0], classes=holder[0].classes | {name: one})

    alone = [row for row in rows if row.row.count == 1]
    for kind, fields in _fields(alone):
        own = [row for row in alone if row.row.kind == kind]
        if own:
            _search(own, fields, lambda: holder[0].classes[name], put)
            if len(own) == 2:  # every rate between the two is as near: the middle
                put(fields[0], getattr(holder[0].classes[name], fields[0]) / math.exp(statistics.fmean(errors(own))))
            spread = [abs(one) for one in errors(own)]
            put(f"{kind}_sigma", max(0.1, 1.25 * statistics.fmean(spread)))


def _fields(rows: list[Published]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield which constants the rows of a class can tell, by kind of rate."""
    few = len(rows) < FEW
    decode: tuple[str, ...] = ("bandwidth",) if few else ("bandwidth", "short", "cache")
    years = {int(row.row.date[:4]) for row in rows}
    decode += ("layer_old_s",) if min(years, default=9999) < constants.GRAPHS_SINCE and not few else ()
    decode += ("layer_s",) if max(years, default=0) >= constants.GRAPHS_SINCE and not few else ()
    yield "decode", decode
    yield "prefill", ("arithmetic",) if few else ("arithmetic", "slope", "unpacking", "attention")


def _blank() -> ServingTable:
    names = ("card", "amd", "apple", "cpu", "intel", "stacked")
    return ServingTable(fitted="", source="", hop_s=1e-4, pipeline=0.7, classes=dict.fromkeys(names, _START))


def main() -> None:
    """Fit, say how well, and write."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    rows = published()
    table = fit(rows)
    table = msgspec.structs.replace(table, fitted=datetime.date.today().isoformat(), source=FITTED_ON)
    for name in table.classes:
        for kind in ("decode", "prefill"):
            own = [row for row in rows if class_of(row.device) == name and row.row.kind == kind]
            found = sorted(abs(math.expm1(one)) for one in errors(own))
            if found:
                print(
                    f"{name:8} {kind:8} {len(found):4} median {statistics.median(found):.1%} "
                    f"mean {statistics.fmean(found):.1%} worst {found[-1]:.0%}"
                )
    if parser.parse_args().write:
        write("serving", msgspec.to_builtins(table))


if __name__ == "__main__":
    main()
