"""Several devices: what exchanging gradients or sharded weights costs over each kind of link, and what hides it."""

import math
from dataclasses import dataclass

from advisor.predict.coefficients import LinkCoefficients, link_coefficients
from advisor.predict.link_fit import step_over
from advisor.records.hardware.device import Device, NetworkKind
from advisor.records.results.scaling import MeasuredLink

_SHARDED_PASSES = 1.5
"""Sharded training gathers 16-bit weights twice and scatters gradients once: half as much again as an all-reduce.

Source: Rajbhandari et al. 2020, ZeRO, section 7.
"""
_POD_LINK = "ICI"


@dataclass(frozen=True)
class Wiring:
    """How the devices that work together are spread over computers.

    Attributes:
        nodes: Computers, or groups of them that one fast link joins.
        node_bytes_per_s: Rate of an all-reduce between them.
        measured: What was measured of these very devices together; it counts before all else.
    """

    nodes: int
    node_bytes_per_s: float
    measured: MeasuredLink | None = None


def wire(
    device: Device,
    device_count: int,
    *,
    nodes: int | None = None,
    network: NetworkKind | None = None,
    network_bytes_per_s: float | None = None,
) -> Wiring:
    """Return how devices are connected.

    Args:
        device: One of them.
        device_count: How many.
        nodes: Computers they are in; None: as many as devices of this kind usually take.
        network: Kind of network between them; None: that of the makers' own servers, else plain Ethernet.
        network_bytes_per_s: Of the network cards of one node; None: of an ordinary one.
    """
    links = link_coefficients()
    if device.interconnect == _POD_LINK:
        nodes = math.ceil(device_count / links.devices_per_pod)
    elif nodes is None:
        nodes = math.ceil(device_count / links.devices_per_node)
    if network is None:
        network, network_bytes_per_s = _usual_network(device, links)
    rate = links.ethernet_bytes_per_s if network_bytes_per_s is None else network_bytes_per_s
    return Wiring(nodes=nodes, node_bytes_per_s=rate * links.network_ratio[network])


def _usual_network(device: Device, links: LinkCoefficients) -> tuple[NetworkKind, float]:
    rate = links.server_network_bytes_per_s.get(device.interconnect or "")
    if device.for_whom == "datacenter" and rate is not None:
        return "infiniband", rate
    return "ethernet", links.ethernet_bytes_per_s


def link_bytes_per_s(device: Device, device_count: int, links: LinkCoefficients) -> float:
    """Return the rate at which each of ``device_count`` devices of a node exchanges, all at once.

    Server cards have their full link; bridges between cards in a workstation are bought apart and not assumed.
    GeForce cards exchange through the computer's memory, so more of them share it.
    """
    link = (device.interconnect or "").lower()
    if device.for_whom == "datacenter" and device.interconnect_bytes_per_s and "pcie" not in link:
        return max(device.interconnect_bytes_per_s * links.nvlink_ratio, links.workstation_bytes_per_s)
    crowd = max(1.0, device_count / 2)
    if device.for_whom == "consumer":
        return float(links.consumer_bytes_per_s / crowd**links.consumer_fall)
    return float(links.workstation_bytes_per_s / crowd**links.workstation_fall)


def exchange_s(
    payload_bytes: float, device: Device, device_count: int, links: LinkCoefficients, wiring: Wiring | None = None
) -> float:
    """Return the time in which all devices add up ``payload_bytes`` (all-reduce in rings, first within a node).

    In a ring each device sends and receives 2 (n - 1) / n of the payload. Source: Patarasuk and Yuan 2009.
    """
    if device_count <= 1:
        return 0.0
    wiring = wiring or wire(device, device_count)
    inside, nodes = math.ceil(device_count / wiring.nodes), wiring.nodes
    time_s = 0.0
    if inside > 1:
        time_s += links.latency_s * inside
        time_s += payload_bytes * 2 * (inside - 1) / inside / link_bytes_per_s(device, inside, links)
    if nodes > 1:
        time_s += links.latency_s * nodes + payload_bytes * 2 * (nodes - 1) / nodes / wiring.node_bytes_per_s
    return time_s


def communication_s(
    device_s: float,
    payload_bytes: float,
    device: Device,
    device_count: int,
    links: LinkCoefficients,
    *,
    sharded: bool,
    wiring: Wiring | None = None,
) -> float:
    """Return by how much a step is longer than on one device alone.

    Part of the exchange hides behind the backward pass; devices also wait for the slowest of them.

    Args:
        device_s: A step without exchange.
        payload_bytes: Gradients of the trained parameters.
        device: One of the devices.
        device_count: How many.
        links: Fitted constants.
        sharded: Weights, gradients and optimizer states are spread over the devices.
        wiring: How they are connected; None: as usual for such devices.
    """
    if device_count <= 1:
        return 0.0
    if wiring is not None and wiring.measured is not None:
        link = wiring.measured
        sent = payload_bytes * (_SHARDED_PASSES if sharded else 1.0)
        return step_over(link.line, device_s, sent, device_count, link.behind_ratio) - device_s
    exchange = exchange_s(payload_bytes, device, device_count, links, wiring) * (_SHARDED_PASSES if sharded else 1.0)
    hidden = links.hidden_ratio * device_s
    exposed = exchange**3 / (exchange**2 + hidden**2) if exchange > 0 else 0.0
    return exposed + links.sync_ratio * math.log2(device_count) * device_s
