"""Published times stand beside our own for the same hardware; where there is none, nothing is made up."""

import pytest

from advisor.catalog import find_device, find_workload, network_names
from advisor.catalog.published_jobs import published_jobs
from advisor.session.published_jobs import beside_published


def test_every_figure_names_what_the_catalogue_has() -> None:
    """Networks and devices are known, sources dated, times positive."""
    for one in published_jobs():
        assert one.network in network_names()
        assert find_device(one.device)
        assert one.source.date
        assert one.seconds > 0
        assert one.steps > 0


def test_theirs_and_ours_are_of_one_step() -> None:
    """nnU-Net's epoch of 44.5 s on an A100 is 250 steps and the forward passes of 50."""
    found = beside_published(find_workload("nnunet_3d").workload)
    (first, *_) = [one for one in found if "A100" in one.device]
    assert first.published_s == pytest.approx(44.5 / (250 + 50 / 3), rel=1e-3)
    assert 0.5 < first.predicted_s / first.published_s < 2


def test_a_way_of_training_is_compared_with_its_like() -> None:
    """Times of full training say nothing of adapters, and nobody's time is shown for a network without one."""
    assert beside_published(find_workload("flux_lora").workload)
    assert beside_published(find_workload("llm_7b_full").workload)
    assert not beside_published(find_workload("llm_7b_qlora").workload)
    assert not beside_published(find_workload("stacked_lstm").workload)
