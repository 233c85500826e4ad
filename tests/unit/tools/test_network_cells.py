"""How rows tell a network's factor and its family's."""

from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tools be imported."""
    monkeypatch.syspath_prepend(str(TOOLS))


def test_a_network_lies_between_its_own_rows_and_its_family() -> None:
    """The more rows of its own, the nearer to them; a cell without its rows has the family's, moved as it is moved."""
    from fit.constants import network_cells as cells

    rows = {
        ("net_a", "train"): [0.4] * 8,
        ("net_b", "train"): [0.2],
        ("net_c", "train"): [0.0] * 8,
        ("net_a", "infer"): [0.0],
        ("other_x", "train"): [-0.3],
    }
    families = cells._families(rows)
    assert families["net"]["train"] == pytest.approx(0.6 / (3 + cells.FAMILY_ROWS))
    assert families["other"]["train"] == pytest.approx(-0.3 / (1 + cells.FAMILY_ROWS))
    found = cells._networks(rows, families)
    family = 2.718281828 ** families["net"]["train"]
    assert family < found["net_a"]["train"] < 2.718281828**0.4
    assert 1.0 < found["net_c"]["train"] < family
    assert found["net_b"]["infer"] > found["net_c"]["infer"]
    assert set(found["other_x"]) == {"train"}
