"""The answer in short: what it says, and what it does not."""

import msgspec
import pytest

from advisor.locale import Language, language
from advisor.records.job.advice import Trade, TradeRow
from advisor.report.content.options.best import best_options
from advisor.report.content.short_answer import short_answer
from advisor.report.words.advice.verdict import verdict_sentence
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
