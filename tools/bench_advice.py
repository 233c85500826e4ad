"""How long loading and advising take, in this process and as the whole headless program."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable

ROUNDS = 9


def median_s(action: Callable[[], object]) -> float:
    """Return the median duration of a few rounds."""
    durations_s = []
    for _ in range(ROUNDS):
        start_s = time.perf_counter()
        action()
        durations_s.append(time.perf_counter() - start_s)
    return statistics.median(durations_s)


def program(*arguments: str) -> Callable[[], object]:
    """Return an action that runs the program and waits for it."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def main() -> int:
    """Print the table."""
    from advisor.catalog import devices, find_workload, offers
    from advisor.session import Observation, conclude, probe

    start_s = time.perf_counter()
    count = len(devices()) + len(offers())
    loading_s = time.perf_counter() - start_s
    observation = Observation(machine=probe())
    preset = find_workload("densenet121_cats_dogs")
    conclude(observation, preset.workload, preset.circumstances)
    advising_s = median_s(lambda: conclude(observation, preset.workload, preset.circumstances))
    bare_s = median_s(program("-c", "pass"))
    whole_s = median_s(program("-m", "advisor", "--report", "--suite", "none", "--format", "json"))
    rows = [
        ("loading devices and offers, first time", f"{loading_s * 1e3:.0f} ms", f"{count} rows; aim under 300 ms"),
        ("advice on one workload, all options", f"{advising_s * 1e3:.0f} ms", "aim under 100 ms"),
        ("advisor --report --suite none, whole program", f"{whole_s:.2f} s", f"{whole_s / bare_s:.0f} x bare Python"),
    ]
    print("\nAdvice")
    for name, value, note in rows:
        print(f"  {name:<46} {value:>9}   {note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
