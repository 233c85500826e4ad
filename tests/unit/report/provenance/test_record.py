"""A number that is asked about is read again before what it rests on."""

import pytest

from advisor.locale import language
from advisor.report.content.options.trade import trade_sentences
from advisor.report.provenance.record import Provenance, behind, of_cell, provenance_rows
from tests.unit.report import samples

COST = Provenance(title="Cost of RTX A4000 in 2 years", value="$0.93", inputs=(("Each run", "$0.03"),))


def test_a_sentence_about_another_number_is_said_before_the_number_it_rests_on() -> None:
    """Who clicks "$0.20 more" reads that first, then the $0.93 of which it is a difference."""
    said = "For $0.20 more in 2 years it is done in 7 minutes."
    shown = behind(said, COST)
    assert shown.value == said
    assert shown.inputs == (("Cost of RTX A4000 in 2 years", "$0.93"), ("Each run", "$0.03"))


@pytest.mark.parametrize("said", ["It costs $0.93.", "It costs\N{NO-BREAK SPACE}$0.93, with all", "recommended"])
def test_a_number_that_is_said_stays_the_heading(said: str) -> None:
    """And so it does where no number can be asked."""
    assert behind(said, COST) is COST


def test_a_share_of_a_whole_is_its_own_number() -> None:
    """The unit may stand behind the whole: "1.3 of 24 GB"."""
    memory = Provenance(title="Memory of one run", value="1.3\N{NO-BREAK SPACE}GB")
    assert behind("It uses 1.3 of 24 GB of main memory.", memory) is memory


def test_a_comparison_with_another_option_names_both_costs() -> None:
    """What the answer costs stands beside what the other would."""
    compared = [
        said
        for report in samples.every().values()
        for said in trade_sentences(report, language("en"))
        if said.origin is not None and said.origin.figure.endswith("horizon_usd")
    ]
    assert compared
    for said in compared:
        assert said.origin is not None
        assert said.origin.inputs[0][0].startswith("Cost of ")
        assert said.origin.inputs[0][0] != said.origin.title


def test_what_is_not_known_is_not_shown() -> None:
    """Empty parts of an origin make no rows."""
    assert provenance_rows(Provenance(title="x", value="1", source="a book"), language("en")) == (("Source", "a book"),)


def test_a_cell_is_asked_beside_the_rest_of_its_row() -> None:
    """Its own number heads what is said and is not said twice; an empty neighbour is left out."""
    found = of_cell(
        ("Device", "Time", "Cost", "Note"), ("T4\n16 GB", "3 min", "$2", ""), 1, Provenance(title="x", value="")
    )
    assert found is not None
    assert (found.title, found.value, found.inputs) == ("T4: Time", "3 min", (("Cost", "$2"),))
    assert of_cell(("Device", "Note"), ("T4", "none"), 1, COST) is None
