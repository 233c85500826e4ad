"""Notes of a probe: under which name each fact stands, and what is said of one that is missing."""

import pytest

from advisor.probe.evidence_log import EvidenceLog
from advisor.records.base import Evidence, Gap


@pytest.mark.parametrize(
    ("prefix", "field", "name"),
    [("host", "cpu.name", "host.cpu.name"), ("", "cpu.name", "cpu.name"), ("host", "", "host"), ("", "", "")],
)
def test_a_name_stands_below_its_prefix(prefix: str, field: str, name: str) -> None:
    """Either of them may be empty."""
    log = EvidenceLog(prefix)
    log.found(field, "/proc/cpuinfo", "lscpu")
    log.missing(field, "unreadable", "no such line", "Install it.")

    assert log.evidence == [Evidence(field=name, how="/proc/cpuinfo", check="lscpu")]
    assert log.gaps == [Gap(field=name, reason="unreadable", detail="no such line", remedy="Install it.")]


def test_a_fact_is_found_or_missing() -> None:
    """Zero and no are facts; None is none, and where it was looked for is what is known of it."""
    log = EvidenceLog()
    for value in (0, False, ""):
        log.either("a", value, "how", "check")
    log.either("b", None, "how", "check")
    log.either("c", None, "how", reason="permission_denied", detail="root only")

    assert log.evidence == [Evidence(field="a", how="how", check="check")] * 3
    assert log.gaps == [
        Gap(field="b", reason="unreadable", detail="how"),
        Gap(field="c", reason="permission_denied", detail="root only"),
    ]


@pytest.mark.parametrize(
    ("own", "further", "name"),
    [
        ("host", "disk", "host.disk.gpu.kind"),
        ("host", "", "host.gpu.kind"),
        ("", "disk", "disk.gpu.kind"),
        ("", "", "gpu.kind"),
    ],
)
def test_notes_of_another_are_taken_over_whole(own: str, further: str, name: str) -> None:
    """Under both prefixes, with all they say."""
    other = EvidenceLog("gpu")
    other.found("kind", "sysfs", "cat")
    other.missing("kind", "not_supported", "an old driver", "Renew it.")
    log = EvidenceLog(own)
    log.absorb(other, further)

    assert log.evidence == [Evidence(field=name, how="sysfs", check="cat")]
    assert log.gaps == [Gap(field=name, reason="not_supported", detail="an old driver", remedy="Renew it.")]
