"""``advisor --fleet FOLDER``: the verdict for a room of computers, from their reports."""

import argparse
from collections.abc import Iterable

from advisor.cli.output import DONE, say, say_left_out, screen, write_out
from advisor.cli.question import asked_question
from advisor.errors import InputError
from advisor.fleet import Found, NoReportsError, Refused, judge_room
from advisor.locale import Language
from advisor.report.documents.fleet import refused_sentence
from advisor.report.formats.fleet import fleet_format_of, render_fleet
from advisor.report.formats.pdf import check_pdf
from advisor.report.formats.write import check_target, write_bytes
from advisor.resource import given_path

_NAMED = 20


def run_fleet_command(arguments: argparse.Namespace, language: Language) -> int:
    """Read the reports, judge them, and write the page."""
    target = None if arguments.out is None else given_path(arguments.out)
    form = arguments.format or ("text" if target is None else fleet_format_of(target))
    if form == "pdf":
        if target is None:
            raise InputError("A PDF does not go to the screen; name a file with --out.")
        check_pdf()
    if target is not None:
        check_target(target)
    usual = asked_question(arguments)
    jobs = None if arguments.jobs is None else given_path(arguments.jobs)
    try:
        room = judge_room(given_path(arguments.fleet), jobs, usual, usual.circumstances)
    except NoReportsError as error:
        _print_refused(error.refused, language)
        raise
    _print_refused(room.found.refused, language)
    if target is None:
        shown = room.on_screen if form == "text" else room.advice
        return write_out(render_fleet(shown, form, language, **screen()).decode())
    write_bytes(target, render_fleet(room.advice, form, language))
    _print_unlabelled(room.found, language)
    say(language.gettext("The report is in {path}.").format(path=target))
    return DONE


def _print_refused(refused: Iterable[Refused], language: Language) -> None:
    """Name what was left out on the screen alone: a file may be called after a computer or its user."""
    said = ((one.name, refused_sentence(one.file.reason, language)) for one in refused)
    say_left_out(((name, reason, reason) for name, reason in said), language)


def _print_unlabelled(found: Found, language: Language) -> None:
    """Say on the screen alone whose the numbers are that stand in the file for computers without a label."""
    named = sorted(found.names.items(), key=lambda pair: pair[1])
    for number, name in named[:_NAMED]:
        say(language.gettext("{number} in it is {file}, which has no label.").format(number=number, file=name))
    if (more := len(named) - _NAMED) > 0:
        text = language.ngettext("{n} more computer has no label.", "{n} more computers have no label.", more)
        say(text.format(n=language.number(more)))
