"""Language models that write: ``--predict`` and ``--report`` with ``--task generate``, ``--list models --here``."""

import argparse
import datetime

import msgspec

from advisor import wire
from advisor.catalog.language.jobs import find_serving_job
from advisor.catalog.toml_checks import check_limits
from advisor.cli.arguments import QUESTION_FIELDS, SERVING_FIELDS
from advisor.cli.modes.listing import table
from advisor.cli.output import DONE, say, screen, write_out
from advisor.cli.progress import Progress
from advisor.cli.question import own_circumstances
from advisor.errors import InputError
from advisor.locale import Language
from advisor.records.hardware.machine import Machine
from advisor.records.job.serving import ServingJob
from advisor.records.job.serving_advice import ServingQuestion
from advisor.records.results.measured.measurement import Measurement
from advisor.report.documents.serving import here_heading, here_rows, serving_text
from advisor.report.documents.serving_advice import render_serving
from advisor.report.formats.pdf import SERVING, check_pdf, pdf_bytes
from advisor.report.formats.write import check_target, format_of, write_bytes
from advisor.resource import given_path
from advisor.session.serving import advise_serving, serve_here, serve_one

_DEFAULT_JOB = "chat_5_users"


def run_serving_command(arguments: argparse.Namespace, language: Language) -> int:
    """Predict one model on one kind of device, write it, and return the exit status."""
    found = serve_one(arguments.predict, arguments.on, asked_job(arguments), device_count=arguments.devices)
    if arguments.format == "json":
        return write_out(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    return write_out(serving_text(found, language))


def run_serving_report(arguments: argparse.Namespace, language: Language) -> int:
    """Advise how to run a language model, write the report, and return the exit status."""
    target = None if arguments.report in (None, "-") else given_path(arguments.report)
    form = arguments.format or ("text" if target is None else format_of(target))
    if form in {"png", "sheet"}:
        raise InputError("A picture or a single page is made of a job that trains; choose text, json, html, md or pdf.")
    if form == "pdf":
        if target is None:
            raise InputError("A PDF does not go to the screen; name a file: advisor --report report.pdf")
        check_pdf()
    if target is not None:
        check_target(target)
    usual = find_serving_job(arguments.workload or _DEFAULT_JOB)
    question = _asked_question(usual.question, arguments)
    circumstances = own_circumstances(usual.circumstances, arguments)
    moment = datetime.datetime.now(datetime.UTC)
    machine = _machine(arguments)
    advice = advise_serving(question, circumstances, machine, moment, _measured(machine, arguments, language))
    if target is None:
        return write_out(render_serving(advice, form, language, **screen()).decode())
    content = pdf_bytes(advice, language, SERVING) if form == "pdf" else render_serving(advice, form, language)
    write_bytes(target, content)
    say(language.gettext("The report is in {path}.").format(path=target))
    return DONE


def _machine(arguments: argparse.Namespace) -> Machine:
    """Return this computer, or the recorded one, with the cards that were set by hand."""
    from advisor.session.run import probe, recorded_machine

    if arguments.machine is None:
        return probe(tuple(arguments.gpu))
    return recorded_machine(wire.read_recorded(given_path(arguments.machine)), tuple(arguments.gpu))


def _measured(machine: Machine, arguments: argparse.Namespace, language: Language) -> tuple[Measurement, ...]:
    """Return how fast this processor reads weights; nothing of another computer, or where nobody wants to wait."""
    if arguments.suite == "none" or arguments.machine is not None:
        return ()
    from advisor.session.measure_decode import measure_decode

    return measure_decode(machine, Progress(language))


def _asked_question(usual: ServingQuestion, arguments: argparse.Namespace) -> ServingQuestion:
    """Return the question with what the user said over the usual."""
    given = {name: getattr(arguments, name) for name in QUESTION_FIELDS}
    said = {name: value for name, value in given.items() if value is not None}
    for name, value in said.items():
        check_limits(name, value, called=f"--{name.replace('_', '-')}")
    job = asked_job(arguments, usual.job)
    titles = usual.titles if job == usual.job and not said else {}
    return msgspec.structs.replace(usual, job=job, titles=titles, **said)


def run_models_here(arguments: argparse.Namespace, language: Language) -> int:
    """List which models run on this computer, and how fast."""
    from advisor.session.run import probe

    machine = probe(tuple(arguments.gpu))
    found = serve_here(machine, asked_job(arguments), _measured(machine, arguments, language))
    if arguments.format == "json":
        return write_out(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
    return write_out(table(here_heading(language), here_rows(found, language)))


def asked_job(arguments: argparse.Namespace, usual: ServingJob | None = None) -> ServingJob:
    """Return how the model is asked, with what the user said over the usual.

    Raises:
        InputError: A number is beyond what makes sense.
    """
    given = {name: getattr(arguments, name) for name in SERVING_FIELDS}
    known = {name: value for name, value in given.items() if value is not None}
    if "context" in known and usual is None:
        new = known.get("new_tokens", ServingJob().new_tokens)
        known.setdefault("prompt_tokens", max(1, min(ServingJob().prompt_tokens, known["context"] - new)))
    if arguments.framework_year is not None:
        known["year"] = arguments.framework_year
    try:
        return msgspec.convert({**msgspec.structs.asdict(usual or ServingJob()), **known}, ServingJob)
    except msgspec.ValidationError as error:
        raise InputError("How the model is asked makes no sense: {detail}", detail=str(error)) from error
