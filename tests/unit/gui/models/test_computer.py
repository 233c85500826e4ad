"""The computer's facts in words."""

import msgspec
import pytest

from advisor.gui.models.computer import fact_groups, memory_text, one_line, rounded_memory, short_cpu_name
from advisor.locale import language
from advisor.records.base import Gap
from advisor.units import GIB
from tests.gui.samples import sample_machine
from tests.unit.gui.plain import plain

EN, ES = language("en"), language("es")


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Intel(R) Core(TM) i7-10750H CPU @ 2.60GHz", "Intel Core i7-10750H"),
        ("AMD Ryzen 9 5950X 16-Core Processor", "AMD Ryzen 9 5950X"),
        ("Apple M3 Max", "Apple M3 Max"),
        ("Intel(R) Xeon(R) CPU E5-2690 v4 @ 2.60GHz", "Intel Xeon E5-2690 v4"),
    ],
)
def test_a_processor_is_called_what_people_call_it(name: str, short: str) -> None:
    """Marks, clocks and padding are left out."""
    assert short_cpu_name(name) == short


@pytest.mark.parametrize(
    ("seen_gib", "sold"), [(15.5, "16 GB"), (7.6, "8 GB"), (31.1, "32 GB"), (13.0, "13 GB"), (5.8, "6 GB")]
)
def test_memory_is_named_as_it_is_sold(seen_gib: float, sold: str) -> None:
    """A little less than a usual size is that size; anything else is itself."""
    assert plain(memory_text(rounded_memory(seen_gib * GIB), EN)) == sold


def test_two_cards_and_none() -> None:
    """Several cards are counted; no card is said."""
    machine = sample_machine()
    card = machine.accelerators[0]
    twins = msgspec.structs.replace(machine, accelerators=(card, msgspec.structs.replace(card, index=1)))
    bare = msgspec.structs.replace(machine, accelerators=())

    assert plain(one_line(twins, EN)).endswith("2 × GeForce RTX 2060 Laptop GPU 6 GB")
    assert one_line(bare, EN).endswith("no graphics card to train on")


def test_no_card_stands_among_the_parts() -> None:
    """Where none was found that is a fact about the computer, not something that could not be detected."""
    gap = Gap(field="accelerators", reason="not_found")
    bare = msgspec.structs.replace(sample_machine(), accelerators=(), gaps=(gap,))
    groups = fact_groups(bare, EN)

    assert [group.title for group in groups[:2]] == ["Processor", "Graphics card"]
    assert [row.value for row in groups[1].rows] == ["none found"]
    assert "none found" not in [row.value for row in groups[-1].rows]


def test_each_gap_is_shown_once_with_its_reason() -> None:
    """A missing fact stands where it belongs, or among those that have no other place."""
    rows = [row for group in fact_groups(sample_machine(), EN) for row in group.rows if row.is_gap]

    assert [row.name for row in rows] == ["Error correction", "PCI identification"]
    assert rows[0].value.startswith("not known: ")
