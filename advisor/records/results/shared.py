"""What may be given to others of a computer's measurements: an allow-list; whatever is not named here stays at home.

Every text has a pattern or a list of values, so that no free text has a place. The same limits hold for what comes in.
"""

from typing import Annotated, Final, Literal

import msgspec

from advisor.records.base import Precision, Record
from advisor.records.job.prediction import Calibration
from advisor.records.job.workload import Task

SHARED_FORMAT: Final = "advisor-measurement/1"
LEARNED_VERSION = 1

Seconds = Annotated[float, msgspec.Meta(ge=1e-7, le=1e5)]
Small = Annotated[int, msgspec.Meta(ge=1, le=10**6)]
Name = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._()+-]{0,79}$(?!\n)")]
"""Of a device or a network; both are looked up in the catalogue as well."""
Minor = Annotated[str, msgspec.Meta(pattern=r"^([0-9]{1,4}[.][0-9]{1,4})?$(?!\n)")]
"""A version to its second number."""
System = Literal["Linux", "Windows", "macOS", ""]
SharedFault = Literal[
    "conditions",
    "device",
    "format",
    "link",
    "network",
    "not_measured",
    "physics",
    "simulated",
    "spread",
    "too_large",
    "unreadable",
]


class SharedCase(Record, frozen=True, kw_only=True):
    """Steps of a network of the catalogue, trained or applied.

    Attributes:
        low_s, median_s, high_s: Quartiles of the samples.
        samples: How many there are.
    """

    task: Task
    network: Name
    precision: Precision
    batch_size: Small
    channels_last: bool = False
    low_s: Seconds
    median_s: Seconds
    high_s: Seconds
    samples: Small


class SharedMeasurements(Record, frozen=True, kw_only=True):
    """What one computer measured on one of its devices.

    Attributes:
        hand: A random number of the computer; it says only that two files are of one.
        device: Its name in the catalogue.
        memory_gib: Of the device; None where unknown.
        power_limit_w: Of the card; None where unknown.
        cores: Hardware threads of the computer.
        ram_gib: Of the computer, as such memory is sold.
        month: Of the measuring; the day stays at home.
        torch, driver: Versions to the second number; empty where unknown.
    """

    format: Literal["advisor-measurement/1"] = SHARED_FORMAT
    hand: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]
    device: Name
    memory_gib: Small | None = None
    power_limit_w: Small | None = None
    cores: Small
    ram_gib: Small
    system: System = ""
    month: Annotated[str, msgspec.Meta(pattern=r"^20[0-9]{2}-(0[1-9]|1[0-2])$(?!\n)")]
    torch: Minor = ""
    driver: Minor = ""
    program_version: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,4}([.][0-9]{1,4}){1,3}$(?!\n)")]
    cases: Annotated[tuple[SharedCase, ...], msgspec.Meta(min_length=1, max_length=500)]


class LearnedError(Record, frozen=True, kw_only=True):
    """How far predictions were off the measurements of a computer that was left out: of all, the median.

    Attributes:
        before: Share by which a prediction without, ``after``: with what the other computers measured is off.
    """

    before: float
    after: float


class LearnedDevice(Record, frozen=True, kw_only=True):
    """What others measured on a device, of which its predictions are corrected.

    Attributes:
        calibration: The corrections.
        error: For those networks.
        other_networks: For a network that none of them had measured; None where too few were measured.
    """

    calibration: Calibration
    error: LearnedError
    other_networks: LearnedError | None = None


class NotLearned(Record, frozen=True, kw_only=True):
    """A device whose measurements correct nothing, and why: too few computers agree, or predictions would be worse."""

    device: str
    reason: Literal["few_hands", "worse"]
    hands: int
    measurements: int
    error: LearnedError | None = None


class Learned(Record, frozen=True, kw_only=True):
    """What was learned of the measurements of others.

    Attributes:
        files: Digests of the files it rests on.
    """

    learned_version: int = LEARNED_VERSION
    created_at: str
    program_version: str
    devices: tuple[LearnedDevice, ...] = ()
    left_out: tuple[NotLearned, ...] = ()
    files: tuple[str, ...] = ()
