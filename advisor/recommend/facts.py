"""Gather the named facts the rules look at, each with how it was come by; what is not known stays unknown."""

import statistics
from collections.abc import Iterable, Mapping, Sequence

from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Accelerator, Machine
from advisor.records.job.advice import Fact, FactBasis, FactValue, Option
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measured.measurement import Benchmark, Measurement
from advisor.records.results.report import NetworkSummary
from advisor.units import MONTH_S

NODE_DEVICES = 8
"""Devices in the largest single computer one can usually buy or rent."""

FACT_UNITS: dict[str, str] = {
    "batch_normalized": "",
    "batch_size": "",
    "budget_is_stated": "",
    "budget_usd": "usd",
    "card_idle_ratio": "ratio",
    "card_memory_bytes": "bytes",
    "card_samples_per_s": "samples_per_s",
    "chosen_family": "",
    "chosen_limit": "",
    "chosen_memory_type": "",
    "chosen_vendor": "",
    "data_must_stay": "",
    "data_bytes": "bytes",
    "deadline_s": "s",
    "fetch_s": "s",
    "fits_card_here": "",
    "fits_here": "",
    "fits_one_gpu": "",
    "fits_one_node": "",
    "gpu_over_cpu_ratio": "times",
    "gpu_time_per_month_s": "s",
    "has_card": "",
    "horizon_months": "months",
    "input_kind": "",
    "is_company": "",
    "is_laptop": "",
    "is_small": "",
    "free_disk_bytes": "bytes",
    "disk_samples_per_s": "samples_per_s",
    "loader_samples_per_s": "samples_per_s",
    "loaders": "",
    "main_memory_bytes": "bytes",
    "memory_needed_bytes": "bytes",
    "method": "",
    "network_family": "",
    "parameters": "",
    "runs_on_gpu": "",
    "runs_per_month": "",
    "samples": "",
    "task": "",
    "time_between_runs_s": "s",
    "time_here_s": "s",
    "time_on_card_s": "s",
    "time_on_one_gpu_s": "s",
    "time_on_one_node_s": "s",
    "time_on_processor_s": "s",
    "torch_mismatch": "",
    "train_flop": "flop",
    "unknown_card": "",
    "unsaid_cores": "",
    "limited_card": "",
    "limited_kind": "",
    "usable_cores": "",
    "weights_bytes": "bytes",
    "who": "",
}
"""All facts a rule may name, with their units."""

_FOUND_ELSEWHERE = ("data_bytes", "disk_samples_per_s", "fetch_s", "free_disk_bytes", "weights_bytes")

Facts = dict[str, Fact]


def fact(name: str, value: FactValue, basis: FactBasis) -> Fact:
    """Return a fact with the unit of its name."""
    return Fact(name=name, value=value, unit=FACT_UNITS[name], basis=basis)


def collect_facts(
    workload: Workload,
    circumstances: Circumstances,
    machine: Machine,
    options: Sequence[Option],
    *,
    benchmark: Benchmark | None = None,
    network: NetworkSummary | None = None,
    small_s: float | None = None,
    extra: Iterable[Fact] = (),
) -> Facts:
    """Return everything known before the choice, by name.

    Args:
        workload: What the user wants to train.
        circumstances: The user's side of it.
        machine: What the probe found.
        options: Predicted and priced.
        benchmark: What was measured here, if anything.
        network: Size and work of the workload's network.
        small_s: A task is small when the processor alone ends it within this; None: the rules do not say.
        extra: Facts that replace those found here.
    """
    found = [
        *_asked(workload, circumstances, network),
        *_probed(machine),
        *_measured(benchmark),
        *_predicted(workload, circumstances, options, small_s),
        *(fact(name, None, "probed") for name in _FOUND_ELSEWHERE),
        *extra,
    ]
    return {one.name: one for one in found}


def chosen_facts(chosen: Option | None, devices: Mapping[str, Device]) -> Facts:
    """Return the facts about the option that was chosen: which family it is of, and what holds it back."""
    if chosen is None:
        return {}
    device = devices.get(chosen.device)
    on_gpu = not is_processor(chosen)
    found = [fact("runs_on_gpu", on_gpu, "predicted")]
    if chosen.prediction is not None:
        found.append(fact("chosen_limit", chosen.prediction.limit, "predicted"))
    if device is not None and on_gpu:
        found += [
            fact("chosen_vendor", device.vendor, "published"),
            fact("chosen_family", family(device), "published"),
            fact("chosen_memory_type", _memory_kind(device), "published"),
        ]
    return {one.name: one for one in found}


def family(device: Device) -> str | None:
    """Return the family of graphics cards as the articles name them, or None for any other device."""
    if device.vendor == "nvidia":
        return {"consumer": "GeForce", "professional": "Quadro", "datacenter": "Tesla"}[device.for_whom]
    if device.vendor == "amd" and device.device_class != "cpu":
        return "Instinct" if device.for_whom == "datacenter" else "Radeon"
    return None


def _memory_kind(device: Device) -> str | None:
    kind = (device.memory_type or "").upper()
    return next((name for name in ("HBM", "GDDR") if kind.startswith(name)), None)


def is_processor(option: Option) -> bool:
    """Return whether an option computes on this computer's processor."""
    return option.id == "here/cpu"


def is_site_processor(option: Option) -> bool:
    """Return whether an option computes on the processors of the site's nodes."""
    return option.id.startswith("site/cpu/")


def is_single_gpu(option: Option) -> bool:
    """Return whether an option computes on one accelerator, wherever it stands."""
    return option.device_count == 1 and not is_processor(option) and option.tier != "cluster"


def fits(option: Option) -> bool | None:
    """Return whether the task fits the option's memory; None where that is unknown."""
    if option.prediction is None:
        return None
    memory = option.prediction.memory
    return True if memory is None else memory.fits


def waits_for_disk(option: Option) -> bool:
    """Return whether reading its data holds an option back."""
    return option.prediction is not None and option.prediction.limit == "disk"


def _asked(workload: Workload, circumstances: Circumstances, network: NetworkSummary | None) -> Iterable[Fact]:
    yield fact("method", workload.method, "asked")
    yield fact("task", workload.task, "asked")
    yield fact("samples", workload.samples, "asked")
    yield fact("batch_size", workload.batch_size, "asked")
    yield fact("input_kind", workload.input_kind, "asked")
    yield fact("loaders", workload.loaders, "asked")
    yield fact("who", circumstances.who, "asked")
    yield fact("is_company", circumstances.who in {"company", "large_company"}, "asked")
    yield fact("runs_per_month", circumstances.runs_per_month, "asked")
    yield fact("time_between_runs_s", _time_between_runs(circumstances), "asked")
    yield fact("deadline_s", circumstances.deadline_s, "asked")
    yield fact("budget_usd", circumstances.budget_usd, "asked")
    yield fact("budget_is_stated", circumstances.budget_usd is not None, "asked")
    yield fact("horizon_months", circumstances.horizon_months, "asked")
    yield fact("data_must_stay", circumstances.data_must_stay, "asked")
    if network is not None:
        yield fact("network_family", network.family, "published")
        yield fact("parameters", network.parameters, "published")
        yield fact("batch_normalized", network.batch_normalized, "published")
        yield fact("train_flop", network.flop_per_sample_train * workload.total_samples, "predicted")


def _time_between_runs(circumstances: Circumstances) -> float | None:
    return MONTH_S / circumstances.runs_per_month if circumstances.runs_per_month > 0 else None


def _probed(machine: Machine) -> Iterable[Fact]:
    cards = [accelerator for accelerator in machine.accelerators if accelerator.trains]
    yield fact("has_card", bool(cards), "probed")
    yield fact("card_memory_bytes", _largest_memory(cards), "probed")
    laptop = None if machine.host.form_factor == "unknown" else machine.host.form_factor == "laptop"
    yield fact("is_laptop", laptop, "probed")
    yield fact("main_memory_bytes", machine.host.memory.limit_bytes, "probed")
    yield fact("usable_cores", machine.host.cpu.usable_cores, "probed")
    yield fact("torch_mismatch", machine.framework.mismatch, "probed")
    for name in ("unknown_card", "unsaid_cores", "limited_card", "limited_kind"):
        yield fact(name, None, "probed")  # who has the catalogue says otherwise


def _largest_memory(cards: Sequence[Accelerator]) -> int | None:
    return max((card.memory_bytes for card in cards if card.memory_bytes), default=None)


def _measured(benchmark: Benchmark | None) -> Iterable[Fact]:
    yield fact("gpu_over_cpu_ratio", gpu_over_cpu(benchmark), "measured")
    for name in ("loader_samples_per_s", "card_samples_per_s"):
        yield fact(name, None, "measured")  # the diagnosis knows, where both were measured


def gpu_over_cpu(benchmark: Benchmark | None) -> float | None:
    """Return how many times as fast the fastest accelerator trained as the processor, same network and batch.

    The article's own network is preferred; else any training case measured on both.
    """
    pairs = list(_training_pairs(benchmark)) if benchmark is not None else []
    pairs.sort(key=lambda pair: (pair[0].case.network != "article_cnn", pair[1].median_s))
    return pairs[0][0].median_s / pairs[0][1].median_s if pairs else None


def _training_pairs(benchmark: Benchmark) -> Iterable[tuple[Measurement, Measurement]]:
    trained = [m for m in benchmark.measurements if m.case.program == "train"]
    for slow in (m for m in trained if m.case.device == "cpu"):
        for fast in (m for m in trained if m.case.device != "cpu"):
            if _same_work(slow, fast):
                yield slow, fast


def _same_work(one: Measurement, other: Measurement) -> bool:
    a, b = one.case, other.case
    return (a.network, a.batch_size, a.size, a.precision) == (b.network, b.batch_size, b.size, b.precision)


def _predicted(
    workload: Workload, circumstances: Circumstances, options: Sequence[Option], small_s: float | None
) -> Iterable[Fact]:
    here = [option for option in options if option.tier == "this_computer"]
    cards = [option for option in here if not is_processor(option)]
    processor = [option for option in here if is_processor(option)]
    single = [option for option in options if is_single_gpu(option)]
    owned = [option for option in single if option.tier != "cloud"]
    node = [o for o in options if o.device_count <= NODE_DEVICES and o.tier != "cluster" and not is_processor(o)]
    on_processor = _fastest(processor)
    on_one_gpu = _middling(owned) or _middling(single)
    yield fact("time_here_s", _fastest(here), "predicted")
    yield fact("time_on_processor_s", on_processor, "predicted")
    yield fact("time_on_card_s", _fastest(cards), "predicted")
    yield fact("time_on_one_gpu_s", on_one_gpu, "predicted")
    yield fact("time_on_one_node_s", _fastest(node), "predicted")
    per_month = None if on_one_gpu is None else on_one_gpu * circumstances.runs_per_month
    yield fact("gpu_time_per_month_s", per_month, "predicted")
    yield fact("is_small", _is_small(workload, processor, on_processor, small_s), "predicted")
    yield fact("fits_here", _any_fits(here), "predicted")
    yield fact("fits_card_here", _any_fits(cards) if cards else False, "predicted")
    yield fact("fits_one_gpu", _any_fits(single), "predicted")
    yield fact("fits_one_node", _any_fits(node), "predicted")
    yield fact("memory_needed_bytes", _memory_needed(single or processor), "predicted")
    yield fact("card_idle_ratio", idle_ratio(min(cards, key=_time, default=None)), "predicted")


def _time(option: Option) -> float:
    return float("inf") if option.run_s is None else option.run_s


def _fastest(options: Iterable[Option]) -> float | None:
    """Return the shortest run among the options that the task fits."""
    return min((o.run_s for o in options if o.run_s is not None and fits(o) is not False), default=None)


def _middling(options: Iterable[Option]) -> float | None:
    """Return the median run among the options that the task fits: what an ordinary card of its kind takes."""
    times = [o.run_s for o in options if o.run_s is not None and fits(o) is not False]
    return statistics.median_low(times) if times else None


def _any_fits(options: Iterable[Option]) -> bool | None:
    answers = [fits(option) for option in options]
    return True if True in answers else False if False in answers else None


def _is_small(
    workload: Workload, processor: Sequence[Option], on_processor: float | None, small_s: float | None
) -> bool | None:
    if workload.method == "classical":
        return True
    if on_processor is not None and small_s is not None:
        return on_processor <= small_s
    return False if _any_fits(processor) is False else None


def _memory_needed(options: Iterable[Option]) -> float | None:
    memories = [o.prediction.memory for o in options if o.prediction is not None and o.prediction.memory is not None]
    return min((memory.total_bytes for memory in memories), default=None)


def idle_ratio(option: Option | None) -> float | None:
    """Return the share of a step during which the device waits for its input."""
    if option is None or option.prediction is None:
        return None
    waiting = [part.time_s for part in option.prediction.parts if part.name == "input"]
    return waiting[0] / option.prediction.time_per_step_s if waiting else None
