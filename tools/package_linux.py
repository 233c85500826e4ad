"""Wrap up the frozen program for Linux: a Debian package, and one file that installs itself without root."""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from package_parts import IDENTITY, ROOT, manual_pages, release_date, source_epoch, system_licences

LINUX = ROOT / "packaging" / "linux"
ICONS = ROOT / "resources" / "icons"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
MAINTAINER = f"{IDENTITY['publisher']} <{IDENTITY['mail']}>"
HOMEPAGE = IDENTITY["homepage"]
"""Where the project lives; the metainfo names it, and takes its screenshots from there."""

# Packages of Debian and Ubuntu by the libraries that the program takes from the system instead of bringing them.
SYSTEM_LIBRARIES = {
    "libbz2-1.0": ("libbz2.so.1.0",),
    "libc6 (>= 2.35)": (
        "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1", "ld-linux-x86-64.so.2",
    ),
    "libcups2 | libcups2t64": ("libcups.so.2",),
    "libdbus-1-3": ("libdbus-1.so.3",),
    "libegl1": ("libEGL.so.1",),
    "libexpat1": ("libexpat.so.1",),
    "libffi8": ("libffi.so.8",),
    "libfontconfig1": ("libfontconfig.so.1",),
    "libfreetype6": ("libfreetype.so.6",),
    "libgcc-s1": ("libgcc_s.so.1",),
    "libgl1": ("libGL.so.1", "libGLX.so.0", "libOpenGL.so.0"),
    "libglib2.0-0 | libglib2.0-0t64": (
        "libglib-2.0.so.0", "libgthread-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0",
    ),
    "liblzma5": ("liblzma.so.5",),
    "libsqlite3-0": ("libsqlite3.so.0",),
    "libssl3 | libssl3t64": ("libssl.so.3", "libcrypto.so.3"),
    "libstdc++6": ("libstdc++.so.6",),
    "libuuid1": ("libuuid.so.1",),
    "libwayland-client0": ("libwayland-client.so.0",),
    "libwayland-cursor0": ("libwayland-cursor.so.0",),
    "libwayland-egl1": ("libwayland-egl.so.1",),
    "libx11-6": ("libX11.so.6",),
    "libx11-xcb1": ("libX11-xcb.so.1",),
    "libxau6": ("libXau.so.6",),
    "libxcb1": ("libxcb.so.1",),
    "libxcb-cursor0": ("libxcb-cursor.so.0",),
    "libxcb-glx0": ("libxcb-glx.so.0",),
    "libxcb-icccm4": ("libxcb-icccm.so.4",),
    "libxcb-image0": ("libxcb-image.so.0",),
    "libxcb-keysyms1": ("libxcb-keysyms.so.1",),
    "libxcb-randr0": ("libxcb-randr.so.0",),
    "libxcb-render0": ("libxcb-render.so.0",),
    "libxcb-render-util0": ("libxcb-render-util.so.0",),
    "libxcb-shape0": ("libxcb-shape.so.0",),
    "libxcb-shm0": ("libxcb-shm.so.0",),
    "libxcb-sync1": ("libxcb-sync.so.1",),
    "libxcb-util1": ("libxcb-util.so.1",),
    "libxcb-xfixes0": ("libxcb-xfixes.so.0",),
    "libxcb-xkb1": ("libxcb-xkb.so.1",),
    "libxkbcommon0": ("libxkbcommon.so.0",),
    "libxkbcommon-x11-0": ("libxkbcommon-x11.so.0",),
    "libzstd1": ("libzstd.so.1",),
    "zlib1g": ("libz.so.1",),
}  # fmt: skip
LICENCES = Path("advisor", "_resources", "licences")
"""Where the frozen program keeps them, below _internal."""
DESCRIPTION = """Is my computer enough for deep learning, and what if not
 It looks at the computer, measures it for less than a minute, asks what you
 want to train, and answers in a sentence: stay on this computer, get one
 graphics card (and which), rent in the cloud (what, at what price), or use a
 cluster. It says how long, how much memory and how much money, and how sure
 it is. In English and Spanish. Nothing leaves the computer.
"""


def build_deb(frozen: Path, dist: Path, version: str, *, fast: bool) -> Path:
    """Make the Debian package.

    Raises:
        SystemExit: Something in the program needs a library that neither it nor a named package brings.
    """
    root = frozen.parents[1] / "deb"
    shutil.rmtree(root, ignore_errors=True)
    program = root / "usr" / "lib" / "advisor"
    shutil.copytree(frozen, program, symlinks=True)
    _leave_to_system(program / "_internal")
    _require_complete(program)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / "advisor").symlink_to("../lib/advisor/advisor")
    _add_share(root / "usr" / "share", version)
    _add_documents(root / "usr" / "share", version)
    _add_control(root, version)
    _set_times_and_modes(root)
    target = dist / f"advisor_{version}_amd64.deb"
    compression = ["-Zxz", "-z0"] if fast else ["-Zxz", "-z9"]  # lintian of Debian 12 knows no zstd
    command = ["dpkg-deb", "--root-owner-group", *compression, "--build", str(root), str(target)]
    subprocess.run(command, check=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(source_epoch()), "LC_ALL": "C"})
    return target


def build_run(frozen: Path, dist: Path, version: str, *, fast: bool) -> Path:
    """Make the file that installs itself for one user on any distribution, with all libraries inside."""
    root = frozen.parents[1] / "run"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(frozen, root / "advisor", symlinks=True)
    internal = root / "advisor" / "_internal"
    system_licences(_from_system(internal), internal / LICENCES)
    _add_share(root / "share", version)
    setup = root / "setup.sh"
    setup.write_text((LINUX / "run_setup.sh").read_text("utf-8").replace("@VERSION@", version), encoding="utf-8")
    _set_times_and_modes(root)
    setup.chmod(0o755)
    target = dist / f"advisor-{version}-linux-x86_64.run"
    compression = ["--xz", "--complevel", "0" if fast else "9"]
    packing = ["--packaging-date", release_date().isoformat(), "--nox11", "--sha256"]
    tar = ["--tar-extra", f"--sort=name --owner=0 --group=0 --numeric-owner --mtime=@{source_epoch()}"]
    # The command is kept in the file: without the folder in which it was made.
    paths = (root.name, os.path.relpath(target, root.parent))
    command = ["makeself", "--quiet", *compression, *packing, *tar, *paths, f"advisor {version}", "./setup.sh"]
    # Always two threads: what xz writes depends on whether there is more than one, not on how many.
    subprocess.run(command, check=True, cwd=root.parent, env=os.environ | {"XZ_OPT": "--threads=2"})
    return target


def _leave_to_system(internal: Path) -> None:
    """Remove the libraries that packages bring, whose security updates then reach this program too."""
    for path in _from_system(internal):
        path.unlink()


def _from_system(internal: Path) -> list[Path]:
    """Return the libraries that were taken from the system on which the program was frozen."""
    ours = re.compile(r"lib(python|Qt6|pyside6|shiboken6|icu)")
    return [path for path in internal.glob("lib*.so*") if not path.is_symlink() and not ours.match(path.name)]


def _require_complete(program: Path) -> None:
    """Check that everything some file needs is in the program or in a package it depends on."""
    inside = {path.name for path in program.rglob("*.so*")}
    brought = {library for libraries in SYSTEM_LIBRARIES.values() for library in libraries}
    missing = {
        f"{library} (for {path.relative_to(program)})"
        for path in _binaries(program)
        for library in _needed(path)
        if library not in inside and library not in brought
    }
    if missing:
        raise SystemExit("Nothing brings: " + ", ".join(sorted(missing)))


def _binaries(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def _needed(path: Path) -> list[str]:
    told = subprocess.run(["readelf", "-d", str(path)], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+?)\]", told)


def _add_share(share: Path, version: str) -> None:
    """Add what a desktop looks for: menu entry, icons, description."""
    for size in ICON_SIZES:
        _put(ICONS / f"advisor-{size}.png", share / "icons" / "hicolor" / f"{size}x{size}" / "apps" / "advisor.png")
    _put(ICONS / "advisor.svg", share / "icons" / "hicolor" / "scalable" / "apps" / "advisor.svg")
    _put(LINUX / "advisor.desktop", share / "applications" / "advisor.desktop")
    links = f'  <url type="homepage">{HOMEPAGE}</url>\n{_screenshots()}' if HOMEPAGE else ""
    text = (LINUX / "metainfo.xml.in").read_text("utf-8").replace("@LINKS@", links)
    text = text.replace("@VERSION@", version).replace("@DATE@", release_date().isoformat())
    name = IDENTITY["application_id"]
    text = text.replace("@ID@", name).replace("@DEVELOPER_ID@", name.rpartition(".")[0])
    text = text.replace("@PUBLISHER@", IDENTITY["publisher"])
    _write(share / "metainfo" / f"{name}.metainfo.xml", text)


def _screenshots() -> str:
    pictures = {"verdict-en.png": "The answer with its reasons", "options-en.png": "Every option with time and cost"}
    lines = [
        f"    <screenshot{' type=' + chr(34) + 'default' + chr(34) if number == 0 else ''}>"
        f"<caption>{caption}</caption><image>{HOMEPAGE}/raw/main/packaging/screenshots/{name}</image></screenshot>\n"
        for number, (name, caption) in enumerate(pictures.items())
    ]
    return f"  <screenshots>\n{''.join(lines)}  </screenshots>\n"


def _add_documents(share: Path, version: str) -> None:
    documents = share / "doc" / "advisor"
    for place, text in manual_pages().items():
        _write_gzip(share / "man" / f"{place}.gz", text)
    date = release_date().strftime("%a, %d %b %Y 00:00:00 +0000")
    news = "  * See CHANGELOG.md of the project."
    entry = f"advisor ({version}) unstable; urgency=medium\n\n{news}\n\n -- {MAINTAINER}  {date}\n"
    _write_gzip(documents / "changelog.gz", entry)
    _put(LINUX / "copyright", documents / "copyright")
    _put(LINUX / "lintian-overrides", share / "lintian" / "overrides" / "advisor")


def _add_control(root: Path, version: str) -> None:
    control = root / "DEBIAN"
    control.mkdir()
    size_kib = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    fields = {
        "Package": "advisor", "Version": version, "Section": "science", "Priority": "optional", "Architecture": "amd64",
        "Maintainer": MAINTAINER, "Installed-Size": str(size_kib),
        "Depends": ", ".join([*SYSTEM_LIBRARIES, "hicolor-icon-theme"]),
        "Recommends": "ca-certificates, fonts-dejavu-core | fonts-liberation", "Suggests": "python3 (>= 3.11)",
        **({"Homepage": HOMEPAGE} if HOMEPAGE else {}), "Description": DESCRIPTION.rstrip("\n"),
    }  # fmt: skip
    _write(control / "control", "".join(f"{name}: {value}\n" for name, value in fields.items()))
    for name in ("preinst", "postrm"):
        _write(control / name, (LINUX / name).read_text("utf-8").replace("@VERSION@", version))
    files = sorted(path for path in (root / "usr").rglob("*") if path.is_file() and not path.is_symlink())
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
    _write(control / "md5sums", "".join(sums))  # the form that dpkg checks against accidents


def _set_times_and_modes(root: Path) -> None:
    """Give every file the time of the newest commit and the usual mode, so that equal inputs make equal packages."""
    epoch = source_epoch()
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            is_program = path.is_dir() or _is_program(path)
            path.chmod(0o755 if is_program else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def _is_program(path: Path) -> bool:
    return (path.parent.name == "DEBIAN" and path.name in {"preinst", "postrm"}) or (
        path.name in {"advisor", "uv", "torch_shm_manager"} and path.suffix == "" and "overrides" not in path.parts
    )  # fmt: skip


def _put(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def _write_gzip(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
