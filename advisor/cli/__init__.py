"""The headless face: arguments in, result on stdout or in a file, progress on stderr, an exit status out."""

import errno
import io
import os
import sys
from collections.abc import Sequence

from advisor.cli.arguments import parse_arguments, requested_language
from advisor.cli.commands import run_command
from advisor.cli.output import DONE, FAILED, INTERRUPTED, WRONG_INPUT, discard, say
from advisor.errors import AdvisorError, InputError, InputErrors, system_reason
from advisor.locale import Language, language
from advisor.resource import is_shipped, missing_files


def main(argv: Sequence[str]) -> int:
    """Run one command and return the exit status.

    0 done, 1 failed, 2 wrong arguments or input file, 3 report made but some measurements failed, 130 interrupted.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what a console lacks, such as ½, is a question mark
    lang = language("en")
    try:
        lang = requested_language(argv)
        return run_command(parse_arguments(argv, lang), lang)
    except InputError as error:
        for fault in error.shown if isinstance(error, InputErrors) else (error,):
            say(fault.sentence(lang.gettext))
        return WRONG_INPUT
    except AdvisorError as error:
        return _print_error(error.sentence(lang.gettext), FAILED)
    except KeyboardInterrupt:
        return _print_error(lang.gettext("Interrupted; nothing was written."), INTERRUPTED)
    except BrokenPipeError:  # the reader of our output, such as ``head``, has gone
        discard(sys.stdout)
        return DONE
    # The last line of defence: the user gets a sentence, the details go into a file.
    except Exception as error:
        from advisor.installation import is_loading

        if is_loading(error):  # what a command loads when it is run: the caller says how to repair it
            raise
        return _unexpected(error, lang)


def _unreadable(error: OSError) -> InputError:
    """Return that a file's name, of an argument or of the home folder, is longer than the system takes."""
    name = os.path.basename(str(error.filename or "").rstrip(os.sep))  # noqa: PTH119 - it may be no path at all
    return InputError("{file} cannot be read: {reason}.", file=name, reason=system_reason(error))


def _unexpected(error: Exception, lang: Language) -> int:
    import logging
    import traceback

    from advisor.crash import write_crash_log

    if (
        isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG
    ):  # nothing is there, but pathlib fails to say so
        return _print_error(_unreadable(error).sentence(lang.gettext), WRONG_INPUT)
    if isinstance(error, OSError) and is_shipped(error):
        return _print_error(missing_files().sentence(lang.gettext), FAILED)
    details = "".join(traceback.format_exception(error))
    logging.getLogger(__name__).debug(details)
    place = write_crash_log(details)
    text = lang.gettext("Something went wrong that should not have: {error}. The details are in {place}.")
    return _print_error(text.format(error=f"{type(error).__name__}: {error}", place=place), FAILED)


def _print_error(sentence: str, status: int) -> int:
    say(sentence)
    return status
