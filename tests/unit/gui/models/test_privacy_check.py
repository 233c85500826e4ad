"""A report is searched for what names its user."""

import msgspec

from advisor.gui.models.privacy_check import Identity, own_identity, traces
from tests.gui.samples import sample_report


def test_words_that_name_the_person_are_found() -> None:
    """A user's name in a job's title or a card's programs is found as a whole word; parts of words are not."""
    report = sample_report()
    named = msgspec.structs.replace(
        report, workload=msgspec.structs.replace(report.workload, title="Photos of Marta, /home/marta/pics")
    )
    card = msgspec.structs.replace(report.machine.accelerators[0], used_by=("blender-on-SATURN",))
    held = msgspec.structs.replace(report, machine=msgspec.structs.replace(report.machine, accelerators=(card,)))

    assert traces(named, Identity(user="marta", home="/home/marta")) == ("/home/marta", "marta")
    assert traces(held, Identity(host="saturn")) == ("saturn",)
    assert traces(report, Identity(user="mart", host="nux", home="/")) == ()
    assert traces(report, Identity(user="root", host="localhost")) == ()


def test_the_programs_own_report_names_nobody() -> None:
    """Nothing this program writes by itself names who runs it."""
    assert traces(sample_report(), own_identity()) == ()
