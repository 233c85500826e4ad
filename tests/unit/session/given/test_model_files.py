"""A model by the file that describes it."""

import json
from pathlib import Path

import pytest

from advisor.catalog.networks.tables import network
from advisor.errors import InputError
from advisor.session.given.model_files import model_network


def test_what_is_known_by_its_name_alone_is_named(tmp_path: Path) -> None:
    """RT-DETR is a table of this program's, not read from a file."""
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "rt_detr"}), "utf-8")
    with pytest.raises(InputError, match="'rt_detr' is not read from its file; ask for rtdetr_l, which this program"):
        model_network(str(tmp_path))
    assert network("rtdetr_l").parameters


def test_an_unknown_architecture_is_told_what_is_known(tmp_path: Path) -> None:
    """One sentence with all of them."""
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "perceiver"}), "utf-8")
    with pytest.raises(InputError, match=r"'perceiver' is not known; known are: .*detr"):
        model_network(str(tmp_path))
