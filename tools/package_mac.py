"""Wrap up the frozen program for macOS, as a disk image. Run there only."""

import subprocess
import sys
from pathlib import Path

from package_parts import ROOT

ICON = ROOT / "resources" / "icons" / "advisor-256.png"


def make_icons(folder: Path) -> None:
    """Make the icon in the form that this system wants; Linux takes the drawings as they are."""
    if sys.platform == "darwin":
        from PIL import Image

        folder.mkdir(parents=True, exist_ok=True)
        with Image.open(ICON) as picture:
            picture.save(folder / "advisor.icns")


def build_dmg(frozen: Path, dist: Path, version: str, *, fast: bool) -> Path:
    """Make the disk image for macOS, signed where a certificate is given."""
    image = dist / f"advisor-{version}.dmg"
    script = ROOT / "packaging" / "macos" / "make_dmg.sh"
    app, form = frozen.with_name("advisor.app"), "UDZO" if fast else "ULMO"
    subprocess.run(["sh", str(script), str(app), str(image), form], check=True)
    return image
