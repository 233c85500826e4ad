"""Arithmetic and memory of the networks of the full suite, for one sample. Pure."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.planning.case_work import adam_bytes, train_flop
from advisor.benchmark.planning.network_work import NETWORK_WORK


@pytest.mark.parametrize("network", ["article_cnn", "simple_cnn"])
def test_both_counts_of_the_same_network_agree(network: str) -> None:
    """Layer formulas and the framework's counter give the same arithmetic and traffic."""
    work = NETWORK_WORK[network]

    assert 32 * work.train_flop == train_flop(network, 32)
    assert work.train_bytes == adam_bytes(network)


def test_frozen_parameters_are_read_once() -> None:
    """A parameter that is not trained costs a tenth of the traffic of one that is, and no gradient's memory."""
    work = NETWORK_WORK["densenet121_transfer"]
    frozen = replace(work, trained=0)

    assert frozen.train_bytes == pytest.approx(work.train_bytes / 10)
    assert frozen.needs_bytes(0) == pytest.approx(work.needs_bytes(0) / 4)


@given(batches=st.lists(st.integers(1, 4096), min_size=2, max_size=5, unique=True).map(sorted))
def test_memory_grows_with_the_batch(batches: list[int]) -> None:
    """A larger batch never needs less."""
    needs = [NETWORK_WORK["resnet50"].needs_bytes(batch) for batch in batches]

    assert all(less < more for less, more in pairwise(needs))
