"""``make bench``: measure this program beside plain ones, one table after another; no test asserts a time.

``make bench BENCH_ARGS=--quick`` leaves out what takes long; ``BENCH_ARGS="--cases train,disk"`` compares these cases
alone, and none of the other tables.
"""

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
TABLES = ("bench_cases.py", "bench_window.py", "bench_monitors.py", "bench_advice.py")


def main() -> int:
    """Run each table in a process of its own, so that none warms up another, and return the worst status."""
    options = sys.argv[1:]
    tables = TABLES[:1] if any(option.startswith("--cases") for option in options) else TABLES
    commands = [[sys.executable, str(TOOLS / name), *(options if name == TABLES[0] else [])] for name in tables]
    return max(subprocess.run(command, check=False).returncode for command in commands)


if __name__ == "__main__":
    sys.exit(main())
