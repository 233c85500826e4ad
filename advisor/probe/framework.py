"""Which torch is installed, and can it use the card found? Never imports torch: the installed files tell enough.

What only a running torch knows (its kernels, the devices it sees) the worker reports; ``merge_framework`` joins both.
Check: ``python -m torch.utils.collect_env``
"""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from advisor.errors import system_reason
from advisor.probe.evidence_log import EvidenceLog
from advisor.records.base import Evidence, Gap
from advisor.records.hardware.machine import Accelerator, Framework, Machine

_VENDOR_OF_BUILD = {"cuda": "nvidia", "rocm": "amd", "xpu": "intel", "mps": "apple"}


def probe_framework(folder: Path | None, log: EvidenceLog) -> Framework:
    """Return the torch in a folder such as ``site-packages/torch``, also of another interpreter."""
    if folder is None:
        log.missing("framework.version", "not_installed", "torch", "install_torch")
        return Framework()
    try:
        facts = read_version_file((folder / "version.py").read_text("utf-8", "replace"))
    except OSError as error:
        log.missing("framework.version", "unreadable", str(system_reason(error)), "install_torch")
        return Framework()
    built_for, version = _build(facts)
    for field in ("version", "built_for"):
        log.found(f"framework.{field}", "torch/version.py", 'python -c "import torch; print(torch.__version__)"')
    return Framework(version=facts.get("__version__"), built_for=built_for, built_for_version=version)


def read_version_file(text: str) -> dict[str, str]:
    """Return the texts that torch's version.py assigns, without running it."""
    facts = {}
    for line in text.splitlines():
        match = re.fullmatch(r"(\w+)\s*(?::[^=]+)?=\s*(['\"].*['\"])\s*", line.strip())
        if match:
            facts[match.group(1)] = str(ast.literal_eval(match.group(2)))
    return facts


def _build(facts: dict[str, str]) -> tuple[str, str | None]:
    for key, name in (("cuda", "cuda"), ("hip", "rocm"), ("rocm", "rocm"), ("xpu", "xpu")):
        if facts.get(key):
            return name, facts[key]
    return "cpu", None


def merge_framework(machine: Machine, framework: Framework) -> Machine:
    """Return the machine with what the worker found out about torch, and whether that torch suits the cards."""
    mismatches = {
        index: mismatch_of(card, framework, machine)
        for index, card in enumerate(machine.accelerators)
        if card.trains and not _is_imagined(card)
    }
    is_one_usable = None in mismatches.values()
    verdict = None if is_one_usable else next(iter(mismatches.values()), None)
    unsuited = [
        Gap(
            field=f"accelerators.{index}.framework",
            reason="not_supported",
            detail=_detail(machine.accelerators[index], framework),
            remedy=mismatch,
        )
        for index, mismatch in mismatches.items()
        if mismatch is not None
    ]
    other_gaps = [gap for gap in machine.gaps if not _is_framework(gap.field)]
    other_notes = [note for note in machine.evidence if not note.field.startswith("framework")]
    return msgspec.structs.replace(
        machine,
        framework=msgspec.structs.replace(framework, mismatch=verdict),
        evidence=(*other_notes, *_how_read(framework)),
        gaps=(*other_gaps, *_why_missing(machine, framework), *unsuited),
    )


def _how_read(framework: Framework) -> Iterator[Evidence]:
    """Yield how what is known of torch was read: from its file, or from the worker that loaded it."""
    is_loaded = framework.architectures or framework.visible_devices
    fields = ("version", "built_for", "architectures", "visible_devices") if framework.version is not None else ()
    for field in fields:
        if getattr(framework, field):
            how = "torch in the worker" if is_loaded else "torch/version.py"
            yield Evidence(field=f"framework.{field}", how=how, check="python -m torch.utils.collect_env")


def _why_missing(machine: Machine, framework: Framework) -> Sequence[Gap]:
    """Return why there is no torch, where there is none."""
    if framework.version is not None:
        return ()
    return [gap for gap in machine.gaps if gap.field == "framework.version"] or [_not_installed()]


def _is_imagined(card: Accelerator) -> bool:
    """Return whether a card was added by hand and not found on any bus: torch cannot suit what may not be there."""
    return card.is_overridden and card.pci_id is None


def _is_framework(field: str) -> bool:
    return field.startswith("framework") or bool(re.fullmatch(r"accelerators\.\d+\.framework", field))


def _not_installed() -> Gap:
    return Gap(field="framework.version", reason="not_installed", detail="torch", remedy="install_torch")


def _detail(card: Accelerator, framework: Framework) -> str:
    parts = [f"torch {framework.version or '?'}", framework.built_for or ""]
    if framework.architectures:
        parts.append("with " + ", ".join(framework.architectures))
    if card.compute_capability:
        parts.append(f"card {card.compute_capability}")
    if card.compute_api_version:
        parts.append(f"driver for CUDA {card.compute_api_version}")
    return "; ".join(part for part in parts if part)


def mismatch_of(card: Accelerator, framework: Framework, machine: Machine) -> str | None:
    """Return the code of why this torch cannot use this card, or None where nothing speaks against it."""
    if framework.version is None:
        return None  # said once, as a gap of the framework
    build = framework.built_for or "cpu"
    if build == "cpu":
        # Apple's wheels carry no mark of their own; the worker says whether mps is there.
        return None if card.vendor == "apple" and machine.host.os_name == "macOS" else "cpu_only_build"
    if _VENDOR_OF_BUILD.get(build) != card.vendor:
        return "wrong_vendor"
    if card.vendor == "nvidia" and _is_driver_too_old(card, framework):
        return "driver_too_old"
    return _architecture_mismatch(card, framework) if card.vendor == "nvidia" else _target_mismatch(card, framework)


def _numbers(text: str | None) -> tuple[int, ...]:
    """Return the numbers of a version such as "12.4", none where it is no version."""
    match = re.match(r"\d+(\.\d+)*", text or "")
    return tuple(int(part) for part in match.group().split(".")) if match else ()


def _is_driver_too_old(card: Accelerator, framework: Framework) -> bool:
    """Return whether the driver's CUDA is of an older major version than torch's.

    Within one major version a newer toolkit runs on an older driver.
    Source: NVIDIA, CUDA Compatibility, "Minor Version Compatibility", read 2026-11-21.
    """
    driver, build = _numbers(card.compute_api_version), _numbers(framework.built_for_version)
    return bool(driver and build) and driver[0] < build[0]


def _architecture_mismatch(card: Accelerator, framework: Framework) -> str | None:
    """Compare a card's compute capability with the kernels torch carries.

    Binary code (sm_86) runs on the same major and an equal or higher minor version, that of one card alone (sm_90a) on
    exactly that one; intermediate code (compute_90) on anything newer.
    Source: CUDA C++ Programming Guide, "Binary Compatibility", "PTX Compatibility" and "Feature Availability".
    """
    own = _numbers(card.compute_capability)[:2]
    kernels = [re.fullmatch(r"(sm|compute)_(\d+)(\d)([af]?)", name) for name in framework.architectures]
    known = [(match.group(1), (int(match.group(2)), int(match.group(3))), match.group(4)) for match in kernels if match]
    if len(own) < 2 or not known:
        return None
    for kind, target, suffix in known:
        is_same_major = target[0] == own[0]
        runs = target <= own if kind == "compute" and not suffix else is_same_major and target <= own
        if runs and (suffix != "a" or target == own):
            return None
    return "card_too_old" if own < min(target for _, target, _ in known) else "card_too_new"


def _target_mismatch(card: Accelerator, framework: Framework) -> str | None:
    """Compare an AMD card's target with those torch has kernels for; they run on exactly that target."""
    known = {match.group(1) for name in framework.architectures if (match := re.match(r"gfx([0-9a-f]+)\b", name))}
    own = re.fullmatch(r"gfx([0-9a-f]+)", card.architecture or "")
    if own is None or not known or own.group(1) in known:
        return None
    return "card_too_new" if int(own.group(1), 16) > max(int(name, 16) for name in known) else "card_too_old"
