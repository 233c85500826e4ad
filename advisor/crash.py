"""Keep what is known of an unexpected error in the user's log folder; nothing is sent anywhere."""

import datetime
import faulthandler
import os
import platform
from contextlib import suppress
from pathlib import Path

from advisor import __version__
from advisor.resource import APPLICATION, make_private_file, make_private_folder

KEPT_LOGS = 5
_FAULT_PREFIX = "fault-"
_LONGEST_FAULT = 100_000


def log_folder() -> Path:
    """Return the folder of this program's logs, by the habits of the system."""
    from platformdirs import user_log_path

    return user_log_path(APPLICATION, appauthor=False)


def write_crash_log(details: str, folder: Path | None = None) -> str:
    """Write the details of an unexpected error to a new file and return its path, or why it could not be written."""
    folder = folder if folder is not None else log_folder()
    now = datetime.datetime.now(tz=datetime.UTC)
    path = folder / f"crash-{now:%Y%m%d-%H%M%S-%f}.txt"
    head = f"advisor {__version__}, Python {platform.python_version()}, {platform.platform()}, {now.isoformat()}\n\n"
    try:
        make_private_folder(folder)
        make_private_file(path)
        path.write_text(head + details, encoding="utf-8", errors="replace")
    except OSError as error:
        return f"(no file: {error.strerror}) {details.splitlines()[-1]}"
    with suppress(OSError):  # more than enough are kept then
        for old in sorted(folder.glob("crash-*.txt"))[:-KEPT_LOGS]:
            old.unlink()
    return str(path)


class FaultLog:
    """A file into which Python writes where every thread was when the process dies of a fault or an abort.

    It is gone after an orderly end; ``collect_faults`` finds those that are not.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Open the file; OSError where the folder cannot be written."""
        folder = folder if folder is not None else log_folder()
        make_private_folder(folder)
        self._path = folder / f"{_FAULT_PREFIX}{os.getpid()}.txt"
        make_private_file(self._path)
        self._file = self._path.open("w", encoding="utf-8")
        faulthandler.enable(self._file)

    def write(self, details: str) -> None:
        """Add what ended the program in another way than a fault."""
        self._file.write(details)
        self._file.flush()

    def close(self, *, is_orderly: bool = True) -> None:
        """Stop watching; the file stays only where the end was not orderly."""
        faulthandler.disable()
        with suppress(OSError):  # on a full disk, or in a folder that takes nothing away, an empty file stays
            self._file.close()
            if is_orderly:
                self._path.unlink(missing_ok=True)


def collect_faults(folder: Path | None = None) -> Path | None:
    """Turn what dead processes have left into crash logs and return the newest; None where all ended in order.

    A process that was killed from outside leaves an empty file, and no fault: nothing is said of it.
    """
    import psutil

    folder = folder if folder is not None else log_folder()
    newest = None
    try:
        left = sorted(folder.glob(f"{_FAULT_PREFIX}*.txt"), key=lambda path: path.stat().st_mtime)
        for path in left:
            number = path.stem.removeprefix(_FAULT_PREFIX)
            if number.isdecimal() and psutil.pid_exists(int(number)):
                continue
            if not path.is_file():  # a pipe would hold the window, a device has no end
                continue
            with path.open("rb") as file:
                details = file.read(_LONGEST_FAULT).decode("utf-8", "replace")
            path.unlink()
            if details.strip():
                newest = Path(write_crash_log(details, folder))
    except OSError:
        return newest
    return newest if newest is not None and newest.exists() else None
