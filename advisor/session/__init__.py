"""Compose the steps: probe, benchmark, predict, options, recommend; a report comes out.

``run.observe`` looks at a computer and measures it; ``forecast.conclude`` answers a question about it from what was
observed, fast enough to ask "what if" at every key press: it is ``forecast_job`` (the job on every option), then
``decide`` (for the user's circumstances), which may be asked again alone. ``run.run_session`` does all of it.
"""
