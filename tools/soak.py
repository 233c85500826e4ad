"""Leave the window open for hours, and say whether it grows: memory, open files, threads, processes.

The live page paints all the time; every few minutes a check is begun and cancelled. Exit status 1 where something has
grown beyond its limit. What grows again and again is a leak; what is made once is not, such as a table of strings that
doubles (1.9 MB at about the 55th check). So the first ``WARM_UP_CHECKS``, or an eighth of fewer than 480, are not
counted; what came with them is said. Usage: ``python tools/soak.py --hours 8 --checks 500``
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import psutil

WARM_UP_RATIO = 0.1
MOST_WARM_UP_S = 300.0
_LATE_RATIO = 1.1
"""Samples come a little later than the interval asks for."""
SAMPLES = 60
WARM_UP_CHECKS = 60
WARM_UP_SHARE = 8
"""Of a run with fewer checks, one in so many."""
CHECK_S = 3.0
CANCEL_S = 30.0
RESULT_S = 60.0
"""A check comes to its first result in less, also on a busy computer."""
MOST_GROWTH_MB = 2.0
"""In hours. Within minutes the heap of the C library moves between states that lie 20 MB apart."""

PAINTING = os.cpu_count() or 1
"""Threads with which Qt paints large pictures, one for each core, each with a file; they end after 30 idle seconds."""


class State(NamedTuple):
    """What the program holds at a moment."""

    time_s: float
    memory_mb: float
    files: int
    threads: int
    children: int
    checks: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=1.0)
    parser.add_argument("--checks", type=int, help="begun and cancelled, spread over the time; default 60 an hour")
    parser.add_argument(
        "--interval", type=float, metavar="S", help="between two samples; 0.125 makes 8 hours, and what is kept, of one"
    )
    parser.add_argument("--growth-mb", type=float, metavar="MB", default=MOST_GROWTH_MB, help="that is still steady")
    arguments = parser.parse_args()
    checks = round(60 * arguments.hours) if arguments.checks is None else arguments.checks
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        for name in ("CONFIG", "DATA", "STATE", "CACHE"):
            os.environ[f"XDG_{name}_HOME"] = str(Path(folder, name))
        states = soak(arguments.hours * 3600, checks, arguments.interval)
    counted = after_warm_up(states, checks)
    made_mb = counted[0].memory_mb - states[0].memory_mb
    print(f"memory {made_mb:+.2f} MB in the first {counted[0].checks} checks, not counted")
    return judge(counted, arguments.growth_mb)


def soak(duration_s: float, checks: int, interval_s: float | None) -> list[State]:
    """Run the window in this process and return what it held over time."""
    from advisor.gui.app.application import make_application, open_window, settings_path
    from advisor.gui.backend import Backend
    from advisor.gui.base.settings import load_settings

    application = make_application([])
    settings = load_settings(settings_path())
    settings.warns_before = False
    usual_s = settings.interval_s
    settings.interval_s = interval_s or usual_s
    window = open_window(application, Backend(), settings)
    kept = window.controllers.sensor_thread.timeline
    kept.span_s *= min(settings.interval_s / usual_s, 1.0)  # as many samples as an hour has
    window.stack.open("live")
    began_s = time.monotonic()
    warm_up_s = warm_up(duration_s, min(kept.span_s, kept.most * settings.interval_s))

    def wait(seconds: float) -> None:
        until_s = time.monotonic() + seconds
        while time.monotonic() < until_s:
            application.processEvents()
            time.sleep(0.01)

    def check(result_s: float = 0.0) -> None:
        """Begin a check, wait for a result if so long is given, cancel it, and wait until nothing of it runs."""
        window.check_flow.start_quick()
        wait(CHECK_S)
        until_s = time.monotonic() + result_s
        while not window.controllers.check_runner.measure.has_results and time.monotonic() < until_s:
            wait(0.05)
        window.controllers.check_runner.cancel()
        until_s = time.monotonic() + CANCEL_S
        while window.controllers.check_runner.is_running and time.monotonic() < until_s:
            wait(0.05)
        window.stack.open("live")

    wait(warm_up_s)
    for _turn in range(min(checks, 5)):  # what is loaded and made at the first checks and results is no growth
        check(RESULT_S)
    states = []
    done = 0
    for number in range(SAMPLES + 1):
        target_s = warm_up_s + (duration_s - warm_up_s) * number / SAMPLES
        while done < checks * number / SAMPLES:
            check()
            done += 1
        wait(max(target_s - (time.monotonic() - began_s), 1.0))
        states.append(state(began_s, done))
        print(
            f"{states[-1].time_s / 60:7.1f} min {states[-1].memory_mb:8.2f} MB {states[-1].files:4d} files "
            f"{states[-1].threads:3d} threads {states[-1].children:2d} processes {done:4d} checks",
            flush=True,
        )
    window.close()
    return states


def warm_up(duration_s: float, kept_s: float) -> float:
    """Return for how long nothing is counted: until the sensors that the window keeps are full.

    Half of a short run would go for that; it is judged with what fills meanwhile, 1.8 MB of two cores at the most.
    """
    full_s = _LATE_RATIO * kept_s
    return full_s if full_s <= 0.6 * duration_s else min(WARM_UP_RATIO * duration_s, MOST_WARM_UP_S)


def state(began_s: float, checks: int) -> State:
    me = psutil.Process()
    return State(
        time_s=time.monotonic() - began_s,
        memory_mb=_own_bytes(me) / 1e6,
        files=len(me.open_files()) if sys.platform == "win32" else me.num_fds(),
        threads=me.num_threads(),
        children=len(me.children(recursive=True)),
        checks=checks,
    )


def _own_bytes(me: psutil.Process) -> int:
    """Return the memory that the program itself has filled.

    What it alone has mapped of libraries, a part of the unique set (USS), grows by tens of megabytes when another
    program with the same libraries ends. Source of the line: proc_pid_status(5).
    """
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii", errors="replace").splitlines() if status.exists() else []
    kept = next((line.split()[1] for line in lines if line.startswith("RssAnon:")), None)
    return int(me.memory_full_info().uss) if kept is None else 1024 * int(kept)


def after_warm_up(states: list[State], checks: int) -> list[State]:
    """Return the states that count: from when what is made once by a check has been made."""
    done = min(WARM_UP_CHECKS, checks // WARM_UP_SHARE)
    return [one for one in states if one.checks >= done]


def judge(states: list[State], most_growth_mb: float) -> int:
    """Compare the last third with the first: single samples fall before or after a collection."""
    third = max(len(states) // 3, 1)
    first, last = states[:third], states[-third:]
    faults = []
    growth_mb = min(one.memory_mb for one in last) - min(one.memory_mb for one in first)
    if growth_mb > most_growth_mb:
        faults.append(f"memory grew by {growth_mb:.2f} MB, more than {most_growth_mb:g}")
    for name, allowed in (("files", PAINTING), ("threads", PAINTING), ("children", 0)):
        before, after = (min(getattr(one, name) for one in part) for part in (first, last))
        if after > before + allowed:
            faults.append(f"{name} grew from {before} to {after}")
    print(
        f"memory {growth_mb:+.2f} MB in {(last[0].time_s - first[0].time_s) / 3600:.2f} h; "
        + ("; ".join(faults) or "steady")
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
