"""Computers from a site's inventory, which nobody measured: GLPI's agent in JSON, or rows of osquery.

Names of hosts and users, serial numbers and addresses stand there too; nothing of them is taken. Nor is the memory of
graphics cards: such tools count it wrong from 4 GB on (osquery, issue 9065; glpi-agent, issues 199 and 1040), so that
of the catalogue's card counts.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec

from advisor.catalog import known_device
from advisor.probe.override import vendor_of
from advisor.records.hardware.machine import Accelerator, Cpu, Disk, Framework, Host, Machine, Memory
from advisor.records.results.fleet import FleetMember
from advisor.units import GIB

MOST_COMPUTERS = 10_000
_MIB = 2**20
_PORTABLE = frozenset({"laptop", "notebook", "portable", "sub notebook", "convertible", "detachable"})
"""Source: DMTF, SMBIOS 3.7, table 17, as GLPI's agent writes it."""
_VIRTUAL = ("microsoft basic", "vmware", "virtualbox", "qxl", "citrix", "parsec", "remote")

Text = Annotated[str, msgspec.Meta(max_length=200)]
Number = int | float | str | None


class _Cpu(msgspec.Struct):
    name: Text = ""
    manufacturer: Text = ""
    core: Number = None
    thread: Number = None
    speed: Number = None


class _Video(msgspec.Struct):
    name: Text = ""
    chipset: Text = ""


class _Stick(msgspec.Struct):
    capacity: Number = None


class _Hardware(msgspec.Struct):
    memory: Number = None
    chassis_type: Text = ""


class _Content(msgspec.Struct):
    cpus: list[_Cpu] = []
    videos: list[_Video] = []
    memories: list[_Stick] = []
    hardware: _Hardware = msgspec.field(default_factory=_Hardware)


class _Glpi(msgspec.Struct):
    """GLPI agent, ``glpi-agent --json``; source: glpi-project, inventory_format, inventory.schema.json."""

    content: _Content


class _Row(msgspec.Struct):
    """osquery: ``system_info``, joined with ``video_info`` for the model; all values are texts."""

    cpu_brand: Text
    cpu_logical_cores: Number
    physical_memory: Number
    cpu_physical_cores: Number = None
    model: Text = ""
    hardware_model: Text = ""
    uuid: Text = ""
    hostname: Text = ""
    host_hostname: Text = ""


def inventory_members(content: bytes, digest: str) -> tuple[FleetMember, ...]:
    """Return the computers of an inventory; none where the document is no inventory.

    Args:
        content: The document.
        digest: Of it.
    """
    try:
        machines = [_of_glpi(msgspec.json.decode(content, type=_Glpi).content)]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
        try:
            machines = list(_of_rows(msgspec.json.decode(content, type=list[_Row])[:MOST_COMPUTERS]))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError):
            return ()
    return tuple(
        FleetMember(
            digest=digest if len(machines) == 1 else _digest(digest, number),
            created_at="",
            machine=machine,
            is_inventory=True,
        )
        for number, machine in enumerate(machines)
    )


def _digest(digest: str, number: int) -> str:
    return hashlib.sha256(f"{digest}/{number}".encode()).hexdigest()[: len(digest)]


def _of_glpi(content: _Content) -> Machine:
    if not content.cpus:
        raise ValueError("no processor")
    first = content.cpus[0]
    sockets = len(content.cpus)
    sticks = sum(_number(one.capacity) for one in content.memories)
    cores, threads = _number(first.core) * sockets, _number(first.thread) * sockets
    return _machine(
        first.name,
        cores=cores,
        threads=threads or cores,
        memory_bytes=(sticks or _number(content.hardware.memory)) * _MIB,
        cards=[one.name or one.chipset for one in content.videos],
        is_laptop=content.hardware.chassis_type.casefold() in _PORTABLE,
        clock_hz=_number(first.speed) * 1e6,
    )


def _of_rows(rows: Sequence[_Row]) -> Iterator[Machine]:
    """Yield a machine for each host: one row for each of its cards."""
    hosts: dict[str, list[_Row]] = {}
    for number, row in enumerate(rows):
        hosts.setdefault(row.uuid or row.host_hostname or row.hostname or str(number), []).append(row)
    if not hosts:
        raise ValueError("no row")
    for found in hosts.values():
        first = found[0]
        yield _machine(
            first.cpu_brand,
            cores=_number(first.cpu_physical_cores),
            threads=_number(first.cpu_logical_cores),
            memory_bytes=_number(first.physical_memory),
            cards=[row.model for row in found if row.model],
            is_laptop="book" in first.hardware_model.casefold() or "laptop" in first.hardware_model.casefold(),
        )


def _machine(
    cpu: str,
    *,
    cores: float,
    threads: float,
    memory_bytes: float,
    cards: Sequence[str],
    is_laptop: bool,
    clock_hz: float = 0.0,
) -> Machine:
    if not (cpu.strip() and 1 <= threads <= 4096 and 0.5 * GIB <= memory_bytes <= 2**46):
        raise ValueError("no computer")
    vendor = next((name for name in ("Intel", "AMD", "Apple") if name.casefold() in cpu.casefold()), "")
    memory = int(memory_bytes)
    form: Literal["laptop", "desktop"] = "laptop" if is_laptop else "desktop"
    return Machine(
        host=Host(
            os_name="",
            os_version="",
            form_factor=form,
            isolation="none",
            cpu=Cpu(
                name=cpu.strip(),
                vendor=vendor,
                architecture="arm64" if vendor == "Apple" else "x86_64",
                physical_cores=int(cores) or None,
                logical_cores=int(threads),
                usable_cores=float(int(threads)),
                base_frequency_hz=clock_hz if 1e8 <= clock_hz <= 1e10 else None,
            ),
            memory=Memory(total_bytes=memory, available_bytes=memory, limit_bytes=memory),
            disk=Disk(kind=None, free_bytes=None),
        ),
        accelerators=tuple(_cards(cards)),
        framework=Framework(),
    )


def _cards(names: Sequence[str]) -> Iterator[Accelerator]:
    for index, name in enumerate(names):
        device = known_device(name)
        if device is None or device.device_class == "cpu" or any(word in name.casefold() for word in _VIRTUAL):
            continue
        is_server = device.device_class == "datacenter_gpu"
        yield Accelerator(
            vendor=vendor_of(device.name),
            index=index,
            name=device.name,
            kind="datacenter" if is_server else "discrete",
            trains=True,
            memory_bytes=device.memory_bytes,
            unified_memory=device.memory_type == "unified",
        )


def _number(value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):  # the last one of hundreds of digits
        return 0.0
    return found if 0 <= found < 1e15 else 0.0
