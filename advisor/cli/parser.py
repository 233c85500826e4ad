"""argparse in the user's language: its own words in help and errors, and errors as one sentence."""

import argparse
import difflib
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from advisor import __version__
from advisor.cli.output import write_out
from advisor.errors import InputError
from advisor.locale import N_, Language

# What argparse says, and how this program says it; the first that matches counts.
_FAULTS: tuple[tuple[str, str], ...] = (
    (
        r"argument (?P<name>.+?): invalid choice: (?P<value>.+?) \(choose from (?P<known>.+)\)",
        N_("{name} cannot be {value}; choose one of: {known}."),
    ),
    (r"argument (?P<name>.+?): expected one argument", N_("{name} needs a value.")),
    (r"argument (?P<name>.+?): expected (?P<count>\d+) arguments", N_("{name} needs {count} values.")),
    (r"argument (?P<name>.+?): not allowed with argument (?P<other>.+)", N_("{name} does not go with {other}.")),
    (r"argument (?P<name>.+?): ignored explicit argument .+", N_("{name} takes no value.")),
    (r"argument (?P<name>.+?): (?P<fault>.+)", "{name}: {fault}."),
    (r"unrecognized arguments: (?P<names>\s*)", N_("An argument is empty.")),
    (r"unrecognized arguments: (?P<names>.+)", N_("There is no option {names}.")),
)


_FOR_THE_WINDOW = frozenset({"--gui", "gui", "--window", "window"})
_LIKENESS = 0.7
"""Of two spellings, by ``difflib``: below it no option is offered for a wrong one."""


class Parser(argparse.ArgumentParser):
    """A parser that leaves no word to argparse: exit status and language of an error are decided in one place."""

    def __init__(self, lang: Language, description: str, epilog: str) -> None:
        self._lang = lang
        super().__init__(
            prog="advisor",
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            add_help=False,
            formatter_class=lambda prog: _Formatter(prog, lang),
        )

    def add_own_options(self, group: Any) -> None:
        """Add the options about the program itself to a group of options."""
        _ = self._lang.gettext
        group.add_argument("-h", "--help", action="help", help=_("show this help"))
        group.add_argument(
            "--version", action="version", version=f"advisor {__version__}", help=_("show the version of the program")
        )

    def print_help(self, file: object = None) -> None:
        """Show the help as any other result; argparse passes over a disk that is full."""
        write_out(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Raise what argparse complains of as this program's error."""
        fault = _unknown(message, self._option_string_actions) or _fault(message)
        raise InputError("{fault} See: advisor --help", fault=fault)

    def without_value(self, option: str) -> InputError:
        """Return what is said of an option that nothing stands behind."""
        return InputError("{fault} See: advisor --help", fault=InputError("{name} needs a value.", name=option))


def _unknown(message: str, known: Iterable[str]) -> InputError | None:
    """Return that an option does not exist, with the one that is spelt nearly so; None where that is not the fault."""
    found = re.fullmatch(_FAULTS[-1][0], message, re.DOTALL)
    words = sorted(found["names"].split() if found else (), key=lambda word: not word.startswith("-"))
    name = words[0].partition("=")[0] if words else ""
    nearest = difflib.get_close_matches(f"--{name.lstrip('-')}", known, n=1, cutoff=_LIKENESS)
    if name in _FOR_THE_WINDOW:
        return InputError("There is no option {name}: the window opens without options.", name=name)
    if not name or not nearest:
        return None
    return InputError("There is no option {name}; did you mean {nearest}?", name=name, nearest=nearest[0])


def _fault(message: str) -> InputError:
    for pattern, text in _FAULTS:
        match = re.fullmatch(pattern, message, re.DOTALL)
        if match:
            values = match.groupdict()
            return InputError(text, **values | {"known": (values.get("known") or "").replace("'", "")})
    return InputError("{fault}.", fault=message)


class _Formatter(argparse.HelpFormatter):
    """The usual layout, with the word before the usage in the user's language."""

    def __init__(self, prog: str, lang: Language) -> None:
        super().__init__(prog)
        self._usage_prefix = lang.gettext("usage: ")

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """Add the usage with its prefix."""
        super().add_usage(usage, actions, groups, self._usage_prefix if prefix is None else prefix)
