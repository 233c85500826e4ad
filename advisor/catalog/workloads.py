"""Ready-made jobs, and jobs a user writes in a file.

Owns ``resources/catalog/presets.toml`` and the form of a user's TOML file::

    [workload]
    network = "resnet50"        # a name of: advisor --list workloads
    samples = 20_000
    epochs = 30
    batch_size = 64

    [circumstances]
    who = "freelancer"
    runs_per_month = 4
    deadline_h = 12

Instead of naming a network, [[workload.layers]] tables can describe one::

    [[workload.layers]]
    kind = "conv"
    size = 32

What a user writes is untrusted: every key, type and value is checked, and each mistake becomes one sentence that
names the key and says how to fix it.
"""

import tomllib
import typing
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from advisor.catalog.epochs import assume_epochs
from advisor.catalog.named_networks import find_network, known_network, named_network, unknown_network
from advisor.catalog.networks.attention import decompose
from advisor.catalog.networks.tables import OWN_NETWORK, IndexEntry, network_index
from advisor.catalog.spelling import nearest_names, plain_name, spellings
from advisor.catalog.toml_checks import check_keys, convert, faults_of, read_toml, subtable
from advisor.errors import CatalogError, InputError, Phrase, UnknownNameError, refuse_all
from advisor.records.base import Record
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Preset, Workload
from advisor.resource import given_path, resource_path

_REQUIRED = ("network", "samples")
_TABLES: dict[str, type[Record]] = {"workload": Workload, "circumstances": Circumstances}


def presets() -> tuple[Preset, ...]:
    """Return the ready-made jobs, in the order they are shown."""
    return _shipped()[0]


def preset(preset_id: str) -> Preset:
    """Return a ready-made job.

    Raises:
        UnknownNameError: There is none with this id.
    """
    for known in presets():
        if known.workload.id == preset_id:
            return known
    ids = [known.workload.id for known in presets()]
    raise UnknownNameError("workload", preset_id, nearest_names(preset_id, ids))


def find_workload(text: str) -> Preset:
    """Return the job a user names: a file ending in ``.toml``, a preset, or a network with a standard job.

    Raises:
        InputError: The file has a mistake, or nothing has this name.
    """
    if text.casefold().endswith(".toml"):
        return read_workload(given_path(text))
    for wanted in spellings(text):
        if (found := _of_plain_name(wanted)) is not None:
            return found
    if (entry := known_network(text)) is not None:
        return _job_of_network(entry)
    raise unknown_network(text, [*(known.workload.id for known in presets()), *language_jobs()])


def _of_plain_name(wanted: str) -> Preset | None:
    for known in presets():
        if plain_name(known.workload.id) == wanted:
            return known
    for entry in network_index():
        if wanted in {plain_name(entry.name), *map(plain_name, entry.aliases)}:
            return _job_of_network(entry)
    return _language_job(wanted)


def read_workload(path: Path) -> Preset:
    """Return the job in a user's TOML file.

    Raises:
        InputError: It cannot be read, is not TOML, or has an unknown key, a wrong type or a nonsensical value.
    """
    content = read_toml(path)
    check_keys(content, tuple(_TABLES), f"{path.name}: ", Phrase("table"))
    if "workload" not in content:
        raise InputError("{file} has no table [workload]; begin it with a line [workload].", file=path.name)
    job = subtable(content, "workload", path.name)
    if "layers" in job:
        job.setdefault("network", OWN_NETWORK)
    asked = subtable(content, "circumstances", path.name)
    where, where_asked = f"{path.name}: [workload] ", f"{path.name}: [circumstances] "
    refuse_all(
        [
            *_missing(job, path.name),
            *faults_of(job, Workload, where),
            *_unknown_network(job, f"{path.name}: "),
            *faults_of(asked, Circumstances, where_asked),
        ]
    )
    title = job.get("title", path.stem)
    job = {"id": path.stem, "title": title, "epochs_are_default": "epochs" not in job, **job}
    workload = check_workload(_as_own(convert(job, Workload, where)), f"{path.name}: ")
    return Preset(workload=workload, circumstances=convert(asked, Circumstances, where_asked))


def _missing(job: dict[str, Any], file_name: str) -> list[InputError]:
    """Return a sentence for each key without which there is no job."""
    return [
        InputError(
            "{file}: [workload] has no {key}; add a line such as {key} = {example}.",
            file=file_name,
            key=key,
            example=_EXAMPLES[key],
        )
        for key in _REQUIRED
        if key not in job
    ]


def _unknown_network(job: dict[str, Any], where: str) -> list[InputError]:
    """Return what is wrong with the name of the network, where nothing is known by it."""
    name = job.get("network")
    if not isinstance(name, str) or "layers" in job:
        return []
    try:
        find_network(name)
    except UnknownNameError as error:
        return [_no_network(error, where)]
    return []


def _as_own(workload: Workload) -> Workload:
    """Return the job under a name that is not a ready-made one's, for whose title and numbers it would be taken."""
    taken = {known.workload.id for known in presets()}
    return msgspec.structs.replace(workload, id=f"{workload.id}.toml") if workload.id in taken else workload


_EXAMPLES = {"network": '"resnet50"', "samples": "20_000"}


def check_workload(workload: Workload, where: str = "") -> Workload:
    """Return the job, its network by the catalogue's name, its epochs the usual ones where nobody said them.

    Refuses one whose parts do not go together.

    Args:
        workload: Already checked field by field.
        where: Put before the sentence.

    Raises:
        InputError: Such as a sequence length for an image network, or a batch larger than the data.
    """
    batch, samples = workload.batch_size, workload.samples
    if workload.steps_per_epoch is None and batch > samples:
        raise InputError(
            "{where}batch_size is {batch} but there are {samples} samples; make it smaller.",
            where=where,
            batch=batch,
            samples=samples,
        )
    if not workload.layers:
        workload = _check_network(workload, where)
    elif workload.network != OWN_NETWORK:
        raise InputError(
            "{where}layers describe a network of your own; leave network = '{network}' out.",
            where=where,
            network=workload.network,
        )
    try:
        work = network_of(workload)
    except InputError as error:
        raise InputError("{where}{fault}", where=where, fault=error) from error
    return assume_epochs(workload, work.family, work.sample)


FUSED_SINCE = 2023
"""Year from which programs run attention as one kernel: PyTorch 2.0 (March 2023) brought it.

Source: https://pytorch.org/blog/pytorch-2.0-release/ (read 2026-11-22).
"""


def is_attention_fused(workload: Workload) -> bool:
    """Return whether a job's attention is one kernel, as far as is known of its program."""
    if workload.attention is not None:
        return workload.attention == "fused"
    return workload.framework_year is None or workload.framework_year >= FUSED_SINCE


def network_of(workload: Workload) -> Network:
    """Return the network a job trains, at its size: one of the catalogue, or the user's own layers.

    Raises:
        UnknownNameError: No network has this name.
        InputError: The network cannot take this size or method, or the layers do not fit each other.
    """
    is_fused = is_attention_fused(workload)
    if workload.layers:
        from advisor.catalog.networks.layers import network_of_layers  # few jobs describe their own

        found = network_of_layers(workload)
        found = found if is_fused or found.attention is None else decompose(found)
    else:
        found = named_network(workload, is_fused=is_fused)
    if workload.method in ("lora", "qlora") and found.attention is None:
        raise InputError(
            "The method {method} goes with transformers, and {network} has no attention; take transfer or full.",
            method=workload.method,
            network=found.name,
        )
    return found


def _no_network(error: UnknownNameError, where: str) -> InputError:
    if ".py" in error.name:  # its code would run; that must be asked for where one sees it
        return InputError(
            "{where}a network in a Python file is named on the command line: --workload {name}.",
            where=where,
            name=error.name,
        )
    if not error.nearest:
        return InputError(
            "{where}there is no network '{name}'. See: advisor --list workloads", where=where, name=error.name
        )
    return InputError(
        "{where}there is no network '{name}'. Did you mean {nearest}? See: advisor --list workloads",
        where=where,
        name=error.name,
        nearest=", ".join(error.nearest),
    )


_SAMPLES = {"image": Phrase("images"), "sequence": Phrase("sequences"), "row": Phrase("rows")}


def _check_network(workload: Workload, where: str) -> Workload:
    try:
        entry = find_network(workload.network)
    except UnknownNameError as error:
        raise _no_network(error, where) from error
    sample = entry.sample
    for key, wanted in (("image_size", "image"), ("sequence_length", "sequence"), ("columns", "row")):
        if getattr(workload, key) is not None and sample != wanted:
            raise InputError(
                "{where}{key} does not apply to {network}, which takes {samples}; leave it out.",
                where=where,
                key=key,
                network=entry.name,
                samples=_SAMPLES[sample],
            )
    classical = workload.method == "classical"
    if classical != (sample == "row"):
        remedy = 'network = "gradient_boosting"' if classical else 'method = "classical"'
        raise InputError(
            "{where}method {method} does not go with {network}; write {remedy}.",
            where=where,
            method=workload.method,
            network=entry.name,
            remedy=remedy,
        )
    length = workload.sequence_length
    if length is None and entry.is_language_model:  # said, so that the question can tell it
        length = _shipped()[1]["language"].sequence_length
    return msgspec.structs.replace(workload, network=entry.name, sequence_length=length)


def _job_of_network(entry: IndexEntry) -> Preset:
    """Return the standard job of a network; a preset's where that is the only way most can run it at all.

    Who names a network says nothing of a preset's batch, optimizer or layout of memory.
    """
    for known in presets():
        if known.workload.network == entry.name and known.workload.method in _OWN_WAYS:
            return known
    job = standard_job(entry.name, entry.family, "language" if entry.is_language_model else entry.sample)
    return Preset(workload=msgspec.structs.replace(job, title=entry.title or job.title))


_OWN_WAYS = ("classical", "lora", "qlora")
LANGUAGE_JOBS = {
    "pretrain": "llm_70b_scratch",
    "full": "llm_7b_full",
    "lora": "llm_7b_lora",
    "qlora": "llm_7b_qlora",
}
"""What is done with a language model of any size, by the ending of its name, and the preset it is like."""


def language_jobs() -> tuple[str, ...]:
    """Return the names of what can be done with each language model that has a table, such as ``llama_8b_qlora``.

    Those that are known by their numbers have the same, and are many.
    """
    models = [entry.name for entry in network_index() if entry.is_language_model]
    return tuple(f"{model}_{ending}" for model in models for ending in LANGUAGE_JOBS)


def tuning_jobs() -> tuple[Preset, ...]:
    """Return the usual job of adapting each known language model, called as its makers call it."""
    from advisor.catalog.language.models import language_models

    found = []
    for model in language_models():
        known = find_workload(model.name)
        named = msgspec.structs.replace(known.workload, id=model.name, title=model.title)
        found.append(msgspec.structs.replace(known, workload=named))
    return tuple(found)


def _language_job(wanted: str) -> Preset | None:
    for ending, known in LANGUAGE_JOBS.items():
        stem = wanted.removesuffix(ending)
        entry = None if stem in ("", wanted) else known_network(stem)
        if entry is not None and entry.is_language_model:
            like, name = preset(known), f"{entry.name}_{ending}"
            # How it is trained stands beside the title, where it is adapters.
            title = entry.title or (entry.name if ending in ("lora", "qlora") else name)
            workload = msgspec.structs.replace(like.workload, id=name, title=title, network=entry.name)
            return Preset(workload=workload, circumstances=like.circumstances, source=like.source)
    return None


def standard_job(network: str, family: str, kind: Literal["image", "sequence", "row", "language"]) -> Workload:
    """Return the job assumed for a network named without one, by its sample; ``language``: a model that writes."""
    job = msgspec.structs.replace(_shipped()[1][kind], id=network, title=network, network=network)
    return assume_epochs(job, family, "sequence" if kind == "language" else kind)


@cache
def _shipped() -> tuple[tuple[Preset, ...], dict[str, Workload]]:
    """Return the presets and the standard jobs by kind of sample."""
    path = resource_path("catalog", "presets.toml")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        found = tuple(_shipped_preset(table) for table in content["preset"])
        names = {"id": "standard", "title": "standard", "network": "standard"}
        standard = {
            sample: typing.cast(Workload, convert({**names, **table}, Workload, f"[standard.{sample}] "))
            for sample, table in content["standard"].items()
        }
    except (OSError, tomllib.TOMLDecodeError, KeyError, InputError) as error:
        raise CatalogError("The ready-made jobs cannot be read: {error}.", error=str(error)) from error
    return found, standard


def _shipped_preset(table: dict[str, Any]) -> Preset:
    titles: dict[str, str] = table["titles"]
    job = {"title": titles["en"], **table["workload"]}
    where = f"{job['id']}: "
    return Preset(
        workload=convert(job, Workload, where),
        circumstances=convert(dict(table.get("circumstances", {})), Circumstances, where),
        titles=titles,
        source=table["source"],
    )
