"""What nothing meets is not presented as the answer: the page says so plainly, and how close the best comes."""

import pytest

from advisor.catalog import find_workload
from advisor.gui.models.history import answer_text
from advisor.gui.models.options.beside_pick import why_best
from advisor.gui.models.verdict import verdict_view
from advisor.locale import language
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.history_entry import summarise
from advisor.records.results.own_computer import falls_short
from advisor.records.results.report import Report
from advisor.report.content.answer import answer
from advisor.report.content.options.trade import trade_section
from advisor.report.formats.text import text_report
from advisor.session.forecast import conclude
from advisor.units import HOUR_S, MINUTE_S
from tests.unit.report import samples

EN = language("en")
SHORT = 10 * MINUTE_S


def asked(job: str, circumstances: Circumstances) -> Report:
    """Return the answer for a laptop without a card."""
    seen = Observation(machine=samples.laptop(card=False))
    return conclude(seen, find_workload(job).workload, circumstances)


@pytest.mark.parametrize("code", ["en", "es"])
def test_what_takes_longer_than_asked_is_not_advised(code: str) -> None:
    """Ten minutes were asked, and a card of 9,000 dollars, with which it takes 55, was "our pick" in its colour."""
    wishes = Circumstances(deadline_s=SHORT, data_must_stay=True)
    spoken, report = language(code), asked("diffusion_finetuning", wishes)
    assert falls_short(report)
    said = answer(report, spoken)
    begins = {"en": "Nothing ends within 10 minutes. ", "es": "Nada termina en 10 minutos. "}
    assert said.headline.text.replace("\N{NO-BREAK SPACE}", " ").startswith(begins[code])
    assert said.tier is None
    view = verdict_view(report, spoken)
    [chosen] = [chip for chip in view.chips if chip.is_chosen]
    closest = {"en": "comes closest", "es": "lo que más se acerca"}[code]
    assert chosen.time in said.headline.text
    assert (view.kind, chosen.pick) == ("", closest)
    assert closest in said.headline.text or code == "es"
    assert not {"recommended", "recomendada"} & set(text_report(report, spoken, width=80).split())
    assert closest in " ".join(text_report(report, spoken, width=80).split())
    assert closest in why_best(report, spoken)
    assert answer_text(summarise(report), spoken).startswith({"en": "Nothing meets it", "es": "Nada lo cumple"}[code])


def test_what_only_its_start_makes_late_says_so() -> None:
    """It computes for less than was asked, and its start makes it late: "you need a cluster"."""
    report = asked("llm_7b_qlora", Circumstances(deadline_s=1.35 * SHORT))
    assert report.advice.tier in ("cloud", "cluster")
    said = answer(report, EN)
    assert "only its start makes it late: " in said.headline.text
    able = [one for one in report.advice.options if one.run_s is not None and one.obstacle == "misses_deadline"]
    [chosen] = [one for one in able if one.id == report.advice.chosen]
    steady = [one for one in able if one.offer is not None and one.offer.is_dependable]
    assert chosen.done_s == min(one.done_s for one in steady), "nothing that stands below it is done sooner"
    assert said.tier is None


def test_what_not_even_money_would_bring_in_time_says_so() -> None:
    """Both wishes are given up."""
    report = asked("diffusion_finetuning", Circumstances(deadline_s=SHORT, budget_usd=500.0))
    assert "Beyond your budget, " in answer(report, EN).headline.text


def test_what_only_may_be_in_time_is_no_sure_answer() -> None:
    """Six minutes by the best guess, 75 where the data are loaded badly: "get a graphics card"."""
    report = asked("resnet50", Circumstances(deadline_s=SHORT))
    assert not falls_short(report)
    assert answer(report, EN).headline.text.endswith("It is probably in time, but that is not sure.")
    [here] = [chip for chip in verdict_view(report, EN).chips if chip.is_chosen]
    assert here.pick == "our pick"


def test_a_deadline_that_nobody_asked_for_may_give_way() -> None:
    """And what meets all that was asked is recommended, in its colour."""
    for report in (
        asked("bert_finetuning", Circumstances()),
        asked("bert_finetuning", Circumstances(deadline_s=HOUR_S)),
    ):
        assert not falls_short(report)
        assert answer(report, EN).tier == report.advice.tier
        assert "recommended" in str(trade_section(report, EN).blocks)
