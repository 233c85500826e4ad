"""How long loading and advising take, in this process and as the whole headless program.

In this process the processor's time is counted: it is what the work costs, whatever else the machine is doing.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial

ROUNDS = 9


def median_s(action: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Return the median duration of a few rounds."""
    durations_s = []
    for _ in range(ROUNDS):
        start_s = clock()
        action()
        durations_s.append(clock() - start_s)
    return statistics.median(durations_s)


def program(*arguments: str) -> Callable[[], object]:
    """Return an action that runs the program and waits for it."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def main() -> int:
    """Print the table."""
    from advisor.catalog import devices, offers, presets
    from advisor.session import Observation, decide, foresee, probe

    start_s = time.process_time()
    count = len(devices()) + len(offers())
    loading_s = time.process_time() - start_s
    observation = Observation(machine=probe())
    foresights = {preset.workload.id: foresee(observation, preset.workload) for preset in presets()}
    options = len(foresights["densenet121_cats_dogs"].candidates)
    foreseeing_s, slowest = max(
        (median_s(partial(foresee, observation, preset.workload)), preset.workload.id) for preset in presets()
    )
    deciding_s, longest = max(
        (median_s(partial(decide, foresights[preset.workload.id], preset.circumstances)), preset.workload.id)
        for preset in presets()
    )
    bare_s = median_s(program("-c", "pass"), time.perf_counter)
    whole_s = median_s(program("-m", "advisor", "--report", "--suite", "none", "--format", "json"), time.perf_counter)
    rows = [
        ("loading devices and offers, first time", f"{loading_s * 1e3:.0f} ms", f"{count} rows; aim under 300 ms"),
        (
            f"advice on one workload, all {options} options",
            f"{(foreseeing_s + deciding_s) * 1e3:.0f} ms",
            "slowest preset; aim under 100 ms",
        ),
        ("  of that predicting (workload changed)", f"{foreseeing_s * 1e3:.0f} ms", slowest),
        ("  of that deciding (deadline, money changed)", f"{deciding_s * 1e3:.0f} ms", f"{longest}; aim under 30 ms"),
        ("advisor --report --suite none, whole program", f"{whole_s:.2f} s", f"{whole_s / bare_s:.0f} x bare Python"),
    ]
    print("\nAdvice")
    for name, value, note in rows:
        print(f"  {name:<46} {value:>9}   {note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
