"""Compose the five steps: probe, benchmark, predict, recommend, report.

``observe`` looks at a computer and measures it; ``conclude`` answers a question about it from what was observed, fast
enough to ask "what if" at every key press: it is ``foresee`` (the job on every option), then ``decide`` (for the
user's circumstances), which may be asked again alone. ``run_session`` does all of it.
"""

from advisor.benchmark import Control
from advisor.records.request import Observation, Request
from advisor.session.forecast import Foresight, conclude, decide, foresee
from advisor.session.own_network import OwnProgram, is_program, job_of, trace_own
from advisor.session.run import compare_reports, observe, probe, run_session
from advisor.session.single_prediction import predict_one

__all__ = [
    "Control",
    "Foresight",
    "Observation",
    "OwnProgram",
    "Request",
    "compare_reports",
    "conclude",
    "decide",
    "foresee",
    "is_program",
    "job_of",
    "observe",
    "predict_one",
    "probe",
    "run_session",
    "trace_own",
]
