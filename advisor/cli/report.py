"""``advisor --report``: probe, measure, recommend, and write the report."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import msgspec

from advisor import wire
from advisor.benchmark.running.control import Control
from advisor.cli.output import DONE, NOT_MET, PARTLY_MEASURED, has_output, say, screen, write_out, write_out_bytes
from advisor.cli.progress import Progress
from advisor.cli.question import asked_question, own_program, saved_network, traced
from advisor.cli.requirement import WORDS, Clause, read_requirement, unmet
from advisor.errors import AdvisorError, InputError, OutputError, system_reason
from advisor.locale import Language
from advisor.options.pricing import currency_per_usd
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Request
from advisor.records.results.measured.own_data import FoundData
from advisor.records.results.report import LONGEST_LABEL, Report
from advisor.records.results.scaling import Scaling, SiteCluster
from advisor.report.formats.text import text_report
from advisor.report.formats.write import (
    Format,
    check_format,
    check_target,
    format_of,
    render,
    write_bytes,
    write_report,
)
from advisor.resource import given_path
from advisor.session.given.own_network import source_of
from advisor.session.run import run_session
from advisor.units import HOUR_S, minutes_to_seconds

if TYPE_CHECKING:
    from advisor.report.handover import Tool

WENT_WRONG = frozenset({"crashed", "error", "garbage", "given_up", "hung", "killed", "missing_torch"})


def run_report_command(arguments: argparse.Namespace, language: Language) -> int:
    """Make a report, write it, and return the exit status."""
    target = None if arguments.report in (None, "-") else given_path(arguments.report)
    tool: Tool | None = arguments.take_me_there
    form = arguments.format or (format_of(target) if target and tool is None else "text")
    if len(arguments.label or "") > LONGEST_LABEL:
        raise InputError("--label is longer than {most} characters.", most=LONGEST_LABEL)
    if not (arguments.label or "").isprintable():  # nor could half a character of UTF-8 be written
        raise InputError("--label has characters that cannot be printed.")
    required = () if arguments.require is None else read_requirement(arguments.require)
    if arguments.what_if is not None:
        from advisor.session.upgrade_worth import check_question

        check_question(arguments.what_if)
    _check_output(target, form)  # before a minute of measuring, not after
    program = own_program(arguments, arguments.workload)
    network = (
        saved_network(arguments.workload, arguments.sequence_length, arguments.image_size)
        if program is None
        else traced(program, language, confine=arguments.confine)
    )
    preset = asked_question(arguments, network)
    found, job = _with_data(preset.workload, arguments)
    request = Request(
        workload=job,
        found=found,
        network=network,
        # Confined code runs nowhere but where it is held: the check then replays the operations that were seen there.
        source=None if program is None or arguments.confine else source_of(program),
        circumstances=preset.circumstances,
        suite=arguments.suite,
        limit_s=None if arguments.max_minutes is None else minutes_to_seconds(arguments.max_minutes),
        trace_folder=None if arguments.trace is None else _made_folder(arguments.trace),
        overrides=tuple(arguments.gpu),
        cluster=_cluster(arguments, preset.circumstances),
        recorded=wire.read_recorded(given_path(arguments.machine)) if arguments.machine else None,
        earlier=_last_check(arguments, preset.workload, language),
    )
    control = Control()
    with interruptible(control):
        report = run_session(request, Progress(language), control)
    if control.is_cancelled:
        raise KeyboardInterrupt
    report = _with_what_if(msgspec.structs.replace(report, label=arguments.label or ""), arguments.what_if, network)
    try:
        if tool is not None:
            _hand_over(report, tool, target, language)
        elif target is None:
            _print_report(report, form, language)
        else:
            write_report(report, target, form, language)
            say(language.gettext("The report is in {path}.").format(path=target))
    finally:  # what cannot be written is kept all the same, and what cannot be kept was written
        if not arguments.no_history:
            _keep(report, language)
    if arguments.trace is not None:
        _print_trace_folder(report, arguments.trace, language)
    return _status(report) if not _print_unmet(required, report, language) else NOT_MET


def _last_check(arguments: argparse.Namespace, workload: Workload, language: Language) -> Report | None:
    """Return the last check of this job here; None where nothing is measured now, or no history is wanted."""
    if arguments.machine or arguments.suite == "none" or arguments.no_history:
        return None
    from advisor.cli.open_history import command_history  # the database's modules load for this alone

    with suppress(AdvisorError):  # what is wrong with the history is said when the check is put into it
        return command_history(language).last_of(workload.id)
    return None


def _cluster(arguments: argparse.Namespace, circumstances: Circumstances) -> SiteCluster | None:
    """Return the site's cluster as it was measured; its price is in the user's currency."""
    if arguments.cluster is None:
        return None
    return SiteCluster(
        scaling=read_cluster(arguments),
        nodes=arguments.cluster_nodes,
        node_usd_per_h=(arguments.cluster_price or 0.0) / currency_per_usd(circumstances),
        queue_s=(arguments.queue_hours or 0.0) * HOUR_S,
    )


def read_cluster(arguments: argparse.Namespace) -> Scaling:
    """Return what ``--scaling`` measured and wrote."""
    path = given_path(arguments.cluster)
    return wire.decode_scaling(wire.read_limited(path), path.name)


def _with_what_if(report: Report, question: str | None, network: Network | None) -> Report:
    """Return a report with the answer to the parts or programs that were asked about, if any were."""
    if question is None:
        return report
    from advisor.session.upgrade_worth import worth

    return msgspec.structs.replace(report, what_if=worth(report, question, network))


def _hand_over(report: Report, tool: Tool, target: Path | None, language: Language) -> None:
    """Write the file for another tool where the report would have gone."""
    from advisor.report.handover import handover

    text = handover(report, tool, language)
    if target is None:
        write_out(text)
        return
    write_bytes(target, text.encode())
    say(language.gettext("The file is in {path}.").format(path=target))


def _with_data(workload: Workload, arguments: argparse.Namespace) -> tuple[FoundData | None, Workload]:
    """Return the user's own data, where some are named, and the job on them."""
    if arguments.data is None:
        return None, workload
    from advisor.session.given.data import find_data, job_with

    found = find_data(arguments.data)
    has_samples, has_input = arguments.samples is not None, arguments.input_kind is not None
    return found, job_with(found.data, workload, has_samples=has_samples, has_input=has_input)


def _print_unmet(required: tuple[Clause, ...], report: Report, language: Language) -> bool:
    """Say which conditions the answer does not meet, and return whether there is one."""
    missed = unmet(required, report)
    for text, value in missed.items():
        sentence = language.gettext("Not met: {condition}.")
        if value is not None:
            sentence = language.gettext("Not met: {condition}; it is {value}.")
        elif text not in WORDS:
            sentence = language.gettext("Not met: {condition}; it is not known.")
        found = "" if value is None else language.significant(value, 3)
        say(sentence.format(condition=text, value=found))
    return bool(missed)


def _keep(report: Report, language: Language) -> None:
    """Keep a check of this very computer among those the window lists; where that fails, the report still stands."""
    if report.benchmark is None or report.is_simulated:
        return
    from advisor.cli.open_history import command_history  # the database's modules load for this alone

    try:
        command_history(language).add(report)
    except AdvisorError as error:
        say(error.sentence(language.gettext))


def _print_trace_folder(report: Report, folder: str, language: Language) -> None:
    """Say where the traces are, or that there are none, as where the time did not suffice for a profile."""
    _ = language.gettext
    measured = () if report.benchmark is None else report.benchmark.measurements
    if any(one.profile is not None and one.profile.traced for one in measured):
        text = _("The traces are in {path}; open them at ui.perfetto.dev, which sends nothing anywhere.")
    else:
        text = _("No step was profiled, so there is no trace in {path}.")
    say(text.format(path=folder))


def _made_folder(name: str) -> str:
    """Return a folder for the traces, made where there is none.

    Raises:
        OutputError: It cannot be made.
    """
    folder = given_path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError("{path} cannot be written: {reason}.", path=name, reason=system_reason(error)) from error
    return str(folder)


def _check_output(target: Path | None, form: Format) -> None:
    if target is None and form in {"pdf", "sheet"} and sys.stdout.isatty():
        raise InputError("A PDF does not go to the screen; name a file: advisor --report report.pdf")
    if target is None and form == "png" and sys.stdout.isatty():
        raise InputError("A picture does not go to the screen; name a file: advisor --report answer.png")
    check_format(form)
    if target is not None:
        check_target(target)
    elif not has_output():
        raise OutputError("The standard output is closed; name a file: advisor --report report.html")


def _print_report(report: Report, form: Format, language: Language) -> None:
    """Write the report on stdout: as wide and as colourful as the terminal, plain for a pipe."""
    if form == "text" and sys.stdout.isatty():
        write_out(text_report(report, language, **screen()))
    elif form in {"pdf", "sheet", "png"}:
        write_out_bytes(render(report, form, language))
    else:
        write_out(render(report, form, language).decode())


def _status(report: Report) -> int:
    """Return 3 where a measurement went wrong; one left out or too large for this computer is a result."""
    failures = () if report.benchmark is None else report.benchmark.failures
    return PARTLY_MEASURED if any(failure.reason in WENT_WRONG for failure in failures) else DONE


@contextmanager
def interruptible(control: Control) -> Iterator[None]:
    """Turn the first Ctrl-C into a request to stop the worker, and leave later ones to Python."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        control.cancel()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
