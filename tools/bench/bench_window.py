"""Measure the window: time to its first picture, memory, cost of the live page, and how long it ever stalls.

Everything is compared with a bare pyqtgraph window in the same run, in fresh processes, alternately. Run it on an idle
computer: ``python tools/bench/bench_window.py`` (``--quick`` is shorter and leaves out the real benchmark).
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator

from bench_face import BUILD, MIB, run
from bench_table import Row, show

ROUNDS, QUICK_ROUNDS = 7, 3
LIVE_S, QUICK_LIVE_S = 20.0, 8.0
STALL_S = 0.05
"""The aim: 99.9 % of the painting thread's waits are shorter."""

BARE = """
import json, os, sys, time
started = float(sys.argv[1])
from PySide6.QtCore import QTimer
import pyqtgraph as pg
import numpy as np

class Plot(pg.PlotWidget):
    painted = False
    def paintEvent(self, event):
        super().paintEvent(event)
        if not self.painted:
            self.painted = True
            first_s = time.time() - started
            QTimer.singleShot(1500, lambda: finish(first_s))

def finish(first_s):
    import psutil
    print(json.dumps({"first_s": first_s, "rss_bytes": psutil.Process().memory_info().rss}), flush=True)
    app.quit()

app = pg.mkQApp()
plot = Plot()
plot.plot(np.arange(600), np.random.rand(600))
plot.resize(1200, 800)
plot.show()
app.exec()
"""

OURS = """
import json, sys, time
started = float(sys.argv[1])
from advisor.gui.app import application  # first, as in the program: it tells Qt how to make its classes
from advisor.gui.app.main_window import MainWindow
from PySide6.QtCore import QTimer

class Window(MainWindow):
    painted = False
    def paintEvent(self, event):
        super().paintEvent(event)
        if not self.painted:
            self.painted = True
            first_s = time.time() - started
            QTimer.singleShot(1500, lambda: finish(first_s))

def finish(first_s):
    import psutil
    rss_bytes = psutil.Process().memory_info().rss
    print(json.dumps({"first_s": first_s, "rss_bytes": rss_bytes, "has_torch": "torch" in sys.modules}), flush=True)
    window = next(one for one in app.topLevelWidgets() if isinstance(one, MainWindow))
    window.close()
    app.quit()

application.MainWindow = Window
from bench_face import open_face
app, window = open_face()
app.exec()
"""

LIVE = """
import json, sys, time
from PySide6.QtCore import QTimer
from bench_face import open_face
import psutil
page, span_s, check, listens = sys.argv[1], float(sys.argv[2]), "check" in sys.argv[3], "listen" in sys.argv[3]
app, window = open_face(0.5)
process = psutil.Process()
gaps, state = [], {}

def beat():
    now = time.perf_counter()
    if "last" in state:
        gaps.append(now - state["last"])
    state["last"] = now

def begin():
    window.stack.open(page)
    state["cpu"] = process.cpu_times()
    state["began"] = time.perf_counter()
    if listens:
        heart.start(5)
    if check:
        window.check_flow.ended.connect(lambda: QTimer.singleShot(500, finish))
        window.check_flow.start_quick()
    else:
        QTimer.singleShot(round(1000 * span_s), finish)

def finish():
    span = time.perf_counter() - state["began"]
    times = process.cpu_times()
    busy = times.user + times.system - state["cpu"].user - state["cpu"].system
    ordered = sorted(gaps) or [0.005]
    print(json.dumps({
        "cpu_ratio": busy / span,
        "longest_s": ordered[-1] - 0.005,
        "p999_s": ordered[int(0.999 * (len(ordered) - 1))] - 0.005,
        "rss_bytes": process.memory_info().rss,
        "span_s": span,
        "ended_well": window.answer_flow.report is not None or not check,
    }), flush=True)
    window.close()
    app.quit()

heart = QTimer()
heart.timeout.connect(beat)
QTimer.singleShot(4000, begin)
app.exec()
"""


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="shorter, and without the real benchmark")
    arguments = parser.parse_args()
    BUILD.mkdir(exist_ok=True)
    show("window, beside a bare one of pyqtgraph", beside_bare(QUICK_ROUNDS if arguments.quick else ROUNDS))
    show("live page", live_rows(str(QUICK_LIVE_S if arguments.quick else LIVE_S)))
    if not arguments.quick:
        show("window during a real check", check_rows())
    return 0


def beside_bare(rounds: int) -> Iterator[Row]:
    """Yield what both windows take, each opened in turn."""
    bare, ours = [], []
    for _round in range(rounds):
        bare.append(run(BARE, str(time.time())))
        ours.append(run(OURS, str(time.time())))
    yield beside("time to first picture, ms", [[1000 * one["first_s"] for one in each] for each in (ours, bare)], 1.25)
    yield beside("memory after 1.5 s, MiB", [[one["rss_bytes"] / MIB for one in each] for each in (ours, bare)], 1.5)
    has_torch = any(one["has_torch"] for one in ours)
    yield Row("torch loaded in the face", "yes" if has_torch else "no", "no", not has_torch)


def beside(what: str, values: list[list[float]], most: float) -> Row:
    """Return a row with the medians of our window and of the bare one, and their ratio."""
    own, bare = (statistics.median(each) for each in values)
    return Row(what, f"{own:.0f}, bare {bare:.0f}: {own / bare:.2f}x", f"at most {most:g}x", own / bare <= most)


def live_rows(span_s: str) -> Iterator[Row]:
    """Yield what the live page costs at two samples a second."""
    live = run(LIVE, "live", span_s, "look")
    yield Row(
        "live page at 2 Hz, CPU of one core", f"{100 * live['cpu_ratio']:.1f} %", "below 3 %", live["cpu_ratio"] < 0.03
    )
    away = run(LIVE, "settings", span_s, "look")
    yield Row("another page, sampling goes on", f"{100 * away['cpu_ratio']:.1f} %")
    alone = run(LIVE, "live", span_s, "look, listen")
    yield stall("live page, stall, p99.9", alone["p999_s"])
    yield Row("live page, longest stall", f"{1000 * alone['longest_s']:.0f} ms")


def check_rows() -> Iterator[Row]:
    """Yield how the window behaves while a worker takes every core."""
    check = run(LIVE, "measure", "0", "check, listen")
    yield stall("stall, p99.9", check["p999_s"])
    # No aim: the host of a virtual machine, or any other program, may take the processor for longer than that.
    yield Row("longest stall", f"{1000 * check['longest_s']:.0f} ms")
    yield Row("CPU of the face, of one core", f"{100 * check['cpu_ratio']:.1f} %")
    yield Row("memory after it", f"{check['rss_bytes'] / MIB:.0f} MiB")


def stall(what: str, time_s: float) -> Row:
    """Return a row with how long the painting thread was away."""
    return Row(what, f"{1000 * time_s:.0f} ms", f"below {1000 * STALL_S:.0f} ms", time_s < STALL_S)


if __name__ == "__main__":
    sys.exit(main())
