"""The answer beside its alternatives, as a table and in sentences."""

import msgspec
from msgspec.structs import replace

from advisor.catalog import preset
from advisor.locale import language
from advisor.options.what_if import exchange_parts
from advisor.records.base import Interval
from advisor.records.job.advice import FactValue, Reason
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.report.content.blocks import Table
from advisor.report.content.document_builder import document
from advisor.report.content.options.trade import other_sentences, trade_section, trade_sentences, twice_sentences
from advisor.report.words.advice.trade import twice_sentence
from advisor.session.forecast import conclude
from advisor.units import HOUR_S
from tests.unit.report import samples

EN = language("en")


def test_the_trade_is_the_first_section_and_its_first_row_the_answer() -> None:
    """Wherever there is an alternative."""
    for name in ("enough", "rent", "buy"):
        report = samples.every()[name]
        first = document(report, EN).sections[0]
        assert first.id == "trade"
        [table] = first.blocks
        assert isinstance(table, Table)
        assert table.marked == 0
        assert "recommended" in table.rows[0][0]
        assert all(row[5] for row in table.rows), "each says what it gives up"


def test_a_cheaper_card_than_the_one_asked_about_is_said_to_be_as_quick() -> None:
    """Below "Buy: RTX 5060 Ti, $1,100" a box named a RTX 3050 for $843 with the same time, and nothing said why."""
    machine = samples.laptop(card=False)
    cpu = replace(machine.host.cpu, physical_cores=2, logical_cores=2, usable_cores=2.0)
    machine = replace(machine, host=replace(machine.host, cpu=cpu, form_factor="server"))
    pretended = exchange_parts(Observation(machine=machine), "GeForce RTX 5060 Ti 16 GB")
    report = conclude(pretended, preset("article_cnn").workload, Circumstances(data_must_stay=True))
    *_, said = twice_sentences(report, EN)
    assert "buy GeForce RTX 3050" in said.text
    assert said.text.endswith(" It is as quick for this job as GeForce RTX 5060 Ti 16GB in a new PC, for less.")
    assert report.advice.trade is not None
    [reason] = [one for one in report.advice.trade.reasons if one.code == "twice"]
    slow = replace(
        report.advice,
        options=tuple(
            replace(one, run_s=3 * one.run_s) if one.id == reason.values["option"] and one.run_s else one
            for one in report.advice.options
        ),
    )
    *_, said = twice_sentences(replace(report, advice=slow), EN)
    assert "as quick for this job" not in said.text


def test_a_cluster_has_no_alternative() -> None:
    """No table, no sentence."""
    report = samples.every()["cluster"]
    assert trade_section(report, EN).blocks == ()
    assert not list(trade_sentences(report, EN))


def test_each_sentence_knows_where_its_numbers_come_from() -> None:
    """Of every sample."""
    for report in samples.every().values():
        for said in trade_sentences(report, EN):
            assert said.origin is not None
            assert said.origin.figure


def test_twice_the_speed_stands_by_itself_and_is_said_once() -> None:
    """A reader who asks for its price found "that is also the cheapest dependable way" behind another sentence."""
    seen = 0
    for report in samples.every().values():
        reasons = () if report.advice.trade is None else report.advice.trade.reasons
        asked = [one for one in reasons if one.code in ("twice", "twice_none")]
        said = [one.text for one in twice_sentences(report, EN)]
        others = [one.text for one in other_sentences(report, EN)]
        assert bool(said) == any("is_answer" not in one.values for one in asked), "the answer itself says it"
        assert not any("twice as fast" in text.casefold() for text in others)
        assert all("twice as fast" in text.casefold() for text in said[-1:])
        if asked and "option" in asked[0].values:
            seen += 1
            assert not any(text.startswith("If you do not want to wait") for text in others)
    assert seen, "no sample says what it costs"


def test_a_single_run_is_told_in_all_not_by_the_month() -> None:
    """Fifteen hours once are not 0.61 hours a month."""
    report = samples.rent()
    once = msgspec.structs.replace(report.circumstances, runs_per_month=1 / 24, horizon_months=24.0)
    table = trade_section(msgspec.structs.replace(report, circumstances=once), language("en")).blocks[0]
    assert isinstance(table, Table)
    assert table.header[2:4] == ("In all", "Hours in all")


def test_what_is_quicker_is_named_once() -> None:
    """Where twice the speed is told by itself, a run that fits into a night says no more than that."""
    report = samples.enough()
    trade = report.advice.trade
    assert trade is not None
    rival = next(one for one in report.advice.options if one.tier == "cloud")
    known: dict[str, FactValue] = {
        "option": rival.id,
        "rival_s": 60.0,
        "extra_usd": 1.0,
        "horizon_months": 24.0,
        "runs": 24.0,
    }
    twice = Reason(code="twice", values={**known, "tier": "cloud", "run_s": 9e3, "rival_usd": 2.0, "base_usd": 1.0})
    night = Reason(code="stay_overnight", values=known)
    for reasons, said in (((night, twice), ["One run fits into a night."]), ((night,), ["That is overnight. If"])):
        changed = msgspec.structs.replace(trade, reasons=reasons)
        one = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, trade=changed))
        texts = [paragraph.text for paragraph in other_sentences(one, EN)]
        assert [text[: len(begin)] for text, begin in zip(texts, said, strict=True)] == said


def test_beside_its_card_twice_the_speed_is_told_by_what_it_costs_more_or_less() -> None:
    """Times and start stood there twice; which of two sums is dearer had to be worked out. Sums differ as shown."""
    report = msgspec.structs.replace(samples.enough(), currency_per_usd=1.0)
    rival = next(one for one in report.advice.options if one.tier == "cloud")
    for rival_usd, said in ((0.764, "for €0.06 more"), (0.644, "for €0.06 less")):
        values: dict[str, FactValue] = {"option": rival.id, "tier": "cloud", "run_s": 9e3, "rival_s": 60.0}
        values |= {"rival_usd": rival_usd, "base_usd": 0.696, "horizon_months": 24.0, "runs": 24.0}
        reason = Reason(code="twice", values=values)
        assert said in twice_sentence(reason, report, EN, alone=True, is_shown=True)
        for is_shown in (True, False):
            text = twice_sentence(reason, report, EN, alone=True, is_shown=is_shown)
            assert ("instead of 2½" in text) is not is_shown


def test_why_to_stay_is_said_without_the_figures_that_stand_beside_it() -> None:
    """A rent had its minutes, its start and its price three times on a page: tile, twice as fast, and here."""
    report = samples.slowed(0.6, 0.6)
    staying = "Renting costs less for this job, but needs an account, and your data go there: so staying is our pick."
    assert any(one.text.endswith(staying) for one in twice_sentences(report, EN)), "where what costs less is named"
    said = [one.text for one in other_sentences(report, EN)]
    assert staying not in said
    assert not any("less than the electricity" in one for one in said)
    assert any("less than the electricity" in one.text for one in trade_sentences(report, EN)), "a page has no tiles"


def test_what_twice_the_speed_costs_is_told_beside_a_disturbed_check() -> None:
    """The box was missing there, though what a card takes and costs does not rest on the check."""
    report = samples.slowed(0.9, 0.9)
    [said] = twice_sentences(report, EN)
    assert said.text.startswith("The cheapest dependable choice that is probably at least twice as fast: ")
    assert said.text.endswith("Whether it is twice as fast is certain only after a check without other programs.")
    [named] = [one.text for one in trade_sentences(report, EN) if "twice as fast" in one.text]
    assert named.endswith("is certain only after a check without other programs.")


def test_a_time_that_others_slowed_makes_nothing_surely_twice_as_fast() -> None:
    """A disturbed check called a rent "dependable … at least twice as fast", and the quiet one "probably"."""
    report = samples.slowed(0.5, 0.1)
    quick = [
        replace(one, interval=Interval(low=60.0, high=one.interval.high if one.interval else 1.0))
        if one.tier == "this_computer"
        else one
        for one in report.advice.options
    ]
    told = [
        one.text for one in twice_sentences(replace(report, advice=replace(report.advice, options=tuple(quick))), EN)
    ]
    [said] = [one for one in told if "at least twice as fast" in one]
    assert "probably at least twice as fast" in said
    assert "Whether it is twice as fast is certain only after a check without other programs." in said


def test_what_is_twice_as_fast_whatever_others_took_is_told_without_a_doubt() -> None:
    """Forty hours here at best, and the other does it in minutes."""
    report = samples.slowed(0.9, 0.9)
    slow = [
        replace(one, interval=Interval(low=40 * HOUR_S, high=90 * HOUR_S)) if one.tier == "this_computer" else one
        for one in report.advice.options
    ]
    [said] = twice_sentences(replace(report, advice=replace(report.advice, options=tuple(slow))), EN)
    assert "is certain only after" not in said.text


def test_that_nothing_is_twice_as_fast_is_not_told_of_a_disturbed_check() -> None:
    """Nobody knows how fast this computer is."""
    report = samples.slowed(0.9, 0.9)
    assert report.advice.trade is not None
    none = replace(report.advice.trade, reasons=(Reason(code="twice_none", values={}),))
    assert not list(twice_sentences(replace(report, advice=replace(report.advice, trade=none)), EN))
