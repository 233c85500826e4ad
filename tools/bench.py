"""``make bench``: measure this program beside plain ones, one table after another; no test asserts a time."""

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent
TABLES = ("bench_cases.py", "bench_window.py", "bench_advice.py")


def main() -> int:
    """Run each table in a process of its own, so that none warms up another, and return the worst status."""
    return max(subprocess.run([sys.executable, str(TOOLS / name)], check=False).returncode for name in TABLES)


if __name__ == "__main__":
    sys.exit(main())
