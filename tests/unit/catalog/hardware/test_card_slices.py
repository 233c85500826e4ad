"""Instances of a divided card, by the names that drivers and PyTorch give them."""

import pytest

from advisor.catalog import find_device
from advisor.errors import UnknownNameError
from advisor.units import GIB


@pytest.mark.parametrize(
    ("title", "card", "compute", "eighths", "gib"),
    [
        ("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "A100 SXM4 40GB", 1 / 7, 1, 5),
        ("NVIDIA A100-SXM4-40GB MIG 1g.10gb", "A100 SXM4 40GB", 1 / 7, 2, 10),
        ("NVIDIA A100-SXM4-80GB MIG 3g.40gb", "A100 SXM4 80GB", 3 / 7, 4, 40),
        ("NVIDIA H100 80GB HBM3 MIG 1g.10gb+me", "H100 SXM5 80GB", 1 / 7, 1, 10),
        ("NVIDIA H100 80GB HBM3 MIG 1c.3g.40gb", "H100 SXM5 80GB", 1 / 7, 4, 40),
        ("NVIDIA H100 80GB HBM3 MIG 7g.80gb", "H100 SXM5 80GB", 1.0, 8, 80),
        ("NVIDIA H200 MIG 1g.18gb", "H200 SXM", 1 / 7, 1, 18),
        ("NVIDIA A30 MIG 2g.12gb", "A30", 1 / 2, 4, 12),
    ],
)
def test_an_instance_has_its_share(title: str, card: str, compute: float, eighths: int, gib: int) -> None:
    """Of the arithmetic by its first number, of bandwidth and memory by its second; no link, no price."""
    whole, part = find_device(card), find_device(title)
    assert part.peak_flop_per_s["fp32"] == pytest.approx(whole.peak_flop_per_s["fp32"] * compute)
    assert part.bandwidth_bytes_per_s == pytest.approx((whole.bandwidth_bytes_per_s or 0) * eighths / 8)
    assert part.memory_bytes == gib * GIB
    assert (part.interconnect, part.price_usd) == (None, None)
    assert find_device(part.name).peak_flop_per_s == part.peak_flop_per_s


def test_what_the_driver_reports_counts() -> None:
    """A profile of 10 GB has some hundred megabytes less."""
    assert find_device("NVIDIA H100 80GB HBM3 MIG 1g.10gb", memory_bytes=9856 * 1024**2).memory_bytes == 9856 * 1024**2


def test_an_instance_of_an_unknown_card_is_unknown() -> None:
    """Its card is what is looked up."""
    with pytest.raises(UnknownNameError):
        find_device("NVIDIA Toaster MIG 1g.5gb")
