"""Accelerators set by hand: what a user may write, and what becomes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import InputError
from advisor.probe import probe_machine
from advisor.probe.override import Override, parse_override, vendor_of
from tests.unit.probe.computers.fakes import GIB, FakeNvml, linux, nvidia_card


@pytest.mark.parametrize(
    ("text", "override"),
    [
        ("RTX 3060:12GB", Override(name="RTX 3060", memory_bytes=12 * GIB)),
        ("  RTX   3060 : 12 GiB ", Override(name="RTX 3060", memory_bytes=12 * GIB)),
        ("Arc A770:16g", Override(name="Arc A770", memory_bytes=16 * GIB)),
        ("MX150:2048MB", Override(name="MX150", memory_bytes=2 * GIB)),
        ("RTX 2050:3,5GB", Override(name="RTX 2050", memory_bytes=round(3.5 * GIB))),
        ("RX 7900 XTX", Override(name="RX 7900 XTX")),
        ("0=:24GB", Override(index=0, memory_bytes=24 * GIB)),
        ("1=RTX 4090", Override(index=1, name="RTX 4090")),
    ],
)
def test_what_a_person_may_write(text: str, override: Override) -> None:
    """Name, memory and number are understood in the ways people write them."""
    assert parse_override(text) == override


@pytest.mark.parametrize(
    "text",
    ["", ":", ":12GB", "0=", "x=RTX:1GB", "RTX 3060:12", "RTX 3060:GB", "RTX 3060:-1GB", "RTX 3060:0GB", "RTX:12parsec",
     "12:12GB", "RTX:999999TB", "RTX:12GB:8GB", "R" * 81 + ":1GB", "nonsense", "nonsense:", "-1=RTX:1GB"],
)  # fmt: skip
def test_nonsense_is_refused_with_a_sentence(text: str) -> None:
    """Each refusal names what was written and shows how to write it."""
    with pytest.raises(InputError, match="write NAME:MEMORY") as caught:
        parse_override(text)
    assert str(caught.value).endswith(".")


@given(st.text(max_size=60))
def test_any_text_gives_an_override_or_the_one_error(text: str) -> None:
    """No text makes it fail in another way, and what is accepted can be used."""
    try:
        override = parse_override(text)
    except InputError:
        return
    assert override.name or override.index is not None
    assert override.memory_bytes is None or override.memory_bytes > 0


@pytest.mark.parametrize(
    ("name", "vendor"),
    [("RTX 3060", "nvidia"), ("GeForce GTX 1080 Ti", "nvidia"), ("Tesla V100", "nvidia"), ("A100", "nvidia"),
     ("H200", "nvidia"), ("T4", "nvidia"), ("Quadro P5000", "nvidia"), ("RX 7900 XTX", "amd"), ("MI300X", "amd"),
     ("Radeon Pro W7900", "amd"), ("Arc B580", "intel"), ("Gaudi 3", "intel"), ("TPU v5e", "google"),
     ("Apple M3 Max", "apple"), ("M4 Pro", "apple"), ("Tenstorrent Wormhole", "other")],
)  # fmt: skip
def test_makers(name: str, vendor: str) -> None:
    """The maker follows from the words people use."""
    assert vendor_of(name) == vendor


def test_addition_to_a_computer_without_card() -> None:
    """A card set by hand is there, marked as such, and trains."""
    machine = probe_machine(overrides=[parse_override("RTX 3060:12GB")], readers=linux("vm_virtio"))
    added = next(one for one in machine.accelerators if one.trains)
    assert (added.name, added.vendor, added.memory_bytes, added.kind) == ("RTX 3060", "nvidia", 12 * GIB, "discrete")
    assert added.is_overridden
    place = machine.accelerators.index(added)
    assert any(
        note.field == f"accelerators.{place}.memory_bytes" and note.how == "set by hand" for note in machine.evidence
    )
    assert not any(gap.field == "accelerators" for gap in machine.gaps)


def test_same_name_is_corrected_not_doubled() -> None:
    """Naming a card that was found corrects its memory; maker's words make no difference."""
    machine = probe_machine(overrides=[parse_override("Arc A770:16GB")], readers=linux("desktop_arc"))
    named = [one for one in machine.accelerators if "A770" in one.name]
    assert [(one.memory_bytes, one.is_overridden) for one in named] == [(16 * GIB, True)]
    place = machine.accelerators.index(named[0])
    assert not any(gap.field == f"accelerators.{place}.memory_bytes" for gap in machine.gaps)
    assert named[0].pci_id == "8086:56a0"


def test_laptop_chip_is_not_its_desktop_namesake() -> None:
    """A name that only resembles a found card adds a card and leaves the found one alone."""
    readers = linux("wsl2", FakeNvml(nvidia_card("NVIDIA GeForce RTX 3060 Laptop GPU")))
    machine = probe_machine(overrides=[parse_override("RTX 3060:12GB")], readers=readers)
    assert len(machine.accelerators) == 2


def test_number_corrects_that_card() -> None:
    """With a number the card at that place changes, and an integrated one may be made to train."""
    machine = probe_machine(overrides=[parse_override("1=Radeon 890M:32GB")],
                            readers=linux("laptop_amd_igpu_nvidia_asleep"))  # fmt: skip
    changed = next(one for one in machine.accelerators if one.is_overridden)
    assert (changed.name, changed.memory_bytes, changed.trains) == ("Radeon 890M", 32 * GIB, True)
    assert changed.pci_id == "1002:1681"


def test_number_beyond_the_last_is_refused() -> None:
    """A place that does not exist is an error of the user's, told as a sentence."""
    with pytest.raises(InputError, match="no accelerator number 7; 3 were found"):
        probe_machine(overrides=[parse_override("7=RTX 3060:12GB")], readers=linux("vm_virtio"))


def test_several_of_one_kind_can_be_added() -> None:
    """Two cards of two names are counted by maker."""
    overrides = [parse_override("RTX 3090:24GB"), parse_override("RTX 3060:12GB")]
    machine = probe_machine(overrides=overrides, readers=linux("vm_virtio"))
    assert [one.index for one in machine.accelerators if one.vendor == "nvidia"] == [0, 1]


def test_data_centre_tpu_and_apple_kinds() -> None:
    """The kind follows the name too."""
    texts = ("A100:80GB", "TPU v5e:16GB", "Apple M3 Max:64GB", "MI300X:192GB")
    machine = probe_machine(overrides=[parse_override(text) for text in texts], readers=linux("vm_virtio"))
    kinds = {one.name: (one.kind, one.unified_memory) for one in machine.accelerators if one.is_overridden}
    assert kinds == {
        "A100": ("datacenter", False),
        "TPU v5e": ("tpu", False),
        "Apple M3 Max": ("integrated", True),
        "MI300X": ("datacenter", False),
    }


def test_card_of_unsure_name_is_the_one_meant() -> None:
    """Where only the model of a chip is unknown, naming it corrects that card instead of adding one."""
    readers = linux("desktop_radeon")
    address = "/sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0/0000:02:00.0/0000:03:00.0"
    readers.files.files[f"{address}/revision"] = "0xff"  # type: ignore[attr-defined]
    before = probe_machine(readers=readers)
    assert any(gap.field == "accelerators.0.name" for gap in before.gaps)
    after = probe_machine(overrides=[parse_override("RX 7900 XTX:24GB")], readers=readers)
    assert len(after.accelerators) == len(before.accelerators)
    assert (after.accelerators[0].name, after.accelerators[0].is_overridden) == ("RX 7900 XTX", True)
    assert not any(gap.field == "accelerators.0.name" for gap in after.gaps)


def test_sleeping_laptop_card_gets_its_memory_by_hand() -> None:
    """The short name of a laptop chip means the sleeping one, whose memory could not be read."""
    readers = linux("laptop_amd_igpu_nvidia_asleep")
    card = probe_machine(overrides=[parse_override("RTX 3060 Mobile:6GB")], readers=readers).accelerators[0]
    assert (card.memory_bytes, card.is_asleep, card.pci_id) == (6 * GIB, True, "10de:2520")


def test_a_card_named_twice_is_there_twice() -> None:
    """Who has two equal cards says so twice; a card that was found is corrected by the first of them."""
    twice = [parse_override("RTX 3090:24GB"), parse_override("RTX 3090:24GB")]
    machine = probe_machine(overrides=twice, readers=linux("vm_virtio"))
    assert [(card.name, card.index) for card in machine.accelerators if card.is_overridden] == [
        ("RTX 3090", 0),
        ("RTX 3090", 1),
    ]
