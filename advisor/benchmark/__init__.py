"""How fast is this computer? Plan the cases (pure), run them in a worker of their own, summarise the samples (pure)."""

from advisor.benchmark.comparison import compare
from advisor.benchmark.control import Control
from advisor.benchmark.perfetto import traces_in, write_trace
from advisor.benchmark.plan import plan_suite, suite_cases
from advisor.benchmark.references import article_figures, beside_articles
from advisor.benchmark.runner import CheckConditions, Limits, run_suite
from advisor.benchmark.schedule import time_limit_s
from advisor.benchmark.statistics import matmul_curve, plateau_flop_per_s, speed_up_ratio, summarise
from advisor.benchmark.tracing import trace_program

__all__ = [
    "CheckConditions",
    "Control",
    "Limits",
    "article_figures",
    "beside_articles",
    "compare",
    "matmul_curve",
    "plan_suite",
    "plateau_flop_per_s",
    "run_suite",
    "speed_up_ratio",
    "suite_cases",
    "summarise",
    "time_limit_s",
    "trace_program",
    "traces_in",
    "write_trace",
]
