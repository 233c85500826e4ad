"""Reading the real file system, commands and libraries: failures are values."""

import os
import sys
import threading
from pathlib import Path

import pytest

from advisor.probe import probe_machine
from advisor.probe import readers as module
from advisor.probe.readers import (
    CommandError,
    NoRegistry,
    Readers,
    RealFiles,
    disk_free_bytes,
    find_torch,
    number,
    run_command,
)


def test_files_below_a_root(tmp_path: Path) -> None:
    """Paths of the probed machine are read below the root, and links stay below it."""
    (tmp_path / "sys" / "real").mkdir(parents=True)
    (tmp_path / "sys" / "real" / "value").write_bytes(b" 42\n\0")
    files = RealFiles(tmp_path)
    assert files.text("/sys/real/value") == "42"
    assert files.names("/sys") == ("real",)
    assert files.exists("/sys/real")
    assert files.target("/sys/real") == "/sys/real"


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_links_lead_to_their_end(tmp_path: Path) -> None:
    """A link is followed to the file it means."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to("a")
    assert RealFiles(tmp_path).target("/b") == "/a"


def test_what_cannot_be_read_is_none(tmp_path: Path) -> None:
    """Missing files, folders read as files and dead links are no exceptions."""
    files = RealFiles(tmp_path)
    assert files.text("/nothing") is None
    assert files.text("/") is None
    assert files.names("/nothing") == ()
    assert files.target("/nothing") is None
    assert not files.exists("/nothing")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_pipe_in_a_files_place_holds_nobody(tmp_path: Path) -> None:
    """Nobody writes into it; it counts as empty."""
    os.mkfifo(tmp_path / "os-release")
    assert RealFiles(tmp_path).text("/os-release") == ""


@pytest.mark.parametrize(("text", "value"), [("12 kB", 12), ("", None), (None, None), ("max", None), ("-1", -1)])
def test_numbers(text: str | None, value: int | None) -> None:
    """The first word counts, anything else is no number."""
    assert number(text) == value


def test_commands_fail_as_one_error() -> None:
    """A missing program and a failing one raise the same error."""
    with pytest.raises(CommandError, match="not found"):
        run_command(["no-such-program-anywhere"])
    with pytest.raises(CommandError, match="exit status"):
        run_command([sys.executable, "-c", "raise SystemExit(3)"])
    assert run_command([sys.executable, "-c", "print(7)"]).strip() == "7"


def test_systems_without_registry_have_an_empty_one() -> None:
    """Everything asked of it is empty."""
    assert NoRegistry().keys("X") == ()
    assert dict(NoRegistry().values("X")) == {}


def test_torch_is_found_without_import() -> None:
    """The folder of the installed torch holds its version file."""
    folder = find_torch()
    assert folder is None or (folder / "version.py").is_file()


def test_free_space_of_this_folder() -> None:
    """The current folder's disk has some size."""
    assert disk_free_bytes(".") > 0


def test_psutil_is_the_real_one() -> None:
    """The default reader gives psutil itself."""
    assert Readers().psutil().virtual_memory().total > 0


@pytest.mark.skipif(sys.platform == "win32", reason="file names with colons")
def test_machine_below_another_root(tmp_path: Path) -> None:
    """A mounted copy of another machine's files is probed like the machine."""
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "meminfo").write_text("MemTotal: 1024 kB\nMemAvailable: 512 kB\n")
    (tmp_path / "proc" / "cpuinfo").write_text("processor : 0\nvendor_id : GenuineIntel\nmodel name : Old\n")
    card = tmp_path / "sys" / "bus" / "pci" / "devices" / "0000:01:00.0"
    card.mkdir(parents=True)
    for name, value in {"class": "0x030000", "vendor": "0x1002", "device": "0x67df", "revision": "0xe7"}.items():
        (card / name).write_text(value)
    machine = probe_machine(readers=Readers(platform="linux", files=RealFiles(tmp_path), nvml=_no_binding))
    assert machine.host.memory.total_bytes == 1024**2
    assert machine.accelerators[0].name == "AMD Radeon RX 580 Series"
    assert not machine.accelerators[0].trains


def _no_binding() -> None:
    raise ImportError("pynvml")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="made with a shell")
def test_a_command_that_hangs_is_ended_with_what_it_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child of it would hold the pipe open, and the probe with it."""
    monkeypatch.setattr(module, "_COMMAND_TIMEOUT_S", 0.3)
    with pytest.raises(CommandError, match=r"sh: no answer within 0\.3 s"):
        run_command(("sh", "-c", "sleep 1000 & sleep 1000"))


def test_a_disk_that_does_not_answer_holds_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that went away keeps whoever asks for its free space for ever."""
    release = threading.Event()
    monkeypatch.setattr(module, "_DISK_TIMEOUT_S", 0.05)
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: release.wait())
    with pytest.raises(TimeoutError):
        disk_free_bytes("/")
    release.set()
