"""The command that runs the user's training script, as it is typed and as it is run."""

import shlex
import sys
from pathlib import Path

_PYTHONS = (
    (".venv/Scripts/python.exe", "venv/Scripts/python.exe")
    if sys.platform == "win32"
    else (".venv/bin/python", "venv/bin/python")
)


def command_for(script: Path) -> str:
    """Return the command for a script: by the Python of a virtual environment beside it, else by the system's."""
    places = [folder / name for folder in (script.parent, script.parent.parent) for name in _PYTHONS]
    usual = "python" if sys.platform == "win32" else "python3"
    python = next((str(place) for place in places if place.is_file()), usual)
    return " ".join(_quoted(word) for word in (python, str(script)))


def words_of(command: str) -> list[str]:
    """Return a typed command's words; raises ValueError where a quotation mark is left open."""
    if sys.platform == "win32":  # a backslash is part of a path there
        return [word.strip('"') for word in shlex.split(command, posix=False)]
    return shlex.split(command)


def _quoted(word: str) -> str:
    if sys.platform == "win32":
        return f'"{word}"' if " " in word else word
    return shlex.quote(word)
