"""Say what keeps a part of this program from being loaded, and how to repair it; needs nothing but Python itself."""

import re
from traceback import walk_tb

from advisor.errors import InstallationError, Phrase

_PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libOpenGL.so.0": "libopengl0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgomp.so.1": "libgomp1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""Debian's package of each library of the system that this program's libraries load.

Check: ``ldd …/PySide6/Qt/lib/libQt6Gui.so.6``, and ``dpkg -S`` on Debian 12."""
_FOR_A_WINDOW = (
    "libegl1", "libgl1", "libdbus-1-3", "libfontconfig1", "libglib2.0-0", "libxkbcommon0", "libxkbcommon-x11-0",
    "libxcb-cursor0", "libxcb-icccm4", "libxcb-keysyms1", "libxcb-shape0",
)  # fmt: skip
"""What a bare Debian lacks; one after the other would take as many starts (tools/system_packages.sh has them, too)."""
_WINDOW = frozenset({"PySide6", "shiboken6", "pyqtgraph"})
"""Modules of the extra ``gui``."""
_ON_DEBIAN = Phrase("on Debian or Ubuntu: sudo apt install")
_ELSEWHERE = Phrase("install the package of your system that has")
_LIBRARY = re.compile(r"(lib[\w.+-]*\.so[.\d]*): cannot open shared object file")
_LONGEST_REASON = 300


def is_loading(error: Exception) -> bool:
    """Return whether an exception ended an import: libraries of another build raise more than ImportError."""
    frames = (frame for frame, _line in walk_tb(error.__traceback__))
    return isinstance(error, ImportError) or any(
        frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__" for frame in frames
    )


def installation_error(error: Exception) -> InstallationError:
    """Return what an import said as a sentence with the way out."""
    if isinstance(error, OverflowError) and "timestamp" in str(error):  # nanoseconds since 1970 end in April 2262
        return InstallationError("The clock of this computer is set beyond the year 2262: set it right and try again.")
    if any(frame.f_globals.get("__name__") == "babel.localtime" for frame, _line in walk_tb(error.__traceback__)):
        return InstallationError(
            "The time zone of this computer cannot be read: {reason}. Name another, such as TZ=UTC, or repair "
            "/etc/localtime.",
            reason=_in_a_line(str(error)),
        )
    library = _LIBRARY.search(str(error))
    if library is not None:
        known = _PACKAGES.get(library[1])
        return InstallationError(
            "The system's library {library} is missing, so this program cannot be loaded; {way_out} {package}. "
            "Without a window: advisor --report",
            library=library[1],
            way_out=_ON_DEBIAN if known else _ELSEWHERE,
            package=_with_the_rest(known) if known else library[1],
        )
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in _WINDOW:
        return InstallationError(
            "The window needs {name}, which is not installed: install advisor[gui] instead of advisor. "
            "Without a window: advisor --report",
            name=error.name,
        )
    if isinstance(error, ModuleNotFoundError) and error.name:
        return InstallationError(
            "The module {name} is missing; install this program again, as its README says.", name=error.name
        )
    return InstallationError(
        "A part of this program cannot be loaded: {reason}. Install it again, as its README says.",
        reason=_in_a_line(str(error)),
    )


def _with_the_rest(package: str) -> str:
    """Return a package, and where a window needs it all others that a window needs."""
    rest = _FOR_A_WINDOW if package in _FOR_A_WINDOW else ()
    return " ".join(dict.fromkeys((package, *rest)))


def _in_a_line(text: str) -> str:
    """Return a message, which numpy makes of paragraphs, as one line of a readable length."""
    line = " ".join(text.split()).removesuffix(".")
    return line if len(line) <= _LONGEST_REASON else line[:_LONGEST_REASON] + "…"
