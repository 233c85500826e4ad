"""Write packaging/lock.txt: for each pinned version the files of PyPI for every system, with the hashes of its index.

Usage: python tools/pin_hashes.py     on Linux, with the Python that is packaged; nothing is installed

Hashes and names come from the index through ``pip install --dry-run --report``. torch is named without a hash: its
builds come from another index, by TORCH_INDEX. Source: pip's documentation, "Installation Report", "Secure installs".
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "packaging" / "constraints.txt"
LOCK = ROOT / "packaging" / "lock.txt"
SYSTEMS: dict[str, tuple[str, ...]] = {
    "linux": (),  # this one
    "windows": ("win_amd64",),
    "macos_arm64": ("macosx_14_0_arm64", "macosx_13_0_arm64", "macosx_12_0_arm64", "macosx_11_0_arm64"),
    "macos_x86_64": ("macosx_13_0_x86_64", "macosx_12_0_x86_64", "macosx_11_0_x86_64", "macosx_10_13_x86_64"),
}
"""Tags of each system's wheels; pip takes none that it is not told."""
WITHOUT_HASH = "torch"
HEAD = """\
# Made by tools/pin_hashes.py from constraints.txt and PyPI's index; make package takes it with --require-hashes.
# Above each version: its file for Linux, Windows and macOS; none: PyPI has no wheel of it for that system.
"""
_MISSING = re.compile(r"No matching distribution found for ([\w.-]+)==")


def main() -> int:
    """Ask the index for each system, and write the file."""
    pins = [line for line in PINS.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    found = {system: dict(files(pins, tags)) for system, tags in SYSTEMS.items()}
    LOCK.write_text(HEAD + "".join(entry(pin, found) for pin in sorted(pins, key=str.casefold)), "utf-8")
    return 0


def files(pins: Sequence[str], tags: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield for each pin that has one the name and the hash of its file; a system of others takes wheels alone.

    Raises:
        SystemExit: pip says something else than that a wheel is missing.
    """
    asked = list(pins)
    while True:
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            done = subprocess.run(
                _command(asked, tags, report), capture_output=True, text=True, check=False, env=_env()
            )
            if not done.returncode:
                chosen = json.loads(report.read_bytes())["install"]
                break
        missing = _MISSING.search(done.stderr)
        if missing is None or not tags:
            raise SystemExit(done.stderr)
        asked = [pin for pin in asked if plain(pin) != plain(missing[1])]
    for one in chosen:
        told = one["download_info"]
        yield plain(one["metadata"]["name"]), (told["url"].rpartition("/")[2], told["archive_info"]["hashes"]["sha256"])


def _command(pins: Sequence[str], tags: Sequence[str], report: Path) -> list[str]:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--no-deps"]
    command += ["--index-url", "https://pypi.org/simple", "--report", str(report)]
    if tags:
        command += ["--only-binary=:all:", "--target", str(report.parent), *(f"--platform={tag}" for tag in tags)]
    return [*command, *pins]


def _env() -> dict[str, str]:
    """Return an environment in which pip asks PyPI, and nowhere else."""
    elsewhere = {"PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL", "PIP_NO_INDEX"}
    kept = {name: value for name, value in os.environ.items() if name not in elsewhere}
    return {**kept, "PIP_CONFIG_FILE": os.devnull}


def plain(pin: str) -> str:
    """Return a package's name as an index compares it."""
    return re.sub(r"[-_.]+", "-", pin.partition("==")[0]).lower()


def entry(pin: str, found: dict[str, dict[str, tuple[str, str]]]) -> str:
    """Return a pin with a comment that names its files, and their hashes."""
    here = {system: names.get(plain(pin)) for system, names in found.items()}
    told = ", ".join(f"{system}: {one[0] if one else 'none'}" for system, one in here.items())
    hashes = sorted({one[1] for one in here.values() if one})
    if plain(pin) == WITHOUT_HASH:
        return f"# {told}\n# {pin}\n"
    return f"# {told}\n{pin}" + "".join(f" \\\n    --hash=sha256:{one}" for one in hashes) + "\n"


if __name__ == "__main__":
    sys.exit(main())
