"""What the commands share: exit statuses, and writing to the terminal or a pipe."""

import os
import shutil
import sys
from typing import TypedDict

DONE, FAILED, WRONG_INPUT, PARTLY_MEASURED, INTERRUPTED = 0, 1, 2, 3, 130
WIDEST = 120  # of tables; lines of text stay shorter


class Screen(TypedDict, total=False):
    """What a terminal can show: characters in a line, and whether it takes colour."""

    width: int
    is_coloured: bool


def screen() -> Screen:
    """Return what the terminal can show; for a pipe the usual width, plain."""
    if not sys.stdout.isatty():
        return {}
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return {"width": width, "is_coloured": "NO_COLOR" not in os.environ}


def write_out(text: str) -> int:
    """Write a text on stdout, ending in a newline, and return the exit status."""
    sys.stdout.write(text if text.endswith("\n") else text + "\n")
    sys.stdout.flush()
    return DONE
