"""Which other programs use the processor most: by name, never ours, never the kernel's."""

from typing import Any

import pytest

from advisor.probe.busy_programs import ProgramLoad, find_interference, read_program_times
from advisor.probe.readers import Platform, Readers
from tests.unit.probe.computers.fakes import FakeProcess, FakePsutil, no_command
from tests.unit.probe.computers.loads import Computer

OWN = 1234


class Desktop:
    """A computer of eight cores with a browser, an editor, this program and the kernel; the test moves its clock."""

    def __init__(self, platform: Platform = "linux", **others: float) -> None:
        self.now_s = 50.0
        self.psutil = FakePsutil(logical=8)
        self.psutil.processes = [
            FakeProcess(2, "kthreadd", parent=0),
            FakeProcess(17, "kworker/3:1", parent=2),
            FakeProcess(OWN, "advisor", parent=900),
            FakeProcess(OWN + 1, "python3", parent=OWN),
            FakeProcess(OWN + 2, "pt_data_worker", parent=OWN + 1),
            *(FakeProcess(2000 + n, name, used_s) for n, (name, used_s) in enumerate(others.items())),
        ]
        readers = Readers(platform=platform, psutil=lambda: self.psutil, process_id=OWN, run=no_command)
        self.load = ProgramLoad(readers, clock=lambda: self.now_s)

    def use(self, seconds: float, **used_s: float) -> None:
        """Let time pass in which programs use the processor."""
        self.now_s += seconds
        for one in self.psutil.processes or []:
            one.used_s += used_s.get(one.name, 0.0)

    def busiest(self, **used_s: float) -> tuple[str, ...]:
        """Return who is named after ten seconds of use."""
        self.load.begin()
        self.use(10.0, **used_s)
        self.load.count()
        return self.load.busiest()


def test_the_busiest_programs_come_first_and_there_are_at_most_three() -> None:
    """Of those that really use it: one that takes a hundredth of the processor is not named."""
    desktop = Desktop(firefox=500.0, code=0.0, backup=0.0, indexer=0.0, clock=0.0)
    assert desktop.busiest(code=20.0, firefox=30.0, clock=0.5) == ("firefox", "code")
    desktop = Desktop(firefox=500.0, code=0.0, backup=0.0, indexer=0.0)
    assert desktop.busiest(firefox=9.0, code=30.0, backup=20.0, indexer=10.0) == ("code", "backup", "indexer")


def test_processes_of_one_program_count_together() -> None:
    """A browser's processes are one program; what one of them used before does not count."""
    desktop = Desktop(editor=0.0)
    processes = desktop.psutil.processes
    assert processes is not None
    processes += [FakeProcess(3000 + n, "chrome", 1e6) for n in range(5)]
    assert desktop.busiest(chrome=3.0, editor=12.0) == ("chrome", "editor")


def test_this_program_and_the_kernel_are_nobody_else() -> None:
    """Neither the worker nor its loaders, nor threads of the kernel, which nobody can close."""
    desktop = Desktop(firefox=0.0)
    used = {"advisor": 50.0, "python3": 50.0, "pt_data_worker": 50.0, "kworker/3:1": 50.0, "firefox": 10.0}
    assert desktop.busiest(**used) == ("firefox",)


@pytest.mark.parametrize(("platform", "kernel"), [("windows", "System Idle Process"), ("macos", "kernel_task")])
def test_parts_of_other_systems_are_no_programs(platform: Platform, kernel: str) -> None:
    """Windows counts idling as a process that is busy whenever nobody else is."""
    desktop = Desktop(platform, **{kernel: 0.0, "steam.exe": 0.0})
    assert desktop.busiest(**{kernel: 70.0, "steam.exe": 10.0}) == ("steam",)


def test_a_program_that_began_meanwhile_counts() -> None:
    """And a number that is used again is another process, whose time counts from its beginning."""
    desktop = Desktop(old=900.0)
    desktop.load.begin()
    processes = desktop.psutil.processes
    assert processes is not None
    reused = next(one for one in processes if one.name == "old")
    processes[processes.index(reused)] = FakeProcess(reused.pid, "new", 20.0, began_s=55.0)
    desktop.use(10.0)
    desktop.load.count()
    assert desktop.load.busiest() == ("new",)


def test_what_a_process_calls_itself_is_its_program() -> None:
    """Firefox's content processes have titles; the file's name is known for one's own, and only that."""
    desktop = Desktop()
    processes = desktop.psutil.processes
    assert processes is not None
    processes += [
        FakeProcess(4000, "Isolated Web Co", file="/home/anna/firefox/firefox"),
        FakeProcess(4001, "Web Content"),
    ]
    named = desktop.busiest(**{"Isolated Web Co": 30.0, "Web Content": 20.0})
    assert named == ("firefox", "Web Content")


def test_a_name_cannot_command_the_terminal() -> None:
    """Whatever a program calls itself, only signs that can be printed are shown, and not many."""
    hostile = "\x1b[2Jx\n" + "y" * 500
    desktop = Desktop("linux", **{hostile: 0.0})
    (name,) = desktop.busiest(**{hostile: 30.0})
    assert name.isprintable()
    assert name.startswith("[2Jxyyy")
    assert len(name) == 40


def test_who_may_not_be_seen_is_not_named() -> None:
    """A process of somebody else's that may not be read, and a system that gives no list."""
    desktop = Desktop(secret=0.0)
    processes = desktop.psutil.processes
    assert processes is not None
    processes[-1].is_readable = False
    assert desktop.busiest(secret=50.0) == ()
    desktop.psutil.processes = None
    assert desktop.busiest() == ()
    assert dict(read_program_times(desktop.load.readers).processes) == {}


def test_several_disturbed_times_add_up() -> None:
    """Two looks in a row begin once; quiet time between two counted spans is not counted."""
    desktop = Desktop(early=0.0, late=0.0, between=0.0)
    assert desktop.busiest(early=10.0) == ("early",)
    desktop.load.begin_unless_within(60.0)
    desktop.use(100.0, between=50.0)
    desktop.load.begin_unless_within(60.0)
    desktop.use(10.0, late=20.0)
    desktop.load.count()
    assert desktop.load.busiest() == ("late", "early")


def test_nobody_is_named_before_anything_was_counted() -> None:
    """Without time there is no load."""
    desktop = Desktop(firefox=50.0)
    assert desktop.load.busiest() == ()
    desktop.load.count()
    assert desktop.load.busiest() == ()


@pytest.mark.parametrize(("others", "named"), [(4.0, ("firefox",)), (0.0, ())])
def test_names_are_looked_for_where_others_use_the_processor(others: float, named: tuple[str, ...]) -> None:
    """On a quiet computer a second look at the processes is spared, and there is nobody to name."""
    computer = Computer(others=others)
    psutil: Any = FakePsutil(logical=8)
    firefox = FakeProcess(77, "firefox")
    psutil.processes = [firefox]

    def sleep(seconds: float) -> None:
        computer.sleep(seconds)
        firefox.used_s += others * seconds

    readers = Readers(platform="linux", files=computer.recorded, process_id=OWN, run=no_command, psutil=lambda: psutil)
    found = find_interference(readers=readers, sleep=sleep, clock=lambda: computer.now_s)
    assert found.programs == named
    assert [one.kind for one in found.conditions] == (["other_load"] if named else [])
