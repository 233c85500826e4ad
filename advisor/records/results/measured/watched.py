"""What was seen of a user's own training script while it ran unchanged, and the job that it is."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Bytes, Record
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Count, Seconds, Span

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Cause = Literal[
    "no_loaders",
    "few_loaders",
    "slow_disk",
    "processor_torch",
    "long_format",
    "double_format",
    "emulated_format",
    "long_validation",
    "anomaly_mode",
    "swapping",
    "busy_program",
]
Unseen = Literal["options", "path", "environment"]
Ended = Literal["enough", "time", "itself", "interrupted"]


class WatchedStep(Record, frozen=True, kw_only=True):
    """The median step, past warm-up, and what it consists of.

    Attributes:
        steps: How many were timed.
        step_s: From one optimizer step to the next.
        wait_s: Of it, waiting for the data loader; ``wait_busy_ratio`` is the share of it in which the thread worked,
            or was ready to while other programs had the processor.
        copy_s: Copying the batch to the device.
        exchange_s: Waiting for the gradients of other processes that train the same network.
        optimizer_s: Updating the parameters.
    """

    steps: Count
    step_s: Seconds
    wait_s: Span = 0.0
    wait_busy_ratio: Share = 1.0
    copy_s: Span = 0.0
    exchange_s: Span = 0.0
    optimizer_s: Span = 0.0

    @property
    def compute_s(self) -> float:
        """Forward, loss and backward: what is left."""
        return max(0.0, self.step_s - self.wait_s - self.copy_s - self.exchange_s - self.optimizer_s)


class Remedy(Record, frozen=True, kw_only=True):
    """What would make the script faster.

    Attributes:
        cause: What holds it back.
        gain_ratio: How many times as fast a step would be, or the whole run for what is done between epochs; 1 where
            nobody can tell without trying.
    """

    cause: Cause
    gain_ratio: Annotated[float, msgspec.Meta(ge=1, le=1e6)]


class WatchedScript(Record, frozen=True, kw_only=True):
    """What was seen; names of files and programs are not in it.

    Attributes:
        ended: Why watching ended.
        status: The script's own exit status, below 0 the signal that ended it; None where it was ended here.
        watched_s: How long it was watched.
        step: None where no step could be seen from inside.
        unseen: Why none could: Python's own options, a ``PYTHONPATH`` or a whole environment of the command's own keep
            out what watches it; None where nobody can tell.
        rhythm_s: Time between lines of progress, where no step could be seen.
        memory_bytes: Most memory of the script and its processes; ``card_bytes`` what torch held on the card.
        processor_ratio: Share of this computer's processor that they used; ``others_ratio`` all others.
        torch: Its version; empty where it has none, or none was seen.
        device: Where its parameters are, in torch's words.
        builds: Makers' libraries its torch was built for, such as ``cuda``; none is a torch for the processor alone.
        threads: That its torch computes with; None where none was seen.
        loaders: Processes of the data loader; None where there is no loader.
        loaders_busy_ratio: Share of the time in which these worked, or were ready to; None where nobody can tell.
        steps_per_epoch: Of the loader; epochs: where a name in the script tells.
        between_s: What an epoch takes beside its steps, such as validation; None where no epoch was seen to end.
        processes: That train one network together.
        has_anomaly_mode: Torch looks for the operation that made a NaN, which is for debugging.
        swapped_bytes: Read back from swap while it was watched, by all programs.
        remedy: The first thing to do; None where nothing was found.
    """

    ended: Ended
    status: int | None = None
    watched_s: Span
    step: WatchedStep | None = None
    unseen: Unseen | None = None
    rhythm_s: Span | None = None
    memory_bytes: Bytes = 0
    card_bytes: Bytes | None = None
    processor_ratio: Share = 0.0
    others_ratio: Share = 0.0
    torch: str = ""
    device: str = "cpu"
    builds: tuple[str, ...] = ()
    threads: int | None = None
    loaders: int | None = None
    loaders_busy_ratio: Share | None = None
    steps_per_epoch: float | None = None
    epochs: float | None = None
    between_s: Span | None = None
    processes: Count = 1
    has_anomaly_mode: bool = False
    swapped_bytes: Bytes = 0
    remedy: Remedy | None = None

    @property
    def run_s(self) -> float | None:
        """The whole run here, where steps and epochs are known."""
        if self.step is None or self.steps_per_epoch is None or self.epochs is None:
            return None
        return (self.step.step_s * self.steps_per_epoch + (self.between_s or 0.0)) * self.epochs


class WatchedJob(Record, frozen=True, kw_only=True):
    """A watched script as a job that can be asked about again.

    Attributes:
        format: Of this file.
        script: What was seen.
        workload: The job; None where its operations could not be seen.
        network: The work of its step.
    """

    format: Literal["advisor watched job 1"] = "advisor watched job 1"
    script: WatchedScript
    workload: Workload | None = None
    network: Network | None = None
