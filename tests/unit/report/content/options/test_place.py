"""This computer among the devices that can be bought or rented for its job."""

import msgspec

from advisor.locale import language
from advisor.records.job.advice import Option
from advisor.report.content.options.place import Place, place_of, place_sentence
from tests.gui.samples import sample_report
from tests.unit.report import samples


def placed(*others: tuple[str, str, float], here_s: float | None = 100.0, obstacle: str | None = None) -> Place | None:
    """Return the place among devices of a tier and a time; this computer's own time may be unknown."""
    rows = [("this_computer", "laptop", here_s), *((tier, name, time) for tier, name, time in others)]
    options = tuple(
        Option(
            id=f"{tier}/{name}/{place}",
            tier=tier,  # type: ignore[arg-type]  # the tests pass known names
            title=name,
            device=name,
            run_s=time,
            feasible=True,
            obstacle=obstacle if tier == "this_computer" else None,
        )
        for place, (tier, name, time) in enumerate(rows)
    )
    report = sample_report()
    return place_of(msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options)))


def test_the_nearest_on_both_sides_are_named() -> None:
    """Each device counts once, by its best time; those of the answer are known."""
    place = placed(
        ("cloud", "H100", 1.0),
        ("single_gpu", "RTX 3050", 60.0),
        ("cloud", "T4", 300.0),
        ("single_gpu", "GTX 1630", 400.0),
        ("cloud", "GTX 1630", 500.0),
    )
    assert place is not None
    assert [one.name for one in place.others] == ["GTX 1630", "T4", "RTX 3050", "H100"]
    assert [one.name for one in place.others if one.is_named] == ["RTX 3050", "H100"]
    assert place_sentence(place, language("en")) == (
        "For this job this computer is faster than 2 of 4 devices that can be bought or rented (50%). "
        "The next faster one: RTX 3050, 1 minute. Next slower: T4, 5 minutes."
    )
    assert (place.position(400.0), place.position(1.0)) == (0.0, 1.0)
    assert 0.2 < place.position(100.0) < 0.3


def test_at_an_end_there_is_one_neighbour() -> None:
    """The slowest of all has nothing behind it, the fastest nothing before it; equal times lie in the middle."""
    slowest = placed(("cloud", "A", 1.0), ("cloud", "B", 2.0), ("cloud", "C", 3.0))
    assert slowest is not None
    assert (slowest.slower, slowest.slower_count) == (None, 0)
    fastest = placed(("cloud", "A", 200.0), ("cloud", "B", 300.0), ("cloud", "C", 400.0))
    assert fastest is not None
    assert fastest.faster is None
    assert place_sentence(fastest, language("en")).startswith("For this job this computer is faster than all 3 devices")
    assert place_sentence(slowest, language("en")).startswith("For this job this computer is slower than all 3 devices")
    equal = placed(("cloud", "A", 100.0), ("cloud", "B", 100.0), ("cloud", "C", 100.0))
    assert equal is not None
    assert equal.position(100.0) == 0.5


def test_a_named_device_stands_where_the_answer_names_it() -> None:
    """What is to be bought is shown at its own time, although the same device is rented with a faster processor."""
    place = placed(("single_gpu", "A", 60.0), ("cloud", "A", 30.0), ("cloud", "B", 20.0), ("cloud", "C", 300.0))
    assert place is not None
    assert [(one.name, one.run_s, one.option.tier) for one in place.others if one.name == "A"] == [
        ("A", 60.0, "single_gpu")
    ]


def test_devices_that_wait_for_their_data_are_said() -> None:
    """Where most of them are held back by the processor beside them, that is why they stand together."""
    place = placed(("cloud", "A", 1.0), ("cloud", "B", 2.0), ("cloud", "C", 3.0))
    assert place is not None
    assert "wait" not in place_sentence(place, language("en"))
    waiting = place._replace(others=tuple(one._replace(waits=True) for one in place.others))
    assert (
        "On most of them the graphics card waits for the processor to prepare the data, so they are about equally fast."
        in place_sentence(waiting, language("en"))
    )


def test_without_anything_to_compare_there_is_no_place() -> None:
    """A job that does not fit here, or has no time, or hardly any device to compare with."""
    three = (("cloud", "A", 1.0), ("cloud", "B", 2.0), ("cloud", "C", 3.0))
    assert placed(*three, obstacle="does_not_fit") is None
    assert placed(*three, here_s=None) is None
    assert placed(*three[:2]) is None


def test_a_computer_that_could_not_be_measured_has_no_place() -> None:
    """It was "slower than all 92 devices" below "how fast this computer is cannot be told"."""
    assert place_of(samples.slowed(0.2, 0.2)) is not None
    assert place_of(samples.slowed(0.9, 0.9)) is None
