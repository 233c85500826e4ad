"""Options beside each other."""

import msgspec

from advisor.gui.models.options.comparison import ComparedFact, compared_facts
from advisor.locale import language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report

EN = language("en")


def _facts(options: list[Option], report: Report) -> dict[str, ComparedFact]:
    return {fact.name: fact for fact in compared_facts(options, report, EN)}


def test_what_differs_is_told_first_and_the_best_of_it_is_marked(report: Report) -> None:
    """A reader had to compare seven rows of which three said the same."""
    pick = next(one for one in report.advice.options if one.id == report.advice.chosen)
    rent = next(one for one in report.advice.options if one.tier == "cloud")
    said = compared_facts([pick, rent], report, EN)
    differs = [fact.differs for fact in said]
    assert differs == sorted(differs, reverse=True)
    facts = {fact.name: fact for fact in said}
    assert pick.run_s is not None
    assert facts["Time of a run"].best == int(rent.done_s < pick.done_s)
    assert facts["Bottleneck"].best is None, "no bottleneck is better than another"
    assert facts["Compared with our pick"].values[0] == "recommended"
    assert [fact.name for fact in said].index("Compared with our pick") < 4, "it stood behind all others"


def test_of_what_reads_the_same_none_is_better(report: Report) -> None:
    """A millisecond less is no reason to choose."""
    rent = next(one for one in report.advice.options if one.tier == "cloud")
    assert rent.run_s is not None
    again = msgspec.structs.replace(rent, id="other", run_s=rent.run_s * 1.0001)
    facts = _facts([rent, again], report)
    assert facts["Time of a run"].best is None
    assert not facts["Time of a run"].differs


def test_what_does_not_fit_is_not_the_best(report: Report) -> None:
    """Its time is unknown, however small the number kept of it."""
    rent = next(one for one in report.advice.options if one.tier == "cloud")
    small = msgspec.structs.replace(rent, id="small", run_s=1.0, obstacle="does_not_fit")
    facts = _facts([rent, small], report)
    assert facts["Time of a run"].best != 1
