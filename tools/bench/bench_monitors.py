"""Measure the live page beside other monitors that show the same computer at the same rate, and what it grows by.

Three tables: processor time of this window's live page, of ``glances`` (from PyPI, in an environment of its own under
``build``) and of ``btop`` (Debian's), all at once over the same time; memory over many refreshes; and measurements with
the window open against those without it, in turn. Run it on an idle computer: ``python tools/bench/bench_monitors.py``,
three minutes; ``--quick`` takes half a minute and leaves the measurements out. No test asserts a time.
"""

import argparse
import contextlib
import os
import pty
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
from bench_face import BUILD, MIB, environment, run
from bench_table import Row, show

WARM_UP_S = 8.0
RATE_S = 1.0
COLUMNS, LINES = 160, 50
OURS = "advisor, live page"
STEPS = 10
FULL = 4000
NO_GROWTH_BYTES = MIB
"""What comes and goes with the trimming of the timeline; over thousands of refreshes a leak is more."""
COUNTED = ("threads", "widgets", "timers")
ROUNDS = 3
MOST_SLOWER_RATIO = 0.02

LIVE = """
import sys
from PySide6.QtCore import QTimer
from bench_face import open_face
app, window = open_face(float(sys.argv[1]))
QTimer.singleShot(2000, lambda: window.stack.open("live"))
app.exec()
"""

GROWTH = """
import gc, json, sys, time
import psutil
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QWidget
from bench_face import open_face
turns, step = int(sys.argv[1]), int(sys.argv[2])
app, window = open_face()
process = psutil.Process()

def state(spent_s):
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return {
        "rss_bytes": process.memory_info().rss,
        "threads": process.num_threads(),
        "widgets": len(window.findChildren(QWidget)),
        "timers": len(window.findChildren(QTimer)),
        "refresh_s": spent_s / step,
    }

def begin():
    window.stack.open("live")
    window.controllers.sensor_thread.stop()
    window.controllers.sensor_thread.wait()
    page = window.stack.pages["live"]
    monitor = window.controllers.backend.make_monitor()
    clock = [time.monotonic()]
    monitor._clock = lambda: clock[0]
    found, began_s = [], time.thread_time()
    for turn in range(turns + 1):
        # A second for each refresh: after an hour's worth the timeline is full, and nothing may grow any more.
        clock[0] += 1.0
        sample = monitor.sample()
        window.controllers.sensor_thread.timeline.append(sample)
        window.controllers.sensor_thread.latest = sample
        page.refresh()
        app.processEvents()
        if turn % step == 0:
            found.append(state(time.thread_time() - began_s))
            began_s = time.thread_time()
    monitor.close()
    print(json.dumps(found), flush=True)
    window.close()
    app.quit()

QTimer.singleShot(2500, begin)
app.exec()
"""


def main() -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="short, and without the measurements")
    arguments = parser.parse_args()
    span_s, turns = (10.0, 1000) if arguments.quick else (30.0, 10_000)
    BUILD.mkdir(exist_ok=True)
    show(f"a sample every {RATE_S:g} s, over {span_s:g} s: CPU of one core", monitor_rows(span_s))
    show("live page, refreshes one after the other", growth_rows(turns))
    if not arguments.quick:
        show(f"with the window open against without, best of {ROUNDS} in turn", measurement_rows())
    return 0


# --- beside other monitors ---


def monitor_rows(span_s: float) -> Iterator[Row]:
    """Yield the processor time of each monitor, and ratios."""
    commands: dict[str, list[str] | str] = {
        OURS: [sys.executable, "-c", LIVE, str(RATE_S)],
        "glances": glances_command(),
        "btop": btop_command(),
    }
    shares = processor_shares({name: one for name, one in commands.items() if isinstance(one, list)}, span_s)
    own = shares[OURS]
    if own is None:
        raise SystemExit("The window did not stay open.")
    for name, command in commands.items():
        share = shares.get(name)
        if share is None:
            yield Row(name, command if isinstance(command, str) else "left out: it ended by itself")
        elif name == OURS:
            yield Row(name, f"{100 * share:.2f} %")
        else:
            yield Row(name, f"{100 * share:.2f} %, ours {own / share:.2f}x", "ours below 1x", own < share)


def processor_shares(commands: dict[str, list[str]], span_s: float) -> dict[str, float | None]:
    """Run programs beside each other, each in a terminal, and return their processor time over the time.

    None for one that does not stay. They see the same computer at the same moments, and together take a few hundredths
    of a core, so that none is in another's way.
    """
    with contextlib.ExitStack() as stack:
        programs = {name: stack.enter_context(in_terminal(command)) for name, command in commands.items()}
        time.sleep(WARM_UP_S)
        before, began_s = {name: busy_s(program) for name, program in programs.items()}, time.monotonic()
        time.sleep(span_s)
        passed_s = time.monotonic() - began_s
        return {
            name: (busy_s(program) - before[name]) / passed_s if stays(program) else None
            for name, program in programs.items()
        }


def stays(program: psutil.Process) -> bool:
    """Return whether a program still runs."""
    return bool(program.is_running() and program.status() != psutil.STATUS_ZOMBIE)


@contextlib.contextmanager
def in_terminal(command: list[str]) -> Iterator[psutil.Process]:
    """Yield a program that has a terminal to draw on, whose output is read and dropped; it is ended afterwards."""
    import fcntl
    import struct
    import termios
    import threading

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    variables = environment(TERM="xterm-256color", COLUMNS=str(COLUMNS), LINES=str(LINES))
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=variables, close_fds=True)
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
            exact = scheduled_s(one.pid)
            times = one.cpu_times()
            total += times.user + times.system if exact is None else exact
    return total


def scheduled_s(pid: int) -> float | None:
    """Return the time a program's threads were on a processor, to the nanosecond; None where the kernel counts it not.

    The usual count goes in steps of 10 ms, too coarse for a few of them a second.
    Source: Linux kernel, Documentation/scheduler/sched-stats.rst, /proc/<pid>/schedstat.
    """
    tasks = Path("/proc") / str(pid) / "task"
    try:
        spent_ns = [int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks.iterdir()]
    except OSError:
        return None
    return sum(spent_ns) * 1e-9


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
    folder = Path(environment()["XDG_CONFIG_HOME"]) / "btop"
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


def growth_rows(turns: int) -> Iterator[Row]:
    """Yield memory, threads, widgets and timers over many refreshes."""
    step = turns // STEPS
    found = run(GROWTH, str(turns), str(step))
    for number, state in enumerate(found):
        counts = ", ".join(f"{state[name]} {name}" for name in COUNTED)
        refresh = f", {1000 * state['refresh_s']:.2f} ms each" if number else ""
        yield Row(f"after {number * step}", f"{state['rss_bytes'] / MIB:.1f} MiB, {counts}{refresh}")
    # The timeline holds an hour, 3,600 samples here: what is added after it was filled would be a leak.
    full = [state for number, state in enumerate(found) if number * step >= FULL]
    if len(full) > 1:
        grown_bytes = full[-1]["rss_bytes"] - full[0]["rss_bytes"]
        is_steady = grown_bytes < NO_GROWTH_BYTES and all(full[-1][name] <= full[0][name] for name in COUNTED)
        what = f"growth over the last {(len(full) - 1) * step}"
        yield Row(what, f"{grown_bytes / MIB:+.1f} MiB", f"below {NO_GROWTH_BYTES / MIB:g} MiB", is_steady)


# --- measurements with the window open ---

WITH_WINDOW = """
from PySide6.QtCore import QTimer
from bench_face import measure_and_say, open_face
app, window = open_face(1.0, measure_and_say)

def end():
    window.close()
    app.quit()

def begin():
    window.stack.open("live")
    window.check_flow.ended.connect(lambda: QTimer.singleShot(100, end))
    window.check_flow.start_quick()

QTimer.singleShot(3000, begin)
app.exec()
"""

HEADLESS = """
import json
from bench_face import measure
print(json.dumps(measure()), flush=True)
"""


def measurement_rows() -> Iterator[Row]:
    """Yield how much slower cases are while the window's graphs are drawn; in turn, each in a fresh process."""
    with_window: dict[str, list[float]] = {}
    without: dict[str, list[float]] = {}
    for number in range(ROUNDS):
        turn = [(with_window, WITH_WINDOW), (without, HEADLESS)]
        for found, code in turn if number % 2 == 0 else reversed(turn):
            for case, median_s in run(code).items():
                found.setdefault(case, []).append(median_s)
    ratios = {case: min(with_window[case]) / min(without[case]) - 1 for case in without if case in with_window}
    for case, ratio in ratios.items():
        scatter = max(without[case]) / min(without[case]) - 1
        yield Row(case, f"{100 * ratio:+.1f} % slower, scatter {100 * scatter:.1f} %")
    middle = statistics.median(ratios.values())
    yield Row(
        "window open, median over cases", f"{100 * middle:+.2f} % slower", "below 2 %", middle < MOST_SLOWER_RATIO
    )


if __name__ == "__main__":
    sys.exit(main())
