"""Wrap up the frozen program for Windows (Inno Setup) and macOS (a disk image). Run on those systems only."""

import os
import subprocess
import sys
from pathlib import Path

from package_parts import IDENTITY, ROOT

ICON = ROOT / "resources" / "icons" / "advisor-256.png"


def make_icons(folder: Path) -> None:
    """Make the icon in the form that this system wants; Linux takes the drawings as they are."""
    if sys.platform == "linux":
        return
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    with Image.open(ICON) as picture:
        if sys.platform == "win32":
            picture.save(folder / "advisor.ico", sizes=[(n, n) for n in (16, 24, 32, 48, 64, 128, 256)])
        else:
            picture.save(folder / "advisor.icns")


def build_inno(frozen: Path, dist: Path, version: str, *, fast: bool) -> Path:
    """Make the installer for Windows with Inno Setup 6 (iscc on the path, or its usual folder)."""
    usual = Path(os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)"), "Inno Setup 6", "ISCC.exe")
    compiler = str(usual) if usual.is_file() else "iscc"
    defines = [f"/DVersion={version}", f"/DPublisher={IDENTITY['publisher']}", f"/DFrozen={frozen}"]
    defines.append(f"/DCompression={'lzma2/fast' if fast else 'lzma2/max'}")
    script = ROOT / "packaging" / "windows" / "advisor.iss"
    subprocess.run([compiler, *defines, f"/O{dist}", str(script)], check=True)
    return dist / f"advisor-{version}-setup.exe"


def build_dmg(frozen: Path, dist: Path, version: str, *, fast: bool) -> Path:
    """Make the disk image for macOS, signed where a certificate is given."""
    image = dist / f"advisor-{version}.dmg"
    script = ROOT / "packaging" / "macos" / "make_dmg.sh"
    app, form = frozen.with_name("advisor.app"), "UDZO" if fast else "ULMO"
    subprocess.run(["sh", str(script), str(app), str(image), form], check=True)
    return image
