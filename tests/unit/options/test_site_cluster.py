"""The cluster of a site among the options: as measured, and less sure beyond what was measured."""

import datetime

import msgspec
import pytest

from advisor.catalog import find_workload, network_of
from advisor.errors import InputError
from advisor.options.candidates import Candidate, list_candidates
from advisor.options.prediction import predict_options
from advisor.options.site_cluster import site_candidates
from advisor.predict.link_fit import step_over
from advisor.records.base import Z80
from advisor.records.job.prediction import Prediction
from advisor.records.results.scaling import (
    Scaling,
    ScalingLevel,
    ScalingLink,
    ScalingNode,
    ScalingRank,
    ScalingStep,
    SiteCluster,
)
from tests.unit.fleet.build import machine

H100 = "NVIDIA H100 80GB HBM3"


def scaling(title: str = "", *, per_node: int = 1, rates: tuple[float, ...] = (1.1e8, 1.0e8)) -> Scaling:
    """Return what was measured of four nodes."""
    device = "cuda:{}" if title else "cpu"
    ranks = [
        ScalingRank(node=node, device=device.format(place), title=title)
        for node in range(4)
        for place in range(per_node)
    ]
    step = ScalingStep(
        network="resnet50",
        batch_size=8,
        gradient_bytes=102_000_000,
        alone_s=4.0,
        together_s=4.6,
        exchange_s=1.4,
        hidden_ratio=0.57,
        speedup=3.4,
    )
    levels = [
        ScalingLevel(
            nodes=2 ** (place + 1),
            ranks=2 ** (place + 1) * per_node,
            link=ScalingLink(latency_s=2e-4, bytes_per_s=rate, fit_ratio=0.99),
            steps=(step,),
        )
        for place, rate in enumerate(rates)
    ]
    return Scaling(
        created_at="2026-11-23T08:00:00+00:00",
        program_version="0.1.0",
        backend="nccl" if title else "gloo",
        wall_s=100.0,
        nodes=tuple(ScalingNode(name=f"n{number}") for number in range(4)),
        ranks=tuple(ranks),
        levels=tuple(levels),
    )


def _predicted(cluster: SiteCluster) -> list[tuple[Candidate, Prediction]]:
    workload = find_workload("resnet50").workload
    candidates = site_candidates(cluster, machine())
    found = predict_options(candidates, network_of(workload), workload)
    return [(one, prediction) for one, prediction in zip(candidates, found, strict=True) if prediction is not None]


def test_whole_nodes_that_were_measured() -> None:
    """One node, two and four, with all their cards."""
    found = site_candidates(SiteCluster(scaling=scaling(H100, per_node=8), queue_s=60.0), machine())
    assert [(one.nodes, one.device_count) for one in found] == [(1, 1), (2, 16), (4, 32)]
    assert {one.device.name for one in found} == {"H100 SXM5 80GB"}
    assert {one.wait_s for one in found} == {60.0}


def test_a_step_takes_what_the_fitted_line_says() -> None:
    """Computing as predicted, exchange over the measured line, as much hidden as was seen."""
    for candidate, prediction in _predicted(SiteCluster(scaling=scaling())):
        parts = {part.name: part.time_s for part in prediction.parts}
        if candidate.link is None:
            assert prediction.exchange_basis is None
            continue
        assert prediction.exchange_basis == "measured"
        alone_s = sum(parts.values()) - parts["communication"] - parts["input"]
        gradients = 4.0 * 25_557_032
        expected_s = step_over(
            candidate.link.line, alone_s, gradients, candidate.device_count, candidate.link.behind_ratio
        )
        assert alone_s + parts["communication"] == pytest.approx(expected_s, rel=0.01)
        assert candidate.link.behind_ratio == pytest.approx(0.57 * 1.4 / 4.0)


def test_beyond_what_was_measured_is_less_sure() -> None:
    """The more nodes, and the more the line changed from level to level."""
    widths = []
    for cluster in (
        SiteCluster(scaling=scaling()),
        SiteCluster(scaling=scaling(), nodes=16),
        SiteCluster(scaling=scaling(rates=(1.1e8, 0.6e8)), nodes=16),
        SiteCluster(scaling=scaling(rates=(1.1e8,)), nodes=16),
    ):
        candidate, prediction = _predicted(cluster)[-1]
        assert candidate.nodes == (16 if cluster.nodes else 4)
        assert candidate.link is not None
        widths.append(candidate.link.sigma)
        assert prediction.interval.high > prediction.time_per_step_s * 2.71 ** (Z80 * candidate.link.sigma * 0.9)
    assert widths[0] < widths[1] < widths[2]
    assert widths[3] > widths[1]


def test_what_tells_of_no_step_is_refused() -> None:
    """A measuring that ended before messages were exchanged; cards of several kinds."""
    with pytest.raises(InputError, match="exchanged"):
        site_candidates(SiteCluster(scaling=scaling(rates=())), machine())
    mixed = scaling(H100)
    other = (*mixed.ranks[:3], ScalingRank(node=3, device="cuda:0", title="NVIDIA A100-SXM4-80GB"))
    with pytest.raises(InputError, match="different cards"):
        site_candidates(SiteCluster(scaling=msgspec.structs.replace(mixed, ranks=other)), machine())


def test_nothing_of_the_site_is_among_the_usual_candidates() -> None:
    """Only who names a cluster has one."""
    assert not any(one.is_site for one in list_candidates(machine(), datetime.date(2026, 11, 23)))
