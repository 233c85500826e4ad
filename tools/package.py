"""Build the installers: freeze the program, then wrap it up for this system. Run by ``make package``.

Usage: python tools/package.py [frozen] [deb] [run] [dmg] [--fast] [--deb-version V]

Without a name: what belongs to this system (the installer for Windows is made by package_windows.py). ``--fast``
compresses little, for trying. ``--deb-version`` wraps the same program under another version, to try upgrades. The
Python that runs this is the one that is frozen; its packages come from packaging/requirements.txt and
packaging/constraints.txt.
"""

import argparse
import os
import shutil
import subprocess
import sys

from package_linux import LICENCES, build_deb, build_run
from package_mac import build_dmg, make_icons
from package_parts import ROOT, __version__, source_epoch, stage_resources, write_bill_of_materials, write_sum

BUILD = ROOT / "build" / "package"
FROZEN = BUILD / "frozen" / "advisor"
DIST = ROOT / "dist"
USUAL = {"linux": ("deb", "run"), "darwin": ("dmg",)}
BUILDERS = {"deb": build_deb, "run": build_run, "dmg": build_dmg}
STRIPPED = ("torch/lib/*.so*", "torch/*.so", "libpython*.so*")
"""Never those of numpy and Pillow: what patched them leaves load commands that strip makes unloadable."""


def main(arguments: list[str]) -> int:
    """Build what was asked for."""
    options = _options(arguments)
    wanted = options.targets or USUAL[sys.platform]
    os.environ["SOURCE_DATE_EPOCH"] = str(source_epoch())
    os.environ["PYTHONHASHSEED"] = "0"  # the order in which PyInstaller compiles sets into constants
    if "frozen" in wanted or not FROZEN.is_dir():
        freeze()
    DIST.mkdir(exist_ok=True)
    for name in wanted:
        if name in BUILDERS:
            made = BUILDERS[name](FROZEN, DIST, options.deb_version or __version__, fast=options.fast)
            program = BUILD / "run" / "advisor" if name == "run" else FROZEN
            write_bill_of_materials(made.with_name(f"{made.name}.cdx.json"), program / "_internal" / LICENCES)
            write_sum(made)
    return 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[[], "frozen", *BUILDERS])
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--deb-version")
    return parser.parse_args(arguments)


def freeze() -> None:
    """Make the folder with the frozen program, and try it.

    Raises:
        SystemExit: The torch of this Python is not the processor's build, which would add gigabytes.
    """
    import torch

    if torch.version.cuda or torch.version.hip:
        raise SystemExit("The package takes the processor's build of torch; see TORCH_INDEX in the Makefile.")
    stage_resources(BUILD / "resources")
    make_icons(BUILD)
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(BUILD / "frozen"), "--workpath", str(BUILD / "work")]
    subprocess.run([*command, str(ROOT / "packaging" / "advisor.spec")], check=True)
    if sys.platform == "linux":
        for pattern in STRIPPED:
            files = [str(path) for path in (FROZEN / "_internal").glob(pattern) if not path.is_symlink()]
            subprocess.run(["strip", "--strip-unneeded", *files], check=True)
    subprocess.run([str(FROZEN / "advisor"), "--version"], check=True)


if __name__ == "__main__":
    if shutil.which("git") is None:
        print("git is not here; the package gets a fixed date", file=sys.stderr)
    sys.exit(main(sys.argv[1:]))
