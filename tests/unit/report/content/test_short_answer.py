"""The answer in short: what it says, and what it does not."""

from html import escape

import msgspec
import pytest

from advisor.gui.models.options.details import option_facts
from advisor.locale import Language, language
from advisor.records.job.advice import Trade, TradeRow
from advisor.records.job.workload import Circumstances
from advisor.records.results.report import Report
from advisor.report.charts.answer_card import answer_card
from advisor.report.content.answer import answer
from advisor.report.content.blocks import Table
from advisor.report.content.document_builder import document
from advisor.report.content.options.best import best_options
from advisor.report.content.options.trade import free_in_time
from advisor.report.content.paper_front_page import front_page
from advisor.report.content.short_answer import short_answer
from advisor.report.formats.print_html import printed_sheet
from advisor.report.words.advice.money import money_sentence
from advisor.report.words.advice.verdict import verdict_sentence
from advisor.report.words.quantities import duration
from tests.unit.gui.plain import plain
from tests.unit.report import samples
from tests.unit.report.samples import every

EN, ES = language("en"), language("es")


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
@pytest.mark.parametrize("name", sorted(every()))
def test_it_is_the_answer_in_a_dozen_lines(name: str, spoken: Language) -> None:
    """Question first, the verdict, at most four options, the day last; both flavours say the same."""
    report = every()[name]
    short = short_answer(report, spoken)
    lines = short.text.splitlines()

    assert verdict_sentence(report, spoken) == lines[2]
    assert lines[-1].startswith("advisor · ")
    assert "2026" in lines[-1]
    assert sum(line.startswith("•") for line in lines) == len(best_options(report)) <= 4
    assert len(lines) <= 14
    assert short.html.count("<li>") == len(best_options(report))


def test_the_recommended_option_stands_first() -> None:
    """Then the best of the other answers, one each."""
    found = best_options(every()["rent"])

    assert found[0].id == every()["rent"].advice.chosen
    assert len({one.tier for one in found}) == len(found) >= 2


def test_the_best_purchase_is_the_one_that_the_trade_names() -> None:
    """Tiles and the chart of costs never recommend two different cards."""
    report = every()["rent"]
    buys = [one for one in report.advice.options if one.tier == "single_gpu" and one.feasible]
    other = msgspec.structs.replace(buys[0], id="buy/other", title="Other")
    row = TradeRow(option="buy/other", roles=("buy",), busy_s=1.0)
    advice = msgspec.structs.replace(report.advice, options=(*report.advice.options, other), trade=Trade(rows=(row,)))
    found = best_options(msgspec.structs.replace(report, advice=advice))
    assert [one.id for one in found if one.tier == "single_gpu"] == ["buy/other"]


def test_names_are_text() -> None:
    """A title of the user's is no part of a page."""
    report = every()["rent"]
    workload = msgspec.structs.replace(report.workload, title="<script>alert(1)</script>")
    short = short_answer(msgspec.structs.replace(report, workload=workload, titles={}), EN)

    assert "<script>" not in short.html
    assert "&lt;script&gt;" in short.html


SLOWED = 0.565
"""What others took of the processor while the job was measured, so that it may be 2.3 times as fast."""


@pytest.fixture(scope="module")
def slowed() -> Report:
    """Return the answer for a computer that other programs slowed, without a place for a card."""
    return samples.slowed(SLOWED, 0.0)


def test_what_costs_nothing_comes_before_the_rent_for_whoever_gets_it_too(slowed: Report) -> None:
    """A friend read of renting as "the cheapest dependable way", and not that closing programs costs nothing."""
    paper, text = printed_sheet(slowed, EN).html, short_answer(slowed, EN).text
    said = " ".join(one.text for one in answer(slowed, EN).alternatives)
    for whole in (text, said, paper):
        assert (
            0
            <= whole.index("Close other programs first")
            < whole.casefold().index("the cheapest dependable choice that is")
        )


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_what_would_be_in_time_for_nothing_comes_before_a_rent(slowed: Report, spoken: Language) -> None:
    """With an hour left "rent in the cloud" was all that was said of a computer that might do it in 55 minutes."""
    here = next(one for one in slowed.advice.options if one.id == "here/cpu")
    assert here.run_s is not None
    assert here.interval is not None
    low_s = min(here.run_s * (1.0 - SLOWED), here.interval.low)
    for deadline_s, is_said in ((1.1 * low_s, True), (0.9 * low_s, False)):
        asked = Circumstances(deadline_s=deadline_s)
        report = samples.slowed(SLOWED, 0.0, asked)
        found = answer(report, spoken)
        first = {"en": "Before you pay for it, close other programs", "es": "Antes de pagar, cierra otros programas"}
        assert report.advice.tier != "this_computer"
        for said in (found.others, found.alternatives):
            assert said[0].text.startswith(first[spoken.code]) == is_said
        assert (first[spoken.code] in short_answer(report, spoken).text) == is_said
        assert not is_said or not any(spoken.number(2.3, 1) in one.text for one in found.alternatives), "once is enough"


def test_a_deadline_that_nobody_gave_is_not_said_to_be_theirs(slowed: Report) -> None:
    """It said "you allow 1 week" where "no deadline" was chosen."""
    here = next(one for one in slowed.advice.options if one.id == "here/cpu")
    assert here.interval is not None
    asked = Circumstances(deadline_s=1.1 * here.interval.low)
    report = samples.slowed(SLOWED, 0.0, asked)
    [given] = free_in_time(report, EN)
    assert " You allow " in given.text
    open_end = msgspec.structs.replace(report, circumstances=msgspec.structs.replace(asked, deadline_s=None))
    [assumed] = free_in_time(open_end, EN)
    assert "You allow" not in assumed.text
    assert " You gave no deadline; " in assumed.text


def test_times_and_prices_keep_their_conditions(slowed: Report) -> None:
    """Four minutes without the ten before them, $248 without "if you sell it": half of what the window says."""
    *_front, buy, rent = [plain(line) for line in short_answer(slowed, EN).text.splitlines() if line.startswith("•")]
    cloud = next(one for one in best_options(slowed) if one.tier == "cloud")
    whole, run = (plain(duration(time_s or 0.0, EN)) for time_s in (cloud.done_s, cloud.run_s))
    assert whole != run
    assert f", {whole} ({run} + 10 minutes until it starts)," in rent
    assert buy.endswith("in 2 years, if you sell card and PC then)")
    table = front_page(slowed, EN)[0]
    assert isinstance(table, Table)
    cells = [plain(cell) for row in table.rows for cell in row]
    of_times = [cell for cell in cells if cell.endswith(f"\n{run} + 10 minutes until it starts")]
    assert [cell.partition("\n")[0] for cell in of_times] == [whole], "4½ minutes here, 15 minutes on the card"
    tables = [block for part in document(slowed, EN).sections[:2] for block in part.blocks if isinstance(block, Table)]
    told = [plain(row[1]) for table in tables for row in table.rows if f"{run} + 10 min" in plain(row[1])]
    assert told, "the alternatives, and all options"
    assert all(one.startswith(whole) for one in told)
    facts = dict(option_facts(cloud, slowed, EN))
    assert plain(facts["Time of a run"]).startswith(f"{whole} (")
    assert plain(facts["Time of a run"]).endswith(f"{run} + 10 minutes until it starts)")
    assert any(cell.endswith("\nif you sell card and PC then") for cell in cells)
    paper = plain(printed_sheet(slowed, EN).html)
    assert "+ 10 minutes until it starts" in paper
    assert "if you sell card and PC then" in paper


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_a_friend_reads_each_thing_once(slowed: Report, spoken: Language) -> None:
    """The text and the sheet told the times of an option twice, and the answer once more as what is twice as fast."""
    for report in (slowed, every()["rent"]):
        shown = answer(report, spoken)
        [*twice] = (one.text for one in shown.twice)
        text, paper = short_answer(report, spoken).text, plain(printed_sheet(report, spoken).html)
        assert all(one in text for one in twice)
        assert all(plain(escape(one)) in paper for one in twice)
        longer = [one.text for one in shown.alternatives if one not in (*shown.others, *shown.twice)]
        assert longer
        assert not any(one in text for one in longer)
        assert not any(plain(escape(one)) in paper for one in longer)


def test_an_option_that_cannot_do_it_says_why() -> None:
    """A friend read "This computer: Intel Core i5-9500, –, –"."""
    [line] = [one for one in short_answer(every()["buy"], EN).text.splitlines() if "This computer" in one]
    assert (
        line
        == "• This computer: Intel Core i5-9500, does not fit: takes 20\N{NO-BREAK SPACE}GB, has 16\N{NO-BREAK SPACE}GB"
    )


@pytest.mark.parametrize("name", ["rent", "buy"])
def test_pesos_are_not_read_as_dollars(name: str) -> None:
    """«$14,200 una vez» is read as dollars in Mexico; where the sign is the user's own country's, it says enough."""
    report = every()[name]
    asked = msgspec.structs.replace(report.circumstances, currency="MXN", country="MX")
    there, mexico = msgspec.structs.replace(report, circumstances=asked), Language("es", "es_MX")
    text = short_answer(there, mexico).text.replace("\N{NO-BREAK SPACE}", " ")
    priced = [line for line in text.splitlines() if line.startswith("•") and "$" in line]
    assert priced
    assert [line for line in priced if line.count(" MXN") != 1] == []
    assert money_sentence(there, mexico).count("MXN") == 1
    assert "MXN" in answer_card(there, mexico)
    assert "MXN" not in short_answer(there, Language("en", "en_US")).text
    assert "USD" not in short_answer(report, Language("en", "en_US", "US")).text
