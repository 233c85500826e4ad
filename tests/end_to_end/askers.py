"""People who ask: their computers, as the files of personas and strangers describe them, and the answer to them."""

from typing import Any

from advisor.records.hardware.machine import Accelerator, Cpu, Disk, Framework, Host, Machine, Memory, Vendor
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.units import GIB

BUILDS: dict[Vendor, str] = {"nvidia": "cuda", "amd": "rocm", "intel": "xpu", "apple": "mps"}
DATACENTER = ("A100", "H100", "T4")


def machine_of(row: dict[str, Any]) -> Machine:
    """Return the computer of who asks, with a torch that can use its cards."""
    vendor: Vendor = row.get("vendor", "nvidia")
    is_apple, is_server = vendor == "apple", any(name in row.get("card", "") for name in DATACENTER)
    cards = tuple(
        Accelerator(
            vendor=vendor,
            index=place,
            name=row["card"],
            kind="integrated" if is_apple else "datacenter" if is_server else "discrete",
            trains=True,
            memory_bytes=row["card_gib"] * GIB if "card_gib" in row else None,
            unified_memory=is_apple,
        )
        for place in range(row.get("cards", 1) if "card" in row else 0)
    )
    is_arm = is_apple or row.get("arm", False)
    cpu = Cpu(
        name=row["cpu"] or "Unknown processor",
        vendor="x",
        architecture="arm64" if is_arm else "x86_64",
        physical_cores=row["cores"],
        logical_cores=row.get("threads", row["cores"]),
        usable_cores=row.get("threads", row["cores"]),
        base_frequency_hz=3.0e9,
        instruction_sets=("NEON",) if is_arm else ("AVX2",),
    )
    memory_bytes = row["memory_gib"] * GIB
    host = Host(
        os_name="macOS" if is_apple else "Linux",
        os_version="1",
        form_factor=row["form_factor"],
        isolation="none",
        cpu=cpu,
        memory=Memory(total_bytes=memory_bytes, available_bytes=memory_bytes * 3 // 4, limit_bytes=memory_bytes),
        disk=Disk(kind=row.get("disk", "nvme"), free_bytes=200 * GIB),
    )
    framework = Framework(version="2.13.0", built_for=BUILDS[vendor] if cards else "cpu")
    return Machine(host=host, accelerators=cards, framework=framework)


def chosen(report: Report) -> Option:
    """Return the option that was recommended."""
    return next(option for option in report.advice.options if option.id == report.advice.chosen)
