"""Intel: cards are told from processors by their device id alone."""

import pytest

from advisor.probe.gpu.intel import probe_intel
from advisor.probe.gpu.pci import PciDevice
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Accelerator
from tests.unit.probe.computers.fakes import GIB, RecordedFiles


def card(
    device: str, *, vendor: str = "8086", files: dict[str, str] | None = None, driver: str | None = "i915"
) -> Accelerator:
    """Return an Intel processor or card."""
    readers = Readers(platform="linux", files=RecordedFiles(files or {}, {}))
    found = PciDevice(address="0000:03:00.0", vendor=vendor, device=device, revision="", driver=driver)
    return probe_intel(readers, [found])[0].accelerator


@pytest.mark.parametrize(
    ("device", "kind", "trains"),
    [
        ("0166", "integrated", False),  # HD 4000
        ("9a49", "integrated", False),  # Iris Xe
        ("7d55", "integrated", False),  # "Arc" inside Meteor Lake
        ("64a0", "integrated", False),  # Arc 140V
        ("b080", "integrated", False),  # Arc B390 inside Panther Lake
        ("56a0", "discrete", True),
        ("5690", "discrete", True),
        ("e20b", "discrete", True),
        ("4905", "discrete", False),  # DG1
        ("0bd5", "datacenter", True),
        ("56c0", "datacenter", True),
        ("zzzz", "integrated", False),
    ],
)
def test_which_train(device: str, kind: str, trains: bool) -> None:
    """Arc inside a processor is no card, and DG1 is too old for torch."""
    found = card(device)
    assert (found.kind, found.trains) == (kind, trains)


def test_gaudi_is_a_data_centre_card() -> None:
    """Habana's cards have a maker's number of their own."""
    assert (card("1020", vendor="1da3").kind, card("1020", vendor="1da3").trains) == ("datacenter", True)


def test_memory_of_two_tiles_adds_up() -> None:
    """A Max card publishes its memory per tile."""
    folder = "/sys/bus/pci/devices/0000:03:00.0"
    files = {f"{folder}/tile{i}/physical_vram_size_bytes": hex(64 * GIB) for i in (0, 1)}
    assert card("0bd5", files=files, driver="xe").memory_bytes == 128 * GIB


def test_memory_from_intels_own_driver_build() -> None:
    """Intel's build of i915 publishes one number for the card."""
    files = {"/sys/bus/pci/devices/0000:03:00.0/drm/card1/lmem_total_bytes": str(16 * GIB)}
    assert card("56a0", files=files).memory_bytes == 16 * GIB


def test_processor_graphics_claims_no_memory() -> None:
    """The memory of integrated graphics is the computer's, not a card's."""
    found = card("9a49")
    assert found.memory_bytes is None
    assert found.unified_memory


def test_card_without_driver() -> None:
    """No driver, no memory, and the remedy says which one."""
    readers = Readers(platform="linux", files=RecordedFiles({}, {}))
    device = PciDevice(address="0000:03:00.0", vendor="8086", device="56a0", revision="", driver=None)
    gaps = {gap.field: gap.remedy for gap in probe_intel(readers, [device])[0].log.gaps}
    assert gaps["memory_bytes"] == gaps["driver_version"] == "install_intel_driver"


def test_driver_version_of_intels_own_build() -> None:
    """A driver with a version of its own tells it; one of the kernel has the kernel's."""
    assert card("56a0", files={"/sys/module/i915/version": "1.24.3"}).driver_version == "1.24.3"
    assert card("56a0", files={"/proc/sys/kernel/osrelease": "6.12.4"}).driver_version == "i915, kernel 6.12.4"


def test_sleeping_card_is_left_alone() -> None:
    """Link and power of a sleeping card are not read."""
    folder = "/sys/bus/pci/devices/0000:03:00.0"
    files = RecordedFiles({f"{folder}/hwmon/hwmon1/power1_max": "1", f"{folder}/current_link_width": "8"}, {})
    device = PciDevice(address="0000:03:00.0", vendor="8086", device="56a0", revision="", driver="xe", is_asleep=True)
    found = probe_intel(Readers(platform="linux", files=files), [device])[0]
    assert found.accelerator.is_asleep
    assert found.accelerator.pcie is None
    assert not any(path.endswith(("power1_max", "link_width")) for path in files.read)
    assert {gap.field for gap in found.log.gaps if gap.reason == "asleep"} == {"pcie", "power_limit_w"}


def test_unknown_card_has_no_name() -> None:
    """A card newer than every list is called by its id, and the user is asked."""
    assert card("e2ff").name == "Intel (8086:e2ff)"
