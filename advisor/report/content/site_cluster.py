"""The site's own cluster, as the answer counts on it: what was measured, what was said of it, what it allows."""

from collections.abc import Iterator

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.records.results.scaling import SiteCluster, SiteLimits
from advisor.report.content.blocks import Bullets, Item, Paragraph, Section
from advisor.report.words import quantities
from advisor.report.words.labels import amount, cluster_phrase


def site_cluster(report: Report, language: Language) -> Section:
    """Return what the answer rests on of the cluster; nothing where none was named."""
    title = language.gettext("Your cluster")
    if report.cluster is None:
        return Section("site_cluster", title, ())
    phrase = cluster_phrase(report.cluster.scaling, language)
    bullets = Bullets(tuple(Item(text) for text in _items(report.cluster, report, language)))
    return Section("site_cluster", title, (Paragraph(f"{phrase}."), bullets))


def _items(cluster: SiteCluster, report: Report, language: Language) -> Iterator[str]:
    _ = language.gettext
    if cluster.node_usd_per_h:
        price = amount(cluster.node_usd_per_h, report, language)
        yield _("A node costs {price} an hour, as you said.").format(price=price)
    else:
        yield _("Its nodes cost you nothing.")
    if cluster.queue_s:
        wait = quantities.duration(cluster.queue_s, language)
        yield _("A job waits {wait} in the queue, as you said.").format(wait=wait)
    if cluster.nodes is not None:
        yield _("You may have {n} nodes, as you said; what more of them reach than were measured is less sure.").format(
            n=language.number(cluster.nodes)
        )
    yield from _limit_items(cluster.scaling.limits or SiteLimits(), language)


def _limit_items(limits: SiteLimits, language: Language) -> Iterator[str]:
    _ = language.gettext
    if limits.job_s is not None:
        longest = quantities.duration(limits.job_s, language)
        yield _("Its partition ends a job after {duration}.").format(duration=longest)
    if limits.nodes is not None:
        yield _("Its partition gives a job at most this many nodes: {n}.").format(n=language.number(limits.nodes))
    if limits.cores is not None and limits.memory_bytes is not None:
        memory = quantities.memory(limits.memory_bytes, language)
        yield _("On a node, a job may use this many cores: {n}, and {memory} of memory.").format(
            n=language.number(limits.cores), memory=memory
        )
