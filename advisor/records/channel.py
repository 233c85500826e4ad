"""What the interface and the measuring process say to each other, one record a line of JSON.

The interface writes ``Command`` records to the worker's standard input; the worker writes ``Answer`` records to a
channel of its own. Answers are untrusted input: every number has its limits here and is checked when the line is read.
"""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Bytes, Precision, Record
from advisor.records.group import GroupAnswer, HostGroup, RunGroup
from advisor.records.hardware.machine import Framework
from advisor.records.job.asked_job import AskedJob
from advisor.records.job.work import Network
from advisor.records.results.measured.measurement import Case, Count, Detail, Samples, Seconds, Series
from advisor.records.results.measured.profile import Profile

PROTOCOL_VERSION = 1

Text = Annotated[str, msgspec.Meta(max_length=4096)]

CaseErrorReason = Literal[
    "cancelled", "does_not_fit", "missing_boosting", "missing_jax", "not_supported", "skipped", "error"
]


class RunCase(Record, frozen=True, kw_only=True, tag="run_case"):
    """Measure this case and answer with ``CaseResult`` or ``CaseError``.

    Attributes:
        job: What the user asked about, of cases that measure it.
    """

    case: Case
    job: AskedJob | None = None


class AbandonCase(Record, frozen=True, kw_only=True, tag="abandon_case"):
    """Give up the running case after the sample at hand; nothing happens if another one runs."""

    case_id: str


class Stop(Record, frozen=True, kw_only=True, tag="stop"):
    """Give up what runs, say ``Bye`` and end."""


class TraceFile(Record, frozen=True, kw_only=True, tag="trace_file"):
    """Run a user's own program for its network; answer with ``Traced`` or ``TraceFault``.

    Attributes:
        reference: Path and name, such as ``model.py:build``.
        input_shape: Of one sample; None: the file says it itself.
        input_kind: ``tokens`` are whole numbers.
    """

    reference: Text
    input_shape: Annotated[tuple[Count, ...], msgspec.Meta(min_length=1, max_length=8)] | None = None
    input_kind: Literal["numbers", "tokens"] = "numbers"


class TraceCalls(Record, frozen=True, kw_only=True, tag="trace_calls"):
    """Make a network of the operators that a watched step called; answer with ``Traced`` or ``TraceFault``.

    Attributes:
        path: The file that the watched process wrote.
        batch: Samples of the step; None: as many as its first operand has.
        parts: Equal ones that they go through the network in, one after another.
        name: What to call the network.
    """

    path: Text
    batch: Count | None = None
    parts: Count = 1
    name: Text


Command = RunCase | AbandonCase | TraceFile | TraceCalls | HostGroup | RunGroup | Stop


class WorkerDevice(Record, frozen=True, kw_only=True):
    """A device torch can use.

    Attributes:
        name: torch's name, such as ``cpu`` or ``cuda:0``.
        title: The driver's name for it; empty for the processor.
        memory_bytes: Its own or, for shared memory, the memory torch advises to stay within; None for the processor.
        free_bytes: Of it, free when the worker started.
        precisions: Formats it computes natively; all others are refused or emulated slowly.
        compute_capability: NVIDIA's "8.9"; None for others.
        multiprocessors: Of an NVIDIA or AMD device.
    """

    name: Text
    title: Text = ""
    memory_bytes: Bytes | None = None
    free_bytes: Bytes | None = None
    precisions: tuple[Precision, ...] = ()
    compute_capability: Text | None = None
    multiprocessors: Count | None = None


class Ready(Record, frozen=True, kw_only=True, tag="ready"):
    """The first answer: what can be measured.

    Attributes:
        framework: ``version`` is None where torch cannot be imported; nothing can be measured then.
        devices: The processor first.
        environment: Names and versions that matter to the numbers.
        problem: What the system said when torch or a device could not be used, without paths of the user.
    """

    protocol: int = PROTOCOL_VERSION
    framework: Framework
    devices: tuple[WorkerDevice, ...] = ()
    environment: dict[Text, Text] = {}
    problem: Text = ""


class CaseBegun(Record, frozen=True, kw_only=True, tag="case_begun"):
    """The worker has taken up a case."""

    case_id: Text


class Sample(Record, frozen=True, kw_only=True, tag="sample"):
    """One timed sample: seconds per iteration."""

    case_id: Text
    sample_s: Seconds


class CaseResult(Record, frozen=True, kw_only=True, tag="case_result"):
    """Raw result of a case; the interface summarises it.

    Attributes:
        samples_s: Seconds per iteration, one entry a sample.
        iterations_per_sample: Loop count inside one sample.
        items_per_iteration: Images, sequences or tokens of one iteration.
        parameters: Trainable parameters of the network; None for kernels.
        peak_memory_bytes: Highest memory during the case; None where the system does not say.
        details: Further numbers, unit in the name.
        series: Curves.
        profile: Where the time went; of profile cases only.
        pace_s: What the product that is always the same took just before.
        held_bytes: What the worker's heap keeps of freed memory after the case; None where the system does not say.
    """

    case_id: Text
    samples_s: Samples
    iterations_per_sample: Count = 1
    items_per_iteration: Count = 1
    parameters: Count | None = None
    peak_memory_bytes: Bytes | None = None
    details: dict[Text, Detail] = {}
    series: Annotated[tuple[Series, ...], msgspec.Meta(max_length=128)] = ()
    profile: Profile | None = None
    pace_s: Seconds | None = None
    held_bytes: Bytes | None = None


class CaseError(Record, frozen=True, kw_only=True, tag="case_error"):
    """A case without result.

    Attributes:
        detail: What the system said.
        ends_worker: The device is no longer usable in this process; a fresh one is wanted for the next case.
        needed_bytes: Memory it takes, where that is why it was not even tried.
        left_bytes: Memory it might have taken: a share of what was free.
        held_bytes: As of a result.
    """

    case_id: Text
    reason: CaseErrorReason
    detail: Text = ""
    ends_worker: bool = False
    needed_bytes: Bytes | None = None
    left_bytes: Bytes | None = None
    held_bytes: Bytes | None = None


class Traced(Record, frozen=True, kw_only=True, tag="traced"):
    """The work of a user's own network."""

    network: Network


class TraceFault(Record, frozen=True, kw_only=True, tag="trace_fault"):
    """Why a user's own network could not be traced.

    Attributes:
        code: A code of ``errors.TraceError``.
        values: What its sentence names.
    """

    code: Text
    values: Annotated[dict[Text, Text], msgspec.Meta(max_length=8)] = {}


class Bye(Record, frozen=True, kw_only=True, tag="bye"):
    """The last answer of a worker that ends in order."""


Answer = Ready | CaseBegun | Sample | CaseResult | CaseError | Traced | TraceFault | GroupAnswer | Bye
