"""What a file or folder of the user's is to this program. It is read, never run."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any

import msgspec

from advisor.errors import InputError
from advisor.records.dropped import Dropped
from advisor.records.results.scaling import SiteCluster

_BUILDER = re.compile(r"^def ((?:build|make|create|get)\w*|model|network|net)\(", re.MULTILINE)
_TRAINS = re.compile(r"\.backward\(|\.fit\(|\bTrainer\(|\.train_step\(|\bargparse\b|__main__")
_MODEL_KEYS = frozenset(
    {"model_type", "architectures", "hidden_size", "n_embd", "num_hidden_layers", "_class_name", "n_obs_steps"}
)
_FIRST_REPORTS = 3
"""Files of a folder that are tried as reports."""
_MOST_TRAINED_WHOLE = 2 * 10**9
"""Parameters; with AdamW that many take 32 GB before the first sample."""


def recognise(path: Path) -> Dropped:
    """Return what a file or folder is, within ten seconds or so.

    Raises:
        InputError: It is not there, cannot be read, or is nothing that this program can use.
    """
    if not path.exists():
        raise InputError("{file} is not there.", file=path.name)
    if path.is_dir():
        return _folder(path)
    readers = {
        ".py": _python,
        ".ipynb": _notebook,
        ".toml": _toml,
        ".json": _json,
        ".gguf": _model,
        ".safetensors": _model,
        ".zip": _zip,
        ".jsonl": _lines,
    }
    return readers.get(path.suffix.casefold(), _data)(path)


def _folder(path: Path) -> Dropped:
    if any((path / part / "config.json").is_file() for part in (".", "transformer", "unet")):
        try:
            return _model(path)
        except InputError:
            pass  # of another program: the folder may hold data all the same
    elif next(path.glob("*.safetensors"), None) is not None:
        return _model(path)
    if any(_is_report(one) for one in sorted(path.glob("*.json"))[:_FIRST_REPORTS]):
        return Dropped(path=path, kind="reports")
    return _data(path)


def _is_report(path: Path) -> bool:
    from advisor.wire import read_report

    try:
        read_report(path)
    except InputError:
        return False
    return True


def _data(path: Path) -> Dropped:
    from advisor.session.given.data import find_data

    try:
        return Dropped(path=path, kind="data", found=find_data(str(path)))
    except InputError as error:
        raise InputError(
            "{file} is nothing this program can use. Drop data (a folder of photos, sound, .csv, .parquet, .npy or "
            ".tar), a Python file, a job (.toml), a report (.json), or a model's config.json, .gguf or .safetensors.",
            file=path.name,
        ) from error


def _python(path: Path) -> Dropped:
    from advisor.wire import read_limited

    text = read_limited(path).decode(errors="replace")
    found = _BUILDER.findall(text)
    function = "build" if "build" in found else found[0] if found else ""
    is_network = bool(function) and not _TRAINS.search(text)
    return Dropped(path=path, kind="network" if is_network else "script", function=function)


def _notebook(path: Path) -> Dropped:
    cells = _read_json(path).get("cells")
    if not isinstance(cells, list):
        raise InputError("{file} is not a notebook: it has no cells.", file=path.name)
    return Dropped(
        path=path,
        kind="notebook",
        cells=sum(1 for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"),
    )


def _toml(path: Path) -> Dropped:
    from advisor.catalog import read_workload
    from advisor.catalog.toml_checks import read_toml

    if "job" in read_toml(path):
        return Dropped(path=path, kind="jobs")
    return Dropped(path=path, kind="job", preset=read_workload(path))


def _json(path: Path) -> Dropped:
    keys = _read_json(path).keys()
    if "schema_version" in keys:
        from advisor.wire import read_report

        return Dropped(path=path, kind="report", computer=read_report(path).machine.host.cpu.name)
    if "scaling_version" in keys:
        return Dropped(path=path, kind="cluster", cluster=read_cluster(path))
    if "script" in keys:
        return _watched(path)
    if keys & _MODEL_KEYS:
        return _model(path)
    raise InputError(
        "{file} is neither a report of this program, nor a job that it saved, nor a model's config.json.",
        file=path.name,
    )


def read_cluster(path: Path) -> SiteCluster:
    """Return the cluster that a file of --scaling tells of.

    Raises:
        InputError: It is none, or holds nothing that a step can be told by.
    """
    from advisor.wire import decode_scaling, read_limited

    scaling = decode_scaling(read_limited(path), path.name)
    if not any(level.link is not None for level in scaling.levels):
        raise InputError("In the file of your nodes no two exchanged messages of several sizes.")
    return SiteCluster(scaling=scaling)


def _watched(path: Path) -> Dropped:
    from advisor.records.job.workload import Preset
    from advisor.wire import decode_watched, read_limited

    job = decode_watched(read_limited(path), path.name)
    if job.workload is None or job.network is None:
        raise InputError("{file} holds no operations of a step, so nothing can be predicted for it.", file=path.name)
    return Dropped(path=path, kind="watched", preset=Preset(workload=job.workload), network=job.network)


def _model(path: Path) -> Dropped:
    from advisor.records.job.workload import Preset
    from advisor.session.given.model_files import model_network
    from advisor.session.given.own_network import job_of

    network = model_network(str(path))
    job = job_of(network)
    if network.is_language_model:
        return Dropped(path=path, kind="model", preset=Preset(workload=job), network=network)
    # What is too large for most computers is first asked about as most people train it.
    is_large = network.parameters > _MOST_TRAINED_WHOLE
    job = msgspec.structs.replace(job, method="lora" if is_large else "full")
    return Dropped(path=path, kind="described", preset=Preset(workload=job), network=network)


def _zip(path: Path) -> Dropped:
    try:
        with zipfile.ZipFile(path) as archive:
            has_reports = any(name.casefold().endswith(".json") for name in archive.namelist())
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError("{file} cannot be opened as a .zip.", file=path.name) from error
    if not has_reports:
        raise InputError(
            "{file} holds no reports. If your data are in it, unpack it and drop the folder.", file=path.name
        )
    return Dropped(path=path, kind="reports")


def _lines(path: Path) -> Dropped:
    return Dropped(path=path, kind="reports")


def _read_json(path: Path) -> dict[str, Any]:
    """Return the object in a JSON file."""
    from advisor.wire import read_limited

    try:
        content = msgspec.json.decode(read_limited(path))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError("{file} holds no JSON.", file=path.name) from error
    if not isinstance(content, dict):
        raise InputError("{file} holds no JSON object.", file=path.name)
    return content
