"""Why a watched program's steps cannot be seen: its Python was started without what watches it."""

import os
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

import psutil

from advisor.records.results.measured.watched import Unseen

_CLOSED = frozenset("EIS")
"""Options of Python that leave out the environment, or the modules that run before a program."""
_ARGUMENT = frozenset("WX")


def why_unseen(process: psutil.Process, folder: Path) -> Unseen | None:
    """Return what keeps a process from being seen inside; None where nothing does, or it is no Python.

    Args:
        process: One that has begun.
        folder: Where what watches it lies.

    Raises:
        psutil.Error: It is gone, or another user's.
    """
    if not Path(process.exe()).name.casefold().startswith(("python", "pypy")):
        return None
    if _CLOSED & _flags(process.cmdline()[1:]):
        return "options"
    environment = process.environ()
    if environment.get("ADVISOR_WATCH") != str(folder):
        return "environment"
    places = environment.get("PYTHONPATH", "").split(os.pathsep)
    return None if str(folder) in places else "path"


def _flags(arguments: Sequence[str]) -> set[str]:
    """Return the letters of the options that Python takes before its program."""
    found: set[str] = set()
    words = iter(arguments)
    for word in takewhile(lambda one: one.startswith("-") and one != "-", words):
        letters = "" if word.startswith("--") else word[1:]
        taken = "".join(takewhile(lambda one: one not in "cm" and one not in _ARGUMENT, letters))
        found |= set(taken)
        ending = letters[len(taken) : len(taken) + 1]
        if ending in ("c", "m"):
            break
        if word == "--check-hash-based-pycs" or (ending and letters.endswith(ending)):
            next(words, None)  # its argument is a word of its own
    return found
