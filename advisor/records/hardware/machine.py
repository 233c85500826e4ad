"""What this computer is: the result of the probe, without anything that identifies its owner."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Bytes, Evidence, Gap, Record

FormFactor = Literal["laptop", "desktop", "server", "unknown"]
ComputerKind = Literal["laptop", "desktop", "server", "small"]
Isolation = Literal["none", "virtual_machine", "container", "wsl"]
Vendor = Literal["nvidia", "amd", "intel", "apple", "google", "other"]
AcceleratorKind = Literal["discrete", "integrated", "virtual", "datacenter", "tpu"]


class Cpu(Record, frozen=True, kw_only=True):
    """The processor.

    Attributes:
        name: As the vendor writes it, without frequency padding.
        physical_cores: Cores, without hyper-threads; None where the system does not say.
        logical_cores: Hardware threads of the machine.
        usable_cores: Threads this process may really use (affinity and cgroup limits), may be a fraction.
        base_frequency_hz: Nominal clock.
        max_frequency_hz: Highest clock the system reports.
        caches_bytes: Size per level, such as {"L1d": 65536, "L3": 33554432}, summed over the machine.
        instruction_sets: Those that matter for training: AVX2, AVX512F, AVX512_VNNI, AVX512_BF16, AMX, NEON, SVE.
        vector_bits: Width of its arithmetic on vectors where the instruction sets do not tell it; None: they do.
    """

    name: str
    vendor: str
    architecture: str
    physical_cores: int | None
    logical_cores: int
    usable_cores: float
    base_frequency_hz: Annotated[float, msgspec.Meta(ge=0, le=1e12)] | None = None
    max_frequency_hz: Annotated[float, msgspec.Meta(ge=0, le=1e12)] | None = None
    caches_bytes: dict[str, int] = {}
    instruction_sets: tuple[str, ...] = ()
    vector_bits: Annotated[int, msgspec.Meta(ge=1, le=2**16)] | None = None


class Memory(Record, frozen=True, kw_only=True):
    """Main memory. ``limit_bytes`` is what this process may use (cgroup limit), at most ``total_bytes``."""

    total_bytes: Bytes
    available_bytes: Bytes
    limit_bytes: Bytes


class Disk(Record, frozen=True, kw_only=True):
    """The disk that holds the working folder. ``kind`` is how it is attached, None if unknown."""

    kind: Literal["nvme", "ssd", "hdd", "network", "virtual"] | None
    free_bytes: Bytes | None


class Battery(Record, frozen=True, kw_only=True):
    """The battery, where there is one."""

    charge_ratio: float | None
    is_plugged_in: bool | None


class Host(Record, frozen=True, kw_only=True):
    """The computer around the accelerators."""

    os_name: str
    os_version: str
    form_factor: FormFactor
    isolation: Isolation
    isolation_detail: str = ""
    cpu: Cpu
    memory: Memory
    disk: Disk
    battery: Battery | None = None


class PcieLink(Record, frozen=True, kw_only=True):
    """The link between processor and card, as it is now and at most."""

    generation: int | None
    width: int | None
    max_generation: int | None
    max_width: int | None


class Accelerator(Record, frozen=True, kw_only=True):
    """One graphics card or other accelerator.

    Attributes:
        index: Position among the accelerators of the same vendor, as the driver counts.
        kind: Only ``discrete``, ``datacenter`` and ``tpu`` train networks, and of ``integrated`` ones those with
            ``unified_memory`` made for it (Apple's, NVIDIA's Jetson and GB10).
        trains: Whether this program takes it for a device to train on.
        memory_bytes: Its own memory; None where unknown or shared.
        unified_memory: Whether the memory is the computer's main memory.
        compute_capability: NVIDIA's "8.9"; None for others.
        architecture: AMD's target name, such as ``gfx1100``; None for others.
        is_asleep: The card is powered down and was not woken to be read.
        used_by: Names of programs that hold its memory, without paths; in a report an empty text for each.
        is_overridden: Name or memory were set by hand.
    """

    vendor: Vendor
    index: int
    name: str
    kind: AcceleratorKind
    trains: bool
    memory_bytes: Bytes | None = None
    memory_used_bytes: Bytes | None = None
    unified_memory: bool = False
    driver_version: str | None = None
    compute_api_version: str | None = None
    compute_capability: str | None = None
    architecture: str | None = None
    pci_id: str | None = None
    pcie: PcieLink | None = None
    power_limit_w: float | None = None
    ecc_enabled: bool | None = None
    mig_enabled: bool | None = None
    is_asleep: bool = False
    used_by: tuple[str, ...] = ()
    is_overridden: bool = False


class Framework(Record, frozen=True, kw_only=True):
    """The torch that measures.

    Attributes:
        name: ``torch``.
        version: None when it is not installed.
        built_for: ``cpu``, ``cuda``, ``rocm``, ``xpu`` or ``mps``.
        built_for_version: CUDA or ROCm version it was built for.
        architectures: Compute capabilities it carries kernels for, such as ``sm_86``.
        visible_devices: Accelerators it can use, as torch names them, such as ``cuda:0``; the worker adds the
            driver's title and the card's position (``advisor.card_matching``).
        mismatch: Why it cannot use a card that was found, as a code the report turns into a sentence and a remedy:
            ``cpu_only_build``, ``card_too_old``, ``card_too_new``, ``driver_too_old``, ``wrong_vendor``; else None.
    """

    name: str = "torch"
    version: str | None = None
    built_for: str | None = None
    built_for_version: str | None = None
    architectures: tuple[str, ...] = ()
    visible_devices: tuple[str, ...] = ()
    mismatch: str | None = None


class Machine(Record, frozen=True, kw_only=True):
    """Everything the probe found, how, and what it could not find."""

    host: Host
    accelerators: tuple[Accelerator, ...] = ()
    framework: Framework
    evidence: tuple[Evidence, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def takes_no_card(self) -> bool:
        """Whether it is known to have no place for a graphics card; of others that may not be known."""
        is_board = self.host.cpu.architecture.casefold() in ("arm64", "aarch64")
        return self.host.form_factor == "laptop" or self.host.os_name == "macOS" or is_board
