"""Compare the frozen program with the same from source, in one run: start of the window, report, quick suite.

Usage: python packaging/bench_frozen.py PROGRAM [--rounds N] [--without-suite]

Times are wall times of whole processes; both programs take turns, so that what disturbs the computer disturbs both. A
cold start has the program's files dropped from the page cache, as far as the system obeys. The window is opened on a
virtual screen (Xvfb). Run it alone on the computer: figures taken beside other work are worthless.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TITLE = "Is my computer enough"
PATIENCE_S = 120.0


def main(arguments: Sequence[str]) -> int:
    """Print a table of both programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--without-suite", action="store_true")
    options = parser.parse_args(arguments)
    frozen, source = (str(options.program.resolve()),), (sys.executable, "-P", "-m", "advisor")
    folders = {frozen: options.program.resolve().parent, source: Path(sys.prefix)}
    print(f"{'':34}{'frozen':>12}{'source':>12}{'ratio':>8}   (median of {options.rounds})")
    if shutil.which("Xvfb") and shutil.which("xdotool"):
        with _screen() as display:
            _row("window, warm", options.rounds, [lambda c=c: window_s(c, display) for c in (frozen, source)])
            _row(
                "window, cold",
                max(3, options.rounds // 2),
                [lambda c=c: (_forget(folders[c]), window_s(c, display))[1] for c in (frozen, source)],
            )
    _row(
        "--report --suite none",
        options.rounds,
        [lambda c=c: command_s((*c, "--report", "--suite", "none")) for c in (frozen, source)],
    )
    if not options.without_suite:
        _suite([frozen, source])
    return 0


def _row(name: str, rounds: int, programs: Sequence[Callable[[], float]]) -> None:
    """Let both take turns, after one round that does not count."""
    times: list[list[float]] = [[] for _program in programs]
    for number in range(rounds + 1):
        for samples, program in zip(times, programs, strict=True):
            took = program()
            if number:
                samples.append(took)
    first, second = (statistics.median(samples) for samples in times)
    print(f"{name:34}{first:10.3f} s{second:10.3f} s{first / second:8.2f}", flush=True)


def command_s(command: Sequence[str]) -> float:
    """Return how long a command takes, in seconds."""
    begin = time.perf_counter()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def window_s(command: Sequence[str], display: str) -> float:
    """Return how long it takes until the window is seen, in seconds; xdotool looks every few milliseconds."""
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "LANGUAGE": "en",
                       "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}  # fmt: skip
        begin = time.perf_counter()
        program = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
        try:
            look = ["xdotool", "search", "--onlyvisible", "--name", TITLE]
            while subprocess.run(look, env=environment, capture_output=True, check=False).returncode != 0:
                if time.perf_counter() - begin > PATIENCE_S or program.poll() is not None:
                    raise SystemExit(f"{command[0]} shows no window")
            return time.perf_counter() - begin
        finally:
            program.terminate()
            program.wait()


def _forget(folder: Path) -> None:
    """Ask the system to drop a program's files from its page cache; no privilege is needed for one's own files."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _suite(programs: Sequence[Sequence[str]]) -> None:
    """Run the quick suite twice in each, in the order frozen, source, source, frozen, and compare case by case."""
    found: dict[int, dict[str, list[float]]] = {0: {}, 1: {}}
    with tempfile.TemporaryDirectory() as folder:
        for number, which in enumerate((0, 1, 1, 0)):
            report = Path(folder, f"{number}.json")
            subprocess.run(
                [*programs[which], "--report", str(report)], cwd=ROOT, stderr=subprocess.DEVNULL, check=False
            )
            for one in json.loads(report.read_text("utf-8"))["benchmark"]["measurements"]:
                found[which].setdefault(one["case"]["id"], []).append(one["median_s"])
    ratios = []
    for case in sorted(found[0].keys() & found[1].keys()):
        frozen_s, source_s = (min(found[which][case]) for which in (0, 1))
        ratios.append(frozen_s / source_s)
        print(f"  {case:32}{frozen_s * 1e3:9.3f} ms{source_s * 1e3:9.3f} ms{ratios[-1]:8.3f}")
    print(f"{'quick suite, geometric mean':34}{'':24}{statistics.geometric_mean(ratios):8.3f}")


@contextmanager
def _screen() -> Iterator[str]:
    """Start a virtual screen and yield its name."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-noreset", "-screen", "0", "1280x900x24"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
