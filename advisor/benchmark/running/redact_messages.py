"""What the system said, made fit for a report: one short line without anything that names the user."""

import re
from pathlib import Path

LENGTH = 300

# Folders whose next part is a user's name, on Linux, macOS and Windows (also in the doubled form of quoted paths).
_PERSON = re.compile(r"((?:/home|/Users|[A-Za-z]:(?:\\+|/)Users)[\\/]+)[^\\/\s'\":;,]+")


def shorten(text: str, home: Path | None = None) -> str:
    """Return the text in one line of at most ``LENGTH`` characters, with the home folder as ``~``.

    Args:
        text: As it came from the system.
        home: The user's folder; None: the one of who runs this program.
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    line = line.replace(str(home or Path.home()), "~") if len(str(home or Path.home())) > 1 else line
    line = _PERSON.sub(r"\1~", line)
    return line if len(line) <= LENGTH else line[: LENGTH - 1] + "…"
