"""Measure the live page beside other monitors that show the same computer at the same rate, and what it grows by.

Three tables: processor time of this window's live page, of ``glances`` (from PyPI, in an environment of its own under
``build``) and of ``btop`` (Debian's), each alone, in turn, over the same time; memory over many refreshes; and a
measurement with the window open against one without it. Run it on an idle computer: ``python tools/bench_monitors.py``;
``--quick`` is short and leaves the measurement out. No test asserts a time.
"""

import argparse
import contextlib
import json
import os
import pty
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
sys.path.insert(0, str(ROOT / "tools"))
WARM_UP_S = 6.0
RATE_S = 1.0
COLUMNS, LINES = 160, 50

LIVE = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from advisor.gui import application
from advisor.gui.core import core_services
from advisor.gui.settings import Settings
app = application.make_application([])
settings = Settings(path=Path(sys.argv[1]), language_code="en", theme="light", interval_s=float(sys.argv[2]))
window = application.open_window(app, core_services(), settings)
QTimer.singleShot(2000, lambda: window.open_page("live"))
app.exec()
"""

GROWTH = """
import gc, json, sys, threading, time
from pathlib import Path
import psutil
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QWidget
from advisor.gui import application
from advisor.gui.core import core_services
from advisor.gui.settings import Settings
turns = int(sys.argv[2])
app = application.make_application([])
settings = Settings(path=Path(sys.argv[1]), language_code="en", theme="light", interval_s=5.0)
window = application.open_window(app, core_services(), settings)
process = psutil.Process()

def state():
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return {
        "rss_bytes": process.memory_info().rss,
        "threads": process.num_threads(),
        "widgets": len(window.findChildren(QWidget)),
        "timers": len(window.findChildren(QTimer)),
    }

def begin():
    window.open_page("live")
    window.monitor.stop()
    window.monitor.wait()
    page = window.pages["live"]
    monitor = core_services().make_monitor()
    clock = [time.monotonic()]
    monitor._clock = lambda: clock[0]
    found = []
    for turn in range(turns + 1):
        # A second for each refresh: after an hour's worth the timeline is full, and nothing may grow any more.
        clock[0] += 1.0
        sample = monitor.sample()
        window.monitor.timeline.append(sample)
        window.monitor.history.append(sample)
        page.refresh()
        app.processEvents()
        if turn % max(1, turns // 10) == 0:
            found.append(state())
    monitor.close()
    print(json.dumps(found), flush=True)
    window.close()
    app.quit()

QTimer.singleShot(2500, begin)
app.exec()
"""


def environment() -> dict[str, str]:
    """Return the variables every measured program gets."""
    made = {**os.environ, "LANGUAGE": "en_US", "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}
    made.setdefault("QT_QPA_PLATFORM", "offscreen")
    made["XDG_CONFIG_HOME"] = str(BUILD / "bench-config")  # nobody's own settings change what is compared
    return made | {"COLUMNS": str(COLUMNS), "LINES": str(LINES)}


def run(code: str, *arguments: str) -> Any:
    """Run a program in a fresh process and return the JSON it printed last."""
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=False)
    if done.returncode != 0 or not done.stdout.strip():
        raise SystemExit(f"The measured program failed ({done.returncode}):\n{done.stderr[-2000:]}")
    return json.loads(done.stdout.strip().splitlines()[-1])


def main() -> int:
    """Measure and print three tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short, and without the measurement")
    arguments = parser.parse_args()
    span_s, rounds, turns = (10.0, 1, 500) if arguments.quick else (30.0, 3, 10_000)
    BUILD.mkdir(exist_ok=True)
    settings = BUILD / "bench-monitors.ini"
    try:
        compare_monitors(settings, span_s, rounds)
        show_growth(settings, turns)
        if not arguments.quick:
            compare_measurements(settings)
    finally:
        settings.unlink(missing_ok=True)
    return 0


# --- beside other monitors ---


def compare_monitors(settings: Path, span_s: float, rounds: int) -> None:
    """Print the processor time of each monitor, and ratios."""
    from bench_window import print_table

    commands: dict[str, list[str] | str] = {
        "advisor, live page": [sys.executable, "-c", LIVE, str(settings), str(RATE_S)],
        "glances": glances_command(),
        "btop": btop_command(),
    }
    found: dict[str, list[float]] = {name: [] for name in commands}
    for _round in range(rounds):
        for name, command in commands.items():
            share = processor_share(command, span_s) if isinstance(command, list) else None
            if share is not None:
                found[name].append(share)
    own = statistics.median(found["advisor, live page"])
    rows: list[tuple[str, ...]] = []
    for name, command in commands.items():
        if not found[name]:
            rows.append((name, command if isinstance(command, str) else "left out: it ended by itself", "", ""))
            continue
        share = statistics.median(found[name])
        is_own = name.startswith("advisor")
        rows.append((name, f"{100 * share:.2f} %", "" if is_own else f"{own / share:.2f}", "" if is_own else "below 1"))
    print_table((f"monitor, a sample every {RATE_S:g} s", "CPU of one core", "ours / theirs", "aim"), rows)
    print()


def processor_share(command: list[str], span_s: float) -> float | None:
    """Run a program in a terminal of its own and return the processor time of it and its children over the time.

    None where it does not stay.
    """
    with in_terminal(command) as process:
        time.sleep(WARM_UP_S)
        before, began_s = busy_s(process), time.monotonic()
        time.sleep(span_s)
        if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
            return None
        return (busy_s(process) - before) / (time.monotonic() - began_s)


@contextlib.contextmanager
def in_terminal(command: list[str]) -> Iterator[psutil.Process]:
    """Yield a program that has a terminal to draw on, whose output is read and dropped; it is ended afterwards."""
    import fcntl
    import struct
    import termios
    import threading

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(), close_fds=True)
    os.close(theirs)

    def drain() -> None:
        with contextlib.suppress(OSError):  # the terminal is gone once the program is
            while os.read(ours, 65_536):
                pass

    reader = threading.Thread(target=drain)
    reader.start()
    try:
        yield psutil.Process(child.pid)
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        reader.join(5)
        os.close(ours)


def busy_s(process: psutil.Process) -> float:
    """Return the processor time of a program and those it started, so far."""
    total = 0.0
    for one in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = one.cpu_times()
            total += times.user + times.system
    return total


def glances_command() -> list[str] | str:
    """Return how to start glances, in an environment of its own, or why it is not there."""
    folder = BUILD / "glances"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        made = subprocess.run([sys.executable, "-m", "venv", str(folder)], capture_output=True, check=False)
        if made.returncode != 0:
            return "left out: no environment could be made for it"
    probe = subprocess.run([str(python), "-c", "import glances"], capture_output=True, check=False)
    if probe.returncode != 0:
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "glances"]
        if subprocess.run(pip, capture_output=True, check=False).returncode != 0:
            return "left out: it could not be fetched from PyPI"
    return [str(python), "-m", "glances", "--time", f"{RATE_S:g}", "--disable-check-update"]


def btop_command() -> list[str] | str:
    """Return how to start btop at the same rate, or why it is not there."""
    if shutil.which("btop") is None and not install_btop():
        return "left out: not installed, and only root can (Debian: apt-get install btop)"
    folder = BUILD / "bench-config" / "btop"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "btop.conf").write_text(f"update_ms = {round(1000 * RATE_S)}\n", encoding="utf-8")
    return ["btop", "--utf-force"]


def install_btop() -> bool:
    """Fetch btop where that is allowed."""
    if shutil.which("apt-get") is None or getattr(os, "geteuid", lambda: 1)() != 0:
        return False
    command = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "btop"]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(command, env=quiet, capture_output=True, check=False)
    return done.returncode == 0 and shutil.which("btop") is not None


# --- growth ---


def show_growth(settings: Path, turns: int) -> None:
    """Print memory, threads, widgets and timers over many refreshes."""
    from bench_window import MIB, print_table

    found = run(GROWTH, str(settings), str(turns))
    rows: list[tuple[str, ...]] = []
    for number, state in enumerate(found):
        done = number * max(1, turns // 10)
        cells = (f"{state['rss_bytes'] / MIB:.1f}", *(f"{state[name]}" for name in ("threads", "widgets", "timers")))
        rows.append((f"{done}", *cells))
    print_table(("refreshes", "memory, MiB", "threads", "widgets", "timers"), rows)
    # The timeline holds an hour, 3,600 samples here: what is added after it was filled would be a leak.
    full = [state for number, state in enumerate(found) if number * (turns // 10) >= 4000]
    if len(full) > 1:
        grown = (full[-1]["rss_bytes"] - full[0]["rss_bytes"]) / MIB
        print(f"after the hour was full: {grown:+.1f} MiB over {(len(full) - 1) * (turns // 10)} refreshes (aim: none)")
    print()


# --- a measurement with the window open ---

CHECK = """
import json, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from advisor.gui import application
from advisor.gui.core import core_services
from advisor.gui.settings import Settings
app = application.make_application([])
settings = Settings(
    path=Path(sys.argv[1]), language_code="en", theme="light", interval_s=1.0, notifies=False, warns_before=False
)
window = application.open_window(app, core_services(), settings)

def done():
    benchmark = window.report.benchmark if window.report is not None else None
    ends = benchmark.measurements if benchmark is not None else ()
    print(json.dumps({one.case.id: one.median_s for one in ends}), flush=True)
    window.close()
    app.quit()

def begin():
    window.open_page("live")
    window.stopped.connect(lambda: QTimer.singleShot(500, done))
    window.start_check()

QTimer.singleShot(4000, begin)
app.exec()
"""

HEADLESS = """
import json
from advisor.catalog import presets
from advisor.session import run_session
from advisor.session.request import Request
report = run_session(Request(workload=presets()[0].workload), lambda event: None)
print(json.dumps({one.case.id: one.median_s for one in report.benchmark.measurements}), flush=True)
"""


def compare_measurements(settings: Path, rounds: int = 2) -> None:
    """Print how much slower cases are while the window's graphs are drawn; in turn, each in a fresh process."""
    from bench_window import print_table

    with_window: dict[str, list[float]] = {}
    without: dict[str, list[float]] = {}
    for _round in range(rounds):
        for found, code in ((with_window, CHECK), (without, HEADLESS)):
            arguments = (str(settings),) if code is CHECK else ()
            for case, median_s in run(code, *arguments).items():
                found.setdefault(case, []).append(median_s)
    ratios = {case: min(with_window[case]) / min(without[case]) - 1 for case in without if case in with_window}
    rows: list[tuple[str, ...]] = [(case, f"{100 * ratio:+.1f} %") for case, ratio in ratios.items()]
    print_table(("case, window open against headless", "slower by"), rows)
    if ratios:
        print(f"median over cases: {100 * statistics.median(ratios.values()):+.2f} % (aim: below 2 %)")


if __name__ == "__main__":
    sys.exit(main())
