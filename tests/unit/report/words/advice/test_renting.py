"""What who rents reads: parts that add up, the least that a run costs, and how to begin."""

import msgspec
import pytest

from advisor.locale import language
from advisor.records.job.advice import Option
from advisor.records.job.prediction import CostPart
from advisor.report.words.advice.renting import rental_facts, run_parts
from tests.unit.report import samples

EN, ES = language("en"), language("es")
REPORT = samples.rent()
PAGE = "https://www.runpod.io/pricing"


@pytest.fixture
def rented() -> Option:
    """Return an option to rent."""
    found = next(option for option in REPORT.advice.options if option.offer is not None)
    parts = (
        CostPart(kind="rounding", run_usd=0.004),
        CostPart(kind="rent", run_usd=0.73),
        CostPart(kind="start", run_usd=0.11),
        CostPart(kind="storage", fixed_usd=1.0),
    )
    return msgspec.structs.replace(found, cost_parts=parts)


def test_the_parts_of_a_run_are_named(rented: Option) -> None:
    """Computing, starting, and rounding up to a minute are named in that order; storage is no part of a run."""
    assert run_parts(rented, REPORT, EN) == (
        ("Rent while it computes", "$0.73"),
        ("Rent while it starts", "$0.11"),
        ("Rounding up", "less than $0.01"),
    )


def test_who_rents_reads_the_least_and_how_to_begin(rented: Option) -> None:
    """The provider's page, its name for the machine, and that it costs until it is deleted; in both languages."""
    facts = dict(rental_facts(rented, REPORT, EN, PAGE, 60.0))
    assert rented.offer is not None
    least = 0.11 + rented.offer.price_usd_per_h / 60
    assert facts["Billed"].endswith(f"the shortest run costs ${least:.2f}")
    assert rented.offer.instance in facts["How to start"]
    assert facts["How to start"].startswith("1. Open an account at runpod.io.\n")
    assert "4. Copia el resultado" in dict(rental_facts(rented, REPORT, ES, PAGE, 60.0))["Cómo empezar"]


def test_copying_is_said_to_cost_where_it_is_not_counted(rented: Option) -> None:
    """The machine runs while it copies, unless storage is filled before; little data cost nothing."""
    assert rented.offer is not None
    start = CostPart(kind="start", run_usd=0.11, quantity=0.1)
    slow = msgspec.structs.replace(rented, cost_parts=(start,), before_s=0.1 * 3600 + 7200, sent_bytes=2e10)
    told = dict(rental_facts(slow, REPORT, EN, PAGE, 60.0))["How to start"]
    assert f"copying costs ${2 * rented.offer.price_usd_per_h:.2f} more a run" in told
    for little in (msgspec.structs.replace(slow, before_s=360.0), msgspec.structs.replace(slow, sent_bytes=0.0)):
        assert "more a run" not in dict(rental_facts(little, REPORT, EN, PAGE, 60.0))["How to start"]


def test_what_is_not_rented_says_nothing_of_it() -> None:
    """This computer and what is bought have no such lines."""
    own = next(option for option in REPORT.advice.options if option.offer is None)
    assert rental_facts(own, REPORT, EN, PAGE, 60.0) == ()
