"""All that is said of one option."""

import msgspec

from advisor.gui.models.options.details import option_facts, option_origins
from advisor.gui.models.options.table import option_header
from advisor.locale import language
from advisor.records.results.report import Report

EN = language("en")


def test_a_purchase_that_never_pays_is_said_so(report: Report) -> None:
    """It paid after 2,700 years."""
    buy = next(option for option in report.advice.options if option.tier == "single_gpu")
    said = {
        months: dict(option_facts(msgspec.structs.replace(buy, break_even_months=months), report, EN))
        for months in (7.2, 32_400.0)
    }
    assert said[7.2]["Buying pays after"] == "8 months"
    assert said[32_400.0]["Buying pays after"] == "not within 10 years"


def test_what_is_said_of_an_option(report: Report) -> None:
    """Time with its range, how sure, what it rests on, price with its date, and where the figures are from."""
    rent = next(option for option in report.advice.options if option.tier == "cloud")
    buy = next(option for option in report.advice.options if option.tier == "single_gpu")
    for option in (rent, buy):
        facts = dict(option_facts(option, report, EN))
        assert {
            "Time of a run",
            "How sure",
            "Based on",
            "Memory",
            "Price",
            "Price of",
            "Source",
            "Compared with our pick",
        } <= set(facts)
        assert "(" in facts["Time of a run"]
    assert "Machine" in dict(option_facts(rent, report, EN))
    assert " a run (" in dict(option_facts(buy, report, EN))["Electricity"], "beside it stands what all runs cost"


def test_the_recommended_one_lost_to_nobody(report: Report) -> None:
    """The chosen option has no reason against it."""
    chosen = next(option for option in report.advice.options if option.id == report.advice.chosen)

    assert "Compared with our pick" not in dict(option_facts(chosen, report, EN))


def test_a_rented_price_names_the_providers_page(report: Report) -> None:
    """A menu opens it from there; what is bought has none."""
    option = next(one for one in report.advice.options if one.offer is not None)
    assert "https://" in option_origins(option, report, EN)["Price"].source
    assert "shortest run" in dict(option_facts(option, report, EN))["Billed"]
    bought = next(one for one in report.advice.options if one.purchase_usd > 0)
    assert "https://" not in option_origins(bought, report, EN)["Price"].source


def test_a_price_says_its_currency_and_that_no_tax_is_in_it(report: Report) -> None:
    """A peso has the sign of a dollar; prices in shops elsewhere have tax."""
    asked = msgspec.structs.replace(report.circumstances, currency="MXN")
    there, mexico = msgspec.structs.replace(report, circumstances=asked), language("es", "es_MX")
    buy = next(option for option in report.advice.options if option.tier == "single_gpu")
    rent = next(option for option in report.advice.options if option.tier == "cloud")
    assert option_header(there, mexico)[4] == "Precio (MXN)"
    assert option_header(report, EN)[4] == "Price"
    assert "sin impuestos" in dict(option_facts(buy, there, mexico))["Precio (MXN)"]
    assert "sin impuestos" not in dict(option_facts(rent, there, mexico))["Precio (MXN)"]
    assert "Precio (MXN)" in option_origins(buy, there, mexico)


def test_cards_that_wait_for_the_processor_are_said_to(report: Report) -> None:
    """An RTX 5060 Ti and an RTX 3050 took the same time, and nothing said why."""
    buy = next(option for option in report.advice.options if option.tier == "single_gpu" and not option.is_computer)
    assert buy.prediction is not None
    for limit, is_waiting in (("input", True), ("launch", True), ("compute", False)):
        prediction = msgspec.structs.replace(buy.prediction, limit=limit)
        said = dict(option_facts(msgspec.structs.replace(buy, prediction=prediction), report, EN))["Bottleneck"]
        assert said.endswith("; a stronger card beside it would wait as long") == is_waiting
