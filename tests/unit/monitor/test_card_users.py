"""Who uses a card, cards that keep their place, and drivers that tell less: divided cards and WSL."""

from pathlib import Path
from types import SimpleNamespace

from advisor.monitor import Monitor
from advisor.monitor.host import SystemSource
from advisor.monitor.nvidia import NvidiaSource
from advisor.monitor.processes import CardUser, ProcessNames
from advisor.monitor.source import AcceleratorReading, Files
from tests.unit.monitor.fakes import FakeNvml, FakeSystem, NVMLError, nvidia_card, nvidia_tree, write

GIB = 1024**3


class GoneError(Exception):
    """A process that has ended."""


class Processes:
    """A psutil that knows two processes.

    Attributes:
        asked: Process ids, in order.
    """

    Error = GoneError

    def __init__(self) -> None:
        self.asked: list[int] = []

    def Process(self, pid: int) -> SimpleNamespace:  # noqa: N802 - psutil's own name
        """Return a process, or say that it has ended."""
        self.asked.append(pid)
        if pid not in {11, 12}:
            raise GoneError(pid)
        return SimpleNamespace(name=lambda: f"program{pid}")


def on_card(pid: int, used: object = GIB) -> SimpleNamespace:
    """Return NVML's entry of a program on a card."""
    return SimpleNamespace(pid=pid, usedGpuMemory=used)


def make(root: Path, *cards: dict[str, object]) -> tuple[NvidiaSource, FakeNvml, Processes]:
    """Return a source over a fake library and a fake list of processes."""
    library, processes = FakeNvml(*cards), Processes()
    return NvidiaSource(library, Files(root), ProcessNames(processes)), library, processes


def second_card(**changes: object) -> dict[str, object]:
    """Return a card at another address."""
    return nvidia_card(Name="Second", PciInfo=SimpleNamespace(busId=b"00000000:02:00.0"), **changes)


def test_programs_are_named_with_the_memory_they_hold(tmp_path: Path) -> None:
    """A program that draws and computes is listed once; what the driver does not tell is not made up."""
    nvidia_tree(tmp_path)
    unknown = 2**64 - 1
    card = nvidia_card(
        GraphicsRunningProcesses=[on_card(11, None)], ComputeRunningProcesses=[on_card(11), on_card(12, unknown)]
    )
    source, _library, _processes = make(tmp_path, card)
    source.sample(0.0, may_rest=True)

    assert set(source.users()) == {
        CardUser(position=0, name="program11", memory_bytes=GIB),
        CardUser(position=0, name="program12", memory_bytes=None),
    }


def test_a_program_is_asked_for_its_name_once(tmp_path: Path) -> None:
    """Names are kept while the program is on a card and forgotten when it leaves; an ended one has none."""
    nvidia_tree(tmp_path)
    card = nvidia_card(ComputeRunningProcesses=[on_card(11), on_card(99)])
    source, _library, processes = make(tmp_path, card)
    source.sample(0.0, may_rest=True)
    for _turn in range(5):
        users = source.users()
    assert processes.asked.count(11) == 1
    assert {user.name for user in users} == {"program11", ""}

    card["ComputeRunningProcesses"] = []
    assert source.users() == ()
    card["ComputeRunningProcesses"] = [on_card(11)]
    source.users()
    assert processes.asked.count(11) == 2


def test_a_sleeping_card_is_not_asked_who_uses_it(tmp_path: Path) -> None:
    """Looking for programs wakes nothing."""
    nvidia_tree(tmp_path, status="suspended", control="auto")
    source, library, _processes = make(tmp_path, nvidia_card(ComputeRunningProcesses=[on_card(11)]))
    source.sample(0.0, may_rest=True)

    assert source.users() == ()
    assert library.opened == 0


def test_users_are_no_part_of_a_sample(tmp_path: Path) -> None:
    """Names are asked for on request only, and stand beside the samples, never in them."""
    nvidia_tree(tmp_path)
    source, _library, _processes = make(tmp_path, nvidia_card(ComputeRunningProcesses=[on_card(11)]))
    monitor = Monitor(SystemSource(FakeSystem(), Files(tmp_path), is_linux=True), (source,))
    monitor.sample()
    assert monitor.users == ()

    monitor.asks_users = True
    sample = monitor.sample()
    assert [user.name for user in monitor.users] == ["program11"]
    assert "program11" not in repr(sample)


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


class Broken:
    """A source that fails in a way nobody foresaw."""

    def sample(self, now_s: float, *, may_rest: bool) -> tuple[AcceleratorReading, ...]:
        """Fail."""
        raise OverflowError("int too large")

    def users(self) -> tuple[CardUser, ...]:
        """Never asked."""
        raise AssertionError

    def close(self) -> None:
        """Let go."""


def test_a_source_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    """The processor's sensors go on, and the reason is a gap."""
    nvidia_tree(tmp_path)
    source, _library, _processes = make(tmp_path, nvidia_card())
    monitor = Monitor(SystemSource(FakeSystem(), Files(tmp_path), is_linux=True), (Broken(), source))
    monitor.asks_users = True

    sample = monitor.sample()

    assert ("accelerators", "OverflowError") in {(gap.field, gap.detail) for gap in sample.gaps}
    assert len(sample.accelerators) == 1
    assert sample.host.memory_total_bytes is not None
