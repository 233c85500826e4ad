"""Cloud offers: the shipped snapshot, a newer one of the user, and its renewal with everything that can go wrong."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog.offers import (
    MAX_PRICE_PER_DEVICE_USD_PER_H,
    offer_from_row,
    offer_sources,
    offers,
    read_offers,
    read_origins,
    snapshot_dates,
)
from advisor.errors import CatalogError
from advisor.units import GIB
from tests.unit.catalog.archives import HEADER, price_file, row


def test_offers_are_cached_and_sorted(target: Path) -> None:
    """The shipped offers come cheapest first by provider, once."""
    found = offers(target)
    assert found is offers(target)
    keys = [(offer.provider, offer.price_usd_per_h) for offer in found]
    assert keys == sorted(keys)


def test_every_provider_has_date_and_source(target: Path) -> None:
    """Whoever has an offer has a date and a source, and nobody else."""
    providers = {offer.provider for offer in offers(target)}
    assert snapshot_dates(target).keys() == offer_sources(target).keys() == providers
    assert all(source.title and source.author and source.date for source in offer_sources(target).values())


@pytest.mark.parametrize(
    ("provider", "region", "expected"),
    [
        ("runpod", "community", True),
        ("runpod", "SE", True),
        ("runpod", "secure", False),
        ("runpod", "EU-RO-1", False),
        ("runpod", "US-KS-2", False),
        ("vastai", "anywhere", True),
        ("digitalocean", "NY", False),
    ],
)
def test_other_customers_machines_are_told_by_their_region(provider: str, region: str, expected: bool) -> None:
    """RunPod's shipped list says community; the fetched one has a country for them, a data centre for its own."""
    offer = offer_from_row(row(location=region), provider, "2026")
    assert offer is not None
    assert offer.is_marketplace is expected


@given(
    st.sampled_from(HEADER.split(",")), st.text(max_size=40) | st.sampled_from(["inf", "-inf", "nan", "-1", "1e400"])
)
def test_any_value_is_an_offer_or_refused(field: str, value: str) -> None:
    """No text in any field ends in another error."""
    try:
        offer = offer_from_row(row(**{field: value}), "aws", "2026")
    except ValueError:
        return
    assert offer is None or offer.price_usd_per_h > 0


def test_dear_placeholders_are_left_out() -> None:
    """A price no real machine has is no offer: Google's list says 700 USD where a TPU is not sold."""
    assert offer_from_row(row(price=str(MAX_PRICE_PER_DEVICE_USD_PER_H + 1)), "gcp", "2026") is None
    eight = offer_from_row(row(price=str(MAX_PRICE_PER_DEVICE_USD_PER_H + 1), gpu_count="8"), "gcp", "2026")
    assert eight is not None


def test_machines_without_accelerator_are_left_out() -> None:
    """A machine with no accelerator is no offer."""
    assert list(read_offers(price_file(row(gpu_count="0", gpu_name="")), "aws", "2026")) == []


def test_wrong_shipped_row_names_its_line() -> None:
    """A senseless price in a file of ours is refused with its line."""
    with pytest.raises(CatalogError, match=r"aws\.csv, line 3"):
        list(read_offers(price_file(row(), row(price="0")), "aws", "2026"))


@pytest.mark.parametrize(
    ("changes", "device", "count"),
    [
        ({"gpu_name": "A100", "gpu_memory": "80.0"}, "A100 SXM4 80GB", 1),
        ({"gpu_name": "A100", "instance_name": "gpu_1x_a100_pcie_40gb"}, "A100 PCIe 40GB", 1),
        ({"gpu_name": "A100", "instance_name": "Standard_NC24ads_A100_v4", "gpu_memory": "80"}, "A100 PCIe 80GB", 1),
        ({"gpu_name": "v5litepod-8", "gpu_memory": "16"}, "TPU v5e", 8),
        ({"gpu_name": "v4-8", "gpu_memory": "32"}, "TPU v4", 4),
        ({"gpu_name": "tpu-v6e-4", "gpu_memory": "32"}, "TPU v6e (Trillium)", 4),
        ({"gpu_name": "RTX4090", "gpu_memory": "24"}, "GeForce RTX 4090", 1),
        ({"gpu_name": "MI300X", "gpu_memory": "192"}, "Instinct MI300X", 1),
    ],
)
def test_price_lists_names_mean_our_devices(changes: dict[str, str], device: str, count: int) -> None:
    """The short names of price lists mean devices of our table, a TPU's type its chips."""
    offer = offer_from_row(row(**changes), "any", "2026")
    assert offer is not None
    assert (offer.device, offer.device_count) == (device, count)


def test_unknown_chip_keeps_its_name() -> None:
    """An accelerator we do not know is an offer without device, under the provider's name and with its memory."""
    offer = offer_from_row(row(gpu_name="XPU-9", gpu_memory="10"), "any", "2026")
    assert offer is not None
    assert (offer.device, offer.device_name, offer.device_memory_bytes) == (None, "XPU-9", 10 * GIB)


def test_row_has_its_own_date() -> None:
    """A row's own date counts before its provider's."""
    dated = offer_from_row(row(provider_data='{"as_of": "2024"}'), "any", "2026")
    assert dated is not None
    assert dated.as_of == "2024"


@pytest.mark.parametrize(
    "content", ["x = " + "[" * 50_000, "x = " + "9" * 10_000, "\x00", "[aws\n", "aws = 1\n"], ids=lambda text: text[:8]
)
def test_a_damaged_description_costs_only_the_users_own_prices(tmp_path: Path, content: str) -> None:
    """Whatever the file holds, it is refused with a sentence, and the shipped prices count."""
    (tmp_path / "snapshot.toml").write_text(content, encoding="utf-8")
    with pytest.raises(CatalogError):
        read_origins(tmp_path)
    assert offers(tmp_path) == offers(tmp_path / "nothing")


@pytest.mark.skipif(sys.platform != "linux", reason="made with Linux' special files")
@pytest.mark.parametrize("kind", ["a hole", "a pipe", "no end"])
def test_a_file_without_end_costs_only_the_users_own_prices(tmp_path: Path, kind: str) -> None:
    """Neither the description nor a provider's table holds the program or fills its memory."""
    described = 'as_of = "2099-01-01"\ntitle = "x"\nauthor = "y"\n'
    (tmp_path / "snapshot.toml").write_text(f"[aws]\n{described}", encoding="utf-8")
    path = tmp_path / ("snapshot.toml" if kind == "a hole" else "aws.csv")
    if kind == "a hole":
        os.truncate(path, 2**40)
    elif kind == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")

    assert offers(tmp_path) == offers(tmp_path / "nothing")
