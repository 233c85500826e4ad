"""What can be owned and rented, and what the money facts are: devices, cloud offers, economics."""

from advisor.catalog.devices import devices, find_device
from advisor.catalog.offers import offer_sources, offers, snapshot_dates

__all__ = ["devices", "find_device", "offer_sources", "offers", "snapshot_dates"]
