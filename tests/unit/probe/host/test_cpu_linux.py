"""The processor from /proc/cpuinfo: names, lists, counts and clocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.cgroup import Limits
from advisor.probe.host.cpu_linux import CPU_FOLDER, count_list, probe_cpu, tidy_name
from advisor.records.base import GapReason
from advisor.records.hardware.machine import Cpu
from tests.unit.probe.computers.fakes import RecordedFiles

BLOCK = (
    "processor : 0\nvendor_id : GenuineIntel\nmodel name : {name}\nflags : fpu avx2 constant_tsc\ncpu MHz : 2100.5\n"
)


def cpu(files: dict[str, str], limits: Limits | None = None, *, virtual: bool = False) -> Cpu:
    """Return the processor these files describe."""
    hidden: GapReason = "virtual_machine" if virtual else "not_found"
    return probe_cpu(RecordedFiles(files, {}), "x86_64", hidden, limits or Limits(), EvidenceLog())


@pytest.mark.parametrize(
    ("written", "tidy"),
    [
        ("Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz", "Intel Core i7-9750H"),
        ("AMD Ryzen 9 7950X 16-Core Processor            ", "AMD Ryzen 9 7950X"),
        ("AMD EPYC 7B12", "AMD EPYC 7B12"),
        ("Intel(R) Xeon(R) CPU           E5-2670 0 @ 2.60GHz", "Intel Xeon E5-2670 0"),
        ("13th Gen Intel(R) Core(TM) i5-13600K", "13th Gen Intel Core i5-13600K"),
        ("Intel(R) Core(TM) Ultra 7 155H", "Intel Core Ultra 7 155H"),
    ],
)
def test_names_lose_marks_clock_and_padding(written: str, tidy: str) -> None:
    """What remains is the name people know the processor by."""
    assert tidy_name(written) == tidy


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 20)), max_size=8))
def test_kernel_lists_are_counted(ranges: list[tuple[int, int]]) -> None:
    """A list such as "0-3,8" counts every number of every range."""
    text = ",".join(f"{first}-{first + more}" if more else str(first) for first, more in ranges)
    assert count_list(text) == sum(more + 1 for _, more in ranges)


def test_virtual_machine_tells_its_clock_by_the_time_stamp_counter() -> None:
    """Where the machine hides the clock, the constant rate of the time stamp counter stands in, only there."""
    files = {"/proc/cpuinfo": BLOCK.format(name="Intel Xeon")}
    assert cpu(files, virtual=True).base_frequency_hz == pytest.approx(2.1005e9)
    assert cpu(files).base_frequency_hz is None


def test_clock_in_the_name_is_the_nominal_one() -> None:
    """Intel wrote the nominal clock into the name for years."""
    assert cpu({"/proc/cpuinfo": BLOCK.format(name="Intel Xeon @ 2.60GHz")}).base_frequency_hz == pytest.approx(2.6e9)


def test_processor_time_limit_counts_below_affinity() -> None:
    """Affinity and the group's processor time both limit; the tighter one holds."""
    block = BLOCK.format(name="X")
    files = {"/proc/cpuinfo": "\n".join(block.replace(": 0", f": {i}") for i in range(8)),
             "/proc/self/status": "Cpus_allowed_list:\t0-3,6"}  # fmt: skip
    assert cpu(files).usable_cores == 5.0
    assert cpu(files, Limits(cores=2.5)).usable_cores == 2.5
    assert cpu(files, Limits(cores=64.0)).usable_cores == 5.0


def test_board_computer_is_named_by_board_and_core() -> None:
    """Arm gives numbers; the board's name from the device tree stands beside the core's."""
    files = {
        "/proc/cpuinfo": "processor : 0\nFeatures : fp asimd\nCPU implementer : 0x41\nCPU part : 0xd0b\n",
        "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
    }
    assert cpu(files).name == "ARM Cortex-A76 (Raspberry Pi 5 Model B Rev 1.0)"
    assert cpu(files).instruction_sets == ("NEON",)


def test_big_and_little_cores_are_both_named() -> None:
    """A processor of two kinds of cores names both."""
    parts = ("0xd85", "0xd87", "0xd85")
    blocks = [f"processor : {i}\nCPU implementer : 0x41\nCPU part : {part}\n" for i, part in enumerate(parts)]
    assert cpu({"/proc/cpuinfo": "\n".join(blocks)}).name == "ARM Cortex-X925 + Cortex-A725"


def test_no_file_at_all_still_gives_a_processor() -> None:
    """Without /proc/cpuinfo the count comes from the list of present processors."""
    found = cpu({f"{CPU_FOLDER}/present": "0-15"})
    assert found.logical_cores == 16
    assert found.name == "?"


@pytest.mark.parametrize(
    ("vendor", "family", "model", "bits"),
    [
        ("AuthenticAMD", "23", "1", 128),  # EPYC 7001, also where a virtual machine hides its name
        ("AuthenticAMD", "23", "24", 128),  # Ryzen 5 3500U
        ("AuthenticAMD", "23", "49", None),  # EPYC 7002
        ("AuthenticAMD", "25", "1", None),
        ("GenuineIntel", "6", "158", None),
        ("HygonGenuine", "24", "1", 128),
        ("AuthenticAMD", "?", "", None),
    ],
)
def test_instructions_that_are_split_in_halves_are_known_by_family_and_model(
    vendor: str, family: str, model: str, bits: int | None
) -> None:
    """The peak of a first EPYC was twice what it can do."""
    block = f"processor : 0\nvendor_id : {vendor}\ncpu family : {family}\nmodel : {model}\nmodel name : X\n"
    assert cpu({"/proc/cpuinfo": f"{block}flags : avx2 fma\n"}).vector_bits == bits


@given(st.text(max_size=200))
def test_garbage_never_raises(text: str) -> None:
    """Whatever /proc/cpuinfo holds, there is a result."""
    found = cpu({"/proc/cpuinfo": text})
    assert found.logical_cores >= 1
    assert 0 < found.usable_cores <= found.logical_cores
