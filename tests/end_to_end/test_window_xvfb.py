"""The real window on a real (virtual) screen: clicked with a mouse, measured for real, looked at as a picture.

Needs Xvfb, xdotool and ImageMagick's ``import``; a window manager (openbox) is used where there is one. The
pictures are kept under ``build/screenshots`` so that a person can look at them.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "build" / "screenshots"
NEEDED = ("Xvfb", "xdotool", "import", "identify")
MISSING = [name for name in NEEDED if shutil.which(name) is None]
CHECK_TIMEOUT_S = 150
START_TIMEOUT_S = 60

pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)} (Debian: xvfb xdotool imagemagick)"),
    pytest.mark.skipif(sys.platform != "linux", reason="needs an X server"),
]


class Screen:
    """A virtual screen with the program's window on it."""

    def __init__(self, display: str, home: Path) -> None:
        self.home = home
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
            [sys.executable, "-m", "advisor"],
            cwd=ROOT,
            env=self.environment,
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        self.window = self._wait_for_window("Is my computer enough?")

    def call(self, *command: str) -> str:
        """Run a command on this screen and return what it prints."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=30, check=False)
        return done.stdout.strip()

    def _wait_for_window(self, title: str) -> str:
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            found = self.call("xdotool", "search", "--onlyvisible", "--name", title).split()
            if found:
                return found[-1]
            assert self.program.poll() is None, f"the program ended: {self.error_text()}"
            time.sleep(0.1)
        raise AssertionError(f"no window '{title}' within {START_TIMEOUT_S} s")

    def error_text(self) -> str:
        """Return what the program wrote on stderr; waits for its end."""
        return self.program.communicate(timeout=30)[1]

    def title(self) -> str:
        """Return the window's title."""
        return self.call("xdotool", "getwindowname", self.window)

    def key(self, keys: str) -> None:
        """Press keys in the window."""
        self.call("xdotool", "windowfocus", "--sync", self.window)
        self.call("xdotool", "key", "--window", "0", keys)

    def click(self, x: int, y: int) -> None:
        """Click at a place of the window."""
        self.call("xdotool", "mousemove", "--window", self.window, str(x), str(y))
        self.call("xdotool", "click", "1")

    def picture(self, name: str) -> Path:
        """Keep a picture of the window and return its path."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        path = PICTURES / f"{name}.png"
        self.call("import", "-window", self.window, str(path))
        return path

    def workers(self) -> list[psutil.Process]:
        """Return the measuring processes of this program."""
        try:
            return [child for child in psutil.Process(self.program.pid).children(recursive=True) if is_worker(child)]
        except psutil.NoSuchProcess:
            return []

    def wait_until(self, is_so: "object", timeout_s: float, what: str) -> None:
        """Wait for something to become true."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            if is_so():  # type: ignore[operator]  # a function without arguments
                return
            assert self.program.poll() is None, f"the program ended while waiting for {what}: {self.error_text()}"
            time.sleep(0.25)
        self.picture("timed-out")
        raise AssertionError(f"{what} did not happen within {timeout_s} s")

    def end(self) -> None:
        """End the program, whatever it does."""
        if self.program.poll() is None:
            self.program.kill()
        self.program.communicate(timeout=30)


def is_worker(process: psutil.Process) -> bool:
    """Say whether a process measures."""
    try:
        return "--worker" in process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False


def colours(path: Path) -> int:
    """Return how many colours a picture has: an empty window has very few."""
    done = subprocess.run(
        ["identify", "-format", "%k", str(path)], capture_output=True, text=True, timeout=30, check=True
    )
    return int(done.stdout)


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """Start a virtual screen that chooses its own number, with a window manager where there is one."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        name = f":{pipe.readline().strip()}"
    manager = None
    if shutil.which("openbox"):
        manager = subprocess.Popen(
            ["openbox"], env={**os.environ, "DISPLAY": name}, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
    yield name
    for process in (manager, server):
        if process is not None:
            process.terminate()
            process.wait(timeout=10)


@pytest.fixture
def screen(display: str, tmp_path: Path) -> Iterator[Screen]:
    """Return the program's window on a virtual screen."""
    made = Screen(display, tmp_path)
    yield made
    made.end()


PAGES = ("advice", "computer", "measure", "live", "options", "history", "sureness", "settings")


def walk(screen: Screen, name: str) -> None:
    """Keep a picture of every page; none is empty."""
    for number, page in enumerate(PAGES, start=1):
        screen.key(f"ctrl+{number}")
        time.sleep(1.5)
        assert colours(screen.picture(f"{name}-{number}-{page}")) > 50, page


def differ(first: Path, second: Path) -> bool:
    """Say whether two pictures of the window are not the same."""
    return first.read_bytes() != second.read_bytes()


def test_from_the_first_screen_to_the_verdict_and_spanish(screen: Screen) -> None:
    """Choose a card, measure for real, read the verdict, ask what if, look at every page, in Spanish and dark too.

    At the end a second check is begun and the window closed in the middle of it: no process is left.
    """
    time.sleep(2.0)
    assert colours(screen.picture("1-first-screen")) > 100
    screen.click(350, 180)  # the first card: learn with small networks
    screen.key("F5")
    screen.wait_until(screen.workers, 30, "the measuring process")
    screen.picture("2-running")
    screen.key("ctrl+3")
    time.sleep(6.0)
    screen.picture("3-measuring")
    screen.key("ctrl+4")
    time.sleep(3.0)
    screen.picture("4-live")
    screen.wait_until(lambda: not screen.workers(), CHECK_TIMEOUT_S, "the end of the check")
    time.sleep(4.0)
    screen.key("ctrl+1")
    time.sleep(1.5)
    verdict = screen.picture("5-verdict")
    assert colours(verdict) > 100
    screen.click(640, 128)  # how soon: the list of the job's line
    screen.key("Home")
    screen.key("Return")
    time.sleep(1.5)
    assert differ(verdict, screen.picture("6-what-if")), "another deadline has changed nothing"
    walk(screen, "7-en-light")
    assert list((screen.home / "data").rglob("*.sqlite*")), "no history was kept"
    screen.key("ctrl+8")
    time.sleep(1.0)
    screen.key("Tab")
    screen.key("End")  # the last language of the list
    screen.wait_until(lambda: "?" in screen.title() and screen.title() != "Is my computer enough?", 10, "Spanish")
    walk(screen, "8-es-light")
    screen.key("Tab")
    screen.key("Tab")
    screen.key("Home")  # from the language to the theme
    light = screen.picture("9-es-before-dark")
    screen.key("Down")
    screen.key("Down")
    screen.wait_until(lambda: differ(light, screen.picture("9-es-dark-8-settings")), 20, "the dark theme")
    time.sleep(3.0)
    walk(screen, "9-es-dark")
    screen.key("F5")
    screen.wait_until(screen.workers, 30, "the second measuring process")
    workers = screen.workers()
    screen.key("ctrl+q")
    assert screen.program.wait(timeout=30) == 0
    _gone, alive = psutil.wait_procs(workers, timeout=5)
    assert alive == []
    assert "Traceback" not in screen.error_text()


def test_a_crash_is_said_at_the_next_start(display: str, tmp_path: Path) -> None:
    """A window that dies of a fault leaves a log; the next start shows a card with it, the one after does not."""
    calm = Screen(display, tmp_path)
    time.sleep(2.0)
    calm.program.send_signal(signal.SIGSEGV)
    calm.program.wait(timeout=30)
    calm.end()
    assert len(list((tmp_path / "state").rglob("fault-*.txt"))) == 1

    for start, is_said in (("after-a-crash", True), ("after-that", False)):
        again = Screen(display, tmp_path)
        try:
            time.sleep(2.0)
            again.picture(start)
            logs = list((tmp_path / "state").rglob("crash-*.txt"))
            assert len(logs) == 1
            assert "Segmentation fault" in logs[0].read_text(encoding="utf-8")
            assert shows_problem(PICTURES / f"{start}.png") is is_said
            again.key("ctrl+q")
            assert again.program.wait(timeout=30) == 0
        finally:
            again.end()  # a window left open would cover the next test's
    assert not list((tmp_path / "state").rglob("fault-*.txt"))


def shows_problem(path: Path) -> bool:
    """Say whether the card of a problem is on a picture: the ground of one, by the light theme, at its head."""
    done = subprocess.run(
        ["convert", str(path), "-format", "%[pixel:p{700,40}]", "info:"],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return "253,236,234" in done.stdout


def test_closing_in_mid_run_leaves_no_process(screen: Screen) -> None:
    """A window closed while it measures ends its worker too."""
    time.sleep(2.0)
    screen.key("ctrl+Return")
    screen.wait_until(screen.workers, 30, "the measuring process")
    workers = screen.workers()
    screen.key("ctrl+q")

    assert screen.program.wait(timeout=30) == 0
    gone, alive = psutil.wait_procs(workers, timeout=5)
    assert alive == []
    assert gone


def test_an_interrupt_closes_the_window(screen: Screen) -> None:
    """Ctrl+C in the terminal closes the window in an orderly way."""
    time.sleep(1.0)
    screen.program.send_signal(signal.SIGINT)

    assert screen.program.wait(timeout=20) == 0


def test_without_a_screen_there_is_one_sentence(tmp_path: Path) -> None:
    """Where no window can be opened, the program says so and names the headless way, and does not crash."""
    environment = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    environment |= {"QT_QPA_PLATFORM": "", "LANGUAGE": "en_US", "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "advisor"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr.strip() == "No window can be opened here: there is no screen. Without a window: advisor --report"
