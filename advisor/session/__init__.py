"""Compose the five steps: probe, benchmark, predict, recommend, report.

``observe`` looks at a computer and measures it; ``conclude`` answers a question about it from what was observed, fast
enough to ask "what if" at every key press. ``run_session`` does one after the other.
"""

from advisor.benchmark import Control
from advisor.session.compose import compare_reports, conclude, observe, probe, run_session
from advisor.session.request import Observation, Request
from advisor.session.single import predict_one

__all__ = [
    "Control",
    "Observation",
    "Request",
    "compare_reports",
    "conclude",
    "observe",
    "predict_one",
    "probe",
    "run_session",
]
