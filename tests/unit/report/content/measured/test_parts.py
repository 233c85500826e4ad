"""How fast data moves and operations start, and what more threads bring."""

import pytest

from advisor.locale import language
from advisor.records.results.measured.measurement import Series
from advisor.report.content.blocks import Figure
from advisor.report.content.measured.parts import parts, threads
from advisor.units import GIB
from tests.unit.report.content.measured.results import one, recorded, run, words

EN, ES = language("en"), language("es")


def test_parts_of_the_computer() -> None:
    """Memory, link both ways, disk and starting operations, each with how it was measured."""
    text = words(parts(recorded(), EN))
    assert "Main memory, copy | 7.33 GB/s | an array of 1.4 GB copied to another" in text
    assert "Main memory, triad | 10.2 GB/s" in text
    assert "Reading from the disk | 1.16 GB/s | a file of 0.25 GB, read from beginning to end" in text
    assert "Starting an operation on the processor | 2.91 µs | and waiting for its result each time" in text
    links = [
        one("transfer", "cuda:0", bytes_per_iteration=2.5e9, options={"to_device": to, "pinned": pinned})
        for to, pinned in ((True, True), (False, False))
    ]
    text = words(parts(run(*links, one("launch", "cuda:0", 5e-6), one("bandwidth", "cuda:0", size=GIB)), EN))
    assert "To the graphics card | 25 GB/s | from pinned memory" in text
    assert "Back from the graphics card | 25 GB/s | from ordinary memory" in text
    assert "Memory of the graphics card, copy" in text
    assert parts(run(one("train", network="a")), EN) == ()


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"bytes_per_s": 1e9}, "the system may have kept it in memory"),
        ({"bytes_per_s": 1e9, "asked_to_drop_ratio": 1.0, "cached_ratio": 0.4}, "40% of it lay in memory"),
    ],
)
def test_a_disk_read_from_memory_is_said(details: dict[str, float], said: str) -> None:
    """A number that is not the disk's says so."""
    assert said in words(parts(run(one("disk", size=GIB, details=details)), EN))


def test_threads() -> None:
    """Two counts are a sentence, more a chart beside the ideal; one is nothing."""
    assert "2 threads compute 0.88 times as fast as one." in words(threads(recorded(), EN))
    points = ((1.0, 1e10), (2.0, 1.9e10), (4.0, 3e10))
    many = one("threads", series=(Series(x="threads", y="flop_per_s", points=points),))
    [_title, figure] = threads(run(many), EN)
    assert isinstance(figure, Figure)
    assert "if each brought as much" in figure.chart.svg
    assert figure.chart.table.rows[-1][2].startswith("3")
    alone = one("threads", series=(Series(x="threads", y="flop_per_s", points=points[:1]),))
    assert threads(run(alone), EN) == ()


def test_page_faults_stand_beside_the_memory() -> None:
    """Both ways of treating freed memory have a row; a measurement without its details has none."""
    details = {"usual_s": 0.75, "kept_s": 0.375, "usual_page_faults": 355_782.0, "kept_page_faults": 0.0}
    text = words(parts(run(one("kept_memory", network="article_cnn", details=details)), EN))

    assert "A step of CNN, freed memory given back | 750 ms | 355,782 page faults a step; both in turn" in text
    assert "A step of CNN, freed memory kept | 375 ms | 0 page faults a step; both in turn" in text
    assert parts(run(one("kept_memory", network="article_cnn")), EN) == ()
