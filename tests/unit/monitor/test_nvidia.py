"""NVIDIA's sensors: values, sleep, loss, and nonsense."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.unit.monitor.computers.fakes import GIB, NVMLError, nvidia_card, nvidia_tree
from tests.unit.monitor.computers.nvidia_files import make


def test_every_sensor_is_read_in_si_units(tmp_path: Path) -> None:
    """Milliwatts, megahertz and percent become watts, hertz and shares."""
    nvidia_tree(tmp_path)
    source, _library = make(tmp_path, nvidia_card())

    (reading,) = source.sample(0.0, may_rest=True)

    sample = reading.sample
    assert reading.missing == ()
    assert sample.name == "NVIDIA GeForce RTX 2060"
    assert sample.utilisation_ratio == 0.7
    assert (sample.memory_used_bytes, sample.memory_total_bytes) == (2 * GIB, 6 * GIB)
    assert (sample.temperature_celsius, sample.power_w, sample.power_limit_w) == (64, 82.5, 90.0)
    assert (sample.clock_hz, sample.memory_clock_hz) == (1.65e9, 7.001e9)
    assert sample.throttle_reasons == ("power_limit", "heat")


def test_a_computer_without_a_card_is_not_asked(tmp_path: Path) -> None:
    """Without an NVIDIA device on the bus the library is never opened."""
    (tmp_path / "sys/bus/pci/devices").mkdir(parents=True)
    source, library = make(tmp_path, nvidia_card())

    assert source.sample(0.0, may_rest=True) == ()
    assert library.opened == 0


def test_a_sleeping_card_is_not_woken(tmp_path: Path) -> None:
    """A card that is powered down is reported as asleep without opening the library."""
    nvidia_tree(tmp_path, status="suspended", control="auto")
    source, library = make(tmp_path, nvidia_card())

    for second in range(100):
        (reading,) = source.sample(float(second), may_rest=True)

    assert reading.sample.is_asleep
    assert {row.reason for row in reading.missing} == {"asleep"}
    assert library.opened == 0


def test_of_two_cards_only_the_awake_one_is_read(tmp_path: Path) -> None:
    """One sleeping card beside a busy one is left alone."""
    nvidia_tree(tmp_path)
    nvidia_tree(tmp_path, status="suspended", address="0000:02:00.0")
    sleeping = nvidia_card(Name="Second", PciInfo=SimpleNamespace(busId="00000000:02:00.0"))
    source, _library = make(tmp_path, nvidia_card(), sleeping)

    first, second = (reading.sample for reading in source.sample(0.0, may_rest=True))

    assert first.utilisation_ratio == 0.7
    assert (second.is_asleep, second.utilisation_ratio) == (True, None)


def test_a_card_that_disappears_is_survived(tmp_path: Path) -> None:
    """A lost card gives a reason, the driver is closed, and later the card is looked for again."""
    nvidia_tree(tmp_path)
    card = nvidia_card()
    source, library = make(tmp_path, card)
    source.sample(0.0, may_rest=True)
    card["UtilizationRates"] = NVMLError(15)

    (lost,) = source.sample(1.0, may_rest=True)
    (still,) = source.sample(2.0, may_rest=True)
    assert "device_lost" in {row.reason for row in lost.missing}
    assert {row.reason for row in still.missing} == {"device_lost"}
    assert not library.is_open

    card["UtilizationRates"] = SimpleNamespace(gpu=5)
    (back,) = source.sample(100.0, may_rest=True)
    assert back.sample.utilisation_ratio == 0.05


def test_what_is_not_supported_is_asked_once(tmp_path: Path) -> None:
    """A sensor the card does not have is a gap each time but is not asked for again."""
    nvidia_tree(tmp_path)
    card = nvidia_card()
    del card["PowerUsage"]
    source, library = make(tmp_path, card)

    readings = [source.sample(float(second), may_rest=True)[0] for second in range(5)]

    assert all(
        ("power_w", "not_supported") in {(row.field, row.reason) for row in reading.missing} for reading in readings
    )
    assert library.calls.count("PowerUsage") == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"UtilizationRates": SimpleNamespace(gpu=4_294_967_295)}, "utilisation_ratio"),
        ({"Temperature": 511}, "temperature_celsius"),
        ({"PowerUsage": -5}, "power_w"),
        ({"MemoryInfo": SimpleNamespace(total=6 * GIB, used=7 * GIB)}, "memory_used_bytes"),
        ({"ClockInfo1": 10**9}, "clock_hz"),
    ],
)
def test_nonsense_is_no_value(tmp_path: Path, change: dict[str, object], field: str) -> None:
    """A value no card can have is a gap."""
    nvidia_tree(tmp_path)
    source, _library = make(tmp_path, nvidia_card(**change))

    (reading,) = source.sample(0.0, may_rest=True)

    assert getattr(reading.sample, field) is None
    assert (field, "unreadable") in {(row.field, row.reason) for row in reading.missing}


@pytest.mark.parametrize(
    ("code", "reason"), [(9, "no_driver"), (18, "library_mismatch"), (4, "permission_denied"), (999, "unreadable")]
)
def test_a_driver_that_does_not_open_is_a_reason_and_is_not_pressed(tmp_path: Path, code: int, reason: str) -> None:
    """Why NVML does not open is said for each card, and it is tried again only now and then."""
    nvidia_tree(tmp_path)
    source, library = make(tmp_path, nvidia_card(), init_error=code)

    readings = [source.sample(float(second), may_rest=True)[0] for second in range(40)]

    assert all({row.reason for row in reading.missing} == {reason} for reading in readings)
    assert library.opened == 2


def test_without_the_kernels_list_the_library_is_asked(tmp_path: Path) -> None:
    """On a system without /sys the library itself is the list."""
    source, library = make(tmp_path, nvidia_card())

    assert len(source.sample(0.0, may_rest=True)) == 1
    source.close()
    assert not library.is_open
