"""How rented machines are joined: read strictly, found by provider and name, every row with its source."""

from pathlib import Path

import pytest

from advisor.catalog import offers
from advisor.catalog.hardware.interconnects import network_between, node_networks, read_node_networks
from advisor.catalog.offers import shipped_folder
from advisor.errors import CatalogError


def test_every_row_has_a_source_and_a_sane_rate() -> None:
    """From 10 to 6,400 Gbit/s."""
    for one in node_networks():
        assert 10 <= one.gbit_per_s <= 6400
        assert one.source.url
        assert one.source.date


def test_every_row_is_about_an_offer() -> None:
    """A name that no price list has would never be found."""
    known = [(offer.provider, offer.instance) for offer in offers(shipped_folder())]
    for one in node_networks():
        for beginning in one.instances:
            assert any(provider == one.provider and name.startswith(beginning) for provider, name in known), beginning


def test_offers_know_their_network() -> None:
    """Where the provider publishes it."""
    found = {offer.instance: offer for offer in offers(shipped_folder())}
    assert found["Standard_ND96isr_H100_v5"].network == "infiniband"
    assert found["Standard_ND96isr_H100_v5"].network_bytes_per_s == 4e11
    assert found["p4d.24xlarge"].network == "rdma_ethernet"
    assert found["gpu_8x_h100_sxm_80gb"].network is None
    assert network_between("nobody", "p4d.24xlarge") is None


@pytest.mark.parametrize("text", ["", "network = 3", "[[network]]\nprovider = 'x'\n", "\xff"])
def test_a_damaged_table_is_said(tmp_path: Path, text: str) -> None:
    """By its name."""
    path = tmp_path / "table.toml"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(CatalogError, match=r"table\.toml is damaged"):
        read_node_networks(path)
