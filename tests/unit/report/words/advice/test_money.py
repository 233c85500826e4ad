"""What the answer costs, in a sentence."""

import msgspec
import pytest

from advisor.gui.models.verdict import verdict_view
from advisor.records.job.prediction import CostPart
from advisor.report.content.short_answer import short_answer
from advisor.report.words.advice import money, verdict
from tests.unit.report import samples
from tests.unit.report.words.advice.test_verdict import BUY, EN, sentence_of


def test_the_money_sentence_follows_the_kind_of_answer() -> None:
    """Electricity, rent over the horizon, or a purchase with the computer around the card."""
    assert "nothing but electricity" in money.money_sentence(samples.enough(), EN)
    assert "€" in money.money_sentence(samples.enough(), EN)
    assert "$0.73 a run, $35 in 1 year" in money.money_sentence(samples.rent(), EN)
    bought = money.money_sentence(samples.buy(), EN)
    assert "$1,330 once" in bought
    assert "$900 of that are for a computer" in bought
    assert "computer to put" not in sentence_of(money.money_sentence, samples.rent(), BUY)


@pytest.mark.parametrize("country", ["US", "MX"])
def test_a_price_of_another_country_is_said_to_be_one(country: str) -> None:
    """In Mexico "$14,200 once" looked like a shop's price, without its 16% of tax."""
    report = samples.buy()
    asked = msgspec.structs.replace(report.circumstances, country=country)
    report = msgspec.structs.replace(report, circumstances=asked)
    is_said = country != "US"
    assert ("$1,330 once (US price, before tax)" in money.money_sentence(report, EN)) == is_said
    [chip] = [one for one in verdict_view(report, EN).chips if one.kind == "buy"]
    assert chip.cost.endswith("once (US price, before tax)") == is_said
    assert short_answer(report, EN).text.count("US price, before tax") == (2 if is_said else 0)
    rent = samples.rent()
    rent = msgspec.structs.replace(rent, circumstances=msgspec.structs.replace(rent.circumstances, country=country))
    assert "US price" not in money.money_sentence(rent, EN), "an offer has its own price"


def test_a_single_run_has_one_price() -> None:
    """Nobody needs the cost of one run and of all one runs."""
    asked = msgspec.structs.replace(samples.rent().circumstances, runs_per_month=1.0, horizon_months=1.0)
    report = samples.rent()
    chosen = verdict.chosen_option(report)
    assert chosen is not None
    paid = msgspec.structs.replace(chosen, horizon_usd=chosen.run_usd)
    advice = msgspec.structs.replace(report.advice, options=(paid, *report.advice.options[1:]))
    once = msgspec.structs.replace(report, circumstances=asked, advice=advice)
    assert money.money_sentence(once, EN) == "It costs $0.73."


def test_what_a_rent_costs_beside_its_hours_is_said() -> None:
    """Nine dollars of ten keep the data; of a hundredth nobody speaks."""
    report = samples.rent()
    chosen = verdict.chosen_option(report)
    assert chosen is not None
    assert chosen.run_usd is not None
    for share, is_said in ((0.9, True), (0.01, False)):
        kept = CostPart(kind="storage", fixed_usd=share * (chosen.horizon_usd or 0.0))
        dear = msgspec.structs.replace(chosen, cost_parts=(kept,))
        advice = msgspec.structs.replace(report.advice, options=(dear, *report.advice.options[1:]))
        said = money.money_sentence(msgspec.structs.replace(report, advice=advice), EN)
        assert ("keep your data there" in said) is is_said
