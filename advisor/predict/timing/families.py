"""Families of devices that share constants: which family a device belongs to, by vendor, architecture and memory."""

from advisor.records.hardware.device import Device

FAMILIES = (
    "kepler",
    "maxwell",
    "pascal",
    "volta",
    "turing",
    "ampere_hbm",
    "ampere",
    "ada",
    "hopper",
    "blackwell_hbm",
    "blackwell",
    "gcn",
    "cdna",
    "rdna",
    "intel_gpu",
    "gaudi",
    "apple",
    "tpu",
    "cpu",
    "other",
)
_BY_ARCHITECTURE = {
    "kepler": "kepler",
    "maxwell": "maxwell",
    "pascal": "pascal",
    "volta": "volta",
    "turing": "turing",
    "ampere": "ampere",
    "ada": "ada",
    "hopper": "hopper",
    "blackwell": "blackwell",
    "gcn": "gcn",
    "cdna": "cdna",
    "rdna": "rdna",
    "gaudi": "gaudi",
}


def family_of(device: Device) -> str:
    """Return the family of a device; chips of one architecture made for servers (HBM) are apart from the others."""
    if device.device_class == "cpu":
        return "cpu"
    if device.vendor == "apple":
        return "apple"
    if device.device_class == "tpu":
        return "tpu"
    name = device.architecture.lower().split(" ")[0] if device.architecture else ""
    family = _BY_ARCHITECTURE.get(name)
    if family is None:
        return "intel_gpu" if device.vendor == "intel" else "other"
    if family in ("ampere", "blackwell") and (device.memory_type or "").startswith("HBM"):
        return f"{family}_hbm"
    return family
