"""What who rents reads: parts that add up, the least that a run costs, and how to begin."""

import pytest

from advisor.locale import language
from advisor.records.job.advice import Option
from advisor.report.words.renting import rental_facts, run_parts
from tests.unit.report import samples

EN, ES = language("en"), language("es")
REPORT = samples.rent()


@pytest.fixture
def rented() -> Option:
    """Return an option to rent."""
    return next(option for option in REPORT.advice.options if option.offer is not None and option.cost_parts)


def test_the_parts_of_a_run_add_up(rented: Option) -> None:
    """Computing, starting, and rounding up to a minute are named, and are the price that is asked."""
    names = [name for name, _money in run_parts(rented, REPORT, EN)]
    assert names[:2] == ["Rent while it computes", "Rent while it starts"]
    total = sum(part.run_usd for part in rented.cost_parts if part.kind not in {"storage", "download", "failed_tries"})
    assert total == pytest.approx(rented.run_usd, rel=1e-6)


def test_who_rents_reads_the_least_and_how_to_begin(rented: Option) -> None:
    """The provider's page, its name for the machine, and that it costs until it is deleted; in both languages."""
    facts = dict(rental_facts(rented, REPORT, EN))
    assert rented.offer is not None
    assert "shortest run costs" in facts["Billed"]
    assert rented.offer.instance in facts["How to start"]
    assert "https://" in facts["How to start"]
    assert "4. Copia el resultado" in dict(rental_facts(rented, REPORT, ES))["Cómo empezar"]


def test_what_is_not_rented_says_nothing_of_it() -> None:
    """This computer and what is bought have no such lines."""
    own = next(option for option in REPORT.advice.options if option.offer is None)
    assert rental_facts(own, REPORT, EN) == ()
