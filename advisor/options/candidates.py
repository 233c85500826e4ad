"""List the ways to get the job done: this computer, cards to buy, machines to rent, clusters of rented machines."""

import datetime
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import msgspec

from advisor import catalog
from advisor.card_matching import training_cards
from advisor.options.own_devices import accelerator_device, computer_kind, cpu_device
from advisor.records.base import Record
from advisor.records.hardware.device import Computer, Device, Offer
from advisor.records.hardware.economics import Economics
from advisor.records.hardware.machine import ComputerKind, Machine
from advisor.records.job.advice import Tier
from advisor.records.results.scaling import MeasuredLink
from advisor.units import GIB

ON_SALE_YEARS = {"consumer": 3, "professional": 5}
"""A card launched longer ago is taken to be no longer sold new, unless a street price says otherwise: makers replace
consumer cards every second year and sell off the old ones for about one more; professional cards stay for longer."""

USUAL_THREADS = 16.0
"""Hardware threads for each device of a rented machine where nobody's list says how many machines like it have."""

_NOT_FOR_A_DESK = frozenset({"apple", "soc", "laptop_gpu", "cpu", "tpu", "datacenter_gpu"})
"""Apple's, and others on one chip with the processor, are part of a whole computer. Data-centre devices are modules of
a server, or cards without a fan that only a server's airflow cools."""

CARDS_PER_COMPUTER = (1, 2)
"""How many cards the processor of the computer whose price is known can feed: its 16 lanes go to one slot or to two.

Source: AMD, Socket AM5 chipsets, "1x16 or 2x8 PCIe"; tables of boards say the same of LGA1851 (read 2026-11-23). Four
cards ask for a workstation, whose price nobody here knows.
"""
NODES_PER_CLUSTER = (2, 4, 8, 16, 32, 64, 128, 256, 512)
GPUS_PER_NODE = 8


class Candidate(Record, frozen=True, kw_only=True):
    """One way to get the job done, before its time and cost are known.

    Attributes:
        cpu_cores: Hardware threads that prepare its data; None where unknown.
        is_in_this_computer: Whether those are this computer's own: it is here, or would be put in.
        torch_device: torch's name of the device where it is one of this computer's, such as ``cuda:0``.
        nodes: Machines working together.
        purchase_usd: Of the cards and, in ``host_usd``, of a computer around them.
        is_computer: What is bought is a whole computer with the device built in.
        is_site: It is the site's own; ``link`` is what was measured between its devices.
        node_usd_per_h: What the site asks for a node and hour; ``wait_s``: how long one waits for them.
        job_limit_s: Longest that the site lets a job run; a longer run goes on in another job, after another wait.
        socket_w: What all of that computer draws from the socket at most.
        extra_w: What the processor of a bought computer draws more than its usual one.
        computer: Which kind of computer is around the device.
    """

    id: str
    tier: Tier
    title: str
    device: Device
    device_count: int = 1
    nodes: int = 1
    cpu_cores: float | None = None
    is_in_this_computer: bool = False
    torch_device: str | None = None
    offer: Offer | None = None
    purchase_usd: float = 0.0
    host_usd: float = 0.0
    is_computer: bool = False
    is_site: bool = False
    link: MeasuredLink | None = None
    node_usd_per_h: float = 0.0
    wait_s: float = 0.0
    job_limit_s: float | None = None
    socket_w: float | None = None
    extra_w: float = 0.0
    computer: ComputerKind = "desktop"
    price_as_of: str | None = None


def list_candidates(machine: Machine, today: datetime.date) -> tuple[Candidate, ...]:
    """Return every way worth considering, for a computer and a day: what is here, to buy, to rent, to rent many of."""
    by_name = _devices_by_name()
    return (
        *here(machine),
        *purchases(catalog.devices(), machine, catalog.economics(), today),
        *whole_computers(catalog.computers(), today),
        *rentals(catalog.offers(), by_name),
        *clusters(catalog.offers(), by_name),
    )


@cache
def _devices_by_name() -> dict[str, Device]:
    return {device.name: device for device in catalog.devices()}


def here(machine: Machine) -> Iterator[Candidate]:
    """Yield this computer's processor and each of its cards (and equal cards together)."""
    cores, kind = machine.host.cpu.usable_cores, computer_kind(machine)
    processor = cpu_device(machine)
    yield Candidate(
        id="here/cpu",
        tier="this_computer",
        title=processor.name,
        device=processor,
        cpu_cores=cores,
        is_in_this_computer=True,
        torch_device="cpu",
        computer=kind,
        socket_w=catalog.chip_socket_w(processor.name),
    )
    groups: dict[tuple[str, int | None], list[tuple[str, Device]]] = {}
    for name, _, accelerator in training_cards(machine):
        device = accelerator_device(accelerator, machine)
        if device is not None:
            groups.setdefault((device.name, device.memory_bytes), []).append((name, device))
    for members in groups.values():
        for count in range(1, len(members) + 1):
            name, device = members[0]
            yield Candidate(
                id=f"here/{name}" if count == 1 else f"here/{name} x{count}",
                tier="this_computer",
                title=device.name if count == 1 else f"{count} × {device.name}",
                device=device,
                device_count=count,
                cpu_cores=cores,
                is_in_this_computer=True,
                torch_device=name,
                computer=kind,
                socket_w=catalog.chip_socket_w(device.name),
            )


def purchases(
    devices: Sequence[Device], machine: Machine, economics: Economics, today: datetime.date
) -> Iterator[Candidate]:
    """Yield cards that can be bought new and used with PyTorch, one or several in a computer.

    A desktop takes a card itself; a laptop, a Mac, a board with an ARM processor, a server of somebody else or an
    unknown case needs a computer around it.
    """
    host = machine.host
    has_place = host.form_factor == "desktop" and host.isolation in ("none", "wsl") and not machine.takes_no_card
    for device in devices:
        if device.price_usd is None or "PyTorch" not in device.frameworks or not is_on_sale(device, today):
            continue
        for count in CARDS_PER_COMPUTER:
            own_host = not has_place or count > 1  # an ordinary desktop has place and power for one card
            host_usd = economics.host_usd.value if own_host else 0.0
            yield Candidate(
                id=f"buy/{device.name}" if count == 1 else f"buy/{count}x {device.name}",
                tier="single_gpu",
                title=device.name if count == 1 else f"{count} × {device.name}",
                device=device,
                device_count=count,
                cpu_cores=economics.host_threads.value if own_host else machine.host.cpu.usable_cores,
                is_in_this_computer=not own_host,
                purchase_usd=device.price_usd * count + host_usd,
                host_usd=host_usd,
                price_as_of=device.price_as_of,
            )


def better_fed(candidates: Iterable[Candidate], economics: Economics) -> Iterator[Candidate]:
    """Yield what is bought with a computer around it once more, with each processor of more cores for its loading.

    A card for this computer comes with a new one, too, where that has more threads than this one.
    """
    usual = (economics.host_threads.value, 0.0, 0.0)
    stronger = [(one.threads, one.extra_usd, one.extra_w) for one in economics.processors]
    for candidate in candidates:
        if candidate.tier != "single_gpu" or candidate.is_computer:
            continue
        card_usd = candidate.purchase_usd - candidate.host_usd
        for threads, extra_usd, extra_w in (usual, *stronger):
            if threads <= (candidate.cpu_cores or 0.0):
                continue
            host_usd = economics.host_usd.value + extra_usd
            yield msgspec.structs.replace(
                candidate,
                id=f"{candidate.id}/{threads:g} threads",
                cpu_cores=threads,
                is_in_this_computer=False,
                purchase_usd=card_usd + host_usd,
                host_usd=host_usd,
                extra_w=extra_w,
            )


def whole_computers(computers: Sequence[Computer], today: datetime.date) -> Iterator[Candidate]:
    """Yield computers with a training device built in: nothing of this computer's goes into them.

    As of consumer cards, a price of years ago is taken for one of what is no longer sold.
    """
    oldest = today.year - ON_SALE_YEARS["consumer"]
    for computer in (one for one in computers if int(one.price_as_of[:4]) >= oldest):
        memory = f"{(computer.device.memory_bytes or 0) / GIB:.0f} GB"
        title = f"{computer.name}, {computer.device.name}, {memory}"
        yield Candidate(
            id=f"buy/{title}",
            tier="single_gpu",
            title=title,
            device=computer.device,
            cpu_cores=computer.threads,
            purchase_usd=computer.price_usd,
            is_computer=True,
            socket_w=computer.socket_w,
            price_as_of=computer.price_as_of,
        )


def is_on_sale(device: Device, today: datetime.date) -> bool:
    """Return whether a device is taken to be sold new, alone and for a desk: young, or with a street price."""
    if device.device_class in _NOT_FOR_A_DESK:
        return False
    if device.price_kind == "street":
        return True
    years = ON_SALE_YEARS.get(device.for_whom, max(ON_SALE_YEARS.values()))
    return device.released is not None and int(device.released[:4]) >= today.year - years


def rentals(offers: Sequence[Offer], devices: dict[str, Device]) -> Iterator[Candidate]:
    """Yield, for each provider, device, count and kind of rent, its cheapest machine, and dearer ones of more threads.

    A machine of another customer, or one that may be interrupted, never hides a dependable one.
    """
    usual = _usual_threads(offers)
    most: dict[tuple[str, str, int, bool, bool], float] = {}
    taken: set[str] = set()
    for offer in sorted(offers, key=lambda one: (one.provider, one.price_usd_per_h, -_threads(one, usual))):
        if offer.device is None or offer.device not in devices:
            continue
        key = (offer.provider, offer.device, offer.device_count, offer.spot, offer.is_marketplace)
        if _threads(offer, usual) <= most.get(key, 0.0):
            continue  # a machine that is no dearer prepares as much data
        most[key] = _threads(offer, usual)
        device = devices[offer.device]
        count = offer.device_count
        name = _rent_id(offer)
        name = f"{name}/{offer.cpu_cores:g} threads" if name in taken else name
        taken.add(name)
        yield Candidate(
            id=name,
            tier="cloud",
            title=device.name if count == 1 else f"{count} × {device.name}",
            device=device,
            device_count=count,
            cpu_cores=_threads(offer, usual),
            offer=offer,
            price_as_of=offer.as_of,
        )


def _usual_threads(offers: Sequence[Offer]) -> dict[int, float]:
    """Return how many hardware threads a rented machine has for each device, by the number of devices: the median."""
    known: dict[int, list[float]] = {}
    for offer in offers:
        if offer.cpu_cores is not None:
            known.setdefault(offer.device_count, []).append(offer.cpu_cores / offer.device_count)
    return {count: statistics.median(threads) for count, threads in known.items()}


def _threads(offer: Offer, usual: Mapping[int, float]) -> float:
    """Return a machine's hardware threads; those of machines like it where its list is silent, for none has endless."""
    if offer.cpu_cores is not None:
        return offer.cpu_cores
    return usual.get(offer.device_count, USUAL_THREADS) * offer.device_count


def _rent_id(offer: Offer) -> str:
    """Return an id that tells apart machines of one name: some providers call them by their device alone."""
    count = "" if offer.device_count == 1 else f" x{offer.device_count}"
    kinds = ("/market" if offer.is_marketplace else "") + ("/spot" if offer.spot else "")
    return f"rent/{offer.provider}/{offer.instance}{count}{kinds}"


def clusters(offers: Sequence[Offer], devices: dict[str, Device]) -> Iterator[Candidate]:
    """Yield clusters of rented nodes of eight devices, several times over.

    Of each device the cheapest dependable node whose provider names a network made for it (or that needs none); only
    where there is no such node, the cheapest that is joined by plain Ethernet.
    """
    usual = _usual_threads(offers)
    nodes: dict[str, Offer] = {}
    for offer in offers:
        if offer.device in devices and offer.device_count == GPUS_PER_NODE and offer.is_dependable:
            best = nodes.get(offer.device)
            if best is None or _node_order(offer) < _node_order(best):
                nodes[offer.device] = offer
    for name, offer in nodes.items():
        for count in NODES_PER_CLUSTER:
            total = count * GPUS_PER_NODE
            yield Candidate(
                id=f"cluster/{offer.provider}/{count}x {offer.instance}",
                tier="cluster",
                title=f"{total} × {name}",
                device=devices[name],
                device_count=total,
                nodes=count,
                cpu_cores=_threads(offer, usual) * count,
                offer=offer,
                price_as_of=offer.as_of,
            )


def _node_order(offer: Offer) -> tuple[bool, float]:
    is_plain = offer.network in (None, "ethernet")
    return is_plain, offer.price_usd_per_h
