"""``advisor --was-it-true``: earlier answers, and what came of them."""

import argparse

from advisor import wire
from advisor.benchmark.running.control import Control
from advisor.cli.open_history import command_history
from advisor.cli.output import write_out
from advisor.cli.progress import Progress
from advisor.cli.report import interruptible
from advisor.errors import InputError
from advisor.history import History
from advisor.locale import Language
from advisor.records.results.history_entry import Entry, PastAnswers
from advisor.records.results.receipt import Receipt
from advisor.report.documents.receipts import receipt_text, receipts_text
from advisor.session.receipt import again, find_option, measured_again, told, track_record
from advisor.session.run import run_session
from advisor.units import spoken_seconds

ALL = "all"
LAST = frozenset({"last", "última", "ultima"})


def run_receipt_command(arguments: argparse.Namespace, language: Language) -> int:
    """List what came of earlier answers, or find it out of one of them, and return the exit status."""
    history = command_history(language)
    kept = history.entries() if history.path.exists() else ()
    entries = [one for one in kept if one.summary is not None]
    if arguments.was_it_true == ALL:
        if arguments.format == "json":
            known = PastAnswers(answers=tuple(entries), record=track_record(entries))
            return write_out(wire.encode(known).decode())
        return write_out(receipts_text(kept, track_record(entries), language))
    entry = _entry(entries, arguments.was_it_true)
    receipt = _measured(history, entry, language) if arguments.took is None else _told(history, entry, arguments)
    history.keep_receipt(entry.id, receipt)
    if arguments.format == "json":
        return write_out(wire.encode(receipt).decode())
    return write_out(receipt_text(receipt, track_record(history.entries()), language))


def _entry(entries: list[Entry], wanted: str) -> Entry:
    """Return the answer that is meant.

    Raises:
        InputError: There is none.
    """
    if wanted.casefold() in LAST:
        found = [one for one in entries if one.origin == "here"][:1]
    else:
        found = [one for one in entries if str(one.id) == wanted]
    if not found:
        raise InputError("There is no answer {number} in the history. See: advisor --was-it-true", number=wanted)
    return found[0]


def _told(history: History, entry: Entry, arguments: argparse.Namespace) -> Receipt:
    true_s = spoken_seconds(arguments.took)
    if true_s is None:
        raise InputError(
            "'{text}' is not a duration; write one such as '2 h 40 min', '90 s' or '2:30 h'.", text=arguments.took
        )
    report = history.report(entry.id)
    return told(find_option(report, arguments.ran_on or report.advice.chosen or "here"), true_s)


def _measured(history: History, entry: Entry, language: Language) -> Receipt:
    before = history.report(entry.id)
    request, control = again(before), Control()
    with interruptible(control):
        after = run_session(request, Progress(language), control)
    if control.is_cancelled:
        raise KeyboardInterrupt
    history.add(after)
    return measured_again(before, after)
