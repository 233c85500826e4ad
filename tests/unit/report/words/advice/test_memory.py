"""How much memory a job takes, and of what."""

import msgspec
import pytest

from advisor.records.job.advice import Option
from advisor.report.words.advice import memory
from tests.unit.gui.plain import plain
from tests.unit.report import samples
from tests.unit.report.samples import option
from tests.unit.report.words.advice.test_verdict import EN, option_here, sentence_of


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (option_here(memory_gib=6), "It uses 1.9 of 6 GB of graphics memory."),
        (option("here/cpu", "this_computer", "p", 60.0, memory_gib=16), "It uses 1.9 of 16 GB of main memory."),
        (option_here(memory_gib=None), "It uses 1.9 GB of memory."),
        (option("buy/2", "single_gpu", "a", 1.0, count=2), "It uses 1.9 of 24 GB of graphics memory on each card."),
        (option("here/cpu", "this_computer", "p", 60.0, needed_gib=None), ""),
        (None, ""),
    ],
)
def test_the_memory_sentence_says_whose_memory(chosen: Option | None, expected: str) -> None:
    """Graphics memory, main memory, per card, or nothing where nothing is known."""
    found = sentence_of(memory.memory_sentence, samples.enough(), chosen)
    assert found.replace("\N{NO-BREAK SPACE}", " ") == expected


def test_the_smallest_card_that_holds_the_job_is_said_where_another_is_the_answer() -> None:
    """Whoever is told to get or rent a large card reads which would do: of a size without a name nobody can buy one."""
    sizes = [
        one.prediction.memory.available_bytes
        for one in samples.rent().advice.options
        if one.tier == "single_gpu" and one.device_count == 1 and one.prediction and one.prediction.memory
        if one.prediction.memory.fits and not one.is_computer
    ]
    least = f"{min(size for size in sizes if size is not None) / 2**30:.0f} GB"
    said = plain(memory.memory_sentence(samples.rent(), EN))
    assert f"The smallest single card on sale that does it is the GeForce RTX 5060 Ti 16 GB, with {least}." in said
    assert "smallest single card" not in memory.memory_sentence(samples.enough(), EN)


def test_a_whole_computer_is_no_card_and_what_is_sold_comes_first() -> None:
    """27 GB were those of a Mac that shares its memory; no card has so much."""
    mac = option("buy/mac", "single_gpu", "Mac mini", 1.0, memory_gib=10)
    sold = (
        msgspec.structs.replace(mac, is_computer=True),
        msgspec.structs.replace(option("buy/a", "single_gpu", "Arc", 1.0, memory_gib=12), obstacle="less_supported"),
        option("buy/b", "single_gpu", "Dear", 1.0, memory_gib=12, purchase_usd=900.0),
        option("buy/c", "single_gpu", "Cheap", 1.0, memory_gib=12, purchase_usd=800.0),
    )
    rented = option("rent/l4", "cloud", "L4", 1.0, memory_gib=8)
    found = plain(sentence_of(memory.memory_sentence, samples.rent(), rented, *sold))
    assert found.endswith("The smallest single card on sale that does it is the Cheap, with 12 GB.")
    found = plain(sentence_of(memory.memory_sentence, samples.rent(), rented))
    assert found.endswith("The smallest single card that does it is the L4, with 8 GB.")
