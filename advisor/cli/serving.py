"""``advisor --predict NAME --task generate`` and ``--list models --here``: language models that write."""

import argparse

import msgspec

from advisor.cli.arguments import SERVING_FIELDS
from advisor.cli.listing import table
from advisor.cli.output import write_out
from advisor.errors import InputError
from advisor.locale import Language
from advisor.records.job.serving import ServingJob
from advisor.report.serving import here_heading, here_rows, serving_text
from advisor.session.serving import serve_here, serve_one


def run_serving_command(arguments: argparse.Namespace, language: Language) -> int:
    """Predict one model on one kind of device, write it, and return the exit status."""
    found = serve_one(arguments.predict, arguments.on, asked_job(arguments), device_count=arguments.devices)
    if arguments.format == "json":
        return write_out(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    return write_out(serving_text(found, language))


def run_models_here(arguments: argparse.Namespace, language: Language) -> int:
    """List which models run on this computer, and how fast."""
    from advisor.session.run import probe

    found = serve_here(probe(tuple(arguments.gpu)), asked_job(arguments))
    if arguments.format == "json":
        return write_out(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    return write_out(table(here_heading(language), here_rows(found, language)))


def asked_job(arguments: argparse.Namespace) -> ServingJob:
    """Return how the model is asked.

    Raises:
        InputError: A number is beyond what makes sense.
    """
    given = {name: getattr(arguments, name) for name in SERVING_FIELDS}
    known = {name: value for name, value in given.items() if value is not None}
    if "context" in known:
        new = known.get("new_tokens", ServingJob().new_tokens)
        known.setdefault("prompt_tokens", max(1, min(ServingJob().prompt_tokens, known["context"] - new)))
    if arguments.framework_year is not None:
        known["year"] = arguments.framework_year
    try:
        return msgspec.convert(known, ServingJob)
    except msgspec.ValidationError as error:
        raise InputError("How the model is asked makes no sense: {detail}", detail=str(error)) from error
