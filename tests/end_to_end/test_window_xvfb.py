"""The real window on a real (virtual) screen: clicked with a mouse, measured for real, looked at as a picture.

Needs Xvfb, xdotool and ImageMagick's ``import``; a window manager (openbox) is used where there is one. The pictures
are kept under ``build/screenshots``, or the folder that ADVISOR_SCREENSHOTS names, so that a user can look at them.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from advisor.gui.app.navigation import TITLES
from advisor.gui.base.theme import THEMES, load_theme
from advisor.locale import Language, language
from advisor.wire import read_report
from tests.end_to_end.screen import MANAGER, NEEDED, ROOT, Screen, colours

MISSING = [name for name in NEEDED if shutil.which(name) is None]
CHECK_TIMEOUT_S = 300
WAIT_S = 120
END_S = 120

pytestmark = [
    pytest.mark.torch,
    pytest.mark.timeout(1200),  # a check takes a minute, and a busy computer long for each picture
    pytest.mark.skipif(bool(MISSING), reason=f"needs {', '.join(MISSING)} (Debian: xvfb xdotool imagemagick)"),
    pytest.mark.skipif(sys.platform != "linux", reason="needs an X server"),
]


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
    if MANAGER is not None:
        manager = subprocess.Popen(
            [MANAGER], env={**os.environ, "DISPLAY": name}, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
    yield name
    for process in (manager, server):
        if process is not None:
            process.terminate()
            process.wait(timeout=END_S)


@pytest.fixture
def screen(display: str, tmp_path: Path, warm: str) -> Iterator[Screen]:
    """Return the program's window on a virtual screen."""
    made = Screen(display, tmp_path, warm)
    yield made
    made.end()


def open_page(screen: Screen, page: str, spoken: Language) -> None:
    """Click on a page in the list at the left edge, and wait until it is open."""
    screen.click(spoken.gettext(TITLES[page]))
    screen.wait_until(lambda: screen.is_kind_shown(f"{page.capitalize()}Page"), WAIT_S, f"page {page}")


def walk(screen: Screen, name: str, spoken: Language) -> None:
    """Keep a picture of every page; none is empty."""
    for number, page in enumerate(TITLES, start=1):
        open_page(screen, page, spoken)
        assert colours(screen.settled_picture(f"{name}-{number}-{page}")) > 50, page


def wear(screen: Screen, theme: str, spoken: Language) -> None:
    """Choose how the window looks on the page of the settings, and wait until its ground has that colour."""
    screen.choose(spoken.gettext("Appearance"), "Home", *["Down"] * THEMES.index(theme))
    wanted = load_theme(theme).colours["window"].upper()
    screen.wait_until(lambda: ground(screen.picture(f"wearing-{theme}")) == wanted, WAIT_S, f"the {theme} theme")


def ground(path: Path) -> str:
    """Return the colour above the title of a page."""
    done = subprocess.run(
        ["convert", str(path), "-crop", "1x1+700+6", "-depth", "8", "-format", "#%[hex:p{0,0}]", "info:"],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    return done.stdout[:7].upper()


def begin_check(screen: Screen, keys: str) -> list[psutil.Process]:
    """Begin a check and return its measuring processes."""
    screen.key(keys)
    screen.wait_until(screen.workers, WAIT_S, "the measuring process")
    return screen.workers()


def close_in_mid_run(screen: Screen, keys: str) -> None:
    """Begin a check and close the window in the middle of it: it ends in order, and no process is left."""
    workers = begin_check(screen, keys)
    screen.key("ctrl+q")
    assert screen.program.wait(timeout=END_S) == 0
    _gone, alive = psutil.wait_procs(workers, timeout=END_S)
    assert alive == []
    assert "Traceback" not in screen.error_text()


def measure(screen: Screen) -> None:
    """Choose a card, check the computer for real, look at it measuring, and wait for the verdict."""
    english = language("en")
    assert colours(screen.settled_picture("1-first-screen")) > 100
    screen.click("Classify my photos")
    screen.click("Check my computer")
    screen.wait_until(screen.workers, WAIT_S, "the measuring process")
    screen.picture("2-running")
    open_page(screen, "measure", english)
    screen.settled_picture("3-measuring")
    open_page(screen, "live", english)
    screen.settled_picture("4-live")
    open_page(screen, "advice", english)
    screen.wait_until(lambda: screen.is_there("Save or share …"), CHECK_TIMEOUT_S, "the verdict")
    assert not screen.workers()
    assert colours(screen.settled_picture("5-verdict")) > 100


def ask_what_if(screen: Screen) -> None:
    """Want it sooner, and get another answer without another measurement."""
    before = screen.words()
    screen.choose("Finished within", "Home")
    screen.wait_until(lambda: screen.words() != before, WAIT_S, "another answer")
    assert not screen.workers()
    screen.settled_picture("6-what-if")


def export(screen: Screen) -> None:
    """Look at what a report would hold, save it with the mouse, and read the file as another computer would."""
    file = screen.home / "kept.json"
    screen.click("Save or share …")
    screen.wait_for_window("Save or share")
    screen.click("All data (JSON)")
    screen.settled_picture("7-share", of_screen=True)
    screen.click("Save …")
    screen.wait_for_window("Save the report")
    screen.key("ctrl+a")
    screen.type(str(file))
    screen.key("Return")
    screen.wait_until(lambda: screen.has("Saved as kept.json."), WAIT_S, "the report in its file")
    screen.click("Close")
    assert read_report(file).benchmark is not None
    assert str(Path.home()) not in file.read_text(encoding="utf-8")


def test_from_the_first_screen_to_the_verdict_and_spanish(screen: Screen) -> None:
    """Choose a card, measure for real, ask what if, export, look back, walk all pages in every theme and language.

    Not in each theme of each language: what a text does to a page depends on no theme. At the end a second check is
    begun and the window closed in the middle of it.
    """
    english, spanish = language("en"), language("es")
    measure(screen)
    ask_what_if(screen)
    export(screen)
    open_page(screen, "history", english)
    screen.wait_until(lambda: "Open" in screen.words(), WAIT_S, "the check in the history")
    assert list((screen.home / "data").rglob("*.sqlite*")), "no history was kept"
    walk(screen, "8-en-light", english)
    wear(screen, "dark", english)
    walk(screen, "8-en-dark", english)

    screen.choose("Language", "End")
    screen.wait_until(lambda: screen.title() == spanish.gettext("Is my computer enough?"), WAIT_S, "Spanish")
    wear(screen, "contrast", spanish)
    walk(screen, "9-es-contrast", spanish)
    close_in_mid_run(screen, "F5")


def test_a_crash_is_said_at_the_next_start(display: str, tmp_path: Path) -> None:
    """A window that dies of a fault leaves a log; the next start shows a card with it, the one after does not."""
    calm = Screen(display, tmp_path)
    calm.program.send_signal(signal.SIGSEGV)
    calm.program.wait(timeout=END_S)
    calm.end()
    assert len(list((tmp_path / "state").rglob("fault-*.txt"))) == 1

    for start, is_said in (("after-a-crash", True), ("after-that", False)):
        again = Screen(display, tmp_path)
        try:
            if is_said:
                wait_for_problem(again)
            shown = again.settled_picture(start)
            logs = list((tmp_path / "state").rglob("crash-*.txt"))
            assert len(logs) == 1
            assert "Segmentation fault" in logs[0].read_text(encoding="utf-8")
            assert shows_problem(shown) is is_said
            again.key("ctrl+q")
            assert again.program.wait(timeout=END_S) == 0
        finally:
            again.end()  # a window left open would cover the next test's
    assert not list((tmp_path / "state").rglob("fault-*.txt"))


def wait_for_problem(screen: Screen) -> None:
    """Wait until the card of a problem is seen."""
    screen.wait_until(lambda: shows_problem(screen.picture("problem")), WAIT_S, "the card of a problem")


def shows_problem(path: Path) -> bool:
    """Return whether the card of a problem is on a picture: the ground of one, by the light theme, at its head."""
    done = subprocess.run(
        ["convert", str(path), "-format", "%[pixel:p{700,40}]", "info:"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return "253,236,234" in done.stdout


def test_closing_in_mid_run_leaves_no_process(screen: Screen) -> None:
    """A window closed while it measures for the first time ends its worker too."""
    close_in_mid_run(screen, "ctrl+Return")


def test_an_interrupt_closes_the_window(screen: Screen) -> None:
    """Ctrl+C in the terminal closes the window in an orderly way."""
    screen.program.send_signal(signal.SIGINT)

    assert screen.program.wait(timeout=END_S) == 0


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
        timeout=240,
        check=False,
    )

    assert done.returncode == 1
    assert done.stderr.strip() == "No window can be opened here: there is no screen. Without a window: advisor --report"
