"""Several devices: what exchanging gradients or sharded weights costs over each kind of link, and what hides it."""

import math

from advisor.predict.coefficients import LinkCoefficients
from advisor.records.device import Device

_SHARDED_PASSES = 1.5
"""Sharded training gathers 16-bit weights twice and scatters gradients once: half as much again as an all-reduce.

Source: Rajbhandari et al. 2020, ZeRO, section 7.
"""


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


def exchange_s(payload_bytes: float, device: Device, device_count: int, links: LinkCoefficients) -> float:
    """Return the time in which all devices add up ``payload_bytes`` (all-reduce in rings, first within a node).

    In a ring each device sends and receives 2 (n - 1) / n of the payload. Source: Patarasuk and Yuan 2009.
    """
    if device_count <= 1:
        return 0.0
    inside = min(device_count, links.devices_per_node)
    time_s = links.latency_s * inside
    time_s += payload_bytes * 2 * (inside - 1) / inside / link_bytes_per_s(device, inside, links)
    nodes = math.ceil(device_count / links.devices_per_node)
    if nodes > 1:
        time_s += links.latency_s * nodes + payload_bytes * 2 * (nodes - 1) / nodes / links.node_bytes_per_s
    return time_s


def communication_s(
    device_s: float, payload_bytes: float, device: Device, device_count: int, links: LinkCoefficients, *, sharded: bool
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
    """
    if device_count <= 1:
        return 0.0
    exchange = exchange_s(payload_bytes, device, device_count, links) * (_SHARDED_PASSES if sharded else 1.0)
    hidden = links.hidden_ratio * device_s
    exposed = exchange**3 / (exchange**2 + hidden**2) if exchange > 0 else 0.0
    return exposed + links.sync_ratio * math.log2(device_count) * device_s
