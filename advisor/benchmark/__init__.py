"""How fast is this computer? Plan the cases (pure), run them in a worker of their own, summarise the samples (pure)."""

from advisor.benchmark.planning.schedule import time_limit_s
from advisor.benchmark.planning.suite_plan import plan_suite, suite_cases
from advisor.benchmark.results.comparison import compare
from advisor.benchmark.results.references import beside_articles
from advisor.benchmark.results.statistics import plateau_flop_per_s
from advisor.benchmark.running.control import Control
from advisor.benchmark.running.own_network import TRACE_S, trace_calls, trace_program
from advisor.benchmark.running.runner import Limits, run_suite
from advisor.benchmark.running.trace_files import traces_in, write_trace

__all__ = [
    "TRACE_S",
    "Control",
    "Limits",
    "beside_articles",
    "compare",
    "plan_suite",
    "plateau_flop_per_s",
    "run_suite",
    "suite_cases",
    "time_limit_s",
    "trace_calls",
    "trace_program",
    "traces_in",
    "write_trace",
]
