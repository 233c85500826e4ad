"""What the user wants to train, and under which circumstances: facts that are asked, never guessed silently.

The limits are the least and greatest sensible values: what is beyond them is a slip of the pen, or a file to refuse.
"""

from typing import Annotated, Any, Literal

import msgspec

from advisor.records.base import Precision, Record, Source
from advisor.records.job.work import Attention

Task = Literal["train", "infer"]
Method = Literal["scratch", "full", "transfer", "lora", "qlora", "classical"]
Optimizer = Literal["none", "sgd", "adam", "adamw", "adamw_8bit"]
InputKind = Literal["memory", "jpeg", "text", "table", "files"]
Who = Literal["student", "hobbyist", "freelancer", "teacher", "researcher", "company", "large_company"]


LayerKind = Literal[
    "conv",
    "dense",
    "max_pool",
    "avg_pool",
    "global_pool",
    "batch_norm",
    "layer_norm",
    "activation",
    "dropout",
    "flatten",
    "embedding",
    "lstm",
    "gru",
    "transformer",
]


class Layer(Record, frozen=True, kw_only=True):
    """One layer of a network a user describes; layers follow each other.

    Attributes:
        kind: What it does; ``transformer`` is a whole block: attention, then two dense layers of 4 times the width.
        size: Filters, units or width it puts out; None for layers that keep the width.
        kernel: Edge of the window; None: 3 for convolutions, 2 for pooling.
        stride: Step of the window; None: 1 for convolutions, the kernel for pooling.
        padding: ``same`` keeps the edge at stride 1, ``valid`` does not.
        vocabulary: Rows of an embedding.
        heads: Of attention.
        repeat: How many such layers in a row.
    """

    kind: LayerKind
    size: Annotated[int, msgspec.Meta(ge=1, le=10**6)] | None = None
    kernel: Annotated[int, msgspec.Meta(ge=1, le=10**4)] | None = None
    stride: Annotated[int, msgspec.Meta(ge=1, le=10**4)] | None = None
    padding: Literal["same", "valid"] = "same"
    vocabulary: Annotated[int, msgspec.Meta(ge=1, le=10**8)] | None = None
    heads: Annotated[int, msgspec.Meta(ge=1, le=10**4)] | None = None
    repeat: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1


class EpochRange(Record, frozen=True, kw_only=True):
    """How often jobs of a kind usually go through their data, with where that is published."""

    low: float
    high: float
    source: Source


class Workload(Record, frozen=True, kw_only=True):
    """A job: a network, how much data passes through it, and how.

    Attributes:
        id: Short name, such as ``article_cnn``; used on the command line.
        title: What it is in English; titles of presets are translated.
        network: Name of a network in the catalogue; ``gradient_boosting`` for classical ML on a table; ``own`` where
            ``layers`` describe it.
        layers: The user's own network, from input to output.
        channels: Channels of an image, or numbers in each step of a sequence, for ``layers``.
        task: Training or inference.
        method: From scratch, full fine-tuning, transfer (a ready network with a new end, all of it trained), LoRA,
            QLoRA, or classical ML.
        samples: Samples (images, sequences, rows) per epoch.
        epochs: Passes over the data; may be a fraction.
        epochs_are_default: Nobody said them; what such jobs usually take stands beside the answer.
        steps_per_epoch: Where the job is defined in steps (the article's 1000 x 32); else None: samples / batch.
        batch_size: Samples per optimizer step over all devices.
        image_size: Image edge in pixels, for image networks.
        sequence_length: Tokens per sequence, for text networks.
        columns: Columns of the table, for classical ML.
        input_kind: Where samples come from; ``jpeg`` files must be decoded by the processor; ``files`` of other kinds
            are loaded sample by sample as well, how fast is known only where they were measured.
        augmentation: The processor also rotates, zooms, shears and flips.
        loaders: Processes or threads that prepare ``jpeg`` files for each device while it computes; 0: the training
            program does it between two steps, as PyTorch does unless told otherwise; None: unknown.
        validation_samples: Samples looked at after each epoch without learning from them.
        precision_is_default: Nobody said the format; a device without instructions for short formats computes in fp32.
        channels_last, compiled, checkpointing: Software settings of the user's program.
        fused_optimizer: Whether one kernel updates the parameters; False: one for each operation and list of tensors;
            None: unknown, taken as usual in ``framework_year``, between both since 2023.
        attention: How the program computes it: ``fused`` (one kernel), ``decomposed`` (products and softmax, with every
            score stored); None: unknown, taken as usual in ``framework_year``.
        framework_year: Year of the framework and its libraries, which published runs tell; None: unknown, taken as
            what people run since 2021.
    """

    id: str
    title: str
    network: str
    task: Task = "train"
    method: Method = "scratch"
    samples: Annotated[int, msgspec.Meta(ge=1, le=10**13)]
    epochs: Annotated[float, msgspec.Meta(ge=0.001, le=1e6)] = 1.0
    epochs_are_default: bool = False
    steps_per_epoch: Annotated[int, msgspec.Meta(ge=1, le=10**10)] | None = None
    batch_size: Annotated[int, msgspec.Meta(ge=1, le=10**8)] = 32
    precision: Precision = "fp32"
    precision_is_default: bool = False
    optimizer: Optimizer = "adam"
    image_size: Annotated[int, msgspec.Meta(ge=8, le=16_384)] | None = None
    sequence_length: Annotated[int, msgspec.Meta(ge=1, le=10**7)] | None = None
    columns: Annotated[int, msgspec.Meta(ge=1, le=10**6)] | None = None
    classes: Annotated[int, msgspec.Meta(ge=1, le=10**7)] | None = None
    input_kind: InputKind = "memory"
    augmentation: bool = False
    loaders: Annotated[int, msgspec.Meta(ge=0, le=10**4)] | None = None
    validation_samples: Annotated[int, msgspec.Meta(ge=0, le=10**13)] = 0
    channels_last: bool = False
    compiled: bool = False
    checkpointing: bool = False
    fused_optimizer: bool | None = None
    attention: Attention | None = None
    framework_year: Annotated[int, msgspec.Meta(ge=2012, le=2100)] | None = None
    layers: tuple[Layer, ...] = ()
    channels: Annotated[int, msgspec.Meta(ge=1, le=10**5)] = 3

    @property
    def total_samples(self) -> float:
        """Samples that pass through the network in one run of the job."""
        if self.steps_per_epoch is not None:
            return self.steps_per_epoch * self.batch_size * self.epochs
        return self.samples * self.epochs

    @property
    def total_steps(self) -> float:
        """Optimizer steps in one run of the job."""
        return self.total_samples / self.batch_size

    @property
    def validation_steps(self) -> float:
        """Batches that are looked at without learning, in one run of the job."""
        return self.validation_samples * self.epochs / self.batch_size if self.task == "train" else 0.0


def on_samples(workload: Workload, samples: int) -> dict[str, Any]:
    """Return what changes in a job where the user says how many samples there are.

    An epoch goes through all of them, and no more are looked at without learning than are learned from.
    """
    looked_at = min(workload.validation_samples, samples)
    return {"samples": samples, "steps_per_epoch": None, "validation_samples": looked_at}


ONCE_RUNS = 1.5
"""Fewer runs over the horizon than this are a single one."""


class Circumstances(Record, frozen=True, kw_only=True):
    """The user's side of the question.

    Attributes:
        who: Who asks.
        runs_per_month: How often the job runs.
        deadline_s: A run must end within this; None: the default of the rules (said in the report).
        budget_usd: Money for a purchase, or for renting over the horizon; None: no limit stated.
        horizon_months: How long the hardware would be used.
        data_must_stay: Data may not leave the premises: no cloud.
        currency: ISO code money is shown in.
        units_per_usd: The user's own rate of exchange, units of the currency for one US dollar; None: the table's.
        country: ISO code, for electricity price and CO2.
        electricity_usd_per_kwh: The user's own price; None: the country's published one.
        resale_ratio: Share of the price that comes back at the end of the horizon.
        setup_s: Work on a rented machine before each run, beside its start, while it is paid.
        upload_bytes_per_s: Of the user's own line; None: an ordinary one's.
        download_bytes_per_s: The same, to the user: fetches weights, and results from a provider.
        failed_tries: Runs over the horizon that have to be done once more.
    """

    who: Who = "student"
    runs_per_month: Annotated[float, msgspec.Meta(ge=0.001, le=1e5)] = 1.0
    deadline_s: Annotated[float, msgspec.Meta(ge=1, le=1e10)] | None = None
    budget_usd: Annotated[float, msgspec.Meta(ge=0, le=1e12)] | None = None
    horizon_months: Annotated[float, msgspec.Meta(ge=0.1, le=600)] = 24.0
    data_must_stay: bool = False
    currency: Annotated[str, msgspec.Meta(pattern="^[A-Z]{3}$", max_length=3)] = "USD"
    units_per_usd: Annotated[float, msgspec.Meta(ge=1e-6, le=1e9)] | None = None
    country: Annotated[str, msgspec.Meta(pattern="^[A-Z]{2}$", max_length=2)] = "US"
    electricity_usd_per_kwh: Annotated[float, msgspec.Meta(ge=0, le=10)] | None = None
    resale_ratio: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    setup_s: Annotated[float, msgspec.Meta(ge=0, le=1e6)] = 0.0
    upload_bytes_per_s: Annotated[float, msgspec.Meta(ge=1e3, le=1e12)] | None = None
    download_bytes_per_s: Annotated[float, msgspec.Meta(ge=1e3, le=1e12)] | None = None
    failed_tries: Annotated[float, msgspec.Meta(ge=0, le=1e6)] = 0.0

    @property
    def is_once(self) -> bool:
        """Whether the job runs a single time over the horizon."""
        return self.runs_per_month * self.horizon_months < ONCE_RUNS


class Preset(Record, frozen=True, kw_only=True):
    """A ready-made question: a job, the circumstances it usually comes with, and how it is named to people.

    Attributes:
        titles: Title by language code, such as ``{"en": …, "es": …}``; empty where the user named the job.
        source: Where the numbers of a ready-made job come from.
    """

    workload: Workload
    circumstances: Circumstances = Circumstances()
    titles: dict[str, str] = {}
    source: str = ""
