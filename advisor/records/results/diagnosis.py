"""What holds this computer back: findings, each with the numbers it rests on, what to do, and what that would gain."""

from typing import Literal

from advisor.records.base import Interval, Record
from advisor.records.job.prediction import Limit

FindingKind = Literal[
    "wrong_torch_build",
    "capacity_bound",
    "input_bound",
    "few_cores_for_loader",
    "throttled_heat",
    "throttled_power",
    "on_battery",
    "power_saver",
    "other_load",
    "slow_link",
    "single_memory_channel",
    "launch_bound",
    "page_faults",
    "bandwidth_bound",
    "compute_bound",
    "unstable",
    "nothing_wrong",
]
Severity = Literal["serious", "moderate", "slight", "none"]
RemedyCode = Literal[
    "card_too_new",
    "card_too_old",
    "cpu_only_build",
    "driver_too_old",
    "wrong_vendor",
    "checkpointing",
    "close_programs",
    "faster_device",
    "faster_memory",
    "free_card_memory",
    "fuse_operations",
    "fused_optimizer",
    "graphics_card",
    "improve_cooling",
    "keep_data_on_card",
    "keep_freed_memory",
    "larger_batch",
    "larger_memory",
    "leave_power_saver",
    "lora",
    "measure_again",
    "more_cores",
    "more_workers",
    "plug_in",
    "prepare_data",
    "qlora",
    "raise_power_limit",
    "second_memory_module",
    "shard",
    "shorter_format",
    "smaller_batch",
    "use_card",
    "use_full_slot",
]


class Reading(Record, frozen=True, kw_only=True):
    """One number a finding rests on.

    Attributes:
        name: Unit in the name where it has one, such as ``loader_samples_per_s``.
        unit: ``flop_per_s``, ``bytes_per_s``, ``samples_per_s``, ``flop_per_byte``, ``bytes``, ``s``, ``hz``,
            ``celsius``, ``w``, ``ratio`` (a share, 0 to 1), ``times`` (a factor), or empty for a count.
        source: The case it was measured in, the field of the machine it was read from, ``before`` the measurements,
            ``conditions`` of all of them, ``catalogue`` or ``prediction``.
    """

    name: str
    value: float
    unit: str = ""
    source: str


class Finding(Record, frozen=True, kw_only=True):
    """One thing that holds the computer back, or that nothing does.

    Attributes:
        form: Which of the sentences of its kind says it, where there are several; for ``wrong_torch_build`` the
            mismatch.
        device: torch's name of what it is about.
        network: The network whose training showed it, where it is not true of every one.
        severity: By what fixing it would gain: ``serious`` from twice the speed on or where something cannot run at
            all, ``moderate`` from 15 %, ``slight`` below or where the gain is not known; ``none`` where nothing is
            amiss.
        evidence: Never empty.
        gain: How many times as fast the device would be, from the least to the most; None where nothing says.
        remedies: What to do, the most helpful first.
    """

    kind: FindingKind
    form: str = ""
    device: str
    network: str = ""
    severity: Severity
    evidence: tuple[Reading, ...]
    gain: Interval | None = None
    remedies: tuple[RemedyCode, ...] = ()


class PublishedRates(Record, frozen=True, kw_only=True):
    """What the catalogue says of a device of this computer, as far as it has this very device.

    Attributes:
        flop_per_s: Dense peak by precision.
        bandwidth_bytes_per_s: Of its memory; of a processor, with every memory channel in use.
    """

    flop_per_s: dict[str, float] = {}
    bandwidth_bytes_per_s: float | None = None


class StepTraffic(Record, frozen=True, kw_only=True):
    """Bytes that the operations of one training step read and write, its optimizer left out.

    Attributes:
        arithmetic_per_sample, arithmetic_fixed: By products and convolutions, which compute meanwhile.
        other_per_sample, other_fixed: By everything else, which hardly computes.
    """

    arithmetic_per_sample: float = 0.0
    arithmetic_fixed: float = 0.0
    other_per_sample: float = 0.0
    other_fixed: float = 0.0


class Outlook(Record, frozen=True, kw_only=True):
    """What is predicted for the user's job on one device of this computer.

    Attributes:
        device: torch's name.
        limit: What is predicted to hold it back.
        device_samples_per_s: What the device could take if its data were always ready, least to most.
        loader_samples_per_s: What the processor delivers, least to most; None where nothing has to be prepared.
        waiting_ratio: Share of a step in which the device waits for its data, by the best guess, which is what the
            user is told; None: not known.
        needed_bytes: Memory of a step, least to most.
        predicted_bytes: The same by the best guess, which is what the user is told; None: the least.
        available_bytes: Memory of the device.
        how_to_fit: Codes of measures that would make it fit, easiest first.
    """

    device: str
    limit: Limit = "unknown"
    device_samples_per_s: Interval | None = None
    loader_samples_per_s: Interval | None = None
    waiting_ratio: float | None = None
    needed_bytes: Interval | None = None
    predicted_bytes: float | None = None
    available_bytes: float | None = None
    how_to_fit: tuple[str, ...] = ()
