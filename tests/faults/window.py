"""Faults of the window, opened on no screen or on a virtual one that goes away."""

from tests.faults.fault import Fault

_DEEP = "python3 -c \"print('[General]\\ntheme=' + '@' * 40000000)\""


def _settings(content: str) -> str:
    return f"mkdir -p $settings; printf '[General]\\n{content}\\n' > $settings/window.ini; window TERM"


WINDOW = (
    Fault("ended by TERM", "window TERM && ! ls $logs/fault-*", (0,), is_quick=True),
    Fault("ended by HUP", "window HUP"),
    Fault("ended by INT", "window INT"),
    Fault("killed", "window KILL", (137,)),
    Fault("settings: unknown kind", _settings(r"theme=@Variant(\\0\\0\\0\\x7f\\x1a\\x2b\\x3c)"), is_quick=True),
    Fault("settings: a picture", _settings(r"theme=@Variant(\\0\\0\\0\\x41)")),
    Fault("settings: a picture as geometry", _settings(r"geometry=@Variant(\\0\\0\\0\\x41)")),
    Fault("settings: bytes", "mkdir -p $settings; head -c 9999 /dev/urandom > $settings/window.ini; window TERM"),
    Fault("settings: 40 MB", f"mkdir -p $settings; {_DEEP} > $settings/window.ini; window TERM"),
    Fault("settings: a folder", "mkdir -p $settings/window.ini; window TERM"),
    Fault("settings: a pipe", "mkdir -p $settings; mkfifo $settings/window.ini; window TERM"),
    Fault("history: bytes", "mkdir -p $data; head -c 9999 /dev/urandom > $data/history.sqlite3; window TERM"),
    Fault("history: a folder", "mkdir -p $data/history.sqlite3; window TERM"),
    Fault(
        "no log folder",
        "mkdir -p $HOME/.local/state; echo > $HOME/.local/state/advisor; window TERM",
    ),
    Fault("a window system nobody knows", "QT_QPA_PLATFORM=nonsense advisor", (1,), "nonsense", is_quick=True),
    Fault("a framebuffer that is not there", "QT_QPA_PLATFORM=linuxfb:fb=/nowhere advisor", (1,), "there is no screen"),
    *(
        Fault(
            f"{name} without a device",  # with one it would open, and wait
            f"[ ! -e /dev/dri ] || {{ echo PLATFORM is {name}; exit 1; }}; QT_QPA_PLATFORM={name} advisor",
            (1,),
            f"PLATFORM is {name[:5]}",
            is_quick=name == "eglfs",
        )
        for name in ("eglfs", "minimalegl", "eglfs:x=1", "vkkhrdisplay")
    ),
    Fault("no screen", "QT_QPA_PLATFORM= advisor", (1,), "there is no screen"),
    Fault("a screen of nobody", "QT_QPA_PLATFORM= DISPLAY=:4711 advisor", (1,), "does not answer"),
    Fault("xcb without a screen", "QT_QPA_PLATFORM=xcb advisor", (1,), "there is no screen"),
    Fault("streams closed", "window TERM <&- >&- 2>&-"),
    Fault(
        "the X server ends",
        "Xvfb :4177 -nolisten tcp > /dev/null 2>&1 & server=$!; sleep 1;"
        " (sleep 8; kill $server) & QT_QPA_PLATFORM=xcb DISPLAY=:4177 advisor",
        (0, 1),
    ),
    *(
        Fault(f"INT after {time} s", f"struck INT {time} env QT_QPA_PLATFORM=offscreen advisor", (0, 130, -2))
        for time in (0.1, 0.3, 0.5, 0.8, 1.0, 1.3, 1.7, 2.2)
    ),
)
