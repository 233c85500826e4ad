"""``advisor --share FOLDER`` and ``--learn FOLDER``: measurements given to others, and taken from them; no network."""

import argparse
import sys

from advisor import wire
from advisor.catalog.learned import forget_learned, sharing_folder, store_learned
from advisor.cli.open_history import command_history
from advisor.cli.output import DONE, FAILED, say, say_left_out, says_yes, write_out
from advisor.errors import InputError
from advisor.learning import NotShared, gather, hand_of, learn, shared_of, write_shared
from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.words.learned import NOT_SHARED, fault_sentence, learned_sentences
from advisor.resource import given_path

_NONE = "none"


def run_share_command(arguments: argparse.Namespace, language: Language) -> int:
    """Show what would be shared, ask, and write it; 1 where there is nothing to share."""
    _ = language.gettext
    shared = shared_of(_report(arguments, language), hand_of(sharing_folder()))
    if isinstance(shared, NotShared):
        say(_(NOT_SHARED[shared.reason]))
        return FAILED
    folder = given_path(arguments.share)
    known = {one.device for one in gather(folder).shared} if folder.is_dir() else set()
    for one in shared:
        write_out(wire.encode(one).decode())
        if one.device not in known:
            say(
                _("No other file in that folder is about {device}: anyone who knows that you have one can tell "
                  "this is yours.")
                .format(device=one.device)
            )  # fmt: skip
    say(_("This is all that is written, and nothing is sent. Whoever gets it may use it for anything (CC0 1.0)."))
    if not arguments.yes and not _agrees(language):
        say(_("Nothing was written."))
        return DONE
    for one in shared:
        say(_("Written: {path}").format(path=write_shared(one, folder)))
    return DONE


def _report(arguments: argparse.Namespace, language: Language) -> Report:
    """Return the report that is named, else that of the last check on this computer."""
    if arguments.machine is not None:
        return wire.read_report(given_path(arguments.machine))
    history = command_history(language)
    newest = next((one for one in history.entries() if one.origin == "here"), None)
    if newest is None:
        raise InputError(
            "There is no check of this computer yet; make one with advisor --report, or name a report with --machine."
        )
    return history.report(newest.id)


def _agrees(language: Language) -> bool:
    if not sys.stdin.isatty():
        raise InputError("Nobody can be asked here whether to share this; add --yes to agree.")
    return says_yes(language.gettext("Write it? [y/N] "))


def run_learn_command(arguments: argparse.Namespace, language: Language) -> int:
    """Learn from a folder and say how much better it is; 1 where nothing was learned."""
    _ = language.gettext
    if arguments.learn == _NONE:
        was_there = forget_learned()
        return write_out(_("What was learned is forgotten.") if was_there else _("Nothing had been learned."))
    gathered = gather(given_path(arguments.learn))
    say_left_out(
        (
            (fault.name, fault_sentence(fault.reason, 0, language), fault_sentence(fault.reason, fault.cases, language))
            for fault in gathered.left_out
        ),
        language,
    )
    learned = learn(gathered)
    lines = learned_sentences(learned, language)
    if not learned.devices:
        write_out("\n".join([*lines, _("Nothing was learned; predictions are as they were.")]))
        return FAILED
    store_learned(learned)
    write_out("\n".join([*lines, _("Learned. Undo it with: advisor --learn none")]))
    return DONE
