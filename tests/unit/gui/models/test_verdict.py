"""The answer in both languages."""

from advisor.gui.models.verdict import verdict_view
from advisor.locale import language
from tests.gui.samples import sample_report

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
