"""Measure the window: time to its first picture, memory, cost of the live page, and how long it ever stalls.

Everything is compared with a bare pyqtgraph window in the same run, in fresh processes, alternately. Run it on an idle
computer: ``python tools/bench_window.py`` (``--quick`` leaves out the real benchmark).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 7
LIVE_S = 20.0
MIB = 1024**2

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
from PySide6.QtCore import QTimer
from advisor.gui import application
from advisor.gui.window import MainWindow

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
from advisor.gui.core import core_services
from advisor.gui.settings import Settings
from pathlib import Path
app = application.make_application([])
settings = Settings(path=Path(sys.argv[2]), language_code="en", theme="light")
window = application.open_window(app, core_services(), settings)
app.exec()
"""

LIVE = """
import json, sys, time
from PySide6.QtCore import QTimer
from advisor.gui import application
from advisor.gui.core import core_services
from advisor.gui.settings import Settings
from pathlib import Path
import psutil
page, span_s, check, listens = sys.argv[1], float(sys.argv[2]), "check" in sys.argv[3], "listen" in sys.argv[3]
app = application.make_application([])
settings = Settings(
    path=Path(sys.argv[4]), language_code="en", theme="light", interval_s=0.5, notifies=False, warns_before=False
)
window = application.open_window(app, core_services(), settings)
process = psutil.Process()
gaps, state = [], {}

def beat():
    now = time.perf_counter()
    if "last" in state:
        gaps.append(now - state["last"])
    state["last"] = now

def begin():
    window.open_page(page)
    state["cpu"] = process.cpu_times()
    state["began"] = time.perf_counter()
    if listens:
        heart.start(5)
    if check:
        window.stopped.connect(lambda: QTimer.singleShot(500, finish))
        window.start_check()
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
        "ended_well": window.report is not None or not check,
    }), flush=True)
    window.close()
    app.quit()

heart = QTimer()
heart.timeout.connect(beat)
QTimer.singleShot(4000, begin)
app.exec()
"""


def run(code: str, *arguments: str) -> dict[str, float]:
    """Run a program in a fresh process and return what it printed."""
    environment = {**os.environ, "LANGUAGE": "en_US", "PYTHONPATH": str(ROOT)}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0 or not done.stdout.strip():
        print(done.returncode, done.stdout[-500:])
        raise SystemExit(f"The measured program failed:\n{done.stderr[-2000:]}")
    result: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave out the real benchmark")
    arguments = parser.parse_args()
    settings = str(ROOT / ".bench-window.ini")
    bare, ours = [], []
    for _round in range(ROUNDS):
        bare.append(run(BARE, str(time.time())))
        ours.append(run(OURS, str(time.time()), settings))
    rows = [
        beside("time to first picture, ms", [[1000 * one["first_s"] for one in each] for each in (ours, bare)], "1.25"),
        beside("memory after 1.5 s, MiB", [[one["rss_bytes"] / MIB for one in each] for each in (ours, bare)], "1.5"),
    ]
    live = run(LIVE, "live", str(LIVE_S), "look", settings)
    away = run(LIVE, "settings", str(LIVE_S), "look", settings)
    heard = run(LIVE, "live", str(LIVE_S), "look, listen", settings)
    rows.append(("live page at 2 Hz, CPU of one core", f"{100 * live['cpu_ratio']:.1f} %", "", "below 3 %"))
    rows.append(("another page, sampling goes on", f"{100 * away['cpu_ratio']:.1f} %", "", ""))
    rows.append(("live page, longest stall", f"{1000 * heard['longest_s']:.0f} ms", "", "below 50 ms"))
    if not arguments.quick:
        check = run(LIVE, "measure", "0", "check, listen", settings)
        rows.append(("real check, longest stall", f"{1000 * check['longest_s']:.0f} ms", "", "below 50 ms"))
        rows.append(("real check, stall p99.9", f"{1000 * check['p999_s']:.0f} ms", "", "below 50 ms"))
        rows.append(("real check, CPU of the face", f"{100 * check['cpu_ratio']:.1f} %", "", ""))
        rows.append(("memory after the check", f"{check['rss_bytes'] / MIB:.0f} MiB", "", ""))
    Path(settings).unlink(missing_ok=True)
    torch = "yes" if any(row["has_torch"] for row in ours) else "no"
    rows.append(("torch loaded in the face", torch, "", "no"))
    print_table(("window", "value", "ratio to a bare pyqtgraph window", "aim"), rows)
    return 0


def beside(title: str, values: list[list[float]], most: str) -> tuple[str, str, str, str]:
    """Return a row with the medians of our window and of the bare one, and their ratio."""
    own, bare = (statistics.median(each) for each in values)
    return title, f"{own:.0f} (bare: {bare:.0f})", f"{own / bare:.2f}", f"at most {most}"


def print_table(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print aligned columns."""
    widths = [max(len(row[column]) for row in (header, *rows)) for column in range(len(header))]
    for row in (header, tuple("-" * width for width in widths), *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
