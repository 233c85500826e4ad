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

import msgspec

from advisor import wire
from advisor.benchmark import Control
from advisor.catalog import economics, find_workload
from advisor.cli.listing import listing
from advisor.cli.progress import Progress
from advisor.errors import InputError
from advisor.locale import Language
from advisor.records.report import Report
from advisor.records.workload import Circumstances, Preset
from advisor.report import Format, check_target, format_of, prediction_text, render, text_report, write_report
from advisor.report.comparison import comparison_text
from advisor.report.doctor import doctor_text
from advisor.session import Request, compare_reports, predict_one, probe, run_session
from advisor.units import hours_to_seconds

DONE, FAILED, PARTLY_MEASURED = 0, 1, 3
WENT_WRONG = frozenset({"crashed", "error", "garbage", "hung", "killed", "missing_torch"})
DEFAULT_PRESET = "article_cnn"
WIDEST = 100  # longer lines are hard to read


def run_command(arguments: argparse.Namespace, language: Language) -> int:
    """Run the command the arguments name and return the exit status; without one, make a report."""
    asked = {
        _predict: arguments.predict is not None,
        _list: arguments.list is not None,
        _doctor: arguments.doctor,
        _compare: arguments.compare is not None,
        _refresh_prices: arguments.refresh_prices,
        _schema: arguments.schema,
    }
    command = next((command for command, is_asked in asked.items() if is_asked), _report)
    return command(arguments, language)


def _report(arguments: argparse.Namespace, language: Language) -> int:
    target = None if arguments.report in (None, "-") else Path(arguments.report)
    form = arguments.format or (format_of(target) if target else "text")
    if target is not None:
        check_target(target)  # before a minute of measuring, not after
    preset = asked_question(arguments)
    request = Request(
        workload=preset.workload,
        circumstances=preset.circumstances,
        suite=arguments.suite,
        overrides=tuple(arguments.gpu),
        recorded=wire.read_report(Path(arguments.machine)) if arguments.machine else None,
    )
    control = Control()
    with _interruptible(control):
        report = run_session(request, Progress(language), control)
    if control.is_cancelled:
        raise KeyboardInterrupt
    if target is None:
        _put(_on_screen(report, form, language))
    else:
        write_report(report, target, form, language)
        sys.stderr.write(language.gettext("The report is in {path}.").format(path=target) + "\n")
    return _status(report)


def _on_screen(report: Report, form: Format, language: Language) -> str:
    """Return the report for stdout: as wide and as colourful as the terminal, plain for a pipe."""
    if form == "text" and sys.stdout.isatty():
        width = min(shutil.get_terminal_size().columns, WIDEST)
        return text_report(report, language, width=width, is_coloured="NO_COLOR" not in os.environ)
    return render(report, form, language).decode()


def _status(report: Report) -> int:
    """Return 3 where a measurement went wrong; one left out or too large for this computer is a result."""
    failures = () if report.benchmark is None else report.benchmark.failures
    return PARTLY_MEASURED if any(failure.reason in WENT_WRONG for failure in failures) else DONE


def asked_question(arguments: argparse.Namespace) -> Preset:
    """Return the workload asked for, with the person's own circumstances over the preset's."""
    preset = find_workload(arguments.workload or DEFAULT_PRESET)
    return Preset(
        workload=preset.workload,
        titles=preset.titles,
        circumstances=own_circumstances(preset.circumstances, arguments),
    )


def own_circumstances(usual: Circumstances, arguments: argparse.Namespace) -> Circumstances:
    """Return the circumstances with everything the person said on the command line; money in US dollars.

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
    rate = table.currencies[currency].units_per_usd
    said: dict[str, object] = {"currency": currency, "country": country}
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
    return msgspec.structs.replace(usual, **said)


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
    prediction = predict_one(
        arguments.predict,
        arguments.on,
        device_count=arguments.devices,
        batch_size=arguments.batch_size,
        precision=arguments.precision,
        task=arguments.task,
        image_size=arguments.image_size,
        sequence_length=arguments.sequence_length,
        optimizer=arguments.optimizer,
    )
    if arguments.format == "json":
        return _put(wire.encode(prediction).decode())
    return _put(prediction_text(prediction, language))


def _doctor(arguments: argparse.Namespace, language: Language) -> int:
    machine = probe(tuple(arguments.gpu))
    return _put(wire.encode(machine).decode() if arguments.format == "json" else doctor_text(machine, language))


def _compare(arguments: argparse.Namespace, language: Language) -> int:
    first, second = (wire.read_report(Path(name)) for name in arguments.compare)
    comparison = compare_reports(first, second)
    if arguments.format == "json":
        return _put(wire.encode(comparison).decode())
    return _put(comparison_text(first, second, comparison, language))


def _list(arguments: argparse.Namespace, language: Language) -> int:
    return _put(listing(arguments.list, language, as_json=arguments.format == "json"))


def _schema(_arguments: argparse.Namespace, _language: Language) -> int:
    return _put(msgspec.json.format(msgspec.json.encode(wire.report_schema()), indent=2).decode())


def _refresh_prices(_arguments: argparse.Namespace, language: Language) -> int:
    from advisor.catalog.refresh import explain_problem, refresh_offers  # the network's modules load for this alone

    result = refresh_offers()
    for problem in result.problems:
        sys.stderr.write(explain_problem(problem, language) + "\n")
    text = language.ngettext(
        "Renewed: {names}. {n} price known.", "Renewed: {names}. {n} prices known.", result.offer_count
    )
    names = ", ".join(result.renewed) or language.gettext("nothing")
    _put(text.format(names=names, n=language.number(result.offer_count)))
    return DONE if result.renewed else FAILED


def _put(text: str) -> int:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()
    return DONE
