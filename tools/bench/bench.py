"""``make bench``: measure this program beside plain ones, then print one table of all; no test asserts a time.

``make bench BENCH_ARGS=--quick`` takes fewer samples of everything; ``BENCH_ARGS="--cases train,disk"`` compares these
cases alone, and nothing else.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_table import ROWS_VARIABLE, lines, read_rows, summary

TOOLS = Path(__file__).resolve().parent
TABLES = (
    "bench_cases.py",
    "bench_others.py",
    "bench_repeat.py",
    "bench_window.py",
    "bench_monitors.py",
    "bench_advice.py",
)


def main() -> int:
    """Run each tool in a process of its own, so that none warms up another, and return the worst status."""
    options = sys.argv[1:]
    tools = TABLES[:1] if any(option.startswith("--cases") for option in options) else TABLES
    start_s = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows"
        file.touch()
        environment = {**os.environ, ROWS_VARIABLE: str(file)}
        statuses = {
            name: subprocess.run([sys.executable, TOOLS / name, *options], env=environment, check=False).returncode
            for name in tools
        }
        tables = read_rows(file)
    print("", *lines(tables), sep="\n")
    print(f"{summary(row for rows in tables.values() for row in rows)}, in {time.monotonic() - start_s:.0f} s")
    for name, status in statuses.items():
        if status:
            print(f"{name} failed with status {status}")
    return max(statuses.values())


if __name__ == "__main__":
    sys.exit(main())
