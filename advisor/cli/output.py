"""What the commands share: exit statuses, and writing to the terminal or a pipe."""

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, TypedDict

from advisor.errors import OutputError, system_reason
from advisor.locale import Language

DONE, FAILED, WRONG_INPUT, PARTLY_MEASURED, NOT_MET, INTERRUPTED = 0, 1, 2, 3, 4, 130
WIDEST = 120  # of tables; lines of text stay shorter

_NAMED_OF_A_KIND = 10

_COMMANDING = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters (ISO 6429), and those that turn the direction of writing (Unicode Standard Annex 9)."""


class Screen(TypedDict, total=False):
    """What a terminal can show: characters in a line, and whether it takes colour."""

    width: int
    is_coloured: bool


def screen() -> Screen:
    """Return what the terminal can show; for a pipe the usual width, plain."""
    if not sys.stdout.isatty():
        return {}
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return {"width": width, "is_coloured": takes_commands(sys.stdout) and "NO_COLOR" not in os.environ}


def takes_commands(stream: TextIO) -> bool:
    """Return whether it is a terminal that erases a line when told to; a dumb one, as in an editor, shows the order."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def say(sentence: str) -> None:
    """Write a sentence in one line on stderr; what it repeats of a file or a name must not command the terminal."""
    spaced = re.sub(r"[\t\n\v\f\r]+", " ", sentence)
    write_aside(_COMMANDING.sub("\N{REPLACEMENT CHARACTER}", spaced) + "\n")


def say_left_out(files: Iterable[tuple[str, str, str]], language: Language) -> None:
    """Name the first files that were left out for each reason, and count the others.

    Args:
        files: Of each its name, the reason in general, and the sentence that says it of this file.
        language: For the counts.
    """
    counts: Counter[str] = Counter()
    for name, reason, sentence in files:
        counts[reason] += 1
        if counts[reason] <= _NAMED_OF_A_KIND:
            say(f"{name}: {sentence}")
    for reason, count in counts.items():
        if (more := count - _NAMED_OF_A_KIND) > 0:
            text = language.ngettext("{n} more file: {reason}", "{n} more files: {reason}", more)
            say(text.format(n=language.number(more), reason=reason))


def write_aside(text: str, stream: TextIO | None = None) -> None:
    """Write what goes with the result on stderr; where that is full or gone, the result is made all the same."""
    stream = stream if stream is not None else sys.stderr
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        discard(stream)


def says_yes(question: str) -> bool:
    """Ask a question on stderr and return whether the user agrees, in whichever language; no answer is a no."""
    sys.stderr.write(question)
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in {"y", "yes", "s", "sí", "si"}


def write_out(text: str) -> int:
    """Write a text on stdout, ending in a newline, and return the exit status.

    Raises:
        OutputError: It cannot be written, as on a full disk.
        BrokenPipeError: Who read it has gone.
    """
    with _written_whole():
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
    return DONE


def write_out_bytes(content: bytes) -> int:
    """Write bytes on stdout as they are, and return the exit status; see ``write_out``."""
    with _written_whole():
        sys.stdout.buffer.write(content)
    return DONE


@contextmanager
def _written_whole() -> Iterator[None]:
    _let_it_wait()
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        discard(sys.stdout)
        raise OutputError("The output could not be written: {reason}.", reason=system_reason(error)) from error


def _let_it_wait() -> None:
    """Let a pipe that another program has set not to wait do so: what does not fit at once would be lost."""
    if sys.platform != "win32":  # whose pipes always wait
        with suppress(OSError, ValueError, AttributeError):  # no file of the system's, as in a test
            os.set_blocking(sys.stdout.fileno(), True)


def discard(stream: TextIO) -> None:
    """Let what is still to be written go nowhere, so that Python's end does not fail at it once more.

    Source: Python's documentation, signal, "Note on SIGPIPE".
    """
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)


def has_output() -> bool:
    """Return whether what is written on stdout goes anywhere."""
    return getattr(sys.stdout, "name", None) != os.devnull
