"""`advisor --scaling` over network namespaces whose links are shaped: root, Linux and iproute2; `make test-scale`."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.scale.common import NETWORK, NODES, PREFIX, ROOT, Network, environment, ip, marks, members

pytestmark = marks("ip", "tc")


def _start(path: Path, *more: str, minutes: float = 0.5, nodes: str = "") -> subprocess.Popen[str]:
    places = nodes or ",".join(f"{PREFIX}{i}={NETWORK}.{i}" for i in range(1, NODES + 1))
    command = [sys.executable, "-m", "advisor", "--lang", "en", "--scaling", "--nodes", places, "--out", str(path)]
    command += ["--launch", "ip netns exec {name} {command}", "--max-minutes", str(minutes), *more]
    return subprocess.Popen(command, cwd=ROOT, env=environment(), stderr=subprocess.PIPE, text=True)


def _wait_for(said: str, process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    next(line for line in process.stderr if said in line)


@pytest.mark.parametrize(("rate", "bits"), [("200mbit", 2e8), ("1gbit", 1e9)])
def test_links_are_measured_as_they_are_set(network: Network, tmp_path: Path, rate: str, bits: float) -> None:
    """Within a tenth, and nobody is named."""
    network(rate)
    process = _start(tmp_path / "s.json")
    process.communicate()
    found = json.loads((tmp_path / "s.json").read_bytes())
    assert len(found["pairs"]) == len(list(itertools.combinations(range(NODES), 2)))
    for pair in found["pairs"]:
        assert 8 * pair["bytes_per_s"] == pytest.approx(bits, rel=0.1)
    assert not any(node["has_slow_link"] for node in found["nodes"])


def test_a_slow_link_is_named(network: Network, tmp_path: Path) -> None:
    """One of four at a tenth of the rate."""
    network("1gbit", other={3: "100mbit"})
    process = _start(tmp_path / "s.json")
    process.communicate()
    found = json.loads((tmp_path / "s.json").read_bytes())
    assert [node["has_slow_link"] for node in found["nodes"]] == [False, False, True, False]


@pytest.mark.parametrize("fault", ["killed", "cut"])
def test_a_fault_in_the_midst_ends_it(network: Network, tmp_path: Path, fault: str) -> None:
    """Within 30 s, with status 3, a sentence, what was measured, and no process left."""
    network("1gbit")
    process = _start(tmp_path / "s.json", minutes=3)
    _wait_for("Every link", process)
    if fault == "killed":
        os.kill(members(3)[0], signal.SIGKILL)
    else:
        ip(f"ip link set {PREFIX}v3 down")
    began_s = time.monotonic()
    _, said = process.communicate(timeout=60)
    assert time.monotonic() - began_s < 30  # of the issue's own: a fault ends it within half a minute
    assert process.returncode == 3
    found = json.loads((tmp_path / "s.json").read_bytes())
    assert [one["kind"] for one in found["problems"]] == ["ended" if fault == "killed" else "timeout"]
    assert all(rank["pace_s"] for rank in found["ranks"])
    assert said.count("\n") >= 2
    assert not [pid for node in range(1, NODES + 1) for pid in members(node)]


def test_a_port_that_is_taken_is_said(network: Network, tmp_path: Path) -> None:
    """And what was measured before stands."""
    network("1gbit")
    taker = "import socket, time; s = socket.socket(); s.bind(('', 29500)); s.listen(); time.sleep(300)"
    holder = subprocess.Popen(["ip", "netns", "exec", f"{PREFIX}1", sys.executable, "-c", taker])
    try:
        process = _start(tmp_path / "s.json", "--port", "29500")
        _, said = process.communicate(timeout=120)
    finally:
        holder.kill()
        holder.wait()
    assert process.returncode == 3
    assert f"The port is taken on {PREFIX}1" in said


def test_a_name_that_nobody_knows_is_said(network: Network, tmp_path: Path) -> None:
    """The computer that could not find it is named."""
    network("1gbit")
    process = _start(tmp_path / "s.json", nodes=f"{PREFIX}1=nobody.invalid,{PREFIX}2={NETWORK}.2")
    _, said = process.communicate(timeout=120)
    assert process.returncode == 3
    assert "cannot find the address of the others" in said
