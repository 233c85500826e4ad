"""The packages for Linux: the same frozen program gives the same bytes, whoever wraps it up, where and when."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
BUILD = (
    "import os, sys; from pathlib import Path; os.umask(int(sys.argv[3], 8))\n"
    "import package_linux; getattr(package_linux, f'build_{sys.argv[4]}')"
    "(Path(sys.argv[1]), Path(sys.argv[2]), '0.1.0', fast=True)"
)


def frozen(folder: Path, names: list[str], mode: int) -> Path:
    """Make a small folder as a frozen program is: a program, texts and a link, written in the given order."""
    place = folder / "build" / "package" / "frozen" / "advisor"
    internal = place / "_internal"
    internal.mkdir(parents=True)
    for name in names:
        (internal / name).write_text(name * 1000)
        (internal / name).chmod(mode)
    licences = internal / "advisor" / "_resources" / "licences"
    licences.mkdir(parents=True)
    (licences / "index.json").write_text("[]")
    shutil.copyfile("/bin/true", place / "advisor")
    (internal / "link").symlink_to("b.txt")
    return place


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "program"), [("deb", "dpkg-deb"), ("run", "makeself")])
def test_two_builds_are_the_same_bytes(kind: str, program: str, tmp_path: Path) -> None:
    """Folder, order, file masks, modes, time zone, language and the moment differ."""
    if shutil.which(program) is None or shutil.which("dpkg-query") is None:
        pytest.skip(f"there is no {program}, or no Debian")
    sums = set()
    for number, (names, mode, mask, surroundings) in enumerate(
        [
            (["a.txt", "b.txt", "ñ.txt"], 0o644, "022", {"TZ": "UTC", "LC_ALL": "C.UTF-8"}),
            (["ñ.txt", "b.txt", "a.txt"], 0o600, "077", {"TZ": "Pacific/Apia", "LC_ALL": "C", "LANGUAGE": "es"}),
        ]
    ):
        folder = tmp_path / f"build number {number}"
        place = frozen(folder, names, mode)
        os.utime(place / "advisor", (10**9 + number, 10**9 + number))
        (folder / "dist").mkdir()
        subprocess.run(
            [sys.executable, "-c", BUILD, str(place), str(folder / "dist"), mask, kind],
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'tools'}:{ROOT}", **surroundings},
            check=True,
            capture_output=True,
        )
        (made,) = (folder / "dist").glob(f"*.{kind}")
        sums.add(hashlib.sha256(made.read_bytes()).hexdigest())
        if kind == "run":
            continue
        listed = subprocess.run(
            ["dpkg-deb", "--contents", str(made)], capture_output=True, text=True, check=True
        ).stdout
        assert {line.split()[1] for line in listed.splitlines()} == {"root/root"}
    assert len(sums) == 1
