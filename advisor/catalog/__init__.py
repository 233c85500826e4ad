"""What can be owned and rented, and what the money facts are; networks and the jobs made of them."""

from advisor.catalog.devices import devices, find_device
from advisor.catalog.economics import economics
from advisor.catalog.networks import network, network_names
from advisor.catalog.offers import offer_sources, offers, snapshot_dates
from advisor.catalog.workloads import find_workload, network_of, preset, presets, read_workload

__all__ = [
    "devices",
    "economics",
    "find_device",
    "find_workload",
    "network",
    "network_names",
    "network_of",
    "offer_sources",
    "offers",
    "preset",
    "presets",
    "read_workload",
    "snapshot_dates",
]
