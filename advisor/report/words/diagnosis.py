"""What holds this computer back, in words: findings as sentences with their numbers, what to do, and the gain."""

from collections.abc import Callable, Mapping
from typing import Final

from advisor.locale import N_, Language
from advisor.records.base import Interval
from advisor.records.job.advice import FactValue
from advisor.records.results.diagnosis import Finding, FindingKind, Reading, RemedyCode
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.cases import case_title, device_phrase, network_title
from advisor.report.words.labels import field_phrase
from advisor.report.words.placeholders import fill
from advisor.report.words.problems import MISMATCHES
from advisor.report.words.problems import REMEDIES as TROUBLE_REMEDIES

TITLES: Final[dict[FindingKind, str]] = {
    "bandwidth_bound": N_("Memory traffic"),
    "capacity_bound": N_("Too little memory"),
    "compute_bound": N_("Arithmetic is the limit"),
    "few_cores_for_loader": N_("Too few processor cores to prepare the data"),
    "input_bound": N_("Waiting for data"),
    "launch_bound": N_("Too many small operations"),
    "nothing_wrong": N_("Nothing is wrong"),
    "on_battery": N_("On battery"),
    "other_load": N_("Other programs"),
    "page_faults": N_("Memory requested again in every step"),
    "power_saver": N_("Power saving"),
    "single_memory_channel": N_("Half of the memory's speed"),
    "slow_link": N_("Slow connection to the card"),
    "throttled_heat": N_("Too hot"),
    "throttled_power": N_("Short of power"),
    "unstable": N_("Unsteady measurements"),
    "wrong_torch_build": N_("PyTorch does not use the card"),
}

SENTENCES: Final[dict[str, str]] = {
    # kind and form
    "bandwidth_bound": N_(
        "Moving parameters and intermediate results through memory takes {traffic_ratio} of a training step, at the "
        "{bandwidth_bytes_per_s} of {device}: more arithmetic would not help."
    ),
    "bandwidth_bound/profile": N_(
        "In training {network}, {moving_ratio} of the work of {device} only moves data through memory (optimizer, "
        "pooling, elementwise operations), {computing_ratio} is convolutions and products: more arithmetic would help "
        "little."
    ),
    "capacity_bound/batch": N_(
        "The memory of {device} ends at batches of {largest_batch}, where the speed still rises: the last step up "
        "made it {rising_times} times as fast."
    ),
    "capacity_bound/case": N_(
        "Training with batches of {batch} did not fit the {available_bytes} of memory of {device}."
    ),
    "capacity_bound/case/unknown": N_("Training with batches of {batch} did not fit the memory of {device}."),
    "capacity_bound/case/untried": N_(
        "Training with batches of {batch} on {device} was not tried: it needs about {needed_bytes} of memory, and "
        "{left_bytes} of what is free may be taken."
    ),
    "capacity_bound/host": N_("Only {free_bytes} of {available_bytes} of main memory were free."),
    "capacity_bound/host/waited": N_(
        "Programs had to wait for main memory, though {free_bytes} of {available_bytes} were free."
    ),
    "capacity_bound/job": N_("Your job takes {needed_bytes} of memory, and {device} has {available_bytes}."),
    "compute_bound": N_(
        "Arithmetic takes {compute_ratio} of a training step, at {product_flop_per_s}, the most that {device} reaches: "
        "this is how it should be."
    ),
    "compute_bound/profile": N_(
        "In training {network}, {computing_ratio} of the work of {device} is convolutions and products: this is how it "
        "should be."
    ),
    "few_cores_for_loader": N_(
        "To keep {device} busy, {needed_cores} processor cores would have to prepare {worker_samples_per_s} images a "
        "second each; there are {usable_cores}."
    ),
    "input_bound": N_(
        "The loader delivers {loader_samples_per_s} images a second, {device} could take {device_samples_per_s}: more "
        "GPU would not help."
    ),
    "input_bound/augmented": N_(
        "With augmentation, the loader delivers {loader_samples_per_s} images a second, {device} could take "
        "{device_samples_per_s}: more GPU would not help."
    ),
    "input_bound/predicted": N_(
        "For your job the loader is expected to deliver at most {loader_samples_per_s} images a second, and {device} "
        "could take at least {device_samples_per_s}: more GPU would not help."
    ),
    "launch_bound": N_(
        "With batches of {now_batch}, {device} does {now_samples_per_s} samples a second; with batches of "
        "{best_batch}, {best_samples_per_s}. Small batches do not keep it busy."
    ),
    "launch_bound/cells": N_(
        "An LSTM written step by step takes {cells_s} a training step on {device}, the same one as a single call "
        "(nn.LSTM) {fused_s}."
    ),
    "launch_bound/idle": N_(
        "For {idle_ratio} of a training step nothing ran on {device}, although its data lay ready: it waited for the "
        "program to start operations."
    ),
    "launch_bound/small": N_(
        "A training step has about {operations} operations, and starting one takes {small_s}: that is {launch_ratio} "
        "of its time, in which {device} waits."
    ),
    "nothing_wrong": N_(
        "{measurements} measurements found nothing that slows it: the limits of the hardware itself explain "
        "{explained_ratio} of a training step."
    ),
    "on_battery": N_("It was measured on battery ({charge_ratio} charged), where laptops run at lower power."),
    "on_battery/unknown": N_("It was measured on battery, where laptops run at lower power."),
    "other_load": N_(
        "Other programs used the processor in {times_seen} of {cases} measurements, on average {other_ratio} of it."
    ),
    "other_load/job": N_(
        "Other programs used {job_ratio} of the processor while your job itself was tested; over all {cases} "
        "measurements, {other_ratio} on average."
    ),
    "other_load/before": N_("Other programs used {other_ratio} of the processor just before it was measured."),
    "other_load/card": N_("Other programs hold {used_bytes} of the {available_bytes} of memory of {device}."),
    "page_faults": N_(
        "In training {network}, memory that one step frees goes back to the system, and the next step takes it anew: "
        "{usual_page_faults} page faults a step, which take {usual_system_ratio} of the processor's time. A step takes "
        "{usual_s} so, and {kept_s} where freed memory is kept."
    ),
    "page_faults/counted": N_(
        "In training {network} with batches of {batch}, memory that one step frees goes back to the system, and the "
        "next step takes it anew: {usual_page_faults} page faults a step. The system takes {usual_system_ratio} of the "
        "processor's time."
    ),
    "page_faults/earlier": N_(
        "In training {network}, memory that one step frees goes back to the system, and the next step takes it anew: "
        "{usual_page_faults} page faults a step, which took {usual_system_ratio} of the processor's time in your "
        "earlier check of this job. Beside other programs that share cannot be measured."
    ),
    "power_saver": N_("The system saves power and holds the processor's clock down."),
    "single_memory_channel": N_(
        "Main memory delivers {bandwidth_bytes_per_s}, which is {reached_ratio} of the {published_bytes_per_s} this "
        "processor is made for: most likely only one of its two memory channels is in use, or its memory is of a slow "
        "kind."
    ),
    "slow_link": N_("Only {lanes} PCIe lanes of generation {generation} lead to {device}."),
    "slow_link/measured": N_(
        "Data travels to {device} at {link_bytes_per_s}; eight lanes of PCIe 3.0 would carry about 6 GB/s."
    ),
    "slow_link/narrow": N_("{device} uses {lanes} of its {most_lanes} PCIe lanes."),
    "throttled_heat": N_("The hardware slowed {device} down at {temperature_celsius}."),
    "throttled_heat/counted": N_("The hardware slowed {device} down because it was too hot."),
    "throttled_heat/sustained": N_(
        "In the course of {run_s}, {device} lost {lost_ratio} of its speed and reached {temperature_celsius}."
    ),
    "throttled_heat/sustained/counted": N_(
        "In the course of {run_s}, {device} lost {lost_ratio} of its speed; its hardware says that it was too hot."
    ),
    "throttled_power/clock": N_("Though busy, the processor ran at only {clock_hz}, below its nominal clock."),
    "throttled_power/clock/base": N_(
        "Though busy, the processor ran at {clock_hz}; its nominal clock is {base_hz}. It may not draw enough power."
    ),
    "throttled_power/cool": N_(
        "The hardware slowed {device} down at only {temperature_celsius}: it does not get enough power."
    ),
    "throttled_power/counted": N_("The hardware slowed {device} down: it does not get enough power."),
    "throttled_power/sustained": N_(
        "In the course of {run_s}, {device} lost {lost_ratio} of its speed, held back by its power limit at {power_w}."
    ),
    "throttled_power/sustained/counted": N_(
        "In the course of {run_s}, {device} lost {lost_ratio} of its speed; its hardware says that power was short."
    ),
    "unstable": N_(
        "{unstable_cases} of {cases} measurements scatter by more than 10%, one by {spread_ratio}; the reason "
        "could not be seen."
    ),
    "unstable/disagrees": N_(
        "A training step of {network} with batches of {batch} took {slow_s} in one test of this check and {fast_s} in "
        "another: times that rest on either are that unsure."
    ),
    "unstable/fades": N_("In the course of {run_s}, {device} lost {lost_ratio} of its speed; no sensor said why."),
    "unstable/on_battery": N_(
        "{unstable_cases} of {cases} measurements scatter by more than 10%, one by {spread_ratio}: the laptop ran on "
        "its battery."
    ),
    "unstable/other_load": N_(
        "{unstable_cases} of {cases} measurements scatter by more than 10%, one by {spread_ratio}: other programs were "
        "running."
    ),
    "unstable/shared": N_(
        "{unstable_cases} of {cases} measurements scatter by more than 10%, one by {spread_ratio}: this is a virtual "
        "machine or container, and others use the same hardware."
    ),
    "unstable/pace": N_(
        "The computer does not keep one pace: a small matrix product, always the same, took from {fast_s} to "
        "{slow_s} in the middle half of {times_seen} tries. A repeat of this check would differ by about "
        "{repeat_ratio}. The reason could not be seen."
    ),
    "unstable/pace/on_battery": N_(
        "The computer does not keep one pace: a small matrix product, always the same, took from {fast_s} to {slow_s}"
        " in the middle half of {times_seen} tries. A repeat of this check would differ by about {repeat_ratio}. The "
        "laptop ran on its battery."
    ),
    "unstable/pace/other_load": N_(
        "The computer does not keep one pace: a small matrix product, always the same, took from {fast_s} to {slow_s}"
        " in the middle half of {times_seen} tries. A repeat of this check would differ by about {repeat_ratio}. "
        "Other programs were running."
    ),
    "unstable/pace/shared": N_(
        "The computer does not keep one pace: a small matrix product, always the same, took from {fast_s} to {slow_s}"
        " in the middle half of {times_seen} tries. A repeat of this check would differ by about {repeat_ratio}. This"
        " is a virtual machine or container, and others use the same hardware."
    ),
    "unstable/pace/stolen_time": N_(
        "The computer does not keep one pace: a small matrix product, always the same, took from {fast_s} to {slow_s}"
        " in the middle half of {times_seen} tries. A repeat of this check would differ by about {repeat_ratio}. The "
        "host of this virtual machine took up to {stolen_ratio} of the processor's time for others."
    ),
    "unstable/pace/throttled": N_(
        "The computer does not keep one pace: a small matrix product, always the same, took from {fast_s} to {slow_s}"
        " in the middle half of {times_seen} tries. A repeat of this check would differ by about {repeat_ratio}. The "
        "hardware slowed itself down now and then."
    ),
    "unstable/stolen_time": N_(
        "{unstable_cases} of {cases} measurements scatter by more than 10%, one by {spread_ratio}: the host of this "
        "virtual machine took up to {stolen_ratio} of the processor's time for others."
    ),
    "unstable/throttled": N_(
        "{unstable_cases} of {cases} measurements scatter by more than 10%, one by {spread_ratio}: the hardware slowed "
        "itself down now and then."
    ),
}

REMEDIES: Final[dict[RemedyCode, str]] = {
    "card_too_new": TROUBLE_REMEDIES["card_too_new"],
    "card_too_old": TROUBLE_REMEDIES["card_too_old"],
    "checkpointing": N_("Keep fewer intermediate results and compute them again (activation checkpointing)."),
    "close_programs": N_("Close other programs while you train."),
    "cpu_only_build": TROUBLE_REMEDIES["cpu_only_build"],
    "driver_too_old": TROUBLE_REMEDIES["driver_too_old"],
    "faster_device": N_("A faster graphics card would make it faster."),
    "faster_memory": N_("A device with faster memory would make it faster."),
    "free_card_memory": N_("Close the programs that hold the card's memory."),
    "fuse_operations": N_(
        "Join small operations: torch.compile, CUDA graphs, a fused optimizer, nn.LSTM instead of single cells."
    ),
    "fused_optimizer": N_("Use the fused form of the optimizer, which goes over memory once."),
    "graphics_card": N_("A graphics card would do this arithmetic faster; the options say by how much."),
    "improve_cooling": N_("Improve the cooling: clear the vents, remove dust, let the fans run faster."),
    "keep_data_on_card": N_("Copy the data once and keep it on the card, or send it as 8-bit numbers."),
    "keep_freed_memory": N_("Let PyTorch keep its memory between steps."),
    "larger_batch": N_("Use larger batches."),
    "larger_memory": N_("With more memory it would fit."),
    "leave_power_saver": N_("Set the power plan to performance."),
    "lora": N_("Train only a few added parameters (LoRA)."),
    "measure_again": N_("Measure again while nothing else runs."),
    "more_cores": N_("A processor with more cores would help more than a faster card."),
    "more_workers": N_("Let more processes prepare the data (num_workers of the DataLoader)."),
    "plug_in": N_("Plug the laptop in, with its own charger."),
    "prepare_data": N_("Prepare the data once beforehand: store the images resized, or already decoded."),
    "qlora": N_("Train only a few added parameters on a 4-bit network (QLoRA)."),
    "raise_power_limit": N_("Choose the performance mode, or raise the power limit where the maker allows it."),
    "second_memory_module": N_("Add a second, equal memory module in the other channel."),
    "shard": N_("Spread the network over several cards."),
    "shorter_format": N_("Compute in a shorter number format (automatic mixed precision, torch.autocast)."),
    "smaller_batch": N_("Use smaller batches; with gradient accumulation the result is the same."),
    "use_card": N_("Train on the graphics card: it was measured to be faster."),
    "use_full_slot": N_("Put the card into the slot that has all its lanes, usually the one next to the processor."),
    "wrong_vendor": TROUBLE_REMEDIES["wrong_vendor"],
}

COMMANDS: Final[dict[RemedyCode, tuple[str, str]]] = {
    "fused_optimizer": ("torch.optim.Adam(model.parameters(), fused=True)", N_("Other optimizers take it as well.")),
    "keep_freed_memory": (
        "export MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=-1",
        N_(
            "In the terminal from which you start Python (Linux). Otherwise every step gives its memory back and asks "
            "for it again; with it the program holds more memory. PyTorch's tuning guide advises another allocator, "
            "jemalloc or TCMalloc, for the same reason."
        ),
    ),
}
"""What to write for a remedy, to be copied as it is, and what must be known of it."""

_SOURCES: Final[dict[str, str]] = {
    "accelerators": N_("the cards that were found"),
    "before": N_("what ran before the measurements"),
    "catalogue": N_("published figures"),
    "conditions": N_("conditions of the measurements"),
    "earlier": N_("an earlier check of this job"),
    "host.battery": N_("the battery"),
    "host.cpu": N_("the processor's description"),
    "host.cpu.base_frequency_hz": N_("the processor's description"),
    "host.memory.limit_bytes": N_("the size of main memory"),
    "pace_s": N_("a small product that is timed before each test"),
    "prediction": N_("the prediction for your job"),
    "torch": N_("the devices PyTorch sees"),
}


def finding_title(one: Finding, language: Language) -> str:
    """Return what a finding is called."""
    return language.gettext(TITLES[one.kind])


def finding_sentence(one: Finding, report: Report, language: Language) -> str:
    """Return what was found, with its numbers."""
    if one.kind == "wrong_torch_build":
        return language.gettext(MISMATCHES.get(one.form, N_("The installed PyTorch cannot use your graphics card.")))
    text = language.gettext(SENTENCES[_key(one)])
    values: dict[str, FactValue] = {r.name: reading_phrase(r, language) for r in reversed(one.evidence)}
    names = {"device": device_phrase(one.device, language), "network": network_title(one.network)}
    sentence = fill(text, values | names, report, language)
    return sentence[:1].upper() + sentence[1:]


def _key(one: Finding) -> str:
    """Return the key of the sentence; a form this version does not know has that of its kind."""
    key = f"{one.kind}/{one.form}" if one.form else one.kind
    return key if key in SENTENCES else next(known for known in SENTENCES if known.split("/")[0] == one.kind)


def remedy_sentence(code: RemedyCode, language: Language) -> str:
    """Return what the user can do, and how it is written where a line says that."""
    said = language.gettext(REMEDIES[code])
    if code not in COMMANDS:
        return said
    command, note = COMMANDS[code]
    return f"{said.removesuffix('.')} ({command}). {language.gettext(note)}"


def told_remedies(one: Finding, report: Report) -> tuple[RemedyCode, ...]:
    """Return the remedies that hold: who measures again after a quiet check is disturbed no less than before."""
    load = 0.0 if report.benchmark is None else report.benchmark.load_ratio
    return tuple(code for code in one.remedies if code != "measure_again" or load >= DISTURBED_RATIO)


def gain_sentence(one: Finding, language: Language) -> str:
    """Return what fixing it would gain, or that nothing says; empty where nothing is amiss."""
    if one.gain is None:
        return _unmeasured_gain(one, language)
    said = _gain(one.gain, language)
    if one.form != "earlier":
        return said
    told = language.gettext(
        "Your earlier check of this job found that; it can't be measured while other programs are running."
    )
    return f"{said} {told}"


def _gain(gain: Interval, language: Language) -> str:
    _ = language.gettext
    low, high = quantities.factor(gain.low, language), quantities.factor(gain.high, language)
    if high == quantities.factor(1.0, language):
        return _("It would hardly be faster.")
    if low == high:
        return _("It would be about {high} times as fast.").format(high=high)
    if low == quantities.factor(1.0, language):
        return _("Could be up to about {high} times as fast.").format(high=high)
    return _("It would be {low} to {high} times as fast.").format(low=low, high=high)


_RUNS_AT_ALL = N_("Without that it does not run at all.")
_GAINS: Final[dict[str, str]] = {
    "capacity_bound/case": _RUNS_AT_ALL,
    "capacity_bound/case/unknown": _RUNS_AT_ALL,
    "capacity_bound/case/untried": _RUNS_AT_ALL,
    "capacity_bound/job": _RUNS_AT_ALL,
    "unstable": N_("This makes the estimate more certain, not the run faster."),
}
"""Of findings whose gain is no factor, by kind or by kind and form."""


def _unmeasured_gain(one: Finding, language: Language) -> str:
    if one.severity == "none" or not one.remedies:
        return ""
    if one.kind == "wrong_torch_build" and one.severity == "slight":
        return language.gettext("Your job would not be faster: the processor is predicted to finish it sooner.")
    text = _GAINS.get(f"{one.kind}/{one.form}") or _GAINS.get(one.kind)
    return language.gettext(text or N_("How much faster that would be is not known; nothing measured here tells."))


def evidence_phrase(one: Finding, report: Report, language: Language) -> str:
    """Return where the numbers of a finding come from, as a sentence."""
    return language.gettext("Seen in: {sources}.").format(sources=seen_in(one, report, language))


def seen_in(one: Finding, report: Report, language: Language) -> str:
    """Return where the numbers of a finding come from."""
    cases = _case_titles(report, language)
    devices = {one.device: device_phrase(one.device, language)}
    sources = dict.fromkeys(
        _source_phrase(reading.source, {**cases, **devices}, report, language) for reading in one.evidence
    )
    return "; ".join(sources)


def _case_titles(report: Report, language: Language) -> Mapping[str, str]:
    benchmark = report.benchmark
    if benchmark is None:
        return {}
    cases = [one.case for one in benchmark.measurements] + [one.case for one in benchmark.failures]
    return {case.id: case_title(case, language) for case in cases}


def _source_phrase(source: str, cases: Mapping[str, str], report: Report, language: Language) -> str:
    _ = language.gettext
    program, *further = source.split("/")
    if source in cases:
        return cases[source]
    if program == "matmul" and len(further) == 3:
        device = device_phrase(further[-1], language)
        return _("the large matrix products, {precision}, on {device}").format(precision=further[0], device=device)
    if source in _SOURCES:
        return _(_SOURCES[source])
    read = next((evidence.how for evidence in report.machine.evidence if evidence.field == source), None)
    if read is not None:
        return read
    return field_phrase(source, language) if "." in source and not further else source


def reading_phrase(reading: Reading, language: Language) -> str:
    """Return a number with its unit, as people say it."""
    spelled = _BY_UNIT.get(reading.unit)
    if spelled is not None:
        return spelled(reading.value, language)
    if reading.unit in _SYMBOLS:
        scale, symbol = _SYMBOLS[reading.unit]
        return f"{language.significant(reading.value / scale, 2)}\N{NO-BREAK SPACE}{symbol}"
    return quantities.round_count(reading.value, language)


def _count(value: float, language: Language) -> str:
    return language.number(value) if value == int(value) else quantities.round_count(value, language)


def _degrees(value: float, language: Language) -> str:
    return f"{language.number(value)}\N{NO-BREAK SPACE}°C"


_LONG_S: Final = 20.0
"""From here on a time is that of a whole run, which people say in round words; below, that of a step."""


def _time(value: float, language: Language) -> str:
    return quantities.duration(value, language) if value >= _LONG_S else quantities.exact_seconds(value, language)


def _share(value: float, language: Language) -> str:
    return language.percent(value)


_BY_UNIT: Final[dict[str, Callable[[float, Language], str]]] = {
    "": _count,
    "bytes": quantities.memory,
    "celsius": _degrees,
    "flop_per_s": quantities.flop_rate,
    "ratio": _share,
    "s": _time,
    "times": quantities.factor,
}
_SYMBOLS: Final[dict[str, tuple[float, str]]] = {
    "bytes_per_s": (1e9, "GB/s"),
    "flop_per_byte": (1.0, "FLOP/B"),
    "hz": (1e9, "GHz"),
    "w": (1.0, "W"),
}
