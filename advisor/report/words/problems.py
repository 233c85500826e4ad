"""What went wrong and how to fix it, as sentences: gaps, conditions of measurements, failed cases, unsuited torch."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from advisor.locale import N_, Language
from advisor.records.base import Gap, GapReason
from advisor.records.hardware.machine import Accelerator, Machine
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import (
    DISTURBED_RATIO,
    FIRST_TRY_DETAIL,
    Benchmark,
    CaseFailure,
    Condition,
    ConditionKind,
    FailureReason,
    Measurement,
    is_slowed,
)
from advisor.report.words import quantities
from advisor.report.words.labels import field_phrase

GAP_REASONS: Final[dict[GapReason, str]] = {
    "asleep": N_("the card is asleep and was not woken"),
    "container": N_("it cannot be seen from inside this container"),
    "device_lost": N_("the card has stopped answering"),
    "driver_without_library": N_("the driver is there, but not the library that belongs to it"),
    "library_mismatch": N_("the driver and its library are of different versions"),
    "no_driver": N_("no driver for the card is loaded"),
    "not_applicable": N_("there is none in this computer"),
    "not_found": N_("not found"),
    "not_installed": N_("not installed"),
    "not_supported": N_("this hardware or system does not tell"),
    "permission_denied": N_("this program may not read it"),
    "timeout": N_("the system did not answer in time"),
    "unreadable": N_("what the system says cannot be read"),
    "virtual_machine": N_("it cannot be seen from inside this virtual machine"),
}

REMEDIES: Final[dict[str, str]] = {
    "allow_gpu_access": N_("Give your user access to the card, for example by joining the groups video and render."),
    "ask_for_compute_profile": N_("Ask the administrator for a virtual card with a compute profile."),
    "card_too_new": N_("Install a newer PyTorch: the one here has no code for this card yet."),
    "card_too_old": N_("This card is too old for the PyTorch here; an older PyTorch may still support it."),
    "cpu_only_build": N_("Install the PyTorch build for your card: the one here uses the processor only."),
    "create_mig_instance": N_("Create a MIG instance, or switch MIG off."),
    "driver_too_old": N_("Update the card's driver: it is older than PyTorch needs."),
    "install_amd_driver": N_("Install AMD's driver (amdgpu), and ROCm for PyTorch."),
    "install_intel_driver": N_("Install Intel's driver (i915 or xe), and its compute runtime for PyTorch."),
    "install_nvidia_driver": N_("Install NVIDIA's driver."),
    "install_nvidia_library": N_("Install the library that belongs to the driver (libnvidia-ml or nvidia-utils)."),
    "install_pynvml": N_("Install the Python package nvidia-ml-py."),
    "install_torch": N_("Install PyTorch."),
    "install_wsl_driver": N_("Install NVIDIA's driver on Windows; WSL takes it from there."),
    "restart_after_driver_update": N_("Restart the computer: the driver was updated while it ran."),
    "restart_lost_gpu": N_("Restart the computer; if the card gets lost again, look at its power and cooling."),
    "set_by_hand": N_('Give the card by hand, for example: --gpu "RTX 3060:12GB".'),
    "start_container_with_gpu": N_("Start the container with access to the card, for example: docker run --gpus all."),
    "wake_gpu": N_("Start something that uses the card, then look again."),
    "wrong_vendor": N_("Install the PyTorch build for your card's make: the one here is for another."),
}

MISMATCHES: Final[dict[str, str]] = {
    "card_too_new": N_("Your graphics card is newer than the installed PyTorch knows."),
    "card_too_old": N_("Your graphics card is too old for the installed PyTorch."),
    "cpu_only_build": N_("The installed PyTorch uses the processor only and ignores your graphics card."),
    "driver_too_old": N_("The driver of your graphics card is too old for the installed PyTorch."),
    "wrong_vendor": N_("The installed PyTorch is for graphics cards of another make."),
}

FAILURES: Final[dict[FailureReason, str]] = {
    "cancelled": N_("cancelled"),
    "crashed": N_("the measuring process crashed"),
    "does_not_fit": N_("does not fit in memory"),
    "error": N_("ended with an error"),
    "garbage": N_("the measuring process sent something unreadable"),
    "given_up": N_("left out: several measuring processes in a row had ended on this device"),
    "hung": N_("took too long and was stopped"),
    "killed": N_("the system ended the measuring process, most likely for lack of memory"),
    "missing_boosting": N_("neither LightGBM, XGBoost nor scikit-learn is installed where PyTorch is"),
    "missing_jax": N_("JAX is not installed; it comes with the extra advisor[xla]"),
    "missing_torch": N_("PyTorch is not installed"),
    "no_time": N_("there was no time left"),
    "not_supported": N_("the device does not support it"),
    "skipped": N_("left out on request"),
}

_CONDITIONS: Final[dict[ConditionKind, tuple[str, str]]] = {
    # with a number, and without
    "few_free_cores": (
        N_("Free processor cores: {value}."),
        N_("Few processor cores were free."),
    ),
    "memory_pressure": (
        N_("Only {value} of main memory were free."),
        N_("Main memory was nearly full."),
    ),
    "on_battery": (
        N_("The laptop ran on its battery ({value} charged)."),
        N_("The laptop ran on its battery."),
    ),
    "other_load": (
        N_("Other programs used {value} of the processor."),
        N_("Other programs used the processor."),
    ),
    "power_saver": (
        N_("Power saving was on ({value})."),
        N_("Power saving was on."),
    ),
    "stolen_time": (
        N_("The host of this virtual machine took {value} of the processor's time for others."),
        N_("The host of this virtual machine gave processor time to others."),
    ),
    "throttled": (
        N_("The hardware slowed itself down ({value})."),
        N_("The hardware slowed itself down, for heat or power."),
    ),
    "unstable": (
        N_("Spread of the repetitions: {value}."),
        N_("The samples differ a lot from each other."),
    ),
}


def gap_sentence(gap: Gap, language: Language) -> str:
    """Return what is not known and why, with what the user can do about it."""
    _ = language.gettext
    text = _("{field}: {reason}.").format(field=field_phrase(gap.field, language), reason=_(GAP_REASONS[gap.reason]))
    remedy = remedy_sentence(gap.remedy, language)
    return f"{text} {remedy}" if remedy else text


def remedy_sentence(remedy: str | None, language: Language) -> str:
    """Return what the user can do, or nothing where no remedy is known."""
    return language.gettext(REMEDIES[remedy]) if remedy in REMEDIES else ""


def mismatch_sentence(code: str, language: Language) -> str:
    """Return why torch cannot use a card that is there, and how to fix it."""
    _ = language.gettext
    text = _(MISMATCHES[code]) if code in MISMATCHES else _("The installed PyTorch cannot use your graphics card.")
    remedy = remedy_sentence(code, language)
    return f"{text} {remedy}" if remedy else text


_BUILDS: Final = {"nvidia": "CUDA", "amd": "ROCm", "intel": "XPU"}
"""What PyTorch's builds are called, by whose cards they serve."""


def mending_sentences(code: str, machine: Machine, language: Language) -> str:
    """Return why torch cannot use the card, which build can, what to type, and how to measure without changing it."""
    _ = language.gettext
    said = [mismatch_sentence(code, language)]
    card, command = _first_card(machine), mending_command(machine)
    if card is not None and command is not None:
        text = _("The build for {card} is the one for {build}: {command}")
        said.append(text.format(card=card.name, build=_BUILDS[card.vendor], command=command))
        said.append(f"({pack_sentence(language)})")  # a full stop would be copied with the command
    elif card is not None and card.vendor == "amd" and machine.host.os_name != "Linux":
        text = _("Outside Linux AMD itself offers the build for {card} (ROCm): {address}")
        said.append(text.format(card=card.name, address="https://rocm.docs.amd.com/projects/radeon-ryzen/"))
    return " ".join(said)


def pack_sentence(language: Language) -> str:
    """Return how the card is measured while the user's own torch stays as it is."""
    return language.gettext("To measure the card and leave your PyTorch as it is: advisor --measuring-pack install")


def mending_command(machine: Machine) -> str | None:
    """Return the command that installs a torch for the first card to train on; None where no command fixes it.

    CUDA 13 builds need a driver for CUDA 13 and a card of compute capability 7.5 or higher; the CUDA 12.6 builds serve
    all others from 5.0 on. The index for AMD (download.pytorch.org/whl/rocm…) changes its name with each version of
    ROCm, which uv looks up; there is none for Windows.
    Source: pytorch issues 172352 and 190385 (CUDA support matrix, 2026); PyTorch "Get Started", read 2026-11-21; uv,
    "Using uv with PyTorch", automatic backend selection.
    """
    if machine.framework.mismatch not in {"cpu_only_build", "card_too_old", "card_too_new", "wrong_vendor"}:
        return None
    card = _first_card(machine)
    if card is None or card.vendor not in _BUILDS:
        return None
    if card.vendor == "amd":
        is_linux = machine.host.os_name == "Linux"
        return "uv pip install --reinstall torch --torch-backend=auto" if is_linux else None
    index = "xpu" if card.vendor == "intel" else _cuda_index(card)
    return f"python -m pip install --force-reinstall torch --index-url https://download.pytorch.org/whl/{index}"


def _first_card(machine: Machine) -> Accelerator | None:
    return next((one for one in machine.accelerators if one.trains), None)


def _cuda_index(card: Accelerator) -> str:
    capability, driver = _version(card.compute_capability), _version(card.compute_api_version)
    return "cu130" if capability >= (7, 5) and driver >= (13,) else "cu126"


def _version(text: str | None) -> tuple[int, ...]:
    """Return the numbers of a version such as "12.4", none where it is no version."""
    match = re.match(r"\d+(\.\d+)*", text or "")
    return tuple(int(part) for part in match.group().split(".")) if match else ()


def failure_sentence(failure: CaseFailure, language: Language) -> str:
    """Return why a case has no result."""
    _ = language.gettext
    if failure.reason == "does_not_fit" and failure.needed_bytes and failure.left_bytes is not None:
        return _("not tried: it needs about {needed} of memory; {left} of what is free may be taken").format(
            needed=quantities.memory(failure.needed_bytes, language),
            left=quantities.memory(failure.left_bytes, language),
        )
    if failure.reason != "no_time" or failure.needed_s is None or failure.left_s is None or failure.left_s < 1:
        return _(FAILURES[failure.reason])
    return _("left out: it needs about {needed}, and at most {left} were left for it").format(
        needed=_in_seconds(failure.needed_s, language), left=_in_seconds(failure.left_s, language)
    )


def _in_seconds(time_s: float, language: Language) -> str:
    """Return a time in one unit, so that two of them can be compared at a glance."""
    return f"{language.number(time_s, 0 if time_s >= 10 else 1)}\N{NO-BREAK SPACE}s"


def condition_sentence(condition: Condition, language: Language) -> str:
    """Return what may have spoiled a measurement, with its number."""
    with_number, without = _CONDITIONS[condition.kind]
    is_uneven = condition.kind == "unstable" and not quantities.is_told(condition.value or 0.0)
    if condition.value is None or is_uneven:
        return language.gettext(without)
    return language.gettext(with_number).format(value=condition_value(condition, language))


def disturbers_sentence(one: Measurement, language: Language) -> str:
    """Return what took the processor from a test that was disturbed; empty: nothing did."""
    takers = (seen for seen in one.conditions if is_slowed(one) and seen.kind in ("other_load", "stolen_time"))
    return " ".join(condition_sentence(seen, language) for seen in takers)


def again_sentence(one: Measurement, language: Language) -> str:
    """Return that a test was repeated once other programs had left; empty where it was not."""
    first_s = one.details.get(FIRST_TRY_DETAIL, 0.0)
    text = language.gettext("Measured again once other programs had left: beside them it was {time}.")
    return text.format(time=quantities.exact_seconds(first_s, language)) if first_s > 0 else ""


_TOLD_APART = 0.01
"""Shares of the processor that differ by less are told as one."""


def load_sentence(benchmark: Benchmark, cases: Collection[str], language: Language, *, is_untrusted: bool) -> str:
    """Return how much of the processor others took while a time was measured, and what that means.

    Args:
        benchmark: What was measured.
        cases: Those the time rests on.
        language: Of the sentence.
        is_untrusted: They left the processor, which is what was measured, so little that no number of it holds: that
            may be of the whole check.
    """
    _ = language.gettext
    share = benchmark.taken_ratio(cases)
    if (times := benchmark.slowed_times(cases)) > 1.0:
        text = _(
            "While other programs used {share} of the processor, a step of your job took {times} times as long: it "
            "waits for the cores that they keep busy. The answer takes the time of an earlier check, made while they "
            "used less of the processor."
        )
        return text.format(share=language.percent(share), times=quantities.factor(times, language))
    text = _(
        "Other programs used {share} of the processor during the tests that this computer's time rests on; without "
        "them it may be faster."
    )
    if _is_of_job_alone(benchmark, cases):
        text = _(
            "Other programs used {share} of the processor while your job itself was tested, and {whole} on average "
            "over the whole check; without them it may be faster."
        )
    if is_untrusted and benchmark.load_ratio > share:
        share = benchmark.load_ratio
        text = _(
            "Other programs used {share} of the processor on average during the check, so it does not show how "
            "fast this computer is. Close them and check again."
        )
    elif is_untrusted:
        text = _(
            "Other programs used {share} of the processor during the tests of this computer, so the tests do not "
            "show how fast it is. Close those programs and check again."
        )
    return text.format(share=language.percent(share), whole=language.percent(benchmark.load_ratio))


def _is_of_job_alone(benchmark: Benchmark, cases: Collection[str]) -> bool:
    """Return whether a time rests on the test of the job alone, which others disturbed more, or less, than the rest."""
    programs = {one.case.program for one in benchmark.measurements if one.case.id in cases}
    taken = benchmark.taken_ratio(cases)
    is_apart = abs(taken - benchmark.load_ratio) >= _TOLD_APART
    return programs == {JOB_PROGRAM} and taken >= DISTURBED_RATIO and is_apart


def speed_doubt(share: float, language: Language) -> str:
    """Return what others took of the processor while its speed was measured; empty where that was little."""
    if not share:
        return ""
    text = language.gettext(
        "Other programs used {share} of the processor while its speed was measured; without them it may be faster. "
        "Close them, and measure again."
    )
    return text.format(share=language.percent(share))


DOUBTS: Final[dict[ConditionKind, str]] = {
    "on_battery": N_("The computer runs on battery, which slows it down. Plug it in."),
    "power_saver": N_("Power saving is switched on. Switch it off."),
    "other_load": N_("Other programs use {share} of the processor. Close what you do not need."),
    "throttled": N_("The processor is held back by heat or by its power limit. Let it cool down."),
    "memory_pressure": N_("Little memory is free. Close what you do not need."),
}
"""What may be over in a while, or can be changed, before measuring; the number of cores cannot."""
_UNCOUNTED_LOAD = N_("Other programs use the processor. Close what you do not need.")
_NAMED_LOAD = N_("Other programs use {share} of the processor, mainly {programs}. Close what you do not need.")


def doubt_sentence(condition: Condition, programs: Sequence[str], language: Language) -> str:
    """Return what would spoil a measurement now.

    Args:
        condition: One of a kind in ``DOUBTS``.
        programs: Names of those that use the processor; for the user's own screen, never for a file.
        language: Of the sentence.
    """
    text = language.gettext(DOUBTS[condition.kind])
    if condition.kind != "other_load":
        return text
    if condition.value is None or condition.unit != "ratio":
        return language.gettext(_UNCOUNTED_LOAD)
    if programs:
        text = language.gettext(_NAMED_LOAD)
    return text.format(share=language.percent(condition.value), programs=_named(programs, language))


def _named(programs: Sequence[str], language: Language) -> str:
    """Return names of programs, which may be words themselves: ``yes`` is one."""
    return language.listed([language.gettext("“{title}”").format(title=one) for one in programs])


def programs_sentence(programs: Sequence[str], language: Language) -> str:
    """Return which programs used the processor while it was measured; for the user's own screen, never for a file."""
    text = language.gettext(
        "Other programs (mainly {programs}) slowed the check. Their names are never saved or shared."
    )
    return text.format(programs=_named(programs, language))


def mostly_sentence(programs: Sequence[str], language: Language) -> str:
    """Return which programs took what a sentence before tells; for the user's own screen, never for a file."""
    text = language.gettext("(Mostly {programs}; program names are never saved or shared.)")
    return text.format(programs=_named(programs, language))


def load_average(load: float, programs: Sequence[str], language: Language) -> str:
    """Return what others took of the processor on average during a check; names for the user's own screen only."""
    text = language.gettext("Other programs used {share} of the processor on average during the check.")
    if programs:
        text = language.gettext(
            "Other programs (mainly {programs}) used {share} of the processor on average during the check. "
            "Their names are never saved or shared."
        )
    return text.format(share=language.percent(load), programs=_named(programs, language))


def condition_value(condition: Condition, language: Language) -> str:
    """Return a condition's number with its unit."""
    value = condition.value or 0.0
    if condition.kind == "unstable":
        return quantities.scatter(value / 2, language, 1)  # as in the column of spreads
    match condition.unit:
        case "ratio":
            return language.percent(value)
        case "bytes":
            return quantities.memory(value, language)
        case "celsius":
            return f"{language.number(value)}\N{NO-BREAK SPACE}°C"
        case "hz":
            return f"{language.significant(value / 1e9, 2)}\N{NO-BREAK SPACE}GHz"
        case _:
            return language.significant(value, 2)
