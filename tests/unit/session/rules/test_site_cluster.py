"""The advice of somebody whose site has a cluster: it, before what is for rent."""

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.errors import InputError
from advisor.locale import language
from advisor.options.site_cluster import site_candidates
from advisor.records.job.advice import Option
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation, Request
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement
from advisor.records.results.report import Report
from advisor.records.results.scaling import SiteCluster, SiteLimits
from advisor.report.formats.write import render
from advisor.report.words.advice.memory import memory_sentence
from advisor.report.words.advice.reasons import reason_sentence
from advisor.report.words.advice.run_time import start_sentence
from advisor.report.words.advice.verdict import verdict_sentence
from advisor.session.forecast import conclude
from advisor.session.run import run_session
from advisor.units import GIB
from advisor.wire import decode_report, encode
from tests.unit.fleet.build import machine
from tests.unit.options.test_site_cluster import H100, scaling


def _answer(*, queue_s: float = 0.0, node_usd_per_h: float = 0.0, limits: SiteLimits | None = None) -> Report:
    """Return the answer for a job that this computer needs weeks for."""
    workload = msgspec.structs.replace(find_workload("resnet50").workload, epochs=6500.0, samples=12_812)
    measured = scaling(H100, per_node=8, rates=(4e10, 3.8e10))
    measured = msgspec.structs.replace(measured, limits=limits)
    cluster = SiteCluster(scaling=measured, queue_s=queue_s, node_usd_per_h=node_usd_per_h)
    seen = Observation(machine=machine(), is_simulated=True, cluster=cluster)
    return conclude(seen, workload, Circumstances(deadline_s=86_400.0))


def _chosen(report: Report) -> Option:
    return report.advice.options[0]


def test_the_sites_cluster_comes_before_what_is_for_rent() -> None:
    """It costs nothing, and nobody has to look for one."""
    report = _answer(queue_s=7200.0)
    chosen = _chosen(report)
    assert chosen.site_nodes > 0
    assert chosen.run_usd == 0.0
    assert verdict_sentence(report, language("en")).startswith("Use your cluster: ")
    assert start_sentence(report, language("en")) == "Before a run, about 2 hours pass in the queue."


def test_nodes_without_a_card_come_before_what_is_for_rent() -> None:
    """What runs on this computer's processor runs on theirs; and none of it is called a card."""
    workload = msgspec.structs.replace(find_workload("resnet50").workload, epochs=500.0, samples=12_812)
    case = Case(id="x", program="train", device="cpu", network="resnet50", precision="fp32", batch_size=32)
    step = Measurement(case=case, samples_s=(3.0,) * 9, median_s=3.0, iqr_s=0.01)
    taken = Benchmark(suite="quick", started_at="2026-11-23T08:00:00+00:00", wall_s=40.0, measurements=(step,))
    alone = Observation(machine=machine(), benchmark=taken)
    here_s = next(
        one.run_s for one in conclude(alone, workload, Circumstances()).advice.options if one.id == "here/cpu"
    )
    assert here_s is not None
    seen = msgspec.structs.replace(alone, cluster=SiteCluster(scaling=scaling(rates=(1.1e9, 1.0e9))))
    report = conclude(seen, workload, Circumstances(deadline_s=0.6 * here_s))
    assert _chosen(report).site_nodes == 4
    assert memory_sentence(report, language("en")).endswith("of main memory on each computer.")
    reasons = [reason_sentence(one, report, language("en")) for one in report.advice.reasons]
    assert "It takes 4 computers together; one alone is too slow or too small." in reasons
    assert not any("card" in one for one in reasons)


def test_who_waits_too_long_is_not_in_time() -> None:
    """The queue counts: after a day in it the deadline is over."""
    report = _answer(queue_s=90_000.0)
    assert _chosen(report).site_nodes == 0
    own = [one for one in report.advice.options if one.site_nodes]
    assert {one.obstacle for one in own} == {"misses_deadline"}


def test_a_node_hour_has_its_price() -> None:
    """Whole nodes, by the hour; nothing is added for starting or storage."""
    report = _answer(node_usd_per_h=12.0)
    for one in report.advice.options:
        if one.site_nodes and one.run_s is not None:
            assert one.run_usd == pytest.approx(12.0 * one.site_nodes * one.run_s / 3600)


def test_a_partition_that_ends_jobs_early() -> None:
    """A run goes on in another job, after another wait; the answer says so."""
    whole = _chosen(_answer(queue_s=60.0))
    assert whole.run_s is not None
    report = _answer(queue_s=60.0, limits=SiteLimits(job_s=whole.run_s / 2.5))
    chosen = _chosen(report)
    assert (chosen.site_jobs, chosen.before_s) == (3, 180.0)
    said = start_sentence(report, language("en"))
    assert "it takes 3 jobs" in said
    assert said.endswith("About 3 minutes pass in the queue in all.")


def test_more_nodes_than_the_partition_gives() -> None:
    """Are refused, with how many there are."""
    measured = msgspec.structs.replace(scaling(H100, per_node=8), limits=SiteLimits(nodes=4))
    with pytest.raises(InputError, match="4 nodes at most"):
        site_candidates(SiteCluster(scaling=measured, nodes=16), machine())


def test_a_node_without_a_card_has_what_its_partition_gives() -> None:
    """Cores and memory of a node, not of this computer."""
    measured = msgspec.structs.replace(scaling(), limits=SiteLimits(cores=32, memory_bytes=64 * GIB))
    found = site_candidates(SiteCluster(scaling=measured), machine())
    assert [(one.cpu_cores, one.device.memory_bytes) for one in found] == [
        (32.0, 64 * GIB), (64.0, 64 * GIB), (128.0, 64 * GIB)]  # fmt: skip


def test_a_report_keeps_its_cluster() -> None:
    """What is asked of it later counts on it as well, and its document says what is known of it."""
    report = decode_report(encode(_answer(queue_s=7200.0, node_usd_per_h=3.0, limits=SiteLimits(job_s=93_600.0))), "r")
    request = Request(workload=find_workload("resnet50").workload, recorded=report, suite="none")
    again = run_session(request, lambda _event: None)
    assert again.cluster == report.cluster
    assert any(one.site_nodes for one in again.advice.options)
    said = render(report, "text", language("en")).decode()
    for part in ("Your cluster", "4 nodes (8 × ", "costs $3.00 an hour", "waits 2 hours", "after 26 hours"):
        assert part in said
