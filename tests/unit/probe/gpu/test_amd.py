"""AMD: which processors train, and what a sleeping card is not asked."""

import pytest

from advisor.probe.gpu.amd import probe_amd
from advisor.probe.gpu.pci import PciDevice
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Accelerator
from tests.unit.probe.computers.fakes import RecordedFiles

FOLDER = "/sys/bus/pci/devices/0000:03:00.0"
GFX = "/sys/class/kfd/kfd/topology/nodes/1/properties"


def card(device: str, revision: str = "", *, asleep: bool = False, files: dict[str, str] | None = None) -> Accelerator:
    """Return an AMD card as it is read from these files."""
    readers = Readers(platform="linux", files=RecordedFiles(files or {}, {}))
    found = PciDevice(address="0000:03:00.0", vendor="1002", device=device, revision=revision, driver="amdgpu",
                      is_asleep=asleep)  # fmt: skip
    return probe_amd(readers, [found])[0].accelerator


@pytest.mark.parametrize(
    ("device", "revision", "kind", "trains"),
    [
        ("744c", "c8", "discrete", True),
        ("73df", "c5", "discrete", True),
        ("687f", "c1", "discrete", True),
        ("66af", "c1", "discrete", True),
        ("7551", "c0", "discrete", True),
        ("67df", "e7", "discrete", False),
        ("1681", "c8", "integrated", False),
        ("1586", "c1", "integrated", False),
        ("15dd", "c3", "integrated", False),
        ("74a1", "00", "datacenter", True),
        ("740f", "02", "datacenter", True),
    ],
)
def test_which_train_by_name(device: str, revision: str, kind: str, trains: bool) -> None:
    """Without compute driver the name decides: Vega and newer cards train, older ones and APUs do not."""
    found = card(device, revision)
    assert (found.kind, found.trains) == (kind, trains), found.name


@pytest.mark.parametrize(
    ("version", "target", "trains"),
    [("110000", "gfx1100", True), ("90006", "gfx906", True), ("90010", "gfx90a", True), ("80003", "gfx803", False),
     ("90402", "gfx942", True), ("120001", "gfx1201", True)],
)  # fmt: skip
def test_which_train_by_target(version: str, target: str, trains: bool) -> None:
    """With the compute driver its target decides, whatever the name."""
    found = card("ffff", files={GFX: f"simd_count 1\ngfx_target_version {version}\nlocation_id 768"})
    assert (found.architecture, found.trains) == (target, trains)


def test_new_apu_is_recognised_by_its_voltage() -> None:
    """A processor newer than every list is still no card: only processors show the voltage vddnb."""
    found = card("ffff", files={f"{FOLDER}/hwmon/hwmon1/in1_label": "vddnb"})
    assert (found.kind, found.trains) == ("integrated", False)


def test_sleeping_card_tells_its_memory_only() -> None:
    """The driver knows the size without waking the card; use, link and power are not asked."""
    files = {
        f"{FOLDER}/mem_info_vram_total": "8573157376",
        f"{FOLDER}/mem_info_vram_used": "1000",
        f"{FOLDER}/current_link_speed": "16.0 GT/s PCIe",
        f"{FOLDER}/hwmon/hwmon1/power1_cap": "100000000",
    }
    recorded = RecordedFiles(files, {})
    device = PciDevice(address="0000:03:00.0", vendor="1002", device="73ff", revision="c3", driver="amdgpu",
                       is_asleep=True)  # fmt: skip
    found = probe_amd(Readers(platform="linux", files=recorded), [device])[0]
    assert found.accelerator.memory_bytes == 8573157376
    assert (found.accelerator.memory_used_bytes, found.accelerator.pcie, found.accelerator.power_limit_w) == (None,) * 3
    assert {gap.reason for gap in found.log.gaps if gap.field != "used_by"} == {"asleep"}
    assert not any(path.endswith(("vram_used", "link_speed", "power1_cap")) for path in recorded.read)


def test_card_without_driver_names_the_remedy() -> None:
    """A card no driver has taken is known by name, and the driver is asked for."""
    readers = Readers(platform="linux", files=RecordedFiles({}, {}))
    device = PciDevice(address="0000:03:00.0", vendor="1002", device="744c", revision="c8", driver=None)
    found = probe_amd(readers, [device])[0]
    gaps = {gap.field: (gap.reason, gap.remedy) for gap in found.log.gaps}
    assert gaps["memory_bytes"] == ("no_driver", "install_amd_driver")
    assert gaps["driver_version"] == ("no_driver", "install_amd_driver")


def test_ambiguous_name_is_a_gap() -> None:
    """A revision no list knows leaves several models, and the user is asked."""
    readers = Readers(platform="linux", files=RecordedFiles({}, {}))
    device = PciDevice(address="0000:03:00.0", vendor="1002", device="744c", revision="ff", driver=None)
    log = probe_amd(readers, [device])[0].log
    assert any(gap.field == "name" and gap.remedy == "set_by_hand" for gap in log.gaps)
