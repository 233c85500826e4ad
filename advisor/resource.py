"""Find the program itself and the files shipped with it, in a checkout, an installed wheel and a frozen application."""

import errno
import os
import site
import stat
import sys
import sysconfig
from contextlib import suppress
from functools import cache
from pathlib import Path

from advisor.errors import CatalogError

APPLICATION = "advisor"
"""Name of this program's folders for data, settings and logs."""


@cache
def resource_root() -> Path:
    """Return the folder that holds catalog/, rules/, locale/ and the other shipped files.

    Raises:
        CatalogError: The program was installed without them.
    """
    package = Path(__file__).resolve().parent
    candidates = [package / "_resources", package.parent / "resources"]
    frozen_root = getattr(sys, "_MEIPASS", None)
    if frozen_root is not None:
        candidates.insert(0, Path(frozen_root) / "advisor" / "_resources")
    for candidate in candidates:
        if (candidate / "catalog").is_dir():
            return candidate
    raise missing_files()


def missing_files() -> CatalogError:
    """Return that the program lacks files of its own."""
    return CatalogError("The program's own data files are missing; please install it again.")


def resource_path(*parts: str) -> Path:
    """Return the path of one shipped file or folder, such as ``resource_path("rules", "rules.toml")``."""
    return resource_root().joinpath(*parts)


def is_shipped(error: OSError) -> bool:
    """Return whether it is one of the shipped files that cannot be read, as of a program that is half installed."""
    if type(error).__name__ == "TemplateNotFound":  # jinja2's, of which nothing else is asked here
        return True
    return isinstance(error.filename, str) and resource_root() in Path(error.filename).parents


def given_path(text: str) -> Path:
    """Return the path a user wrote, whose folder may begin with ``~``; shells leave that alone after ``=``."""
    try:
        return Path(text).expanduser()
    except RuntimeError:  # nobody of that name has a home here
        return Path(text)


def as_text(name: str) -> str:
    """Return the name of a file without bytes that are not UTF-8, with which nothing could be written."""
    return name.encode(errors="replace").decode()


def read_kept(path: Path, most_bytes: int) -> bytes:
    """Return the content of a file that this program keeps for its user.

    Raises:
        OSError: It cannot be read, is larger than it may be, or is none: a pipe would hold the program, a device
            has no end.
    """
    if not path.is_file() and not path.is_dir():  # of a folder the system says so
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > most_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return file.read()


def make_private_folder(folder: Path) -> None:
    """Make a folder for this user alone, as the XDG Base Directory Specification asks; one that exists stays as it is.

    Raises:
        OSError: It cannot be made.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def make_private_file(path: Path) -> None:
    """Make an empty file for this user alone where there is none; of one that exists, take the rights of others away.

    Where it cannot be made or changed, whoever opens it next says why.
    """
    with suppress(OSError):
        # A pipe in its place would hold this program until somebody writes into it.
        os.close(os.open(path, os.O_CREAT | os.O_RDONLY | getattr(os, "O_NONBLOCK", 0), 0o600))
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & 0o077:  # a link may lead to a device that all programs need
            path.chmod(0o600)


def program_command(*arguments: str) -> tuple[str, ...]:
    """Return the command that starts this very program with the arguments."""
    if getattr(sys, "frozen", False):
        return (sys.executable, *arguments)
    # -P: a file of the user's named like a module of Python must not be taken for it.
    return (sys.executable, "-P", "-m", "advisor", *arguments)


def system_environment() -> dict[str, str]:
    """Return the environment for programs that are not this one.

    A frozen program looks for libraries in its own folder first; others must not.
    Source: PyInstaller manual, "LD_LIBRARY_PATH / LIBPATH considerations".
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("_PYI_")}
    if getattr(sys, "frozen", False):
        for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
            own = environment.pop(f"{name}_ORIG", None)
            environment.pop(name, None)
            if own is not None:
                environment[name] = own
    return environment


def program_environment() -> dict[str, str]:
    """Return this process's environment, in which ``program_command`` finds this very package.

    An installed package is found anyway; naming its folder would put what lies beside it before Python's own modules.
    """
    root = str(Path(__file__).parents[1])
    if root in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), site.getusersitepackages()}:
        return dict(os.environ)
    others = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([root, others]) if others else root}
