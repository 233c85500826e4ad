"""Money that is asked about says first what was asked, then what it is made of."""

import re

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.gui.models.options.details import option_facts, option_origins
from advisor.gui.models.options.table import OptionTable
from advisor.gui.models.verdict import verdict_view
from advisor.locale import language
from advisor.records.hardware.device import Offer
from advisor.records.job.advice import Option
from advisor.records.job.prediction import CostPart
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.provenance.money import of_cost, of_energy, of_price
from advisor.report.words import quantities
from advisor.report.words.labels import amount
from advisor.session.forecast import conclude
from advisor.units import GIB
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain
from tests.unit.report.provenance.answers import answer

EN = language("en")
MONTHS = quantities.months(24, EN)


@pytest.fixture(scope="module")
def report() -> Report:
    """Return an answer over the whole catalogue."""
    return answer(find_workload("bert_finetuning").workload)


@pytest.fixture(scope="module")
def with_computer(report: Report) -> Option:
    """Return a card that needs a new computer."""
    bought = next(one for one in report.advice.options if one.purchase_usd > 300 and one.horizon_usd is not None)
    return msgspec.structs.replace(bought, host_usd=200.0)


def test_a_number_opens_itself(report: Report) -> None:
    """What opens at a click on time or money begins with that time or money, in the answer and among the options."""
    for chip in verdict_view(report, EN).chips:
        assert chip.cost.startswith(chip.cost_origin.value)
        assert chip.time.startswith(chip.time_origin.value)
    table = OptionTable(report, EN, report.advice.options[::40])
    for row, cells in enumerate(table):
        whole = table.origin(row, 2)
        if whole is not None:  # a column has the signs of the units
            assert re.findall(r"[\d½]+", cells[2]) == re.findall(r"[\d½]+", whole.value)
        for column in (4, 5):
            origin = table.origin(row, column)
            assert origin is None or cells[column].startswith(origin.value), cells[column]


def test_a_fact_opens_itself(report: Report) -> None:
    """So do the facts of one option: price, cost, electricity, and when buying pays."""
    for option in report.advice.options[::40]:
        origins, facts = option_origins(option, report, EN), dict(option_facts(option, report, EN))
        asked = {"Time of a run", "Price", f"Cost in {MONTHS}", "Electricity"} & set(facts)
        assert len(asked) > 2
        assert [name for name in asked if not facts[name].startswith(origins[name].value)] == []


def test_a_price_with_a_computer_says_what_is_the_computer(report: Report, with_computer: Option) -> None:
    """Card and computer are named with their prices, and so is what selling them is taken to bring."""
    origin = of_price(with_computer, report, EN)
    parts = dict(origin.inputs)
    assert origin.value == amount(with_computer.purchase_usd, report, EN)
    assert origin.title.endswith(" in a new PC"), "the name of the card alone stood above the price of both"
    card, host, whole = (
        float(parts[name].lstrip("$")) for name in ("The card", "A new computer around it", "Together")
    )
    assert card == pytest.approx(with_computer.purchase_usd - 200)
    assert host == 200
    assert round(card + host, 2) == whole, "to the hundredth: 144 + 576 were 721"
    assert parts[f"Cost in {MONTHS}"] == amount(with_computer.horizon_usd or 0.0, report, EN)


def test_the_parts_of_a_cost_sum_up(report: Report, with_computer: Option) -> None:
    """Purchase and runs less what is sold is the cost over the months."""
    option, asked = with_computer, report.circumstances
    sold = dict(of_cost(option, report, EN).inputs)[f"Card and PC sold after {MONTHS} for"]
    assert option.horizon_usd is not None
    assert option.run_usd is not None
    runs = option.run_usd * asked.runs_per_month * asked.horizon_months
    assert sold == amount(option.purchase_usd + runs - option.horizon_usd, report, EN)


def test_a_rent_says_each_part_of_its_sum(report: Report) -> None:
    """What is paid beside the runs stands behind the sum: runs times the price of one is less than it."""
    rented = next(one for one in report.advice.options if one.offer is not None)
    storage = CostPart(kind="storage", fixed_usd=0.5)
    inputs = dict(of_cost(msgspec.structs.replace(rented, cost_parts=(*rented.cost_parts, storage)), report, EN).inputs)
    assert inputs["Storage"] == amount(0.5, report, EN)
    assert "Rent while it computes" in inputs


def test_a_price_carries_its_date_and_source() -> None:
    """A rent names its provider and the day of its price."""
    report = sample_report()
    offer = Offer(
        provider="lambda",
        instance="gpu_1x_l4",
        region="europe",
        device="L4",
        device_name="L4",
        device_count=1,
        device_memory_bytes=24 * GIB,
        cpu_cores=8,
        memory_bytes=32 * GIB,
        price_usd_per_h=0.7,
        spot=False,
        as_of="2026-10-30",
    )
    rented = next(one for one in report.advice.options if one.tier == "cloud")
    rented = msgspec.structs.replace(rented, offer=offer, price_as_of="2026-10-30")

    origin = of_cost(rented, report, language("en"))

    assert origin.source == "lambda, gpu_1x_l4, europe"
    assert "2026" in origin.date
    assert any(text == "$0.70" for _name, text in origin.inputs)


def test_electricity_names_what_is_drawn(report: Report) -> None:
    """7,200 J in an hour are 2 W."""
    option = msgspec.structs.replace(report.advice.options[0], energy_j=7200.0, run_s=3600.0)
    assert dict(of_energy(option, report, EN).inputs)["Draws on average"] == "2\N{NO-BREAK SPACE}W"


def test_a_price_in_another_currency_says_what_it_is_converted_from() -> None:
    """EUR 144 looked like a shop's price: it was 169 US dollars of two and a half years ago, without tax."""
    spain = conclude(
        Observation(machine=sample_report().machine),
        find_workload("article_cnn").workload,
        Circumstances(country="ES", currency="EUR"),
    )
    bought = next(one for one in spain.advice.options if one.host_usd > 0 and one.horizon_usd is not None)
    source = of_price(bought, spain, EN).source
    assert source.startswith("launch or street price in the United States, ")
    assert "without tax; converted at 0." in source
    assert "EUR a dollar (" in plain(source)
    assert "shops ask other prices" in source
    dollars = msgspec.structs.replace(spain.circumstances, currency="USD")
    assert "converted" not in of_price(bought, msgspec.structs.replace(spain, circumstances=dollars), EN).source
    own_rate = msgspec.structs.replace(spain, prices_as_of={})
    assert "a dollar;" in of_price(bought, own_rate, EN).source


def test_electricity_names_its_price_country_and_source() -> None:
    """Its box had the kilowatt-hours, no price of one, and spoke of resale, storage and a list of devices."""
    spain = conclude(
        Observation(machine=sample_report().machine),
        find_workload("article_cnn").workload,
        Circumstances(country="ES", currency="EUR"),
    )
    here = next(one for one in spain.advice.options if one.id == "here/cpu")
    for origin in (of_price(here, spain, EN), of_cost(here, spain, EN)):
        assert dict(origin.inputs)["Price of a kilowatt-hour"] == "€0.21, for households in Spain"
        assert "World Population Review" in origin.source
        assert "kilowatt-hour" in origin.method
        assert origin.check == ""
        assert "resale" not in origin.method
    asked = msgspec.structs.replace(spain.circumstances, electricity_usd_per_kwh=0.3, failed_tries=2)
    own = conclude(Observation(machine=spain.machine), spain.workload, asked)
    origin = of_cost(next(one for one in own.advice.options if one.id == "here/cpu"), own, EN)
    assert "households" not in dict(origin.inputs)["Price of a kilowatt-hour"]
    assert origin.source == "the price of electricity that you gave"
    assert "Failed tries" in dict(origin.inputs)


def test_nobody_pays_the_electricity_of_what_is_rented(report: Report) -> None:
    """It stood among the parts of a rent."""
    rented = next(one for one in report.advice.options if one.offer is not None and one.energy_j)
    assert "Electricity of one run" not in dict(of_cost(rented, report, EN).inputs)
