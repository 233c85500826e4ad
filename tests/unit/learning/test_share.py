"""What may be shared: an allow-list, whatever a report holds."""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import wire
from advisor.learning.gather import gather
from advisor.learning.share import NotShared, hand_of, shared_of, write_shared
from advisor.records.results.measured.measurement import Condition
from advisor.records.results.report import Report
from advisor.records.results.shared import SharedMeasurements
from tests.unit.learning.build import report

HAND = "0123456789abcdef"
ALLOWED = {
    "format", "hand", "device", "memory_gib", "power_limit_w", "cores", "ram_gib", "system", "month", "torch",
    "driver", "program_version", "cases", "task", "network", "precision", "batch_size", "channels_last", "low_s",
    "median_s", "high_s", "samples",
}  # fmt: skip
KNOWN = {
    "advisor-measurement/1", HAND, "GeForce RTX 3080 10GB", "Linux", "2026-11", "2.13", "570.86", "0.1.0", "train",
    "infer", "resnet18", "resnet50", "amp", "",
}  # fmt: skip


def test_what_is_shared() -> None:
    """Card, sizes as sold, versions to the second number, the month, quartiles."""
    [one] = _shared(report())
    assert (one.device, one.memory_gib, one.power_limit_w, one.ram_gib) == ("GeForce RTX 3080 10GB", 10, 320, 16)
    assert (one.torch, one.driver, one.month) == ("2.13", "570.86", "2026-11")
    assert [case.network for case in one.cases] == ["resnet18", "resnet50"]
    assert one.cases[0].low_s < one.cases[0].median_s < one.cases[0].high_s


def _shared(of: Report) -> tuple[SharedMeasurements, ...]:
    found = shared_of(of, HAND)
    assert not isinstance(found, NotShared)
    return found


_PLACES = [
    ("label",), ("machine", "host", "cpu", "name"), ("machine", "host", "os_name"), ("machine", "host", "os_version"),
    ("machine", "host", "isolation_detail"), ("machine", "framework", "version"),
    ("machine", "accelerators", 0, "name"),
    ("machine", "accelerators", 0, "driver_version"), ("machine", "accelerators", 0, "pci_id"), ("program_version",),
    ("benchmark", "started_at"), ("benchmark", "environment", "torch"), ("benchmark", "measurements", 0, "case", "id"),
    ("benchmark", "measurements", 0, "case", "network"), ("workload", "title"), ("created_at",),
]  # fmt: skip


@given(place=st.sampled_from(_PLACES), text=st.text(max_size=60), beside=st.booleans())
def test_no_text_of_a_report_survives(place: tuple[str | int, ...], text: str, beside: bool) -> None:
    """Whatever stands in a text of a report: what is shared has the allowed fields, and known words in them."""
    document = json.loads(wire.encode(report()))
    at = document
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = f"{at[place[-1]]}{text}" if beside else text
    shared = shared_of(msgspec.convert(document, Report), HAND)
    if isinstance(shared, NotShared):
        return
    for one in shared:
        told = json.loads(wire.encode(one))
        assert set(told) | set(told["cases"][0]) <= ALLOWED
        words = [*told.values(), *(value for case in told["cases"] for value in case.values())]
        for word in (word for word in words if isinstance(word, str)):
            assert word in KNOWN or not text.strip() or _is_a_number_or_name(word)


def _is_a_number_or_name(word: str) -> bool:
    """A version to its second number, a month, a network of the catalogue, a device of it."""
    from advisor.catalog import known_device, network_names

    is_version = word.replace(".", "").isdigit() and len(word) <= 24
    is_month = len(word) == 7 and word[4] == "-"
    return is_version or is_month or word in network_names() or known_device(word) is not None


@pytest.mark.parametrize(
    ("change", "reason"),
    [({"is_simulated": True}, "simulated"), ({"benchmark": None}, "not_measured")],
)
def test_what_was_not_measured_is_not_shared(change: dict[str, object], reason: str) -> None:
    """Neither a made-up computer nor one that was only looked at."""
    assert shared_of(msgspec.structs.replace(report(), **change), HAND) == NotShared(reason)


def test_an_unknown_card_is_no_neighbour() -> None:
    """A card that the catalogue lacks is left out, not mapped to the nearest."""
    assert shared_of(report(card="NVIDIA GeForce RTX 3081"), HAND) == NotShared("unknown_device")


def test_disturbed_cases_stay_at_home() -> None:
    """A case under load of others tells of those."""
    made = report()
    assert made.benchmark is not None
    first, second = made.benchmark.measurements
    loaded = msgspec.structs.replace(first, conditions=(Condition(kind="other_load", value=0.4, unit="ratio"),))
    benchmark = msgspec.structs.replace(made.benchmark, measurements=(loaded, second))
    [one] = _shared(msgspec.structs.replace(made, benchmark=benchmark))
    assert [case.network for case in one.cases] == ["resnet50"]


def test_equal_files_have_one_name_and_are_read_back(tmp_path: Path) -> None:
    """A file is called by its content, so that merging folders is copying."""
    [one] = _shared(report())
    first, second = write_shared(one, tmp_path), write_shared(one, tmp_path)
    assert first == second
    assert gather(tmp_path).shared == (one,)


def test_a_computer_keeps_its_number(tmp_path: Path) -> None:
    """So that its files count once; a damaged one is made anew."""
    hand = hand_of(tmp_path / "learned")
    assert hand_of(tmp_path / "learned") == hand
    (tmp_path / "learned" / "hand").write_text("ana@pc\n")
    assert hand_of(tmp_path / "learned") not in (hand, "ana@pc")
