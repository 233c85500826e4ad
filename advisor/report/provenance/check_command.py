"""Commands that show a number of the report in a terminal; none where no command would show the same."""

import shlex

from advisor.records.job.advice import Option
from advisor.records.job.prediction import Prediction
from advisor.records.results.report import Report

_DEVICES_PER_NODE = 8
"""Up to so many devices the command line takes to be in one computer, as options to buy and to rent are."""


def predict_command(option: Option, report: Report, *, is_time: bool) -> str:
    """Return the command that predicts the same time of a step, or the same memory, on an option's device.

    ``--predict`` knows nothing of measurements, of how images are loaded, of a batch cut into parts, or of the network
    between rented computers; a number in which these count has no such command.
    """
    job, prediction = report.job_command, option.prediction
    if job is None or prediction is None or option.tier == "this_computer" or prediction.accumulation_steps > 1:
        return ""
    if is_time and not _is_plain(option, prediction):
        return ""
    if prediction.memory is not None and prediction.memory.fits is False:
        return ""  # the least it could take, with the batch cut
    where = ("--on", option.device, "--devices", str(prediction.device_count))
    return shlex.join(["advisor", "--predict", job.name, *where, "--batch-size", str(prediction.batch_size), *job.step])


def report_command(report: Report) -> str:
    """Return the command that asks the same of this computer, measured again; none for one that is pretended."""
    job = report.job_command
    if job is None or job.run is None or report.is_simulated:
        return ""
    return shlex.join(["advisor", "--report", "--workload", job.name, *job.step, *job.run])


def _is_plain(option: Option, prediction: Prediction) -> bool:
    """Return whether an option's time rests on the specifications of its device alone."""
    waits = any(part.name == "input" and part.time_s > 0 for part in prediction.parts)
    is_one_computer = option.tier != "cluster" and prediction.device_count <= _DEVICES_PER_NODE
    return prediction.basis == "modelled" and not waits and is_one_computer
