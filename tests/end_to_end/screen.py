"""A virtual screen with the program's window on it, and a user before it: looks, clicks, types, waits."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
PICTURES = Path(os.environ.get("ADVISOR_SCREENSHOTS", ROOT / "build" / "screenshots"))
MANAGER = shutil.which("openbox")
NEEDED = ("Xvfb", "xdotool", "import", "identify", "convert")
START_TIMEOUT_S = 120
ANSWER_TIMEOUT_S = 120
SETTLE_TIMEOUT_S = 3
LOOK_S = 0.2
"""Between two looks."""

_MARGIN = ("1185", "700")
"""Where a page has nothing that would take the wheel for itself."""

Control = dict[str, Any]


class Screen:
    """The program's window, as a user at the screen has it before them.

    Every wait is for something that is seen, with a time limit that a slow and busy machine keeps.
    """

    def __init__(self, display: str, home: Path, python: str = sys.executable) -> None:
        self.home = home
        self._place = home / "controls.json"
        self.environment = {
            **os.environ,
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_STATE_HOME": str(home / "state"),
            "LANGUAGE": "en_US",
        }
        # The machine of a test run is rarely idle, and its check must begin all the same.
        kept = home / "config" / "advisor"
        kept.mkdir(parents=True, exist_ok=True)
        (kept / "window.ini").write_text("[General]\nwarns_before=false\n", encoding="utf-8")
        self.program = subprocess.Popen(
            [sys.executable, ROOT / "tests" / "fakes" / "placed_window.py", self._place, python],
            cwd=ROOT,
            env=self.environment | {"PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        self.window = self.wait_for_window("Is my computer enough?")
        self.wait_until(lambda: self.has("Check my computer"), START_TIMEOUT_S, "the first screen")

    # --- looking ---

    def call(self, *command: str) -> str:
        """Run a command on this screen and return what it prints."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        return done.stdout.strip()

    def wait_for_window(self, title: str) -> str:
        """Return the window of a title, once it is there."""
        found: list[str] = []

        def look() -> bool:
            found[:] = self.call("xdotool", "search", "--onlyvisible", "--name", title).split()
            return bool(found)

        self.wait_until(look, START_TIMEOUT_S, f"window '{title}'")
        return found[-1]

    def title(self) -> str:
        """Return the window's title."""
        return self.call("xdotool", "getwindowname", self.window)

    def controls(self) -> list[Control]:
        """Return every control of the program that is seen; see ``placed_window``."""
        self._place.unlink(missing_ok=True)
        self.program.send_signal(signal.SIGUSR1)
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        while not self._place.exists():
            assert self.program.poll() is None, f"the program ended: {self.error_text()}"
            assert time.monotonic() < deadline, "the window does not answer"
            time.sleep(0.05)
        found: list[Control] = json.loads(self._place.read_text(encoding="utf-8"))
        return found

    def find(self, name: str) -> Control | None:
        """Return the control with a name or a text, if it can be used; None where there is none."""
        named = (one for one in self.controls() if name in {one["name"], one["text"].strip()})
        return next((one for one in named if one["is_enabled"] and one["is_seen"]), None)

    def has(self, name: str) -> bool:
        """Return whether a control can be used."""
        return self.find(name) is not None

    def is_there(self, name: str) -> bool:
        """Return whether a control could be used once the page is turned to it."""
        return any(name in {one["name"], one["text"].strip()} and one["is_enabled"] for one in self.controls())

    def words(self) -> str:
        """Return all words on the screen."""
        return "\n".join(one["text"] for one in self.controls() if one["text"])

    def is_kind_shown(self, kind: str) -> bool:
        """Return whether something of a class is seen."""
        return any(one["kind"] == kind for one in self.controls())

    def picture(self, name: str, *, of_screen: bool = False) -> Path:
        """Keep a picture of the window, or of the whole screen, and return its path."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        path = PICTURES / f"{name}.png"
        self.call("import", "-window", "root" if of_screen else self.window, str(path))
        return path

    def settled_picture(self, name: str, *, of_screen: bool = False) -> Path:
        """Keep a picture once nothing moves any more, or after a while where something always does."""
        deadline = time.monotonic() + SETTLE_TIMEOUT_S
        before = b""
        time.sleep(LOOK_S)
        while True:
            path = self.picture(name, of_screen=of_screen)
            now = path.read_bytes()
            if now == before or time.monotonic() > deadline:
                return path
            before = now
            time.sleep(LOOK_S)

    # --- doing ---

    def key(self, *keys: str) -> None:
        """Press keys, one after the other, in whichever of the program's windows is in front."""
        self.wait_until(self.has_keyboard, ANSWER_TIMEOUT_S, "the keyboard in one of the program's windows")
        self.call("xdotool", "key", "--delay", "80", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self.call("xdotool", "type", "--delay", "15", text)

    def click(self, name: str) -> None:
        """Click on a control with the mouse, once it stays where it is; the wheel brings it in sight."""
        found: Control | None = None

        def look() -> bool:
            nonlocal found
            before, found = found, self.find(name)
            if found is None and self.is_there(name):  # below what is seen of a long page
                self.call("xdotool", "mousemove", "--window", self.window, *_MARGIN)
                self.call("xdotool", "click", "5")
            return found is not None and found == before

        self.wait_until(look, ANSWER_TIMEOUT_S, f"'{name}'")
        assert found is not None
        self.call("xdotool", "mousemove", str(found["x"]), str(found["y"]))
        self.call("xdotool", "click", "1")

    def choose(self, name: str, *keys: str) -> None:
        """Choose from a list that opens: click on it, press keys, and Return."""
        self.click(name)
        time.sleep(0.5)  # the list opens
        self.key(*keys, "Return")

    def has_keyboard(self) -> bool:
        """Return whether keys reach the program: a window manager gives them to a new window a moment later."""
        if MANAGER is None:
            return True  # keys go to what is under the pointer
        window = self.call("xdotool", "getwindowfocus")
        return self.call("xdotool", "getwindowpid", window) == str(self.program.pid)

    # --- waiting ---

    def wait_until(self, is_so: Callable[[], object], timeout_s: float, what: str) -> None:
        """Wait for something to become true."""
        deadline = time.monotonic() + timeout_s
        while not is_so():
            assert self.program.poll() is None, f"the program ended while waiting for {what}: {self.error_text()}"
            if time.monotonic() > deadline:
                self.picture("timed-out", of_screen=True)
                raise AssertionError(f"{what} did not happen within {timeout_s} s")
            time.sleep(LOOK_S)

    # --- the processes ---

    def error_text(self) -> str:
        """Return what the program wrote on stderr; waits for its end."""
        return self.program.communicate(timeout=120)[1]

    def workers(self) -> list[psutil.Process]:
        """Return the measuring processes of this program."""
        try:
            return [child for child in psutil.Process(self.program.pid).children(recursive=True) if is_worker(child)]
        except psutil.NoSuchProcess:
            return []

    def end(self) -> None:
        """End the program, whatever it does."""
        if self.program.poll() is None:
            self.program.kill()
        self.program.communicate(timeout=120)


def is_worker(process: psutil.Process) -> bool:
    """Return whether a process measures."""
    try:
        return "--worker" in process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False


def colours(path: Path) -> int:
    """Return how many colours a picture has: an empty window has very few."""
    done = subprocess.run(
        ["identify", "-format", "%k", str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    return int(done.stdout)
