"""The private folder between this program and a watched one: what is run inside goes in, lines of JSON come out.

A file for each process instead of a pipe: it blocks nobody, works through any number of processes and systems, and what
was written stays there when the writer is killed. What comes back is untrusted input.
"""

import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Annotated

import msgspec

from advisor.errors import OutputError, system_reason
from advisor.records.base import Bytes
from advisor.records.results.measured.measurement import Count, Span

_INJECTED = ("sitecustomize.py", "loop_watcher.py", "recorder.py")
_MOST_BYTES = 4 * 1024**2
Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Word = Annotated[str, msgspec.Meta(max_length=80)]


class _Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """What was seen, as ``injected.loop_watcher`` tells it."""


class LoaderSeen(_Event, frozen=True, kw_only=True, tag="loader"):
    """A data loader began; sizes are None where it does not know them."""

    loader: Number
    step: Number
    batch_size: Number | None = None
    workers: Number | None = None
    samples: Number | None = None
    batches: Number | None = None


class EpochSeen(_Event, frozen=True, kw_only=True, tag="epoch"):
    """A known data loader began again."""

    loader: Number
    step: Number


class ProgramSeen(_Event, frozen=True, kw_only=True, tag="program"):
    """The first optimizer step begins; ``batch_size`` is what a name in the script tells."""

    torch: Word
    python: Word
    builds: Annotated[tuple[Word, ...], msgspec.Meta(max_length=8)] = ()
    device: Word = "cpu"
    dtype: Word = ""
    optimizer: Word = ""
    parameters: Number = 0
    tensors: Number = 0
    threads: Count = 1
    epochs: Annotated[float, msgspec.Meta(gt=0, le=1e6)] | None = None
    compiled: bool = False
    batch_size: Number | None = None
    processes: Count = 1
    anomaly: bool = False


class StepSeen(_Event, frozen=True, kw_only=True, tag="step"):
    """An optimizer step ended, at a time of the script's own clock; ``recorded``: its operations were written down.

    ``wait_cpu_s``: of the waiting, what the thread worked, or was ready to while others had the processor.
    """

    at_s: Annotated[float, msgspec.Meta(ge=0, le=1e12)]
    optimizer_s: Span
    wait_s: Span
    wait_cpu_s: Span
    batches: Number
    recorded: bool = False


class LoadingSeen(_Event, frozen=True, kw_only=True, tag="loading"):
    """The loader's processes worked for ``busy_s`` of ``of_s``, which counts each of them."""

    busy_s: Span
    of_s: Span


class CallsSeen(_Event, frozen=True, kw_only=True, tag="calls"):
    """The operations of a step are in a file of their own; ``rows`` go into the first that has parameters."""

    dtype: Word = ""
    rows: Number | None = None
    copied_s: Span = 0.0


class EndSeen(_Event, frozen=True, kw_only=True, tag="end"):
    """Enough was seen, or watching failed in there."""

    why: Word
    peak_bytes: Bytes | None = None
    exchange_s: Span = 0.0


Event = LoaderSeen | EpochSeen | ProgramSeen | StepSeen | LoadingSeen | CallsSeen | EndSeen


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What the process that trains has told so far, and where the operations of its step are."""

    events: tuple[Event, ...] = ()
    calls: Path | None = None

    @property
    def steps(self) -> tuple[StepSeen, ...]:
        """Its optimizer steps, in order."""
        return tuple(event for event in self.events if isinstance(event, StepSeen))

    @property
    def timed(self) -> int:
        """How many of them count: those past the recorded one and the one after it."""
        numbers = [number for number, step in enumerate(self.steps) if step.recorded]
        return max(0, len(self.steps) - numbers[0] - 2) if numbers else 0

    @property
    def is_recorded_for_all(self) -> bool:
        """Whether this is the one of several processes that train together whose step was written down."""
        together = any(isinstance(event, ProgramSeen) and event.processes > 1 for event in self.events)
        return together and self.calls is not None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return any(isinstance(event, EndSeen) for event in self.events)


class Channel:
    """A private folder for as long as a program is watched.

    Raises:
        OutputError: There is no place for temporary files.
    """

    def __init__(self) -> None:
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="advisor-watch-"))
        except OSError as error:
            raise _no_place(error) from error

    def __enter__(self) -> "Channel":
        source = Path(__file__).with_name("injected")
        try:
            for name in _INJECTED:
                shutil.copyfile(source / name, self.folder / name)
        except OSError as error:
            self.__exit__(None, None, None)
            raise _no_place(error) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self, own: dict[str, str]) -> dict[str, str]:
        """Return an environment in which Python runs what is injected first, and everything else as it was."""
        others = own.get("PYTHONPATH")
        path = os.pathsep.join([str(self.folder), others]) if others else str(self.folder)
        return {**own, "PYTHONPATH": path, "ADVISOR_WATCH": str(self.folder)}

    def read(self) -> Seen:
        """Return what the process with the most steps has told so far; of several that train together, the recorded."""
        # The script can write there too: a pipe would never end.
        found = [_seen(path) for path in sorted(self.folder.glob("seen-*.jsonl")) if path.is_file()]
        return max(found, key=lambda one: (one.is_recorded_for_all, len(one.steps)), default=Seen())


def _no_place(error: OSError) -> OutputError:
    return OutputError(
        "Nothing can be kept in the folder for temporary files: {reason}. Make room there, or name another in TMPDIR.",
        reason=system_reason(error),
    )


def _seen(path: Path) -> Seen:
    events = []
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES)
    except OSError:  # gone since it was found, or of a kind that the script has put there
        return Seen()
    for line in content.split(b"\n"):
        try:
            events.append(msgspec.json.decode(line, type=Event))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue  # a line that is still being written, or one that no watcher wrote
    calls = path.with_name(path.name.replace("seen-", "calls-")).with_suffix(".json")
    return Seen(events=tuple(events), calls=calls if calls.is_file() else None)
