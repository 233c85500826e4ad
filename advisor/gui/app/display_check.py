"""Can a window be opened here? Asked before Qt is, because Qt ends the process when it cannot."""

import ctypes
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, MutableMapping, Set
from pathlib import Path

from advisor.locale import Language
from advisor.resource import program_command, program_environment

_X_SOCKETS = Path("/tmp/.X11-unix")
_SCREENS = frozenset({"xcb", "wayland", "wayland-egl"})
_NEVER_FAIL = frozenset({"offscreen", "minimal", "vnc", "linuxfb"})
"""Window systems that open without any device. The others end the process where theirs is missing."""
_TRIAL_S = 30.0
_CONNECT_TIMEOUT_S = 2.0
_RESET_WAITS_S = (0.0, 0.2, 0.5)
"""A server without other programs, such as xvfb-run's, begins anew when whoever asked whether it listens has gone."""


_WITHIN = {"QT_SCALE_FACTOR": (0.1, 20.0), "QT_FONT_DPI": (20.0, 2000.0)}
"""Beyond these a picture has no size that any screen could show; of NaN Qt itself makes an endless one."""


def drop_nonsense(environment: MutableMapping[str, str]) -> None:
    """Take out what Qt is told of sizes but could not draw, so that the window opens as if it were not told."""
    for name, (lowest, highest) in _WITHIN.items():
        try:
            is_sensible = lowest <= float(environment.get(name, lowest)) <= highest
        except ValueError:
            is_sensible = False
        if not is_sensible:
            del environment[name]


def screen_problem(environment: Mapping[str, str], language: Language, sockets: Path = _X_SOCKETS) -> str | None:
    """Return why no window can be opened, as a sentence with the way out; None where nothing speaks against it."""
    if sys.platform != "linux":
        return None
    wanted = {name.partition(":")[0].lower() for name in environment.get("QT_QPA_PLATFORM", "").split(";")} - {""}
    problem = _platform_problem(wanted, environment, language)
    if problem is None and (not wanted or wanted & _SCREENS):
        problem = _server_problem(wanted, environment, language, sockets)
    if problem is None and wanted - _SCREENS - _NEVER_FAIL:
        problem = _trial_problem(wanted, language)
    return None if problem is None else f"{problem} {language.gettext('Without a window: advisor --report')}"


def _platform_problem(wanted: Set[str], environment: Mapping[str, str], language: Language) -> str | None:
    """Return that Qt has none of the window systems the user asks for."""
    known = platforms()
    if not wanted or wanted & known or environment.get("QT_QPA_PLATFORM_PLUGIN_PATH"):
        return None
    text = language.gettext("No window can be opened here: QT_QPA_PLATFORM is {name}, and Qt knows only {known}.")
    return text.format(name=";".join(sorted(wanted)), known=", ".join(sorted(known)))


def _server_problem(wanted: Set[str], environment: Mapping[str, str], language: Language, sockets: Path) -> str | None:
    """Return why nothing would show the window, or take it."""
    _ = language.gettext
    wayland = display = ""
    if not wanted or wanted - {"xcb"}:
        wayland = environment.get("WAYLAND_DISPLAY", "")
        if environment.get("WAYLAND_SOCKET") or (wayland and _is_wayland(wayland, environment)):
            return None
    if not wanted or "xcb" in wanted:
        display = environment.get("DISPLAY", "")  # which Qt turns to where Wayland does not answer
    if not display and not wayland:
        return _("No window can be opened here: there is no screen.")
    if not display or not answers(display, sockets):
        return _("No window can be opened here: the screen {name} does not answer.").format(name=display or wayland)
    missing = missing_library()
    if missing:
        return _("No window can be opened here: a system library is missing ({library}).").format(library=missing)
    if display and not lets_in(display):
        return _("No window can be opened here: the screen {name} takes no program of this user.").format(name=display)
    return None


def _trial_problem(wanted: Set[str], language: Language) -> str | None:
    """Return that Qt does not start with what the user asks for, as a process of its own has found out."""
    try:
        trial = subprocess.run(
            program_command("--try-screen"),
            env=program_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TRIAL_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        reason = language.gettext("there is no answer")
    except OSError:  # no process more; the window may still open
        return None
    else:
        if trial.returncode == 0:
            return None
        said = trial.stderr.split("\n")
        reason = next((line.strip() for line in reversed(said) if line.strip()), f"status {trial.returncode}")
    text = language.gettext(
        "No window can be opened here: QT_QPA_PLATFORM is {name}, and Qt cannot start it ({reason})."
    )
    return text.format(name=";".join(sorted(wanted)), reason=reason)


def try_screen() -> int:
    """Start Qt as the window would, and return 0 where it comes back from there."""
    from PySide6.QtGui import QGuiApplication

    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # its end is no crash to keep
    QGuiApplication(["advisor"])
    return 0


def answers(display: str, sockets: Path) -> bool:
    """Return whether a local X server listens; one on another computer is taken at its word."""
    host, _colon, rest = display.partition(":")
    number = rest.partition(".")[0]
    if host not in {"", "unix"} or not number.isdecimal():
        return True
    path = sockets / f"X{number}"
    # Linux' abstract name first, which servers without a file use.
    return _listens(f"\0{path}") or _listens(str(path))


def lets_in(display: str) -> bool:
    """Return whether an X server takes this user's programs: after ``su``, the key of who is logged in is not there.

    The connection stays: a server without a desktop begins anew when its only program leaves, and Qt would meet that.
    Source: libxcb's manual, xcb_connect and xcb_connection_has_error; Xserver's manual, ``-noreset``.
    """
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:  # under another name; Qt's own library was found
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    for wait_s in _RESET_WAITS_S:
        time.sleep(wait_s)
        link = ctypes.c_void_p(xcb.xcb_connect(display.encode(errors="surrogateescape"), None))
        if not xcb.xcb_connection_has_error(link):
            return True  # and stay connected: Qt comes next
    return False


def _is_wayland(display: str, environment: Mapping[str, str]) -> bool:
    """Return whether a Wayland compositor listens; a name that is no path lies in the user's runtime folder.

    Source: Wayland's manual, wl_display_connect.
    """
    return _listens(str(Path(environment.get("XDG_RUNTIME_DIR", ""), display)))


def _listens(address: str) -> bool:
    """Return whether a server takes connections at an address on this computer."""
    if sys.platform == "win32":  # it has no such addresses
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as link:
        link.settimeout(_CONNECT_TIMEOUT_S)
        try:
            link.connect(address)
        except OSError:
            return False
    return True


def platforms() -> set[str]:
    """Return the names of the window systems that this Qt has a plugin for."""
    from PySide6.QtCore import QLibraryInfo

    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms")
    found = {path.stem.removeprefix("libq") for path in folder.glob("libq*.so")}
    found -= {"vkkhrdisplay"}  # it opens, and shows what Vulkan draws, which no window of ours is
    return found | ({"wayland-egl"} if "wayland" in found else set())


def missing_library() -> str | None:
    """Return the first library that Qt's X11 plugin needs and the system lacks; None where all are there.

    Check: ``ldd …/PySide6/Qt/plugins/platforms/libqxcb.so | grep 'not found'``
    """
    from PySide6.QtCore import QLibraryInfo

    plugin = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath), "platforms", "libqxcb.so")
    if not plugin.exists():
        return None
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return str(error).partition(":")[0]
    return None


def drawing_problem(*, has_screen: bool, has_letters: bool, language: Language) -> str | None:
    """Return that Qt has no screen, or no font with letters, with the way out; None where it has both."""
    _ = language.gettext
    if not has_screen:
        text = _("No window can be opened here: there is no screen.")
    elif not has_letters:
        text = _("No window can be opened here: the system has no font (on Debian, install fonts-dejavu-core).")
    else:
        return None
    return text + " " + _("Without a window: advisor --report")
