"""A watched program seen from outside: memory and processor of its processes, what others use, lines of progress."""

import contextlib
import os
import re
import statistics
import threading
import time
import warnings
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import psutil

from advisor.records.results.measured.watched import Unseen
from advisor.watch.unseen import why_unseen

EVERY_S = 0.5
_MOST_LINE = 4096
_FEWEST_TIMES = 4
_MOST_TEMPLATES = 1000
_MOST_TIMES = 1000
"""Of one kind of line, the last ones: an endless output of numbers filled 10 MB a second."""
_NUMBER = re.compile(rb"(?<![\d.:,e+-])[.:,e+-]*+\d[\d.:,e+-]*")
"""It is looked for where its signs begin alone, or a line of 4,096 dashes would take 50 ms."""


_UNREADABLE = (psutil.Error, OSError, ValueError, LookupError, TypeError, RuntimeError)
"""What psutil raises of processes that are gone, and of a /proc that is hidden or not as it should be."""


class Lookout:
    """Looks at a process and all it has started, every half second.

    Args:
        pid: Of the process.
        folder: Where what watches it lies; None: it is not asked why it is not seen inside.
    """

    def __init__(self, pid: int, folder: Path | None = None) -> None:
        self._pid = pid
        self._folder = folder
        self.unseen: Unseen | None = None
        self._largest_bytes = 0
        self._began_s = time.monotonic()
        self._first = _busy_s()
        self._used_s: dict[int, float] = {}
        self._own_first_s = sum(os.times()[:2])
        self.peak_bytes = 0
        self._first_swapped = _swapped_bytes()

    def look(self) -> None:
        """Take one look."""
        held = {}
        for one in family(self._pid):
            try:
                with one.oneshot():
                    held[one] = one.memory_info().rss
                    self._used_s[one.pid] = sum(one.cpu_times()[:2])
            except _UNREADABLE:
                continue
        self.peak_bytes = max(self.peak_bytes, sum(held.values()))
        if self._folder is not None:
            self._ask_largest(held, self._folder)

    def _ask_largest(self, held: dict[psutil.Process, int], folder: Path) -> None:
        """Ask the process with the most memory so far; when the program ends, what remains is a shell."""
        largest = max(held, key=held.__getitem__, default=None)
        if largest is None or held[largest] <= self._largest_bytes:
            return
        with contextlib.suppress(*_UNREADABLE):
            self.unseen = why_unseen(largest, folder)
            self._largest_bytes = held[largest]

    def swapped_bytes(self) -> int:
        """Return what the system has read back from swap meanwhile, for whatever program."""
        return max(0, _swapped_bytes() - self._first_swapped)

    def shares(self) -> tuple[float, float]:
        """Return the share of the processor that the program used, and that of all others but this one."""
        capacity_s = (time.monotonic() - self._began_s) * (psutil.cpu_count() or 1)
        used_s = sum(self._used_s.values())
        own_s = sum(os.times()[:2]) - self._own_first_s
        others_s = _busy_s() - self._first - used_s - own_s
        return _share(used_s, capacity_s), _share(others_s, capacity_s)


def family(pid: int) -> list[psutil.Process]:
    """Return a process and all it has started, as far as they are still there."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except _UNREADABLE:
        return []


def _busy_s() -> float:
    try:
        times = psutil.cpu_times()
    except _UNREADABLE:
        return 0.0
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - getattr(times, "guest", 0.0))


def _swapped_bytes() -> int:
    try:
        with warnings.catch_warnings(action="ignore"):  # where /proc hides it, psutil warns and answers 0
            return int(psutil.swap_memory().sin)
    except _UNREADABLE:
        return 0


def _share(part: float, whole: float) -> float:
    return min(1.0, max(0.0, part / whole)) if whole > 0 else 0.0


class Rhythm:
    """Finds lines of progress in a program's output: the same line again and again but for its numbers."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rest = b""
        self._times: dict[bytes, deque[float]] = defaultdict(lambda: deque(maxlen=_MOST_TIMES))

    def feed(self, output: bytes) -> None:
        """Take a piece of the output; of a flood, which is no progress, the end alone, so that it costs no time."""
        now_s = self._clock()
        with self._lock:
            if len(output) > _MOST_LINE:
                self._rest, output = b"", output[-_MOST_LINE:].partition(b"\n")[2]
            *lines, self._rest = re.split(rb"[\r\n]+", self._rest + output)
            self._rest = self._rest[-_MOST_LINE:]
            for line in lines:
                template = _NUMBER.sub(b"#", line[:_MOST_LINE])
                if b"#" in template and (template in self._times or len(self._times) < _MOST_TEMPLATES):
                    self._times[template].append(now_s)

    def period_s(self) -> float | None:
        """Return the median time between lines of the most frequent kind; None where they came less than four times.

        Python keeps lines back where no terminal hears them, and hands out many at once: then it is their mean time.
        """
        with self._lock:
            times: Sequence[float] = max(self._times.values(), key=len, default=())
            gaps = [after - before for before, after in pairwise(times)]
        came = [gap for gap in gaps if gap > 0]
        if len(came) < _FEWEST_TIMES - 1:
            return None
        if len(came) > len(gaps) / 2:
            return statistics.median(gaps)
        after_first = sum(time_s > times[0] for time_s in times)
        return sum(came) / after_first


class LastLine:
    """Keeps the last line of a program's output that has any words."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._end = b""

    def feed(self, output: bytes) -> None:
        """Take a piece of the output."""
        with self._lock:
            self._end = (self._end + output)[-_MOST_LINE:]

    def text(self) -> str:
        """Return it, without what would not show."""
        with self._lock:
            lines = re.split(r"[\r\n]+", self._end.decode(errors="replace"))
        spoken = [cleaned for line in lines if (cleaned := "".join(filter(str.isprintable, line)).strip())]
        return spoken[-1] if spoken else ""
