"""Namespaces of the network that stand for computers, joined by links of a rate."""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.scale.common import BRIDGE, NETWORK, NODES, PREFIX, SHAPE, Network, ip, members


@pytest.fixture
def network() -> Iterator[Network]:
    """Return what joins four namespaces by links of a rate, one of which may have another."""

    def join(rate: str, *, other: dict[int, str] | None = None) -> None:
        ip(f"ip link add {BRIDGE} type bridge")
        ip(f"ip link set {BRIDGE} up")
        for i in range(1, NODES + 1):
            own = (other or {}).get(i, rate)
            ip(f"ip netns add {PREFIX}{i}")
            ip(f"ip link add {PREFIX}v{i} type veth peer name eth0 netns {PREFIX}{i}")
            ip(f"ip link set {PREFIX}v{i} master {BRIDGE} up")
            ip(f"ip -n {PREFIX}{i} addr add {NETWORK}.{i}/24 dev eth0")
            ip(f"ip -n {PREFIX}{i} link set eth0 up")
            ip(f"ip -n {PREFIX}{i} link set lo up")
            ip(f"tc qdisc add dev {PREFIX}v{i} root tbf rate {own} {SHAPE}")
            ip(f"ip netns exec {PREFIX}{i} tc qdisc add dev eth0 root tbf rate {own} {SHAPE}")

    _part()  # a run that was killed leaves its own behind
    yield join
    _part()


def _part() -> None:
    for i in range(1, NODES + 1):
        for pid in members(i):  # sessions of a server of ssh outlive it, and keep the namespace
            os.kill(pid, signal.SIGKILL)
        ip(f"ip link del {PREFIX}v{i}", check=False)
        ip(f"ip netns del {PREFIX}{i}", check=False)
    ip(f"ip link del {BRIDGE}", check=False)
