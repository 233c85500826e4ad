"""The probe never fails, whatever files, drivers and libraries say."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.probe import probe_machine
from advisor.probe.readers import number
from advisor.wire import decode_machine, encode
from tests.unit.probe.computers.fakes import DATA, FakeNvml, linux, nvidia_card

NAMES = sorted(path.stem for path in DATA.glob("*.tree"))
PATHS = sorted({path for name in NAMES for path in linux(name).files.files})  # type: ignore[attr-defined]
CALLS = sorted({name for name in nvidia_card() if name.startswith("nvml")} | {"nvmlDeviceGetMigMode", "handle"})
GARBAGE = st.one_of(
    st.sampled_from([0, 1, 2, 3, 4, 9, 12, 15, 17, 18, 21, 28, 999, 12345]).map(FakeNvml.NVMLError),
    st.none(),
    st.integers(-5, 5),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.lists(st.integers(0, 9), max_size=3),
    st.just(FakeNvml.NVMLLibraryMismatchError("x")),
    st.just(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x")),
)


@pytest.mark.parametrize("text", [None, "", " ", "\n", "ten"])
def test_a_text_without_a_number_holds_none(text: str | None) -> None:
    """Blanks alone are no number either."""
    assert number(text) is None


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(NAMES), st.dictionaries(st.sampled_from(PATHS), st.text(max_size=40), max_size=4))
def test_any_file_may_hold_anything(name: str, changes: dict[str, str]) -> None:
    """A machine with garbage in some of its files still gives a record that can be written and read."""
    readers = linux(name)
    readers.files.files.update(changes)  # type: ignore[attr-defined]
    machine = probe_machine(readers=readers)
    written = encode(machine)
    assert encode(decode_machine(written)) == written


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(CALLS), GARBAGE, max_size=4))
def test_any_call_may_answer_anything(changes: dict[str, Any]) -> None:
    """A card whose driver answers nonsense still gives a record, and NVML is closed."""
    nvml = FakeNvml(nvidia_card(**changes))
    machine = probe_machine(readers=linux("wsl2", nvml))
    written = encode(machine)
    assert encode(decode_machine(written)) == written
    assert nvml.open_count == 0
