"""Hardware one can own or rent: training devices, and cloud offers that carry them."""

from typing import Literal

from advisor.records.base import Record, Source

DeviceClass = Literal["gpu", "laptop_gpu", "workstation_gpu", "datacenter_gpu", "apple", "soc", "tpu", "cpu"]


class Device(Record, frozen=True, kw_only=True):
    """One training device. Peak rates are dense; tensor rates are with fp32 accumulation; FLOP/s.

    Attributes:
        name: The vendor's name, such as ``GeForce RTX 4060 Laptop``.
        aliases: Names by which drivers, clouds and data sets call the very same chip.
        vendor: ``nvidia``, ``amd``, ``intel``, ``apple``, ``google`` or ``other``.
        architecture: Such as ``Ada Lovelace``.
        device_class: What kind of machine it belongs in; ``soc``: it shares chip and memory with the processor.
        for_whom: Family for whom it is made: ``consumer``, ``professional``, ``datacenter``.
        peak_flop_per_s: By precision; a missing key means not supported at an own rate or unknown.
        memory_bytes: None for CPUs (the computer's memory counts).
        memory_type: ``GDDR6``, ``HBM3``, ``unified``, ``DDR``.
        frameworks: ``CUDA``, ``ROCm``, ``OpenCL``, ``PyTorch``, ``TensorFlow``, ``JAX`` …
        frameworks_limit: What must be observed to use them, as a code the report turns into a sentence:
            ``cuda_12_6_build`` (only builds of PyTorch for CUDA 12.6 carry kernels for it), ``old_framework``,
            ``rocm_unofficial``, ``linux_only``, ``vendor_build``, ``cloud_only``; None: nothing particular.
        multiprocessors: Streaming multiprocessors, compute units, Xe cores, GPU cores; processor cores of a CPU.
        interconnect: The fastest link to a neighbour of its kind, such as ``NVLink 4`` or ``PCIe 4.0 x16``.
        interconnect_bytes_per_s: Of that link, per device and direction.
        price_usd: Street or launch price of the card alone; None where it is not sold alone.
        price_kind: Which of the two.
        price_as_of: ISO date or year of the price.
        released: ISO date or year.
        sources: One for each group of figures; the key names the group (``specifications``, ``peak``, ``frameworks``,
            ``price``). A row that is not ours but of the open GPU database has the group ``fallback``.
    """

    name: str
    aliases: tuple[str, ...] = ()
    vendor: str
    architecture: str = ""
    device_class: DeviceClass
    for_whom: Literal["consumer", "professional", "datacenter"]
    peak_flop_per_s: dict[str, float] = {}
    memory_bytes: int | None = None
    memory_type: str | None = None
    bandwidth_bytes_per_s: float | None = None
    power_w: float | None = None
    compute_capability: str | None = None
    multiprocessors: int | None = None
    l2_bytes: int | None = None
    boost_hz: float | None = None
    interconnect: str | None = None
    interconnect_bytes_per_s: float | None = None
    frameworks: tuple[str, ...] = ()
    frameworks_limit: str | None = None
    price_usd: float | None = None
    price_kind: Literal["street", "launch"] | None = None
    price_as_of: str | None = None
    released: str | None = None
    sources: dict[str, Source] = {}

    @property
    def is_less_supported(self) -> bool:
        """Whether it lacks CUDA, or current builds of the frameworks have left it behind.

        What is not known of a device's software is not held against it.
        """
        is_left_behind = self.frameworks_limit in ("cuda_12_6_build", "old_framework")
        return bool(self.frameworks) and ("CUDA" not in self.frameworks or is_left_behind)


class Computer(Record, frozen=True, kw_only=True):
    """A whole computer that is sold with a training device built in.

    Attributes:
        name: The maker's, such as ``Mac mini``.
        device: The device with the memory that this computer has, and its price.
        threads: Hardware threads of its processor.
        socket_w: What all of it draws from the socket at most.
        price_usd: Of the whole computer.
        price_as_of: ISO date of the price.
    """

    name: str
    device: Device
    threads: int
    socket_w: float
    price_usd: float
    price_as_of: str


class Board(Record, frozen=True, kw_only=True):
    """What a graphics card asks of the computer it goes into; None where nobody publishes it.

    Attributes:
        device: Its name.
        supply_w: Power supply that is suggested for a computer with one such card.
        power_w: What the card draws at most.
        length_mm: Of the reference card; ``slots``: places its cooler covers.
        connectors: Of power, such as ``1x 16-pin``.
        bus: Such as ``PCIe 4.0 x16``.
    """

    device: str
    supply_w: float | None = None
    power_w: float | None = None
    length_mm: float | None = None
    slots: int | None = None
    connectors: str | None = None
    bus: str | None = None
    source: Source


class HostParts(Record, frozen=True, kw_only=True):
    """The computer around a card that is in the price where this one has no place for it.

    Attributes:
        cores: Of its processor; ``threads``: their hardware threads.
        memory_bytes: Main memory; ``supply_w``: what its power supply gives.
        extra_usd: What its processor costs more than the usual one; ``extra_as_of`` and ``extra_source``: whence.
        as_of: When its parts were paid.
    """

    cores: float
    threads: float
    extra_usd: float = 0.0
    extra_as_of: str | None = None
    extra_source: Source | None = None
    memory_bytes: float
    supply_w: float
    as_of: str
    source: Source


NetworkKind = Literal["infiniband", "rdma_ethernet", "ethernet"]


class Offer(Record, frozen=True, kw_only=True):
    """A rentable machine at one provider, price in USD per hour for the whole machine.

    Attributes:
        provider: Such as ``aws``.
        instance: The provider's name for it.
        device: Name of a catalogue device, or None where the catalogue does not know it.
        device_count: Accelerators in it.
        spot: Interruptible at a lower price.
        is_marketplace: The machine is another customer's; price and availability are those of the hour.
        network: How several such machines are joined, as the provider publishes it; None: it does not.
        network_bytes_per_s: Of the machine's network cards together, in one direction.
        as_of: ISO date of the price.
    """

    provider: str
    instance: str
    region: str
    device: str | None
    device_name: str
    device_count: int
    device_memory_bytes: int | None
    cpu_cores: int | None
    memory_bytes: int | None
    price_usd_per_h: float
    spot: bool
    is_marketplace: bool = False
    network: NetworkKind | None = None
    network_bytes_per_s: float | None = None
    as_of: str

    @property
    def is_dependable(self) -> bool:
        """Whether it can be counted on for months: not interruptible, not of a marketplace."""
        return not (self.spot or self.is_marketplace)


RefreshCode = Literal["unreachable", "unreadable", "nonsense", "too_few", "not_stored"]


class RefreshProblem(Record, frozen=True, kw_only=True):
    """Why the prices of one provider were not renewed; its old ones stay.

    Attributes:
        code: ``unreachable``, ``unreadable``, ``nonsense`` (price 0 or missing fields), ``too_few`` or ``not_stored``.
        detail: What was seen, such as the row or the system's message.
    """

    provider: str
    code: RefreshCode
    detail: str = ""


class RefreshResult(Record, frozen=True, kw_only=True):
    """What a renewal of the cloud prices did.

    Attributes:
        renewed: Providers whose prices are new.
        problems: One for each provider that keeps its old prices.
        offer_count: Offers known afterwards.
    """

    renewed: tuple[str, ...] = ()
    problems: tuple[RefreshProblem, ...] = ()
    offer_count: int = 0
