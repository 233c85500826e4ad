"""Readers that never raise: what a library or a file system does out of order counts as nothing there.

Each reader says in its own way what it could not read (``None``, nothing, ``CommandError``, ``OSError``), and the
probe notes a gap for it; here any other exception becomes the same, so that one fact never costs another.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from advisor.probe.readers import CommandError, DiskKind, Files, ProcessorFacts, Readers, Registry

P = ParamSpec("P")
T = TypeVar("T")


def guarded(readers: Readers) -> Readers:
    """Return the same readers, of which each raises only what it is known to raise."""
    return dataclasses.replace(
        readers,
        files=_GuardedFiles(readers.files),
        registry=_GuardedRegistry(readers.registry),
        run=_guarded_command(readers.run),
        nvml=_raising(ImportError, readers.nvml),  # a library of another build raises many things
        psutil=lambda: _loaded(readers.psutil),
        processor=lambda: _or(ProcessorFacts(), readers.processor),
        free_bytes=_raising(OSError, readers.free_bytes),
        drive_kind=_guarded_kind(readers.drive_kind),
        torch_folder=_guarded_torch(readers.torch_folder),
    )


def _or(instead: T, read: Callable[..., T], *arguments: Any) -> T:
    """Return what is read, or something instead where that raises anything."""
    try:
        return read(*arguments)
    except Exception:  # noqa: BLE001 - nobody knows what a library raises; the probe notes the gap
        return instead


class _GuardedFiles:
    """A file tree that answers or does not."""

    def __init__(self, files: Files) -> None:
        self._files = files

    def text(self, path: str) -> str | None:
        return _or(None, self._files.text, path)

    def names(self, path: str) -> tuple[str, ...]:
        return _or((), self._files.names, path)

    def exists(self, path: str) -> bool:
        return _or(False, self._files.exists, path)

    def target(self, path: str) -> str | None:
        return _or(None, self._files.target, path)


class _GuardedRegistry:
    """A registry that answers or does not."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def values(self, key: str) -> Mapping[str, Any]:
        return _or({}, self._registry.values, key)

    def keys(self, key: str) -> tuple[str, ...]:
        return _or((), self._registry.keys, key)


def _guarded_command(run: Callable[[Sequence[str]], str]) -> Callable[[Sequence[str]], str]:
    def guarded_run(arguments: Sequence[str]) -> str:
        try:
            return run(arguments)
        except CommandError:
            raise
        except Exception as error:
            raise CommandError(f"{arguments[0]}: {type(error).__name__}") from error

    return guarded_run


def _raising(kind: type[Exception], call: Callable[P, T]) -> Callable[P, T]:
    """Return what does the same and raises one kind of exception alone, as its callers expect."""

    def guarded_call(*given: P.args, **named: P.kwargs) -> T:
        try:
            return call(*given, **named)
        except kind:
            raise
        except Exception as error:
            raise kind(f"{type(error).__name__}: {error}") from error

    return guarded_call


class _Absent:
    """A library that cannot be loaded: whatever is asked of it fails, and is noted where it is asked."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        raise ImportError(f"{name}: {self._error}")


def _loaded(load: Callable[[], Any]) -> Any:
    try:
        return load()
    except Exception as error:  # noqa: BLE001 - as for ``_or``
        return _Absent(error)


def _guarded_kind(drive_kind: Callable[[str], DiskKind | None]) -> Callable[[str], DiskKind | None]:
    return lambda folder: _or(None, drive_kind, folder)


def _guarded_torch(find: Callable[[], Path | None]) -> Callable[[], Path | None]:
    return lambda: _or(None, find)
