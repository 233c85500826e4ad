"""Who uses a card, cards that keep their place, and drivers that tell less: divided cards and WSL."""

from pathlib import Path
from types import SimpleNamespace

from advisor.monitor.nvml import system_address, throttle_names
from tests.unit.monitor.computers.cards_in_use import make, on_card
from tests.unit.monitor.computers.fakes import NVMLError, nvidia_card, nvidia_tree, write


def second_card(**changes: object) -> dict[str, object]:
    """Return a card at another address."""
    return nvidia_card(Name="Second", PciInfo=SimpleNamespace(busId=b"00000000:02:00.0"), **changes)


def test_a_sleeping_card_is_not_asked_who_uses_it(tmp_path: Path) -> None:
    """Looking for programs wakes nothing."""
    nvidia_tree(tmp_path, status="suspended", control="auto")
    source, library, _processes = make(tmp_path, nvidia_card(ComputeRunningProcesses=[on_card(11)]))
    source.sample(0.0, may_rest=True)

    assert source.users() == ()
    assert library.opened == 0


def test_a_card_that_falls_off_the_bus_keeps_its_place(tmp_path: Path) -> None:
    """The second card stays the second when the first is gone, and the first says that it was lost."""
    nvidia_tree(tmp_path)
    nvidia_tree(tmp_path, address="0000:02:00.0")
    first, second = nvidia_card(), second_card()
    source, library, _processes = make(tmp_path, first, second)
    source.sample(0.0, may_rest=True)

    first["UtilizationRates"] = NVMLError(15)
    source.sample(1.0, may_rest=True)
    library.cards = [second]
    lost, there = source.sample(100.0, may_rest=True)

    assert {row.reason for row in lost.missing} == {"device_lost"}
    assert (there.sample.name, there.sample.utilisation_ratio) == ("Second", 0.7)

    for folder in ("0000:01:00.0", "0000:02:00.0"):
        write(tmp_path, f"sys/bus/pci/devices/{folder}/vendor", "0x0000")
    assert [row.missing[0].reason for row in source.sample(200.0, may_rest=True)] == ["device_lost", "device_lost"]


def test_a_divided_card_says_why_it_tells_no_utilisation(tmp_path: Path) -> None:
    """NVML has no utilisation of a card in instances (MIG): the gap names the reason, every time."""
    nvidia_tree(tmp_path)
    card = nvidia_card(MigMode=(1, 1))
    del card["UtilizationRates"]
    source, _library, _processes = make(tmp_path, card)

    for second in range(3):
        (reading,) = source.sample(float(second), may_rest=True)
        assert [(row.reason, row.detail) for row in reading.missing] == [("not_supported", "mig")]


def test_inside_wsl_the_card_is_read_although_the_bus_does_not_list_it(tmp_path: Path) -> None:
    """WSL shows no card on its bus, and NVML tells less there: it is asked all the same, and the reason is named."""
    write(tmp_path, "proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2")
    (tmp_path / "sys/bus/pci/devices").mkdir(parents=True)
    card = nvidia_card()
    del card["PowerUsage"]
    source, _library, _processes = make(tmp_path, card)

    (reading,) = source.sample(0.0, may_rest=True)

    assert reading.sample.utilisation_ratio == 0.7
    assert [(row.field, row.detail) for row in reading.missing] == [("power_w", "wsl")]


def test_names_in_our_words() -> None:
    """NVML's addresses and bits are translated."""
    assert system_address(b"00000000:01:00.0") == "0000:01:00.0"
    assert throttle_names(0x1 | 0x100) == ()
    assert throttle_names(0x20 | 0x40 | 0x80) == ("heat", "power_brake")
