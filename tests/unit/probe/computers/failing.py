"""Readers of which one call fails, whichever it is."""

import dataclasses
from collections.abc import Callable
from typing import Any

from advisor.probe.readers import Readers

ERRORS: tuple[Callable[[], Exception], ...] = (
    lambda: OSError(5, "Input/output error"),
    lambda: PermissionError(13, "Permission denied"),
    lambda: ValueError("no number"),
    lambda: TypeError("no such argument"),
    lambda: AttributeError("no such function"),
    lambda: KeyError("name"),
    lambda: IndexError("list index out of range"),
    lambda: NotImplementedError("not on this platform"),
    lambda: RuntimeError("a library"),
    MemoryError,
    lambda: RecursionError("maximum recursion depth exceeded"),
    lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    lambda: ImportError("DLL load failed"),
    lambda: ZeroDivisionError("division by zero"),
    lambda: TimeoutError("timed out"),
    StopIteration,
)


class Failing:
    """Counts every call of a computer's readers, and lets one of them fail.

    Attributes:
        calls: How many there were.
        place: Number of the call that fails; None: none does.
        lasts: All later calls fail too.
    """

    def __init__(self, place: int | None, error: Callable[[], Exception], *, lasts: bool = False) -> None:
        self.calls = 0
        self.place, self.lasts = place, lasts
        self._error = error

    def _count(self) -> None:
        number, self.calls = self.calls, self.calls + 1
        if self.place is not None and (number == self.place or (self.lasts and number > self.place)):
            raise self._error()

    def function(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that counts."""

        def counted(*arguments: Any, **options: Any) -> Any:
            self._count()
            return call(*arguments, **options)

        return counted

    def library(self, load: Callable[[], Any]) -> Callable[[], Any]:
        """Return the loader of a library whose loading, and whose functions, count."""

        def counted() -> Any:
            self._count()
            return _Counted(load(), self)

        return counted

    def readers(self, readers: Readers) -> Readers:
        """Return a computer each of whose calls counts."""
        return dataclasses.replace(
            readers,
            files=_Counted(readers.files, self),
            registry=_Counted(readers.registry, self),
            run=self.function(readers.run),
            nvml=self.library(readers.nvml),
            psutil=self.library(readers.psutil),
            processor=self.function(readers.processor),
            free_bytes=self.function(readers.free_bytes),
            drive_kind=self.function(readers.drive_kind),
            torch_folder=self.function(readers.torch_folder),
        )


class _Counted:
    """Hands on a library; its functions count."""

    def __init__(self, inner: Any, counter: Failing) -> None:
        self._inner, self._counter = inner, counter

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        return self._counter.function(found) if callable(found) and not isinstance(found, type) else found
