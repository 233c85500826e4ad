"""Where the measuring pack lies on the disk, and which environment of it is in use.

<data folder>/measuring-pack/
    pack.json       names the environment in use; replaced in one step, so that there is always a whole one
    env-1/ env-2/   environments; at most one is in use and one is being made
    making.json     what the one being made is to become; left by an interruption, for resuming
    downloads/      what was downloaded for it, until it is in use
"""

import contextlib
import os
import shutil
import sys
from pathlib import Path
from typing import TypeVar

import msgspec

from advisor.errors import PackError, Phrase, system_reason
from advisor.records.base import Record
from advisor.records.hardware.measuring_pack import EnvironmentName, PackManifest
from advisor.resource import APPLICATION, make_private_folder, read_kept

R = TypeVar("R", bound=Record)

MANIFEST, MAKING, DOWNLOADS = "pack.json", "making.json", "downloads"
_MAX_BYTES = 64 * 1024


class Making(Record, frozen=True, kw_only=True):
    """An environment that is being made; ``has_begun`` once the download was agreed to."""

    environment: EnvironmentName
    backend: str
    has_begun: bool = False


class Store:
    """The pack's folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else pack_folder()

    @property
    def downloads(self) -> Path:
        """The folder of downloads that are not yet in use."""
        return self.folder / DOWNLOADS

    def manifest(self) -> PackManifest | None:
        """Return what is in use; None where nothing is, or where the file was damaged."""
        return _read(self.folder / MANIFEST, PackManifest)

    def making(self) -> Making | None:
        """Return what an interrupted installation was making."""
        found = _read(self.folder / MAKING, Making)
        return found if found is not None and self.environment(found.environment).is_dir() else None

    def environment(self, name: str) -> Path:
        """Return the folder of an environment."""
        return self.folder / name

    def begin(self, backend: str) -> Making:
        """Return the environment to go on with where it is the same build, else a fresh one."""
        known = self.making()
        if known is not None and known.backend == backend:
            return known
        self.abandon()
        used = self.manifest()
        name: EnvironmentName = "env-2" if used is not None and used.environment == "env-1" else "env-1"
        remove_folder(self.environment(name))
        making = Making(environment=name, backend=backend)
        self._write(MAKING, making)
        return making

    def mark_begun(self, making: Making) -> None:
        """Note that the download begins, so that an interruption is known as one."""
        self._write(MAKING, msgspec.structs.replace(making, has_begun=True))

    @property
    def is_unfinished(self) -> bool:
        """Whether an interrupted download waits."""
        known = self.making()
        return known is not None and known.has_begun

    def use(self, manifest: PackManifest) -> None:
        """Put an environment to use and remove everything else."""
        self._write(MANIFEST, manifest)
        with contextlib.suppress(FileNotFoundError):
            (self.folder / MAKING).unlink()
        for folder in self.folder.glob("env-*"):
            if folder.name != manifest.environment:
                remove_folder(folder)
        remove_folder(self.downloads)

    def abandon(self) -> None:
        """Remove what an interrupted installation left, and what was looked up or downloaded for it."""
        known = _read(self.folder / MAKING, Making)
        if known is not None:
            remove_folder(self.environment(known.environment))
            (self.folder / MAKING).unlink()
        remove_folder(self.downloads)

    def remove(self) -> None:
        """Remove the pack with everything that belongs to it.

        Raises:
            PackError: Something cannot be removed.
        """
        with contextlib.suppress(FileNotFoundError):  # first, so that nobody starts what is about to vanish
            (self.folder / MANIFEST).unlink()
        remove_folder(self.folder)

    def size_bytes(self) -> int:
        """Return the room the pack takes on the disk."""
        return folder_bytes(self.folder)

    def _write(self, name: str, record: Record) -> None:
        path = self.folder / name
        try:
            make_private_folder(self.folder.parent)
            make_private_folder(self.folder)
            temporary = path.with_suffix(".new")
            temporary.write_bytes(msgspec.json.format(msgspec.json.encode(record)))
            temporary.replace(path)
        except OSError as error:
            raise unusable(path, error) from error


def pack_folder() -> Path:
    """Return the folder of the pack in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path(APPLICATION, appauthor=False) / "measuring-pack"


def standalone_path() -> Path:
    """Return the script that the pack's interpreter starts; a frozen program carries its sources for that."""
    bundled = getattr(sys, "_MEIPASS", None)
    package = Path(__file__).parents[1] if bundled is None else Path(bundled, "worker_source", "advisor")
    return package / "worker" / "standalone.py"


def interpreter(environment: Path) -> Path:
    """Return the Python of an environment."""
    return environment / "Scripts" / "python.exe" if sys.platform == "win32" else environment / "bin" / "python"


def torch_folder(environment: Path) -> Path | None:
    """Return the folder of an environment's torch; None where it has none."""
    folders = [*environment.glob("lib/python*/site-packages/torch"), environment / "Lib" / "site-packages" / "torch"]
    return next((folder for folder in folders if folder.is_dir()), None)


def folder_bytes(folder: Path) -> int:
    """Return what the files of a folder take, hard links counted once; what vanishes meanwhile counts nothing."""
    seen: dict[tuple[int, int], int] = {}
    for place, _folders, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(OSError):
                status = Path(place, name).lstat()
                seen[status.st_dev, status.st_ino] = status.st_size
    return sum(seen.values())


def remove_folder(folder: Path) -> None:
    """Remove a folder where there is one.

    Raises:
        PackError: It cannot be removed.
    """
    if folder.is_symlink():  # to a larger disk, or to anything else
        raise _refused(folder, Phrase("it is a link; remove what it leads to by hand"))
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise unusable(folder, error) from error


def _read(path: Path, kind: type[R]) -> R | None:
    try:
        return msgspec.json.decode(read_kept(path, _MAX_BYTES), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def unusable(path: Path, error: OSError) -> PackError:
    """Return that a file or a folder of the pack cannot be used, and why."""
    return _refused(path, system_reason(error))


def _refused(path: Path, reason: str) -> PackError:
    return PackError(
        "The folder of the measuring pack cannot be used: {path}: {reason}.", path=path.name, reason=reason
    )
