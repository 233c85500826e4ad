"""AMD's and Intel's sensors in the kernel's files."""

from pathlib import Path

import pytest

from advisor.monitor.card_sleep import IDLE_BEFORE_REST_S
from advisor.monitor.source import Files
from advisor.monitor.sysfs import AmdSource, IntelSource
from tests.unit.monitor.computers.fakes import GIB, write


def card_tree(root: Path, vendor: str, files: dict[str, str], status: str = "active", control: str = "on") -> Path:
    """Write one card as the kernel lays it out: the class folder links to the device on the bus."""
    device = root / "sys/bus/pci/devices/0000:03:00.0"
    for name, text in {"vendor": vendor, "power/runtime_status": status, "power/control": control, **files}.items():
        write(device, name, text)
    folder = root / "sys/class/drm/card0"
    folder.mkdir(parents=True)
    (folder / "device").symlink_to(device)
    (root / "sys/class/drm/card0-HDMI-A-1").mkdir()
    return device


AMD = {
    "gpu_busy_percent": "40",
    "mem_info_vram_total": str(16 * GIB),
    "mem_info_vram_used": str(4 * GIB),
    "product_name": "Radeon RX 7800 XT",
    "hwmon/hwmon3/temp1_input": "61000",
    "hwmon/hwmon3/power1_average": "120000000",
    "hwmon/hwmon3/power1_cap": "250000000",
    "hwmon/hwmon3/freq1_input": "2100000000",
    "hwmon/hwmon3/freq2_input": "1200000000",
}


def test_an_amd_card_is_read_in_si_units(tmp_path: Path) -> None:
    """Millidegrees and microwatts become degrees and watts."""
    card_tree(tmp_path, "0x1002", AMD)

    (reading,) = AmdSource(Files(tmp_path)).sample(0.0, may_rest=True)

    sample = reading.sample
    assert reading.missing == ()
    assert (sample.name, sample.utilisation_ratio, sample.temperature_celsius) == ("Radeon RX 7800 XT", 0.4, 61.0)
    assert (sample.power_w, sample.power_limit_w) == (120.0, 250.0)
    assert (sample.memory_used_bytes, sample.memory_total_bytes) == (4 * GIB, 16 * GIB)
    assert (sample.clock_hz, sample.memory_clock_hz) == (2.1e9, 1.2e9)


def test_a_sleeping_amd_card_is_not_touched(tmp_path: Path) -> None:
    """Its sensor files would wake it, so none is read."""
    card_tree(tmp_path, "0x1002", {"gpu_busy_percent": "this would be nonsense"}, status="suspended", control="auto")

    (reading,) = AmdSource(Files(tmp_path)).sample(0.0, may_rest=True)

    assert reading.sample.is_asleep
    assert {row.reason for row in reading.missing} == {"asleep"}


def test_an_idle_amd_card_is_let_go(tmp_path: Path) -> None:
    """An idle card that may power down is left alone for a while."""
    card_tree(tmp_path, "0x1002", {**AMD, "gpu_busy_percent": "0"}, control="auto")
    source = AmdSource(Files(tmp_path))
    source.sample(0.0, may_rest=True)
    source.sample(IDLE_BEFORE_REST_S, may_rest=True)

    (resting,) = source.sample(IDLE_BEFORE_REST_S + 1, may_rest=True)
    (watched,) = source.sample(IDLE_BEFORE_REST_S + 2, may_rest=False)

    assert resting.sample.is_asleep
    assert watched.sample.utilisation_ratio == 0.0


def test_a_card_pulled_out_is_survived(tmp_path: Path) -> None:
    """When the device folder is gone, the card is lost, not an exception."""
    device = card_tree(tmp_path, "0x1002", AMD)
    source = AmdSource(Files(tmp_path))
    source.sample(0.0, may_rest=True)
    (tmp_path / "sys/class/drm/card0/device").unlink()
    assert device.exists()

    (reading,) = source.sample(1.0, may_rest=True)

    assert {row.reason for row in reading.missing} == {"device_lost"}


@pytest.mark.parametrize(
    ("name", "field"), [("gpu_busy_percent", "utilisation_ratio"), ("mem_info_vram_used", "memory_used_bytes")]
)
@pytest.mark.parametrize("text", ["nan?", "-3", "1e30"])
def test_nonsense_is_no_value(tmp_path: Path, name: str, field: str, text: str) -> None:
    """A file with a value that cannot be is a gap."""
    card_tree(tmp_path, "0x1002", {**AMD, name: text})

    (reading,) = AmdSource(Files(tmp_path)).sample(0.0, may_rest=True)

    assert getattr(reading.sample, field) is None
    assert (field, "unreadable") in {(row.field, row.reason) for row in reading.missing}


def test_an_intel_card_gives_what_it_can_and_says_what_not(tmp_path: Path) -> None:
    """Clock and power are read; for use and memory the reason is given."""
    device = card_tree(
        tmp_path, "0x8086", {"hwmon/hwmon1/energy1_input": "1000000", "hwmon/hwmon1/temp1_input": "45000"}
    )
    write(tmp_path, "sys/class/drm/card0/gt_act_freq_mhz", "1300")
    source = IntelSource(Files(tmp_path))
    source.sample(0.0, may_rest=True)
    write(device, "hwmon/hwmon1/energy1_input", "31000000")

    (reading,) = source.sample(2.0, may_rest=True)

    assert (reading.sample.clock_hz, reading.sample.power_w, reading.sample.temperature_celsius) == (1.3e9, 15.0, 45.0)
    assert {row.field for row in reading.missing} == {"utilisation_ratio", "memory_used_bytes"}


def test_each_vendor_finds_its_own_cards_only(tmp_path: Path) -> None:
    """An AMD card is none of Intel's."""
    card_tree(tmp_path, "0x1002", AMD)

    assert IntelSource(Files(tmp_path)).sample(0.0, may_rest=True) == ()


@pytest.mark.parametrize(("clock_mhz", "rests"), [("0", True), ("300", False)])
def test_an_idle_intel_card_is_let_go(tmp_path: Path, clock_mhz: str, rests: bool) -> None:
    """Its use is not known; a gated clock says that it does nothing."""
    card_tree(tmp_path, "0x8086", {"hwmon/hwmon1/temp1_input": "45000"}, control="auto")
    write(tmp_path, "sys/class/drm/card0/gt_act_freq_mhz", clock_mhz)
    source = IntelSource(Files(tmp_path))
    source.sample(0.0, may_rest=True)
    source.sample(IDLE_BEFORE_REST_S, may_rest=True)

    (later,) = source.sample(IDLE_BEFORE_REST_S + 1, may_rest=True)

    assert later.sample.is_asleep == rests
    assert later.sample.name == "Intel Graphics"
