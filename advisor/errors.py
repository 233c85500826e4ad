"""The errors this program raises on purpose; each message is one sentence a person can act on.

AdvisorError
├── InputError            wrong arguments or a wrong input file (exit status 2)
│   └── UnknownNameError  a name that no catalogue has; carries the nearest ones
├── CatalogError          a file shipped with the program cannot be read
├── PredictionError       a device or network lacks a figure without which nothing can be predicted
├── WorkerError           the measuring process could not be started or kept
├── HistoryError          the store of past reports cannot be used
└── OutputError           a report could not be written
"""

from collections.abc import Sequence


class AdvisorError(Exception):
    """Base of all errors raised on purpose; ``str(error)`` is a sentence for the person."""


class InputError(AdvisorError):
    """The person's arguments or file are wrong; the message says how to mend it."""


class UnknownNameError(InputError):
    """No catalogue row has this name.

    Attributes:
        name: What was asked for.
        nearest: Known names close to it, best first.
    """

    def __init__(self, kind: str, name: str, nearest: Sequence[str] = ()) -> None:
        self.kind = kind
        self.name = name
        self.nearest = tuple(nearest)
        hint = f" Did you mean {', '.join(self.nearest)}?" if self.nearest else ""
        super().__init__(f"There is no {kind} named '{name}'.{hint} See: advisor --list {kind}s")


class CatalogError(AdvisorError):
    """A catalogue or rule file shipped with the program is missing or wrong."""


class PredictionError(AdvisorError):
    """A figure is unknown without which nothing can be predicted; the message names it."""


class WorkerError(AdvisorError):
    """The measuring process could not be started or kept running."""


class HistoryError(AdvisorError):
    """The store of past reports cannot be used."""


class OutputError(AdvisorError):
    """A report could not be written; nothing half-written is left behind."""
