"""How long loading and advising take, in this process and as the whole headless program.

In this process the processor's time is counted: it is what the work costs, whatever else the machine is doing.

    python tools/bench/bench_advice.py [--quick]
"""

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from bench_table import Row, show

ROUNDS, QUICK_ROUNDS = 9, 3
LOADING_AIM_S, ADVICE_AIM_S, DECIDING_AIM_S = 0.3, 0.1, 0.03


def median_s(action: Callable[[], object], rounds: int, clock: Callable[[], float] = time.process_time) -> float:
    """Return the median duration of a few rounds."""
    durations_s = []
    for _ in range(rounds):
        start_s = clock()
        action()
        durations_s.append(clock() - start_s)
    return statistics.median(durations_s)


def program(*arguments: str) -> Callable[[], object]:
    """Return an action that runs the program and waits for it."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def rows(rounds: int) -> Iterator[Row]:
    """Yield what loading, advice and the whole program take."""
    from advisor.catalog import devices, offers, presets
    from advisor.records.request import Observation
    from advisor.session.forecast import decide, forecast_job
    from advisor.session.run import probe

    start_s = time.process_time()
    count = len(devices()) + len(offers())
    yield timed(f"loading {count} devices and offers", time.process_time() - start_s, LOADING_AIM_S)
    observation = Observation(machine=probe())
    forecasts = {preset.workload.id: forecast_job(observation, preset.workload) for preset in presets()}
    options = len(forecasts["densenet121_cats_dogs"].candidates)
    foreseeing_s, slowest = max(
        (median_s(partial(forecast_job, observation, preset.workload), rounds), preset.workload.id)
        for preset in presets()
    )
    deciding_s, longest = max(
        (median_s(partial(decide, forecasts[preset.workload.id], preset.circumstances), rounds), preset.workload.id)
        for preset in presets()
    )
    yield timed(f"advice, all {options} options, slowest preset", foreseeing_s + deciding_s, ADVICE_AIM_S)
    yield timed(f"  of that predicting ({slowest})", foreseeing_s)
    yield timed(f"  of that deciding ({longest})", deciding_s, DECIDING_AIM_S)
    yield from start_up_rows(rounds)


COMMANDS = {
    "--version": 6.7,
    "--help": 13.3,
    "--list workloads": 13.3,
    "--predict resnet50 --on T4": 23.3,
    "--report --suite none --no-history": 33.3,
}
"""Commands, each with the most of bare Python's time: 0.10, 0.20, 0.35 and 0.5 s where that takes 15 ms."""


def start_up_rows(rounds: int) -> Iterator[Row]:
    """Yield what whole commands take beside bare Python, all in turn; the first of each round fills caches."""
    programs = {command: program("-m", "advisor", *command.split()) for command in COMMANDS}
    times: dict[str, list[float]] = {command: [] for command in COMMANDS}
    bare_s = []
    for turn in range(rounds + 1):
        for command, action in programs.items():
            bare, whole = median_s(program("-c", "pass"), 1, time.perf_counter), median_s(action, 1, time.perf_counter)
            if turn:
                bare_s.append(bare)
                times[command].append(whole)
    bare = statistics.median(bare_s)
    for command, aim in COMMANDS.items():
        ratio = statistics.median(times[command]) / bare
        said = f"{ratio:.1f} times bare Python ({ratio * bare:.2f} s)"
        yield Row(f"advisor {command}", said, f"under {aim}", ratio < aim)


def timed(what: str, time_s: float, aim_s: float | None = None) -> Row:
    """Return the row of a time."""
    aim = "" if aim_s is None else f"under {aim_s * 1e3:.0f} ms"
    return Row(what, f"{time_s * 1e3:.0f} ms", aim, None if aim_s is None else time_s < aim_s)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    arguments = parser.parse_args()
    show("Advice", rows(QUICK_ROUNDS if arguments.quick else ROUNDS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
