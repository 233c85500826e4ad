"""Rules that no verdict breaks, over generated machines, jobs and wishes, checked by a reader of the rendered text.

``ADVISOR_VERDICTS`` says how many combinations are tried (``make verdicts``: 20,000), in parts, so that each core has
some; without it always the same ones.
"""

import os
import re
from functools import cache
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from advisor.catalog import find_workload
from advisor.locale import Language, language
from advisor.recommend.feasibility import longest_s
from advisor.records.hardware.machine import Accelerator, Machine
from advisor.records.job.advice import HARDWARE_S, Option
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.content.answer import Answer, answer
from advisor.report.content.blocks import Table
from advisor.report.content.options.option_rows import OptionRow, option_rows
from advisor.report.content.options.trade import trade_section
from advisor.report.content.sections import question
from advisor.report.words.advice.costs import crossing_sentences
from advisor.report.words.advice.reasons import reason_sentence
from advisor.session.forecast import Forecast, decide, forecast_job
from advisor.units import DAY_S, GIB, HOUR_S, MONTH_S, YEAR_S
from tests.unit.benchmark.diagnosed import machine
from tests.unit.session.cost_reader import CENT, told_columns, worked_out

pytestmark = pytest.mark.slow

ASKED = os.environ.get("ADVISOR_VERDICTS")
PARTS = 8 if ASKED else 1
EXAMPLES = -(-int(ASKED or "40") // PARTS)
SPOKEN = (language("en"), language("es"))
CARDS = (None, ("GeForce RTX 3060 12GB", 12), ("GeForce GTX 1060 6GB", 6), ("GeForce RTX 4090", 24),
         ("GeForce GTX 1050", 2), ("NVIDIA A100-SXM4-80GB", 80))  # fmt: skip
NAMES = ("classical_ml", "simple_cnn", "article_cnn", "densenet121_cats_dogs", "bert_finetuning", "llm_7b_qlora",
         "llm_7b_full", "resnet50_imagenet", "llama_70b_qlora", "segmentation_unet")  # fmt: skip
FACTORS = (0.01, 1.0, 1000.0, 1e7)
_SIZE = re.compile(r"(\d[\d.,]*)\s([KMGT]B)")
TRADE_COLUMNS = 6


def _computer(card: tuple[str, int] | None, count: int, memory_gib: int) -> Machine:
    cards = [] if card is None else [
        Accelerator(
            vendor="nvidia", index=place, name=card[0], kind="discrete", trains=True, memory_bytes=card[1] * GIB
        )
        for place in range(count)
    ]  # fmt: skip
    found = machine(*cards)
    memory = msgspec.structs.replace(
        found.host.memory, total_bytes=memory_gib * GIB, available_bytes=memory_gib * GIB, limit_bytes=memory_gib * GIB
    )
    return msgspec.structs.replace(found, host=msgspec.structs.replace(found.host, memory=memory))


@cache
def _forecast(card: tuple[str, int] | None, count: int, memory_gib: int, name: str, factor: float) -> Forecast:
    job = find_workload(name).workload
    samples = int(min(max(job.samples * factor, job.batch_size), 10**13))
    job = msgspec.structs.replace(job, samples=samples, steps_per_epoch=None)
    return forecast_job(Observation(machine=_computer(card, count, memory_gib)), job)


wishes = st.builds(
    Circumstances,
    runs_per_month=st.sampled_from([1 / 24, 0.5, 1.0, 8.0, 60.0, 600.0]),
    deadline_s=st.sampled_from([None, HOUR_S, 12 * HOUR_S, 3 * DAY_S, 30 * DAY_S]),
    budget_usd=st.sampled_from([None, 0.0, 100.0, 2000.0, 50_000.0]),
    horizon_months=st.sampled_from([1.0, 24.0]),
    data_must_stay=st.booleans(),
    country=st.sampled_from(["US", "DE", "ES"]),
    electricity_usd_per_kwh=st.sampled_from([None, None, 0.0, 0.5]),
    failed_tries=st.sampled_from([0.0, 0.0, 10.0]),
    currency=st.sampled_from(["USD", "EUR"]),
)


@pytest.mark.parametrize("_part", range(PARTS))
@settings(
    max_examples=EXAMPLES,
    derandomize=ASKED is None,
    suppress_health_check=[HealthCheck.too_slow],
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # a question is read as it is; to look for a smaller one takes minutes
)
@given(
    card=st.sampled_from(CARDS),
    count=st.sampled_from([1, 2, 8]),
    memory_gib=st.sampled_from([8, 64]),
    name=st.sampled_from(NAMES),
    factor=st.sampled_from(FACTORS),
    asked=wishes,
)
def test_no_verdict_breaks_a_rule(
    *,
    _part: int,
    card: tuple[str, int] | None,
    count: int,
    memory_gib: int,
    name: str,
    factor: float,
    asked: Circumstances,
) -> None:
    """Each rule, in each language."""
    report = decide(_forecast(card, count, memory_gib, name, factor), asked)
    for spoken in SPOKEN:
        page = _page(report, spoken)
        for rule in RULES:
            rule(report, page, spoken)


def _chosen(report: Report) -> Option | None:
    return next((one for one in report.advice.options if one.id == report.advice.chosen), None)


class _Page(NamedTuple):
    """What a reader has before the eyes: the answer, the table beside it, and the options."""

    said: Answer
    trade: Table | None
    options: tuple[OptionRow, ...]


def _page(report: Report, spoken: Language) -> _Page:
    blocks = trade_section(report, spoken).blocks
    table = blocks[0] if blocks else None
    assert table is None or isinstance(table, Table)
    return _Page(answer(report, spoken), table, option_rows(report, spoken))


def everything_is_said(_report: Report, page: _Page, _spoken: Language) -> None:
    """No placeholder, no None, no infinity reaches the reader."""
    said = page.said
    told = (said.headline, *said.sentences, said.confidence, *said.reasons, *said.changes)
    cells = () if page.trade is None else tuple(cell for row in page.trade.rows for cell in row)
    for text in (*(one.text for one in told), *cells):
        assert not re.search(r"\{\w+\}|\binf\b|\bnan\b|None|\(unknown\)|\(no se sabe\)", text), text


def a_better_option_is_named(report: Report, page: _Page, spoken: Language) -> None:
    """What beats the answer in time and money, and could be counted on, stands in the trade or among the lead."""
    chosen, trade = _chosen(report), report.advice.trade
    if chosen is None or trade is None or chosen.run_s is None or chosen.horizon_usd is None:
        return
    beating = [
        one
        for one in report.advice.options
        if one.feasible and one.tier != "cluster" and one.run_s is not None and one.horizon_usd is not None
        if one.run_s < 0.5 * chosen.run_s and one.horizon_usd < 0.95 * chosen.horizon_usd - 0.01
    ]
    if beating:
        table = page.trade
        assert table is not None, report.advice.chosen
        cheapest = next(one for one in trade.rows if "cheapest" in one.roles)
        assert cheapest.option != chosen.id
        assert table.rows[0][5] != spoken.gettext("nothing"), "the answer gives something up"


def each_row_names_its_limit_and_its_price(report: Report, page: _Page, spoken: Language) -> None:
    """Nothing in the trade is empty, and only one row may give up nothing."""
    table = page.trade
    if table is None:
        return
    for row in table.rows:
        assert len(row) == TRADE_COLUMNS
        assert all(row), row
    assert sum(row[5] == spoken.gettext("nothing") for row in table.rows) <= 1


def a_time_is_no_end_of_its_interval(_report: Report, page: _Page, spoken: Language) -> None:
    """The first line of a cell is no end of the second; read in English, whose halves stand beside their number."""
    for row in () if page.trade is None or spoken.code != "en" else page.trade.rows:
        time, *below = row[1].split("\n")  # the interval, and of what is rented how long it starts
        for low, _, high in (line.partition(" to ") for line in below if " to " in line and line != time):
            unit = high.split(" ", 1)[-1]
            assert time not in (low, high, f"{low} {unit}"), row[1]


def what_does_not_fit_has_no_time(_report: Report, page: _Page, spoken: Language) -> None:
    """A card with too little memory promises neither hours nor money."""
    refused = spoken.gettext("does not fit: takes {needed_bytes}, has {available_bytes}").split(":", 1)[0]
    for row in page.options:
        if row.remark.startswith(refused):
            assert (row.time, row.interval, row.horizon, row.energy, row.co2) == ("–", "", "–", "–", "")


def no_data_leave_that_must_stay(report: Report, _page: _Page, _spoken: Language) -> None:
    """Neither the answer nor a row beside it is rented."""
    if not report.circumstances.data_must_stay:
        return
    rows = () if report.advice.trade is None else report.advice.trade.rows
    named = {report.advice.chosen, *(row.option for row in rows)}
    assert not [one.id for one in report.advice.options if one.id in named and one.offer is not None]


def what_outlasts_hardware_is_no_advice(report: Report, page: _Page, spoken: Language) -> None:
    """What takes longer than hardware lasts is no recommendation, and says what a week does."""
    chosen = _chosen(report)
    if chosen is None or chosen.run_s is None or chosen.run_s <= 10 * YEAR_S or chosen.tier == "this_computer":
        return
    least_s = chosen.run_s if chosen.interval is None else chosen.interval.low
    told = "Nothing finishes this before its hardware wears out: even {option} would take {duration}."
    if least_s > 73 * YEAR_S:
        told = "Nothing does this in a lifetime: even {option} would take {duration}."
    assert page.said.headline.text.startswith(spoken.gettext(told).split(":")[0])
    assert "in_a_week" in {reason.code for reason in report.advice.reasons}


def a_month_has_no_more_hours_than_it_has(report: Report, _page: _Page, _spoken: Language) -> None:
    """What one owns is the answer only where its hours are there, unless the deadline was given up."""
    chosen = _chosen(report)
    if chosen is None or chosen.run_s is None or chosen.offer is not None:
        return
    is_late = any(reason.code in ("after_deadline", "over_budget") for reason in report.advice.reasons)
    assert is_late or chosen.run_s * report.circumstances.runs_per_month <= MONTH_S * (1 + 1e-9)


def the_word_is_that_of_the_numbers(report: Report, page: _Page, spoken: Language) -> None:
    """Good within 15 %, fair within 30 %, else rough with its range."""
    chosen = _chosen(report)
    if chosen is None or chosen.run_s is None or chosen.interval is None:
        return
    off = max(chosen.interval.high / chosen.run_s - 1.0, 1.0 - chosen.interval.low / chosen.run_s)
    said = page.said.confidence.text
    expected = "good (up" if off <= 0.15 + 1e-9 else "fair (up" if off <= 0.3 + 1e-9 else "rough ("
    if spoken.code == "en":
        assert expected in said
    assert str(report.advice.confidence) == expected.split(" ", 1)[0]


def the_deadline_that_decides_is_in_the_question(report: Report, _page: _Page, spoken: Language) -> None:
    """Said by the user or taken by the program."""
    text = question(report, spoken)
    word = (
        "no deadline given ({duration} assumed)"
        if report.circumstances.deadline_s is None
        else "done within {duration}"
    )
    assert spoken.gettext(word).split("{", 1)[0].strip() in text


def what_is_named_brings_something(report: Report, page: _Page, _spoken: Language) -> None:
    """Beside staying, each row takes less time beyond the error of a prediction, or less money."""
    chosen, trade = _chosen(report), report.advice.trade
    if chosen is None or trade is None or chosen.tier != "this_computer" or chosen.run_s is None:
        return
    by_id = {one.id: one for one in report.advice.options}
    for row in trade.rows:
        other = by_id[row.option]
        if other.tier == "this_computer" or chosen.horizon_usd is None or other.horizon_usd is None:
            continue
        assert (other.run_s or 0.0) < chosen.run_s or other.horizon_usd < chosen.horizon_usd, other.id


def costs_are_the_sum_of_their_parts(report: Report, _page: _Page, _spoken: Language) -> None:
    """What an option costs over the horizon is what its parts add up to, to the cent."""
    asked = report.circumstances
    runs = asked.runs_per_month * asked.horizon_months
    for one in report.advice.options:
        if one.cost_parts and one.horizon_usd is not None:
            total = sum(part.usd(runs) for part in one.cost_parts)
            assert abs(total - one.horizon_usd) <= 0.005 + 1e-9 * abs(total), one.id


def a_cluster_is_quicker_than_a_computer(report: Report, _page: _Page, _spoken: Language) -> None:
    """Nobody is sent to a cluster for a run that one machine he may use ends sooner."""
    chosen = _chosen(report)
    if report.advice.tier != "cluster" or chosen is None or chosen.run_s is None:
        return
    for one in report.advice.options:
        if one.tier != "cluster" and one.run_s is not None and one.obstacle in (None, "misses_deadline"):
            assert one.done_s >= chosen.done_s, one.id


def memory_is_one_number(report: Report, _page: _Page, spoken: Language) -> None:
    """What one sample takes is the same among the reasons and among what holds the computer back."""
    reason = next((one for one in report.advice.reasons if one.code == "does_not_fit_here"), None)
    if reason is None:
        return
    needed, available = (float(str(reason.values[name])) for name in ("needed_bytes", "available_bytes"))
    sentence = reason_sentence(reason, report, spoken)
    takes, has = ((float(size.replace(",", ".")), unit) for size, unit in _SIZE.findall(sentence)[-2:])
    if needed <= available or takes == has:
        too_little = {"en": "leaves too little for", "es": "queda demasiado poco para"}[spoken.code]
        assert too_little in sentence, "two figures that would fit, and not why they do not"
    is_card = reason.values.get("device") != "processor"
    for one in report.findings:
        if one.kind == "capacity_bound" and one.form == "job" and (one.device != "cpu") == is_card:
            told = next(reading.value for reading in one.evidence if reading.name == "needed_bytes")
            assert abs(told - needed) <= 1e-6 * needed


def the_cheapest_is_cheapest(report: Report, page: _Page, spoken: Language) -> None:
    """Where the page says that the answer costs least, no row of its own kind that is in time costs less."""
    chosen, trade = _chosen(report), report.advice.trade
    said = next((one for one in report.advice.reasons if one.code == "cheapest"), None)
    if said is None or trade is None or chosen is None or chosen.horizon_usd is None:
        return
    by_id = {one.id: one for one in report.advice.options}
    weak = {"interruptible", "marketplace", "less_supported", "several", "may_be_late"}
    for row in trade.rows:
        other = by_id[row.option]
        is_weak = bool(weak & {reason.code for reason in row.gives_up}) or other.tier == "this_computer"
        if other.feasible and not is_weak and other.horizon_usd is not None and said.values.get("kind") is None:
            assert other.horizon_usd >= chosen.horizon_usd * 0.75, other.id


def the_least_memory_is_the_least(report: Report, _page: _Page, _spoken: Language) -> None:
    """No change that keeps the result takes less than the least that is told, nor does this computer itself."""
    told = None if report.changes is None else next(iter(report.changes.least), None)
    if report.changes is None or told is None:
        return
    assert report.changes.option != report.advice.chosen, "what does not fit is not the answer"
    for one in report.changes.changes:
        assert one.effect == "other" or one.memory_bytes >= told.memory_bytes * (1 - 1e-9), one


def nothing_bought_or_rented_is_beaten(report: Report, _page: _Page, _spoken: Language) -> None:
    """No option to be counted on, of no more devices, is cheaper, sooner, and at worst no later than the answer."""
    chosen = _chosen(report)
    if chosen is None or not chosen.feasible or chosen.tier not in ("single_gpu", "cloud"):
        return
    weak = {"interruptible", "marketplace", "less_supported"}
    for one in report.advice.options:
        if one.feasible and one.obstacle not in weak and one.tier in ("single_gpu", "cloud"):
            is_cheaper = (one.horizon_usd or 0.0) <= (chosen.horizon_usd or 0.0) and one.horizon_usd is not None
            is_surer = one.done_s < chosen.done_s and longest_s(one) <= longest_s(chosen)
            assert not (is_cheaper and is_surer and one.device_count <= chosen.device_count), one.id


def buying_is_not_said_never_to_pay_where_it_costs_less(report: Report, _page: _Page, _spoken: Language) -> None:
    """The purchase that would not pay is not cheaper over the same time than the answer."""
    chosen = _chosen(report)
    said = next((one for one in report.advice.reasons if one.code == "never_pays_back"), None)
    if said is None or chosen is None or chosen.horizon_usd is None:
        return
    for one in report.advice.options:
        if one.tier == "single_gpu" and one.title == said.values["device"] and one.feasible:
            assert (one.horizon_usd or 0.0) >= chosen.horizon_usd, one.id


def a_run_costs_its_share_of_all_of_them(report: Report, _page: _Page, _spoken: Language) -> None:
    """The price of a rented run, times the runs, is what all of them cost, but for those that fail."""
    runs = report.circumstances.runs_per_month * report.circumstances.horizon_months
    for one in report.advice.options:
        if one.offer is not None and one.run_usd is not None and one.horizon_usd is not None:
            failed_usd = sum(part.fixed_usd for part in one.cost_parts if part.kind == "failed_tries")
            assert abs(one.run_usd * runs + failed_usd - one.horizon_usd) <= 0.005 + 1e-9 * one.horizon_usd, one.id


def patience_is_asked_where_it_helps(report: Report, _page: _Page, _spoken: Language) -> None:
    """Nobody is told to be patient with a computer for whose runs a month has no hours."""
    advice = report.advice
    if "this_computer" not in advice.either or advice.tier == "this_computer":
        return
    own = [one.run_s for one in advice.options if one.tier == "this_computer" and one.run_s is not None]
    assert min(own) * report.circumstances.runs_per_month <= MONTH_S * (1 + 1e-9)


def what_nothing_does_is_not_sold(report: Report, _page: _Page, _spoken: Language) -> None:
    """Where nothing is advised, nothing is priced to be twice as fast, and nothing would change the answer."""
    chosen = _chosen(report)
    if chosen is None or chosen.run_s is None or chosen.run_s <= HARDWARE_S:
        return
    assert not report.advice.flips
    assert report.advice.trade is None or "twice" not in {reason.code for reason in report.advice.trade.reasons}


def a_long_start_is_said(report: Report, _page: _Page, _spoken: Language) -> None:
    """A rented machine that starts for longer than it computes is no quick one in silence."""
    by_id = {one.id: one for one in report.advice.options}
    for row in () if report.advice.trade is None else report.advice.trade.rows:
        option = by_id[row.option]
        if option.offer is not None and option.before_s > (option.run_s or 0.0):
            assert "starts_late" in {reason.code for reason in row.gives_up}, option.id


def one_run_is_told_in_runs(report: Report, page: _Page, spoken: Language) -> None:
    """Who trains once reads of no share of a run a month."""
    if report.circumstances.is_once:
        assert not [flip for flip in report.advice.flips if flip.fact == "runs_per_month"]
        assert not [one.text for one in page.said.reasons if re.search(r"pays? back after|se amortiza", one.text)]
        told = "\n".join(crossing_sentences(report, spoken))
        assert not re.search(r"a month|al mes", told), told


def costs_can_be_worked_out(report: Report, _page: _Page, spoken: Language) -> None:
    """What stands below the table of costs, multiplied by hand, is each of its cells to the cent."""
    columns = told_columns(report, spoken)
    told = {
        (title, name): amount for title, cells in columns.items() for name, amount in list(cells.items())[:-1] if amount
    }
    found = {(title, name): usd for title, name, usd in worked_out(report, spoken)}
    download = spoken.gettext("Download of the result")
    for key, amount in told.items():
        if key[1] != download:  # its free share hangs on the months
            assert abs(found[key] - amount) <= max(2 * CENT, abs(amount) / 1_000_000), (key, found[key], amount)


def the_least_is_the_least_of_the_table(report: Report, _page: _Page, spoken: Language) -> None:
    """Where one costs the least whatever the number of runs, no column of the table comes to less."""
    over_time, columns = report.advice.cost_over_time, told_columns(report, spoken)
    if over_time is None or over_time.crossings or not columns:
        return
    said = next(iter(crossing_sentences(report, spoken)))
    least = min(columns.values(), key=lambda cells: list(cells.values())[-1])
    named = [title for title in columns if f"“{title}”" in said or f"«{title}»" in said]
    assert named, said
    assert list(columns[named[0]].values())[-1] <= list(least.values())[-1] + CENT, said


def one_purchase_is_the_best(report: Report, _page: _Page, _spoken: Language) -> None:
    """The best purchase of the trade is that of the lines of costs, and what one looks up before buying."""
    advice = report.advice
    traded = next((row.option for row in (advice.trade.rows if advice.trade else ()) if "buy" in row.roles), None)
    lines = () if advice.cost_over_time is None else advice.cost_over_time.lines
    bought = next((line.option for line in lines if line.role == "buy"), None)
    if traded is not None:
        assert bought in (None, traded)
        assert advice.purchase is None or advice.purchase.id == traded


def lateness_is_said_first(report: Report, page: _Page, _spoken: Language) -> None:
    """What may end after the deadline that was asked for says so before the reasons."""
    chosen, deadline_s = _chosen(report), report.circumstances.deadline_s
    if chosen is None or chosen.run_s is None or deadline_s is None or report.advice.trade is None:
        return
    if chosen.done_s <= deadline_s < longest_s(chosen):
        codes = {reason.code for reason in report.advice.trade.reasons}
        assert codes & {"may_be_late", "stay_or_be_sure"}, [one.text for one in page.said.sentences]


def sentences_begin_large(_report: Report, page: _Page, spoken: Language) -> None:
    """No sentence begins with a small letter, as where an amount is put at its head."""
    for one in (page.said.headline, *page.said.sentences, *page.said.reasons, *page.said.changes):
        assert not re.search(r"[.!?] [a-z]", one.text.replace("torch.", "")), (spoken.code, one.text)
        assert one.text[0] == one.text[0].upper(), one.text


def a_changed_habit_has_its_hours(report: Report, _page: _Page, _spoken: Language) -> None:
    """What is told for more runs a month is told from where the answer has no hours left, not far beyond."""
    chosen = _chosen(report)
    by_id = {one.id: one for one in report.advice.options}
    for flip in report.advice.flips:
        then = by_id.get(flip.option or "")
        if flip.fact == "runs_per_month" and isinstance(flip.then, float) and flip.then > float(str(flip.now)):
            for one in (chosen, then):
                if one is not None and one.run_s and one.offer is None and one.tier != "cluster":
                    assert flip.then <= 1.05 * MONTH_S / one.run_s, (one.id, flip.then)


def a_smaller_budget_is_spent_on_less(report: Report, _page: _Page, _spoken: Language) -> None:
    """Who has less money is not sent back to a computer whose electricity costs more."""
    by_id = {one.id: one for one in report.advice.options}
    for flip in report.advice.flips:
        is_less = isinstance(flip.then, float) and (flip.now is None or flip.then < float(str(flip.now)))
        if flip.fact == "budget_usd" and flip.tier == "this_computer" and is_less:
            assert (by_id[str(flip.option)].horizon_usd or 0.0) <= float(str(flip.then))


def buying_pays_back_against_the_rent_beside_it(report: Report, _page: _Page, _spoken: Language) -> None:
    """The months until a purchase pays are its price over what the rent of the same page costs more a month."""
    chosen, trade = _chosen(report), report.advice.trade
    said = next((one for one in report.advice.reasons if one.code in ("pays_back", "pays_by_resale")), None)
    if said is None or chosen is None or trade is None or chosen.run_usd is None:
        return
    by_id = {one.id: one for one in report.advice.options}
    rent = next((by_id[row.option] for row in trade.rows if "rent" in row.roles), None)
    if rent is None or rent.run_usd is None or "months" not in said.values:
        return
    saved_usd = (rent.run_usd - chosen.run_usd) * report.circumstances.runs_per_month
    assert float(str(said.values["months"])) == pytest.approx(chosen.purchase_usd / saved_usd)


def what_is_called_sure_is_sure(report: Report, page: _Page, spoken: Language) -> None:
    """Where a run "must certainly end" within some time, the option that is named ends within it at worst."""
    by_id = {one.id: one for one in report.advice.options}
    begin = spoken.gettext("If a run must certainly end in less than {then_s}: {answer}.").split("{")[0]
    for flip, said in zip(report.advice.flips, page.said.changes, strict=True):
        option = by_id.get(flip.option or "")
        if said.text.startswith(begin) and option is not None and isinstance(flip.then, float):
            assert longest_s(option) <= flip.then, said.text


def nobody_leaves_for_what_is_slower(report: Report, _page: _Page, _spoken: Language) -> None:
    """What one has and is in time is not left for what ends later, however well known; nor because of more time."""
    chosen, own = _chosen(report), [o for o in report.advice.options if o.tier == "this_computer" and o.feasible]
    if chosen is None or not own:
        return
    if chosen.tier != "this_computer":
        assert chosen.done_s < min(one.done_s for one in own), chosen.id
        return
    deadline_s = next(float(str(one.value)) for one in report.advice.facts if one.name == "deadline_s")
    for flip in report.advice.flips:
        if flip.fact == "deadline_s" and flip.tier != "this_computer":
            assert float(str(flip.then)) <= deadline_s, flip.option


def the_quickest_is_no_slower_than_the_answer(report: Report, _page: _Page, _spoken: Language) -> None:
    """What is called the quickest at a sensible price does not take longer than what is recommended."""
    by_id = {one.id: one for one in report.advice.options}
    rows = () if report.advice.trade is None else report.advice.trade.rows
    quickest = next((by_id[row.option] for row in rows if "quickest" in row.roles), None)
    chosen = _chosen(report)
    if quickest is None or chosen is None or chosen.run_s is None or not chosen.feasible:
        return
    assert (quickest.run_s or 0.0) <= 1.15 * chosen.run_s or quickest.done_s < chosen.done_s, quickest.id


def what_is_called_slower_takes_longer(_report: Report, page: _Page, spoken: Language) -> None:
    """No option is "slower: 3 minutes" beside an answer of 3 minutes."""
    told = spoken.gettext("slower: {run_s}").split("{")[0]
    for row in page.options[1:]:
        assert not row.remark.startswith(told) or row.time != page.options[0].time, row.remark


def what_may_not_be_rented_is_not_called_missing(report: Report, page: _Page, spoken: Language) -> None:
    """Where data must stay, it is not said that nothing to rent is as fast: it is left out."""
    chosen = _chosen(report)
    if not report.circumstances.data_must_stay or chosen is None or chosen.run_s is None:
        return
    fast = [
        one
        for one in report.advice.options
        if one.obstacle == "data_must_stay" and one.tier == "cloud" and one.offer is not None
        if one.offer.is_dependable and one.done_s * 3 < chosen.run_s and one.prediction is not None
    ]
    begin = spoken.gettext("Nothing to buy or to rent here is twice as fast as what you have, at any price.")[:-1]
    assert not fast or not [one.text for one in page.said.sentences if one.text.startswith(begin)]


def a_cheaper_rent_is_told(report: Report, _page: _Page, _spoken: Language) -> None:
    """Where staying costs more than the rent beside it by a tenth and a dollar, a sentence compares them."""
    chosen, trade = _chosen(report), report.advice.trade
    if chosen is None or trade is None or chosen.tier != "this_computer" or chosen.horizon_usd is None:
        return
    by_id = {one.id: one for one in report.advice.options}
    rent = next((by_id[row.option] for row in trade.rows if "rent" in row.roles), None)
    if rent is not None and rent.horizon_usd is not None and chosen.horizon_usd > max(1.1 * rent.horizon_usd, 1.0):
        told = {"stay_though_dearer", "stay_or_save", "stay_or_be_sure"}
        assert told & {one.code for one in trade.reasons}, rent.id


RULES = (
    everything_is_said,
    a_better_option_is_named,
    each_row_names_its_limit_and_its_price,
    a_time_is_no_end_of_its_interval,
    what_does_not_fit_has_no_time,
    no_data_leave_that_must_stay,
    what_outlasts_hardware_is_no_advice,
    a_month_has_no_more_hours_than_it_has,
    the_word_is_that_of_the_numbers,
    the_deadline_that_decides_is_in_the_question,
    what_is_named_brings_something,
    costs_are_the_sum_of_their_parts,
    a_cluster_is_quicker_than_a_computer,
    memory_is_one_number,
    the_cheapest_is_cheapest,
    the_least_memory_is_the_least,
    nothing_bought_or_rented_is_beaten,
    buying_is_not_said_never_to_pay_where_it_costs_less,
    a_run_costs_its_share_of_all_of_them,
    patience_is_asked_where_it_helps,
    what_nothing_does_is_not_sold,
    a_long_start_is_said,
    one_run_is_told_in_runs,
    costs_can_be_worked_out,
    the_least_is_the_least_of_the_table,
    one_purchase_is_the_best,
    lateness_is_said_first,
    sentences_begin_large,
    a_changed_habit_has_its_hours,
    a_smaller_budget_is_spent_on_less,
    buying_pays_back_against_the_rent_beside_it,
    what_is_called_sure_is_sure,
    nobody_leaves_for_what_is_slower,
    the_quickest_is_no_slower_than_the_answer,
    what_is_called_slower_takes_longer,
    what_may_not_be_rented_is_not_called_missing,
    a_cheaper_rent_is_told,
)
