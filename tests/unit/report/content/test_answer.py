"""The answer in sentences: what must be known to read it rightly."""

import msgspec

from advisor.locale import language
from advisor.report.content.answer import answer
from tests.unit.report import samples

EN = language("en")


def test_a_check_in_which_nothing_could_be_measured_is_said_to_have_measured_nothing() -> None:
    """Its other programs alone would read as if times had been taken."""
    report = samples.enough()
    assert report.benchmark is not None
    empty = msgspec.structs.replace(report, benchmark=msgspec.structs.replace(report.benchmark, measurements=()))
    [note, *_others] = answer(empty, EN).notes
    assert note.text.startswith("Nothing was measured")
    assert not any(one.text.startswith("Nothing was measured") for one in answer(report, EN).notes)
