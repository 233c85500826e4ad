"""The report shows times of others with their source and our error, or says that there are none."""

import msgspec

from advisor.catalog.published_jobs import published_jobs
from advisor.locale import language
from advisor.records.base import Source
from advisor.records.results.published import BesidePublished
from advisor.report.content.blocks import Paragraph, Table
from advisor.report.content.published import NOTES, beside_published
from advisor.report.formats.text import text_report
from tests.unit.report import samples

EN = language("en")


def test_each_time_has_its_source_and_our_error() -> None:
    """Ours of 1.1 s beside theirs of 1 s is 10 % longer."""
    source = Source(title="A table", author="Somebody", date="2025-03-01")
    one = BesidePublished(device="RTX 4090", device_count=2, published_s=1.0, predicted_s=1.1, source=source)
    section = beside_published(msgspec.structs.replace(samples.enough(), published=(one,)), EN)
    table = next(block for block in section.blocks if isinstance(block, Table))
    ((hardware, theirs, ours, error, said),) = table.rows
    assert (hardware, theirs, ours) == ("2 × RTX 4090", "1 s", "1.1 s")
    assert error == "10% longer"
    assert "Somebody" in said
    assert "2025" in said


def test_a_time_that_rounds_to_the_same_is_neither_longer_nor_shorter() -> None:
    """Of 0.3 % nothing would be left but "0% longer"."""
    source = Source(title="A table", author="Somebody", date="2025-03-01")
    one = BesidePublished(device="RTX 4090", device_count=1, published_s=1.0, predicted_s=1.003, source=source)
    for code, said in (("en", "as long"), ("es", "igual de largo")):
        section = beside_published(msgspec.structs.replace(samples.enough(), published=(one,)), language(code))
        table = next(block for block in section.blocks if isinstance(block, Table))
        assert table.rows[0][3] == said


def test_where_nobody_published_a_time_it_says_so() -> None:
    """One sentence, no empty table."""
    section = beside_published(samples.enough(), EN)
    (block,) = section.blocks
    assert isinstance(block, Paragraph)
    assert "no published time with a date" in block.text


def test_what_is_said_beside_a_figure_is_said_in_every_language() -> None:
    """All but names of networks."""
    spanish = language("es")
    notes = {one.note for one in published_jobs() if one.note}
    assert notes - set(NOTES) == {"FLUX.1 schnell", "MPT-7B"}
    assert all(spanish.gettext(note) != note for note in NOTES)
    source = Source(title="A table", author="Somebody", date="2025-03-01")
    one = BesidePublished(device="RTX 4090", note=NOTES[0], published_s=1.0, predicted_s=1.1, source=source)
    text = text_report(msgspec.structs.replace(samples.enough(), published=(one,)), spanish)
    assert f"A table ({spanish.gettext(NOTES[0])})" in " ".join(text.split())
