"""The measuring process: the only home of torch, deliberately dumb.

It runs one case after another and answers with one line of JSON an event. What is measured is the plan's business, what
the samples mean the benchmark's; this package must know neither, nor any other step.
"""

from advisor.worker.serve import run_worker

__all__ = ["run_worker"]
