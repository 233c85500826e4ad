"""Throughput and memory against the batch size, and the best batch by name."""

import msgspec

from advisor.locale import language
from advisor.records.results.measured.measurement import Series
from advisor.report.content.blocks import Figure, Heading, Paragraph
from advisor.report.content.measured.sweep import sweeps
from advisor.units import GIB
from tests.unit.report.content.measured.results import recorded, run, sweep, words

EN, ES = language("en"), language("es")


def test_the_best_batch_is_named_and_why_the_search_ended() -> None:
    """By memory, by time, or because it did not pay to go on; the row of the best is marked."""
    beyond = {"best_batch": 16.0, "largest_batch_that_fits": 32.0, "first_batch_that_does_not_fit": 64.0}
    blocks = sweeps(run(sweep(beyond | {"it_would_take_bytes": 6.2 * GIB, "limit_bytes": 5.0 * GIB})), EN)
    text = words(blocks)
    assert "The best batch for CNN on the graphics card is 16: larger ones are hardly faster." in text
    assert "A batch of 64 no longer fits into memory: it would take 6.2 GB." in text
    [figure] = [block for block in blocks if isinstance(block, Figure)]
    assert figure.chart.table.marked == 1
    assert "best: 16" in figure.chart.svg
    assert "free memory: 5 GB" in figure.chart.svg.replace("\N{NO-BREAK SPACE}", " ")
    assert "no longer fits into memory." in words(sweeps(run(sweep(beyond)), EN))
    assert "the largest that was tried. The time for this test was over" in words(sweeps(recorded(), EN))
    quiet = words(sweeps(run(sweep({"best_batch": 16.0, "largest_batch_that_fits": 32.0})), EN))
    assert "fits" not in quiet
    assert "The time" not in quiet


def test_a_search_without_points_or_memory() -> None:
    """One point is a sentence; no memory is one panel; nothing is nothing."""
    bare = sweep({"best_batch": 32.0, "largest_batch_that_fits": 32.0}, sizes=())
    bare = msgspec.structs.replace(bare, series=bare.series[:1])
    [_title, figure] = sweeps(run(bare), EN)
    assert isinstance(figure, Figure)
    assert "Memory in GB" not in figure.chart.svg
    assert figure.chart.table.rows[0][2:] == ("–", "–")
    first = Series(x="batch_size", y="items_per_s", points=((8.0, 100.0),))
    assert [type(b) for b in sweeps(run(msgspec.structs.replace(bare, series=(first,))), EN)] == [Heading, Paragraph]
    assert sweeps(run(msgspec.structs.replace(bare, series=())), EN) == ()
