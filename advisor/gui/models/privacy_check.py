"""Does a report name its user? Searched for their name, the computer's and the home folder before it is shared."""

import getpass
import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from advisor.records.results.report import Report

# Names that say nothing about anybody, although a system may use them for its user or itself.
_NOBODY = frozenset({"root", "user", "admin", "ubuntu", "debian", "localhost", "computer", "laptop", "home", "pc"})
_SHORTEST_NAME = 3


@dataclass(frozen=True, kw_only=True)
class Identity:
    """What could name the user: never written anywhere, only looked for."""

    user: str = ""
    host: str = ""
    home: str = ""


def own_identity() -> Identity:
    """Return what could name the user who runs this program."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # no such user in this container
        user = ""
    try:
        home = str(Path.home())
    except RuntimeError:
        home = ""
    return Identity(user=user, host=platform.node().partition(".")[0], home=home)


def traces(report: Report, identity: Identity) -> tuple[str, ...]:
    """Return the words of a report that could name the user; none in a report this program made by itself.

    A name the user gave a job, or a program that held the card, could be such a word: it is shown, not hidden.
    """
    texts = "\n".join(_strings(msgspec.to_builtins((report.machine, report.benchmark, report.workload, report.gaps))))
    found = [identity.home] if len(identity.home) > 1 and identity.home in texts else []
    for name in (identity.user, identity.host):
        is_telling = len(name) >= _SHORTEST_NAME and name.casefold() not in _NOBODY
        if is_telling and re.search(rf"\b{re.escape(name)}\b", texts, re.IGNORECASE):
            found.append(name)
    return tuple(dict.fromkeys(found))


def _strings(value: object) -> Iterator[str]:
    """Yield every text inside lists and dictionaries."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _strings(key)
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)
