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


CLASSES = ("halved", "full", "laptop", "radeon", "processor", "other")


def class_of(device: Device) -> str:
    """Return the class of a device by how its units for products are cut: what share of their rate they can keep busy.

    NVIDIA's cards for consumers have half the rate of their tensor units where sums are kept in 32 bit, and reach all
    of that; cards with the full rate are held back by registers, caches and power.
    Source: NVIDIA, "Ampere GA102 GPU Architecture", 2021, appendix A (rates of FP16 with FP32 accumulate).
    """
    if device.device_class == "cpu":
        return "processor"
    if device.vendor != "nvidia":
        return "radeon" if device.vendor == "amd" and device.for_whom == "consumer" else "other"
    if device.device_class == "laptop_gpu":
        return "laptop"
    return "halved" if device.for_whom == "consumer" else "full"


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
