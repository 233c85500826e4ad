"""Several devices: what an all-reduce costs over each kind of link, and what sharding adds."""

from advisor.records.device import Device

_LINK_BYTES_PER_S = {"pcie": 1.0e10, "nvlink": 1.0e11, "ethernet": 1.0e9, "infiniband": 2.0e10}


def link_of(device: Device) -> str:
    """Return the kind of link between devices of one node."""
    name = (device.interconnect or "").lower()
    return "nvlink" if any(word in name for word in ("nvlink", "nvswitch", "infinity", "ici")) else "pcie"


def all_reduce_s(payload_bytes: float, device: Device, device_count: int) -> float:
    """Return the time of a ring all-reduce: each device sends and receives 2 (n-1)/n of the payload."""
    if device_count <= 1:
        return 0.0
    link = link_of(device)
    rate = _LINK_BYTES_PER_S[link]
    if link == "nvlink" and device.interconnect_bytes_per_s:
        rate = max(_LINK_BYTES_PER_S["pcie"], device.interconnect_bytes_per_s / 2 * 0.7)
    return 2e-5 * device_count + payload_bytes * 2 * (device_count - 1) / device_count / rate
