"""Tables of work of transformers by formula, for sizes that no catalogue lists."""

from typing import Any

import pytest

from advisor.catalog.networks.tables import network
from advisor.catalog.workloads import is_attention_fused, network_of
from tests.unit.predict.examples import workload
from tests.unit.predict.programs import job


@pytest.mark.parametrize(
    ("attention", "year", "is_fused"),
    [
        (None, None, True),
        (None, 2023, True),
        (None, 2022, False),
        ("fused", 2016, True),
        ("decomposed", 2030, False),
    ],
)
def test_attention_is_as_told_else_as_usual_in_its_year(attention: Any, year: int | None, is_fused: bool) -> None:
    """What is told decides; else PyTorch 2.0, of 2023, brought the fused kernel."""
    asked = workload(network("bert_base"), attention=attention, framework_year=year)
    assert is_attention_fused(asked) == is_fused
    assert network_of(asked).attention == ("fused" if is_fused else "decomposed")


@pytest.mark.parametrize("name", ["bert_base", "gpt2", "vit_base"])
def test_attention_taken_apart_needs_more_of_everything(name: str) -> None:
    """Scores that are stored cost time and memory."""
    fused, apart = (job(name, attention=attention, precision="fp32") for attention in ("fused", "decomposed"))
    assert apart.time_per_step_s > fused.time_per_step_s
    assert apart.memory_bytes is not None
    assert fused.memory_bytes is not None
    assert apart.memory_bytes > fused.memory_bytes
