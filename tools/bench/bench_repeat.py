"""Run the quick suite twice, and say how far both are apart, and what the report of each says of repeating it.

The median difference over the cases should be at most 3 %. Where the computer cannot keep to that, each report must say
by itself that it is unstable, and why. Each run waits for nothing; an idle computer is the reader's to provide.

    python tools/bench/bench_repeat.py
"""

import argparse
import statistics
import sys
from collections.abc import Iterator

from bench_table import Row, show

from advisor.benchmark.diagnosis import diagnose
from advisor.benchmark.planning.schedule import time_limit_s
from advisor.benchmark.planning.suite_plan import plan_suite
from advisor.benchmark.results.comparison import compare
from advisor.benchmark.results.pace import pace_of
from advisor.benchmark.running.runner import run_suite
from advisor.locale import language
from advisor.probe import probe_machine
from advisor.probe.condition_watch import ConditionWatch
from advisor.records.hardware.machine import Machine
from advisor.records.results.comparison import REPEATABILITY_RATIO, Comparison
from advisor.records.results.measured.measurement import Benchmark, Condition
from advisor.report.words.problems import condition_sentence


def quick_run(machine: Machine) -> Benchmark:
    """Return a quick suite, measured as the program measures it."""
    return run_suite(
        lambda ready: plan_suite("quick", machine, ready),
        limit_for=lambda ready: time_limit_s("quick", ready),
        check_conditions=ConditionWatch(),
    )


def rows(machine: Machine, first: Benchmark, second: Benchmark) -> Iterator[Row]:
    """Yield how far each case is apart, the median, what either report says, and the worst that was seen meanwhile."""
    found = compare(first, second)
    yield from case_rows(found)
    median = statistics.median(apart(found).values())
    reported = [changing(machine, run) for run in (first, second)]
    is_met = median <= REPEATABILITY_RATIO or all(reported)
    aim = f"at most {REPEATABILITY_RATIO:.0%}, or reported as unstable"
    yield Row(f"two quick runs, median of {len(found.cases)} cases", f"{median:.1%} apart", aim, is_met)
    for name, said in zip(("first", "second"), reported, strict=True):
        yield Row(f"  the {name} report says", said or "nothing of instability")
    if (pace := pace_change(first, second)) is not None:
        yield Row("  pace of the computer, the two runs", f"{pace:.1%} apart")
    for condition in worst((first, second)):
        yield Row("  seen meanwhile", condition_sentence(condition, language("en")))


def changing(machine: Machine, run: Benchmark) -> str:
    """Return what a run's report says of a changing pace; empty where it says nothing."""
    found = next((one for one in diagnose(machine, run) if one.form.partition("/")[0] == "pace"), None)
    if found is None:
        return ""
    ratio = next(reading.value for reading in found.evidence if reading.name == "repeat_ratio")
    return f"unstable, a repeat would differ by {ratio:.1%}; cause: {found.form.partition('/')[2] or 'unknown'}"


def pace_change(first: Benchmark, second: Benchmark) -> float | None:
    """Return by how much the yardstick of both runs differs, which no case of them can be blamed for."""
    one, other = pace_of(first.measurements), pace_of(second.measurements)
    return None if one is None or other is None else abs(1 - one.median_s / other.median_s)


def case_rows(found: Comparison) -> Iterator[Row]:
    """Yield the cases, for whom the median is not enough."""
    for name, ratio in apart(found).items():
        yield Row(f"  {name}", f"{ratio:.1%} apart")


def apart(found: Comparison) -> dict[str, float]:
    """Return by how much each case differs."""
    return {one.case.id: abs(1 - one.speed_ratio) for one in found.cases}


def worst(runs: tuple[Benchmark, ...]) -> list[Condition]:
    """Return the largest of each kind of disturbance by others; what cases themselves say is in their rows."""
    largest: dict[str, Condition] = {}
    for condition in (one for run in runs for m in run.measurements for one in m.conditions):
        known = largest.get(condition.kind)
        if condition.kind != "unstable" and (known is None or (condition.value or 0.0) > (known.value or 0.0)):
            largest[condition.kind] = condition
    return list(largest.values())


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="changes nothing: two quick runs are the least")
    parser.parse_args()
    machine = probe_machine()
    show("Two quick runs, one after the other", rows(machine, quick_run(machine), quick_run(machine)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
