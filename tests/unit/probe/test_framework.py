"""The installed torch, read from its files, and whether it suits the cards found."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.probe import probe_machine
from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.framework import merge_framework, probe_framework, read_version_file
from advisor.probe.override import parse_override
from advisor.records.hardware.machine import Framework, Machine
from tests.unit.probe.computers.fakes import FakeNvml, linux, nvidia_card

CUDA = """from typing import Optional
__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip', 'rocm', 'xpu']
__version__ = '2.13.0+cu130'
debug = False
cuda: Optional[str] = '13.0'
git_version = 'cf30153'
hip: Optional[str] = None
xpu: Optional[str] = None
"""
ARCHES_CU130 = ("sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120", "compute_120")


def machine(capability: list[int] | None = None, cuda: int = 13000) -> Machine:
    """Return a machine with one NVIDIA card."""
    card = nvidia_card(nvmlDeviceGetCudaComputeCapability=capability or [8, 6])
    nvml = FakeNvml(card, system={"nvmlSystemGetCudaDriverVersion_v2": cuda})
    return probe_machine(readers=linux("wsl2", nvml))


def torch(built_for: str = "cuda", version: str | None = "13.0", arches: tuple[str, ...] = ARCHES_CU130) -> Framework:
    """Return a torch as the worker reports it."""
    return Framework(version="2.13.0", built_for=built_for, built_for_version=version, architectures=arches)


@pytest.mark.parametrize(
    ("lines", "built_for", "version"),
    [
        ("cuda: Optional[str] = '12.6'\nhip: Optional[str] = None", "cuda", "12.6"),
        ("cuda = None\nhip: Optional[str] = '6.4.43484-123eb5128'", "rocm", "6.4.43484-123eb5128"),
        ("cuda: Optional[str] = None\nxpu: Optional[str] = '20250300'", "xpu", "20250300"),
        ("cuda: Optional[str] = None", "cpu", None),
    ],
)
def test_builds_are_told_by_version_file(tmp_path: Path, lines: str, built_for: str, version: str | None) -> None:
    """The file torch writes at build time says what it was built for."""
    (tmp_path / "version.py").write_text(f"__version__ = '2.13.0'\n{lines}\n")
    found = probe_framework(tmp_path, EvidenceLog())
    assert (found.version, found.built_for, found.built_for_version) == ("2.13.0", built_for, version)


def test_version_file_is_read_not_run() -> None:
    """Nothing in the file is executed, and lists, booleans and None are passed over."""
    facts = read_version_file(CUDA + "x = __import__('os')\n")
    assert facts == {"__version__": "2.13.0+cu130", "cuda": "13.0", "git_version": "cf30153"}


@given(st.text(max_size=120))
def test_any_version_file_is_survived(text: str) -> None:
    """Whatever the file holds, only texts come out."""
    assert all(isinstance(value, str) for value in read_version_file(text).values())


def test_missing_torch_is_a_gap(tmp_path: Path) -> None:
    """Neither no folder nor an empty one raises."""
    for folder, reason in ((None, "not_installed"), (tmp_path, "unreadable")):
        log = EvidenceLog()
        assert probe_framework(folder, log).version is None
        assert log.gaps[0].reason == reason
        assert log.gaps[0].remedy == "install_torch"


@pytest.mark.parametrize(
    ("framework", "capability", "driver", "mismatch"),
    [
        (torch(), [8, 6], 13000, None),
        (torch(), [8, 9], 13000, None),  # sm_86 runs on 8.9
        (torch(), [12, 1], 13000, None),  # compute_120 is translated for what is newer
        (torch("cpu", None, ()), [8, 6], 13000, "cpu_only_build"),
        (torch("rocm", "6.4", ("gfx1100",)), [8, 6], 13000, "wrong_vendor"),
        (torch(), [6, 1], 13000, "card_too_old"),
        (torch(arches=("sm_50", "sm_60", "sm_90")), [12, 0], 13000, "card_too_new"),
        (torch(arches=("sm_80", "sm_90")), [7, 5], 13000, "card_too_old"),
        (torch(arches=("sm_90a",)), [9, 0], 13000, None),
        (torch(arches=("sm_80", "sm_100a")), [10, 3], 13000, "card_too_new"),  # code of one card alone
        (torch(arches=("sm_80", "sm_100f")), [10, 3], 13000, None),  # code of a family
        (torch(arches=("nonsense",)), [8, 6], 13000, None),
        (torch(), [8, 6], 12040, "driver_too_old"),
        (torch(version="12.6"), [8, 6], 12020, None),  # minor versions are compatible
        (torch(arches=()), [3, 5], 13000, None),  # too old to train at all: no card, no mismatch
    ],
)
def test_mismatch(framework: Framework, capability: list[int], driver: int, mismatch: str | None) -> None:
    """Build, kernels and driver are each compared with the card."""
    merged = merge_framework(machine(capability, driver), framework)
    assert merged.framework.mismatch == mismatch
    remedies = {gap.remedy for gap in merged.gaps if gap.field == "accelerators.0.framework"}
    assert remedies == ({mismatch} if mismatch else set())


def test_one_usable_card_is_enough() -> None:
    """With a usable card beside an unusable one there is no mismatch, but the other is explained."""
    nvml = FakeNvml(
        nvidia_card("NVIDIA GeForce GTX 1080", nvmlDeviceGetCudaComputeCapability=[6, 1]),
        nvidia_card("NVIDIA GeForce RTX 3060"),
        system={"nvmlSystemGetCudaDriverVersion_v2": 13000},
    )
    merged = merge_framework(probe_machine(readers=linux("wsl2", nvml)), torch())
    assert merged.framework.mismatch is None
    assert [gap.remedy for gap in merged.gaps if gap.field == "accelerators.0.framework"] == ["card_too_old"]


def test_merging_twice_leaves_no_trace_of_the_first() -> None:
    """What the worker reports replaces what the files said, with its gaps and evidence."""
    first = merge_framework(machine(), torch("cpu", None, ()))
    second = merge_framework(first, torch())
    assert second == merge_framework(second, torch())
    assert not any(gap.field == "accelerators.0.framework" for gap in second.gaps)
    fields = [note.field for note in second.evidence]
    assert len(fields) == len(set(fields))


def test_torch_that_cannot_be_imported_is_a_gap() -> None:
    """A worker without torch leaves no mismatch, but says that it is missing."""
    merged = merge_framework(merge_framework(machine(), torch()), Framework())
    assert merged.framework.mismatch is None
    assert [gap.reason for gap in merged.gaps if gap.field == "framework.version"] == ["not_installed"]


def test_without_card_there_is_no_mismatch() -> None:
    """A CPU build on a computer without card is just right."""
    merged = merge_framework(probe_machine(readers=linux("vm_virtio")), torch("cpu", None, ()))
    assert merged.framework.mismatch is None


@pytest.mark.parametrize(
    ("arches", "mismatch"),
    [(("gfx1100", "gfx1030"), None), (("gfx90a", "gfx942"), "card_too_new"), (("gfx1200",), "card_too_old"),
     (("gfx1100:xnack-",), None), (("gfxzz",), None), ((), None)],
)  # fmt: skip
def test_radeon_needs_kernels_of_its_target(arches: tuple[str, ...], mismatch: str | None) -> None:
    """ROCm has no kernels that run on a family, so the target itself must be there."""
    merged = merge_framework(probe_machine(readers=linux("desktop_radeon")), torch("rocm", "7.0", arches))
    assert merged.framework.mismatch == mismatch


def test_imagined_card_is_no_reason_to_mend_torch() -> None:
    """A card added by hand for a "what if" has nothing to do with the torch installed here."""
    machine = probe_machine(overrides=[parse_override("RTX 3060:12GB")], readers=linux("vm_virtio"))
    assert merge_framework(machine, torch("cpu", None, ())).framework.mismatch is None


def test_installed_torch_of_this_environment() -> None:
    """The torch these tests run with is read from its own files."""
    found = probe_machine().framework
    assert found.version is None or found.version[0].isdigit()
    assert found.built_for in {None, "cpu", "cuda", "rocm", "xpu"}
