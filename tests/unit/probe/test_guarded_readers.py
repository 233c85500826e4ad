"""Whichever single call of a library, a file system or a command fails, and however: the rest is found, and said."""

import dataclasses
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.locale import language
from advisor.probe import probe_machine
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Machine
from advisor.records.request import Observation
from advisor.report.documents.doctor import doctor_text
from advisor.report.formats.write import render
from advisor.session.forecast import conclude
from advisor.wire import decode_machine, encode
from tests.unit.probe.computers.failing import ERRORS, Failing
from tests.unit.probe.computers.fakes import FakeNvml, linux, nvidia_card
from tests.unit.probe.computers.macs import M2_DISPLAYS, M2_MAX, mac
from tests.unit.probe.computers.windows_computers import APU, RADEON, adapter, hardware
from tests.unit.probe.computers.windows_computers import readers as windows
from tests.unit.report.samples import enough

EN = language("en")


def _linux() -> Readers:
    return linux("laptop_amd_igpu_nvidia_asleep", FakeNvml(nvidia_card()))


def _windows() -> Readers:
    radeon = adapter(RADEON, "0000", "amdwddmg", **hardware(AdapterString="AMD Radeon RX 7900 XTX"))
    return windows(radeon, adapter(APU, "0001", "amdwddmg", **hardware(AdapterString="AMD Radeon(TM) Graphics")))


COMPUTERS: dict[str, Callable[[], Readers]] = {
    "linux": _linux,
    "linux with a card": lambda: linux("wsl2", FakeNvml(nvidia_card(), nvidia_card())),
    "desktop": lambda: linux("desktop_arc"),
    "container": lambda: linux("container_cgroup2"),
    "windows": _windows,
    "mac": lambda: mac(M2_MAX, M2_DISPLAYS, disk={"BusProtocol": "Apple Fabric"}),
}


def probed(name: str, failing: Failing) -> Machine:
    """Return the computer as seen while a call fails."""
    return probe_machine(readers=failing.readers(COMPUTERS[name]()))


def calls_of(name: str) -> int:
    """Return how many calls it takes to look at a computer."""
    counting = Failing(None, ERRORS[0])
    probed(name, counting)
    return counting.calls


CALLS = {name: calls_of(name) for name in COMPUTERS}
PLACES = st.sampled_from([(name, place) for name, count in CALLS.items() for place in range(count)])


def test_every_way_to_read_is_counted() -> None:
    """Else the property below would say little."""
    assert min(CALLS.values()) > 8
    assert CALLS["linux with a card"] > 60


@given(PLACES, st.sampled_from(ERRORS), st.booleans())
def test_any_call_may_fail(place: tuple[str, int], error: Callable[[], Exception], lasts: bool) -> None:
    """The computer is described all the same, and can be written, read and said."""
    name, number = place
    machine = probed(name, Failing(number, error, lasts=lasts))
    written = encode(machine)
    assert encode(decode_machine(written)) == written
    assert doctor_text(machine, EN)


@pytest.mark.slow
@settings(max_examples=20)
@given(PLACES, st.sampled_from(ERRORS), st.booleans())
def test_the_report_is_made_whatever_fails(place: tuple[str, int], error: Callable[[], Exception], lasts: bool) -> None:
    """``advisor --report --suite none`` answers for a computer of which little is known."""
    name, number = place
    machine = probed(name, Failing(number, error, lasts=lasts))
    known = enough()
    report = conclude(Observation(machine=machine), known.workload, known.circumstances)
    assert render(report, "text", EN)


@pytest.mark.parametrize("name", COMPUTERS)
def test_a_failure_costs_its_own_fact_only(name: str) -> None:
    """Most single failures leave most of what is known, and what is missing has a reason."""
    whole = {note.field for note in probed(name, Failing(None, ERRORS[0])).evidence}
    kept = []
    for number in range(CALLS[name]):
        seen = probed(name, Failing(number, ERRORS[8]))
        found = {note.field for note in seen.evidence}
        gone = {field for field in whole - found if not field.startswith("accelerators")}
        missing = {gap.field for gap in seen.gaps}
        assert all(any(field == gap or field.startswith(f"{gap}.") for gap in missing) for field in gone), (
            gone - missing
        )
        kept.append(len(found & whole) / len(whole))
    assert sum(kept) / len(kept) > 0.8


def test_no_library_at_all_is_no_failure() -> None:
    """Neither psutil nor NVML can be loaded."""

    def broken() -> object:
        raise RuntimeError("another build")

    for computer in COMPUTERS.values():
        assert encode(probe_machine(readers=dataclasses.replace(computer(), psutil=broken, nvml=broken)))
