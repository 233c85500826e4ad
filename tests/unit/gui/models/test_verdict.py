"""The answer in both languages."""

import msgspec

from advisor.gui.models.verdict import effect_sentence, verdict_view
from advisor.locale import language
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain
from tests.unit.report import samples

EN, ES = language("en"), language("es")


def test_the_answer_in_both_languages() -> None:
    """All parts of the answer have words in both languages, and they differ."""
    english, spanish = verdict_view(sample_report(), EN), verdict_view(sample_report(), ES)

    assert english.answer.headline.text == "Your laptop is enough."
    assert spanish.answer.headline.text == "Tu portátil basta."
    assert english.kind == spanish.kind == "here"
    assert [chip.kind for chip in english.chips] == ["here", "buy", "rent"]
    assert english.chips[0].is_chosen
    assert english.answer.reasons != spanish.answer.reasons


def test_a_change_is_said_with_what_it_did() -> None:
    """Time here and cost of the pick, with their difference; nothing where the computer is another one."""
    before = samples.enough()
    here = next(one for one in before.advice.options if one.tier == "this_computer")
    slower = msgspec.structs.replace(here, run_s=(here.run_s or 0.0) + 7200.0)
    options = tuple(slower if one.id == here.id else one for one in before.advice.options)
    after = msgspec.structs.replace(before, advice=msgspec.structs.replace(before.advice, options=options))

    assert "(+2 hours)" in plain(effect_sentence(before, after, EN))
    assert "(−2 hours)" in plain(effect_sentence(after, before, EN))
    assert effect_sentence(before, before, EN) == "This change makes no difference to time or cost."
    assert effect_sentence(samples.rent(), before, EN) == ""


def test_no_sum_is_said_of_more_runs_than_a_computer_ends() -> None:
    """Ninety-six runs of months each do not cost "9,190 in 2 years": they are never done."""
    report = samples.enough()
    for runs, is_said in ((1.0, True), (1e6, False)):
        asked = msgspec.structs.replace(report.circumstances, runs_per_month=runs)
        chips = verdict_view(msgspec.structs.replace(report, circumstances=asked), language("en")).chips
        assert bool(next(chip for chip in chips if chip.kind == "here").total) is is_said
