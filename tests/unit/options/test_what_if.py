"""Another card in this computer: what stays, what goes, and which names are taken."""

import msgspec
import pytest

from advisor.catalog import find_device, preset
from advisor.errors import InputError, UnknownNameError
from advisor.options.what_if import ProcessorClass, exchange_parts, exchangeable_cards, processor_classes, with_cards
from advisor.probe.override import parse_override
from advisor.records.request import Observation
from advisor.session.forecast import conclude
from advisor.units import GIB
from tests.gui.samples import sample_report


def own() -> Observation:
    """Return the article's laptop, measured."""
    report = sample_report()
    return Observation(machine=report.machine, benchmark=report.benchmark)


def test_the_card_takes_the_place_of_the_own_one() -> None:
    """Another card with its own memory, all else as it was, and the whole marked as described by hand."""
    changed = exchange_parts(own(), "RTX 4060 Laptop")
    (card,) = changed.machine.accelerators

    assert (card.name, card.memory_bytes, card.trains) == ("GeForce RTX 4060 Laptop", 8 * GIB, True)
    assert changed.machine.host == own().machine.host
    assert changed.is_simulated


def test_measurements_of_the_own_card_do_not_speak_for_the_other() -> None:
    """Only the processor's measurements stay."""
    changed = exchange_parts(own(), "GeForce RTX 4090")

    assert changed.benchmark is not None
    assert {one.case.device for one in changed.benchmark.measurements} == {"cpu"}


@pytest.mark.parametrize("name", ["GeForce RTX 4060 Laptop", "GeForce RTX 4090", "Radeon RX 7900 XTX"])
def test_the_answer_is_about_the_other_card(name: str) -> None:
    """The pretended card is one of this computer's ways to do the job, with the catalogue's figures."""
    job = preset("article_cnn")
    report = conclude(exchange_parts(own(), name), job.workload, job.circumstances)
    here = {option.device for option in report.advice.options if option.tier == "this_computer"}

    assert find_device(name).name in here
    assert not any("2060" in device for device in here)
    assert report.is_simulated


def test_a_card_set_by_hand_takes_the_place_of_the_one_it_corrects() -> None:
    """What was measured of that one does not speak for it; how the others were read stays known."""
    changed = with_cards(own(), [parse_override("0=RTX 4060 Laptop:8GB")])
    (card,) = changed.machine.accelerators
    assert (card.name, card.memory_bytes, card.is_overridden) == ("RTX 4060 Laptop", 8 * GIB, True)
    assert changed.benchmark is not None
    assert {one.case.device for one in changed.benchmark.measurements} == {"cpu"}
    hows = {note.field: note.how for note in changed.machine.evidence if note.field.startswith("accelerators")}
    assert hows["accelerators.0.name"] == hows["accelerators.0.memory_bytes"] == "set by hand"
    assert not any(gap.field in hows for gap in changed.machine.gaps)


def test_a_further_card_set_by_hand_leaves_what_was_measured() -> None:
    """It comes after the own one, of which nothing changes."""
    before, changed = own(), with_cards(own(), [parse_override("Radeon RX 7900 XTX")])
    assert changed.machine.accelerators[:-1] == before.machine.accelerators
    assert changed.machine.accelerators[-1].name == "Radeon RX 7900 XTX"
    assert changed.benchmark == before.benchmark
    assert with_cards(before, []) == before


def test_a_card_in_an_unmeasured_computer() -> None:
    """Nothing needs to have been measured."""
    changed = exchange_parts(Observation(machine=own().machine), "GeForce RTX 4090")

    assert changed.benchmark is None
    assert changed.machine.framework.visible_devices == ("cuda:0",)


def test_every_card_that_is_offered_is_taken() -> None:
    """Each name of the list is a card this computer could have."""
    mine, names = own(), exchangeable_cards()
    assert [exchange_parts(mine, name).machine.accelerators[0].name for name in names] == list(names)


def test_unknown_names_are_not_guessed() -> None:
    """A name that no row has is refused with the nearest ones; a whole computer is no card."""
    with pytest.raises(UnknownNameError) as caught:
        exchange_parts(own(), "RTX 4061")
    assert caught.value.nearest
    with pytest.raises(InputError, match="not a graphics card"):
        exchange_parts(own(), "M2 Ultra")


@pytest.mark.parametrize("wanted", processor_classes(), ids=lambda one: one.name)
def test_every_class_of_processors_is_taken(wanted: ProcessorClass) -> None:
    """With the catalogue's figures of the one that stands for it; nothing measured speaks for another processor."""
    changed = exchange_parts(own(), processor=wanted.name)
    job = preset("article_cnn")
    report = conclude(changed, job.workload, job.circumstances)
    option = next(one for one in report.advice.options if one.id == "here/cpu")

    assert (changed.machine.host.form_factor, changed.benchmark) == (wanted.form, None)
    cpu = changed.machine.host.cpu
    assert (cpu.physical_cores, cpu.logical_cores, cpu.usable_cores) == (wanted.cores, *[2 * wanted.cores] * 2)
    assert option.prediction is not None
    assert (option.device, option.prediction.basis) == (wanted.name, "modelled")


def test_more_memory_leaves_the_measurements() -> None:
    """Only the memory is another one, and said to be set by hand."""
    changed = exchange_parts(own(), memory_bytes=64 * GIB)

    assert changed.benchmark == own().benchmark
    assert changed.machine.host.memory.limit_bytes == 64 * GIB
    assert changed.machine.accelerators == own().machine.accelerators
    assert [note.how for note in changed.machine.evidence if note.field == "host.memory"] == ["set by hand"]


def test_a_laptops_card_makes_a_laptop() -> None:
    """Nobody can put it into a desktop: what could be bought for one is then no way to fix it."""
    desktop = own()
    host = msgspec.structs.replace(desktop.machine.host, form_factor="desktop")
    desktop = msgspec.structs.replace(desktop, machine=msgspec.structs.replace(desktop.machine, host=host))

    assert exchange_parts(desktop, "GeForce RTX 4060 Laptop").machine.host.form_factor == "laptop"
    assert exchange_parts(desktop, "GeForce RTX 4090").machine.host.form_factor == "desktop"


def test_a_whole_computer() -> None:
    """Card, memory and processor at once."""
    machine = exchange_parts(own(), "GeForce RTX 4090", 128 * GIB, "Ryzen 9 5950X").machine

    assert (machine.host.cpu.name, machine.host.memory.total_bytes) == ("Ryzen 9 5950X", 128 * GIB)
    assert machine.accelerators[0].name == "GeForce RTX 4090"


def test_a_processor_that_stands_for_no_class_is_refused() -> None:
    """A card is no processor."""
    with pytest.raises(InputError, match="not stand for a class of processors"):
        exchange_parts(own(), processor="GeForce RTX 4090")
