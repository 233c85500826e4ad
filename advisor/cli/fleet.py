"""``advisor --fleet FOLDER``: the verdict for a room of computers, from their reports."""

import argparse
import datetime
import sys
from pathlib import Path

from advisor import wire
from advisor.cli.output import DONE, screen, write_out
from advisor.cli.question import asked_question, own_circumstances
from advisor.errors import InputError
from advisor.fleet import Found, advise_fleet, read_fleet, read_jobs, single_job
from advisor.locale import Language
from advisor.records.results.fleet import FleetAdvice
from advisor.report.fleet import fleet_csv, fleet_page, refused_sentence
from advisor.report.formats.html import html_page
from advisor.report.formats.markdown import markdown_page
from advisor.report.formats.pdf import check_pdf, fleet_pdf
from advisor.report.formats.text import text_page
from advisor.report.formats.write import check_target, write_bytes
from advisor.resource import given_path

_ENDINGS = {".txt": "text", ".json": "json", ".html": "html", ".md": "md", ".pdf": "pdf", ".csv": "csv"}


def run_fleet_command(arguments: argparse.Namespace, language: Language) -> int:
    """Read the reports, judge them, and write the page."""
    target = None if arguments.out is None else given_path(arguments.out)
    form = arguments.format or ("text" if target is None else _format_of(target))
    if form == "pdf":
        if target is None:
            raise InputError("A PDF does not go to the screen; name a file with --out.")
        check_pdf()
    if target is not None:
        check_target(target)
    preset = asked_question(arguments)
    jobs = (single_job(preset),) if arguments.jobs is None else read_jobs(given_path(arguments.jobs))
    found = read_fleet(given_path(arguments.fleet))
    _print_refused(found, language)
    today = datetime.datetime.now(datetime.UTC).date()
    circumstances = own_circumstances(preset.circumstances, arguments)
    advice = advise_fleet(found.members, [one.file for one in found.refused], jobs, circumstances, today)
    if target is None:
        return write_out(_rendered(advice, form, language, today).decode())
    write_bytes(target, _rendered(advice, form, language, today, is_file=True))
    sys.stderr.write(language.gettext("The report is in {path}.").format(path=target) + "\n")
    return DONE


def _format_of(target: Path) -> str:
    form = _ENDINGS.get(target.suffix.lower())
    if form is None:
        raise InputError(
            "'{file}' does not say its format; end it in {endings}, or add --format.",
            file=target.name,
            endings=", ".join(_ENDINGS),
        )
    return form


def _rendered(
    advice: FleetAdvice, form: str, language: Language, today: datetime.date, *, is_file: bool = False
) -> bytes:
    if form == "json":
        return wire.encode(advice) + b"\n"
    if form == "csv":
        return fleet_csv(advice).encode()
    if form == "pdf":
        return fleet_pdf(advice, language, made=today.isoformat())
    page = fleet_page(advice, language, made=today.isoformat())
    if form == "html":
        return html_page(page, language).encode()
    if form == "md":
        return markdown_page(page).encode()
    return text_page(page, **({} if is_file else screen())).encode()


def _print_refused(found: Found, language: Language) -> None:
    """Name what was left out on the screen alone: a file may be called after a computer or its user."""
    for one in found.refused:
        name = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in one.name)
        sys.stderr.write(f"{name}: {refused_sentence(one.file.reason, language)}\n")
