"""The user's own code, held: what it is told to be, and that it is."""

import itertools
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from advisor import confinement
from advisor.errors import InputError

CODE = """
import socket, tempfile
from pathlib import Path
def tried(name, do):
    try:
        do()
        print(name, "done")
    except Exception as error:
        print(name, "refused")
tried("temporary", lambda: tempfile.NamedTemporaryFile().write(b"x"))
tried("read", lambda: Path("own.py").read_text())
tried("allowed", lambda: Path("allowed/x").write_text("x"))
tried("here", lambda: Path("x").write_text("x"))
tried("home", lambda: Path("~/advisor-was-here").expanduser().write_text("x"))
tried("system", lambda: open("/proc/sys/kernel/core_pattern", "r+"))
tried("network", lambda: socket.create_connection(("127.0.0.1", PORT), 2))
tried("socket", lambda: socket.socket(socket.AF_UNIX).connect("SOCKET"))
tried("memory", lambda: bytearray(2**43))
tried("processes", lambda: 1 / (len([one for one in Path("/proc").iterdir() if one.name.isdigit()]) < 5))
"""


def holds() -> bool:
    """Return whether code can be held on this computer."""
    try:
        confinement.check_confinement()
    except InputError:
        return False
    return True


@pytest.mark.slow
def test_what_is_promised_is_held(tmp_path: Path) -> None:
    """Reading, temporary files and what was named go; everything else does not."""
    if not holds():
        pytest.skip("bubblewrap is not here, or may not hold anything")
    import socket

    (tmp_path / "allowed").mkdir()
    place = str(tmp_path / "socket")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(place)
        local.listen()
        (tmp_path / "own.py").write_text(CODE.replace("PORT", str(server.getsockname()[1])).replace("SOCKET", place))
        command = confinement.confined(
            (sys.executable, "own.py"), folder=tmp_path, readable=[tmp_path], writable=[tmp_path / "allowed"]
        )
        said = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True).stdout
    assert dict(line.split() for line in said.splitlines()) == {
        **dict.fromkeys(("temporary", "read", "allowed", "processes"), "done"),
        **dict.fromkeys(("here", "home", "system", "network", "socket", "memory"), "refused"),
    }
    assert [path.name for path in (tmp_path / "allowed").iterdir()] == ["x"]
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(("missing", "package"), [("bwrap", "bubblewrap"), ("prlimit", "util-linux")])
def test_a_means_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, missing: str, package: str) -> None:
    """Nothing is run unheld in its place."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(shutil, "which", lambda name: None if name == missing else f"/usr/bin/{name}")
    with pytest.raises(InputError, match=f"{missing} is missing.*apt install {package}.*Nothing was run"):
        confinement.check_confinement()


def test_other_systems_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows and macOS have other means, which are not used here."""
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(InputError, match="only Linux has the means"):
        confinement.check_confinement()


def test_a_system_that_forbids_it_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one where users may make no namespaces of their own."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    code = "import sys; sys.exit('bwrap: No permissions to create new namespace')"
    monkeypatch.setattr(confinement, "confined", lambda _command: (sys.executable, "-c", code))
    with pytest.raises(InputError, match="No permissions to create new namespace"):
        confinement.check_confinement()


def test_code_in_a_hidden_folder_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it needs of a folder that is hidden is put back, the folder itself stays hidden."""
    monkeypatch.setattr(confinement, "_HIDDEN", (str(tmp_path),))
    command = confinement.confined(("true",), folder=tmp_path / "job", readable=[tmp_path / "job" / "below"])
    assert ("--tmpfs", str(tmp_path)) in list(itertools.pairwise(command))
    assert command.count(str(tmp_path / "job")) == 3  # once bound to itself, once where it runs
    assert str(tmp_path / "job" / "below") not in command


def test_code_in_the_very_folder_that_is_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it cannot be hidden."""
    monkeypatch.setattr(confinement, "_HIDDEN", (str(tmp_path),))
    assert "--tmpfs" not in confinement.confined(("true",), folder=tmp_path)
