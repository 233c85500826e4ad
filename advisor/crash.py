"""Keep what is known of an unexpected error in the person's log folder; nothing is sent anywhere."""

import datetime
import platform
from pathlib import Path

from advisor import __version__
from advisor.resource import APPLICATION

KEPT_LOGS = 5


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
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(head + details, encoding="utf-8")
        for old in sorted(folder.glob("crash-*.txt"))[:-KEPT_LOGS]:
            old.unlink()
    except OSError as error:
        return f"(no file: {error.strerror}) {details.splitlines()[-1]}"
    return str(path)
