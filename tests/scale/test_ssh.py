"""What goes by ssh, by ssh: a server in each of two namespaces, as two computers have one. `make test-scale`."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from advisor.records.results.scaling import Scaling
from tests.scale.common import BRIDGE, NETWORK, PREFIX, ROOT, Network, environment, ip, marks, write_advisor

pytestmark = marks("ip", "tc", "ssh", "sshd", "ssh-keygen")

PLACES = (f"{NETWORK}.1", f"{NETWORK}.2")
SERVER = """
Port 22
HostKey {folder}/host
AuthorizedKeysFile {folder}/user.pub
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
PidFile none
SetEnv HOME={home} PYTHONPATH={root} OMP_NUM_THREADS=1
"""
"""Both have this host's files; only the home folder is each one's own. What is installed there is this tree."""
CLIENT = """
Host *
  IdentityFile {folder}/user
  UserKnownHostsFile {folder}/known
  StrictHostKeyChecking accept-new
"""


class Room:
    """Two computers that let root in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.advisor = write_advisor(folder)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command as somebody does whose settings of ssh know the key."""
        own = {"PATH": f"{self.folder}:{os.environ['PATH']}", "ANSIBLE_HOME": str(self.folder / "ansible")}
        variables = {**environment(), **own, "ANSIBLE_LOCAL_TEMP": str(self.folder / "ansible")}
        return subprocess.run(command, cwd=self.folder, env=variables, capture_output=True, text=True, check=False)

    def measure(self, *places: str) -> Scaling:
        """Return what both reach together."""
        out = ("--out", "scaling.json", "--max-minutes", "0.5")
        done = self.run(sys.executable, "-m", "advisor", "--lang", "en", "--scaling", *places, *out)
        assert done.returncode == 0, done.stderr
        return msgspec.json.decode((self.folder / "scaling.json").read_bytes(), type=Scaling)


@pytest.fixture
def room(network: Network, tmp_path: Path) -> Iterator[Room]:
    """Start a server in each namespace, and reach them from this one."""
    network("1gbit")
    ip(f"ip addr add {NETWORK}.254/24 dev {BRIDGE}")
    Path("/run/sshd").mkdir(exist_ok=True)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    (tmp_path / "client").write_text(CLIENT.format(folder=tmp_path))
    (tmp_path / "ssh").write_text(f'#!/bin/sh\nexec /usr/bin/ssh -F {tmp_path}/client "$@"\n')
    (tmp_path / "ssh").chmod(0o755)
    servers = [_server(tmp_path, number) for number in (1, 2)]
    found = Room(tmp_path)
    _wait(found)
    yield found
    for server in servers:
        server.terminate()
        server.wait()


def _server(folder: Path, number: int) -> subprocess.Popen[bytes]:
    home = folder / f"home-{number}"
    home.mkdir()
    settings = folder / f"server-{number}"
    settings.write_text(SERVER.format(folder=folder, home=home, root=ROOT))
    return subprocess.Popen(["ip", "netns", "exec", f"{PREFIX}{number}", "/usr/sbin/sshd", "-D", "-e", "-f", settings])


def _wait(room: Room) -> None:
    for place in PLACES:
        end_s = time.monotonic() + 20
        while (done := room.run("ssh", "-o", "BatchMode=yes", place, "true")).returncode != 0:
            assert time.monotonic() < end_s, done.stderr
            time.sleep(0.2)


@pytest.mark.parametrize("way", ["nodes", "hostfile", "launch"])
def test_two_computers_are_measured_by_ssh(room: Room, way: str) -> None:
    """Named on the command line, in a file, or by a command of one's own; labels are the user's."""
    (room.folder / "hosts.txt").write_text(f"rack-1={PLACES[0]}  # the old one\nrack-2={PLACES[1]} slots=1\n")
    launch = ("--launch", "ssh -o BatchMode=yes -p 22 root@{address} {command}")
    named = ("--nodes", f"rack-1={PLACES[0]},rack-2={PLACES[1]}")
    found = room.measure(*(named if way == "nodes" else ("--hostfile", "hosts.txt")), *(launch * (way == "launch")))
    assert [node.name for node in found.nodes] == ["rack-1", "rack-2"]
    assert [level.ranks for level in found.levels] == [2]
    assert 8 * found.pairs[0].bytes_per_s == pytest.approx(1e9, rel=0.15)


@pytest.mark.parametrize("playbook", [pytest.param("collect", marks=pytest.mark.brief), "scaling"])
def test_a_playbook_changes_nothing_the_second_time(room: Room, playbook: str) -> None:
    """Reports of both computers in one folder, or what they reach together; then all is as it was."""
    if subprocess.run(["which", "ansible-playbook"], capture_output=True, check=False).returncode:
        pytest.skip("needs ansible-core")
    hosts = "".join(f"{place} ansible_python_interpreter=/usr/bin/python3 label=pc-{place[-1]}\n" for place in PLACES)
    (room.folder / "hosts.ini").write_text(hosts)
    wanted = ("--collect", "ansible") if playbook == "collect" else ("--scaling", "--dry-run", "ansible")
    (room.folder / "book.yml").write_text(room.run(sys.executable, "-m", "advisor", *wanted).stdout)
    variables = ("-e", f"advisor={room.advisor}", "-e", "suite=none", "-e", "minutes=0.5")
    command = ("ansible-playbook", "-i", "hosts.ini", *variables, "book.yml")
    first, second = room.run(*command), room.run(*command)
    assert (first.returncode, second.returncode) == (0, 0), first.stdout + second.stdout
    assert _changed(first) > 0
    assert _changed(second) == 0
    made = {path.name for path in (room.folder / "reports").glob("*")} | {p.name for p in room.folder.glob("sc*.json")}
    assert made == ({"pc-1.json", "pc-2.json"} if playbook == "collect" else {"scaling.json"})


def _changed(done: subprocess.CompletedProcess[str]) -> int:
    return sum(int(number) for number in re.findall(r"changed=(\d+)", done.stdout))
