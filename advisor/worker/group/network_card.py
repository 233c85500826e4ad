"""Choose the network card by the way to the other computers.

What torch would do by itself, to look up the computer's own name, leads on many systems to 127.0.1.1, which nobody else
can reach.
"""

import os
import socket

import psutil

from advisor.records.group import RunGroup

_VARIABLES = ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME")
_ANY_PORT = 9  # of a datagram socket that sends nothing
_chosen: set[str] = set()


def choose_network_card(command: RunGroup) -> None:
    """Tell gloo and NCCL which network card leads to the others; what the user has set stays."""
    own = command.peers[command.rank] if command.peers else command.address
    other = next((peer for peer in command.peers if peer != own), own)
    name = network_card_to(other)
    for variable in _VARIABLES:
        if name is not None and (variable not in os.environ or variable in _chosen):
            os.environ[variable] = name
            _chosen.add(variable)


def network_card_to(address: str) -> str | None:
    """Return the name of the network card on the way to an address; None where the system does not say.

    Raises:
        OSError: Nobody knows the name, or there is no way there.
    """
    family, kind, protocol, _name, place = socket.getaddrinfo(address, _ANY_PORT, type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, kind, protocol) as way:
        way.connect(place)
        own = way.getsockname()[0]
    cards = psutil.net_if_addrs()
    return next((name for name, places in cards.items() if any(one.address == own for one in places)), None)
