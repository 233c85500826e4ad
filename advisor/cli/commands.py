"""What each command does: ask the session, render, write; no computing and no wording of its own."""

import argparse
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TypedDict

import msgspec

from advisor import wire
from advisor.benchmark import Control
from advisor.card_matching import withhold_names
from advisor.catalog import (
    check_limits,
    check_workload,
    economics,
    find_device,
    find_workload,
    load_validation,
    refused_prices,
)
from advisor.cli.arguments import JOB_FIELDS
from advisor.cli.listing import listing
from advisor.cli.progress import Progress
from advisor.errors import AdvisorError, InputError, OutputError
from advisor.locale import Language
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Preset
from advisor.records.results.report import Report
from advisor.report import (
    Format,
    check_format,
    check_target,
    format_of,
    prediction_text,
    render,
    render_how_sure,
    text_report,
    write_report,
)
from advisor.report.comparison import comparison_text
from advisor.report.doctor import doctor_text
from advisor.report.words.prices import refusal_sentence
from advisor.resource import given_path
from advisor.session import Request, compare_reports, predict_one, probe, run_session
from advisor.session.own_network import OwnProgram, is_program, job_of, trace_own
from advisor.session.single_prediction import is_packed_unasked
from advisor.units import hours_to_seconds, minutes_to_seconds

DONE, FAILED, PARTLY_MEASURED = 0, 1, 3
WENT_WRONG = frozenset({"crashed", "error", "garbage", "given_up", "hung", "killed", "missing_torch"})
DEFAULT_PRESET = "article_cnn"
WIDEST = 120  # of tables; lines of text stay shorter


class Screen(TypedDict, total=False):
    """What a terminal can show: characters in a line, and whether it takes colour."""

    width: int
    is_coloured: bool


def run_command(arguments: argparse.Namespace, language: Language) -> int:
    """Run the command the arguments name and return the exit status; without one, make a report."""
    asked = {
        _predict: arguments.predict is not None,
        _list: arguments.list is not None,
        _doctor: arguments.doctor,
        _compare: arguments.compare is not None,
        _refresh_prices: arguments.refresh_prices,
        _how_sure: arguments.how_sure,
        _measuring_pack: arguments.measuring_pack is not None,
        _schema: arguments.schema,
    }
    command = next((command for command, is_asked in asked.items() if is_asked), _report)
    return command(arguments, language)


def _report(arguments: argparse.Namespace, language: Language) -> int:
    target = None if arguments.report in (None, "-") else given_path(arguments.report)
    form = arguments.format or (format_of(target) if target else "text")
    _check_output(target, form)  # before a minute of measuring, not after
    network = _own_network(arguments, arguments.workload, language)
    preset = asked_question(arguments, network)
    request = Request(
        workload=preset.workload,
        network=network,
        circumstances=preset.circumstances,
        suite=arguments.suite,
        limit_s=None if arguments.max_minutes is None else minutes_to_seconds(arguments.max_minutes),
        trace_folder=None if arguments.trace is None else _made_folder(arguments.trace),
        overrides=tuple(arguments.gpu),
        recorded=wire.read_recorded(given_path(arguments.machine)) if arguments.machine else None,
    )
    control = Control()
    with _interruptible(control):
        report = run_session(request, Progress(language), control)
    if control.is_cancelled:
        raise KeyboardInterrupt
    if not arguments.no_history:
        _keep(report, language)
    if target is None:
        _put_report(report, form, language)
    else:
        write_report(report, target, form, language)
        sys.stderr.write(language.gettext("The report is in {path}.").format(path=target) + "\n")
    if arguments.trace is not None:
        _tell_of_traces(report, arguments.trace, language)
    return _status(report)


def _keep(report: Report, language: Language) -> None:
    """Keep a check of this very computer among those the window lists; where that fails, the report still stands."""
    if report.benchmark is None or report.is_simulated:
        return
    from advisor.history import History, history_path  # the database's modules load for this alone

    try:
        History(history_path()).add(report)
    except AdvisorError as error:
        sys.stderr.write(error.sentence(language.gettext) + "\n")


def _tell_of_traces(report: Report, folder: str, language: Language) -> None:
    """Say where the traces are, or that there are none, as where the time did not suffice for a profile."""
    _ = language.gettext
    measured = () if report.benchmark is None else report.benchmark.measurements
    if any(one.profile is not None and one.profile.traced for one in measured):
        text = _("The traces are in {path}; open them at ui.perfetto.dev, which sends nothing anywhere.")
    else:
        text = _("No step was profiled, so there is no trace in {path}.")
    sys.stderr.write(text.format(path=folder) + "\n")


def _made_folder(name: str) -> str:
    """Return a folder for the traces, made where there is none.

    Raises:
        OutputError: It cannot be made.
    """
    folder = given_path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError("{path} cannot be written: {reason}.", path=name, reason=error.strerror or error) from error
    return str(folder)


def _check_output(target: Path | None, form: Format) -> None:
    if target is None and form == "pdf" and sys.stdout.isatty():
        raise InputError("A PDF does not go to the screen; name a file: advisor --report report.pdf")
    check_format(form)
    if target is not None:
        check_target(target)


def _put_report(report: Report, form: Format, language: Language) -> None:
    """Write the report on stdout: as wide and as colourful as the terminal, plain for a pipe."""
    if form == "text" and sys.stdout.isatty():
        _put(text_report(report, language, **_screen()))
    elif form == "pdf":
        sys.stdout.buffer.write(render(report, form, language))
    else:
        _put(render(report, form, language).decode())


def _screen() -> Screen:
    """Return what the terminal can show; for a pipe the usual width, plain."""
    if not sys.stdout.isatty():
        return {}
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return {"width": width, "is_coloured": "NO_COLOR" not in os.environ}


def _status(report: Report) -> int:
    """Return 3 where a measurement went wrong; one left out or too large for this computer is a result."""
    failures = () if report.benchmark is None else report.benchmark.failures
    return PARTLY_MEASURED if any(failure.reason in WENT_WRONG for failure in failures) else DONE


def asked_question(arguments: argparse.Namespace, network: Network | None = None) -> Preset:
    """Return the job asked for, with the user's own settings and circumstances over the usual ones.

    Raises:
        InputError: A setting does not go with the network.
    """
    preset = (
        find_workload(arguments.workload or DEFAULT_PRESET) if network is None else Preset(workload=job_of(network))
    )
    changes = _job_settings(arguments)
    if arguments.samples is not None:
        changes["steps_per_epoch"] = None
    if arguments.task == "infer":
        changes.setdefault("epochs", 1.0)  # who applies a network goes through the data once
        if is_packed_unasked(arguments.workload or DEFAULT_PRESET, preset.workload):
            changes.setdefault("method", "full")
    workload = msgspec.structs.replace(preset.workload, **changes)
    return Preset(
        workload=workload if network is not None else check_workload(workload),
        titles=preset.titles,
        circumstances=own_circumstances(preset.circumstances, arguments),
    )


def _job_settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of the workload that the user set."""
    given = {name: getattr(arguments, name) for name in JOB_FIELDS}
    return {name: value for name, value in given.items() if value is not None}


def _own_network(arguments: argparse.Namespace, reference: str | None, language: Language) -> Network | None:
    """Return the network in a Python file, whose code this runs; None where the workload is no such file."""
    if reference is None or not is_program(reference):
        return None
    program = OwnProgram(
        reference=reference,
        image_size=arguments.image_size,
        sequence_length=arguments.sequence_length,
        input_shape=arguments.input_shape,
    )
    text = language.gettext(
        "Running {file} to see its network. Its code runs on this computer, in a process of its own."
    )
    sys.stderr.write(text.format(file=program.file) + "\n")
    sys.stderr.flush()
    return trace_own(program)


def own_circumstances(usual: Circumstances, arguments: argparse.Namespace) -> Circumstances:
    """Return the circumstances with everything the user said on the command line; money in US dollars.

    Raises:
        InputError: The currency or the country is not in the table.
    """
    table = economics()
    currency = arguments.currency or usual.currency
    if currency not in table.currencies:
        raise InputError(
            "The currency {currency} is not in the table; known are: {known}.",
            currency=currency,
            known=", ".join(sorted(table.currencies)),
        )
    country = arguments.country or usual.country
    if country not in table.countries:
        raise InputError(
            "The country {country} is not in the table; known are: {known}.",
            country=country,
            known=", ".join(sorted(table.countries)),
        )
    usual_rate = usual.units_per_usd if currency == usual.currency else None
    own_rate = None if currency == "USD" else arguments.exchange_rate or usual_rate
    rate = own_rate or table.currencies[currency].units_per_usd
    said: dict[str, object] = {"currency": currency, "country": country, "units_per_usd": own_rate}
    if arguments.resale is not None:
        said["resale_ratio"] = arguments.resale
    if arguments.budget is not None:
        said["budget_usd"] = arguments.budget / rate
    if arguments.deadline is not None:
        said["deadline_s"] = hours_to_seconds(arguments.deadline)
    if arguments.runs_per_month is not None:
        said["runs_per_month"] = arguments.runs_per_month
    if arguments.months is not None:
        said["horizon_months"] = arguments.months
    if arguments.electricity is not None:
        said["electricity_usd_per_kwh"] = arguments.electricity / rate
    if arguments.data_must_stay:
        said["data_must_stay"] = True
    for field, option in _LIMITED.items():
        check_limits(field, arguments.exchange_rate if field == "units_per_usd" else said.get(field), f"{option}: ")
    return msgspec.structs.replace(usual, **said)


_LIMITED = {
    "units_per_usd": "--exchange-rate",
    "budget_usd": "--budget",
    "deadline_s": "--deadline",
    "runs_per_month": "--runs-per-month",
    "horizon_months": "--months",
    "electricity_usd_per_kwh": "--electricity",
}
"""Fields of the circumstances with limits, in the units of the fields, and the options they come from."""


@contextmanager
def _interruptible(control: Control) -> Iterator[None]:
    """Turn the first Ctrl-C into a request to stop the worker, and leave later ones to Python."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        control.cancel()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _predict(arguments: argparse.Namespace, language: Language) -> int:
    find_device(arguments.on)  # before a file is run for nothing
    prediction = predict_one(
        arguments.predict,
        arguments.on,
        device_count=arguments.devices,
        network=_own_network(arguments, arguments.predict, language),
        **_job_settings(arguments),
    )
    if arguments.format == "json":
        return _put(wire.encode(prediction).decode())
    return _put(prediction_text(prediction, language))


def _doctor(arguments: argparse.Namespace, language: Language) -> int:
    machine = probe(tuple(arguments.gpu))
    return _put(
        wire.encode(withhold_names(machine)).decode() if arguments.format == "json" else doctor_text(machine, language)
    )


def _compare(arguments: argparse.Namespace, language: Language) -> int:
    first, second = (wire.read_report(given_path(name)) for name in arguments.compare)
    comparison = compare_reports(first, second)
    if arguments.format == "json":
        return _put(wire.encode(comparison).decode())
    return _put(comparison_text(first, second, comparison, language))


def _list(arguments: argparse.Namespace, language: Language) -> int:
    if arguments.list == "offers":
        _tell_of_refused_prices(language)
    return _put(listing(arguments.list, language, as_json=arguments.format == "json"))


def _how_sure(arguments: argparse.Namespace, language: Language) -> int:
    return _put(render_how_sure(load_validation(), arguments.format or "text", language, **_screen()))


def _measuring_pack(arguments: argparse.Namespace, language: Language) -> int:
    from advisor.cli.pack import run_pack_command  # what downloads is loaded for this alone

    return run_pack_command(arguments, language)


def _schema(_arguments: argparse.Namespace, _language: Language) -> int:
    return _put(msgspec.json.format(msgspec.json.encode(wire.report_schema()), indent=2).decode())


def _refresh_prices(_arguments: argparse.Namespace, language: Language) -> int:
    from advisor.catalog.refresh import explain_problem, refresh_offers  # the network's modules load for this alone

    result = refresh_offers()
    for problem in result.problems:
        sys.stderr.write(explain_problem(problem, language) + "\n")
    _tell_of_refused_prices(language)
    text = language.ngettext(
        "Renewed: {names}. {n} price known.", "Renewed: {names}. {n} prices known.", result.offer_count
    )
    names = ", ".join(result.renewed) or language.gettext("nothing")
    _put(text.format(names=names, n=language.number(result.offer_count)))
    return DONE if result.renewed else FAILED


def _tell_of_refused_prices(language: Language) -> None:
    for provider, detail in refused_prices().items():
        sys.stderr.write(refusal_sentence(provider, detail, language) + "\n")


def _put(text: str) -> int:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()
    return DONE
