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
from advisor.records.base import Z80
from advisor.records.hardware.device import Device
from advisor.records.job.serving import LanguageModel, PublishedRate, WeightFormat

FITTED_ON = "published rates of llama.cpp: resources/references/serving.csv"
FEW, FEW_SIGMA = 12, 0.25
"""A class with fewer rows tells only two constants, and its own error not at all."""
_LONG, _FEW_LONG, _FEW_WRITTEN = 2048, 4, 4
_DISAGREEMENT = 1.4
"""Times as fast that one program is as another on the same card, from which on neither is what people get: on an Arc Pro
B70 SYCL writes twice as fast as Vulkan, and reads half as fast."""
_STEPS = (0.3, 0.1, 0.03, 0.01)
_START = ServingConstants(
    bandwidth=0.9,
    short=0.95,
    cache=0.35,
    layer_s=4e-5,
    layer_old_s=9e-5,
    arithmetic=0.5,
    slope=0.3,
    slope_old=0.3,
    unpacking=0.8,
    unpacking_old=0.8,
    attention=0.15,
    attention_old=0.15,
    experts=1.0,
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
                    put(name, min(old * factor, _most(name, read())))
                    found = statistics.fmean(map(abs, errors(rows)))
                    if found < best - 1e-5:
                        best, moved = found, True
                    else:
                        put(name, old)


def _most(name: str, constants_now: object) -> float:
    """Return the greatest value that a constant may have: nothing is read faster than the memory delivers."""
    if name == "short":
        return 1.0 / float(getattr(constants_now, "bandwidth"))  # noqa: B009
    return 1.0 if name in ("bandwidth", "cache") else math.inf


def fit(rows: list[Published]) -> ServingTable:
    """Return the constants of every class that the rows have, and put them where predictions look."""
    holder = [_blank()]
    for module in (constants, answer):
        module.serving_table = lambda: holder[0]  # type: ignore[attr-defined]
    for name in holder[0].classes:  # the cards first: others take over from them
        own = [row for row in rows if class_of(row.device) == name]
        _fit_class(holder, name, own)
        if name != "card":
            _take_over(holder, name, own)
    _judge(holder, rows)
    several = [row for row in rows if row.row.count > 1]
    _search(
        several,
        ("pipeline", "hop_s"),
        lambda: holder[0],
        lambda name, value: holder.__setitem__(0, msgspec.structs.replace(holder[0], **{name: value})),
    )
    return holder[0]


def _judge(holder: list[ServingTable], rows: list[Published]) -> None:
    """Set the errors of the classes to those of devices left out, one after the other, on programs of today.

    A device that has most of a class' rows may be nearer without them by luck: what is left with all rows counts too.
    """
    fitted = holder[0]
    sigmas: dict[str, dict[str, float]] = {name: {} for name in fitted.classes}
    for name in fitted.classes:
        own = [row for row in rows if class_of(row.device) == name and row.row.count == 1]
        missed: dict[str, list[float]] = {"decode": [], "prefill": []}
        shown = {kind: list(map(abs, errors(_asked(own, kind)))) for kind in missed}
        for device in {row.row.device for row in own}:
            _fit_class(holder, name, [row for row in own if row.row.device != device])
            if name != "card":
                _take_over(holder, name, [row for row in own if row.row.device != device])
            for kind, found in missed.items():
                found.extend(map(abs, errors([row for row in _asked(own, kind) if row.row.device == device])))
            holder[0] = fitted
        for kind, found in missed.items():
            usual = FEW_SIGMA if kind == "decode" else 2 * FEW_SIGMA
            told = max(_width(found), _width(shown[kind])) if len(found) >= FEW else usual
            sigmas[name][f"{kind}_sigma"] = max(0.1, told)
    classes = {name: msgspec.structs.replace(one, **sigmas[name]) for name, one in fitted.classes.items()}
    holder[0] = msgspec.structs.replace(fitted, classes=classes)


def _asked(rows: list[Published], kind: str) -> list[Published]:
    """Return the rates that tell a class' error: those of today, or all where there are few."""
    new, old = (_of_kind(rows, kind, is_new=is_new) for is_new in (True, False))
    return new if len(new) >= FEW else old + new


def _width(missed: list[float]) -> float:
    """Return the standard deviation of which four in five errors are within."""
    return statistics.quantiles(missed, n=5)[-1] / Z80 if len(missed) >= FEW else 0.0


def _take_over(holder: list[ServingTable], name: str, rows: list[Published]) -> None:
    """Take what the rows of a class do not tell from older ones, or from the cards."""
    card, one = holder[0].classes["card"], holder[0].classes[name]
    if len(_of_kind(rows, "decode", is_new=True)) < _FEW_WRITTEN and len(rows) >= FEW:
        gained = card.layer_s / card.layer_old_s if name == "stacked" else 1.0  # CUDA alone launches graphs
        one = msgspec.structs.replace(one, layer_s=one.layer_old_s * gained)
    if len(_of_kind(rows, "prefill", is_new=False)) < FEW:
        one = msgspec.structs.replace(
            one, slope_old=one.slope, unpacking_old=one.unpacking, attention_old=one.attention
        )
    elif len(_of_kind(rows, "prefill", is_new=True)) < FEW:  # an H100 and Apple's chips read as fast as before
        one = msgspec.structs.replace(
            one, slope=one.slope_old, unpacking=one.unpacking_old, attention=one.attention_old
        )
    holder[0] = msgspec.structs.replace(holder[0], classes=holder[0].classes | {name: one})


def _fit_class(holder: list[ServingTable], name: str, rows: list[Published]) -> None:
    def put(field: str, value: float) -> None:
        one = msgspec.structs.replace(holder[0].classes[name], **{field: value})
        holder[0] = msgspec.structs.replace(holder[0], classes=holder[0].classes | {name: one})

    alone = [row for row in rows if row.row.count == 1]
    for kind, fields in _fields(alone):
        own = _told_by(alone, kind)
        if len(own) > 1:  # one tells nothing
            _search(own, fields, lambda: holder[0].classes[name], put)
            if _is_few(alone):  # what lies between the middle two is as near as any: the mean
                put(fields[0], getattr(holder[0].classes[name], fields[0]) / math.exp(statistics.fmean(errors(own))))


def _fields(rows: list[Published]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield which constants the rows of a class can tell, by kind of rate."""
    few = _is_few(rows)
    decode = ["bandwidth"] if few else ["bandwidth", "short"]
    prefill = ["arithmetic"]
    for is_new, ending in ((False, "_old"), (True, "")):
        written, read = (_of_kind(rows, kind, is_new=is_new) for kind in ("decode", "prefill"))
        decode += [f"layer{ending}_s"] if len(written) >= _FEW_WRITTEN and not few else []
        prefill += [f"slope{ending}", f"unpacking{ending}"] if len(read) >= FEW else []
        prefill += [f"attention{ending}"] if len(read) >= FEW and _are_long(read) else []
    decode += ["cache"] if not few and _are_long([row for row in rows if row.row.kind == "decode"]) else []
    prefill += ["experts"] if any(row.model.experts for row in rows) else []
    yield "decode", tuple(decode)
    yield "prefill", tuple(prefill)


def _is_few(rows: list[Published]) -> bool:
    """Return whether rows tell little: too few, or of programs that disagree, between which the middle is told."""
    same: dict[tuple[object, ...], list[float]] = {}
    for one in rows:
        row = one.row
        question = (row.device, row.model, row.weights, row.kind, row.tokens)
        same.setdefault(question, []).append(row.tokens_per_s or 1.0)
    spreads = [max(rates) / min(rates) for rates in same.values() if len(rates) > 1]
    return len(rows) < FEW or (len(spreads) > 0 and statistics.median(spreads) > _DISAGREEMENT)


def _told_by(rows: list[Published], kind: str) -> list[Published]:
    """Return the rows that tell a class' constants: of the few prompts of today, where there are, none."""
    new, old = (_of_kind(rows, kind, is_new=is_new) for is_new in (True, False))
    return old if kind == "prefill" and len(new) < FEW <= len(old) else old + new


def _are_long(rows: list[Published]) -> bool:
    """Return whether rows have long enough texts to tell what grows with their length."""
    return sum(row.row.tokens >= _LONG for row in rows) >= _FEW_LONG


def _of_kind(rows: list[Published], kind: str, *, is_new: bool) -> list[Published]:
    """Return the rates of programs of today, whose prompts and launches are quicker, or of those before."""
    since = str(constants.PACKED_SINCE)
    return [row for row in rows if row.row.kind == kind and (row.row.date >= since) == is_new]


def _blank() -> ServingTable:
    """Return where the search begins; a processor's constants are not fitted, for one row has them."""
    names = ("card", "amd", "amd_soc", "apple", "intel", "stacked")
    classes = dict.fromkeys(names, _START) | {"cpu": constants.serving_table().classes["cpu"]}
    return ServingTable(fitted="", source="", hop_s=1e-4, pipeline=0.7, classes=classes)


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
