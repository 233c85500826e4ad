"""What can be owned and rented, and what the money facts are: devices, cloud offers, economics."""

from advisor.catalog.devices import devices, find_device

__all__ = ["devices", "find_device"]
