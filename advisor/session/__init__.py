"""Compose the five steps: probe, benchmark, predict, recommend, report.

``run.observe`` looks at a computer and measures it; ``forecast.conclude`` answers a question about it from what was
observed, fast enough to ask "what if" at every key press: it is ``foresee`` (the job on every option), then ``decide``
(for the user's circumstances), which may be asked again alone. ``run.run_session`` does all of it.
"""
