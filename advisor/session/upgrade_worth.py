"""Is another part worth it? Answer the job again with it, and weigh what it saves against what it costs."""

from collections.abc import Iterator
from typing import Final

import msgspec

from advisor.catalog import find_device
from advisor.errors import UnknownNameError
from advisor.options.what_if import exchange_parts
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import Option
from advisor.records.job.changes import Barred, PartKind, WhatIf
from advisor.records.job.prediction import Limit
from advisor.records.job.work import Network
from advisor.records.request import Observation, observation_of
from advisor.records.results.report import Report
from advisor.report.content.options.best import best_options
from advisor.session.forecast import conclude

PARTS: Final[dict[str, PartKind]] = {
    "second card": "second_card",
    "segunda tarjeta": "second_card",
    "more memory": "memory",
    "más memoria": "memory",
    "more cores": "cores",
    "más núcleos": "cores",
    "faster disk": "disk",
    "disco más rápido": "disk",
}
UPGRADE: Final = frozenset({"upgrade", "mejora"})
"""Asks about every part that could be added to this computer."""
SOONER_RATIO = 0.87
"""What is to be better for the money saves more than a good prediction may be wrong."""

_CORES_POWER = 0.77
"""Of the gain that twice the cores have by their figures. Measured: the article's CNN, batches of 32, on one and two
cores of an EPYC, torch 2.13: 1.23 and 0.72 s a step, 1.7 times as fast (2026-11-28)."""


def check_question(question: str) -> None:
    """Refuse a question about what is no part that this program knows.

    Raises:
        UnknownNameError: No card has this name; names the nearest.
    """
    said = " ".join(question.casefold().split())
    if said not in UPGRADE and said not in PARTS:
        find_device(question)


def worth(report: Report, question: str, network: Network | None = None) -> tuple[WhatIf, ...]:
    """Return what the part that is asked about would bring, or every part for an upgrade, the most helpful first.

    Args:
        report: The answer for the computer as it is.
        question: The name of a card, one of ``PARTS`` or of ``UPGRADE``.
        network: Of the job where no catalogue has it.

    Raises:
        UnknownNameError: It is none of these; names the nearest card.
        InputError: It is no card, but a processor or a whole computer.
    """
    said = " ".join(question.casefold().split())
    if said in UPGRADE:
        kinds: tuple[PartKind, ...] = ("second_card", "memory", "cores", "disk")
        found = [_with_part(report, kind, network) for kind in kinds]
        if not any(one.trains for one in report.machine.accelerators):
            found += [_with_card(report, name, network) for name in _best_card(report)]
        able = [one for one in found if one.barred is None]
        return tuple(sorted(able, key=lambda one: -(one.saved_s or 0.0)))
    if said in PARTS:
        return (_with_part(report, PARTS[said], network),)
    return (_with_card(report, find_device(question).name, network),)


def _best_card(report: Report) -> Iterator[str]:
    """Yield the card that the answer names for buying: nothing else helps a computer without one as much."""
    best = next((one for one in best_options(report) if one.tier == "single_gpu"), None)
    if best is not None and best.device_count == 1 and best.id.startswith("buy/"):
        yield best.id.removeprefix("buy/")


def _with_card(report: Report, name: str, network: Network | None) -> WhatIf:
    """Weigh a card: as it is sold, in this computer or with one around it, else as if it were here."""
    sold = next((one for one in report.advice.options if one.id == f"buy/{name}"), None)
    is_for_server = sold is None and find_device(name).device_class == "datacenter_gpu"
    if is_for_server and report.machine.host.form_factor != "server":
        return _weighed(report, "card", None, name=name, barred="server")
    if sold is None:
        changed = exchange_parts(_seen(report), name)
        return _weighed(report, "card", _best(_again(report, changed, network)), name=name)
    holds = sold.run_s is not None and not _is_too_small(sold)
    found = _weighed(
        report,
        "card",
        sold if holds else None,
        name=name,
        price_usd=sold.purchase_usd,
        pays_months=sold.break_even_months if holds else None,
    )
    if sold.host_usd <= 0:
        return found
    put_in = None
    if holds and not report.machine.takes_no_card:  # there may be a place that cannot be seen: say what it would bring
        put_in = _best(_again(report, exchange_parts(_seen(report), name), network))
    return msgspec.structs.replace(
        found,
        card_usd=sold.purchase_usd - sold.host_usd,
        here_s=None if put_in is None else put_in.run_s,
        here_interval=None if put_in is None else put_in.interval,
        here_limit=None if put_in is None or put_in.prediction is None else put_in.prediction.limit,
    )


def _with_part(report: Report, kind: PartKind, network: Network | None) -> WhatIf:
    """Weigh a part that is added to this computer, where it can be."""
    machine, workload = report.machine, report.workload
    if machine.host.form_factor == "laptop" and kind in ("second_card", "cores"):
        return _weighed(report, kind, None, barred="laptop")
    if kind == "second_card":
        return _with_second_card(report, network)
    is_loaded = kind == "cores" and 0 < (workload.loaders or 0) <= machine.host.cpu.usable_cores
    if is_loaded:  # more processes than threads are a ready-made job's, and help nobody
        workload = msgspec.structs.replace(workload, loaders=2 * (workload.loaders or 0))
    seen = msgspec.structs.replace(_seen(report), machine=_with(machine, kind))
    then = _best(conclude(seen, workload, report.circumstances, network))
    if kind == "cores":
        then = _with_cores(report, then, seen.machine, network)
    found = _weighed(report, kind, then)
    return msgspec.structs.replace(found, loaders=workload.loaders or 0) if is_loaded else found


def _with_cores(report: Report, then: Option | None, machine: Machine, network: Network | None) -> Option | None:
    """Return what a processor of more cores does the job in: its measured step is that of the cores there are.

    As many times as fast as the model says of both without measurements, to the power that was seen.
    """
    now = _best(report)
    if then is None or now is None or now.is_card or then.run_s is None or now.run_s is None:
        return then
    bare = msgspec.structs.replace(_seen(report), benchmark=None)
    before, after = (
        _best(_again(report, msgspec.structs.replace(bare, machine=one), network)) for one in (report.machine, machine)
    )
    if before is None or after is None or not before.run_s or not after.run_s:
        return then
    ratio = min(1.0, after.run_s / before.run_s) ** _CORES_POWER
    return msgspec.structs.replace(then, run_s=min(then.run_s, now.run_s * ratio))


def _with_second_card(report: Report, network: Network | None) -> WhatIf:
    machine = report.machine
    first = next((one for one in machine.accelerators if one.trains), None)
    if first is None:
        return _weighed(report, "second_card", None, barred="no_card")
    try:
        device = find_device(first.name, memory_bytes=first.memory_bytes)
    except UnknownNameError:
        return _weighed(report, "second_card", None, barred="no_card")
    second = msgspec.structs.replace(first, index=max(one.index for one in machine.accelerators) + 1)
    two = msgspec.structs.replace(machine, accelerators=(*machine.accelerators, second))
    then = _best(_again(report, msgspec.structs.replace(_seen(report), machine=two), network))
    return _weighed(report, "second_card", then, name=device.name, price_usd=device.price_usd)


def _with(machine: Machine, kind: PartKind) -> Machine:
    """Return the computer with twice the memory, twice the cores, or a drive without a moving head."""
    host, replace = machine.host, msgspec.structs.replace
    if kind == "memory":
        total = 2 * host.memory.total_bytes
        memory = replace(host.memory, total_bytes=total, available_bytes=total, limit_bytes=total)
        return replace(machine, host=replace(host, memory=memory))
    if kind == "cores":
        cpu = host.cpu
        physical = None if cpu.physical_cores is None else 2 * cpu.physical_cores
        logical = None if cpu.logical_cores is None else 2 * cpu.logical_cores
        twice = replace(cpu, physical_cores=physical, logical_cores=logical, usable_cores=2 * cpu.usable_cores)
        return replace(machine, host=replace(host, cpu=twice))
    return replace(machine, host=replace(host, disk=replace(host.disk, kind="nvme")))


def _seen(report: Report) -> Observation:
    return msgspec.structs.replace(observation_of(report), is_simulated=True)


def _again(report: Report, observation: Observation, network: Network | None) -> Report:
    return conclude(observation, report.workload, report.circumstances, network)


def _best(report: Report) -> Option | None:
    """Return what this computer does the job with soonest; None where nothing of it holds the job."""
    here = [one for one in report.advice.options if one.tier == "this_computer" and one.run_s is not None]
    return min((one for one in here if not _is_too_small(one)), key=lambda one: one.run_s or 0.0, default=None)


def _is_too_small(option: Option) -> bool:
    memory = None if option.prediction is None else option.prediction.memory
    return memory is not None and memory.fits is False


def _weighed(
    report: Report,
    kind: PartKind,
    then: Option | None,
    *,
    name: str = "",
    price_usd: float | None = None,
    pays_months: float | None = None,
    barred: Barred | None = None,
) -> WhatIf:
    now = _best(report)
    limit: Limit = "unknown" if now is None or now.prediction is None else now.prediction.limit
    now_s, then_s = (None if one is None else one.run_s for one in (now, then))
    saved_s = None if now_s is None or then_s is None else (now_s - then_s) * report.circumstances.runs_per_month
    spent_usd = price_usd if then is None or not then.purchase_usd else then.horizon_usd
    sooner = [] if barred else list(_sooner(report, now_s if then_s is None else then_s, spent_usd))
    better = min(sooner, key=lambda one: (one.device_count > 1, one.horizon_usd or 0.0), default=None)
    return WhatIf(
        kind=kind,
        name=name,
        now_s=now_s,
        then_s=then_s,
        limit=limit,
        saved_s=saved_s,
        price_usd=price_usd,
        pays_months=pays_months,
        better=None if better is None else better.id,
        barred=barred,
    )


def _sooner(report: Report, then_s: float | None, spent_usd: float | None) -> Iterator[Option]:
    """Yield what does the job clearly sooner for no more money, and can be counted on."""
    for one in report.advice.options:
        is_steady = one.feasible and one.tier in ("single_gpu", "cloud")
        is_steady = is_steady and (one.offer is None or one.offer.is_dependable)
        is_steady = is_steady and not find_device(one.device).is_less_supported
        if not is_steady or one.run_s is None or one.horizon_usd is None or spent_usd is None:
            continue
        if one.horizon_usd <= spent_usd and (then_s is None or one.done_s < SOONER_RATIO * then_s):
            yield one
