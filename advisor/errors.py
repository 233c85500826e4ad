"""The errors this program raises on purpose; each message is one sentence a user can act on.

AdvisorError
├── InputError            wrong arguments or a wrong input file (exit status 2)
│   ├── InputErrors       several mistakes of one file, a line each
│   ├── UnknownNameError  a name that no catalogue has; carries the nearest ones
│   └── TraceError        a network in the user's own program cannot be traced
├── CatalogError          a file shipped with the program cannot be read
├── PredictionError       a device or network lacks a figure without which nothing can be predicted
├── WorkerError           the measuring process could not be started or kept
├── PackError            the measuring pack could not be made or kept
├── HistoryError          the store of past reports cannot be used
├── InstallationError     a part of this program, or a library it needs, cannot be loaded
└── OutputError           a file could not be written
"""

import errno
from collections.abc import Callable, Sequence


class AdvisorError(Exception):
    """Base of all errors raised on purpose; ``str(error)`` is a sentence for the user, in English.

    The text is written whole where the error is raised, with values in braces, and is found there for translation.
    """

    def __init__(self, text: str, /, **values: object) -> None:
        super().__init__(text.format(**values) if values else text)
        self._text = text
        self._values = values

    def sentence(self, translate: Callable[[str], str]) -> str:
        """Return the sentence in the language of the translating function."""
        text = translate(self._text)
        spoken = {name: _spoken(value, translate) for name, value in self._values.items()}
        return text.format(**spoken) if spoken else text


class Phrase(str):
    """A value of an error's text that is itself to be translated."""

    __slots__ = ()


def _spoken(value: object, translate: Callable[[str], str]) -> object:
    if isinstance(value, AdvisorError):
        return value.sentence(translate)
    return translate(value) if isinstance(value, Phrase) else value


_SYSTEM_REASONS = {
    errno.ENOENT: Phrase("there is no such file or folder"),
    errno.EACCES: Phrase("you do not have the rights for it"),
    errno.EPERM: Phrase("the system does not allow it"),
    errno.EEXIST: Phrase("there is something of this name already"),
    errno.EISDIR: Phrase("it is a folder"),
    errno.ENOTDIR: Phrase("a part of the path is not a folder"),
    errno.ENOTEMPTY: Phrase("the folder is not empty"),
    errno.ENOSPC: Phrase("the disk is full"),
    errno.EDQUOT: Phrase("your disk quota is used up"),
    errno.EROFS: Phrase("the disk is read-only"),
    errno.EFBIG: Phrase("the file would be larger than allowed"),
    errno.ENAMETOOLONG: Phrase("the name is too long"),
    errno.ELOOP: Phrase("the link leads back to itself"),
    errno.EMLINK: Phrase("there are too many links to it"),
    errno.EIO: Phrase("the disk or the device fails"),
    errno.ENXIO: Phrase("there is no such device"),
    errno.ENODEV: Phrase("there is no such device"),
    errno.EBUSY: Phrase("another program is using it"),
    errno.ETXTBSY: Phrase("another program is using it"),
    errno.EMFILE: Phrase("too many files are open"),
    errno.ENFILE: Phrase("too many files are open"),
    errno.ENOMEM: Phrase("there is too little memory"),
    errno.EAGAIN: Phrase("the system has none left to give; close other programs"),
    errno.ENOEXEC: Phrase("it is not a program of this system"),
    errno.E2BIG: Phrase("the command is too long"),
    errno.EPIPE: Phrase("nobody reads it any more"),
    errno.ESTALE: Phrase("the network drive has gone away"),
    errno.ETIMEDOUT: Phrase("there is no answer"),
    errno.ECONNREFUSED: Phrase("the connection was refused"),
    errno.ECONNRESET: Phrase("the connection was cut"),
    errno.ENETUNREACH: Phrase("there is no network"),
    -2: Phrase("there is no network"),  # of getaddrinfo on Linux: the name is not known, and nobody could be asked
    -3: Phrase("there is no network"),
}


def system_reason(error: Exception) -> str:
    """Return why the system refused, as part of a sentence that is to be translated; rare reasons in its own words.

    The system speaks the language of its own settings, which need not be the one that was chosen here. Of an error
    that is not the system's this is what it says.
    """
    cause = getattr(error, "reason", None)  # of what urllib raises
    cause = cause if isinstance(cause, OSError) else error
    number = getattr(cause, "errno", None) or (errno.ETIMEDOUT if isinstance(cause, TimeoutError) else 0)
    known = _SYSTEM_REASONS.get(number)
    return known or getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


class InputError(AdvisorError):
    """The user's arguments or file are wrong; the message says how to fix it."""


_MOST_SHOWN = 20
"""A file of another kind can have a mistake in every one of its thousands of lines."""


class InputErrors(InputError):  # noqa: N818 - several of them
    """Several mistakes, so that a file can be put right at once.

    Attributes:
        faults: A sentence each, in the order of the file.
        shown: The first of them, and how many there are besides.
    """

    def __init__(self, faults: Sequence[InputError]) -> None:
        self.faults = tuple(faults)
        more = len(faults) - _MOST_SHOWN
        rest = (InputError("There are {n} more mistakes.", n=f"{more:,}"),) if more > 0 else ()
        self.shown = (*self.faults[:_MOST_SHOWN], *rest)
        super().__init__("\n".join(map(str, self.shown)))

    def sentence(self, translate: Callable[[str], str]) -> str:
        """Return the sentences in the language of the translating function, a line each."""
        return "\n".join(fault.sentence(translate) for fault in self.shown)


def refuse_all(faults: Sequence[InputError]) -> None:
    """Raise what is wrong, where anything is.

    Raises:
        InputError: The only mistake, or all of them.
    """
    each = [one for fault in faults for one in (fault.faults if isinstance(fault, InputErrors) else (fault,))]
    if each:
        raise each[0] if len(each) == 1 else InputErrors(each)


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
        text = _UNKNOWN_NAMES[kind][1 if self.nearest else 0]
        super().__init__(text, name=name, nearest=", ".join(self.nearest))


_KIN = Phrase(
    "What '{name}' takes is not known here; {nearest} comes nearest. A network of your own is taken as "
    "FILE.py:FUNCTION."
)
_UNKNOWN_NAMES = {
    "device": (
        Phrase("There is no device named '{name}'. See: advisor --list devices"),
        Phrase("There is no device named '{name}'. Did you mean {nearest}? See: advisor --list devices"),
    ),
    "model": (
        Phrase("There is no language model named '{name}'. See: advisor --list models"),
        Phrase("There is no language model named '{name}'. Did you mean {nearest}? See: advisor --list models"),
    ),
    "weights": (
        Phrase("There is no format of weights named '{name}'."),
        Phrase("There is no format of weights named '{name}'. Choose one of: {nearest}."),
    ),
    "kin": (_KIN, _KIN),
    "workload": (
        Phrase(
            "There is no workload named '{name}'. See: advisor --list workloads. Any network of a library such as timm "
            "is taken as FILE.py:FUNCTION."
        ),
        Phrase(
            "There is no workload named '{name}'. Did you mean {nearest}? See: advisor --list workloads. Any network "
            "of a library such as timm is taken as FILE.py:FUNCTION."
        ),
    ),
}


class TraceError(InputError):
    """The network in a user's own program cannot be traced.

    Attributes:
        code: Which sentence says why.
        values: What the sentence names.
    """

    def __init__(self, code: str, **values: str) -> None:
        self.code = code
        self.values = values
        super().__init__(_TRACE_FAULTS[code], **values)


_TRACE_FAULTS = {
    "reference": Phrase("'{name}' is not a file and a name in it; write them such as model.py:build."),
    "no_file": Phrase("There is no file {file}."),
    "no_text": Phrase("The path of {file} is not UTF-8; give the file or its folder another name."),
    "missing_module": Phrase("{file} needs the module {name}; install it in the Python that runs this program."),
    "exits": Phrase(
        "{file} ends the program as soon as it is imported; put what it does when started under "
        "if __name__ == '__main__'."
    ),
    "cannot_run": Phrase("{file} cannot be run: {detail}"),
    "no_name": Phrase("{file} has no {name}; it has {known}."),
    "no_network": Phrase("{file} has no {name}, and nothing else that gives a network."),
    "no_networks": Phrase(
        "{file} has nothing that gives a network: no class of torch.nn.Module, no function, no module."
    ),
    "which": Phrase(
        "{file} has more than one thing that may give a network: {known}. Name one, such as {file}:{name}."
    ),
    "needs_arguments": Phrase(
        "{name} in {file} needs arguments; give each a default, or add a function without arguments that calls it."
    ),
    "build_fails": Phrase("{name} in {file} fails: {detail}"),
    "not_a_module": Phrase("{name} in {file} gives {kind}; it must give a torch.nn.Module."),
    "nothing_to_train": Phrase("The network of {name} in {file} has no parameters that are trained."),
    "double": Phrase(
        "The network of {name} in {file} computes in double precision (float64), and what that takes on other hardware "
        "is not known. Most networks learn as well in single precision: leave .double() out. Or run your training with "
        "--watch."
    ),
    "needs_input": Phrase(
        "What goes into the network is not known: add --image-size 224, --sequence-length 128 or "
        "--input-shape 3,224,224, or a function example_inputs(batch_size) or sample() in {file}."
    ),
    "inputs_fail": Phrase("example_inputs or sample in {file} fails: {detail}"),
    "wants_cuda": Phrase(
        "{file} wants an NVIDIA card, and torch sees none here; let it choose: torch.device('cuda' if "
        "torch.cuda.is_available() else 'cpu')."
    ),
    "chooses": Phrase(
        "The network of {file} chooses by its values how much it computes (nonzero, masks as indices, experts by "
        "their scores), so its work cannot be foreseen. Run your training with --watch instead."
    ),
    "cannot_trace": Phrase("The network of {file} does not run on {shape}: {detail}"),
    "varies": Phrase(
        "The network of {file} does other operations for another size of the batch, so its work cannot be foreseen."
    ),
    "too_large": Phrase("The network of {file} has too many different operations to describe."),
    "hung": Phrase(
        "{file} did not come to an end within {seconds} s; put what trains or downloads under "
        "if __name__ == '__main__'."
    ),
    "stopped": Phrase("{file} was stopped before it came to its end."),
    "died": Phrase("{file} ended the process that ran it: {detail}"),
}


class CatalogError(AdvisorError):
    """A catalogue or rule file shipped with the program is missing or wrong."""


class PredictionError(AdvisorError):
    """A figure is unknown without which nothing can be predicted; the message names it."""


class WorkerError(AdvisorError):
    """The measuring process could not be started or kept running."""


class PackError(AdvisorError):
    """The measuring pack could not be downloaded, made or removed; the one in use is as before."""


class HistoryError(AdvisorError):
    """The store of past reports cannot be used."""


class InstallationError(AdvisorError):
    """A part of this program, or a library it needs, cannot be loaded."""


class OutputError(AdvisorError):
    """A file could not be written; nothing half-written is left behind."""
