"""The question that the arguments ask: the job, its network and the user's circumstances."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from advisor.catalog import check_limits, check_workload, economics, find_workload
from advisor.cli.arguments import JOB_FIELDS
from advisor.cli.output import say
from advisor.confinement import check_confinement, memory_limit
from advisor.errors import InputError
from advisor.locale import Language
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Preset, Workload, on_samples
from advisor.report.words.quantities import memory
from advisor.resource import given_path
from advisor.session.given.own_network import OwnProgram, is_program, job_of, trace_own
from advisor.session.single_prediction import applied_settings
from advisor.units import BYTES_PER_MBIT, MINUTE_S, hours_to_seconds

DEFAULT_PRESET = "article_cnn"


def asked_question(arguments: argparse.Namespace, network: Network | None = None) -> Preset:
    """Return the job asked for, with the user's own settings and circumstances over the usual ones.

    Raises:
        InputError: A setting does not go with the network.
    """
    preset = _usual(arguments.workload or DEFAULT_PRESET, network)
    changes = job_settings(arguments)
    if arguments.samples is not None:
        changes |= on_samples(preset.workload, arguments.samples)
        changes.setdefault("batch_size", min(preset.workload.batch_size, arguments.samples))
    if arguments.precision is not None:
        changes["precision_is_default"] = False
    if arguments.epochs is not None:
        changes["epochs_are_default"] = False
    if arguments.task == "infer":
        changes.setdefault("epochs", 1.0)  # who applies a network goes through the data once
        name = arguments.workload or DEFAULT_PRESET
        changes = applied_settings(name, preset.workload, has_network=network is not None) | changes
    workload = msgspec.structs.replace(preset.workload, **changes)
    return Preset(
        workload=workload if network is not None else check_workload(workload),
        titles=preset.titles,
        circumstances=own_circumstances(preset.circumstances, arguments),
    )


def _usual(reference: str, network: Network | None) -> Preset:
    """Return the job before the user's own settings."""
    if is_watched(reference):
        return Preset(workload=_seen(reference)[0])
    return find_workload(reference) if network is None else Preset(workload=job_of(network))


def is_watched(reference: str) -> bool:
    """Return whether a workload is what ``--watch --save`` wrote."""
    return reference.casefold().endswith(".json") and not is_model(reference)


def is_model(reference: str) -> bool:
    """Return whether a workload is a model's own file, or the folder that holds it."""
    path = given_path(reference)
    return path.name == "config.json" or path.suffix in (".gguf", ".safetensors") or _is_model_folder(path)


def _is_model_folder(path: Path) -> bool:
    try:
        return path.is_dir() and (
            any((path / place / "config.json").is_file() for place in (".", "transformer", "unet"))
            or next(path.glob("*.safetensors"), None) is not None
        )
    except (OSError, ValueError):  # no text that a path can have
        return False


def _seen(reference: str) -> tuple[Workload, Network]:
    from advisor.wire import decode_watched, read_limited  # every record there is; other jobs do without

    path = given_path(reference)
    job = decode_watched(read_limited(path), path.name)
    if job.workload is None or job.network is None:
        raise InputError("{file} holds no operations of a step, so nothing can be predicted for it.", file=path.name)
    return job.workload, job.network


def job_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of the workload that the user set."""
    given = {name: getattr(arguments, name) for name in JOB_FIELDS}
    return {name: value for name, value in given.items() if value is not None}


def own_network(arguments: argparse.Namespace, reference: str | None, language: Language) -> Network | None:
    """Return the network in a Python file, whose code this runs; None where the workload is no such file."""
    program = own_program(arguments, reference)
    return (
        saved_network(reference, arguments.sequence_length, arguments.image_size)
        if program is None
        else traced(program, language, confine=arguments.confine)
    )


def saved_network(
    reference: str | None, sequence_length: int | None = None, image_size: int | None = None
) -> Network | None:
    """Return the network of a job that ``--watch`` saved, or of a model's own file.

    None where the workload is something else.
    """
    if reference is not None and is_model(reference):
        from advisor.session.given.model_files import model_network

        return model_network(reference, sequence_length, image_size)
    return _seen(reference)[1] if reference is not None and is_watched(reference) else None


def own_program(arguments: argparse.Namespace, reference: str | None) -> OwnProgram | None:
    """Return the Python file that the workload names; None where it names something else."""
    if reference is None or not is_program(reference):
        return None
    return OwnProgram(
        reference=reference,
        image_size=arguments.image_size,
        sequence_length=arguments.sequence_length,
        input_shape=arguments.input_shape,
    )


def traced(program: OwnProgram, language: Language, *, confine: bool = False) -> Network:
    """Return the network in the user's file, whose code this runs, and says so; what cannot be held is not promised."""
    if confine:
        check_confinement()
    text = language.gettext(
        "Running {file} to see its network. Its code runs on this computer, in a process of its own."
    )
    held = f" {what_is_held(language)}" if confine else ""
    say(text.format(file=program.file) + held)
    return trace_own(program, confine=confine)


def what_is_held(language: Language) -> str:
    """Return what ``--confine`` promises, and no more than that."""
    text = language.gettext(
        "It is held: no network, no other program in sight, no file changed but in a temporary folder of its own, and "
        "each of its processes takes at most {size} of memory. It can read what you can read."
    )
    return text.format(size=memory(memory_limit(), language))


def own_circumstances(usual: Circumstances, arguments: argparse.Namespace) -> Circumstances:
    """Return the circumstances with everything the user said on the command line; money in US dollars.

    Raises:
        InputError: The currency or the country is not in the table.
    """
    table = economics()
    country = arguments.country or usual.country
    if country not in table.countries:
        raise InputError(
            "The country {country} is not in the table; known are: {known}.",
            country=country,
            known=", ".join(sorted(table.countries)),
        )
    paid_in = table.countries[country].currency if arguments.country else usual.currency
    currency = arguments.currency or paid_in
    if currency not in table.currencies:
        raise InputError(
            "The currency {currency} is not in the table; known are: {known}.",
            currency=currency,
            known=", ".join(sorted(table.currencies)),
        )
    usual_rate = usual.units_per_usd if currency == usual.currency else None
    own_rate = None if currency == "USD" else arguments.exchange_rate or usual_rate
    rate = own_rate or table.currencies[currency].units_per_usd
    said: dict[str, Any] = {"currency": currency, "country": country, "units_per_usd": own_rate}
    check_limits("units_per_usd", arguments.exchange_rate, called="--exchange-rate")
    for name, (field, in_our_unit) in _CIRCUMSTANCES.items():
        value = getattr(arguments, name)
        if value is not None:
            check_limits(field, value, called=f"--{name.replace('_', '-')}", factor=in_our_unit(1.0, rate))
            said[field] = in_our_unit(value, rate)
    changed = msgspec.structs.replace(usual, **said)
    return msgspec.structs.replace(changed, runs_per_month=1 / changed.horizon_months) if arguments.once else changed


def _in_dollars(amount: float, units_per_usd: float) -> float:
    return amount / units_per_usd


def _as_said(value: Any, _units_per_usd: float) -> Any:
    return value


_CIRCUMSTANCES: dict[str, tuple[str, Callable[[Any, float], Any]]] = {
    "resale": ("resale_ratio", _as_said),
    "budget": ("budget_usd", _in_dollars),
    "deadline": ("deadline_s", lambda hours, _rate: hours_to_seconds(hours)),
    "runs_per_month": ("runs_per_month", _as_said),
    "months": ("horizon_months", _as_said),
    "electricity": ("electricity_usd_per_kwh", _in_dollars),
    "data_must_stay": ("data_must_stay", _as_said),
    "setup_minutes": ("setup_s", lambda minutes, _rate: minutes * MINUTE_S),
    "upload_mbit": ("upload_bytes_per_s", lambda mbit, _rate: mbit * BYTES_PER_MBIT),
    "download_mbit": ("download_bytes_per_s", lambda mbit, _rate: mbit * BYTES_PER_MBIT),
    "failed_tries": ("failed_tries", lambda tries, _rate: float(tries)),
}
"""Options of the circumstances: the field each of them sets, and its value in the unit of the field."""
